"""Claims about what is printed of a calibration: undefined figures, few labels, what differs, what changed."""

from dataclasses import replace
from typing import Any

import pytest

from pytest_asrgate.records.calibration import Agreement, CalibrationRun, Disagreement
from pytest_asrgate.reports.calibration import agreement_text, calibration_lines, change_text
from pytest_asrgate.statistics.agreement import agreement_of_counts
from tests.unit.calibrations import agreement, calibration, replies

ENTITIES = agreement_of_counts(
    {("preserved", "preserved"): 20, ("missing", "missing"): 10, ("preserved", "not listed"): 3}
)
ALIKE = agreement_of_counts({("same", "same"): 7})


def _lines(**given: Any) -> list[str]:
    return calibration_lines("labels.jsonl", CalibrationRun(calibration(**given), 40), None)


def test_undefined_is_said() -> None:
    """A dash, and why: neither nan, nor 1, nor 0."""
    lines = _lines(classes={"filler": ALIKE})
    (row,) = [line for line in lines if "class filler" in line]
    assert row.split() == ["class", "filler", "7", "100.00", "%", "—", "—"]
    assert "  kappa — is undefined: people and judge gave all of these labels alike" in lines
    assert not any("nan" in line.lower() for line in lines)
    assert agreement_text(ALIKE) == "kappa undefined, all 7 labels alike"
    assert agreement_text(Agreement()) == "no labels"
    assert agreement_text(agreement(34)).startswith("kappa 0.70 (95 % CI 0.4")


def test_what_a_reader_should_know() -> None:
    """Languages too small to gate, votes without a majority, entities that were not listed, and their own row."""
    lines = _lines(
        languages={"en": agreement(20, 21), "hi": agreement(18, 19)},
        undecided=2,
        entities=ENTITIES,
        entities_by_rules=agreement(3, 5),
        entity_languages={"en": ENTITIES, "hi": agreement(3, 4)},
    )
    assert "  fewer than 20 labels, too few for judge.min_kappa: hi (19), entities in hi (4)" in lines
    assert "  without a majority: 2, compared as the score counts them" in lines
    assert "  entities that people labelled and the judge did not name: 3, each a disagreement" in lines
    assert "  entities that rules decided: 5, of which 3 agree" in lines
    assert any(line.split()[:2] == ["entities", "33"] for line in lines)


def test_what_is_scored_is_told_where_it_differs() -> None:
    """The judge's own word is in the table; what our comparison of exact data made of it, in a line."""
    lines = _lines(entities=agreement(30), entities_scored=agreement(36))
    told = "as scored, after our comparison of exact data: agreement"
    assert [line for line in lines if "as scored" in line] == [f"  entities {told} 90.00 %, kappa 0.80"]
    assert f"  {told} 95.00 %, kappa 0.90" in _lines(scored=agreement(38))


@pytest.mark.parametrize(
    ("failures", "why"),
    [((), "was asked about nothing"), ((("u1", "no reply"),), "failed on all that it was asked about")],
)
def test_nothing_was_compared(failures: tuple[tuple[str, str], ...], why: str) -> None:
    """Without a label nobody gave them alike."""
    found = calibration(whole=Agreement(), scored=Agreement(), languages={}, classes={})
    lines = calibration_lines("labels.jsonl", CalibrationRun(found, 1, failures=failures), None)
    assert f"  kappa — is undefined: the judge {why}, so there is nothing to compare" in lines
    assert not any("alike" in line for line in lines)


def test_replayed_replies_are_no_drift() -> None:
    """They show what the judge was; and where they are older than those of before, nothing changed since."""
    before = calibration(date="2026-01-02T00:00:00Z")
    now = calibration(30, replies=replies("2026-01-03T00:00:00Z", fresh=0, replayed=40, mode="replay"))
    assert change_text(before, now) == "kappa 0.70 → 0.50 since 2026-01-02 (replayed, by replies of 2026-01-03)"
    mixed = calibration(30, replies=replies("2026-01-03T00:00:00Z", fresh=1, replayed=39))
    assert change_text(before, mixed) == "kappa 0.70 → 0.50 since 2026-01-02: the judge drifts"
    old = calibration(30, replies=replies("2026-01-01T00:00:00Z", fresh=0, replayed=40, mode="replay"))
    assert not any("since" in line for line in calibration_lines("x", CalibrationRun(old, 40), before))


def test_strangers_words_move_no_cursor() -> None:
    """Ids, texts and reasons are anybody's; a long reason is cut, and only the first few are told."""
    said = Disagreement("u\x1b[2J", "en", "a\nb", '1. "x" → "y"', "same", "error", "rule number", "why " * 100)
    run = CalibrationRun(calibration(), 40, (said,) * 7)
    lines = calibration_lines("labels.jsonl", run, None)
    assert "  labels that differ: 7, the first 5 of them" in lines
    told = [line for line in lines if "people same, rules error: why" in line]
    assert len(told) == 5
    assert all(r"u\x1b[2J (en, a\nb)" in line and len(line) < 250 and "\x1b" not in line for line in told)


@pytest.mark.parametrize(
    ("before", "now", "text"),
    [
        ({}, {}, "nothing changed since 2026-01-01"),
        ({}, {"whole": agreement(30)}, "kappa 0.70 → 0.50 since 2026-01-01: the judge drifts"),
        (
            {"served": ("m1",)},
            {"served": ("m2",)},
            "kappa 0.70 → 0.70 since 2026-01-01 (served as m2, not m1)",
        ),
        (
            {"served": ("m1",)},
            {"whole": agreement(36), "served": ()},
            "kappa 0.70 → 0.80 since 2026-01-01: the judge drifts (served as nobody, not m1)",
        ),
        (
            {},
            {"whole": ALIKE, "labels": "d" * 64, "prompt": "e" * 64, "votes": 1},
            "kappa 0.70 → undefined since 2026-01-01 (other labels; asked otherwise (prompt or rules); "
            "votes 3 → 1)",
        ),
        (
            {"entities": agreement(30)},
            {"entities": agreement(34)},
            "kappa 0.70 → 0.70, entities 0.50 → 0.70 since 2026-01-01: the judge drifts",
        ),
    ],
)
def test_what_changed(before: dict[str, Any], now: dict[str, Any], text: str) -> None:
    """The judge is blamed only where people, prompt, rules and votes are the same."""
    later = replace(calibration(**now), date="2026-02-01T00:00:00Z")
    assert change_text(calibration(**before), later) == text
    assert change_text(None, later) == "the first calibration of this judge for this task"
