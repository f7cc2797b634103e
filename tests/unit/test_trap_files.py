"""The table of scoring traps, rows 13 and 14: ids that do not match, and files that are broken."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from .commands import figures, refused_untouched, score, scored, spoken_row, write

GOOD = '{"id": "u1", "ref_text": "one cat", "hyp_text": "one cat"}\n'


@pytest.mark.parametrize(
    ("name", "text", "facts"),
    [
        ("h.jsonl", GOOD + GOOD.replace("u1", "u2") + GOOD, ["h.jsonl: ", "'u1' (lines 1 and 3)"]),
        ("h.trn", "one cat (u1)\ntwo cats (u2)\none hat (u1)\n", ["h.trn:3 (u1)", "line 1"]),
        ("h.json", '{"u1": "one cat",\n"u2": "x",\n"u1": "one hat"}', ["h.json: ", "'u1' stands twice"]),
    ],
)
def test_an_id_that_stands_twice_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, text: str, facts: list[str]
) -> None:
    """Row 13: A doubled id never overwrites its sibling: not in hypotheses, and not in references."""
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    (tmp_path / "good.json").write_text('{"u1": "one cat", "u2": "two cats"}')
    as_hypotheses = refused_untouched(capsys, tmp_path, "score", path, "--references", tmp_path / "good.json")
    assert [fact for fact in facts if fact not in as_hypotheses] == []
    as_references = refused_untouched(capsys, tmp_path, "score", tmp_path / "good.json", "--references", path)
    assert [fact for fact in (name, "u1") if fact not in as_references] == []


@pytest.mark.parametrize("form", ["jsonl", "trn", "json"])
@pytest.mark.parametrize(
    ("heard", "facts"),
    [
        (["u1", "u2"], ["{heard} has no hypothesis for 'u3'"]),
        (["u1", "u2", "u3", "u4"], ["{spoken} has no reference for 'u4'"]),
        (["u1", "u2", "U3"], ["{heard} has no hypothesis for 'u3'", "{spoken} has no reference for 'U3'"]),
    ],
    ids=["missing", "unknown", "both"],
)
def test_missing_and_unknown_ids_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str, heard: list[str], facts: list[str]
) -> None:
    """Row 13: A row that was lost or belongs to another set ends the scoring with file and ids, never a rate."""
    (tmp_path / "ref.trn").write_text("".join(f"one cat (u{number})\n" for number in (1, 2, 3)))
    path = tmp_path / f"h.{form}"
    if form == "trn":
        path.write_text("".join(f"one cat ({identity})\n" for identity in heard))
    elif form == "json":
        path.write_text(json.dumps(dict.fromkeys(heard, "one cat")))
    else:
        write(path, [{"id": identity, "hyp_text": "one cat"} for identity in heard])
    message = refused_untouched(capsys, tmp_path, "score", path, "--references", tmp_path / "ref.trn")
    wanted = [fact.format(heard=path, spoken=tmp_path / "ref.trn") for fact in facts]
    assert [fact for fact in wanted if fact not in message] == []


def test_half_a_run_is_not_compared_with_a_whole_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Row 13: Ten right rows of a crashed run against twenty are no +0.00 but a refusal with the lost ids."""
    rows = [spoken_row("one cat", "one cat", f"u{number}") for number in range(20)]
    for name, made in (("whole", rows), ("half", rows[:10])):
        score(write(tmp_path / f"{name}.jsonl", made))
    whole, half = tmp_path / "whole.score.json", tmp_path / "half.score.json"
    message = refused_untouched(capsys, tmp_path, "compare", whole, half)
    assert "it lacks 'u10', 'u11', 'u12', 'u13', 'u14' and 5 more" in message
    assert "the baseline lacks 'u10'" in refused_untouched(capsys, tmp_path, "compare", half, whole)


def test_error_rows_are_never_scored(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Row 13: A crash is no deletion, its leftover text is no hypothesis, and on silence it is no hallucination."""
    rows = [
        spoken_row("the red cat", "", "u1", error="backend error"),
        spoken_row("the red cat", "the red cat", "u2", error="out of memory"),
        spoken_row("the red cat", "a dog", "u3", status="error", detail="crashed"),
        spoken_row("", "x y", "u4", error="backend error"),
        spoken_row("red cat", "red hat", "u5"),
    ]
    document = scored(tmp_path, *rows)
    assert (document["n"], document["n_errors"], document["wer"], document["words"]) == (5, 4, 0.5, 2)
    assert (document["hallucinations"], document["empty"]) == (0, 0)
    kinds = ("wer", "substitutions", "deletions", "insertions", "words")
    assert [[row[kind] for kind in kinds] for row in document["per_utterance"][:4]] == [[None] * 5] * 4
    assert "error rows have no score: 'u1', 'u2', 'u3', 'u4'" in capsys.readouterr().out


def test_error_rows_alone_have_no_rate(tmp_path: Path) -> None:
    """Row 13: A run that crashed throughout is neither 0 % nor 100 %."""
    document = scored(
        tmp_path, spoken_row("one", "", error="backend error"), spoken_row("two", "two", "u2", error="crashed")
    )
    assert (document["n_errors"], document["words"], document["deletions"]) == (2, 0, 0)
    assert [key for key in document if "rate" in key or key.startswith("wer")] == []


# What stands after one good row: the file, the text, and what the sentence says.
BROKEN: dict[str, tuple[str, bytes, list[str]]] = {
    "null": (
        "h.jsonl",
        b'{"id": "u2", "ref_text": "a", "hyp_text": null}\n',
        ["h.jsonl:2 (u2)", "hyp_text", "None"],
    ),
    "missing": ("h.jsonl", b'{"id": "u2", "ref_text": "a"}\n', ["h.jsonl:2 (u2)", "hyp_text", "missing"]),
    "number": (
        "h.jsonl",
        b'{"id": "u2", "ref_text": "a", "hyp_text": 7}\n',
        ["h.jsonl:2 (u2)", "hyp_text", "it is 7"],
    ),
    "list": ("h.jsonl", b'{"id": "u2", "ref_text": "a", "hyp_text": ["a"]}\n', ["h.jsonl:2 (u2)", "['a']"]),
    "null reference text": (
        "h.jsonl",
        b'{"id": "u2", "ref_text": null, "hyp_text": "a"}\n',
        ["h.jsonl:2 (u2)", "ref_text", "None"],
    ),
    "no id": ("h.jsonl", b'{"ref_text": "a", "hyp_text": "a"}\n', ["h.jsonl:2", "id must be a text"]),
    "id a number": ("h.jsonl", b'{"id": 2, "ref_text": "a", "hyp_text": "a"}\n', ["h.jsonl:2", "it is 2"]),
    "NaN": ("h.jsonl", b'{"id": "u2", "ref_text": "a", "hyp_text": NaN}\n', ["h.jsonl:2", "NaN"]),
    "infinity": (
        "h.jsonl",
        b'{"id": "u2", "ref_text": "a", "hyp_text": -Infinity}\n',
        ["h.jsonl:2", "-Infinity"],
    ),
    "cut short": ("h.jsonl", b'{"id": "u2", "ref_text": "a", "hyp_te', ["h.jsonl:2", "cut short"]),
    "cut in the id": ("h.jsonl", b'{"id": "u', ["h.jsonl:2", "cut short"]),
    "not UTF-8": (
        "h.jsonl",
        b'{"id": "u2", "ref_text": "a", "hyp_text": "caf\xe9"}\n',
        ["h.jsonl:2", "not UTF-8", "byte 46"],
    ),
    "key twice": (
        "h.jsonl",
        b'{"id": "u2", "ref_text": "a", "hyp_text": "a", "hyp_text": "b"}\n',
        ["h.jsonl:2", "'hyp_text' stands twice"],
    ),
    "id key twice": (
        "h.jsonl",
        b'{"id": "u2", "id": "u3", "ref_text": "a", "hyp_text": "a"}\n',
        ["h.jsonl:2", "'id' stands twice"],
    ),
    "half a character": (
        "h.jsonl",
        b'{"id": "u2", "ref_text": "a", "hyp_text": "\\ud83d"}\n',
        ["h.jsonl:2", "half a character"],
    ),
    "json null": ("h.json", b'"u2": null}', ["h.json (u2)", "None"]),
    "json number": ("h.json", b'"u2": 7}', ["h.json (u2)", "it is 7"]),
    "json NaN": ("h.json", b'"u2": NaN}', ["h.json", "NaN"]),
    "json cut short": ("h.json", b'"u2": "two c', ["h.json:2", "cut short"]),
    "json not UTF-8": ("h.json", b'"u2": "caf\xe9"}', ["h.json:2", "not UTF-8", "byte 10"]),
    "json id twice": ("h.json", b'"u1": "one hat"}', ["h.json", "'u1' stands twice"]),
    "trn cut short": ("h.trn", b"two c", ["h.trn:2", "cut short"]),
    "trn cut in the id": ("h.trn", b"two cats (u", ["h.trn:2", "cut short"]),
    "trn not UTF-8": ("h.trn", b"caf\xe9 (u2)\n", ["h.trn:2", "not UTF-8", "byte 3"]),
    "trn id twice": ("h.trn", b"two cats (u1)\n", ["h.trn:2 (u1)", "line 1"]),
    "trn without id": ("h.trn", b"two cats ()\n", ["h.trn:2", "the id in parentheses is empty"]),
}


def _message_of(fault: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> str:
    name, text, _ = BROKEN[fault]
    first = {"h.jsonl": GOOD.encode(), "h.json": b'{"u1": "one cat",\n', "h.trn": b"one cat (u1)\n"}[name]
    (folder / name).write_bytes(first + text)
    (folder / "ref.json").write_text('{"u1": "one cat", "u2": "two cats"}')
    references = [] if name == "h.jsonl" else ["--references", folder / "ref.json"]
    return refused_untouched(capsys, folder, "score", folder / name, *references)


@pytest.mark.parametrize("fault", BROKEN)
def test_a_broken_second_row_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str], fault: str) -> None:
    """Row 14: Null, NaN, missing, cut short, no UTF-8, doubled: one sentence with file, place and fault."""
    message = _message_of(fault, tmp_path, capsys)
    assert [fact for fact in BROKEN[fault][2] if fact not in message] == []


@pytest.mark.parametrize(
    "fault",
    ["NaN", "infinity", "not UTF-8", "key twice", "half a character", "cut short", "json NaN", "trn not UTF-8"],
)
def test_a_broken_row_is_named_by_its_id_where_that_can_be_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], fault: str
) -> None:
    """Row 14: Where the id of a row that cannot be used stands whole in it, the sentence has it, too."""
    assert "u2" in _message_of(fault, tmp_path, capsys)


@pytest.mark.parametrize(
    ("name", "text", "facts"),
    [
        ("r.jsonl", b'{"id": "u1", "ref_text": null}\n', ["r.jsonl:1 (u1)", "ref_text", "None"]),
        ("r.jsonl", b'{"id": "u1"}\n', ["r.jsonl:1 (u1)", "ref_text", "missing"]),
        ("r.jsonl", b'{"id": "u1", "ref_text": NaN}\n', ["r.jsonl:1", "NaN"]),
        ("r.jsonl", b'{"id": "u1", "ref_te', ["r.jsonl:1", "cut short"]),
        ("r.jsonl", b'{"id": "u1", "ref_text": "\xff"}\n', ["r.jsonl:1", "not UTF-8"]),
        ("r.jsonl", b"", ["r.jsonl", "holds no references"]),
        ("r.json", b'{"u1": null}', ["r.json (u1)", "None"]),
        ("r.json", b'{"u1": "one', ["r.json:1", "cut short"]),
        ("r.trn", b"one cat", ["r.trn:1", "cut short"]),
        ("r.trn", b"one \xff (u1)\n", ["r.trn:1", "not UTF-8"]),
    ],
)
def test_broken_references_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, text: bytes, facts: list[str]
) -> None:
    """Row 14: A reference that is none is the sentence's subject, and not the hypotheses."""
    (tmp_path / "h.jsonl").write_text(GOOD)
    (tmp_path / name).write_bytes(text)
    message = refused_untouched(capsys, tmp_path, "score", tmp_path / "h.jsonl", "--references", tmp_path / name)
    assert [fact for fact in facts if fact not in message] == []


@pytest.mark.parametrize("shape", ["BOM", "CRLF", "BOM and CRLF", "no last newline", "blank lines"])
@pytest.mark.parametrize("form", ["jsonl", "trn", "json"])
def test_what_windows_adds_is_fine(tmp_path: Path, form: str, shape: str) -> None:
    """Row 14: BOM, CRLF, blank lines and an open last line change no figure, in hypotheses and references."""
    texts = {"u1": "the hat sat", "u2": "hello"}
    written = {
        "jsonl": "".join(
            json.dumps({"id": identity, "hyp_text": text, "ref_text": text.replace("hat", "cat")}) + "\n"
            for identity, text in texts.items()
        ),
        "trn": "".join(f"{text} ({identity})\n" for identity, text in texts.items()),
        "json": json.dumps(texts, indent=1) + "\n",
    }[form]
    wraps: dict[str, Callable[[str], str]] = {
        "BOM": lambda text: "\ufeff" + text,
        "CRLF": lambda text: text.replace("\n", "\r\n"),
        "BOM and CRLF": lambda text: "\ufeff" + text.replace("\n", "\r\n"),
        "no last newline": lambda text: text.removesuffix("\n"),
        "blank lines": lambda text: "\n" + text.replace("\n", "\n\n"),
    }
    heard, spoken = tmp_path / f"h.{form}", tmp_path / f"r.{form}"
    heard.write_bytes(wraps[shape](written).encode())
    spoken.write_bytes(wraps[shape](written.replace("hat", "cat")).encode())
    document = score(heard, "--references", str(spoken))
    assert figures(document) == ("wer", 4, 0, 1)
    assert [(row["id"], row["hyp"]) for row in document["per_utterance"]] == list(texts.items())


@pytest.mark.parametrize("mark", ["\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1e"])
@pytest.mark.parametrize("form", ["jsonl", "trn"])
def test_other_line_ends_inside_a_text_end_no_row(tmp_path: Path, form: str, mark: str) -> None:
    """Row 14: What Python's splitlines takes for an end of line is a blank of the text; no row is torn in two."""
    if form == "trn":
        (tmp_path / "h.trn").write_text(f"one{mark}cat (u1)\n", encoding="utf-8")
    else:
        row = {"id": "u1", "hyp_text": f"one{mark}cat"}
        (tmp_path / "h.jsonl").write_text(json.dumps(row, ensure_ascii=False) + "\n", encoding="utf-8")
    (tmp_path / "r.json").write_text('{"u1": "one cat"}')
    document = score(tmp_path / f"h.{form}", "--references", str(tmp_path / "r.json"))
    assert (document["wer"], document["words"], document["n"]) == (0.0, 2, 1)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "latin-1"])
def test_another_encoding_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str], encoding: str) -> None:
    """Row 14: What another program saved as UTF-16 or Latin-1 is named by file and line, and never guessed at."""
    path = tmp_path / "h.jsonl"
    path.write_bytes('{"id": "u1", "ref_text": "café", "hyp_text": "café"}\n'.encode(encoding))
    assert "h.jsonl:1" in refused_untouched(capsys, tmp_path, "score", path)


def _of_another_schema(folder: Path, name: str, schema: object) -> Path:
    score(write(folder / "h.jsonl", [spoken_row("one cat", "one cat")]))
    document = json.loads((folder / "h.score.json").read_text()) | {"schema": schema}
    (folder / name).write_text(json.dumps(document))
    return folder / name


@pytest.mark.parametrize("command", ["score", "convert", "compare"])
@pytest.mark.parametrize("schema", ["asrgate.score/2", "asrgate.compare/1", "somebody.else/1", None, 1])
def test_a_score_file_of_another_schema_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], schema: object, command: str
) -> None:
    """Row 14: No command reads a file that names another schema, and the sentence has both."""
    path = _of_another_schema(tmp_path, "x.score.json", schema)
    more: dict[str, list[object]] = {
        "score": [],
        "convert": ["--to", "jsonl"],
        "compare": [tmp_path / "h.score.json"],
    }
    message = refused_untouched(capsys, tmp_path, command, path, *more[command])
    assert f"x.score.json: the schema is {schema!r}" in message
    assert "asrgate.score/1" in message


@pytest.mark.parametrize("schema", ["asrgate.score/1", "asrgate.score/2"])
@pytest.mark.parametrize("name", ["x.json", "x.score.json", "x.jsonl"])
def test_a_score_file_is_no_references_and_hides_under_no_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, schema: str
) -> None:
    """Row 14: Its texts are normalised already: neither hypotheses nor references are taken from it."""
    path = _of_another_schema(tmp_path, name, schema)
    assert name in refused_untouched(capsys, tmp_path, "score", path)
    assert name in refused_untouched(capsys, tmp_path, "score", tmp_path / "h.jsonl", "--references", path)


def test_a_refused_file_leaves_the_score_of_before(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where hypotheses were cut short since they were scored, the score file stays byte for byte."""
    path = write(tmp_path / "h.jsonl", [spoken_row("one cat", "one cat"), spoken_row("two", "two", "u2")])
    score(path)
    path.write_bytes(path.read_bytes()[:-9])
    assert "h.jsonl:2" in refused_untouched(capsys, tmp_path, "score", path)


@pytest.mark.parametrize(
    ("row", "fact"),
    [
        (spoken_row("one cat", "@"), "(u1)"),
        (spoken_row("@", "one cat"), "(u1)"),
        (spoken_row("one cat", ";; one cat"), "(u1)"),
        (spoken_row("one cat", "one { cat / hat }"), "(u1)"),
        (spoken_row("one cat", "one\0cat"), "(u1)"),
        (spoken_row("one cat", "one cat", "a (b)"), "a (b)"),
    ],
    ids=["null sign", "null sign in reference", "comment", "alternation", "NUL", "id"],
)
def test_a_pair_that_cannot_be_written_leaves_no_half(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], row: dict[str, object], fact: str
) -> None:
    """Where one side of an sclite pair cannot hold a text, neither file is written, and the id is named."""
    path = write(tmp_path / "h.jsonl", [spoken_row("two", "two", "u0"), row])
    assert fact in refused_untouched(capsys, tmp_path, "convert", path, "--to", "trn")
