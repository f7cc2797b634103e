"""Claims about a pair's JUnit properties."""

from pytest_asrgate.early import looks
from pytest_asrgate.errors import DatasetError
from pytest_asrgate.reports.entries import pair_entry
from pytest_asrgate.reports.junit import junit_properties
from pytest_asrgate.verdict import decide, failed_to_run

from .builders import Row, entry, pair, scored

BEFORE: list[Row] = [("a", "the cat sat", "the cat sat"), ("b", "red dogs bark", "red dogs bark"), ("c", "", "")]
AFTER: list[Row] = [("a", "the cat sat", "the hat sat"), ("b", "red dogs bark", None), ("c", "", "")]


def test_figures_are_flat_and_rounded() -> None:
    """A compared pair has its rate, difference, bounds and counts, floats with four digits."""
    found = dict(junit_properties(entry(AFTER, BEFORE, {"errors": 1})))
    assert (found["asrgate_variant"], found["asrgate_dataset"], found["asrgate_baseline"]) == (
        "q8_0",
        "prompts",
        "f32",
    )
    assert (found["asrgate_verdict"], found["asrgate_incomplete"]) == ("PASS", True)
    assert found["asrgate_wer_pct"] == found["asrgate_delta_pp"] == 33.3333
    assert (found["asrgate_words"], found["asrgate_errors"], found["asrgate_error_rows"]) == (3, 1, 1)
    assert (found["asrgate_transcribed"], found["asrgate_reused"], found["asrgate_utterances"]) == (0, 3, 3)
    assert found["asrgate_latency_p50_ms"] == 10.0
    assert {type(value) for value in found.values()} <= {str, int, float, bool}


def test_what_is_unknown_is_left_out() -> None:
    """A bound that excludes nothing and a pair without words have no such property."""
    assert "asrgate_upper95_pp" not in dict(junit_properties(entry(BEFORE[:1], BEFORE[:1])))
    silent = dict(junit_properties(entry([("c", "", "you")], [("c", "", "")])))
    assert "asrgate_wer_pct" not in silent
    assert (silent["asrgate_words"], silent["asrgate_errors"]) == (0, 1)


def test_a_pair_that_could_not_run_has_no_figures() -> None:
    """An ERROR without a score has its names and verdict; zeros would look like measurements."""
    made = pair_entry(failed_to_run(pair(fails=True), DatasetError("m.jsonl: holds no rows")))
    assert dict(junit_properties(made)) == {
        "asrgate_variant": "q8_0",
        "asrgate_dataset": "prompts",
        "asrgate_verdict": "ERROR",
        "asrgate_incomplete": False,
        "asrgate_expected_to_fail": True,
        "asrgate_early": False,
    }


def test_an_early_verdict_says_so() -> None:
    """Whoever reads the file must not take a part of the set for the whole."""
    (look, *_) = looks(200, seed=3)
    rows: list[Row] = [(f"u{number}", "the big red dog", "the big red dog") for number in range(60)]
    verdict = decide(pair({"non_inferiority": 30.0}), scored("q8_0", rows), scored("f32", rows), look=look)
    found = dict(junit_properties(pair_entry(verdict)))
    assert (found["asrgate_verdict"], found["asrgate_early"], found["asrgate_early_look"]) == ("PASS", True, 1)
    assert (found["asrgate_early_utterances"], found["asrgate_early_total"]) == (60, 200)
    assert (found["asrgate_early_share_pct"], found["asrgate_early_seed"]) == (30.0, 3)
    assert verdict.comparison is not None
    assert found["asrgate_early_upper_pp"] == round(verdict.comparison.upper, 4) > found["asrgate_upper95_pp"]


def test_strange_stamps_are_no_properties() -> None:
    """Stamps come from engines and files of other tools: what is no scalar is left out."""
    made = entry(AFTER, BEFORE)
    made["stamp"] = {"engine": ["a", "list"], "model_sha256": "abc"}
    found = dict(junit_properties(made))
    assert "asrgate_engine" not in found
    assert found["asrgate_model_sha256"] == "abc"
