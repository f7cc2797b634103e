"""Results of pure functions of texts, remembered under all that they depend on."""

import hashlib
import os
import platform
from collections.abc import Iterable, Mapping
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Protocol

__all__ = ["TextMemory", "code_digest"]


class TextMemory(Protocol):
    """Where results of functions of texts are remembered, by the function's name and the text."""

    def find_texts(self, function: str, texts: Iterable[str]) -> Mapping[str, str]:
        """The results that are known, by text."""
        ...

    def keep_texts(self, function: str, results: Mapping[str, str]) -> None:
        """Remember results by text."""
        ...


def _installed(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "absent"


@lru_cache(maxsize=1)
def code_digest() -> str:
    """SHA-256 over the code of this room and the versions of what it calls; part of every function's name.

    An edit need not raise a version, and Python's Unicode tables change with Python: nothing older is found then.
    """
    total = hashlib.sha256(platform.python_version().encode())
    for package in ("jiwer", "py3langid", "rapidfuzz", "regex", "whisper-normalizer"):
        total.update(f"{package} {_installed(package)}\n".encode())
    room = Path(__file__).parent
    try:
        for path in (*sorted(room.glob("*.py")), room.with_name("languages.py")):
            total.update(path.name.encode() + b"\0" + path.read_bytes())
    except OSError:
        # Inside an archive the code cannot be told, so nothing is found again.
        total.update(os.urandom(32))
    return total.hexdigest()
