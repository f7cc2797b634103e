"""What a gate file may hold without harm: wrong types in each place, NaN, odd names, ten thousand of anything."""

import math
import os
import threading
import typing
from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from pytest_asrgate.config import Thresholds
from pytest_asrgate.config.schema import GateFile
from pytest_asrgate.errors import GateFileError
from pytest_asrgate.session import open_gate
from tests.integration.conftest import GateProject
from tests.unit.properties import toml

BASE: Mapping[str, Any] = {
    "gate": {"baseline": "f32"},
    "transcriber": {"t": {"kind": "replay", "options": {"hypotheses": "h.jsonl"}}},
    "variant": {"f32": {}, "q8": {"dataset": {"d": {}}}},
    "dataset": {"d": {"manifest": "m.jsonl", "slice": {"a": {}}}},
}
# What a TOML file can hold, by what it looks like there.
VALUES: Mapping[str, object] = {
    '"text"': "no word of ours",
    '""': "",
    '" "': " ",
    "text with escapes": "\x1b]52;c;eA==\x07\u202e\r\n\x9b2J",
    "text with NUL": "a\0b",
    "path": "../../etc/passwd",
    "0": 0,
    "-1": -1,
    "1.5": 1.5,
    "-1.5": -1.5,
    "10^400": 10**400,
    "-10^400": -(10**400),
    "nan": math.nan,
    "inf": math.inf,
    "-inf": -math.inf,
    "true": True,
    "false": False,
    "[]": [],
    "[nan]": [math.nan],
    "[[[]]]": [[[]]],
    '["off", 1]': ["off", 1],
    "{}": {},
    "{ regex = nan }": {"regex": math.nan},
    "{ x = inf }": {"x": math.inf},
    "date": date(2026, 1, 1),
    "date and time": datetime(2026, 1, 1),  # noqa: DTZ001 - TOML has times without a zone
}
# Names that stand for any name in the tables of named tables.
NAMES = {"transcriber": "t", "variant": "q8", "dataset": "d", "slice": "a"}


def _places(model: type[BaseModel], above: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The path of each table and each key that the schema knows."""
    for name, field in model.model_fields.items():
        here = (*above, name)
        yield here
        kind: Any = field.annotation
        if typing.get_origin(kind) is dict and name in NAMES:
            here = (*here, NAMES[name])
            yield here
            kind = typing.get_args(kind)[1]
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            yield from _places(kind, here)


PLACES = list(_places(GateFile))


def _set(where: tuple[str, ...], value: object) -> str:
    """The base file as text, with one value in one place."""

    def copied(table: Mapping[str, Any]) -> dict[str, Any]:
        return {key: copied(item) if isinstance(item, dict) else item for key, item in table.items()}

    content = copied(BASE)
    table = content
    for part in where[:-1]:
        table = table.setdefault(part, {})
    table[where[-1]] = value
    return "".join(f"{key} = {toml(item)}\n" for key, item in content.items())


def _refused(path: Path) -> GateFileError | None:
    """Why a file is refused, None where it is a good one; anything but our own error ends the test."""
    try:
        open_gate(path)
    except GateFileError as error:
        return error
    return None


def _refusal(path: Path, text: str | bytes) -> str | None:
    """The same of a text, in words."""
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    error = _refused(path)
    return None if error is None else str(error)


def _check(message: str, path: Path) -> None:
    """A refusal names the file, is of bearable size and moves no cursor."""
    first, *lines = message.split("\n")
    assert first.startswith(f"{path}: ")
    assert 1 <= len(lines) <= 51
    assert all(line.startswith("  ") and len(line) <= 1001 and line.isprintable() for line in lines), lines


@pytest.mark.parametrize("where", [place for place in PLACES if "thresholds" not in place[1:-1]], ids=".".join)
def test_any_value_in_any_place_is_taken_or_refused_by_name(tmp_path: Path, where: tuple[str, ...]) -> None:
    """Whatever stands at a key that the schema knows, it is a good value or one sentence names the key."""
    refused = 0
    for value in VALUES.values():
        message = _refusal(tmp_path / "gate.toml", _set(where, value))
        if message is not None:
            refused += 1
            _check(message, tmp_path / "gate.toml")
            last = NAMES.get(where[-1], where[-1])
            assert where[0] in message
            assert last in message or where[-1] in message
    assert refused > len(VALUES) / 3


@pytest.mark.parametrize("level", [place for place in PLACES if place[-1] == "thresholds"], ids=".".join)
def test_no_limit_is_a_number_that_decides_nothing(tmp_path: Path, level: tuple[str, ...]) -> None:
    """NaN, infinities, negative and huge numbers are refused as a limit at every level; a NaN would pass all."""
    for value in (math.nan, math.inf, -math.inf, -1, 10**400):
        message = _refusal(tmp_path / "gate.toml", _set(level, dict.fromkeys(Thresholds.model_fields, value)))
        assert message is not None
        for key in Thresholds.model_fields:
            assert f"  {'.'.join(level)}.{key}: must be " in message


GOOD = """[transcriber.t]
kind = "replay"
options = { hypotheses = "h.jsonl" }
[variant.f32]
[dataset.d]
manifest = "m.jsonl"
"""


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("", ["variant: give at least one", "dataset: give at least one", "transcriber: give at least one"]),
        ("# nothing\n\n# but words", ["variant: give at least one"]),
        (GOOD + "[variant.f32]\n", ["TOML syntax", "line 7"]),
        (GOOD + "\0", ["TOML syntax", "line 7"]),
        (GOOD.encode() + b"\xff", ["line 7", "not UTF-8"]),
        (GOOD.encode("utf-16"), ["line 1", "not UTF-8"]),
        ('{"variant": 1}', ["TOML syntax"]),
        (b"\x7fELF\x02\x01\x01", ["TOML syntax"]),
        ("a = " + "[" * 100_000, ["TOML syntax", "recursion"]),
        ("a = " + "{a = " * 5_000, ["TOML syntax", "recursion"]),
        ("[" + ".".join(["a"] * 5_000) + "]\n", ["nested more than 50 deep"]),
        (GOOD.replace("[variant", "x" + ".a" * 3_000 + " = 1\n[variant"), ["nested more than 50 deep"]),
        (GOOD.replace("hypotheses", "x = " + "[" * 60 + "]" * 60 + ", hypotheses"), ["nested more than 50 deep"]),
        (GOOD + f"[thresholds]\nwer = {'9' * 5_000}\n", ["TOML syntax", "4300 digits"]),
        (GOOD + f'"{"k" * 100_000}" = 1\n', ["dataset.d.kkkk", "unknown key"]),
        (GOOD + f'language = "${{{"k" * 100_000}}}"\n', ["dataset.d.language", "is not set"]),
        (GOOD + f'[variant.b]\nbaseline = "{"x" * 100_000}"\n', ["variant.b.baseline", "there is no variant"]),
        (GOOD + '"\\u001b[31m\\n  evil: \\u202e" = 1\n', [r"dataset.d.'\x1b[31m\n  evil: \u202e': unknown key"]),
        (GOOD + '[variant.q8]\nbaseline = "q8"\n[gate]\nbaseline = "f32"', ["variant.q8.baseline", "itself"]),
        (
            GOOD + '[gate]\nbaseline = { accepted = "gate.toml" }',
            ["gate.baseline: accepted baselines are not built"],
        ),
    ],
    ids=lambda value: repr(value)[:24] if isinstance(value, str | bytes) else None,
)
def test_a_file_that_is_no_gate_is_refused_in_a_few_lines(
    tmp_path: Path, text: str | bytes, facts: list[str]
) -> None:
    """Empty, not UTF-8, no TOML, nested without end, with keys of any length: one short message with the place."""
    message = _refusal(tmp_path / "gate.toml", text)
    assert message is not None
    _check(message, tmp_path / "gate.toml")
    assert [fact for fact in facts if fact not in message] == []


def test_what_editors_add_is_fine(tmp_path: Path) -> None:
    """A byte order mark and line ends of Windows change nothing."""
    assert _refusal(tmp_path / "gate.toml", ("\ufeff" + GOOD).replace("\n", "\r\n")) is None


@pytest.mark.parametrize("kind", ["variant", "dataset", "transcriber"])
@pytest.mark.parametrize(
    "name", ["../x", "a/b", "/etc/passwd", ".", "..", "a\\b", "a\0", "", "é", "a\n", "a\u202eb", "x" * 101]
)
def test_a_name_that_is_a_path_is_no_name(tmp_path: Path, kind: str, name: str) -> None:
    """Names become parts of file names and node ids: what could be more than a part is refused in every table."""
    text = GOOD + f'[{kind}.{toml(name)}]\n{"manifest" if kind == "dataset" else "model"} = "m"\n'
    message = _refusal(tmp_path / "gate.toml", text)
    assert message is not None
    _check(message, tmp_path / "gate.toml")
    assert f"  {kind}" in message
    assert "a name " in message


@pytest.mark.parametrize(
    ("more", "fact"),
    [
        ("[variant.F32]\n", "  variant.F32: with dataset 'd' it has the file name of a pair of variant 'f32'"),
        (
            '[dataset.D]\nmanifest = "m"\n',
            "  dataset.D: where the case of letters does not count, it is dataset 'd'",
        ),
        (
            '[variant."f32.D"]\n[dataset."d.d"]\nmanifest = "m"\n',
            "  variant.f32.D: with dataset 'd' it has the file name of a pair of variant 'f32'",
        ),
    ],
)
def test_names_that_a_file_system_takes_for_one_are_refused(tmp_path: Path, more: str, fact: str) -> None:
    """Two pairs whose hypothesis files could be one file are refused, also where only case tells them apart."""
    message = _refusal(tmp_path / "gate.toml", GOOD + more)
    assert message is not None
    assert fact in message
    assert message.startswith(f"{tmp_path / 'gate.toml'}: 1 problem\n")


def test_ten_thousand_variants_are_a_gate(tmp_path: Path) -> None:
    """They are resolved, each with its pair."""
    path = tmp_path / "gate.toml"
    path.write_text(GOOD + "".join(f"[variant.v{number}]\n" for number in range(10_000)))
    assert len(open_gate(path).pairs) == 10_001


@pytest.mark.parametrize(
    ("lines", "extra", "problems"),
    [
        ("bad = 1", "", 10_000),
        ('baseline = "x{}"', "", 10_000),
        ('transcriber = "x{}"', "", 10_000),
        ("dataset = {{ x{} = {{}} }}", "", 10_000),
        ("", "[thresholds]\nwer_delta = 1.0\n", 1),
        ("", '[transcriber.u]\nkind = "replay"\noptions = { hypotheses = "h" }\n', 10_001),
    ],
    ids=["unknown keys", "baselines", "transcribers", "datasets", "no baseline", "which transcriber"],
)
def test_ten_thousand_problems_are_a_page(tmp_path: Path, lines: str, extra: str, problems: int) -> None:
    """All are counted, the first fifty are shown, each in a short line, also where thousands of names are known."""
    path = tmp_path / "gate.toml"
    text = GOOD + extra + "".join(f"[variant.v{number}]\n{lines.format(number)}\n" for number in range(10_000))
    path.write_text(text, encoding="utf-8")
    error = _refused(path)
    assert error is not None
    message = str(error)
    _check(message, path)
    assert message.startswith(f"{path}: {problems} problem")
    assert len(message) < 60_000
    assert problems == 1 or message.endswith(f"  and {problems - 50} more; mend these first")
    # To look for the nearest right word takes time, and is done for no more problems of a kind than are shown.
    hinted = [each for each in error.problems if "did you mean" in each.message or "known here" in each.message]
    assert len(hinted) <= 50
    assert hinted or not lines


def _pipe(path: Path) -> None:
    os.mkfifo(path)


def _device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def _folder(path: Path) -> None:
    path.mkdir()


def _loop(path: Path) -> None:
    path.symlink_to(path.name)


def _large(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(1 << 40)


SPECIAL: list[tuple[Callable[[Path], None], str]] = [
    (_pipe, "is a device or a pipe and no regular file"),
    (_device, "is a device or a pipe and no regular file"),
    (_folder, "cannot be read (Is a directory)"),
    (_loop, "cannot be read (Too many levels of symbolic links)"),
    (_large, "is larger than 50 MB"),
]


@pytest.mark.parametrize(("make", "fact"), SPECIAL)
def test_what_is_no_file_is_not_waited_for(tmp_path: Path, make: Callable[[Path], None], fact: str) -> None:
    """A pipe, a device, a folder, a link to itself and a terabyte of nothing: one sentence, at once."""
    path = tmp_path / "gate.toml"
    make(path)
    found: list[GateFileError | None] = []
    # In a thread, since a test that waits for ever shows nothing.
    reader = threading.Thread(target=lambda: found.append(_refused(path)), daemon=True)
    reader.start()
    reader.join(60)
    waited = reader.is_alive()
    if waited and path.is_fifo():
        # Whoever waits for a writer gets one, and an end.
        os.close(os.open(path, os.O_RDWR | os.O_NONBLOCK))
        reader.join(60)
    assert not waited
    assert str(found[0]).startswith(f"{path}: 1 problem\n  gate file: {fact}")


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("", "variant: give at least one"),
        (GOOD + '"\\u001b[31m\\n\\u202e" = 1\n', r"dataset.d.'\x1b[31m\n\u202e': unknown key"),
    ],
    ids=["empty", "escapes"],
)
def test_pytest_shows_the_sentence_and_ends_with_2(project: GateProject, text: str, fact: str) -> None:
    """A broken gate file is exit code 2 with its problems, and neither a traceback nor an internal error."""
    (project.root / "gate.toml").write_text(text, encoding="utf-8")
    result = project.run("--asrgate")
    output = result.stdout.str() + result.stderr.str()
    assert result.ret == pytest.ExitCode.INTERRUPTED
    assert fact in output
    assert "Traceback" not in output
    assert "INTERNALERROR" not in output
    assert all(character.isprintable() or character == "\n" for character in output)
