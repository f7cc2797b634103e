"""The file of calibrations: what each one found, the newest last, each recounted when it is read."""

import hashlib
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pytest_asrgate.errors import DatasetError, JudgeError, with_mend
from pytest_asrgate.jsonlines import json_text, read_object, write_atomically
from pytest_asrgate.locks import alone, lock_folder
from pytest_asrgate.records.calibration import Agreement, Calibration
from pytest_asrgate.statistics.agreement import agreement_of_counts
from pytest_asrgate.values import finite_number, shown

__all__ = ["SCHEMA", "agreement_entry", "keep_calibration", "newest", "read_calibrations"]

SCHEMA = "asrgate.calibration/1"

# As for cassettes: not beside a file that people commit, and the same for gates that share it.
_LOCKED = Path(os.sep) / "judge calibrations"
_LOCKS_AT_MOST = 64

# Figures are there for people to read; counts are what is read back.
_DIGITS = 4
_SHA256 = re.compile("[0-9a-f]{64}")
_DATE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
_MEND = "calibrate again with asrgate judge --calibrate, or restore the file"


def agreement_entry(found: Agreement) -> dict[str, object]:
    """An agreement as the file has it: its figures, rounded, and how often each label met each."""
    counts: dict[str, dict[str, int]] = {}
    for (human, judge), count in sorted(found.counts.items()):
        counts.setdefault(human, {})[judge] = count
    interval = found.interval
    return {
        "n": found.n,
        "agreement": round(found.agreed / found.n, _DIGITS) if found.n else None,
        "kappa": None if found.kappa is None else round(found.kappa, _DIGITS),
        "ci": None if interval is None else [round(interval.low, _DIGITS), round(interval.high, _DIGITS)],
        "counts": counts,
    }


def _entry(found: Calibration) -> dict[str, object]:
    return {
        "task": found.task,
        "model": found.model,
        "prompt": found.prompt,
        "votes": found.votes,
        "date": found.date,
        "labels_sha256": found.labels,
        **agreement_entry(found.whole),
        "languages": {name: agreement_entry(each) for name, each in found.languages.items()},
        "classes": {name: agreement_entry(each) for name, each in found.classes.items()},
        "rules": agreement_entry(found.by_rules),
        "entities": agreement_entry(found.entities),
        "unlisted": found.unlisted,
        "undecided": found.undecided,
        "served": list(found.served),
    }


def _object(row: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = row.get(key)
    if not isinstance(value, dict):
        raise ValueError(f"{key} must be an object; it is {shown(value) if key in row else 'missing'}")
    return value


def _count(row: Mapping[str, Any], key: str, least: int = 0) -> int:
    value = row.get(key)
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value < 10**12:
        found = shown(value) if key in row else "missing"
        raise ValueError(f"{key} must be a whole number of {least} or more; it is {found}")
    return value


def _text(row: Mapping[str, Any], key: str, pattern: re.Pattern[str] | None = None, what: str = "a text") -> str:
    value = row.get(key)
    if not isinstance(value, str) or not value or (pattern is not None and not pattern.fullmatch(value)):
        raise ValueError(f"{key} must be {what}; it is {shown(value) if key in row else 'missing'}")
    return value


def _agreement(row: Mapping[str, Any]) -> Agreement:
    """What the counts of an entry come to; ValueError where its figures are others."""
    counts: dict[tuple[str, str], int] = {}
    for human, judged in _object(row, "counts").items():
        if not isinstance(judged, dict):
            raise ValueError(f"counts of {shown(human)} must be an object; it is {shown(judged)}")
        counts |= {(human, judge): _count(judged, judge) for judge in judged}
    found = agreement_of_counts(counts)
    if _count(row, "n") != found.n:
        raise ValueError(f"n is {row['n']}, and its counts add up to {found.n}")
    told = row.get("kappa")
    number = finite_number(told)
    good = (told is None) == (found.kappa is None) and (
        found.kappa is None or (number is not None and abs(number - found.kappa) <= 10**-_DIGITS)
    )
    if not good:
        kappa = "undefined" if found.kappa is None else f"{found.kappa:.{_DIGITS}f}"
        raise ValueError(f"kappa is {shown(told)}, and that of its counts is {kappa}")
    return found


def _agreements(row: Mapping[str, Any], key: str) -> dict[str, Agreement]:
    found = {}
    for name in _object(row, key):
        try:
            found[name] = _agreement(_object(row[key], name))
        except ValueError as error:
            raise ValueError(f"{key}, {shown(name)}: {error}") from None
    return found


def _calibration(row: object) -> Calibration:
    """What an entry says; ValueError with a clause that says what is wrong with it."""
    if not isinstance(row, dict):
        raise ValueError(f"must be an object; it is {shown(row)}")
    served = row.get("served")
    if not isinstance(served, list) or not all(isinstance(name, str) for name in served):
        raise ValueError(f"served must be a list of texts; it is {shown(served)}")
    whole, languages = _agreement(row), _agreements(row, "languages")
    if sum(each.n for each in languages.values()) != whole.n:
        raise ValueError("its languages do not add up to all of it")
    return Calibration(
        task=_text(row, "task"),
        model=_text(row, "model"),
        prompt=_text(row, "prompt", _SHA256, "a SHA-256"),
        votes=_count(row, "votes", 1),
        date=_text(row, "date", _DATE, "a date such as 2026-01-31T12:00:00Z"),
        labels=_text(row, "labels_sha256", _SHA256, "a SHA-256"),
        whole=whole,
        languages=languages,
        classes=_agreements(row, "classes"),
        by_rules=_agreement(_object(row, "rules")),
        entities=_agreement(_object(row, "entities")),
        unlisted=_count(row, "unlisted"),
        undecided=_count(row, "undecided"),
        served=tuple(served),
    )


def read_calibrations(path: Path) -> tuple[Calibration, ...]:
    """All calibrations of a file, oldest first; none where there is no file.

    Raises JudgeError naming the file and the entry, from 1, for what cannot be used, and for figures that are not
    those of their counts. Other keys may be a later version's.
    """
    if not os.path.lexists(path):
        return ()
    if path.exists() and not path.is_file():
        raise JudgeError(f"{path}: is no regular file, and so no file of calibrations")
    try:
        document = read_object(path)
    except DatasetError as error:
        raise JudgeError(f"{error}; {_MEND}") from error
    if document.get("schema") != SCHEMA:
        raise JudgeError(
            f"{path}: is no file of calibrations that this version reads: its schema is "
            f"{shown(document.get('schema'))}, not {SCHEMA!r}"
        )
    entries = document.get("calibrations")
    if not isinstance(entries, list):
        raise JudgeError(f"{path}: calibrations must be a list; it is {shown(entries)}")
    found = []
    for number, entry in enumerate(entries, start=1):
        try:
            found.append(_calibration(entry))
        except ValueError as error:
            raise JudgeError(f"{path}: calibration {number}: {error}; {_MEND}") from None
    return tuple(found)


def newest(calibrations: Sequence[Calibration], task: str, model: str, **given: object) -> Calibration | None:
    """The last one of this task and model, and of these other fields where some are given."""
    wanted = {"task": task, "model": model, **given}
    return next(
        (each for each in reversed(calibrations) if all(getattr(each, key) == wanted[key] for key in wanted)), None
    )


def keep_calibration(path: Path, calibration: Calibration) -> Calibration | None:
    """Add a calibration to a file; returns the one of the same task and model before it.

    What was found before stays, also where other processes write meanwhile. One that differs from the newest of
    its kind by nothing but its date is not added again. Raises JudgeError where the file cannot be read or written.
    """
    place = hashlib.sha256(os.fsencode(os.path.realpath(path))).digest()
    folder = lock_folder(_LOCKED, read_only=True)
    with alone(folder, f"calibrations {place[0] % _LOCKS_AT_MOST}", lambda: None):
        before = read_calibrations(path)
        last = newest(before, calibration.task, calibration.model)
        if last is not None and replace(last, date=calibration.date) == calibration:
            return last
        document = {"schema": SCHEMA, "calibrations": [_entry(each) for each in (*before, calibration)]}
        try:
            write_atomically(path, f"{json_text(document, indent=1)}\n")
        except OSError as error:
            sentence = f"{path}: the calibration cannot be written ({error.strerror})"
            raise JudgeError(with_mend(sentence, error)) from error
        return last
