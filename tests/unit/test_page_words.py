"""Claims about the words that a variant gets wrong oftener than its baseline."""

from pytest_asrgate.reports.page.words import confusions

from .builders import Row, entry

RIGHT: list[Row] = [
    ("a", "turn on the light", "turn on the light"),
    ("b", "turn off the light", "turn off the light"),
    ("c", "stop the light", "stop the light"),
    ("d", "", ""),
]
WRONG: list[Row] = [
    ("a", "turn on the light", "turn on a night"),
    ("b", "turn off the light", "turn off a light"),
    ("c", "stop the light", "stop light"),
    ("d", "", "you"),
]


def _found(
    rows: list[Row], before: list[Row] | None = None, most: int = 30
) -> list[tuple[str, str, str, int, int | None]]:
    limits = {"errors": 9}
    return [
        (each["step"], each["ref"], each["hyp"], each["count"], each["before"])
        for each in confusions(entry(rows, before, limits), most)
    ]


def test_the_words_that_got_worst_come_first() -> None:
    """Words with their counts on both sides, by how much oftener they occur, then by how often."""
    assert _found(WRONG[1:], RIGHT[1:]) == [
        ("D", "the", "", 1, 0),
        ("I", "", "you", 1, 0),
        ("S", "the", "a", 1, 0),
    ]
    assert _found(WRONG[1:], RIGHT[1:], most=1) == [("D", "the", "", 1, 0)]
    often: list[Row] = [*WRONG, ("e", "my my my my", "by by by by")]
    before: list[Row] = [*RIGHT, ("e", "my my my my", "by by by my")]
    assert _found(often, before)[:2] == [("S", "the", "a", 2, 0), ("S", "my", "by", 4, 3)]


def test_what_occurs_once_is_left_out_where_anything_occurs_oftener() -> None:
    """Of hundreds of single words those first in the alphabet would be shown, as if they were worst."""
    assert _found(WRONG, RIGHT) == [("S", "the", "a", 2, 0)]


def test_each_names_its_utterances() -> None:
    """A reader is led to where the variant does it, once to each, also where the baseline does it there too."""
    rows: list[Row] = [*WRONG, ("e", "the cat the dog", "a cat a dog")]
    before: list[Row] = [*RIGHT, ("e", "the cat the dog", "a cat the dog")]
    first = confusions(entry(rows, before))[0]
    assert (first["count"], first["before"], first["ids"]) == (4, 1, ["a", "b", "e"])


def test_what_the_baseline_gets_wrong_as_often_is_no_news() -> None:
    """Neither what stayed as it was nor what got rarer is there."""
    assert _found(WRONG, WRONG) == []
    assert _found(RIGHT, WRONG) == []
    moved: list[Row] = [WRONG[0], RIGHT[1], RIGHT[2], RIGHT[3]]
    other: list[Row] = [RIGHT[0], WRONG[1], RIGHT[2], RIGHT[3]]
    assert _found(moved, other) == [("S", "light", "night", 1, 0)]


def test_without_a_baseline_it_is_what_occurs_most() -> None:
    """Counts alone, and no count of a baseline that there is not."""
    assert _found(WRONG)[0] == ("S", "the", "a", 2, None)
    assert len(_found(WRONG[1:])) == 3


def test_only_what_both_heard_is_compared() -> None:
    """An utterance that one side lost tells nothing of how often it gets a word wrong."""
    lost: list[Row] = [(name, reference, None) for name, reference, _ in WRONG]
    assert _found(WRONG, [lost[0], *RIGHT[1:]])[0] == ("D", "the", "", 1, 0)
    assert _found([lost[0], *RIGHT[1:]], WRONG) == []
    assert _found([lost[0], WRONG[1]], [WRONG[0], RIGHT[1]]) == [("S", "the", "a", 1, 0)]


def test_words_left_out_together_count_each() -> None:
    """A run of deletions or insertions is shown as one, and counted word by word."""
    assert _found([("a", "go to the shop", "go")]) == [
        ("D", "shop", "", 1, None),
        ("D", "the", "", 1, None),
        ("D", "to", "", 1, None),
    ]


def test_characters_are_counted_as_signs_without_white_space() -> None:
    """Under cer it is signs that are confused, each with the marks that are drawn on it."""
    pair = entry([("a", "x", "x")])
    pair["metric"] = "cer"
    pair["utterances"][0].update(ref="मेरा का", hyp="मेरा की", steps="=====S", errors=1)
    assert [(each["ref"], each["hyp"]) for each in confusions(pair)] == [("का", "की")]


def test_texts_without_their_alignment_count_nothing() -> None:
    """Steps of a stranger's report that do not fit its texts say of no word what became of it."""
    pair = entry([("a", "one two", "one too")])
    pair["utterances"][0]["steps"] = "SSS"
    assert confusions(pair) == []
