"""Every kind of transcriber: is it here, which one is it, and what installs it. No model is ever loaded."""

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from pytest_asrgate.config import Gate, TranscriberSettings
from pytest_asrgate.doctor.commands import looked_up
from pytest_asrgate.doctor.findings import Finding, fact, problem
from pytest_asrgate.doctor.programs import PYTHON, ask, find_program
from pytest_asrgate.errors import EngineMissingError
from pytest_asrgate.transcribers.registry import KINDS
from pytest_asrgate.transcribers.transcribe_cli import NEEDED_FLAGS
from pytest_asrgate.transcribers.transcribe_cpp import check_installed

__all__ = ["command_lines", "kinds_in_use", "native_command_lines", "transcribe_cpp", "used_by"]

_TIMEOUT_S = 60.0
_HELP_TIMEOUT_S = 30.0
# Loads the native library, as a worker does, and asks it for its devices; no model is touched. Short lines, since
# of a long one only the end is kept, and none with a bar, which joins them.
_LOOK = """
import json, transcribe_cpp as library
def short(word):
    return word[:60].replace("|", "/") if isinstance(word, str) else word
def say(**words):
    print(json.dumps({key: short(word) for key, word in words.items()}))
say(version=library.native_version(), commit=library.native_commit(), provider=library.native_provider())
for each in library.backends():
    say(device=str(each.kind), description=each.description or each.name, memory=each.memory_total)
"""
# What one generation of the program has and another has not.
_BY_GENERATION = ("--batch-size", "--kv-type", "--condition-on-prev-tokens")


def used_by(gate: Gate | None, kind: str) -> dict[str, TranscriberSettings]:
    """The gate's transcribers of this kind that a variant uses, by name."""
    variants = gate.variants.values() if gate is not None else ()
    return {each.transcriber.name: each.transcriber for each in variants if each.transcriber.kind == kind}


def _folder(gate: Gate | None) -> Path:
    """Where programs are looked for that the gate names."""
    return gate.path.parent if gate is not None else Path()


def kinds_in_use(gate: Gate | None) -> Iterator[Finding]:
    """The kinds that this version knows, and those that the gate uses."""
    users = {kind: [*used_by(gate, kind)] for kind in KINDS}
    named = [f"{kind} (used by {', '.join(names)})" if names else kind for kind, names in users.items()]
    yield fact("kinds", ", ".join(named))


def _objects(lines: str) -> Iterator[Mapping[str, object]]:
    """The JSON objects among lines that are joined by bars."""
    for line in lines.split(" | "):
        with suppress(ValueError):
            found = json.loads(line)
            if isinstance(found, dict):
                yield found


def _device(found: Mapping[str, object]) -> Finding:
    memory = found.get("memory")
    size = f", {memory / 1e6:,.0f} MB" if isinstance(memory, int) and memory > 0 else ""
    return fact("transcribe-cpp device", f"{found['device']}: {found.get('description')}{size}")


def transcribe_cpp(gate: Gate | None) -> Iterator[Finding]:
    """The binding, its native library, and the devices that the library sees."""
    name = "transcribe-cpp"
    users = used_by(gate, name)
    try:
        binding = check_installed()
    except EngineMissingError as error:
        yield problem(name, f"{error}; used by {', '.join(users)}") if users else fact(name, error)
        return
    for variable in sorted(key for key in os.environ if key.startswith("TRANSCRIBE_")):
        yield fact(variable, "set, which makes it another engine")
    said, failure = ask([*PYTHON, _LOOK], _TIMEOUT_S, lines=200)
    found = [*_objects(said)]
    if failure or not found:
        why = f": {said[-300:]}" if said else ""
        yield problem(
            name, f"{binding}, whose native library {failure or 'said nothing of itself'}{why}; install it again"
        )
        return
    version, commit, provider = (found[0].get(key, "unknown") for key in ("version", "commit", "provider"))
    yield fact(name, f"{binding}, library {version} ({commit}) of {provider}")
    yield from (_device(each) for each in found if "device" in each)


def _program(settings: TranscriberSettings, word: str, folder: Path) -> tuple[Path | None, Finding | None]:
    """The executable that a transcriber names, or the problem with it."""
    key = f"transcriber.{settings.name}"
    # As a run does: a file beside the gate file comes before the PATH.
    beside = folder / word
    path = beside if beside.is_file() else find_program(word)
    if path is None:
        return None, problem(
            key, f"{settings.kind}: there is no program {word}; build or install it, or mend the path"
        )
    if not os.access(path, os.X_OK):
        return None, problem(key, f"{settings.kind}: {path} is not executable; allow it with chmod +x")
    return path, None


def _help(name: str, path: Path) -> Finding:
    """What a program's --help says of its generation."""
    said, failure = ask([str(path), "--help"], _HELP_TIMEOUT_S, lines=1000)
    flags = {word for word in said.replace(",", " ").replace("|", " ").split() if word.startswith("-")}
    lacking = [flag for flag in NEEDED_FLAGS if flag not in flags]
    if lacking:
        how = f"its --help {failure} and" if failure else "its --help"
        return problem(
            name, f"{path} is no transcribe-cli that can be used: {how} does not name {', '.join(lacking)}"
        )
    has = [flag for flag in _BY_GENERATION if flag in flags]
    missing = [flag for flag in _BY_GENERATION if flag not in flags]
    ways = [f"has {', '.join(has)}"] * bool(has) + [f"lacks {', '.join(missing)}"] * bool(missing)
    return fact(name, f"{path}, of a generation that {' and '.join(ways)}")


def native_command_lines(gate: Gate | None) -> Iterator[Finding]:
    """Each transcribe-cli of the gate, or the one on the PATH, and what generation it is of."""
    users = used_by(gate, "transcribe-cli")
    for settings in users.values():
        path, wrong = _program(settings, str(settings.options["path"]), _folder(gate))
        if wrong is not None:
            yield wrong
        elif path is not None:
            yield _help(f"transcriber.{settings.name}", path)
    if not users:
        path = find_program("transcribe-cli")
        if path is None:
            yield fact("transcribe-cli", "none on the PATH; it is built from transcribe.cpp, no package has it")
        else:
            yield _help("transcribe-cli", path)


def command_lines(gate: Gate | None) -> Iterator[Finding]:
    """Each program of kind "command"; what else its words hold may be a secret, and is not shown."""
    users = used_by(gate, "command")
    for settings in users.values():
        option = settings.options["command"]
        words = [str(word) for word in option] if isinstance(option, list) else []
        found = looked_up(words, _folder(gate))
        key = f"transcriber.{settings.name}"
        if found.missing:
            yield problem(key, f"command: there is no {found.missing}; install it, or mend options.command")
        elif found.refused:
            yield problem(key, f"command: {found.refused}")
        else:
            yield fact(key, f"command: {found.shown}")
    if not users:
        yield fact("command", "any program that speaks our JSON lines; no transcriber of the gate names one")
    if not used_by(gate, "replay"):
        yield fact("replay", "nothing to install; no transcriber of the gate reads stored hypotheses")
