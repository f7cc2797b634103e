"""Score files as our writer and the upstream script make them, for the tests of their reading and writing."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pytest_asrgate.formats.score_file import write_score
from pytest_asrgate.metrics.rule import scoring_rule
from pytest_asrgate.records import Hypothesis, RowStatus, Score
from pytest_asrgate.scoring import score_set

from .builders import CONTRACT, hypothesis_set, utterances

REFERENCES = ("One cat.", "Two cats sat", "", "It is 5 km", "the dog")

ROWS = (
    Hypothesis("u1", "One hat!", latency_ms=10.0),
    Hypothesis("u2", "two cats", RowStatus.TRUNCATED, detail="output truncated: 448 tokens", latency_ms=20.0),
    Hypothesis("u3", "thank you", latency_ms=30.0),
    Hypothesis("u4", "it's 5 km", latency_ms=40.0),
    Hypothesis("u5", "", RowStatus.ERROR, detail="no answer within 60 s", latency_ms=60_000.0),
)
FIRST = ("per_utterance", 0)


def scored_five(speakers: tuple[str, ...] | None = None, *, language: str = "en", **contract: object) -> Score:
    made = hypothesis_set("q8_0", ROWS, {**CONTRACT, "language": language, **contract}, not_controllable=("seed",))
    return score_set(made, utterances(*REFERENCES), scoring_rule(("en",), "auto", "auto"), speakers=speakers)


def written(path: Path, score: Score) -> dict[str, Any]:
    write_score(path, score, source="q8_0.prompts.jsonl")
    document = json.loads(path.read_text(encoding="utf-8"))
    assert isinstance(document, dict)
    return document


def upstream_document() -> dict[str, Any]:
    """A file as the upstream script writes it: rates rounded, no schema, no status."""
    return {
        "metric": "wer",
        "language": None,
        "dediarized": False,
        "error_rate": 0.333333,
        "error_rate_pct": 33.33,
        "error_rate_ci_lo": 0.0,
        "error_rate_ci_hi": 0.666667,
        "n": 2,
        "substitutions": 1,
        "deletions": 1,
        "insertions": 0,
        "n_errors": 0,
        "latency_mean_ms": 0.0,
        "latency_p50_ms": 0.0,
        "latency_p99_ms": 0.0,
        "report_file": "reports/wer/tiny.jsonl",
        "recipe": {"timestamps": "none", "decode": "greedy", "batch_size": 1, "engine_sha": None},
        "timestamps": "none",
        "per_utterance": [
            {"id": "u1", "ref": "one cat sat", "hyp": "one hat", "wer": 0.6667},
            {"id": "u2", "ref": "two cats sat", "hyp": "two cats sat", "wer": 0.0},
        ],
        "wer": 0.333333,
        "wer_pct": 33.33,
        "wer_ci_lo": 0.0,
        "wer_ci_hi": 0.666667,
    }


def set_at(*keys: str | int, value: object) -> Callable[[Any], None]:
    def change(document: Any) -> None:
        for key in keys[:-1]:
            document = document[key]
        document[keys[-1]] = value

    return change
