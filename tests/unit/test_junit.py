"""Claims about a pair's JUnit properties."""

from dataclasses import replace

from pytest_asrgate.early import looks
from pytest_asrgate.errors import DatasetError
from pytest_asrgate.records import Flip, Latency, Repeats
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


def test_every_check_has_its_figure_and_limit() -> None:
    """A dashboard that follows one figure finds it under its check's name, and the limit where one is set."""
    made = entry(AFTER, BEFORE, {"errors": 1, "wer_delta": 1.0, "ci": "overlap"})
    found = dict(junit_properties(made))
    for check in made["checks"]:
        value, limit = check["value"], check["limit"]
        told = round(value, 4) if isinstance(value, float) else value
        assert found.get(f"asrgate_check_{check['name']}") == told, check["name"]
        assert found.get(f"asrgate_limit_{check['name']}") == limit, check["name"]
    assert (found["asrgate_check_wer_delta"], found["asrgate_limit_wer_delta"]) == (33.3333, 1.0)
    assert found["asrgate_limit_ci"] == "overlap"
    assert found["asrgate_failed_checks"] == "wer_delta, ci"
    assert found["asrgate_reason"] == made["reason"]
    assert "asrgate_failed_checks" not in dict(junit_properties(entry(BEFORE, BEFORE)))


def test_checks_that_decided_are_told_by_status() -> None:
    """A check that could not be measured or decided is no failed one."""
    made = entry(AFTER, BEFORE, {"errors": 1, "wer_delta": 1.0, "non_inferiority": 200.0, "rtf": 1.0})
    statuses = {check["name"]: check["status"] for check in made["checks"]}
    assert [statuses[name] for name in ("wer_delta", "non_inferiority", "rtf")] == ["fail", "inconclusive", "error"]
    found = dict(junit_properties(made))
    assert found["asrgate_failed_checks"] == "wer_delta"
    assert found["asrgate_inconclusive_checks"] == "non_inferiority"
    assert found["asrgate_error_checks"] == "rtf"


def test_errors_are_told_by_kind_and_intervals_by_end() -> None:
    """Substitutions, deletions and insertions add up, and an interval is two properties."""
    made = entry([("a", "the cat sat", "a big the"), ("b", "red dogs bark", "red dogs")], BEFORE[:2])
    found = dict(junit_properties(made))
    kinds = [found[f"asrgate_{kind}"] for kind in ("substitutions", "deletions", "insertions")]
    assert kinds == [made["substitutions"], made["deletions"], made["insertions"]]
    assert sum(map(int, kinds)) == found["asrgate_errors"]
    assert made["ci_pct"] is not None
    assert [found["asrgate_ci_low_pct"], found["asrgate_ci_high_pct"]] == [round(end, 4) for end in made["ci_pct"]]
    assert float(found["asrgate_delta_ci_low_pp"]) < found["asrgate_delta_pp"] < found["asrgate_delta_ci_high_pp"]
    assert found["asrgate_metric"] == "wer"
    assert (found["asrgate_null_references"], found["asrgate_truncated"], found["asrgate_repetition"]) == (0, 0, 0)


def test_the_worst_slice_and_a_failing_one_are_named() -> None:
    """The slice that lost most has its name and figures, and a limit of a slice that fails says of which."""
    tags = {"a": ("room:hall",), "b": ("room:kitchen",)}
    verdict = decide(
        pair({}, slices={"room:hall": {"wer": 1.0}}),
        scored("q8_0", AFTER[:1] + BEFORE[1:2], tags=tags),
        scored("f32", BEFORE[:2], tags=tags),
    )
    found = dict(junit_properties(pair_entry(verdict)))
    assert (found["asrgate_slices"], found["asrgate_worst_slice"]) == (1, "room:hall")
    assert found["asrgate_worst_slice_pct"] == found["asrgate_worst_slice_delta_pp"] == 33.3333
    assert found["asrgate_failed_checks"] == "slice room:hall wer"


def test_what_a_probe_and_repeats_measured() -> None:
    """Latency of the probe and flips of repeated decoding are there where they were measured, and only there."""
    made = entry(AFTER, BEFORE)
    assert not [name for name, _ in junit_properties(made) if "probe" in name or "flips" in name]
    latency = Latency(12.0, 30.0, 10.0, 20.0, 1.2, 0.05, 10, 3, 1, "host", "processor", 0.5, "now")
    repeats = Repeats(3, 2, (Flip("a", ("the cat", "a cat")),), (), "", 1, "host", "now")
    verdict = replace(decide(pair(), scored("q8_0", BEFORE), None), latency=latency, repeats=repeats)
    found = dict(junit_properties(pair_entry(verdict)))
    names = ("probe_p50_ms", "probe_p99_ms", "probe_ratio", "probe_rtf", "flips", "flips_utterances")
    assert [found[f"asrgate_{name}"] for name in names] == [12.0, 30.0, 1.2, 0.05, 1, 3]


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
        "asrgate_reason": "m.jsonl: holds no rows",
        "asrgate_is_baseline": False,
        "asrgate_warnings": 0,
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
