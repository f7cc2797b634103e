"""Results of pure functions of texts, remembered under all that they depend on."""

import hashlib
import os
import platform
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Protocol

from pytest_asrgate.errors import StoreError

__all__ = ["ForgivingMemory", "TextMemory", "VersionedMemory", "code_digest"]


class TextMemory(Protocol):
    """Where results of functions of texts are remembered, by the function's name and the text."""

    def find_texts(self, function: str, texts: Iterable[str]) -> Mapping[str, str]:
        """The results that are known, by text."""
        ...

    def keep_texts(self, function: str, results: Mapping[str, str]) -> None:
        """Remember results by text."""
        ...


class VersionedMemory(Protocol):
    """A memory that may let go of what older versions of the code have found."""

    def find_texts(self, function: str, texts: Iterable[str], version: str = "") -> Mapping[str, str]:
        """The results that are known, by text."""
        ...

    def keep_texts(self, function: str, results: Mapping[str, str], version: str = "") -> None:
        """Remember results by text."""
        ...


class ForgivingMemory:
    """A memory that may fail: from then on it knows nothing, and whoever asks computes what it would have saved.

    Anything but a StoreError or an OSError is raised as it comes. What is kept belongs to this version of the code.
    """

    def __init__(self, memory: Callable[[], VersionedMemory]) -> None:
        self._memory: Callable[[], VersionedMemory] | None = memory

    def find_texts(self, function: str, texts: Iterable[str]) -> Mapping[str, str]:
        """The results that are known, by text; none where they cannot be read."""
        if self._memory is not None:
            try:
                return self._memory().find_texts(function, texts, code_digest())
            except (StoreError, OSError):
                self._memory = None
        return {}

    def keep_texts(self, function: str, results: Mapping[str, str]) -> None:
        """Remember results by text, where that is possible."""
        if self._memory is not None:
            try:
                self._memory().keep_texts(function, results, code_digest())
            except (StoreError, OSError):
                self._memory = None


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
