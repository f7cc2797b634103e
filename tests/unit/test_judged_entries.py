"""Claims about judged scores as plain JSON values: what a report holds and what crosses from an xdist worker."""

import json
import math
from dataclasses import fields, replace
from typing import Any

import pytest

from pytest_asrgate.records import Counts, Interval, Verdict
from pytest_asrgate.records.judged import Label, SemanticScore, Spending
from pytest_asrgate.reports.entries import PairEntry, pair_entry
from pytest_asrgate.reports.judged_entries import SpendingEntry
from pytest_asrgate.scoring import compare
from pytest_asrgate.verdict import decide

from .builders import Row, difference, judged, judged_utterance, pair, scored

ROWS: list[Row] = [("a", "call at five", "call at nine"), ("b", "red dogs bark", "red dogs bark"), ("c", "x", None)]
BASELINE = judged(
    judged_utterance("a", "call at five", "call at five"),
    judged_utterance("b", "red dogs bark", "red dogs bark"),
    judged_utterance("c", "x", "x"),
    spending=Spending(1, 0, 200, 20, 0.002),
)
SEMANTIC = judged(
    judged_utterance("a", "call at five", "call at nine", difference("five", "nine")),
    judged_utterance("b", "red dogs bark", "red dogs bark"),
    judged_utterance("c", "x", "", counts=None, asked=True, judge_error="refused: x"),
    spending=Spending(2, 3, 400, 60, 0.25),
    voted=2,
    unanimous=1,
    undecided=1,
)


def verdict_of(semantic: SemanticScore | None, baseline: SemanticScore | None = None) -> Verdict:
    """A pair with this judged score, and that of its baseline with their difference."""
    before, after = scored("f32", ROWS[1:2]), scored("q8_0", ROWS[1:2])
    compared = compare(after, before)
    assert compared is not None
    difference_pp = replace(
        compared, delta_pp=3.25, interval=Interval(-1.5, math.inf), lower95=-1.0, upper95=math.inf
    )
    return replace(
        decide(pair({"errors": 1}), scored("q8_0", ROWS), scored("f32", [ROWS[0], ROWS[1], ("c", "x", "x")])),
        semantic=semantic,
        semantic_baseline=baseline,
        semantic_comparison=difference_pp if baseline else None,
    )


def _semantic(entry: PairEntry) -> Any:
    found = entry["semantic"]
    assert found is not None
    assert json.loads(json.dumps(entry, allow_nan=False)) == entry
    return found


def test_without_a_judged_score_it_is_null() -> None:
    """A pair whose data set buys none has null, no zeros."""
    assert pair_entry(decide(pair(), scored("q8_0", ROWS[:2]), None))["semantic"] is None


def test_the_figures_are_those_of_the_score_and_its_comparison() -> None:
    """Rate and counts, interval, difference with bounds (an infinite one is null), votes and judge errors."""
    made = _semantic(pair_entry(verdict_of(SEMANTIC, BASELINE), with_utterances=True))
    assert (made["judge"], made["upper_bound"], made["n"], made["words"]) == ("openai/gpt-x", False, 3, 6)
    assert (made["substitutions"], made["deletions"], made["insertions"]) == (1, 0, 0)
    assert made["rate_pct"] == pytest.approx(100 / 6)
    assert made["ci_pct"] == [pytest.approx(12.5), pytest.approx(125 / 6)]
    assert (made["delta_pp"], made["delta_ci_pp"]) == (3.25, [-1.5, None])
    assert (made["lower95_pp"], made["upper95_pp"]) == (-1.0, None)
    assert (made["asked"], made["voted"], made["unanimous"], made["undecided"]) == (1, 2, 1, 1)
    assert (made["judge_errors"], made["judge_failure"]) == (["c"], "refused: x")
    assert [row["id"] for row in made["utterances"]] == ["a", "c"]
    assert made["decided_by"] == {"rule number": 1}
    assert (made["rules_version"], made["task_version"]) == (3, 2)


def test_spending_is_told_apart_from_the_baselines() -> None:
    """A baseline that no item of the run stands for was paid for, too."""
    made = _semantic(pair_entry(verdict_of(SEMANTIC, BASELINE)))
    assert made["spending"] == {
        "calls": 2,
        "replayed": 3,
        "prompt_tokens": 400,
        "completion_tokens": 60,
        "cost_usd": 0.25,
    }
    assert made["baseline_spending"]["cost_usd"] == 0.002
    unknown = replace(SEMANTIC, spending=Spending(1, cost_usd=None))
    alone = _semantic(pair_entry(verdict_of(unknown)))
    assert (alone["spending"]["cost_usd"], alone["baseline_spending"]) == (None, None)
    assert (alone["delta_pp"], alone["delta_ci_pp"], alone["upper95_pp"]) == (None, None, None)


def test_the_keys_of_spending_are_the_fields_of_the_value() -> None:
    """What the report calls the figures is what the value calls them."""
    assert set(SpendingEntry.__annotations__) == {field.name for field in fields(Spending)}


def test_trails_go_with_utterances_only() -> None:
    """A run without a JSON report carries no trails across, and still counts who decided."""
    made = _semantic(pair_entry(verdict_of(SEMANTIC, BASELINE)))
    assert (made["utterances"], made["decided_by"], made["n"]) == ([], {"rule number": 1}, 3)


def test_a_set_without_words_has_no_rate() -> None:
    """Silence has counts but no rate and no interval; a difference that nobody decided on has no name of one."""
    heard = judged_utterance(
        "a", "", "you", difference("", "you", Label.OPEN, substitutions=0, insertions=1, decided_by="no judge")
    )
    made = _semantic(pair_entry(verdict_of(judged(heard, judge="rules"))))
    assert (made["rate_pct"], made["ci_pct"], made["insertions"], made["words"]) == (None, None, 1, 0)
    assert (made["upper_bound"], made["decided_by"]) == (True, {"no judge": 1})
    assert made["judge_errors"] == []


def test_differences_that_a_failed_judge_left_open_are_counted_apart() -> None:
    """Nobody decided on them, so they stand under that and not under an empty name."""
    lost = difference("b", "c", Label.OPEN, decided_by="", reason="")
    failed = judged_utterance("a", "a b", "a c", lost, counts=None, asked=True, judge_error="no reply")
    assert _semantic(pair_entry(verdict_of(judged(failed))))["decided_by"] == {"judge error": 1}


def test_counts_of_a_score_are_taken_as_they_are() -> None:
    """The figures are not recounted here, so a score is told as it was decided on."""
    made = _semantic(pair_entry(verdict_of(replace(SEMANTIC, counts=Counts(4, 3, 2, 100), interval=None))))
    assert (made["rate_pct"], made["ci_pct"]) == (9.0, None)
