"""Exact data compared by us: equal in any format, different wherever a digit or a letter differs."""

import pytest

from pytest_asrgate.intent.exact import found_exact, same_exact

SAME = [
    ("en", "555-123-4567", "5551234567"),
    ("en", "555-123-4567", "five five five one two three four five six seven"),
    ("en", "(555) 123-4567", "555 123 4567"),
    ("en", "98765 43210", "phone number 9876543210"),
    ("en", "AB12 34", "a b one two three four"),
    ("en", "KA-05-MX-2210", "ka 05 mx 2210"),
    ("en", "KA 05 MX 2210", "KA05MX2210"),
    ("en", "January 5th, 1980", "January fifth nineteen eighty"),
    ("en", "January 5th, 1980", "5 January 1980"),
    ("en", "January 5th, 1980", "the 5th of Jan 1980"),
    ("en", "john@example.com", "John at example dot com"),
    ("en", "john@example.com", "john at the rate example dot com"),
    ("en", "a.b_c@shop.co.in", "a dot b underscore c at shop dot co dot in"),
    ("en", "rahulkumar@gmail.com", "rahul kumar at gmail dot com"),
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
    ("ta", "98400 12345", "9840012345"),
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
    ("hi", "९८७६", "9877"),
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
