"""The file of calibrations: what each one found, the newest last, each recounted when it is read."""

import hashlib
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from pytest_asrgate.errors import DatasetError, JudgeError, with_mend
from pytest_asrgate.jsonlines import json_text, read_object, write_atomically
from pytest_asrgate.locks import alone, lock_folder
from pytest_asrgate.records.calibration import Agreement, Calibration, Replies
from pytest_asrgate.statistics.agreement import agreement_of_counts
from pytest_asrgate.values import finite_number, shown

__all__ = [
    "SCHEMA",
    "agreement_entry",
    "keep_calibration",
    "newest",
    "outdated",
    "read_calibrations",
    "same_finding",
]

SCHEMA = "asrgate.calibration/1"

# As for cassettes: not beside a file that people commit, and the same for gates that share it.
_LOCKED = Path(os.sep) / "judge calibrations"
_LOCKS_AT_MOST = 64

# Figures are there for people to read; counts are what is read back.
_DIGITS = 4
_TOLERANCE = 1e-4
_SHA256 = re.compile("[0-9a-f]{64}")
_DATE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", re.ASCII)
# Clocks differ, but no calibration comes from tomorrow's tomorrow.
_AHEAD = timedelta(days=1)
_MODES = ("replay", "record", "live")
_MEND = "restore the file, or delete it and calibrate again with asrgate judge --calibrate"


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
        "replies": {
            "mode": found.replies.mode,
            "fresh": found.replies.fresh,
            "replayed": found.replies.replayed,
            "first": found.replies.first,
            "last": found.replies.last,
        },
        **agreement_entry(found.whole),
        "scored": agreement_entry(found.scored),
        "languages": {name: agreement_entry(each) for name, each in found.languages.items()},
        "classes": {name: agreement_entry(each) for name, each in found.classes.items()},
        "rules": agreement_entry(found.by_rules),
        "entities": agreement_entry(found.entities),
        "entity_languages": {name: agreement_entry(each) for name, each in found.entity_languages.items()},
        "entities_scored": agreement_entry(found.entities_scored),
        "entity_rules": agreement_entry(found.entities_by_rules),
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


def _date(row: Mapping[str, Any], key: str) -> str:
    text = _text(row, key, _DATE, "a date such as 2026-01-31T12:00:00Z")
    try:
        date = datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
    except ValueError:
        raise ValueError(f"{key} must be a date that there is; it is {shown(text)}") from None
    if date > datetime.now(UTC) + _AHEAD:
        raise ValueError(f"{key} must not be in the future; it is {shown(text)}")
    return text


def _replies(row: Mapping[str, Any]) -> Replies:
    entry = _object(row, "replies")
    try:
        mode = _text(entry, "mode")
        if mode not in _MODES:
            raise ValueError(f"mode must be one of {', '.join(_MODES)}; it is {shown(mode)}")
        found = Replies(
            mode, _count(entry, "fresh"), _count(entry, "replayed"), _date(entry, "first"), _date(entry, "last")
        )
    except ValueError as error:
        raise ValueError(f"replies: {error}") from None
    if not found.fresh + found.replayed:
        raise ValueError("replies: fresh and replayed are both 0, and figures need replies")
    if found.replayed and mode == "live":
        raise ValueError(f'replies: replayed is {found.replayed}, and mode "live" replays nothing')
    if found.fresh and mode == "replay":
        raise ValueError(f'replies: fresh is {found.fresh}, and mode "replay" asks nobody')
    if found.first > found.last:
        raise ValueError(f"replies: first, {found.first}, is after last, {found.last}")
    return found


def _is_near(told: object, found: float | None) -> bool:
    """Whether a figure is the one of its counts, as far as it is written down."""
    number = finite_number(told)
    if found is None or number is None:
        return told is None and found is None
    return abs(number - found) <= _TOLERANCE


def _figure(found: float | None) -> str:
    return "undefined" if found is None else f"{found:.{_DIGITS}f}"


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
    for key, figure in (("agreement", found.agreed / found.n if found.n else None), ("kappa", found.kappa)):
        if key not in row or not _is_near(row[key], figure):
            raise ValueError(f"{key} is {shown(row.get(key))}, and that of its counts is {_figure(figure)}")
    told, interval = row.get("ci"), found.interval
    bounds = [interval.low, interval.high] if interval else []
    given = told if isinstance(told, list) else []
    good = (interval is None) == (told is None) and len(given) == len(bounds)
    if "ci" not in row or not good or not all(map(_is_near, given, bounds)):
        ci = f"[{', '.join(map(_figure, bounds))}]" if bounds else "undefined"
        raise ValueError(f"ci is {shown(told)}, and that of its counts is {ci}")
    return found


def _agreement_of(row: Mapping[str, Any], key: str) -> Agreement:
    """The agreement under a key, which a ValueError names."""
    entry = _object(row, key)
    try:
        return _agreement(entry)
    except ValueError as error:
        raise ValueError(f"{key}: {error}") from None


def _sums(found: Iterable[Agreement]) -> tuple[int, int]:
    """How many labels there are, and how many of them agree."""
    every = list(found)
    return sum(each.n for each in every), sum(each.agreed for each in every)


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
    scored, entities = _agreement_of(row, "scored"), _agreement_of(row, "entities")
    entity_languages, entities_scored = _agreements(row, "entity_languages"), _agreement_of(row, "entities_scored")
    for name, parts, all_of_it in (
        ("languages", languages, whole),
        ("entity_languages", entity_languages, entities),
    ):
        if _sums(parts.values()) != _sums([all_of_it]):
            raise ValueError(f"its {name} do not add up to all of it")
    for name, same, all_of_it in (("scored", scored, whole), ("entities_scored", entities_scored, entities)):
        if same.n != all_of_it.n:
            raise ValueError(f"{name} has {same.n} labels, and the judge was asked about {all_of_it.n} of them")
    date, replies = _date(row, "date"), _replies(row)
    return Calibration(
        task=_text(row, "task"),
        model=_text(row, "model"),
        prompt=_text(row, "prompt", _SHA256, "a SHA-256"),
        votes=_count(row, "votes", 1),
        date=date,
        labels=_text(row, "labels_sha256", _SHA256, "a SHA-256"),
        replies=replies,
        whole=whole,
        scored=scored,
        languages=languages,
        classes=_agreements(row, "classes"),
        by_rules=_agreement_of(row, "rules"),
        entities=entities,
        entity_languages=entity_languages,
        entities_scored=entities_scored,
        entities_by_rules=_agreement_of(row, "entity_rules"),
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
    """The one with the newest replies of this task and model, and of these other fields where some are given.

    Replies are as old as the first of them. Of those that are as new, the last in the file.
    """
    wanted = {"task": task, "model": model, **given}
    fit = [each for each in reversed(calibrations) if all(getattr(each, key) == wanted[key] for key in wanted)]
    return max(fit, key=lambda each: each.replies.first, default=None)


def outdated(found: Calibration, before: Calibration | None) -> bool:
    """Whether a calibration replays replies from before those that the judge gave later, as `before` has it.

    A judge that drifted would look as it was. Replies of mode "live" are in no cassette, so that what is replayed
    is none of them, and older, also in the same second.
    """
    if before is None or before.prompt != found.prompt or not found.replies.replayed:
        return False
    if before.replies.mode == "live":
        return found.replies.first <= before.replies.first
    return found.replies.first < before.replies.first


def same_finding(one: Calibration, other: Calibration) -> bool:
    """Whether two calibrations have the same figures of the same replies, whenever and however these were read."""
    first, second = one.replies, other.replies
    if (first.first, first.last, first.fresh + first.replayed) != (
        second.first,
        second.last,
        second.fresh + second.replayed,
    ):
        return False
    return replace(one, date=other.date, replies=second) == other


def keep_calibration(path: Path, calibration: Calibration) -> Calibration | None:
    """Add a calibration to a file; returns the one of the same task and model before it.

    What was found before stays, also where other processes write meanwhile. One that differs from the newest of
    its kind by nothing but its date is not added again, and one that is `outdated` by what is returned is not added
    at all. Raises JudgeError where the file cannot be read or written, and where it could not be read again.
    """
    try:
        _calibration(_entry(calibration))
    except ValueError as error:
        raise JudgeError(f"{path}: the calibration cannot be kept: {error}") from None
    place = hashlib.sha256(os.fsencode(os.path.realpath(path))).digest()
    folder = lock_folder(_LOCKED, read_only=True)
    with alone(folder, f"calibrations {place[0] % _LOCKS_AT_MOST}", lambda: None):
        before = read_calibrations(path)
        alike = newest(before, calibration.task, calibration.model, prompt=calibration.prompt)
        if outdated(calibration, alike):
            return alike
        last = newest(before, calibration.task, calibration.model)
        if last is not None and same_finding(last, calibration):
            return last
        document = {"schema": SCHEMA, "calibrations": [_entry(each) for each in (*before, calibration)]}
        try:
            write_atomically(path, f"{json_text(document, indent=1)}\n")
        except OSError as error:
            sentence = f"{path}: the calibration cannot be written ({error.strerror})"
            raise JudgeError(with_mend(sentence, error)) from error
        return last
