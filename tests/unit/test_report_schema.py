"""Claims about the published schema of the JSON report."""

import copy
import json
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from pytest_asrgate import report_schema
from pytest_asrgate.config.thresholds import Thresholds
from pytest_asrgate.errors import DatasetError
from pytest_asrgate.records import CheckStatus, EntityStatus, Flip, Outcome, Repeats, RowStatus
from pytest_asrgate.records.judged import Label
from pytest_asrgate.reports.entries import CheckEntry, PairEntry, SliceEntry, pair_entry
from pytest_asrgate.reports.intent_entries import IntentEntry, LossEntry, PairFiguresEntry
from pytest_asrgate.reports.intent_trail import EntityEntry, IntentTrailEntry
from pytest_asrgate.reports.json_report import SCHEMA, session_report, write_json_report
from pytest_asrgate.reports.judged_entries import SemanticEntry, SpendingEntry
from pytest_asrgate.reports.trail import DifferenceEntry, TrailEntry
from pytest_asrgate.reports.utterance_entries import UtteranceEntry
from pytest_asrgate.verdict import decide, failed_to_run

from .builders import Row, entry, pair, scored
from .test_judged_entries import BASELINE, SEMANTIC, verdict_of

SPOKEN: list[Row] = [("a", "the cat", "the cat"), ("b", "red dogs bark", "red dogs bark"), ("c", "", "")]
WRONG: list[Row] = [("a", "the cat", "a hat"), ("b", "red dogs bark", "red dogs bark"), ("c", "", "you")]
LOST: list[Row] = [("a", "the cat", "the cat"), ("b", "red dogs bark", None), ("c", "", "")]

ENTRIES: dict[str, PairEntry] = {
    "PASS": entry(SPOKEN, SPOKEN, {"wer": 10.0}),
    "FAIL with a null reference": entry(WRONG, SPOKEN, {"wer_delta": 1.0, "hallucinations": 0, "ci": "overlap"}),
    "INCONCLUSIVE with infinite bounds of one utterance": entry(SPOKEN[:1], SPOKEN[:1], {"non_inferiority": 1.0}),
    "ERROR with error rows": entry(LOST, SPOKEN, {"errors": 0}),
    "incomplete, with a tolerated error row": entry(LOST, SPOKEN, {"errors": 1}),
    "ERROR of every limit that cannot be measured": entry(SPOKEN, SPOKEN, {"semantic_wer": 1.0, "rtf": 1.0}),
    "ERROR without a score": pair_entry(failed_to_run(pair(fails=True), DatasetError("m.jsonl: holds no rows"))),
    "baseline": pair_entry(decide(pair(variant="f32"), scored("f32", SPOKEN), None, is_baseline=True)),
    "decoded again": pair_entry(
        replace(
            decide(pair(), scored("q8_0", SPOKEN), scored("f32", SPOKEN)),
            repeats=Repeats(3, 2, (Flip("a", ("the cat", "cat [truncated]")),), ("b",), "b: lost", 1, "h", "now"),
        )
    ),
    "judged": pair_entry(verdict_of(SEMANTIC, BASELINE), with_utterances=True),
    "judged without a baseline": pair_entry(verdict_of(SEMANTIC)),
    "silence only": entry([("c", "", "you")], [("c", "", "")]),
    "partial rows": pair_entry(
        decide(
            pair(), scored("q8_0", SPOKEN, statuses={"a": RowStatus.TRUNCATED, "b": RowStatus.REPETITION}), None
        ),
        with_utterances=True,
    ),
}


def _report(folder: Path, *entries: PairEntry) -> Any:
    write_json_report(folder / "report.json", session_report(folder / "gate.toml", entries, ["a note"]))
    return json.loads((folder / "report.json").read_text(encoding="utf-8"))


@cache
def _validator() -> Draft202012Validator:
    schema = report_schema()
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


@pytest.mark.parametrize("name", ENTRIES)
def test_a_report_of_every_kind_of_pair_is_valid(tmp_path: Path, name: str) -> None:
    """Whatever was decided, the written file fulfils the schema."""
    assert [str(error) for error in _validator().iter_errors(_report(tmp_path, ENTRIES[name]))] == []


def test_the_pairs_above_are_of_every_outcome() -> None:
    """No verdict is left out by the test before."""
    assert {made["verdict"] for made in ENTRIES.values()} == {outcome.value for outcome in Outcome}


def _table(name: str) -> Mapping[str, Any]:
    """A definition by its name, or a table inside one, as in pair.semantic."""
    outer, *inner = name.split(".")
    found: Mapping[str, Any] = report_schema()["$defs"][outer]
    for key in inner:
        found = found["properties"][key]
    return found


TABLES = {
    "pair": PairEntry,
    "slice": SliceEntry,
    "check": CheckEntry,
    "utterance": UtteranceEntry,
    "pair.semantic": SemanticEntry,
    "pair.semantic.spending": SpendingEntry,
    "pair.semantic.baseline_spending": SpendingEntry,
    "pair.intent": IntentEntry,
    "pair.intent.spending": SpendingEntry,
    "pair.intent.baseline_spending": SpendingEntry,
    "intent_figures": PairFiguresEntry,
    "intent_loss": LossEntry,
    "intent_utterance": IntentTrailEntry,
    "entity": EntityEntry,
    "judged_utterance": TrailEntry,
    "difference": DifferenceEntry,
}


@pytest.mark.parametrize(("name", "kind"), TABLES.items())
def test_schema_and_types_name_the_same_keys(name: str, kind: type) -> None:
    """The typed dictionaries and the schema have the same keys, all required, null where the type says None."""
    hints = typing.get_type_hints(kind)
    table = _table(name)
    assert set(table["properties"]) == set(table["required"]) == set(hints)
    for key, rule in table["properties"].items():
        allowed = rule.get("enum", rule.get("type"))
        nullable = isinstance(allowed, list) and ("null" in allowed or None in allowed)
        assert nullable == (types.NoneType in typing.get_args(hints[key])), key


def test_every_key_is_described_and_rates_name_their_unit() -> None:
    """Each key has a description; what ends in pct, pp or ms says percent, percentage points or milliseconds."""
    units = {"pct": "percent", "pp": "percentage points", "ms": "milliseconds"}
    for name in TABLES:
        for key, rule in _table(name)["properties"].items():
            assert rule["description"].endswith(".")
            assert units.get(key.rsplit("_", 1)[-1], "") in rule["description"], key


def test_enums_are_those_of_the_records() -> None:
    """Verdicts, row statuses and check statuses are the package's own words."""
    assert report_schema()["properties"]["schema"]["const"] == SCHEMA
    assert set(_table("pair")["properties"]["verdict"]["enum"]) == {item.value for item in Outcome}
    assert set(_table("check")["properties"]["status"]["enum"]) == {item.value for item in CheckStatus}
    assert set(_table("utterance")["properties"]["status"]["enum"]) == {item.value for item in RowStatus}
    assert set(_table("difference")["properties"]["label"]["enum"]) == {item.value for item in Label}
    assert set(_table("entity")["properties"]["status"]["enum"]) == {item.value for item in EntityStatus}


@pytest.mark.parametrize("name", sorted(set(Thresholds.model_fields) - {"ci"}))
def test_every_threshold_has_a_unit_that_the_schema_knows(tmp_path: Path, name: str) -> None:
    """A limit that this version measures or not is a valid check."""
    # A share of 1 percent is refused, since 100 percent is likely meant.
    limit = 50 if name in {"intent", "entity"} else 1
    assert _validator().is_valid(_report(tmp_path, entry(SPOKEN, SPOKEN, {name: limit})))


MUTATIONS: dict[str, Callable[[Any], object]] = {
    "another schema": lambda report: report.update(schema="asrgate.report/2"),
    "a key more in the report": lambda report: report.update(pair=[]),
    "a key more in the pair": lambda report: report["pairs"][0].update(wer=1.0),
    "a key less in the pair": lambda report: report["pairs"][0].pop("upper95_pp"),
    "a verdict in lower case": lambda report: report["pairs"][0].update(verdict="pass"),
    "a rate as text": lambda report: report["pairs"][0].update(rate_pct="4.2"),
    "words that are null": lambda report: report["pairs"][0].update(words=None),
    "fewer than no words": lambda report: report["pairs"][0].update(words=-1),
    "half an interval": lambda report: report["pairs"][0].update(ci_pct=[1.0]),
    "an open interval of the rate": lambda report: report["pairs"][0].update(ci_pct=[1.0, None]),
    "an endless bootstrap interval": lambda report: report["pairs"][0].update(delta_bootstrap_pp=[None, 1.0]),
    "a probability above all": lambda report: report["pairs"][0].update(improvement_pct=100.5),
    "a p above one": lambda report: report["pairs"][0]["mapsswe"].update(p=1.5),
    "a key more in MAPSSWE": lambda report: report["pairs"][0]["mapsswe"].update(winner="q8_0"),
    "an unknown metric": lambda report: report["pairs"][0].update(metric="bleu"),
    "an unknown status of a check": lambda report: report["pairs"][0]["checks"][0].update(status="ok"),
    "an unknown unit": lambda report: report["pairs"][0]["checks"][0].update(unit="percent"),
    "a check without a limit": lambda report: report["pairs"][0]["checks"][0].pop("limit"),
    "an unknown status of a row": lambda report: report["pairs"][0]["utterances"][0].update(status="done"),
    "an error row with counts": lambda report: report["pairs"][0]["utterances"][0].update(status="error"),
    "a row without counts": lambda report: report["pairs"][0]["utterances"][0].update(errors=None),
    "a key more in a row": lambda report: report["pairs"][0]["utterances"][0].update(text=""),
}


JUDGED: dict[str, Callable[[Any], object]] = {
    "a key more": lambda semantic: semantic.update(wer=1.0),
    "a key less": lambda semantic: semantic.pop("upper_bound"),
    "a judge without a name": lambda semantic: semantic.update(judge=""),
    "an open interval of the rate": lambda semantic: semantic.update(ci_pct=[1.0, None]),
    "a key more in the spending": lambda semantic: semantic["spending"].update(cost_eur=1.0),
    "a call that was taken back": lambda semantic: semantic["spending"].update(calls=-1),
    "nobody's difference": lambda semantic: semantic["decided_by"].update(nobody=0),
    "an unknown step": lambda semantic: semantic["utterances"][0]["alignment"][0].insert(0, "M"),
    "a label that is a vote": lambda semantic: semantic["utterances"][0]["differences"][0].update(label="unsure"),
    "a difference number 0": lambda semantic: semantic["utterances"][0]["differences"][0].update(number=0),
}


@pytest.mark.parametrize("name", JUDGED)
def test_a_changed_judged_score_is_refused(tmp_path: Path, name: str) -> None:
    """Each small change makes a valid report invalid, inside the judged score too."""
    report = _report(tmp_path, ENTRIES["judged"])
    changed = copy.deepcopy(report)
    JUDGED[name](changed["pairs"][0]["semantic"])
    assert _validator().is_valid(report)
    assert not _validator().is_valid(changed)


@pytest.mark.parametrize("name", MUTATIONS)
def test_a_changed_report_is_refused(tmp_path: Path, name: str) -> None:
    """Each small change makes a valid report invalid."""
    report = _report(tmp_path, ENTRIES["PASS"])
    changed = copy.deepcopy(report)
    MUTATIONS[name](changed)
    assert _validator().is_valid(report)
    assert not _validator().is_valid(changed)
