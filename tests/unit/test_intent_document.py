"""Claims about the file and the summary that `asrgate judge --task intent` makes of a judged score."""

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

from pytest_asrgate.intent.arithmetic import entity_explanation, entity_score
from pytest_asrgate.records import Entity, EntityStatus, IntentScore, IntentUtterance, RowStatus, Utterance
from pytest_asrgate.records.judged import Spending
from pytest_asrgate.reports.intent_document import IntentDocument, IntentUtteranceEntry, intent_document
from pytest_asrgate.reports.intent_entries import FiguresEntry
from pytest_asrgate.reports.intent_lines import BY_RULES
from pytest_asrgate.reports.intent_summary import intent_summary
from pytest_asrgate.reports.intent_trail import DocumentedEntry, EntityEntry
from pytest_asrgate.reports.judged_entries import SpendingEntry
from pytest_asrgate.reports.schema import intent_schema, report_schema
from pytest_asrgate.reports.semantic_document import document_text

from .builders import Row, scored
from .intents import intent_score, intent_utterance

ROWS: list[Row] = [
    ("a", "Call Ravi Kumar, Pune at 5?", "call Ravi kumar at 9?"),
    ("b", "हाँ", "हाँ"),
    ("c", "x", None),
    ("d", "Mail me", "male me"),
    ("e", "", "you"),
]
SCORE = scored("h.jsonl", ROWS)
FOUND = (
    Entity(1, "Ravi Kumar", "person", 3, EntityStatus.PRESERVED, "Ravi kumar", "judge m", "same name"),
    Entity(2, "Pune, India", "place", 1, EntityStatus.MISSING, "", "judge m", "not said", ("missing", "missing")),
    Entity(3, "5", "number", 2, EntityStatus.SUBSTITUTED, "9", "rule exact data", "other digits"),
)
LOST = IntentUtterance(
    "a",
    "en",
    kept=False,
    explanation="another time",
    decided_by="rule exact data",
    votes=("lost", "kept", "lost"),
    entities=FOUND,
    entity_score=entity_score(FOUND),
    entity_explanation=entity_explanation(FOUND),
    asked=True,
)
INTENT: IntentScore = replace(
    intent_score(
        LOST,
        intent_utterance("b", language="hi"),
        intent_utterance("c", None),
        intent_utterance("d", None, error="no reply"),
        intent_utterance("e", kept=False, empty=True),
    ),
    spending=Spending(2, 3, 400, 60, 0.25),
    voted=2,
    unanimous=1,
    undecided=1,
)
DOCUMENTED = (
    "index",
    "intent_score",
    "intent_explanation",
    "entity_score",
    "ground_truth_entities",
    "preserved_entities",
    "missing_entities",
    "entity_explanation",
)


def _document(intent: IntentScore = INTENT, indexes: tuple[int, ...] = ()) -> Any:
    utterances = [Utterance(name, Path(), text, context="a call") for name, text, _ in ROWS]
    made = intent_document(intent, SCORE, utterances, source="h.jsonl", indexes=indexes)
    text = document_text(made)
    assert sum(line.startswith('  {"index":') for line in text.splitlines()) == len(ROWS)
    return json.loads(text)


@cache
def _validator() -> Draft202012Validator:
    Draft202012Validator.check_schema(intent_schema())
    return Draft202012Validator(intent_schema())


def test_every_utterance_begins_with_the_documented_object() -> None:
    """Exactly its keys in its order, joined lists, and a score of the weights: 3 over 3 + 1 + 2 times 2."""
    document = _document()
    first = document["utterances"][0]
    assert tuple(first)[: len(DOCUMENTED)] == DOCUMENTED
    assert tuple(DocumentedEntry.__annotations__) == DOCUMENTED
    assert {key: first[key] for key in DOCUMENTED} == {
        "index": 1,
        "intent_score": 0,
        "intent_explanation": "another time",
        "entity_score": 0.375,
        "ground_truth_entities": "Ravi Kumar, Pune, India, 5",
        "preserved_entities": "Ravi Kumar",
        "missing_entities": "Pune, India, 5",
        "entity_explanation": (
            '1 of 3 entities preserved; "Pune, India" is missing: not said; "5" became "9": other digits'
        ),
    }
    assert first["ground_truth_entities_list"] == ["Ravi Kumar", "Pune, India", "5"]
    assert (first["preserved_entities_list"], first["missing_entities_list"]) == (
        ["Ravi Kumar"],
        ["Pune, India", "5"],
    )
    assert list(_validator().iter_errors(document)) == []


def test_types_are_those_of_the_documented_object() -> None:
    """A whole number of 0 or 1, and a score that is written as a fraction also where it is 1."""
    for row in _document()["utterances"][:2]:
        assert type(row["intent_score"]) is int
        assert type(row["entity_score"]) is float
    assert '"entity_score":1.0' in json.dumps(_document()["utterances"][1], separators=(",", ":"))


def test_the_trail_stands_behind_it() -> None:
    """Raw texts and context as a judge sees them, who decided, votes, and what became of each entity."""
    first = _document()["utterances"][0]
    assert (first["ref_text"], first["hyp_text"]) == ("Call Ravi Kumar, Pune at 5?", "call Ravi kumar at 9?")
    assert (first["context"], first["status"], first["language"], first["id"]) == ("a call", "ok", "en", "a")
    assert (first["decided_by"], first["votes"], first["asked"]) == (
        "rule exact data",
        ["lost", "kept", "lost"],
        True,
    )
    assert first["entities"][2] == {
        "number": 3,
        "text": "5",
        "kind": "number",
        "importance": 2,
        "status": "substituted",
        "heard": "9",
        "decided_by": "rule exact data",
        "reason": "other digits",
        "votes": [],
    }


def test_without_entities_the_lists_say_so() -> None:
    """NA and 1 where the reference has none; an empty text where entities exist and a list has none of them."""
    second = _document()["utterances"][1]
    names = ("ground_truth_entities", "preserved_entities", "missing_entities")
    assert [second[name] for name in names] == ["NA", "NA", "NA"]
    assert (second["entity_score"], second["ground_truth_entities_list"]) == (1.0, [])
    whole = _document(intent_score(intent_utterance("a", kept=True, found="pp"), *INTENT.utterances[1:]))
    gone = _document(intent_score(intent_utterance("a", kept=False, found="ms"), *INTENT.utterances[1:]))
    assert [whole["utterances"][0][name] for name in names] == ["entity1, entity2", "entity1, entity2", ""]
    assert [gone["utterances"][0][name] for name in names] == ["entity1, entity2", "", "entity1, entity2"]
    assert gone["utterances"][0]["entity_score"] == 0.0


def test_where_there_is_no_ruling_both_scores_are_null() -> None:
    """Never 0 and never 1: an error row and a judge error say why, and do not claim to have no entities."""
    lost, failed, empty = _document()["utterances"][2:]
    for row in (lost, failed):
        assert (row["intent_score"], row["entity_score"]) == (None, None)
        assert (row["ground_truth_entities"], row["missing_entities"]) == ("", "")
    assert (lost["status"], lost["judge_error"]) == (RowStatus.ERROR.value, "")
    assert "since the row is an error" in lost["intent_explanation"]
    assert (failed["judge_error"], failed["entity_explanation"]) == ("no reply", "No score: no reply")
    assert (empty["intent_score"], empty["entity_score"], empty["empty_reference"]) == (0, 1.0, True)
    assert (empty["ground_truth_entities"], empty["missing_entities"]) == ("NA", "NA")


def test_the_head_has_the_figures_of_all_and_of_each_language() -> None:
    """Failures, error rows and empty references are in no rate; how the score is computed stands there."""
    document = _document()
    assert (document["schema"], document["task"], document["n"]) == ("asrgate.intent/1", "intent", 5)
    assert (document["judge_errors"], document["error_rows"]) == (["d"], ["c"])
    figures = document["figures"]
    assert (figures["language"], figures["utterances"], figures["kept"], figures["intent_pct"]) == ("", 2, 1, 50.0)
    # Wilson's interval of 1 of 2, by hand: (1 + z²/2 ± z·√(1/2 + z²/4)) / (2 + z²), z = 1.96.
    assert figures["intent_ci_pct"] == [pytest.approx(9.453, abs=0.001), pytest.approx(90.547, abs=0.001)]
    assert (figures["entity_pct"], figures["with_entities"], figures["without_entities"]) == (37.5, 1, 1)
    assert (figures["preserved"], figures["missing"], figures["substituted"]) == (1, 1, 1)
    assert (figures["empty_references"], figures["failed"]) == (1, 1)
    assert [(each["language"], each["intent_pct"]) for each in document["languages"]] == [
        ("en", 0.0),
        ("hi", 100.0),
    ]
    assert document["decided_by"] == {
        "judge openai/judge": 4,
        "rule exact data": 1,
    }
    assert document["entities_decided_by"] == {"judge m": 2, "rule exact data": 1}
    assert document["entity_score"] == (
        "importance (1 to 3) of the preserved entities over the importance of all, in which that of a substituted "
        "entity counts 2 times; 1 without entities"
    )
    assert document["substitution_factor"] == 2


def test_the_rows_own_indexes_are_kept() -> None:
    """Whatever they are; rows without any are numbered from 1."""
    assert [row["index"] for row in _document(indexes=(0, 7, 3, 2, 9))["utterances"]] == [0, 7, 3, 2, 9]
    assert [row["index"] for row in _document()["utterances"]] == [1, 2, 3, 4, 5]


MUTATIONS: dict[str, Callable[[Any], object]] = {
    "another schema": lambda document: document.update(schema="asrgate.intent/2"),
    "a key more": lambda document: document.update(wer=1.0),
    "a key less": lambda document: document.pop("lower_bound"),
    "a key less in a row": lambda document: document["utterances"][0].pop("missing_entities"),
    "a key more in a row": lambda document: document["utterances"][0].update(text=""),
    "half an intent": lambda document: document["utterances"][0].update(intent_score=0.5),
    "an index that is a text": lambda document: document["utterances"][0].update(index="1"),
    "a score above one": lambda document: document["utterances"][0].update(entity_score=1.01),
    "a score below nothing": lambda document: document["utterances"][0].update(entity_score=-0.1),
    "a score where the judge failed": lambda document: document["utterances"][3].update(intent_score=0),
    "an entity score where the judge failed": lambda document: document["utterances"][3].update(entity_score=1.0),
    "a ruling without an entity score": lambda document: document["utterances"][0].update(entity_score=None),
    "an unknown status": lambda document: document["utterances"][0]["entities"][0].update(status="unsure"),
    "a weight out of its range": lambda document: document["utterances"][0]["entities"][0].update(importance=4),
    "an accuracy above all": lambda document: document["figures"].update(intent_pct=100.5),
    "half an interval": lambda document: document["languages"][0].update(intent_ci_pct=[1.0]),
    "no version of the rules": lambda document: document.update(rules_version=0),
    "a price below nothing": lambda document: document["spending"].update(cost_usd=-1.0),
}


@pytest.mark.parametrize("name", MUTATIONS)
def test_a_changed_document_is_refused(name: str) -> None:
    """Each small change makes a valid document invalid."""
    changed = copy.deepcopy(_document())
    assert _validator().is_valid(changed)
    MUTATIONS[name](changed)
    assert not _validator().is_valid(changed)


def test_schema_and_types_name_the_same_keys() -> None:
    """All of them are required and described."""
    schema = intent_schema()
    tables = [
        (schema, IntentDocument),
        (schema["properties"]["spending"], SpendingEntry),
        (schema["$defs"]["figures"], FiguresEntry),
        (schema["$defs"]["utterance"], IntentUtteranceEntry),
        (schema["$defs"]["entity"], EntityEntry),
    ]
    for table, kind in tables:
        assert set(table["properties"]) == set(table["required"]) == set(typing.get_type_hints(kind))
        assert all(rule["description"].endswith(".") for rule in table["properties"].values())


def test_both_schemas_say_the_same() -> None:
    """A reader of the report can read this file: entities, figures and spending are alike in both."""
    ours, theirs = intent_schema()["$defs"], report_schema()["$defs"]
    assert ours["entity"] == theirs["entity"]
    figures = ours["figures"]["properties"]
    assert {key: theirs["intent_figures"]["properties"][key] for key in figures} == figures
    shared = set(theirs["intent_utterance"]["properties"]) & set(ours["utterance"]["properties"])
    assert shared == set(theirs["intent_utterance"]["properties"])
    # The file says what an id is without a manifest, and explains what has no score.
    for key in shared - {"id", "intent_explanation", "entity_explanation"}:
        assert ours["utterance"]["properties"][key] == theirs["intent_utterance"]["properties"][key]


def test_the_summary_has_the_figures_and_what_was_lost() -> None:
    """Both figures with intervals, each language, what is apart, who judged, failures, and the lost utterances."""
    assert intent_summary("h.jsonl", INTENT, SCORE, ["a note"]) == [
        "h.jsonl",
        "  intent kept in 1 of 2 utterances: 50.00 % (95 % Wilson 9.45 – 90.55)",
        "  mean entity score 37.50 % (95 % CI 3.17 – 91.67) over 1 utterance with entities: 1 preserved, "
        "1 missing, 1 substituted",
        "  counted apart: 1 utterance without entities, 1 empty reference",
        "  en: intent 0.00 % (95 % Wilson 0.00 – 79.35), entity 37.50 % (95 % CI 3.17 – 91.67), over 1 utterance, "
        "counted apart: 1 empty reference, 1 judge error",
        "  hi: intent 100.00 % (95 % Wilson 20.65 – 100.00), entity —, over 1 utterance, counted apart: "
        "1 utterance without entities",
        "  5 utterances, 1 error row, 1 judge error; intents decided by judge openai/judge 4, rule exact data 1",
        "  incomplete: error rows and judge errors have no score, and the figures are of the other 3 utterances",
        "  judge openai/judge, intent and entities: needed for the intent of 5 of 5 utterances; 2 calls made, 3 "
        "replies replayed, cost 0.2500 USD; 2 labels voted on: 1 unanimous, 1 without a majority, which count as "
        "lost",
        "  note: a note",
        "",
        "the utterances that lost their intent or entities (1 of 1):",
        "  a: intent lost, entities 38 %",
        "    REF: Call Ravi Kumar, Pune at 5?",
        "    HYP: call Ravi kumar at 9?",
        "    intent: rule exact data (votes lost, kept, lost): another time",
        '    place "Pune, India" is missing: judge m (votes missing, missing): not said',
        '    number "5" became "9": rule exact data: other digits',
        "",
        "the judge gave no valid answer on intent and entities for 1 utterance:",
        "  'd': no reply",
    ]


def test_a_summary_of_rules_alone_labels_each_figure() -> None:
    """The words "at least" stand with the intent alone, and what both figures are under the list."""
    rows = (
        replace(LOST, decided_by="no judge", votes=()),
        intent_utterance("b", language="hi"),
        *INTENT.utterances[2:3],
        intent_utterance("d", kept=True, found="p"),
        intent_utterance("e", kept=False, empty=True),
    )
    lines = intent_summary("h.jsonl", intent_score(*rows, judge="rules"), SCORE)
    assert lines[1] == "  intent kept in at least 2 of 3 utterances: at least 66.67 % (95 % Wilson 20.77 – 93.85)"
    assert lines[2].startswith("  mean entity score 68.75 % (95 % CI ")
    assert " over 2 utterances with entities that rules find: 2 preserved" in lines[2]
    (english,) = [line for line in lines if line.startswith("  en: ")]
    assert ", entity 68.75 % " in english
    assert " of those that rules find, over 2 utterances" in english
    assert "  hi: intent at least 100.00 %" in "\n".join(lines)
    assert tuple(lines[-2:]) == BY_RULES
    assert "    intent: no judge" in lines


def test_a_text_that_reads_like_a_verdict_is_told() -> None:
    """How many there are, the first of them, and what is odd; nothing where there is none."""
    odd = "a transcript reads like a verdict"
    rows = [replace(row, warning=odd) if row.id in "bd" else row for row in INTENT.utterances]
    lines = intent_summary("h.jsonl", intent_score(*rows), SCORE)
    assert [line for line in lines if odd in line] == [f"  warning on 2 utterances, the first 'b': {odd}"]
    assert not [line for line in intent_summary("h.jsonl", INTENT, SCORE) if "warning" in line]


def test_a_language_that_nothing_is_written_for_is_noted() -> None:
    """By its code, with those that the questions and the rules are written for."""
    rows = [replace(row, language="fr") if row.id == "b" else row for row in INTENT.utterances]
    told = (
        "  note: intent and entities: fr is not among the languages that the questions and rules are written for "
        "(en, hi, bn, mr, ml, kn, ta, te, gu, or, pa)"
    )
    assert told in intent_summary("h.jsonl", intent_score(*rows), SCORE)
    assert "not among" not in "".join(intent_summary("h.jsonl", INTENT, SCORE))


def test_without_a_ruling_there_is_no_rate() -> None:
    """Why there is none is said instead of a zero."""
    silent = intent_score(*[intent_utterance(name, None, error="no reply") for name, _, _ in ROWS])
    lines = intent_summary("h", silent, SCORE)
    assert lines[1] == "  intent —: no utterance with reference words has a ruling"
    assert lines[2] == "  mean entity score —: no utterance with a ruling has entities"


def test_strangers_words_cannot_move_the_cursor() -> None:
    """Names of models, reasons, entities and texts are shown as escapes."""
    odd = "\x1b[2J\n"
    row = replace(
        LOST,
        explanation=odd,
        decided_by=f"judge {odd}",
        entities=(replace(FOUND[1], text=odd, reason=odd, kind=odd), replace(FOUND[2], heard=odd)),
        votes=(odd,),
    )
    rows = (row, *INTENT.utterances[1:3], intent_utterance("d", None, error=odd), INTENT.utterances[4])
    score = scored("h", [("a", f"x{odd}", f"y{odd}"), *ROWS[1:]])
    lines = intent_summary(odd, replace(intent_score(*rows), judge=odd), score, [odd])
    assert not [line for line in lines if "\x1b" in line or "\n" in line]
    assert sum(line.count(r"\x1b[2J") for line in lines) >= 10
