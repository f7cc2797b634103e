"""Claims about numbers in the semantic error rate: the same digits however a number is written or said."""

from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pytest_asrgate.semantic.normalise import read_text
from pytest_asrgate.semantic.numerals import cardinal_words, decimal_digits, ordinal_words, year_words
from tests.unit.properties import STEADY


def _digits(raw: str) -> list[str]:
    """The digits of each run, ordinals with a dot behind them."""
    runs: dict[int, str] = {}
    for word in read_text(raw).words:
        if word.number is not None:
            runs[word.number.run] = word.number.digits + ("." if word.number.ordinal else "")
    return list(runs.values())


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ("300", "three hundred"),
        ("1,250", "one thousand two hundred fifty"),
        ("1,250,000", "one million two hundred fifty thousand"),
        ("0", "zero"),
        ("1000", "one thousand"),
        ("10000", "ten thousand"),
        ("3,000,000,000", "three billion"),
        ("1995", "nineteen ninety five"),
        ("1100", "eleven hundred"),
        ("1900", "nineteen hundred"),
        ("1905", "nineteen zero five"),
        ("2000", "two thousand"),
        ("2005", "two thousand five"),
        ("2010", "twenty ten"),
        ("2024", "twenty twenty four"),
        ("2099", "twenty ninety nine"),
        ("2100", "two thousand one hundred"),
        ("1,995", "one thousand nine hundred ninety five"),
        ("1995 dollars", "one thousand nine hundred ninety five dollars"),
        ("3.5", "three point five"),
        ("0.05", "zero point zero five"),
        (".5", "zero point five"),
        ("1,250.5", "one thousand two hundred fifty point five"),
        ("version 1.2.3", "version one point two point three"),
        ("007", "zero zero seven"),
        ("1st", "first"),
        ("2nd", "second"),
        ("12th", "twelfth"),
        ("20th", "twentieth"),
        ("21st", "twenty first"),
        ("100th", "one hundredth"),
        ("1990s", "nineteen nineties"),
        ("the '80s", "the eighties"),
        ("her 20s", "her twenties"),
        ("the 1990's", "the nineteen nineties"),
        ("1/2", "one half"),
        ("3/4", "three quarters"),
        ("½", "one half"),
        ("2½", "two and a half"),
        ("2 1/2", "two and a half"),
        ("24/7", "twenty four seven"),
        ("3/15/2024", "three fifteen twenty twenty four"),
        ("2024-01-15", "twenty twenty four one fifteen"),
        ("-5", "minus five"),
        ("\u22125", "minus five"),
        ("5-10", "five to ten"),
        ("5–10", "five to ten"),
        ("2019-20", "twenty nineteen to twenty"),
        ("3-2", "three two"),
        ("10-20%", "ten to twenty percent"),
        ("50%", "fifty percent"),
        ("1234567", "one two three four five six seven"),
        ("5000000", "five million"),
        ("12345678901234567890", " ".join(["one two three four five six seven eight nine zero"] * 2)),
        ("555-123-4567", "five five five one two three four five six seven"),
        ("(555) 123-4567", "five five five one two three four five six seven"),
        ("555.123.4567", "five five five one two three four five six seven"),
        ("555-1234", "five five five one two three four"),
        ("1-800-555-1234", "one eight zero zero five five five one two three four"),
        ("4111 1111 1111 1111", "four " + " ".join(["one"] * 15)),
        ("123-45-6789", "one two three four five six seven eight nine"),
        ("+44 20 7946 0958", "plus four four two zero seven nine four six zero nine five eight"),
        ("90210-1234", "nine zero two one zero one two three four"),
        ("100-200", "one hundred to two hundred"),
        ("1.000.000", "one million"),
    ],
)  # fmt: skip
def test_numerals_are_spelled_as_they_are_spoken(raw: str, words: str) -> None:
    """Cardinals, years, decimals, ordinals, fractions, ranges and telephone numbers become words."""
    assert read_text(raw).normalised == words


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ("$5", "five dollars"),
        ("$1", "one dollar"),
        ("$5.50", "five dollars fifty cents"),
        ("$5.00", "five dollars"),
        ("$0.01", "one cent"),
        ("$1,250", "one thousand two hundred fifty dollars"),
        ("$1200", "one thousand two hundred dollars"),
        ("$3.5 million", "three point five million dollars"),
        ("$20k", "twenty thousand dollars"),
        ("$2B", "two billion dollars"),
        ("$5-10", "five to ten dollars"),
        ("$5-$10", "five dollars to ten dollars"),
        ("-$5", "minus five dollars"),
        ("US$5", "five dollars"),
        ("5$", "five dollars"),
        ("5 USD", "five dollars"),
        ("£5", "five pounds"),
        ("£5.20", "five pounds twenty pence"),
        ("€1", "one euro"),
        ("₹100", "one hundred rupees"),
        ("¥500", "five hundred yen"),
        ("50¢", "fifty cents"),
        ("five dollars and fifty cents", "five dollars fifty cents"),
        ("$ for nothing", "for nothing"),
    ],
)
def test_money_is_spelled_as_it_is_spoken(raw: str, words: str) -> None:
    """The currency stands behind its number, in the singular for one."""
    assert read_text(raw).normalised == words


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ("5:30", "five thirty"),
        ("5:05", "five zero five"),
        ("5:00", "five"),
        ("five o'clock", "five"),
        ("5 o’clock", "five"),
        ("12:00", "twelve"),
        ("17:45:10", "seventeen forty five ten"),
        ("5pm", "five pm"),
        ("5 p.m.", "five pm"),
        ("5 PM", "five pm"),
        ("five p m", "five pm"),
        ("5:30am", "five thirty am"),
        ("5.30pm", "five thirty pm"),
        ("9am-5pm", "nine am to five pm"),
        ("10:30–11:30", "ten thirty to eleven thirty"),
        ("from 9-5", "from nine to five"),
        ("1h 30min", "one hour thirty minutes"),
        ("I am here", "i am here"),
        ("John 3:1", "john three one"),
    ],
)
def test_times_are_equal_however_written(raw: str, words: str) -> None:
    """A full hour is its number, and one form stands for each of a.m. and p.m."""
    assert read_text(raw).normalised == words


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ("5kg", "five kilograms"),
        ("1 kg", "one kilogram"),
        ("10km", "ten kilometers"),
        ("five km", "five kilometers"),
        ("60 km/h", "sixty kilometers per hour"),
        ("60 mph", "sixty miles per hour"),
        ("20°C", "twenty degrees celsius"),
        ("1°", "one degree"),
        ("90 °F", "ninety degrees fahrenheit"),
        ("500 sq ft", "five hundred square feet"),
        ("$20/month", "twenty dollars per month"),
        ("16GB", "sixteen gigabytes"),
        ("5g", "five g"),
        ("5h", "five hours"),
        ("H one N one H", "h one n one h"),
        ("mp3", "mp three"),
        ("COVID-19", "covid nineteen"),
        ("min and max", "min and max"),
        ("hum oz", "hum oz"),
    ],
)
def test_units_are_words_behind_a_number_only(raw: str, words: str) -> None:
    """Units in front of which no number stands are left alone, as are letters that could be anything."""
    assert read_text(raw).normalised == words


EQUAL = [
    ("25", ["25", "two five", "twenty five", "twenty-five"]),
    ("300", ["300", "three hundred"]),
    ("105", ["105", "one hundred and five", "a hundred and five", "one oh five", "one o five", "1 0 5"]),
    ("1995", ["1995", "1,995", "nineteen ninety five", "one thousand nine hundred ninety five",
              "one thousand nine hundred and ninety-five"]),
    ("1905", ["1905", "nineteen oh five", "nineteen hundred and five", "nineteen hundred five"]),
    ("1500", ["1500", "fifteen hundred", "one thousand five hundred", "1,500"]),
    ("2024", ["2024", "twenty twenty four", "two thousand and twenty four", "two thousand twenty-four"]),
    ("5551234", ["5551234", "555-1234", "555 1234", "five five five one two three four",
                 "five five five, one two three four", "triple five one two three four"]),
    ("18005551234", ["1-800-555-1234", "one eight hundred five five five one two three four"]),
    ("1500000", ["1.5 million", "one point five million", "1,500,000", "one and a half million",
                 "one million five hundred thousand"]),
    ("3.5", ["3.5", "3.50", "three point five", "three and a half", "3 1/2", "3½"]),
    ("0.75", ["3/4", "three quarters", "three fourths", "0.75", "zero point seven five"]),
    ("2/3", ["2/3", "two thirds", "⅔"]),
    ("-5", ["-5", "minus five", "negative five"]),
    ("007", ["007", "zero zero seven"]),
    ("90210", ["90210", "nine oh two one oh", "nine zero two one zero"]),
    ("100", ["100", "a hundred", "one hundred"]),
    ("205000", ["205,000", "two hundred five thousand", "two hundred and five thousand"]),
    ("1000000", ["1,000,000", "a million", "one million", "1 million"]),
    ("500000", ["half a million", "500,000"]),
    ("1005", ["1,005", "one thousand and five"]),
    ("1.2.3", ["1.2.3", "one point two point three"]),
    ("1990s", ["1990s", "nineteen nineties"]),
    ("21.", ["21st", "twenty first", "twenty-first"]),
    ("105.", ["105th", "one hundred and fifth"]),
    ("100.", ["100th", "one hundredth"]),
    ("2000.", ["2000th", "two thousandth"]),
    ("472670000000", ["472.67 billion", "four hundred and seventy two point six seven billion"]),
]  # fmt: skip


@pytest.mark.parametrize(("digits", "writings"), EQUAL, ids=[digits for digits, _ in EQUAL])
def test_equal_numbers_have_equal_digits(digits: str, writings: list[str]) -> None:
    """Every writing of a number is one run of the same digits, alone and in a sentence."""
    for raw in writings:
        assert _digits(raw) == [digits], raw
        assert _digits(f"they said {raw} again.") == [digits], raw


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("fifteen", "fifty"),
        ("5", "-5"),
        ("5th", "5"),
        ("7", "007"),
        ("3.5", "35"),
        ("two hundred", "two thousand"),
        ("1.5 million", "1.5 billion"),
        ("nineteen ninety five", "nineteen ninety nine"),
        ("5, 6", "56"),
        ("one half", "one third"),
    ],
)
def test_other_numbers_have_other_digits(left: str, right: str) -> None:
    """What is not the same number is not the same run."""
    assert _digits(left) != _digits(right)


@pytest.mark.parametrize(
    ("raw", "digits"),
    [
        ("five, six and seven", ["5", "6", "7"]),
        ("5, 6 and 7", ["5", "6", "7"]),
        ("In 1995, 20 came.", ["1995", "20"]),
        ("I have 5. 6 came", ["5", "6"]),
        ("in 2024 three hundred people", ["2024", "300"]),
        ("between one hundred and fifty", ["100", "50"]),
        ("one hundred and two hundred", ["100", "200"]),
        ("ten minus five", ["10", "5"]),
        ("may first twenty twenty", ["1.", "2020"]),
        ("the twenty first of may", ["21."]),
        ("between 1,000 and 2,000", ["1000", "2000"]),
        ("5-10 days", ["5", "10"]),
        ("$5.50", ["5", "50"]),
    ],
)
def test_separate_numbers_are_separate_runs(raw: str, digits: list[str]) -> None:
    """Commas, ends of sentences, scales and words between numbers part them."""
    assert _digits(raw) == digits


@pytest.mark.parametrize(
    "raw", ["one", "1", "one ticket", "room one", "one or two", "1 day", "one, two", "for one night"]
)
def test_one_that_counts_is_a_number(raw: str) -> None:
    """`one` counts before what is counted, behind what is numbered, beside other numbers, and alone."""
    assert _digits(raw)[0] == "1"


@pytest.mark.parametrize(
    "raw",
    [
        "the one that I want", "no one came", "one of them", "this one is mine", "one day he left", "a good one",
        "on one side", "at first", "first I will go", "wait a second", "oh my", "hundreds of people",
        "the third-rate",
    ],
)  # fmt: skip
def test_words_that_only_look_like_numbers_are_none(raw: str) -> None:
    """Pronouns, articles, adverbs and times of the same spelling carry no number, `third` apart."""
    assert _digits(raw) == (["3."] if "third" in raw else [])


def test_every_word_of_a_run_carries_it() -> None:
    """Runs are counted from 0, and each of their words has the same `Number`."""
    words = read_text("I paid $1,250 for 2 of them").words
    numbers = [word.number.run if word.number else None for word in words]
    assert numbers == [None, None, 0, 0, 0, 0, 0, None, None, 1, None, None]
    assert {word.raw for word in words[2:8]} == {"$1,250"}


def test_the_and_inside_a_number_is_no_word() -> None:
    """It is dropped there and nowhere else."""
    assert read_text("one hundred and five and six").normalised == "one hundred five and six"
    assert read_text("ten dollars and a smile").normalised == "ten dollars and a smile"


@STEADY
@given(st.one_of(st.integers(0, 10_000), st.integers(0, 10**15 - 1)))
@example(1100)
@example(2000)
@example(999_999)
def test_digits_and_words_agree(number: int) -> None:
    """A number written with commas has the words and the digits of the one that is spelled out."""
    spelled = " ".join(cardinal_words(number))
    assert read_text(f"{number:,}").normalised == spelled
    assert _digits(f"{number:,}") == _digits(str(number)) == _digits(spelled) == [str(number)]
    assert _digits(f"it is {number}.") == [str(number)]


def test_all_small_numbers_agree() -> None:
    """From 0 to 10,000: as digits, as cardinal, as ordinal, as year."""
    for number in range(10_001):
        spelled = cardinal_words(number)
        assert _digits(str(number)) == _digits(" ".join(spelled)) == [str(number)], number
        if 1100 <= number <= 2099:
            spelled = year_words(number)
            assert _digits(" ".join(spelled)) == [str(number)], number
        assert read_text(str(number)).normalised == " ".join(spelled)
        assert _digits(" ".join(ordinal_words(number))) == [f"{number}."], number


@STEADY
@given(st.text("0123456789", min_size=1, max_size=30))
def test_digits_read_one_by_one_keep_every_digit(digits: str) -> None:
    """No zero is lost, at the front or within."""
    spoken = " ".join(cardinal_words(int(digit))[0] for digit in digits)
    assert _digits(spoken) == [digits]


@STEADY
@given(st.integers(0, 9999), st.text("0123456789", min_size=1, max_size=6))
def test_decimals_agree(whole: int, part: str) -> None:
    """A decimal has the digits of the spoken one, without zeros at its end."""
    spelled = [*cardinal_words(whole), "point", *(cardinal_words(int(digit))[0] for digit in part)]
    wanted = f"{whole}.{part}".rstrip("0").rstrip(".")
    assert _digits(f"{whole}.{part}") == _digits(" ".join(spelled)) == [wanted]


def test_fractions_that_do_not_end_stay_fractions() -> None:
    """Halves, quarters and fifths are decimals, thirds are not."""
    assert [decimal_digits(Fraction(*pair)) for pair in [(1, 2), (5, 4), (2, 6), (1, 80)]] == [
        "0.5",
        "1.25",
        "1/3",
        "0.0125",
    ]
