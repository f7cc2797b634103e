"""Exact data compared by us: equal in any format, different wherever a digit or a letter differs."""

import pytest

from pytest_asrgate.intent.exact import found_exact, same_exact

SAME = [
    ("en", "555-123-4567", "5551234567"),
    ("en", "555-123-4567", "five five five one two three four five six seven"),
    ("en", "(555) 123-4567", "555 123 4567"),
    ("en", "AB12 34", "a b one two three four"),
    ("en", "KA-05-MX-2210", "ka 05 mx 2210"),
    ("en", "KA 05 MX 2210", "KA05MX2210"),
    ("en", "January 5th, 1980", "January fifth nineteen eighty"),
    ("en", "January 5th, 1980", "5 January 1980"),
    ("en", "January 5th, 1980", "the 5th of Jan 1980"),
    ("en", "john@example.com", "John at example dot com"),
    ("en", "john@example.com", "john at the rate example dot com"),
    ("en", "a.b_c@shop.co.in", "a dot b underscore c at shop dot co dot in"),
    ("en", "twenty five", "25"),
    ("en", "two five", "25"),
    ("en", "1,00,000", "100000"),
    ("en", "one hundred thousand", "1,00,000"),
    ("en", "$20", "twenty dollars"),
    ("en", "5%", "five percent"),
    ("en", "6:45 pm", "six forty five p.m."),
    ("en", "first", "1st"),
    ("en", "Rs. 500", "500 rupees"),
    ("en", "COVID-19", "covid nineteen"),
    ("en", "12/05/1990", "12 05 1990"),
    ("hi", "९८७६", "9876"),
    ("hi", "नौ आठ सात छह", "९८७६"),
    ("hi", "९८४५", "नौ आठ चार पाँच"),
    ("ta", "98400 12345", "9840012345"),
    ("en", "5 apples", "five apples"),
    ("en", "the 5 apples", "five apples"),
    ("en", "AB12", "A B one two"),
    ("bn", "২৭", "27"),
]
OTHER = [
    ("en", "555-123-4567", "555-124-4567"),
    ("en", "555-123-4567", "five five five one two four four five six seven"),
    ("en", "98765 43210", "98765"),
    ("en", "AB12 34", "AD12 34"),
    ("en", "AB12", "a d one two"),
    ("en", "AB12", "AB13"),
    ("en", "January 5th, 1980", "January 15th, 1980"),
    ("en", "January 5th, 1980", "5 February 1980"),
    ("en", "05/01/1980", "05/01/1981"),
    ("en", "john@example.com", "jon@example.com"),
    ("en", "a.b@example.com", "ab@example.com"),
    ("en", "john@example.com", "john at example dot org"),
    ("en", "twenty five", "35"),
    ("en", "1.5", "15"),
    ("en", "-5", "5"),
    ("en", "0042", "42"),
    ("en", "$20", "€20"),
    ("en", "5 pm", "5 am"),
    ("en", "6:45 pm", "6:50 pm"),
    ("en", "5 pm", "6 pm"),
    ("en", "100", "1000"),
    ("en", "5", "6"),
    ("en", "$5", "$6"),
    ("en", ".5", "5"),
    ("en", "room 12", "room 13"),
    ("en", "+91 98450 12345", "+44 98450 12345"),
    ("hi", "९८७६", "9877"),
    ("hi", "९८४५", "नौ आठ चार छह"),
    ("ta", "9876543210", "9876543211"),
]
UNKNOWN = [
    ("en", "John", "Jon"),
    ("en", "25", "some"),
    ("en", "five lakh", "5"),
    ("en", "two lakh", "200000"),
    ("en", "5 apples", "5 pears"),
    ("en", "two 10", "210"),
    ("en", "john@example.com", "john example com"),
    ("en", "", ""),
    ("en", "January 5", "5"),
    ("en", "Monday 5 January", "Tuesday 5 January"),
    # Words beside the data that only one has: it cannot be told what they are.
    ("en", "98765 43210", "phone number 9876543210"),
    ("en", "rahulkumar@gmail.com", "rahul kumar at gmail dot com"),
    ("en", "5 pm", "17:00"),
    ("en", "ten to five", "4:50"),
    ("en", "half past two", "2:30"),
    ("en", "05/01/1980", "5 January 1980"),
    ("en", "+91 98765 43210", "9876543210"),
    ("hi", "25", "पच्चीस"),
    ("hi", "5 हज़ार", "5000"),
    ("hi", "5 हज़ार", "5 लाख"),
    ("hi", "पच्चीस", "पैंतीस"),
]

# None of these is the same, whoever says so.
NOT_SAME = [
    *(("en", left, right) for left, right in (
        ("10000 or more", "10000 or less"), ("under 10000", "over 10000"), ("12345 mg", "12345 ml"),
        ("12345 Park Road", "12345 Lake Road"), ("18000 rupees", "18000 riyals"), ("10000 BC", "10000 AD"),
        ("10000 people", "10000 not people"), ("Ravi 98450 12345", "Sita 98450 12345"),
        ("560001 Bangalore", "560001 Mysore"), ("KA05MX2210 at 5", "KA05MX2210 at 6"),
        ("room 12 B2", "room 13 B2"), ("AI302 May 5", "AI302 June 5"), ("$5 AB12", "₹5 AB12"),
        ("AB12", "not AB12"), ("AB12 Bangalore", "AB12 Mysore"), ("G20 in Delhi", "G20 in Mumbai"),
        ("AB12", "AB12 CD34"), ("KA05", "KA05 MX2210"), ("AB12", "AB 12 C"), ("AB12", "AB 1 2 3"),
        ("a@x.com phone 12345", "a@x.com phone 12346"), ("from a@x.com to b@x.com", "from b@x.com to a@x.com"),
        ("Ravi a@x.com", "Sita a@x.com"), ("5 May 6 June", "6 May 5 June"), ("5 May 10 am", "10 May 5 am"),
        ("Jan 2 3 pm", "Jan 3 2 pm"), ("5 May to 6 May", "6 May to 5 May"), ("100 and 200", "100200"),
        ("10 to 2000", "102000"), ("100 200 300", "100200300"), ("10:2000", "102000"),
        ("1000.55 2", "1000.552"), ("my 5", "your 5"), ("from 5", "to 5"), ("room 12", "phone 12"),
        ("account 12", "room 12"), ("no 5", "5"), ("third sheep", "three sheep"), ("2nd", "2"),
        ("3rd floor", "3 floor"), (".5", "5"), ("5 apples?", "6 apples"), ("5 degrees", "-5 degrees"),
    )),
    ("hi", "1000000 रुपये", "1000000 डॉलर"),
    ("hi", "1234567 मई", "1234567 जून"),
    ("hi", "₹.50", "₹50"),
]  # fmt: skip
# Either may be what the other says.
NOT_OTHER = [
    *(("en", left, right) for left, right in (
        ("98450 12345", "nine eight four five oh one two three four five"),
        ("98450 12345", "nine eight four five double zero one two three four five"),
        ("08:30", "8:30"), ("08 pm", "8 pm"), ("08", "eight"), ("9:00", "09:00"), ("0900", "9 am"),
        ("1.50", "1.5"), ("$20.00", "$20"), ("₹1,250.00", "₹1250"), ("20.0", "20"),
        ("$1.50", "one dollar fifty"), ("1/2", "0.5"), ("1/2", "one half"), ("3/4", "three quarters"),
        ("2½", "two and a half"), ("5.30 pm", "five thirty pm"), ("10.30", "ten thirty"),
        ("98.6", "ninety eight six"), ("05/01/1980", "1980-01-05"), ("05/01/1980", "5/1/80"),
        ("5 Jan 1980", "5 January 80"), ("1980s", "nineteen eighties"), ("192.168.1.1", "192 168 1 1"),
        ("555.123.4567", "555-123-4567"), ("0091 98450 12345", "+91 98450 12345"), ("24x7", "24/7"),
        ("-5 degrees", "minus 5 degrees celsius"), ("-5", "minus 5"), ("January 5", "January 5 1980"),
        ("98450 12345", "98450 12345 extension 6"), ("14 Park Road", "14 Park Road 560001"),
        ("oh five", "zero five"), ("anna99@shop.com", "anna double nine at shop dot com"),
        ("99@shop.com", "double nine at shop dot com"), ("1.500", "1500"),
        ("AB12 34", "AB12"), ("third", "three"),
    )),
    ("mr", "98450 12345", "नऊ आठ चार पाच झिरो एक दोन तीन चार पाच"),
    ("ta", "98450 12345", "ஒன்பது எட்டு நான்கு ஐந்து ஸீரோ ஒன்று இரண்டு மூன்று நான்கு ஐந்து"),
    ("hi", "9845012345", "98450 बारह 345"),
    ("hi", "9988776655", "डबल 9 डबल 8 77 66 55"),
    ("hi", "1500000", "15 लाख"),
    ("hi", "AB12", "ए बी एक दो"),
    ("hi", "raj@x.com", "राज at x dot com"),
    ("de", "1.500", "1500"),
    ("es", "1.500", "1500"),
    ("fr", "17h30", "17:30"),
]  # fmt: skip


@pytest.mark.parametrize(("language", "left", "right"), SAME)
def test_same_data(language: str, left: str, right: str) -> None:
    """The same data is the same in any format, whichever side has which."""
    assert same_exact(left, right, language) is True
    assert same_exact(right, left, language) is True


@pytest.mark.parametrize(("language", "left", "right"), OTHER)
def test_other_data(language: str, left: str, right: str) -> None:
    """One digit, one letter or one sign makes other data."""
    assert same_exact(left, right, language) is False
    assert same_exact(right, left, language) is False


@pytest.mark.parametrize(("language", "left", "right"), UNKNOWN)
def test_what_cannot_be_compared(language: str, left: str, right: str) -> None:
    """Where there is no data, or words that may change it are not read, nothing is said."""
    assert same_exact(left, right, language) is None
    assert same_exact(right, left, language) is None


@pytest.mark.parametrize(("language", "left", "right"), NOT_SAME)
def test_what_we_must_not_vouch_for(language: str, left: str, right: str) -> None:
    """Equal digits do not make spans equal whose other words, order or signs differ."""
    assert same_exact(left, right, language) is not True
    assert same_exact(right, left, language) is not True


@pytest.mark.parametrize(("language", "left", "right"), NOT_OTHER)
def test_what_we_must_not_deny(language: str, left: str, right: str) -> None:
    """What may be the same in another notation, or is not read completely, is not called other data."""
    assert same_exact(left, right, language) is not False
    assert same_exact(right, left, language) is not False


_SPANS = sorted({(row[0], span) for row in (*SAME, *OTHER, *UNKNOWN, *NOT_SAME, *NOT_OTHER) for span in row[1:]})


@pytest.mark.parametrize(("language", "span"), _SPANS)
def test_a_span_is_never_other_than_itself(language: str, span: str) -> None:
    """Nor than itself in capitals, in quotation marks or with an article; with a word more nothing is said."""
    for other in (span, span.upper(), f'"{span}",', f"the {span}"):
        assert same_exact(span, other, language) is not False
    for other in (f"{span} zebra", f"zebra {span}"):
        assert same_exact(span, other, language) is None


@pytest.mark.parametrize(
    ("language", "span", "hypothesis", "words"),
    [
        ("en", "555-123-4567", "call five five five one two three four five six seven now",
         "five five five one two three four five six seven"),
        ("en", "555-123-4567", "call 5551234567.", "5551234567"),
        ("en", "555-123-4567", "call 5551234568.", ""),
        ("en", "25", "room 125 or 2.5", ""),
        ("en", "25", "room twenty-five", "twenty-five"),
        ("en", "john@example.com", "it is John at example dot com please", "John at example dot com"),
        ("en", "john@example.com", "it is jon at example dot com", ""),
        ("en", "January 5th, 1980", "born on the 5 January 1980 in Pune", "5 January 1980"),
        ("en", "AB12 34", "code a b one two three four ok", "a b one two three four"),
        ("en", "AB12", "code ab 12", "ab 12"),
        ("en", "$20", "pay twenty dollars now", "twenty dollars"),
        ("en", "twenty dollars", "pay $20 now", "$20"),
        ("en", "20 dollars", "pay 20 pounds", ""),
        ("hi", "9876", "मेरा नंबर नौ आठ सात छह है", "नौ आठ सात छह"),
        ("hi", "९८७६", "मेरा नंबर 9876 है", "9876"),
        ("en", "John", "John", ""),
        ("en", "25", "", ""),
    ],
)  # fmt: skip
def test_found_exact(language: str, span: str, hypothesis: str, words: str) -> None:
    """The words that hold the same data are found, and never a part of other data."""
    assert found_exact(span, hypothesis, language) == words
