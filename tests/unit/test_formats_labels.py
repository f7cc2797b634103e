"""Claims about files of human labels: both documented spellings are read, and every slip is named by its line."""

import hashlib
from pathlib import Path

import pytest

from pytest_asrgate.errors import DatasetError
from pytest_asrgate.formats.labels import read_labels
from pytest_asrgate.records import EntityStatus

from .commands import write

MEANING = {"id": "u1", "ref_text": "walk the dog", "hyp_text": "walk the dock", "labels": ["error"]}
INTENT = {"index": 7, "ground_truth": "मैं आऊंगा", "hypothesis": "वह आएगा", "intent_score": 0, "language": "hi_IN"}


def test_labels_of_differences(tmp_path: Path) -> None:
    """As rows of hypotheses, with a class for the row or one for each difference; a header is passed over."""
    rows = [
        {**MEANING, "class": "noun", "context": "a walk"},
        {**MEANING, "id": "u2", "labels": ["same", "error"], "classes": ["filler", "number"]},
    ]
    found = read_labels(write(tmp_path / "labels.jsonl", rows, {"language": "en"}), "semantic")
    assert found.sha256 == hashlib.sha256((tmp_path / "labels.jsonl").read_bytes()).hexdigest()
    first, second = found.rows
    assert (first.id, first.reference, first.hypothesis, first.language) == (
        "u1",
        "walk the dog",
        "walk the dock",
        "en",
    )
    assert (first.context, first.group, first.labels, first.classes) == ("a walk", "noun", ("error",), ())
    assert (second.labels, second.classes, second.context) == (("same", "error"), ("filler", "number"), None)
    assert first.place == f"{tmp_path / 'labels.jsonl'}:2 (u1)"
    assert found.unnamed


def test_labels_of_intents(tmp_path: Path) -> None:
    """As documented input rows, which have an index; entities with their status may stand beside."""
    row = {**INTENT, "class": "pronoun", "entities": [{"text": "मैं", "status": "substituted"}]}
    found = read_labels(
        write(tmp_path / "labels.jsonl", [row, {**INTENT, "index": 8, "intent_score": 1, "hypothesis": "मैं आता हूँ"}]),
        "intent",
    )
    first, second = found.rows
    assert (first.id, first.language, first.group, first.kept, second.kept) == ("7", "hi", "pronoun", False, True)
    assert first.entities == (("मैं", EntityStatus.SUBSTITUTED),)
    assert not found.unnamed


@pytest.mark.parametrize(
    ("task", "change", "fact"),
    [
        ("semantic", {"labels": None}, "labels must be a list; it is None"),
        ("semantic", {"labels": ["wrong"]}, 'each of labels must be "same" or "error"; one is \'wrong\''),
        ("semantic", {"labels": [["same"]]}, 'each of labels must be "same" or "error"'),
        ("semantic", {"classes": []}, "classes has 0 and labels 1"),
        ("semantic", {"classes": [""]}, "each of classes must be a text that is not empty"),
        ("semantic", {"class": 3}, "class must be a text that is not empty; it is 3"),
        ("semantic", {"ground_truth": "x"}, "needs one of ref_text and ground_truth, and both stand there"),
        ("semantic", {"ref_text": None}, "ref_text must be a text; it is None"),
        ("semantic", {"language": "klingonish"}, "language: there is no language"),
        ("semantic", {"context": []}, "context must be a text"),
        ("semantic", {"id": ""}, "id must be a text that is not empty"),
        ("intent", {}, "intent_score must be 1 (kept) or 0 (lost), as people see it; it is missing"),
        ("intent", {"intent_score": 0.5}, "it is 0.5"),
        ("intent", {"intent_score": True}, "it is True"),
        ("intent", {"intent_score": [1]}, "it is [1]"),
        ("intent", {"intent_score": 1, "entities": {}}, "entities must be a list"),
        ("intent", {"intent_score": 1, "entities": ["dog"]}, 'must be {"text": …, "status": …} and no more'),
        (
            "intent",
            {"intent_score": 1, "entities": [{"text": "dog", "status": "gone"}]},
            "the status of 'dog' must be one of preserved, missing, substituted; it is 'gone'",
        ),
        (
            "intent",
            {"intent_score": 1, "entities": [{"text": each, "status": "missing"} for each in ("Dog", "dog")]},
            "the entity 'dog' is labelled twice",
        ),
    ],
)
def test_slips_are_named(tmp_path: Path, task: str, change: dict[str, object], fact: str) -> None:
    """By file and line, and by what would be right."""
    path = write(tmp_path / "labels.jsonl", [{**MEANING, "id": "u0", "intent_score": 1}, {**MEANING, **change}])
    with pytest.raises(DatasetError) as caught:
        read_labels(path, task)
    assert str(caught.value).startswith(f"{path}:2")
    assert fact in str(caught.value)


@pytest.mark.parametrize(
    ("rows", "fact"),
    [
        ([], "holds no labels"),
        ([MEANING, MEANING], ":2 (u1): the id stands already at line 1"),
        ([{key: value for key, value in MEANING.items() if key != "id"}], ":1: names no utterance"),
        ([{**MEANING, "labels": "same"}], "labels must be a list"),
        ([{key: value for key, value in MEANING.items() if key != "labels"}], "has no labels; give"),
        ([MEANING, {**MEANING, "id": "u2", "language": "EN"}], ":1 (u1): names no language, and others have one"),
        ([{**INTENT, "labels": [], "index": 1.5}], "index must be a whole number; it is 1.5"),
    ],
)
def test_files_that_cannot_be_used(tmp_path: Path, rows: list[object], fact: str) -> None:
    """No rows, an id twice, nobody named."""
    with pytest.raises(DatasetError) as caught:
        read_labels(write(tmp_path / "labels.jsonl", rows), "semantic")
    assert fact in str(caught.value)


def test_the_same_texts_count_once(tmp_path: Path) -> None:
    """Under another id they are no second label, whatever their blanks and class; in another context they are."""
    rows = [
        MEANING,
        {**MEANING, "id": "u2", "ref_text": " walk the  dog", "class": "noun"},
        {**MEANING, "id": "u3", "context": "at the harbour"},
    ]
    found = read_labels(write(tmp_path / "labels.jsonl", rows), "semantic")
    assert [row.id for row in found.rows] == ["u1", "u3"]
    assert found.repeated == 1


@pytest.mark.parametrize(
    ("task", "change"),
    [
        ("semantic", {"labels": ["same"]}),
        ("intent", {"intent_score": 1}),
        ("intent", {"entities": [{"text": "dog", "status": "missing"}]}),
    ],
)
def test_people_who_disagree_are_told(tmp_path: Path, task: str, change: dict[str, object]) -> None:
    """Both lines are named: a judge cannot agree with both."""
    one = {**MEANING, "intent_score": 0, "entities": [{"text": "Dog", "status": "preserved"}]}
    path = write(tmp_path / "labels.jsonl", [one, {**one, "id": "u2", **change}])
    with pytest.raises(DatasetError) as caught:
        read_labels(path, task)
    assert str(caught.value).startswith(f"{path}:2 (u2): has the texts of {path}:1 (u1), and other labels")


def test_one_language_for_all(tmp_path: Path) -> None:
    """The option's language is of every row, whatever it says itself, as for files of hypotheses."""
    found = read_labels(write(tmp_path / "labels.jsonl", [INTENT]), "intent", language="mr")
    assert found.rows[0].language == "mr"
