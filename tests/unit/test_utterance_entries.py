"""Claims about the utterances of the JSON report: what a reader needs to find, hear and compare each of them."""

from dataclasses import replace
from pathlib import Path

from pytest_asrgate.records import Hypothesis, RowStatus, Utterance
from pytest_asrgate.reports.utterance_entries import UtteranceEntry, utterance_entries
from pytest_asrgate.scoring import score
from pytest_asrgate.verdict import decide

from .builders import Row, dataset, entry, hypothesis_set, loaded, pair, scored

BEFORE: list[Row] = [
    ("a", "the cat", "The cat."),
    ("b", "red dogs", "red hogs"),
    ("c", "", "you"),
    ("d", "no", None),
]
AFTER: list[Row] = [("a", "the cat", "the CAT"), ("b", "red dogs", ""), ("c", "", ""), ("d", "no", "no")]


def _by_id(entries: list[UtteranceEntry]) -> dict[str, UtteranceEntry]:
    return {each["id"]: each for each in entries}


def test_each_stands_beside_what_the_baseline_made_of_it() -> None:
    """Texts, errors, alignment and status of the baseline are those of its own row of the same id."""
    found = _by_id(entry(AFTER, BEFORE, {"errors": 1})["utterances"])
    assert (found["b"]["steps"], found["b"]["errors"]) == ("DD", 2)
    assert (found["b"]["baseline_steps"], found["b"]["baseline_errors"]) == ("=S", 1)
    assert (found["b"]["baseline_hyp"], found["b"]["baseline_hyp_text"]) == ("red hogs", "red hogs")
    assert (found["a"]["baseline_hyp"], found["a"]["baseline_hyp_text"]) == ("the cat", "The cat.")
    assert (found["d"]["baseline_status"], found["d"]["baseline_errors"]) == ("error", None)


def test_only_another_normalised_text_is_a_change() -> None:
    """Case and full stops change nothing; what an error row would have been is not known."""
    found = _by_id(entry(AFTER, BEFORE, {"errors": 1})["utterances"])
    assert {name: row["changed"] for name, row in found.items()} == {"a": False, "b": True, "c": True, "d": None}


def test_without_a_baseline_nothing_is_said_of_one() -> None:
    """A baseline's own rows have nulls, not zeros."""
    for row in entry(AFTER)["utterances"]:
        assert (row["changed"], row["baseline_status"], row["baseline_hyp"], row["baseline_errors"]) == (None,) * 4


def test_what_a_mean_hides_is_named() -> None:
    """An empty output for speech, and words for silence, are marked on their rows."""
    after, before = (_by_id(entry(rows, None)["utterances"]) for rows in (AFTER, BEFORE))
    assert {name for name, row in after.items() if row["empty"]} == {"b"}
    assert {name for name, row in before.items() if row["hallucination"]} == {"c"}
    assert {name for name, row in after.items() if row["null_reference"]} == {"c"}


def test_the_sound_is_found_from_the_gate_file(tmp_path: Path) -> None:
    """Audio is named relative to the gate file's folder, also where it lies outside of it."""
    spoken = [
        Utterance("in", tmp_path / "gate" / "audio" / "in.wav", "the cat", language="en", duration_s=1.5),
        Utterance("out", tmp_path / "corpus" / "out.wav", "the cat", language="en"),
    ]
    rows = [Hypothesis("in", "the cat"), Hypothesis("out", "the cat", audio_s=2.5)]
    made = score(hypothesis_set("q8_0", rows), dataset(), loaded(spoken))
    found = utterance_entries(decide(pair(), made, None), tmp_path / "gate")
    assert [row["audio"] for row in found] == ["audio/in.wav", "../corpus/out.wav"]
    assert [(row["language"], row["duration_s"]) for row in found] == [("en", 1.5), ("en", 2.5)]


def test_a_pair_without_a_score_has_no_rows() -> None:
    """Nothing is made up where nothing was transcribed."""
    verdict = decide(pair(), scored("q8_0", BEFORE), None)
    assert utterance_entries(replace(verdict, score=None)) == []


def test_partial_output_keeps_its_status_on_both_sides() -> None:
    """What was cut short says so, for the variant and for its baseline."""
    cut = {"a": RowStatus.TRUNCATED}
    verdict = decide(pair({"errors": 1}), scored("q8_0", AFTER), scored("f32", BEFORE, statuses=cut))
    first = utterance_entries(verdict)[0]
    assert (first["status"], first["baseline_status"]) == ("ok", "truncated")
