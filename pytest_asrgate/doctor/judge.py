"""How meaning would be judged: which model, and whether its key is there. Never a value of anything secret."""

import json
import os
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from pytest_asrgate.doctor.findings import Finding, fact

__all__ = ["judge"]

# Where litellm looks for the keys of the usual providers.
_KEYS = (
    "OPENAI_API_KEY",
    "ANTHROPIC_API_KEY",
    "GEMINI_API_KEY",
    "AZURE_API_KEY",
    "MISTRAL_API_KEY",
    "OPENROUTER_API_KEY",
    "AWS_ACCESS_KEY_ID",
)
_REFERENCE = re.compile(r"\$\{([^}]*)\}")
# Texts of the table that are no secret; of any other one only that it is set.
_SHOWN = {"model", "mode"}


def _shown(key: str, value: object) -> str:
    if isinstance(value, bool | int | float) or (isinstance(value, str) and key in _SHOWN):
        return f"{key} = {value}"
    return f"{key} is {'set' if value else 'not set'}"


def judge(path: Path | None) -> Iterator[Finding]:
    """The [judge] table as it is written, and the environment variables that are set, by name alone."""
    table: dict[str, object] = {}
    if path is not None and path.is_file():
        # What is wrong with the file is told elsewhere.
        try:
            raw = tomllib.loads(path.read_text(encoding="utf-8-sig"))
        except (OSError, ValueError, RecursionError):
            raw = {}
        table = raw["judge"] if isinstance(raw.get("judge"), dict) else {}
    text = ", ".join(_shown(key, value) for key, value in table.items()) or "no [judge] table"
    yield fact("judge", f"{text}; no judged score is built in this version")
    named = _REFERENCE.findall(json.dumps(table, default=str))
    names = [*dict.fromkeys([*named, *_KEYS])]
    there = [name for name in names if os.environ.get(name)]
    absent = [name for name in names if name not in there]
    yield fact(
        "keys in the environment", f"set: {', '.join(there) or 'none'}; not set: {', '.join(absent) or 'none'}"
    )
