"""Human labels for a judge to be held against: one JSON object a line, an utterance with what people said of it.

Texts are `reference` and `hypothesis` as files of hypotheses have them (`ref_text`, `hyp_text`) or as documented
input rows do (`ground_truth`, `hypothesis`); a row is named by `id` or by `index`; `language` and `context` may be
left out. For the task "semantic" `labels` has "same" or "error" for each numbered difference. For "intent"
`intent_score` is 1 or 0, and `entities` may list {"text", "status"}. `class` is a free word for the whole row,
`classes` one for each difference.
"""

import hashlib
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_asrgate.errors import DatasetError
from pytest_asrgate.formats.jsonl import identity_of, is_header, language_of
from pytest_asrgate.jsonlines import read_rows, read_whole
from pytest_asrgate.languages import language_problem
from pytest_asrgate.records import EntityStatus, Label
from pytest_asrgate.values import shown

__all__ = ["LabelledRow", "Labels", "read_labels"]

_REFERENCES = ("ref_text", "ground_truth")
_HYPOTHESES = ("hyp_text", "hypothesis")
_MEANING = (Label.SAME, Label.ERROR)


@dataclass(frozen=True, slots=True)
class LabelledRow:
    """One utterance with its raw texts and its human labels; `place` is its file, line and id.

    `language` is a canonical code. Of the task "semantic" `labels` are those of the differences in their order, and
    `classes` is as long or empty; of the task "intent" `kept` says whether the intent is preserved, and `entities`
    are (text, status) pairs.
    """

    id: str
    place: str
    reference: str
    hypothesis: str
    language: str
    context: str | None
    group: str = ""
    labels: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    kept: bool = False
    entities: tuple[tuple[str, EntityStatus], ...] = ()


@dataclass(frozen=True, slots=True)
class Labels:
    """A file of human labels; `sha256` is of its bytes. `unnamed`: no row names its language, all are English.

    `rows` hold the same texts in the same language and context once; `repeated` rows more have them again, with
    the same labels.
    """

    path: Path
    sha256: str
    rows: tuple[LabelledRow, ...]
    unnamed: bool = False
    repeated: int = 0


def _identity(row: Mapping[str, Any], where: str) -> str:
    index = row.get("index")
    if "id" in row or index is None:
        if "id" not in row:
            raise DatasetError(f"{where}: names no utterance; give it an id, or an index")
        return identity_of(row, where)
    if isinstance(index, bool) or not isinstance(index, int) or abs(index) > 10**15:
        raise DatasetError(f"{where}: index must be a whole number; it is {shown(index)}")
    return str(index)


def _text(row: Mapping[str, Any], keys: Sequence[str], where: str) -> str:
    """The text under the one of these keys that the row has."""
    there = [key for key in keys if key in row]
    if len(there) != 1:
        found = "both stand there" if there else "neither stands there"
        raise DatasetError(f"{where}: needs one of {' and '.join(keys)}, and {found}")
    value = row[there[0]]
    if not isinstance(value, str):
        raise DatasetError(f"{where}: {there[0]} must be a text; it is {shown(value)}")
    return value


def _word(value: object, key: str, where: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise DatasetError(f"{where}: {key} must be a text that is not empty; it is {shown(value)}")
    return value.strip()


def _list(row: Mapping[str, Any], key: str, where: str) -> list[Any]:
    value = row[key]
    if not isinstance(value, list):
        raise DatasetError(f"{where}: {key} must be a list; it is {shown(value)}")
    return value


def _labels(row: Mapping[str, Any], where: str) -> tuple[str, ...]:
    if "labels" not in row:
        raise DatasetError(
            f'{where}: has no labels; give "same" or "error" for each numbered difference, [] for none'
        )
    for label in _list(row, "labels", where):
        if not isinstance(label, str) or label not in set(_MEANING):
            raise DatasetError(f'{where}: each of labels must be "same" or "error"; one is {shown(label)}')
    return tuple(row["labels"])


def _classes(row: Mapping[str, Any], labels: Sequence[str], where: str) -> tuple[str, ...]:
    if row.get("classes") is None:
        return ()
    classes = tuple(_word(each, "each of classes", where) for each in _list(row, "classes", where))
    if len(classes) != len(labels):
        raise DatasetError(f"{where}: classes has {len(classes)} and labels {len(labels)}; give one for each label")
    return classes


def _kept(row: Mapping[str, Any], where: str) -> bool:
    score = row.get("intent_score")
    if isinstance(score, bool) or not isinstance(score, int | float) or score not in {0, 1}:
        found = shown(score) if "intent_score" in row else "missing"
        raise DatasetError(f"{where}: intent_score must be 1 (kept) or 0 (lost), as people see it; it is {found}")
    return score == 1


def _entity(entity: object, where: str) -> tuple[str, EntityStatus]:
    if not isinstance(entity, dict) or set(entity) != {"text", "status"}:
        raise DatasetError(
            f'{where}: each of entities must be {{"text": …, "status": …}} and no more; one is {shown(entity)}'
        )
    text, status = _word(entity["text"], "an entity's text", where), entity["status"]
    if not isinstance(status, str) or status not in set(EntityStatus):
        raise DatasetError(
            f"{where}: the status of {shown(text)} must be one of {', '.join(EntityStatus)}; it is {shown(status)}"
        )
    return text, EntityStatus(status)


def _entities(row: Mapping[str, Any], where: str) -> tuple[tuple[str, EntityStatus], ...]:
    if row.get("entities") is None:
        return ()
    found = tuple(_entity(each, where) for each in _list(row, "entities", where))
    texts = [text.casefold() for text, _ in found]
    twice = next((text for text in texts if texts.count(text) > 1), None)
    if twice is not None:
        raise DatasetError(f"{where}: the entity {shown(twice)} is labelled twice")
    return found


def _row(row: Mapping[str, Any], task: str, where: str, identity: str, language: str | None) -> LabelledRow:
    context = row.get("context")
    if context is not None and not isinstance(context, str):
        raise DatasetError(f"{where}: context must be a text; it is {shown(context)}")
    named = language or language_of(row, where) or "en"
    problem = language_problem(named)
    if problem:
        raise DatasetError(f"{where}: language: {problem}")
    labels = _labels(row, where) if task == "semantic" else ()
    return LabelledRow(
        id=identity,
        place=where,
        reference=_text(row, _REFERENCES, where),
        hypothesis=_text(row, _HYPOTHESES, where),
        language=named,
        context=context,
        group="" if row.get("class") is None else _word(row["class"], "class", where),
        labels=labels,
        classes=_classes(row, labels, where),
        kept=_kept(row, where) if task == "intent" else False,
        entities=_entities(row, where) if task == "intent" else (),
    )


def _texts(row: LabelledRow) -> tuple[str, ...]:
    """What makes two rows the same question: texts, language and context, whatever their blanks."""
    texts = (row.reference, row.hypothesis, row.language, row.context or "")
    return tuple(" ".join(unicodedata.normalize("NFC", text).split()) for text in texts)


def _said(row: LabelledRow) -> tuple[object, ...]:
    """What people say of a row, entities in any order."""
    return row.labels, row.kept, {(text.casefold(), status) for text, status in row.entities}


def _each_once(rows: Sequence[LabelledRow]) -> tuple[LabelledRow, ...]:
    """The rows without those that only say again what an earlier one says; DatasetError where they disagree."""
    known: dict[tuple[str, ...], LabelledRow] = {}
    for row in rows:
        first = known.setdefault(_texts(row), row)
        if _said(first) != _said(row):
            raise DatasetError(
                f"{row.place}: has the texts of {first.place}, and other labels; agree on one of them, and delete "
                "the other"
            )
    return tuple(known.values())


def read_labels(path: Path, task: str, *, language: str | None = None) -> Labels:
    """Read the labels of one task, "semantic" or "intent"; `language`, a canonical code, goes before the rows' own.

    Raises DatasetError by file, line and id for a row that cannot be used, an id that stands twice, one row without
    a language among others that name theirs, texts that are labelled twice and differently, and a file without
    rows.
    """
    sha256 = hashlib.sha256(read_whole(path)).hexdigest()
    rows: list[LabelledRow] = []
    lines: dict[str, int] = {}
    unnamed: list[str] = []
    for number, row in read_rows(path):
        if is_header(row):
            continue
        identity = _identity(row, f"{path}:{number}")
        where = f"{path}:{number} ({identity})"
        if identity in lines:
            raise DatasetError(f"{where}: the id stands already at line {lines[identity]}; ids must be unique")
        lines[identity] = number
        rows.append(_row(row, task, where, identity, language))
        if language is None and row.get("language") is None:
            unnamed.append(where)
    if not rows:
        raise DatasetError(f"{path}: holds no labels; give at least one row")
    if 0 < len(unnamed) < len(rows):
        raise DatasetError(f"{unnamed[0]}: names no language, and others have one; name it, or all with --language")
    once = _each_once(rows)
    return Labels(path, sha256, once, bool(unnamed), len(rows) - len(once))
