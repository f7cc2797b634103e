"""What must hold after every kill of torture.py: the store is whole, and nothing that was finished is lost."""

import json
import os
import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

__all__ = ["Violation", "Witness", "alive", "pairs_of", "read_store", "read_witness"]

# (audio, engine, recipe)
Key = tuple[str, str, str]
# (utterance, who was asked for it)
Asked = tuple[str, str]

# What depends on who came first, and on the clock.
_OWN = {"transcribed", "reused", "transcribed_now", "failed_now"}


class Violation(Exception):
    """One sentence that says which promise was broken."""


def alive(marker: str) -> list[int]:
    """Processes whose environment holds `marker`, as children inherit it; those that ended do not count."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if marker.encode() in (process / "environ").read_bytes() and process.name != str(os.getpid()):
                found.append(int(process.name))
        except OSError:
            continue
    return found


@dataclass
class Witness:
    """What was written down since a state folder was made: requests, and ids and texts of rows that were kept."""

    events: int = 0
    asked: Counter[Asked] = field(default_factory=Counter)
    kept: dict[Key, tuple[str, str]] = field(default_factory=dict)
    finished: set[Asked] = field(default_factory=set)


def read_witness(path: Path, makers: Mapping[tuple[str, str], str]) -> Witness:
    """Read the witnesses' file; `makers` names who decodes under an (engine, recipe) of the store.

    Violation where a clip was asked for after its row had been kept.
    """
    found = Witness()
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    for line in lines:
        event = json.loads(line)
        found.events += 1
        if event["event"] == "asked":
            asked = event["id"], event["by"]
            if asked in found.finished:
                raise Violation(f"{event['by']} decoded {event['id']} again, whose row was kept before")
            found.asked[asked] += 1
            continue
        audio, engine, recipe = event["key"]
        found.kept[audio, engine, recipe] = event["id"], event["text"]
        if (engine, recipe) in makers:
            found.finished.add((event["id"], makers[engine, recipe]))
    return found


def read_store(path: Path, truth: Mapping[Key, str] | None = None) -> dict[Key, str]:
    """The text of every row of a store, which must be whole; nothing where there is no store yet.

    Violation for damage, for a row that is not well formed, and for one that `truth` lacks or has otherwise.
    """
    if not path.exists():
        return {}
    connection = sqlite3.connect(path, timeout=60)
    try:
        (health,) = connection.execute("PRAGMA integrity_check").fetchone()
        if health != "ok":
            raise Violation(f"the store is damaged: {health}")
        (schema,) = connection.execute("PRAGMA user_version").fetchone()
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if "hypotheses" not in tables:
            # Killed while it made its first tables, before any row.
            return {}
        rows = connection.execute(
            "SELECT audio, engine, recipe, text, status, latency_ms FROM hypotheses"
        ).fetchall()
        if rows and schema < 1:
            raise Violation(f"the store has rows and the schema {schema}")
    except sqlite3.Error as error:
        raise Violation(f"the store cannot be read: {error}") from error
    finally:
        connection.close()
    texts = {}
    for audio, engine, recipe, text, status, latency in rows:
        if not (audio and engine and recipe and isinstance(text, str) and latency is not None and status == "ok"):
            raise Violation(
                f"a row of the store is not well formed: {(audio, engine, recipe, text, status, latency)}"
            )
        if truth is not None and truth.get((audio, engine, recipe)) != text:
            raise Violation(
                f"a row of the store says {text!r}, the undisturbed run {truth.get((audio, engine, recipe))!r}"
            )
        texts[audio, engine, recipe] = text
    return texts


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        kept = {name: each for name, each in value.items() if not name.endswith("_ms") and name not in _OWN}
        return {name: _plain(each) for name, each in kept.items()}
    if isinstance(value, list):
        return [_plain(each) for each in value]
    return value


def pairs_of(path: Path) -> dict[str, Any] | None:
    """The pairs of a JSON report by name, without timings and counts of what was reused; None without a report.

    Violation for what is no report, also for the stale one that lay there before the run.
    """
    try:
        report = json.loads(path.read_text(encoding="utf-8"))
        pairs: Iterable[dict[str, Any]] = report["pairs"]
        return {f"{pair['variant']}::{pair['dataset']}": _plain(pair) for pair in pairs}
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError) as error:
        raise Violation(f"{path.name} is no report: {error!r}") from error
