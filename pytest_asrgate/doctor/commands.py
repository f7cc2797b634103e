"""The words of a command against the disk: what can be known without running any of them."""

import os
import re
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.machinery import PathFinder
from importlib.util import find_spec
from pathlib import Path

__all__ = ["Command", "looked_up", "program_in"]

# As in a gate file; these two are the running interpreter.
_OURS = {"python", "python3"}
_PYTHON = re.compile(r"python[0-9.]*(\.exe)?")
# Flags of Python that have a value, which may be the next word.
_VALUED = "WX"


@dataclass(frozen=True, slots=True)
class Command:
    """What a command is: its program and what it runs, in words that hold no argument, and what it lacks."""

    shown: str
    # What there is not, such as "program x"; empty where nothing is known to be missing.
    missing: str = ""
    refused: str = ""


def program_in(word: str, folder: Path) -> Path | None:
    """Where a command that is started in `folder` finds its program; None where nowhere."""
    # As the system does: a word with a slash is a path from there, any other one is looked for on the PATH alone.
    if os.path.dirname(word):  # noqa: PTH120 - "./x" has a folder, which a Path forgets
        path = folder / word
        return path if path.is_file() else None
    found = shutil.which(word)
    return None if found is None else Path(found)


def _has_module(name: str, folder: Path) -> bool:
    """Whether this interpreter, started in `folder`, knows the package or module; nothing of it is run."""
    if PathFinder.find_spec(name, [str(folder)]) is not None:
        return True
    try:
        return find_spec(name) is not None
    except (ImportError, ValueError):
        return False


def _target(words: Sequence[str]) -> tuple[str, str]:
    """What Python would run of these words: ("script", path), ("module", name), or two empty texts."""
    rest = iter(words)
    for word in rest:
        if not word.startswith("-"):
            return "script", word
        if word == "-" or word.startswith("--"):
            return "", ""
        for place, letter in enumerate(word[1:], start=2):
            if letter == "c":
                return "", ""
            if letter == "m":
                return "module", word[place:] or next(rest, "")
            if letter in _VALUED:
                if not word[place:]:
                    next(rest, "")
                break
    return "", ""


def _python(shown: str, words: Sequence[str], folder: Path, *, ours: bool) -> Command:
    """A Python with these words; `ours` is the running one, whose modules are known."""
    kind, name = _target(words)
    if kind == "script":
        return Command(f"{shown} with {name}", "" if (folder / name).exists() else f"{name} beside the gate file")
    if kind == "module" and ours:
        top = name.partition(".")[0]
        missing = "" if _has_module(top, folder) else f"module {top} in this Python"
        return Command(f"{shown} with -m {name}", missing)
    if kind == "module":
        return Command(f"{shown} with -m {name}, which is not looked for in another Python")
    return Command(shown)


def looked_up(words: Sequence[str], folder: Path) -> Command:
    """Look for the program of a command that is started in `folder`, and for the script or module of a Python.

    A module is looked for by its top-level name and in the running interpreter alone, since other ones would have
    to be asked.
    """
    word = words[0]
    ours = word in _OURS
    path = Path(sys.executable) if ours else program_in(word, folder)
    if path is None:
        beside = "" if os.path.dirname(word) or not (folder / word).is_file() else f"; write ./{word}"  # noqa: PTH120 - as above
        return Command(word, f"program {word}{beside}")
    if not os.access(path, os.X_OK):
        return Command(str(path), refused=f"{path} is not executable; allow it with chmod +x")
    if ours or _PYTHON.fullmatch(Path(word).name):
        return _python("this Python" if ours else str(path), words[1:], folder, ours=ours)
    return Command(str(path))
