"""Claims about the rows of a page: which utterances are there, in what order, and what each says."""

import json
from typing import Any

from pytest_asrgate.reports.entries import PairEntry
from pytest_asrgate.reports.page.rows import PageData, Row, page_data
from pytest_asrgate.reports.page.sounds import Sounds

from .builders import Row as Told
from .builders import entry
from .page_pairs import intent_trail, semantic_trail, with_trails

BEFORE: list[Told] = [
    ("u1", "one two three", "one two three"),
    ("u2", "stop", "stop"),
    ("u3", "call a cab", "call cab"),
    ("u10", "go on", "go on"),
    ("u9", "go on", "go on"),
    ("u11", "lost", "lost"),
    ("u12", "late", None),
]
AFTER: list[Told] = [
    ("u1", "one two three", "One, two three!"),
    ("u2", "stop", "shop now"),
    ("u3", "call a cab", "call a cab"),
    ("u10", "go on", "go in"),
    ("u9", "go on", "go in"),
    ("u11", "lost", None),
    ("u12", "late", "late"),
]
LIMITS = {"errors": 5}


def _data(*pairs: PairEntry, sounds: Sounds | None = None) -> PageData:
    return page_data(pairs, sounds or Sounds())


def _rows(pair: PairEntry) -> dict[str, Row]:
    data = _data(pair)
    return {data["utterances"][row["u"]]["id"]: row for row in data["pairs"][0]["rows"]}


def test_the_worst_comes_first() -> None:
    """What has no output, then by errors more than the baseline's, then by errors, then by id as people count."""
    assert list(_rows(entry(AFTER, BEFORE, LIMITS))) == ["u11", "u2", "u9", "u10", "u3"]
    before = [("z", "a b c d", "w x y d"), ("s", "a b c d", "a b c d"), ("m", "a b c d", "w b c d")]
    after = [("z", "a b c d", "w x y z"), ("s", "a b c d", "a b c z"), ("m", "a b c d", "w x y d")]
    assert list(_rows(entry(after, before))) == ["m", "z", "s"]
    alone = [("a2", "one", "won"), ("a10", "x y", "x"), ("a1", "one two", ""), ("a02", "one", "two")]
    assert list(_rows(entry(alone))) == ["a1", "a02", "a2", "a10"]


def test_what_there_is_nothing_to_see_about_is_left_out() -> None:
    """Neither errors, a flag nor a change: such utterances are only counted."""
    data = _data(entry(AFTER, BEFORE, LIMITS))
    assert data["pairs"][0]["total"] == 7
    assert {"u1", "u12"}.isdisjoint(spoken["id"] for spoken in data["utterances"])


def test_a_row_says_what_both_heard() -> None:
    """Raw and normalised texts, alignments and errors of both sides, and what is empty is not there."""
    row = _rows(entry(AFTER, BEFORE, LIMITS))["u2"]
    assert row.pop("ms") == 10.0
    assert row == {
        "u": 1,
        "errors": 2,
        "words": 1,
        "hyp": "shop now",
        "text": "shop now",
        "before": 0,
        "base": "stop",
        "base_text": "stop",
        "runs": row["runs"],
        "base_runs": [("=", "stop", "stop")],
        "flags": ["worse", "changed", "catastrophic"],
    }
    assert [run.step for run in row["runs"]] in (["S", "I"], ["I", "S"])


def test_what_the_baseline_heard_too_is_aligned_once() -> None:
    """Its own alignment is there only where it heard something else."""
    rows = _rows(entry([("a", "one two", "one too")], [("a", "one two", "One too.")]))
    assert rows["a"]["base"] == "one too"
    assert rows["a"]["base_text"] == "One too."
    assert "base_runs" not in rows["a"]


def test_a_baseline_that_heard_nothing_is_not_one_that_is_missing() -> None:
    """Its empty output stays; a baseline without output has none, and its status says so."""
    rows = _rows(entry([("a", "one", "won"), ("b", "two", "too")], [("a", "one", ""), ("b", "two", None)], LIMITS))
    assert (rows["a"]["base"], rows["a"]["before"]) == ("", 1)
    assert "base_status" not in rows["a"]
    assert rows["b"]["base_status"] == "error"
    assert {"base", "before", "base_runs"}.isdisjoint(rows["b"])
    assert {"base", "before", "base_status"}.isdisjoint(_rows(entry([("a", "one", "won")]))["a"])


def test_a_row_without_output_says_why() -> None:
    """It has a status and a detail, no alignment of its own, and the baseline's."""
    row = _rows(entry(AFTER, BEFORE, LIMITS))["u11"]
    assert (row["status"], row["detail"], row["flags"]) == ("error", "u11.wav: crashed", ["error"])
    assert {"runs", "errors", "words", "hyp", "text"}.isdisjoint(row)
    assert row["base_runs"] == [("=", "lost", "lost")]


def test_variants_share_what_was_said() -> None:
    """An utterance of a data set is there once, one of the same id in another data set is another."""
    first, second = entry(AFTER, BEFORE, LIMITS), entry(AFTER, BEFORE, LIMITS)
    other = entry([("u2", "halt", "hall")])
    second["variant"], other["dataset"] = "q4_0", "noise"
    data = _data(first, second, other)
    names = [(spoken["dataset"], spoken["id"]) for spoken in data["utterances"]]
    assert len(set(names)) == len(names) == 6
    assert [row["u"] for row in data["pairs"][0]["rows"]] == [row["u"] for row in data["pairs"][1]["rows"]]
    (row,) = data["pairs"][2]["rows"]
    assert data["utterances"][row["u"]]["ref"] == "halt"


def test_flags_are_counted_over_the_rows() -> None:
    """In the order in which they are explained, without those that nothing carries."""
    pair = _data(entry(AFTER, BEFORE, LIMITS))["pairs"][0]
    assert list(pair["flags"].items()) == [
        ("worse", 3),
        ("better", 1),
        ("changed", 4),
        ("error", 1),
        ("catastrophic", 1),
    ]


def test_sounds_are_found_by_data_set_and_id() -> None:
    """Each utterance knows the place of its sound among those of the page, null where it has none."""
    sounds = Sounds(sounds=({"url": "a.wav"}, {"url": "b.wav"}), places={("prompts", "u2"): 1, ("noise", "u9"): 0})
    data = _data(entry(AFTER, BEFORE, LIMITS), sounds=sounds)
    assert {spoken["id"]: spoken["sound"] for spoken in data["utterances"] if spoken["sound"] is not None} == {
        "u2": 1
    }
    assert data["sounds"] == [{"url": "a.wav"}, {"url": "b.wav"}]


def test_trails_come_without_what_their_rows_say() -> None:
    """Differences, entities, who decided and why; ids, texts and alignments stand in the row already."""
    pair = with_trails(
        entry([("a", "go at nine", "go at five")]),
        semantic=[semantic_trail("a", label="error", reason="the numbers differ")],
        intent=[intent_trail("a", score=0, entities=["missing"])],
    )
    row = _rows(pair)["a"]
    assert row["semantic"] == {
        "substitutions": 1,
        "deletions": 0,
        "insertions": 0,
        "words": 3,
        "differences": [
            {
                "ref": "nine",
                "hyp": "five",
                "label": "error",
                "decided_by": "rule number",
                "reason": "the numbers differ",
            }
        ],
    }
    assert row["intent"] == {
        "intent_score": 0,
        "intent_explanation": "another time",
        "entity_score": 0.0,
        "decided_by": "judge",
        "votes": ["lost", "lost", "kept"],
        "entities": [{"text": "nine", "kind": "time", "importance": 3, "status": "missing", "decided_by": "judge"}],
    }


def test_a_row_is_there_for_what_a_judge_said_alone() -> None:
    """Equal words whose trail has a warning or is not all kept are shown; a trail that is all kept is no reason."""
    kept: Any = [semantic_trail("a", label="same", substitutions=0)]
    rows = [("a", "nine", "nine")]
    assert _rows(with_trails(entry(rows), semantic=kept, intent=[intent_trail("a", score=1)])) == {}
    for semantic, intent in (
        ([semantic_trail("a", label="same", substitutions=0, warning="odd")], []),
        ([semantic_trail("a", label="error", substitutions=0)], []),
        ([semantic_trail("a", label="open", substitutions=None, judge_error="no answer")], []),
        ([], [intent_trail("a", score=1, warning="odd")]),
        ([], [intent_trail("a", score=None)]),
        ([], [intent_trail("a", score=0)]),
    ):
        assert list(_rows(with_trails(entry(rows), semantic=semantic, intent=intent))) == ["a"]


def test_where_nothing_was_said_no_intent_is_lost() -> None:
    """An empty reference scores 0 by definition and counts in no figure, so that it is no reason to look."""
    pair = with_trails(entry([("a", "", "")]), intent=[intent_trail("a", score=0, empty_reference=True)])
    assert _rows(pair) == {}


def test_it_is_json_without_numbers_that_are_none() -> None:
    """A browser reads it, and a pair that has no score has no rows."""
    nothing = entry([("a", "one", "one")])
    nothing.update(metric=None, utterances=[])
    data = _data(entry(AFTER, BEFORE, LIMITS), nothing)
    assert json.loads(json.dumps(data, allow_nan=False))["pairs"][1]["rows"] == []
