"""The utterances of a score file, recounted: a row whose figures are not those of its texts is refused."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_asrgate.errors import DatasetError
from pytest_asrgate.formats.rows import number_of, text_of
from pytest_asrgate.metrics.drift import drifted
from pytest_asrgate.metrics.loops import loops
from pytest_asrgate.metrics.normalise import is_null
from pytest_asrgate.metrics.rule import METRICS
from pytest_asrgate.metrics.wer import aligned_errors, counts_of
from pytest_asrgate.records import Counts, RowStatus, UtteranceScore
from pytest_asrgate.values import shown

__all__ = ["AGAIN", "TOLERANCE", "read_utterances", "whole_number"]

AGAIN = "score the hypotheses again"
# Upstream rounds rates to 4 decimals, and percentages to 2; a little more for the floating point itself.
TOLERANCE = 5e-5 + 1e-9

_SPLIT = ("substitutions", "deletions", "insertions")


@dataclass(frozen=True, slots=True)
class _Row:
    """One row before it is recounted; `where` names file and id."""

    where: str
    fields: Mapping[str, Any]
    id: str
    reference: str
    hypothesis: str
    status: RowStatus
    detail: str


def whole_number(fields: Mapping[str, Any], key: str, where: str) -> int:
    """A count; DatasetError for all but whole numbers of 0 or more."""
    value = fields.get(key)
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        found = "missing" if key not in fields else shown(value)
        raise DatasetError(f"{where}: {key} must be a whole number of 0 or more; it is {found}")
    return value


def _rows(path: Path, document: Mapping[str, Any]) -> list[_Row]:
    listed = document.get("per_utterance")
    if not isinstance(listed, list) or not listed:
        what = "has no" if listed is None else "has an empty" if listed == [] else "has an unusable"
        raise DatasetError(f"{path}: {what} per_utterance, a list of objects with id, ref and hyp; {AGAIN}")
    rows: list[_Row] = []
    places: dict[str, int] = {}
    for number, fields in enumerate(listed, start=1):
        where = f"{path}: per_utterance row {number}"
        if not isinstance(fields, dict):
            raise DatasetError(f"{where} must be an object with id, ref and hyp; it is {shown(fields)}")
        identity = text_of(fields, "id", where)
        if not identity:
            raise DatasetError(f"{where}: id must not be empty")
        if identity in places:
            raise DatasetError(f"{where} ({identity}): the id stands already in row {places[identity]}; {AGAIN}")
        places[identity] = number
        where = f"{where} ({identity})"
        reference, hypothesis = text_of(fields, "ref", where), text_of(fields, "hyp", where)
        detail = "" if fields.get("detail") is None else text_of(fields, "detail", where)
        status = RowStatus.OK if fields.get("status") is None else fields["status"]
        if status not in tuple(RowStatus):
            raise DatasetError(f"{where}: status {shown(status)} is none of {', '.join(RowStatus)}")
        number_of(fields, "latency_ms", where)
        rows.append(_Row(where, fields, identity, reference, hypothesis, RowStatus(status), detail))
    return rows


def _check_counts(row: _Row, counts: Counts | None) -> None:
    """DatasetError where the counts that a row names are not those of its texts; any may be left out."""
    given = {key: row.fields[key] for key in (*_SPLIT, "words") if row.fields.get(key) is not None}
    if counts is None:
        if given:
            raise DatasetError(f"{row.where}: an error row has no score and names {', '.join(given)}; {AGAIN}")
        return
    found = {key: whole_number(row.fields, key, row.where) for key in given}
    if found.get("words", counts.words) != counts.words:
        raise DatasetError(f"{row.where}: words is {shown(found['words'])} and its ref has {counts.words}; {AGAIN}")
    # How errors split into kinds depends on the tool; their sum does not.
    errors = [found[key] for key in _SPLIT if key in found]
    if len(errors) == len(_SPLIT) and sum(errors) != counts.errors:
        raise DatasetError(
            f"{row.where}: names {shown(sum(errors))} errors and its texts have {counts.errors}; {AGAIN}"
        )


def _check_rate(row: _Row, counts: Counts | None, metric: str) -> None:
    """DatasetError where the rate that a row names is not that of its texts; it may be left out."""
    other = next(name for name in METRICS if name != metric)
    if other in row.fields:
        raise DatasetError(f"{row.where}: has a {other}, and the file's metric is {metric}; {AGAIN}")
    value = row.fields.get(metric)
    rate = number_of(row.fields, metric, row.where)
    if rate is None:
        return
    if counts is None or not counts.words:
        why = "an error row" if counts is None else "a reference without a letter or digit"
        raise DatasetError(f"{row.where}: {metric} is {shown(value)}, and {why} has none; {AGAIN}")
    if abs(rate - counts.errors / counts.words) > TOLERANCE:
        counted = counts.errors / counts.words
        raise DatasetError(f"{row.where}: {metric} is {shown(value)} and its texts give {counted:.6g}; {AGAIN}")


def _flags(path: Path, document: Mapping[str, Any], rows: Sequence[_Row], key: str, total: str) -> list[bool]:
    """What the rows say of a flag; DatasetError for what is no truth value, and where the total is another."""
    for row in rows:
        if not isinstance(row.fields.get(key, False), bool):
            raise DatasetError(f"{row.where}: {key} must be true or false; it is {shown(row.fields[key])}")
        if row.status is RowStatus.ERROR and row.fields.get(key):
            raise DatasetError(f"{row.where}: an error row has no output, and says {key}; {AGAIN}")
    flags = [bool(row.fields.get(key, False)) for row in rows]
    announced = whole_number(document, total, str(path))
    if announced != sum(flags):
        raise DatasetError(f"{path}: {total} is {shown(announced)} and {sum(flags)} rows say {key}; {AGAIN}")
    return flags


def _tails(
    path: Path, document: Mapping[str, Any], rows: Sequence[_Row], found: Sequence[str], metric: str
) -> list[tuple[bool, bool]]:
    """Loop and drift of each row, aligned as `found` says; what the file does not say the normalised texts do."""
    if "language_drift" in document:
        said = (
            _flags(path, document, rows, "loop", "loops"),
            _flags(path, document, rows, "language_drift", "language_drift"),
        )
        return list(zip(*said, strict=True))
    tails = []
    for row, steps in zip(rows, found, strict=True):
        language = row.fields.get("language") or document.get("language")
        lost = row.status is RowStatus.ERROR
        texts = row.reference, row.hypothesis
        looped = row.status is RowStatus.REPETITION or loops(texts, steps, metric)
        # A file in several languages does not say which a row is in.
        drift = drifted(*texts, language if isinstance(language, str) and "+" not in language else "", steps)
        tails.append((not lost and looped, not lost and drift))
    return tails


def read_utterances(
    path: Path,
    document: Mapping[str, Any],
    metric: str,
    masked: Mapping[str, tuple[str, ...]] | None,
    references: Mapping[str, str],
) -> tuple[UtteranceScore, ...]:
    """The `per_utterance` rows of a score file, their errors counted anew under `metric`.

    `masked` says by id what the normaliser hid, None where that is unknown; `references` are raw texts by id.
    Raises DatasetError by row and id.
    """
    rows = _rows(path, document)
    found = aligned_errors([row.reference for row in rows], [row.hypothesis for row in rows], metric)
    utterances = []
    tails = _tails(path, document, rows, found, metric)
    for row, steps, (loop, drift) in zip(rows, found, tails, strict=True):
        counts = None if row.status is RowStatus.ERROR else counts_of(steps)
        _check_counts(row, counts)
        _check_rate(row, counts, metric)
        utterances.append(
            UtteranceScore(
                id=row.id,
                status=row.status,
                reference=row.reference,
                hypothesis=row.hypothesis,
                counts=counts,
                null_reference=is_null(row.reference),
                detail=row.detail,
                null_hypothesis=is_null(row.hypothesis),
                masked=None if masked is None else masked.get(row.id, ()),
                reference_text=references.get(row.id),
                loop=loop,
                steps=steps if counts else "",
                drift=drift,
            )
        )
    return tuple(utterances)
