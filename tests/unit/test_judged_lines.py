"""Claims about how judged scores are shown: columns of the table, lines under it, JUnit properties, `-v`."""

from dataclasses import replace

import pytest

from pytest_asrgate.records.judged import SemanticScore, Spending
from pytest_asrgate.reports.entries import PairEntry, pair_entry
from pytest_asrgate.reports.evidence import evidence
from pytest_asrgate.reports.judged import UPPER_BOUND, cost_text
from pytest_asrgate.reports.junit import junit_properties
from pytest_asrgate.reports.notes import notes
from pytest_asrgate.reports.table import table
from pytest_asrgate.verdict import decide

from .builders import difference, judged, judged_utterance, pair, scored
from .test_judged_entries import BASELINE, ROWS, SEMANTIC, verdict_of

BY_RULES = judged(
    judged_utterance("a", "call at five", "call at nine", difference("five", "nine")),
    judged_utterance("b", "red dogs", "red docks", difference("dogs", "docks", decided_by="no judge"), asked=True),
    judge="rules",
)


def _entry(score: SemanticScore | None, baseline: SemanticScore | None = None, **changes: object) -> PairEntry:
    made = pair_entry(verdict_of(score, baseline))
    return {**made, **changes}  # type: ignore[typeddict-item]


def _judge_lines(*entries: PairEntry) -> list[str]:
    return [line for line in notes(entries, "state") if line.startswith(("judge", "by rules alone"))]


def test_rate_and_delta_stand_in_columns_of_their_own() -> None:
    """Semantic WER in percent and its difference in percentage points, before the median time."""
    heading, row, other = table([_entry(SEMANTIC, BASELINE), _entry(None)])
    assert heading.split()[-6:] == ["sem%", "sem", "delta", "ms", "p50", "verdict"]
    assert row.split()[-5:-1] == ["16.67", "+3.25", "10", "PASS"]
    assert other.split()[-5:-1] == ["—", "—", "10", "PASS"]
    place = heading.index("sem%") + len("sem%")
    assert row[:place].endswith("16.67")
    assert other[:place].endswith("—")


def test_an_upper_bound_says_so() -> None:
    """What rules alone could not settle counts as an error, so the figure is marked."""
    _, row = table([_entry(BY_RULES, BY_RULES)])
    assert "≤ 40.00 +3.25" in " ".join(row.split())
    _, silent = table([_entry(judged(judged_utterance("a", "", "", counts=None), judge="rules"))])
    assert "≤" not in silent


def test_nothing_changes_where_no_judged_score_is_bought() -> None:
    """The columns and lines are there only where a pair has such a score."""
    bare = pair_entry(decide(pair(), scored("q8_0", ROWS[:2]), None))
    assert not any("sem" in line for line in table([bare]))
    assert _judge_lines(bare) == []
    assert not any("semantic" in line for line in evidence([bare]))
    assert not any("semantic" in name or "judge" in name for name, _ in junit_properties(bare))


def test_one_line_tells_who_judged_and_what_it_cost() -> None:
    """Utterances asked, calls, replies replayed, cost, votes with agreement, and judge errors, of all pairs."""
    other = replace(SEMANTIC, spending=Spending(1, 0, 10, 10, 0.05))
    lines = _judge_lines(_entry(SEMANTIC, is_baseline=True), _entry(other, variant="q4_0"))
    assert lines == [
        "judge openai/gpt-x: needed for 2 of 6 utterances; 3 calls made, 3 replies replayed, cost 0.3000 USD; "
        "4 differences voted on: 2 unanimous, 2 without a majority, which count as errors; 2 judge errors; "
        "incomplete: 2 utterances without a ruling are not in the rate",
        "judge errors of q8_0 prompts: 'c' (the first: refused: x); they have no score",
        "judge errors of q4_0 prompts: 'c' (the first: refused: x); they have no score",
    ]


def test_a_baseline_that_is_no_item_of_the_run_was_paid_for_too() -> None:
    """Once, however many variants were compared with it; one that is an item tells of itself."""
    variants = [_entry(SEMANTIC, BASELINE), _entry(SEMANTIC, BASELINE, variant="q4_0")]
    assert "5 calls made, 6 replies replayed, cost 0.5020 USD" in _judge_lines(*variants)[0]
    baseline = _entry(BASELINE, variant="f32", is_baseline=True)
    assert "5 calls made, 6 replies replayed, cost 0.5020 USD" in _judge_lines(baseline, *variants)[0]


def test_rules_alone_are_named_and_their_bound_is_labelled() -> None:
    """Nobody was asked: no calls, no cost, but what the figure is."""
    assert _judge_lines(_entry(BY_RULES, BY_RULES)) == [
        "judge rules: nobody was asked; 1 of 2 differences settled by rules, 1 left open in 1 of 2 utterances",
        UPPER_BOUND,
    ]
    assert UPPER_BOUND == (
        "by rules alone: open differences count as errors, so this is an upper bound of what a judge would say; "
        "a difference of two upper bounds is a heuristic"
    )


@pytest.mark.parametrize(
    ("calls", "cost", "shown"),
    [
        (0, 0.0, "no cost"),
        (0, None, "price unknown"),
        (3, None, "price unknown"),
        (3, 0.0, "cost 0.0000 USD"),
        (3, 0.00001, "cost under 0.0001 USD"),
        (3, 1.23456, "cost 1.2346 USD"),
    ],
)
def test_cost_is_never_rounded_to_nothing(calls: int, cost: float | None, shown: str) -> None:
    """A price that is not known is called that, and a small one is not zero."""
    assert cost_text(calls, cost) == shown


def test_names_of_models_and_reasons_cannot_move_the_cursor() -> None:
    """A model's name and a server's complaint are strangers' words."""
    odd = "\x1b[2J\n"
    bad = judged(
        judged_utterance(f"i{odd}", "a b", "a c", counts=None, asked=True, judge_error=f"refused{odd}"),
        judged_utterance("x", "a b", "a c", difference("b", "c", decided_by=f"judge m{odd}")),
        judge=f"m{odd}",
    )
    made = _entry(bad, BASELINE)
    lines = [*table([made]), *notes([made], "state"), *evidence([made])]
    assert all("\x1b" not in line and "\n" not in line for line in lines)
    assert dict(junit_properties(made))["asrgate_judge"] == r"m\x1b[2J\n"


def test_junit_has_rate_delta_bounds_and_judge() -> None:
    """Flat figures, an infinite bound left out."""
    found = dict(junit_properties(_entry(SEMANTIC, BASELINE)))
    assert found["asrgate_semantic_wer_pct"] == 16.6667
    assert (found["asrgate_semantic_delta_pp"], found["asrgate_semantic_lower95_pp"]) == (3.25, -1.0)
    assert "asrgate_semantic_upper95_pp" not in found
    assert (found["asrgate_judge"], found["asrgate_judge_errors"]) == ("openai/gpt-x", 1)
    assert (found["asrgate_semantic_upper_bound"], found["asrgate_judge_cost_usd"]) == (False, 0.25)
    assert dict(junit_properties(_entry(BY_RULES)))["asrgate_semantic_upper_bound"] is True


def test_verbose_runs_tell_intervals_and_who_decided() -> None:
    """The intervals of rate and difference, and the differences by rule and judge, most frequent first."""
    lines = evidence([_entry(SEMANTIC, BASELINE), _entry(BY_RULES)])
    assert lines[-3:] == [
        "semantic WER, with who decided on how many differences:",
        "q8_0 prompts: 16.67 % (95 % CI 12.50 to 20.83), 1 S, 0 D, 0 I over 6 words; incomplete: 1 utterance "
        "without a ruling is not in the rate; against the baseline "
        "+3.25 pp (95 % CI -1.50 to —); rule number 1",
        "q8_0 prompts: at most 40.00 % (95 % CI 30.00 to 50.00), 2 S, 0 D, 0 I over 5 words; rule number 1, "
        "no judge 1",
    ]
