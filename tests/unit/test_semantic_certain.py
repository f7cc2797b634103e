"""What no rule may be certain of: pairs that say the same and none may call an error, and the other way round.

A wrong label that nobody is asked about is worse than a question. All sentences are our own.
"""

import pytest

from pytest_asrgate.records import Label
from pytest_asrgate.semantic.pairs import TextPair, prepare


def _labels(reference: str, hypothesis: str) -> list[Label]:
    return [row.label for row in prepare(TextPair(reference, hypothesis)).differences]


def _rows(table: str) -> list[tuple[str, str]]:
    lines = [line.partition(" | ") for line in table.strip().splitlines()]
    return [(left.strip(), right.strip()) for left, _, right in lines]


EQUAL = _rows(
    """
    the u s a is big | the USA is big
    made in the U S A | made in the U.S.A.
    visit the u-s-a in May | visit the USA in May
    I wo n't go | I won't go
    I ca n't go | I can't go
    I sha n't go | I shan't go
    I shant go | I shan't go
    it is n't here | it isn't here
    he 's here | he's here
    we 'll go | we'll go
    I 'm here | I'm here
    they 're late | they're late
    I 'd go | I'd go
    clean the driver 's seat | clean the driver's seat
    call 911 | call nine hundred eleven
    on July 4th | on July fourth
    at five o'clock | at 5:00
    2 1/2 cups | two and a half cups
    1,000,000 people | a million people
    100% sure | a hundred per cent sure
    Mr. Smith | Mister Smith
    as of wont | as of wont
    he was wont to sing | he was wont to sing
    """
)


@pytest.mark.parametrize(("reference", "hypothesis"), EQUAL)
def test_what_is_written_in_two_ways_has_no_difference(reference: str, hypothesis: str) -> None:
    """Spelled letters, tokenised contractions and numbers in either way read the same."""
    assert _labels(reference, hypothesis) == []
    assert _labels(hypothesis, reference) == []


SAME = _rows(
    """
    call me at half past two | call me at 2:30
    call me at quarter past two | call me at 2:15
    it is quarter to three | it is 2:45
    it is a quarter to three | it is 2:45
    wake me at ten past five | wake me at 5:10
    wake me at ten after five | wake me at 5:10
    wake me at twenty five to five | wake me at 4:35
    meet me at 2:30 pm | meet me at 14:30
    meet me at 2:30 | meet me at 14:30
    meet me at 2 pm | meet me at 14:00
    zip nine o two one o | zip 90210
    zip ninety two ten | zip 90210
    call nine one one | call 911
    songs of the 1990s | songs of the nineties
    born in ninety five | born in 1995
    on July 4 | on the fourth of July
    it was two thousand and ten then | it was wo thousand and ten then
    you adn't better stay | you hadn't better stay
    doan you hear me | don't you hear me
    nought worse than that | not worse than that
    I think he will not come | I do not think he will come
    isn't it nice here | is it nice here
    aren't you coming | are you coming
    why don't you call her | why do you call her
    no I mean Tuesday | I mean Tuesday
    oh no I forgot the milk | oh I forgot the milk
    the driver's late | the driver is late
    the story's written | the story is written
    """
)


@pytest.mark.parametrize(("reference", "hypothesis"), SAME)
def test_no_rule_calls_an_error_what_may_say_the_same(reference: str, hypothesis: str) -> None:
    """Times, dates, dialect and negations that only moved are settled as the same or left open."""
    assert Label.ERROR not in _labels(reference, hypothesis)
    assert Label.ERROR not in _labels(hypothesis, reference)


OTHER = _rows(
    """
    take one two times a day | take twelve times a day
    take one two times a day | take 12 times a day
    I use less sugar | I useless sugar
    I want to get her home | I want together home
    he stands in justice | he stands injustice
    show me well water | show me water
    well water is cold | water is cold
    well known people | known people
    so much rain fell | much rain fell
    play songs by the who | play songs by who
    the us won | us won
    turn the A on | turn the on
    he lives in the states | he lives in the state
    this country was treated badly | these countries were treated badly
    who are you with | who are you
    where are you from | where are you
    what is it for | what is it
    the light is on | the light is
    I want that | I want
    I think so | I think
    I never saw it before | I never saw it
    my lady is here | my ladies here
    had eva cross been there | had evas ross been there
    the king soared far | the king's sword far
    """
)


@pytest.mark.parametrize(("reference", "hypothesis"), OTHER)
def test_no_rule_calls_the_same_what_may_matter(reference: str, hypothesis: str) -> None:
    """At least one difference is open or an error."""
    labels = _labels(reference, hypothesis)
    assert labels
    assert set(labels) != {Label.SAME}


@pytest.mark.parametrize(
    ("reference", "hypothesis"),
    _rows(
        """
        the driver's late | the driver is late
        the driver is late | the driver's late
        the waves for an hour | the wave is for an hour
        no i says it does | no i say is it does
        had eva cross been there | had evas ross been there
        the king soared far | the king's sword far
        the comfort she sought | the comforts he sought
        """
    ),
)
def test_an_s_that_may_belong_to_the_next_word_is_open(reference: str, hypothesis: str) -> None:
    """Where the next words differ too, an `s` that comes or goes is no plural or possessive for certain."""
    assert _labels(reference, hypothesis) == [Label.OPEN]


@pytest.mark.parametrize(
    ("reference", "hypothesis"),
    _rows(
        """
        wake me at 5:30 now | wake me at 5:40 now
        it costs fifteen dollars | it costs fifty dollars
        wait three minutes | wait four minute
        I can come | I can't come
        I ca n't come | I can come
        there was not a soul | there was now a soul
        it is not here | it is here
        he will not come today | he will come today
        """
    ),
)
def test_what_is_certain_stays_settled(reference: str, hypothesis: str) -> None:
    """Another number between equal words and a negation lost in a statement are errors without asking."""
    assert Label.ERROR in _labels(reference, hypothesis)
