"""Texts from strangers, through every output: nothing moves a cursor, breaks a file or is taken for another.

There is no HTML output yet; CSV and Markdown are those of `asrgate compare`.
"""

import csv
import io
import json
import os
import unicodedata
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
import soundfile

from pytest_asrgate.cli import main
from pytest_asrgate.formats.hypotheses import read_hypotheses
from tests.integration.conftest import GateProject
from tests.unit.builders import write_lines

# By what they do to whom. None holds NUL, which is refused wherever texts come in.
NASTY: Mapping[str, str] = {
    "markup": "<script>alert(1)</script></td></testcase>]]>&amp;&#0; \"quotes' `ticks`",
    "colours": "\x1b[31;1mred\x1b[0m \x1b[2J\x1b[H \x1bc",
    "clipboard": "\x1b]52;c;ZXZpbA==\x07 \x1b]8;;http://x/\x1b\\link\x1b]8;;\x1b\\",
    "device control": "\x1bP1$r0m\x1b\\ \x9b31m \x90q\x9c \x9d0;title\x07",
    "bells": "\x07\x08\x08\x7f\x05\x0e",
    "lines": "one\ntwo\rthree\r\nfour\x0bfive\x0csix\x85seven\u2028eight\u2029nine",
    "overrides": "a\u202egnirts\u202c b\u202a\u202b\u202d\u2066\u2067\u2068\u2069\u200e\u200f\u061c",
    "invisible": "ze\u200bro\u2060\ufeff\u00ad\U000e0041\U000e007f\u180e",
    "formula": "=cmd|'/C calc'!A0",
    "plus": "+1+1",
    "minus": "-1-1",
    "at": "@SUM(1)",
    "tab": "\t=1+1",
    "wide": "\uff1d1+1",
    "template": "{0} {x} %s %n ${HOME} $(id) {{7*7}}",
    "comment": ";; a (b) { c / d }",
    "row": '{"id": "u1"}\n{"id": "u1"}',
    "long": "word " * 2000,
}
# What a terminal or an editor acts on.
_ACTED_ON = {"Cc", "Cf", "Cs", "Zl", "Zp"}


def _loud(text: str) -> set[str]:
    """Characters of a text that are not for reading, but for line feeds."""
    return {character for character in text if unicodedata.category(character) in _ACTED_ON and character != "\n"}


def _clips(folder: Path, number: int) -> list[str]:
    """Clips with nasty names, of 1600, 1601, … samples."""
    names = []
    for place, text in enumerate([*NASTY.values()][:number]):
        # What no file name can hold.
        name = "".join(character for character in text[:40] if character != "/") + f"{place}.wav"
        soundfile.write(
            os.fspath(folder / name), 0.1 * np.sin(np.arange(1600 + place) * 0.05), 16_000, format="WAV"
        )
        names.append(name)
    return names


@pytest.fixture
def nasty(project: GateProject) -> GateProject:
    """A gate whose ids, references, speakers, tags, file names, hypotheses and faults are all of that kind."""
    folder = project.root / "prompts"
    folder.mkdir()
    texts = [*NASTY.values()]
    rows = [
        {
            "id": f"{text[:60]} {place}".strip(),
            "audio": name,
            "ref_text": f"{text} one cat",
            "language": "en",
            "speaker": text[:30].strip() + str(place % 2),
            "tags": ["<b>=1\u202e|`x`", "@y\u2066"][: 1 + place % 2],
        }
        for place, (text, name) in enumerate(zip(texts, _clips(folder, len(texts)), strict=True))
    ]
    write_lines(folder / "manifest.jsonl", *rows)
    answers: dict[int, object] = {1600 + place: f"{text} one hat" for place, text in enumerate(texts)}
    project.model("f32", {**answers, 1600: "", 1602: {"do": "truncated", "text": texts[1]}})
    noise = "".join([*texts[1:4], texts[6]]).encode("utf-8").decode("latin-1")
    answers[1601] = {"do": "write", "bytes": noise, "stderr": True, "exit": True}
    answer = {"id": texts[2], "text": 1, "detail": texts[3]}
    answers[1603] = {"do": "write", "bytes": json.dumps(answer) + "\n"}
    answers[1604] = {"do": "repetition", "text": texts[2]}
    project.model("q8_0", answers, log=str(project.root / "q8_0.log"))
    project.gate(
        """
        [gate]
        baseline = "f32"
        [transcriber.fake]
        kind = "fake"
        timeout_s = 5
        [variant.f32]
        model = "f32.json"
        [variant.q8_0]
        model = "q8_0.json"
        [dataset.prompts]
        manifest = "prompts/manifest.jsonl"
        [thresholds]
        wer = 1.0
        errors = 1
        empty = 0
        truncated = 0
        changed = 0.0
        masked = 0
        [dataset.prompts.slice."@y\\u2066".thresholds]
        wer = 1.0
        """
    )
    return project


def _rows(path: Path) -> list[dict[str, Any]]:
    """Rows of a file as any other program reads them: one a line, ended by LF alone."""
    text = path.read_bytes().decode("utf-8")
    assert _loud(text) <= {"\u200c", "\u200d"}
    return [json.loads(line) for line in text.removesuffix("\n").split("\n")]


def test_a_gate_over_such_texts(nasty: GateProject, capsys: pytest.CaptureFixture[str]) -> None:
    """Terminal, report, JUnit file and hypotheses: quiet, well-formed, one row an utterance, texts as they were."""
    result = nasty.run("--asrgate", "-v", "-rA", "--asrgate-json=report.json", "--junitxml=junit.xml")
    output = result.stdout.str() + result.stderr.str()
    assert "INTERNALERROR" not in output
    assert "Traceback" not in output
    assert _loud(output) == set()
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    ids = [json.loads(line)["id"] for line in (nasty.root / "prompts" / "manifest.jsonl").read_text().splitlines()]
    report = (nasty.root / "report.json").read_bytes().decode("utf-8")
    assert _loud(report) == set()
    pairs = json.loads(report)["pairs"]
    assert [pair["variant"] for pair in pairs] == ["f32", "q8_0"]
    for pair in pairs:
        assert [row["id"] for row in pair["utterances"]] == ids
        details = [row.get("detail") or "" for row in pair["utterances"]]
        assert not any(len(detail) > 5000 for detail in details)
    # The engine's last words are told, and are only words.
    lost = [row for row in pairs[1]["utterances"] if row["status"] == "error"]
    assert len(lost) == 2
    assert "\x1b[31;1mred" in lost[0]["detail"]
    assert "\\x1b[31;1mred" in output
    tree = ElementTree.parse(nasty.root / "junit.xml")  # noqa: S314 - our own file
    assert len(tree.findall(".//testcase")) == 2
    assert _loud("".join(tree.getroot().itertext())) == set()
    assert _loud("".join(str(p.get("value")) for p in tree.findall(".//property"))) == set()
    files = sorted((nasty.root / ".asrgate").rglob("*.jsonl"))
    assert len(files) == 2
    for path in files:
        header, *rows = _rows(path)
        assert header["type"] == "batch_header"
        assert [row["id"] for row in rows] == ids
        kept = [
            text for row, text in zip(rows, NASTY.values(), strict=True) if row["hyp_text"] == f"{text} one hat"
        ]
        assert len(kept) >= len(NASTY) - 5
    capsys.readouterr()
    _check_commands(files, capsys)


def _check_commands(files: list[Path], capsys: pytest.CaptureFixture[str]) -> None:
    """What `asrgate` makes of the files of such a gate, under names of the same kind."""
    folder = files[0].parent / "=a\x1b[31m\u202e<b>|x\u2028"
    folder.mkdir()
    heard = []
    for number, path in enumerate(files):
        target = folder / f"=cmd{number}\x9b31m<b>`*x*`|[y](z).jsonl"
        target.write_bytes(path.read_bytes())
        heard.append(target)
    assert main(["score", *map(str, heard)]) == 0
    out = capsys.readouterr()
    assert _loud(out.out + out.err) == set()
    scores = [path.with_name(path.name.removesuffix(".jsonl") + ".score.json") for path in heard]
    for score in scores:
        text = score.read_bytes().decode("utf-8")
        assert _loud(text) == set()
        assert len(json.loads(text)["per_utterance"]) == len(NASTY)
    for form in ("text", "markdown", "csv", "json"):
        assert main(["compare", *map(str, scores), "--format", form]) == 0
        out = capsys.readouterr()
        assert _loud(out.out + out.err) == set()
        if form == "csv":
            table = list(csv.reader(io.StringIO(out.out)))
            assert len(table) == 3
            assert all(len(row) == len(table[0]) for row in table)
            # A figure may be negative; what is no figure begins no formula.
            cells = [cell for row in table[1:] for cell in row[:3]]
            assert not [cell for cell in cells if cell.startswith(tuple("=+-@\t\r\uff1d"))]
        if form == "markdown":
            lines = [line for line in out.out.splitlines() if line.startswith("|")]
            assert len({line.replace("\\|", "").count("|") for line in lines}) == 1
            assert "<b>" not in out.out
        if form == "json":
            assert [row["file"] for row in json.loads(out.out)["rows"]] == list(map(str, scores))
    # Error rows have no text; without them the texts go to every format that can hold them, or are refused by id.
    _, *rows = _rows(heard[0])
    rows = [{key: row[key] for key in ("id", "hyp_text", "ref_text", "status")} for row in rows]
    write_lines(heard[0], *[row for row in rows if row["status"] == "ok"])
    texts = {row["id"]: row["hyp_text"] for row in rows if row["status"] == "ok"}
    for form in ("jsonl", "json"):
        source = folder / f"{form} copy.rows"
        source.write_bytes(heard[0].read_bytes())
        assert main(["convert", str(source), "--to", form]) == 0
        out = capsys.readouterr()
        assert _loud(out.out + out.err) == set()
        (made,) = [path for path in folder.iterdir() if path.name.startswith(f"{form} copy") and path != source]
        assert _loud(made.read_bytes().decode("utf-8")) == set()
        read = read_hypotheses(made).rows
        assert {identity: row.text for identity, row in read.items()} == texts
    assert main(["convert", str(heard[0]), "--to", "trn"]) == 2
    out = capsys.readouterr()
    assert _loud(out.out + out.err) == set()
    assert out.err.count("\n") == 1


@pytest.mark.parametrize("kind", NASTY)
def test_a_trn_line_is_one_utterance_or_none(tmp_path: Path, kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A text with line ends becomes one row; what the format would lose or give to a terminal is refused by id."""
    path = write_lines(
        tmp_path / "h.jsonl",
        {"id": "u1", "hyp_text": NASTY[kind], "ref_text": "one cat"},
        {"id": "u2", "hyp_text": "two cats", "ref_text": "two cats"},
    )
    code = main(["convert", str(path), "--to", "trn"])
    out = capsys.readouterr()
    assert _loud(out.out + out.err) == set()
    if code:
        assert "(u1)" in out.err
        assert not list(tmp_path.glob("*.trn"))
    else:
        found = {identity: row.text for identity, row in read_hypotheses(tmp_path / "h.hyp.trn").rows.items()}
        assert found == {"u1": " ".join(NASTY[kind].split()), "u2": "two cats"}
        assert "\x1b" not in (tmp_path / "h.hyp.trn").read_text()


def test_stamps_and_faults_of_replayed_files(project: GateProject) -> None:
    """What a file of hypotheses says of its engine, its recipe and its faults is shown, and does nothing."""
    project.dataset("prompts", ["one cat", "two cats", "three cats"])
    loud = "".join(text for kind, text in NASTY.items() if kind != "long")
    stamp = {
        "engine": loud,
        "engine_version": loud,
        "model_sha256": loud,
        loud: loud,
        "device": [loud],
        "x": {loud: 1},
    }
    header = {"type": "batch_header", "stamp": stamp, "not_controllable": [loud]}
    rows: list[dict[str, object]] = [
        {"id": "prompts-0", "hyp_text": "", "error": loud},
        {"id": "prompts-1", "hyp_text": loud, "status": "truncated", "detail": loud},
        {"id": "prompts-2", "hyp_text": "three cats", "raw_text": loud},
    ]
    for name in ("f32", "q8_0"):
        write_lines(project.root / f"{name}.jsonl", header, *rows)
    (project.root / "gate.toml").write_text(
        """
        [gate]
        baseline = "f32"
        inconclusive = "warn"
        [transcriber.old]
        kind = "replay"
        options = { hypotheses = "{variant}.jsonl" }
        [variant.f32]
        [variant.q8_0]
        [dataset.prompts]
        manifest = "prompts/manifest.jsonl"
        [thresholds]
        errors = 1
        non_inferiority = 1.0
        """
    )
    result = project.run("--asrgate", "-v", "-rA", "--asrgate-json=report.json", "--junitxml=junit.xml")
    output = result.stdout.str() + result.stderr.str()
    assert "INTERNALERROR" not in output
    assert _loud(output) == set()
    assert len(result.stdout.lines) < 100
    report = (project.root / "report.json").read_bytes().decode("utf-8")
    assert _loud(report) == set()
    assert json.loads(report)["pairs"][0]["stamp"]["engine"] == loud
    tree = ElementTree.parse(project.root / "junit.xml")  # noqa: S314 - our own file
    values = {p.get("name"): p.get("value") for p in tree.findall(".//property")}
    assert _loud("".join(map(str, values.values()))) == set()


def test_names_that_are_not_even_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file name of bytes that are no UTF-8 is scored and compared like any other, and shown with a mark."""
    names = []
    for number in range(2):
        path = tmp_path / os.fsdecode(b"caf\xe9%d.jsonl" % number)
        names.append(path)
        write_lines(path, {"id": "u1", "hyp_text": "one cat", "ref_text": "one cat"})
    assert main(["score", *map(str, names)]) == 0
    scores = [str(path.with_suffix(".score.json")) for path in names]
    for form in ("text", "markdown", "csv", "json"):
        assert main(["compare", *scores, "--format", form]) == 0
    out = capsys.readouterr()
    assert _loud(out.out + out.err) == set()
    out.out.encode("utf-8")
