"""Claims about the marks of an utterance that a reader filters by."""

from typing import Any

import pytest

from pytest_asrgate.records import RowStatus
from pytest_asrgate.reports.entries import PairEntry, pair_entry
from pytest_asrgate.reports.page.flags import DROPPED_AT_LEAST, FLAGS, Marks
from pytest_asrgate.reports.page.picked import picked
from pytest_asrgate.verdict import decide

from .builders import Row, entry, pair, scored
from .page_pairs import intent_trail, semantic_trail, with_trails


def _flags(found: PairEntry) -> dict[str, list[str]]:
    marks = Marks.of(found)
    return {row["id"]: marks.of_row(row) for row in found["utterances"]}


def test_each_flag_is_explained_in_one_sentence() -> None:
    """A reader sees a short title, and a sentence on what it means; no two are alike."""
    assert len({flag for flag, _, _ in FLAGS}) == len({title for _, title, _ in FLAGS}) == len(FLAGS)
    for flag, title, explanation in FLAGS:
        assert flag == flag.lower().replace(" ", "_")
        assert 0 < len(title) <= 20
        assert explanation.endswith(".")


def test_rows_are_compared_with_the_baseline_where_both_have_a_score() -> None:
    """More, fewer and other errors; nothing can be said of a row that one side lost."""
    before: list[Row] = [("w", "a b", "a b"), ("b", "a b", "a c"), ("c", "a b", "a c"), ("n", "a b", None)]
    after: list[Row] = [("w", "a b", "a c"), ("b", "a b", "a b"), ("c", "a b", "a d"), ("n", "a b", "a c")]
    found = _flags(entry(after, before, {"errors": 2}))
    assert found == {"w": ["worse", "changed"], "b": ["better", "changed"], "c": ["changed"], "n": []}


def test_what_the_score_says_of_a_row_is_a_flag() -> None:
    """No output, words where none were said, none where some were, loops, and rows that were cut or stopped."""
    rows: list[Row] = [
        ("lost", "hello there", None),
        ("made up", "", "thank you"),
        ("silent", "hello there", ""),
        ("cut", "hello there", "hello there"),
        ("stopped", "hello there", "hello there"),
        ("fine", "hello there", "Hello, there!"),
    ]
    statuses = {"cut": RowStatus.TRUNCATED, "stopped": RowStatus.REPETITION}
    verdict = decide(pair(), scored("q8_0", rows, statuses=statuses), None)
    assert _flags(pair_entry(verdict, with_utterances=True)) == {
        "lost": ["error"],
        "made up": ["hallucination"],
        "silent": ["empty", "catastrophic"],
        "cut": ["truncated"],
        "stopped": ["loop", "repetition"],
        "fine": [],
    }


def test_what_the_normaliser_hides_is_a_flag_and_a_second_where_it_is_a_value() -> None:
    """As in the report's own list of what to look at first."""
    found = entry([("a", "it is -5", "it is 5"), ("b", "colour", "color"), ("c", "red", "Red")])
    assert found["masked_first"] == ["a"]
    flags = _flags(found)
    assert flags["a"] == ["masked", "masked_value"]
    assert flags["b"] == ["masked"]
    assert flags["c"] == []


@pytest.mark.parametrize(
    ("limits", "said", "dropped"),
    [
        ({}, "the", True),
        ({}, "the cat", False),
        ({"dropped_span": 3}, "the cat", True),
        ({"dropped_span": 4}, "the cat", False),
        ({"dropped_span": 7}, "the", False),
    ],
)
def test_a_long_run_of_deletions_is_a_flag(limits: dict[str, Any], said: str, dropped: bool) -> None:
    """Beyond the gate's limit, and without one where it is five words or more."""
    assert DROPPED_AT_LEAST == 5
    spoken = "the cat sat on that mat"
    found = _flags(entry([("a", spoken, said), ("b", spoken, spoken)], None, limits))
    assert ("dropped" in found["a"]) is dropped


def test_what_the_baseline_drops_too_is_none() -> None:
    """Only words that the baseline has count; one whose output is missing drops nothing."""
    spoken = "the cat sat on that old mat"
    rows: list[Row] = [("a", spoken, "the"), ("b", spoken, "the"), ("c", spoken, "the")]
    before: list[Row] = [("a", spoken, "the old mat"), ("b", spoken, spoken), ("c", spoken, None)]
    found = _flags(entry(rows, before, {"errors": 1}))
    assert [name for name, flags in found.items() if "dropped" in flags] == ["b", "c"]


def test_what_a_judge_says_is_a_flag() -> None:
    """Errors of meaning, lost intents, lost entities, and a judge that failed."""
    found = entry([(name, "nine", "nine") for name in "abcdefgh"])
    judged = with_trails(
        found,
        semantic=[
            semantic_trail("a", label="error"),
            semantic_trail("b", label="same", substitutions=0),
            semantic_trail("c", label="open", substitutions=None, judge_error="no answer"),
        ],
        intent=[
            intent_trail("d", score=0),
            intent_trail("e", score=1, entities=["preserved", "substituted"]),
            intent_trail("f", score=None, judge_error="no answer"),
            intent_trail("g", score=1, entities=["preserved"]),
            intent_trail("h", score=0, empty_reference=True),
        ],
    )
    assert _flags(judged) == {
        "a": ["meaning"],
        "b": [],
        "c": ["judge_error"],
        "d": ["intent"],
        "e": ["entity"],
        "f": ["judge_error"],
        "g": [],
        "h": [],
    }


def test_flags_come_in_the_order_in_which_they_are_explained() -> None:
    """So that a row reads like the list of buttons above it."""
    order = [flag for flag, _, _ in FLAGS]
    rows: list[Row] = [("a", "the cat sat on that mat", "it costs it costs it costs it costs it costs")]
    before: list[Row] = [("a", "the cat sat on that mat", "the cat sat on that mat")]
    (one,) = picked(entry(rows, before))
    assert len(one.flags) > 2
    assert one.flags == sorted(one.flags, key=order.index)
