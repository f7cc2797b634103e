"""Amounts, dates and times: what is surely the same, what nobody can tell, and that nothing between is settled.

All sentences are our own.
"""

import pytest

from pytest_asrgate.records import Label
from pytest_asrgate.semantic.normalise import read_text
from pytest_asrgate.semantic.pairs import Prepared, TextPair, prepare


def _labels(reference: str, hypothesis: str) -> list[Label]:
    return [row.label for row in prepare(TextPair(reference, hypothesis)).differences]


def _rows(table: str) -> list[tuple[str, str]]:
    lines = [line.partition(" | ") for line in table.strip().splitlines()]
    return [(left.strip(), right.strip()) for left, _, right in lines]


NOBODY_CAN_TELL = _rows(
    """
    Order two 10 mg tablets | Order 210 mg tablets
    three 50 pound bags | 350 pound bags
    1 12-inch pizza | 112 inch pizza
    one twenty ounce coffee | 120 ounce coffee
    twenty twenty dollar bills | 2020 dollar bills
    five ten and fifteen | 510 and 15
    code ten five | code 105
    rooms 4 5 6 | rooms 456
    room 4 5 6 | room 456
    rooms 20, 5 | rooms 25
    add 20 5 dollar bills | add 25 dollar bills
    add twenty 5 dollar bills | add 25 dollar bills
    take 100 and 5 | take 105
    at 5, 20 people come | at 5:20 people come
    20 20-dollar bills | 2020 dollar bills
    10² | 102
    5³ | 53
    10² meters | 100 meters
    on 1/5/1963 | on 1/5/63
    at 5 00 | at 5:00
    at 17:00 now | at seventeen hundred now
    birthday is 4/5 | birthday is four fifths
    meeting on 3/4 | meeting on three quarters
    call 1-800-555-1212 | call one eight hundred five five five twelve twelve
    call 1 800 555 1000 now | call one eight hundred five five five one thousand now
    it is 10.000 euros | it is ten thousand euros
    it costs A$50 | it costs US$50
    it costs C$50 | it costs fifty dollars
    it costs ₩500 | it costs 500
    play in F# | play in F
    it is <5 | it is 5
    it is ≥5 | it is 5
    it is 100‰ | it is 100
    it is ±5 | it is 5
    what is √9 | what is 9
    what is 10^2 | what is 102
    what is 10^2 | what is 10 2
    what is 2*3 | what is 2 3
    it is 6 to 5 | it is 65
    it is 3-2 | it is 32
    on 4/5 | on 45
    open 24/7 | open 247
    set it to 5.30 | set it to 5:30
    is 5 - 3 | is five three
    is 10 - 2 | is 102
    """
)


@pytest.mark.parametrize(("reference", "hypothesis"), NOBODY_CAN_TELL)
def test_writings_that_cannot_be_told_are_open(reference: str, hypothesis: str) -> None:
    """There is an open difference, and none that is an error, in either direction."""
    for labels in (_labels(reference, hypothesis), _labels(hypothesis, reference)):
        assert Label.OPEN in labels
        assert Label.ERROR not in labels


SURELY_THE_SAME = _rows(
    """
    06/08/2004 | 06.08.2004
    2024-06-05 | 2024 06 05
    born 1/5/1963 | born 01/05/1963
    July 20th, 2003 | july 20 2003
    on March 21st, 2023 | on march 21 2023
    on March 21st, 2023 | on march twenty first twenty twenty three
    on March 21, 2023 | on march twenty one twenty twenty three
    at 5 00 AM | at 5:00 a.m.
    at 500 AM | at five am
    at 530 pm | at five thirty pm
    at 10.00 AM | at 1000 am
    at 9.43 a.m. | at 9:43 a.m.
    birthday is 4/5 | birthday is four five
    flight on 9/10 | flight on nine ten
    on 3/4 | on 3 4
    add 3/4 cup | add three quarters cup
    it costs $61.40 | it costs 61.40 dollars
    10k | ten thousand
    10K people | ten thousand people
    1/2 cup of milk | half a cup of milk
    it costs 300 dollars | it costs 300 dollar
    wait three hours please | wait three hour please
    -5 degrees outside | \u20135 degrees outside
    5-6-1-8-5-6-7-2-3-7 | five six one eight five six seven two three seven
    212-5551234 | 212 555 1234
    at 5:30 | at five thirty
    in 1995 | in nineteen ninety five
    open 24/7 | open twenty four seven
    rooms 4 5 6 | rooms four five six
    room 2 10 | room two ten
    room 105 | room one oh five
    zip 90210 | zip nine oh two one oh
    """
)


@pytest.mark.parametrize(("reference", "hypothesis"), SURELY_THE_SAME)
def test_the_same_amount_in_two_writings_is_settled(reference: str, hypothesis: str) -> None:
    """No difference, or the same by a rule, in either direction."""
    assert set(_labels(reference, hypothesis)) <= {Label.SAME}
    assert set(_labels(hypothesis, reference)) <= {Label.SAME}


SURELY_OTHER = _rows(
    """
    wait 10 minutes | wait 100 minutes
    take two tablets | take 3 tablets
    meet on 3/4 | meet on 3/5
    it is \u201310 degrees | it is 10 degrees
    call 555-1234 | call 555-1235
    wait 300 dollars long | wait 400 dollar long
    at 5:30 am | at 5:40 am
    """
)


@pytest.mark.parametrize(("reference", "hypothesis"), SURELY_OTHER)
def test_another_amount_stays_an_error(reference: str, hypothesis: str) -> None:
    """What differs in any reading needs nobody to be asked."""
    assert Label.ERROR in _labels(reference, hypothesis)
    assert Label.ERROR in _labels(hypothesis, reference)


def test_one_of_a_unit_may_be_said_of_several_only() -> None:
    """`one dollars` is not settled as a unit, nor is a noun that no unit is."""
    assert _labels("it is one dollar", "it is one dollars") == [Label.OPEN]
    assert _labels("bring three chairs", "bring three chair") == [Label.OPEN]


def test_equal_words_of_other_numbers_cost_one_substitution() -> None:
    """The alignment has the step that the difference counts."""
    found = prepare(TextPair("rooms 20, 5", "rooms 25"))
    assert [step.step for step in found.alignment] == ["=", "S", "="]
    (row,) = found.differences
    assert (row.reference, row.substitutions, row.deletions, row.insertions) == ("twenty five", 1, 0, 0)


@pytest.mark.parametrize("words", [1_000, 4_400])
def test_numbers_of_any_length_are_read(words: int) -> None:
    """Digits beyond what Python turns into a number are text: one certain difference."""
    spoken = "my number is five five five one two"
    for heard in ("my number is " + "five " * words, "my number is " + "5" * words):
        for pair in (TextPair(spoken, heard), TextPair(heard, spoken), TextPair(f"{heard} point 5", heard)):
            assert isinstance(prepare(pair), Prepared)


@pytest.mark.parametrize(
    "raw",
    ["{}", "${}", "{}.50 dollars", "{}k", "{}:30", "1/{}", "{}/2", "{}-5", "5-{}", "{}th", "{} am", "2 {}/3", "{}s",
     "half a {}", "{} and a half", "minus {}", "{} million", "${}k", "{}.{} million", "{}%", "{}.000"],
)  # fmt: skip
def test_no_numeral_is_too_long(raw: str) -> None:
    """Each reader of numerals takes 5,000 digits."""
    assert read_text(raw.replace("{}", "7" * 5_000)).words


def test_a_telephone_number_in_hyphens_is_no_range() -> None:
    """Nothing is read between its digits that was not written."""
    assert "to" not in read_text("5-6-1-8-5-6-7-2-3-7").normalised.split()
    assert "to" not in read_text("212-5551234").normalised.split()
    assert read_text("100-200").normalised == "one hundred to two hundred"
