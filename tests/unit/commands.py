"""What the tests of the command line share: files of hypotheses, and runs that succeed or are refused."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from pytest_asrgate.cli import main


def write(path: Path, rows: Sequence[object], header: dict[str, object] | None = None) -> Path:
    """Write rows as JSON lines, `batch_header` first where one is given."""
    lines = [json.dumps({"type": "batch_header", **header})] if header is not None else []
    path.write_text("".join(f"{line}\n" for line in [*lines, *(json.dumps(row) for row in rows)]), encoding="utf-8")
    return path


def score(path: Path, *options: str) -> dict[str, Any]:
    """Run the command, which must succeed, and return what it wrote."""
    assert main(["score", str(path), *options]) == 0
    name = path.name.removesuffix(".jsonl").removesuffix(".json").removesuffix(".trn")
    document: dict[str, Any] = json.loads(path.with_name(f"{name}.score.json").read_text(encoding="utf-8"))
    return document


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Run the command, which must end with exit code 2 and one line on stderr, and return that line."""
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert captured.err.startswith(f"asrgate {arguments[0]}: ")
    assert "Traceback" not in captured.err
    return captured.err


def contents(folder: Path) -> dict[str, bytes]:
    """The files of a folder by name."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def refused_untouched(capsys: pytest.CaptureFixture[str], folder: Path, *arguments: object) -> str:
    """Run what must be refused in one sentence, and claim that no file appeared, went or changed."""
    before = contents(folder)
    capsys.readouterr()
    message = refused(capsys, *map(str, arguments))
    assert contents(folder) == before
    return message


def spoken_row(reference: str, hypothesis: str, identity: str = "u1", **fields: object) -> dict[str, object]:
    """One row of a file of hypotheses."""
    return {"id": identity, "ref_text": reference, "hyp_text": hypothesis, **fields}


def scored(
    folder: Path,
    *rows: Mapping[str, object],
    header: dict[str, object] | None = None,
    options: tuple[str, ...] = (),
) -> dict[str, Any]:
    """The score file of these rows."""
    return score(write(folder / "h.jsonl", rows, header), *options)


def figures(document: Mapping[str, Any]) -> tuple[object, int, int, int]:
    """The metric with reference words, insertions, and errors of all kinds."""
    errors = sum(document[kind] for kind in ("substitutions", "deletions", "insertions"))
    return document["metric"], document["words"], document["insertions"], errors
