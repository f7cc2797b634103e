"""SHA-256 of files, read in pieces so that a model of any size needs no memory."""

import hashlib
from collections.abc import Iterable
from pathlib import Path

__all__ = ["combined_sha256", "file_sha256"]


def file_sha256(path: Path) -> str:
    """Hexadecimal SHA-256 of a file's bytes; OSError as it comes."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def combined_sha256(paths: Iterable[Path]) -> str:
    """One SHA-256 over names and contents of several files, in the order of their names."""
    total = hashlib.sha256()
    for path in sorted(paths, key=lambda path: path.name):
        total.update(f"{path.name}\0{file_sha256(path)}\n".encode())
    return total.hexdigest()
