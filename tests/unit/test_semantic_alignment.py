"""Alignment of normalised words: fewest edits, joins, one fixed way."""

from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_asrgate.semantic.alignment import Step, align, aligned_words
from pytest_asrgate.semantic.words import Text
from tests.unit.properties import STEADY, texts
from tests.unit.semantic_texts import text_of


def kinds(reference: str, hypothesis: str) -> str:
    """The kinds of the steps between two texts."""
    return "".join(step.kind for step in align(text_of(reference), text_of(hypothesis)))


def shown(reference: str, hypothesis: str) -> list[str]:
    """The steps that are not equal, each as kind, reference words and hypothesis words."""
    left, right = text_of(reference), text_of(hypothesis)
    steps = aligned_words(left, right, align(left, right))
    return [f"{one.step} {one.reference}>{one.hypothesis}" for one in steps if one.step != "="]


@pytest.mark.parametrize(
    ("reference", "hypothesis"),
    [
        ("on a weeknight please", "on a week night please"),
        ("the wi fi is down", "the wifi is down"),
        ("the wifi is down", "the Wi-Fi is down"),
        ("a long term plan", "a longterm plan"),
        ("in the u s a today", "in the usa today"),
        ("ask nasa now", "ask n a s a now"),
        ("an ice cream", "an icecream"),
        ("none the less we go", "nonetheless we go"),
        ("u usa", "u u s a"),
        ("nobody came", "no body came"),
    ],
)
def test_joined_and_split_words_cost_nothing(reference: str, hypothesis: str) -> None:
    """Words that are equal once they are joined are one step `J`, in both directions, and nothing else differs."""
    for pair in ((reference, hypothesis), (hypothesis, reference)):
        steps = align(*map(text_of, pair))
        assert "J" in {step.kind for step in steps}
        assert not {step.kind for step in steps} & set("SDI")
        assert steps == align(*map(text_of, pair), small=0)


@pytest.mark.parametrize(
    ("reference", "hypothesis"),
    [
        ("i am not able to go", "i am notable to go"),
        ("this is a part of it", "this is apart of it"),
        ("now here we are", "nowhere we are"),
        ("all the rapist did", "all therapist did"),
        ("great comfort she said", "great comforts he said"),
        ("a b c d e f g", "abcdefg"),
        ("one two three four", "onetwothreefour"),
    ],
)
def test_what_is_not_joined(reference: str, hypothesis: str) -> None:
    """A negation or an article makes another word when it is joined, and no more than three words are joined."""
    assert "J" not in kinds(reference, hypothesis)


def test_equal_ends_do_not_hide_a_join() -> None:
    """A word that is equal at the beginning or end is not taken out of a join that costs less."""
    assert sorted(kinds("u s a now", "u usa now")) == ["=", "I", "J"]
    assert sorted(kinds("now u s a", "now usa a")) == ["=", "I", "J"]


def test_a_hyphen_joins_what_is_not_joined_else() -> None:
    """Where a raw text has the hyphen, an article in it is part of a compound."""
    assert kinds("a stop-the-clock rule", "a stoptheclock rule") == "=J="


def test_variants_are_equal() -> None:
    """A word equals any of the other's variants, so that `st` is saint and street."""
    reference, hypothesis = text_of("main st now"), text_of("main saint now")
    st = replace(reference.words[1], variants=("saint", "street"))
    changed = replace(reference, words=(reference.words[0], st, reference.words[2]))
    for pair in ((changed, hypothesis), (hypothesis, changed)):
        assert [step.kind for step in align(*pair)] == ["=", "=", "="]
        assert [step.kind for step in align(*pair, small=0)] == ["=", "=", "="]


@pytest.mark.parametrize(
    ("reference", "hypothesis", "expected"),
    [
        ("drivers license card", "driver car", ["S drivers>driver", "D license>", "S card>car"]),
        ("see tickets office", "ticket", ["D see>", "S tickets>ticket", "D office>"]),
        ("call at 5 sharp", "call 9 sharp", ["D at>", "S 5>9"]),
        ("the car stops", "a stops", ["S the>a", "D car>"]),
        ("i am trying", "when trying", ["S i>when", "D am>"]),
        ("cross country race", "koscanti race", ["D cross>", "S country>koscanti"]),
        ("we should go", "we should we should go", ["I >we", "I >should"]),
    ],
)
def test_ties_go_to_the_likest_words(reference: str, hypothesis: str, expected: list[str]) -> None:
    """Of alignments with the fewest edits, kindred and similar words are paired; then the fixed order decides."""
    assert shown(reference, hypothesis) == expected


WORDS = st.lists(
    st.sampled_from(
        [
            "a",
            "b",
            "ab",
            "abc",
            "c",
            "bc",
            "u",
            "s",
            "us",
            "usa",
            "not",
            "1",
            "2",
            "driver",
            "drivers",
            "the",
            "wi-fi",
            "wifi",
            "cat",
            "dog",
        ]
    ),
    max_size=9,
).map(" ".join)
TEXTS = st.one_of(WORDS, texts()).map(text_of)


def edits(steps: tuple[Step, ...]) -> int:
    """How many steps are edits."""
    return sum(step.kind in "SDI" for step in steps)


def _fewest(reference: Text, hypothesis: Text) -> int:
    """The fewest edits by plain Levenshtein distance, without joins: never fewer than with them."""
    left, right = [word.text for word in reference.words], [word.text for word in hypothesis.words]

    @cache
    def cost(i: int, j: int) -> int:
        if not i or not j:
            return i or j
        if left[i - 1] == right[j - 1]:
            return cost(i - 1, j - 1)
        return 1 + min(cost(i - 1, j - 1), cost(i - 1, j), cost(i, j - 1))

    return cost(len(left), len(right))


@STEADY
@given(TEXTS, TEXTS)
def test_steps_rebuild_both_texts(reference: Text, hypothesis: Text) -> None:
    """The steps lead through every word of both texts once, in order, and each is what its kind says."""
    i = j = 0
    for step in align(reference, hypothesis):
        assert (step.spoken[0], step.heard[0]) == (i, j)
        (_, i), (_, j) = step.spoken, step.heard
        sides = [
            [w.text for w in reference.words[slice(*step.spoken)]],
            [w.text for w in hypothesis.words[slice(*step.heard)]],
        ]
        shape = tuple(map(len, sides))
        if step.kind == "J":
            assert shape != (1, 1)
            assert "".join(sides[0]) == "".join(sides[1])
        else:
            assert shape == {"=": (1, 1), "S": (1, 1), "D": (1, 0), "I": (0, 1)}[step.kind]
            assert (sides[0] == sides[1]) == (step.kind == "=")
    assert (i, j) == (len(reference.words), len(hypothesis.words))


@STEADY
@given(TEXTS, TEXTS)
def test_edits_are_the_fewest(reference: Text, hypothesis: Text) -> None:
    """Never more edits than Levenshtein distance, exactly as many where nothing is joined, alike both ways."""
    steps = align(reference, hypothesis)
    fewest = _fewest(reference, hypothesis)
    assert edits(steps) <= fewest
    if all(step.kind != "J" for step in steps):
        assert edits(steps) == fewest
    assert edits(steps) == edits(align(hypothesis, reference))


@STEADY
@given(TEXTS, TEXTS)
def test_both_ways_of_filling_the_table_agree(reference: Text, hypothesis: Text) -> None:
    """Numpy, which long texts are aligned with, takes the same steps as Python."""
    assert align(reference, hypothesis, small=0) == align(reference, hypothesis, small=10**9)


def test_long_texts_in_blocks_agree_with_python() -> None:
    """Reading back over several blocks of rows takes the same steps as one table of all cells."""
    words = [
        "set",
        "the",
        "alarm",
        "for",
        "week",
        "night",
        "and",
        "call",
        "the",
        "drivers",
        "office",
        "about",
        "wi",
        "fi",
        "again",
    ]
    spoken = [words[(place * place + place // 7) % len(words)] for place in range(620)]
    heard = ["weeknight" if place % 41 == 3 else word for place, word in enumerate(spoken) if place % 17 != 5]
    heard[100:100] = ["again", "and", "again"]
    reference, hypothesis = text_of(" ".join(spoken)), text_of(" ".join(heard))
    assert align(reference, hypothesis, small=0) == align(reference, hypothesis, small=10**9)


def test_very_long_texts_are_aligned() -> None:
    """Texts of 5,000 words a side, and a loop of one phrase, need neither a table of all cells nor recursion."""
    spoken = [f"word{place * 7919 % 1300}" for place in range(5000)]
    heard = [word if place % 9 else "other" for place, word in enumerate(spoken)]
    steps = align(text_of(" ".join(spoken)), text_of(" ".join(heard)))
    assert edits(steps) == sum(left != right for left, right in zip(spoken, heard, strict=True))
    loop = align(text_of("week night " * 700), text_of("weeknight " * 1400))
    assert sum(step.kind == "J" for step in loop) == 700
    assert edits(loop) == 700


def test_one_silent_side_of_any_length() -> None:
    """Everything is deleted, or inserted, however long it is."""
    long = text_of("word " * 6000)
    assert {step.kind for step in align(long, text_of(""))} == {"D"}
    assert {step.kind for step in align(text_of(""), long)} == {"I"}
