"""Claims about a verdict as plain JSON values."""

import json
from dataclasses import fields

from pytest_asrgate.errors import DatasetError
from pytest_asrgate.records import Latency, MatchedPairs, RowStatus
from pytest_asrgate.reports.entries import LatencyEntry, MatchedPairsEntry, PairEntry, pair_entry
from pytest_asrgate.verdict import decide, failed_to_run

from .builders import CONTRACT, NOTE, Row, entry, pair, scored

BEFORE: list[Row] = [("a", "the cat", "the cat"), ("b", "red dogs bark", "red dogs bark"), ("c", "", "")]
AFTER: list[Row] = [("a", "The cat", "The hat."), ("b", "red dogs bark", None), ("c", "", "you")]

DESIGNED = {
    "variant",
    "dataset",
    "verdict",
    "metric",
    "n",
    "words",
    "rate_pct",
    "ci_pct",
    "substitutions",
    "deletions",
    "insertions",
    "baseline",
    "delta_pp",
    "delta_ci_pp",
    "upper95_pp",
    "lower95_pp",
    "resolvable_pp",
    "latency_p50_ms",
    "checks",
    "transcribed",
    "reused",
    "stamp",
    "utterances",
}


def _survives(made: PairEntry) -> bool:
    return bool(json.loads(json.dumps(made, allow_nan=False)) == made)


def test_an_entry_has_every_key_of_the_report() -> None:
    """The keys that the report's schema promises are there, checks and utterances included."""
    made = entry(AFTER, BEFORE, {"errors": 1})
    assert set(made) >= DESIGNED
    assert set(made["checks"][0]) >= {"name", "value", "limit", "unit", "status"}
    assert set(made["utterances"][0]) >= {"id", "status", "ref", "hyp", "errors", "words"}


def test_an_entry_has_the_verdicts_figures() -> None:
    """Counts, rates and bounds are those of the verdict."""
    verdict = decide(pair({"errors": 1, "wer": 500.0}), scored("q8_0", AFTER), scored("f32", BEFORE))
    made = pair_entry(verdict, transcribed_now=2)
    assert (made["verdict"], made["incomplete"], made["metric"], made["baseline"]) == ("PASS", True, "wer", "f32")
    assert (made["n"], made["words"], made["rate_pct"]) == (3, 2, 100.0)
    assert (made["substitutions"], made["deletions"], made["insertions"]) == (1, 0, 1)
    assert verdict.comparison is not None
    assert made["delta_pp"] == verdict.comparison.delta_pp == 100.0
    assert made["delta_ci_pp"] == [verdict.comparison.interval.low, verdict.comparison.interval.high]
    assert (made["upper95_pp"], made["lower95_pp"]) == (verdict.comparison.upper95, verdict.comparison.lower95)
    assert (made["transcribed"], made["reused"], made["transcribed_now"]) == (0, 3, 2)
    assert (made["speakers"], made["stamp"]["engine"], made["contract"]["manifest"]) == (
        f"{NOTE}; only 3 utterances: bounds are rough",
        "a test",
        CONTRACT["manifest"],
    )
    assert made["utterances"] == []
    assert _survives(made)


def test_utterances_have_both_normalised_texts_and_the_raw_one() -> None:
    """Each row shows what was compared and what was said; an error row has nulls and its reason."""
    first, second, third = entry(AFTER, BEFORE, {"errors": 1})["utterances"]
    assert (first["ref"], first["hyp"], first["hyp_text"], first["errors"], first["words"]) == (
        "the cat",
        "the hat",
        "The hat.",
        1,
        2,
    )
    assert (second["status"], second["errors"], second["words"], second["detail"]) == (
        "error",
        None,
        None,
        "b.wav: crashed",
    )
    assert (third["ref"], third["insertions"], third["words"]) == ("", 1, 0)


def test_partial_rows_are_listed() -> None:
    """Truncated and repetition-stopped ids have lists of their own."""
    score = scored("q8_0", BEFORE, statuses={"a": RowStatus.TRUNCATED, "b": RowStatus.REPETITION})
    made = pair_entry(decide(pair(), score, None))
    assert (made["truncated"], made["repetition"]) == (["a"], ["b"])


def test_infinite_bounds_are_null() -> None:
    """JSON has no infinity: bounds that exclude nothing are null everywhere, and the entry still serialises."""
    made = entry(BEFORE[:1], BEFORE[:1], {"non_inferiority": 1.0})
    assert made["delta_pp"] == 0.0
    assert made["delta_ci_pp"] == [None, None]
    assert (made["upper95_pp"], made["lower95_pp"], made["resolvable_pp"]) == (None, None, None)
    (check,) = [check for check in made["checks"] if check["name"] == "non_inferiority"]
    assert (check["value"], check["status"]) == (None, "inconclusive")
    assert _survives(made)


def test_a_set_without_words_has_null_rates() -> None:
    """Silence has counts but no rate, no interval and no difference."""
    made = entry([("c", "", "you")], [("c", "", "")])
    assert (made["words"], made["insertions"], made["null_references"]) == (0, 1, 1)
    assert (made["rate_pct"], made["ci_pct"], made["delta_pp"], made["delta_ci_pp"]) == (None, None, None, None)
    assert _survives(made)


def test_a_pair_that_could_not_run_is_an_entry_too() -> None:
    """An ERROR without a score has its reason, zeros for counts and nulls for figures."""
    made = pair_entry(failed_to_run(pair(fails=True), DatasetError("m.jsonl: holds no rows")))
    assert (made["verdict"], made["reason"], made["expected_to_fail"]) == ("ERROR", "m.jsonl: holds no rows", True)
    assert (made["n"], made["words"], made["rate_pct"], made["metric"]) == (0, 0, None, None)
    assert (made["checks"], made["utterances"], made["contract"], made["stamp"]) == ([], [], {}, {})
    assert _survives(made)


def test_warnings_come_before_notes() -> None:
    """Warnings of the verdict and notes of the caller stand in one list."""
    stranger = scored("q8_0", BEFORE, contract={**CONTRACT, "logprob": "unknown"})
    made = pair_entry(decide(pair(), stranger, scored("f32", BEFORE)), notes=["a note"])
    assert len(made["warnings"]) == 2
    assert "logprob" in made["warnings"][0]
    assert made["warnings"][1] == "a note"


def test_what_is_reported_only_is_there() -> None:
    """The plain bootstrap, MAPSSWE, the probability of improvement and the interval over speakers have keys."""
    speakers = ("x", "x", "y")
    after = [AFTER[0], BEFORE[1], AFTER[2]]
    variant, baseline = (scored(name, rows, speakers=speakers) for name, rows in (("q8_0", after), ("f32", BEFORE)))
    verdict = decide(pair(), variant, baseline)
    made = pair_entry(verdict)
    assert verdict.comparison is not None
    assert made["delta_bootstrap_pp"] == [verdict.comparison.bootstrap.low, verdict.comparison.bootstrap.high]
    assert made["mapsswe"] == {
        "segments": 2,
        "mean": 1.0,
        "standard_deviation": 0.0,
        "z": None,
        "p": None,
        "undefined": "every segment differs by the same number of errors",
    }
    assert made["improvement_pct"] == verdict.comparison.improvement_pct
    assert made["improvement_pct"] is not None
    assert made["improvement_pct"] < 10
    assert variant.speaker_interval is not None
    assert made["ci_speaker_pct"] == [variant.speaker_interval.low, variant.speaker_interval.high]
    assert _survives(made)


def test_without_a_comparison_or_speakers_it_is_null() -> None:
    """A pair without a baseline and without speakers has nulls, no zeros."""
    made = pair_entry(decide(pair(), scored("q8_0", AFTER), None))
    assert (made["delta_bootstrap_pp"], made["mapsswe"], made["improvement_pct"]) == (None, None, None)
    assert made["ci_speaker_pct"] is None


def test_matched_pairs_entry_has_the_fields_of_the_value() -> None:
    """What the report calls the figures of MAPSSWE is what the value calls them."""
    assert set(MatchedPairsEntry.__annotations__) == {field.name for field in fields(MatchedPairs)}


def test_latency_entry_has_the_fields_of_the_value() -> None:
    """What the report calls a probe's figures is what the value calls them."""
    assert set(LatencyEntry.__annotations__) == {field.name for field in fields(Latency)}


def test_tails_are_marked_where_they_are() -> None:
    """Each row says whether it loops, drifts, is catastrophic and how much it skips; each count has its bound."""
    rows: list[Row] = [
        ("a", "thank you", "thank you " * 9),
        ("b", "the train leaves at eight", "поезд уходит в восемь"),
        ("c", "a b c d e", "a b c"),
        ("d", "x", None),
    ]
    made = entry(rows, None, {"errors": 1})
    keys = ("loop", "language_drift", "catastrophic", "dropped_span")
    found = [tuple(row[key] for key in keys) for row in made["utterances"]]  # type: ignore[literal-required]
    assert found == [
        (True, False, True, 0),
        (False, True, True, 1),
        (False, False, False, 2),
        (False, False, False, None),
    ]
    bounds = {check["name"]: check["upper95_pct"] for check in made["checks"]}
    assert bounds["wer"] is None
    assert bounds["hallucinations"] is None
    loops = bounds["loops"]
    assert loops is not None
    assert 33 < loops < 100
    assert _survives(made)
