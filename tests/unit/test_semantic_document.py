"""Claims about the file and the summary that `asrgate judge` makes of a judged score."""

import copy
import json
import typing
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from pytest_asrgate.records import Score, Utterance
from pytest_asrgate.records.judged import Label, SemanticScore, Spending
from pytest_asrgate.reports.judged import UPPER_BOUND
from pytest_asrgate.reports.judged_entries import SpendingEntry
from pytest_asrgate.reports.schema import report_schema, semantic_schema
from pytest_asrgate.reports.semantic_document import (
    JudgedUtteranceEntry,
    SemanticDocument,
    semantic_document,
)
from pytest_asrgate.reports.semantic_summary import semantic_summary
from pytest_asrgate.reports.trail import DifferenceEntry

from .builders import Row, difference, judged, judged_utterance, scored

ROWS: list[Row] = [
    ("a", "Call at 5.", "call at nine"),
    ("b", "red dogs", "red dogs"),
    ("c", "x", None),
    ("d", "y", "z"),
]
SCORE: Score = scored("h.jsonl", ROWS)
SEMANTIC = judged(
    judged_utterance("a", "call at five", "call at nine", difference("five", "nine")),
    judged_utterance("b", "red dogs", "red dogs"),
    judged_utterance("c", "x", "", counts=None),
    judged_utterance("d", "y", "z", counts=None, asked=True, judge_error="no reply"),
    spending=Spending(2, 3, 400, 60, 0.25),
    voted=2,
    unanimous=1,
    undecided=1,
)


def _document(score: SemanticScore = SEMANTIC) -> Any:
    utterances = [Utterance(name, Path(), text, context="a call") for name, text, _ in ROWS]
    return json.loads(json.dumps(semantic_document(score, SCORE, utterances, source="h.jsonl"), allow_nan=False))


@cache
def _validator() -> Draft202012Validator:
    Draft202012Validator.check_schema(semantic_schema())
    return Draft202012Validator(semantic_schema())


def test_the_document_has_every_utterance_with_its_full_trail() -> None:
    """Equal texts, error rows and judge errors among them, with the raw texts and the context that a judge sees."""
    document = _document()
    assert (document["schema"], document["task"], document["report_file"]) == (
        "asrgate.semantic/1",
        "semantic",
        "h.jsonl",
    )
    assert (document["rate_pct"], document["n"], document["words"]) == (20.0, 4, 5)
    assert (document["rules_version"], document["task_version"]) == (3, 2)
    assert (document["error_rows"], document["judge_errors"]) == (["c"], ["d"])
    assert [row["id"] for row in document["utterances"]] == ["a", "b", "c", "d"]
    first = document["utterances"][0]
    assert (first["ref_text"], first["hyp_text"], first["ref"]) == ("Call at 5.", "call at nine", "call at five")
    assert (first["context"], first["status"]) == ("a call", "ok")
    assert first["differences"][0]["decided_by"] == "rule number"
    assert document["utterances"][2]["status"] == "error"
    assert list(_validator().iter_errors(document)) == []


MUTATIONS: dict[str, Callable[[Any], object]] = {
    "another schema": lambda document: document.update(schema="asrgate.semantic/2"),
    "a key more": lambda document: document.update(wer=1.0),
    "a key less": lambda document: document.pop("rate_pct"),
    "a key more in a row": lambda document: document["utterances"][0].update(text=""),
    "an unknown label": lambda document: document["utterances"][0]["differences"][0].update(label="unsure"),
    "an unknown step": lambda document: document["utterances"][0]["alignment"].append(["M", "a", "b"]),
    "no version of the rules": lambda document: document.update(rules_version=0),
    "a version that is a text": lambda document: document.update(task_version="1"),
    "half a step": lambda document: document["utterances"][0]["alignment"].append(["="]),
    "a price below nothing": lambda document: document["spending"].update(cost_usd=-1.0),
}


@pytest.mark.parametrize("name", MUTATIONS)
def test_a_changed_document_is_refused(name: str) -> None:
    """Each small change makes a valid document invalid."""
    changed = copy.deepcopy(_document())
    MUTATIONS[name](changed)
    assert not _validator().is_valid(changed)


def test_schema_and_types_name_the_same_keys() -> None:
    """All of them are required and described."""
    schema = semantic_schema()
    tables = [
        (schema, SemanticDocument),
        (schema["properties"]["spending"], SpendingEntry),
        (schema["$defs"]["utterance"], JudgedUtteranceEntry),
        (schema["$defs"]["difference"], DifferenceEntry),
    ]
    for table, kind in tables:
        assert set(table["properties"]) == set(table["required"]) == set(typing.get_type_hints(kind))
        assert all(rule["description"].endswith(".") for rule in table["properties"].values())


def test_both_schemas_say_the_same_of_a_difference() -> None:
    """A reader of the report can read this file."""
    ours, theirs = semantic_schema()["$defs"], report_schema()["$defs"]
    assert ours["difference"] == theirs["difference"]
    trail = theirs["judged_utterance"]["properties"]
    assert {key: ours["utterance"]["properties"][key] for key in trail} == trail


def test_the_summary_tells_of_texts_that_read_like_a_verdict() -> None:
    """How many there are, and of the first what is odd."""
    rows = tuple(replace(row, warning="the hypothesis reads like a verdict") for row in SEMANTIC.utterances[:2])
    odd = replace(SEMANTIC, utterances=(*rows, *SEMANTIC.utterances[2:]))
    told = [line for line in semantic_summary("h", odd) if "warning" in line]
    assert told == [f"  warning on 2 utterances, the first {rows[0].id!r}: the hypothesis reads like a verdict"]


def test_the_summary_has_the_figures_and_what_cost_most() -> None:
    """Rate, counts, who decided, what was asked and paid, judge errors, and a list of the costliest utterances."""
    assert semantic_summary("h.jsonl", SEMANTIC, ["a note"]) == [
        "h.jsonl",
        "  semantic WER 20.00 % (95 % CI 15.00 – 25.00): 1 substitution, 0 deletions, 0 insertions over 5 words; "
        "incomplete: 1 utterance without a ruling is not in the rate",
        "  4 utterances, 1 error row, 1 judge error; 1 difference: rule number 1",
        "  incomplete: error rows and judge errors have no score, and the rate is of the other 2 utterances",
        "  judge openai/gpt-x: needed for 1 of 4 utterances; 2 calls made, 3 replies replayed, cost 0.2500 USD; "
        "2 differences voted on: 1 unanimous, 1 without a majority, which count as errors",
        "  note: a note",
        "",
        "the utterances whose meaning changed (1 of 1):",
        "  a: 1 semantic error in 3 words",
        '    1. "five" → "nine": rule number: the numbers differ',
        "",
        "the judge gave no valid answer for 1 utterance:",
        "  'd': no reply",
    ]


def test_a_summary_of_rules_alone_labels_its_bound() -> None:
    """Nobody was asked, and the figure says what it is."""
    row = judged_utterance(
        "a", "a dog", "a dock", difference("dog", "dock", Label.OPEN, decided_by="no judge", reason="")
    )
    lines = semantic_summary("h.jsonl", judged(row, judge="rules"))
    assert lines[1].startswith("  semantic WER at most 50.00 %")
    assert (
        "  judge rules: nobody was asked; 0 of 1 difference settled by rules, 1 left open in 0 of 1 utterance"
        in lines
    )
    assert lines[-1] == UPPER_BOUND


def test_without_words_there_is_no_rate() -> None:
    """Why there is none is said instead of a zero."""
    lost = judged_utterance("d", "y", "z", counts=None, asked=True, judge_error="no reply")
    assert (
        semantic_summary("h", judged(lost))[1] == "  semantic WER —: no utterance with reference words has a score"
    )
