"""Claims about `asrgate score`: documented keys and defaults, options, and one sentence for each bad input."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pytest_asrgate.cli import main
from pytest_asrgate.datasets.manifest import manifest_digest
from pytest_asrgate.records import Utterance

from .commands import refused, score, write

ROWS = [
    {"id": "a-1", "ref_text": "Don't stop the music.", "hyp_text": "don’t stop the music", "latency_ms": 100.0},
    {"id": "a-2", "ref_text": "Twenty dollars, please", "hyp_text": "$20 cheese", "latency_ms": 300.0},
    {"id": "b-1", "ref_text": "", "hyp_text": "thank you", "latency_ms": 200.0},
    {"id": "b-2", "ref_text": "It was -5.", "hyp_text": "It was 5.", "latency_ms": 250.0},
]
# Keys that the methodology document and the upstream comparison read.
DOCUMENTED = ["wer", "wer_ci_lo", "wer_ci_hi", "n", "substitutions", "deletions", "insertions", "per_utterance"]
UPSTREAM = ["metric", "error_rate", "error_rate_pct", "wer_pct", "latency_p50_ms"]


def test_the_documented_keys_hold_the_pooled_figures(tmp_path: Path) -> None:
    """Rates are fractions pooled over words; words on silence count, and texts are stored normalised."""
    document = score(write(tmp_path / "m-Q8_0.prompts.jsonl", ROWS))
    assert set(DOCUMENTED + UPSTREAM) <= set(document)
    # Words: do not stop the music (5), $20 please (2), nothing, it was 5 (3).
    assert (document["substitutions"], document["deletions"], document["insertions"]) == (1, 0, 2)
    assert document["words"] == 10
    assert document["wer"] == document["error_rate"] == pytest.approx(0.3)
    assert document["wer_pct"] == document["error_rate_pct"] == pytest.approx(30.0)
    assert 0.0 <= document["wer_ci_lo"] <= 0.3 <= document["wer_ci_hi"]
    assert (document["n"], document["n_errors"], document["hallucinations"]) == (4, 0, 1)
    assert document["latency_p50_ms"] == 225.0
    assert document["metric"] == "wer"
    first, second, silence, _ = document["per_utterance"]
    assert (first["id"], first["ref"], first["hyp"], first["wer"]) == (
        "a-1",
        "do not stop the music",
        "do not stop the music",
        0.0,
    )
    assert second["wer"] == 0.5
    assert (silence["wer"], silence["insertions"], silence["words"]) == (None, 2, 0)
    assert document["schema"] == "asrgate.score/1"
    assert document["normaliser"].startswith("whisper-english 0.1.15+fold")


def test_what_the_normaliser_hid_is_counted_and_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A lost sign scores 0, so it is listed with both texts, those with a value first."""
    document = score(write(tmp_path / "h.jsonl", ROWS))
    assert document["masked"] == 1
    assert document["masked_utterances"] == [
        {"id": "b-2", "kinds": ["sign"], "ref_text": "It was -5.", "hyp_text": "It was 5."}
    ]
    assert "hidden by the normaliser: differences in 1 utterance, 1 touching digits" in capsys.readouterr().out


def test_the_same_file_gives_the_same_bytes(tmp_path: Path) -> None:
    """The bootstrap is seeded: scoring twice writes the same file."""
    path = write(tmp_path / "h.jsonl", ROWS)
    score(path)
    first = (tmp_path / "h.score.json").read_bytes()
    score(path)
    assert (tmp_path / "h.score.json").read_bytes() == first


def test_the_name_of_the_score_file_is_the_documented_one(tmp_path: Path) -> None:
    """`x.test-clean-timestamps_none.jsonl` is scored into `x.test-clean-timestamps_none.score.json` beside it."""
    write(tmp_path / "x-F32.test-clean-timestamps_none.jsonl", ROWS)
    assert main(["score", str(tmp_path / "x-F32.test-clean-timestamps_none.jsonl")]) == 0
    assert (tmp_path / "x-F32.test-clean-timestamps_none.score.json").is_file()
    assert (
        main(["score", str(tmp_path / "x-F32.test-clean-timestamps_none.jsonl"), "--out", str(tmp_path / "o")]) == 0
    )
    assert json.loads((tmp_path / "o").read_text())["n"] == 4


def test_a_file_without_language_is_scored_as_english_and_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The document's default is English; that nothing named it is a note, and a header's language is no note."""
    assert score(write(tmp_path / "h.jsonl", ROWS))["language"] == "en"
    assert "no language is named" in capsys.readouterr().out
    assert score(write(tmp_path / "g.jsonl", ROWS, {"language": "en_US"}))["language"] == "en"
    assert "no language is named" not in capsys.readouterr().out


def test_language_picks_metric_and_normaliser_and_options_win(tmp_path: Path) -> None:
    """The header's language routes, a row's wins over it, and the options win over both."""
    rows = [{"id": "1", "ref_text": "今天 天气", "hyp_text": "今天天汽"}]
    path = write(tmp_path / "zh.jsonl", rows, {"language": "zh"})
    document = score(path)
    assert (document["metric"], document["error_rate"], document["words"]) == ("cer", 0.25, 4)
    assert "wer" not in document
    assert document["per_utterance"][0]["cer"] == 0.25
    assert document["per_utterance"][0]["ref"] == "今天天气"
    assert score(path, "--metric", "wer")["metric"] == "wer"
    hindi = [{"id": "1", "ref_text": "वह किताब पढ़ रही थी", "hyp_text": "वह किताब पढ़ रहा था", "language": "hi"}]
    assert score(write(tmp_path / "hi.jsonl", hindi, {"language": "en"}))["wer"] == pytest.approx(0.4)
    assert score(tmp_path / "hi.jsonl", "--normaliser", "basic")["wer"] == 0.0
    assert score(tmp_path / "hi.jsonl", "--language", "Hindi", "--normaliser", "none")["wer"] == pytest.approx(0.4)


def test_dediarize_is_opt_in_and_stamped(tmp_path: Path) -> None:
    """Speaker labels and timestamps are scored unless they are asked away, and the file says which."""
    rows = [{"id": "1", "ref_text": "hello there", "hyp_text": "[0.00][S01]hello there[1.00]"}]
    path = write(tmp_path / "d.jsonl", rows)
    assert score(path, "--normaliser", "none")["wer"] > 0
    document = score(path, "--normaliser", "none", "--dediarize")
    assert (document["wer"], document["dediarize"]) == (0.0, True)
    assert "dediarize" in document["normaliser"]


def test_speakers_come_from_a_field_or_a_regex(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--speaker` takes a key of the rows or an expression over ids; the score file keeps who spoke."""
    path = write(tmp_path / "h.jsonl", [{**row, "who": row["id"][0]} for row in ROWS])
    document = score(path, "--speaker", "who")
    assert [row["speaker"] for row in document["per_utterance"]] == ["a", "a", "b", "b"]
    assert "2 speakers" in capsys.readouterr().out
    assert [row["speaker"] for row in score(path, "--speaker", "^([ab])-")["per_utterance"]] == ["a", "a", "b", "b"]
    assert "speaker" not in score(path)["per_utterance"][0]


def test_error_rows_have_no_score_and_flagged_rows_keep_theirs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A crash is never a score; truncated and repetition-stopped output keeps its partial score and a flag."""
    rows = [
        {"id": "1", "ref_text": "a b", "hyp_text": "", "error": "backend error"},
        {"id": "2", "ref_text": "a b c d", "hyp_text": "a b", "error": "output truncated: context is full"},
        {"id": "3", "ref_text": "a b", "hyp_text": "a b", "error": "output repetition: 3 tokens"},
    ]
    document = score(write(tmp_path / "h.jsonl", rows))
    assert (document["n"], document["n_errors"], document["truncated"], document["repetition"]) == (3, 1, 1, 1)
    assert (document["deletions"], document["words"]) == (2, 6)
    assert document["per_utterance"][0]["wer"] is None
    assert document["per_utterance"][0]["detail"] == "backend error"
    assert "incomplete: error rows have no score: '1'" in capsys.readouterr().out


def test_trn_pairs_and_plain_json_are_scored_with_their_references(tmp_path: Path) -> None:
    """sclite's pairs and a plain {id: text} give the same figures as rows that hold both texts."""
    (tmp_path / "ref.trn").write_text("the cat sat (u1)\nhello (u2)\n")
    (tmp_path / "hyp.trn").write_text("the hat sat (u1)\nhello (u2)\n")
    (tmp_path / "hyp.json").write_text('{"u2": "hello", "u1": "the hat sat"}')
    (tmp_path / "ref.json").write_text('{"u1": "the cat sat", "u2": "hello"}')
    for hypotheses in ("hyp.trn", "hyp.json"):
        for references in ("ref.trn", "ref.json"):
            document = score(tmp_path / hypotheses, "--references", str(tmp_path / references))
            assert (document["substitutions"], document["words"]) == (1, 4)


def test_a_file_of_ours_that_lost_a_row_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Our own files name the digest of their manifest, so that a lost row cannot make the rate better."""
    digest = manifest_digest([Utterance(str(row["id"]), Path(), str(row["ref_text"])) for row in ROWS])
    write(tmp_path / "whole.jsonl", ROWS, {"language": "en", "manifest_sha256": digest})
    assert score(tmp_path / "whole.jsonl")["n"] == 4
    capsys.readouterr()
    write(tmp_path / "lost.jsonl", ROWS[:3], {"language": "en", "manifest_sha256": digest})
    assert "some were lost" in refused(capsys, "score", str(tmp_path / "lost.jsonl"))
    assert not (tmp_path / "lost.score.json").exists()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b'{"id":"1","ref_text":"a","hyp_text":null}\n', ["x.jsonl:1 (1)", "hyp_text must be a text", "None"]),
        (b'{"id":"1","ref_text":"a","hyp_text":NaN}\n', ["x.jsonl:1", "NaN"]),
        (b'{"id":"1","ref_text":"a"}\n', ["x.jsonl:1 (1)", "hyp_text", "missing"]),
        (b'{"id":"1","ref_text":null,"hyp_text":"a"}\n', ["x.jsonl:1 (1)", "ref_text"]),
        (b'{"id":"1","hyp_text":"a"}\n', ["x.jsonl", "no ref_text", "'1'", "--references"]),
        (b'{"id":"1","ref_text":"a","hyp_text":"a"}\n' * 2, ["x.jsonl", "'1' (lines 1 and 2)"]),
        (b'{"ref_text":"a","hyp_text":"a"}\n', ["x.jsonl:1", "id"]),
        (b'{"id":"1","id":"2","ref_text":"a","hyp_text":"a"}\n', ["x.jsonl:1", "'id' stands twice"]),
        (b'{"id":"1","ref_text":"a","hyp_text":"a"}\n{"id":"2","ref_te', ["x.jsonl:2", "cut short"]),
        (b'{"id":"1","ref_text":"a","hyp_text":"\xff\xfe"}\n', ["x.jsonl:1", "not UTF-8"]),
        (b"[1, 2]\n", ["x.jsonl:1", "JSON object"]),
        (b"", ["x.jsonl", "holds no"]),
        (b'{"type":"batch_header"}\n', ["x.jsonl", "holds no"]),
        (
            b'{"id":"1","ref_text":"a","hyp_text":"a","language":"jp"}\n',
            ["x.jsonl", "(1)", "'jp'", "'ja'"],
        ),
    ],
    ids=[
        "null text",
        "NaN text",
        "no text",
        "null reference",
        "no reference",
        "id twice",
        "no id",
        "key twice",
        "cut short",
        "not UTF-8",
        "a list",
        "empty",
        "header only",
        "no such language",
    ],
)
def test_bad_hypotheses_are_refused_in_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes, words: list[str]
) -> None:
    """Every bad file ends in exit code 2 and one sentence naming file, line and id; nothing is written."""
    (tmp_path / "x.jsonl").write_bytes(content)
    message = refused(capsys, "score", str(tmp_path / "x.jsonl"))
    assert [word for word in words if word not in message] == []
    assert [path.name for path in tmp_path.iterdir()] == ["x.jsonl"]


def test_bom_and_crlf_are_fine(tmp_path: Path) -> None:
    """What Windows adds to a file costs nothing."""
    plain = score(write(tmp_path / "a.jsonl", ROWS))
    data = (tmp_path / "a.jsonl").read_bytes()
    (tmp_path / "b.jsonl").write_bytes(b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n"))
    other = score(tmp_path / "b.jsonl")
    assert other.pop("report_file") != plain.pop("report_file")
    assert other == plain


@pytest.mark.parametrize(
    ("references", "words"),
    [
        ('{"a-1": "x"}', ["has no reference for 'a-2', 'b-1', 'b-2'"]),
        (
            json.dumps({**{str(row["id"]): "x" for row in ROWS}, "z": "y"}),
            ["has no hypothesis for 'z'"],
        ),
        ('{"a-1": 5}', ["ref.json (a-1): must be a text; it is 5"]),
        ('{"a-1": "x", "a-1": "y"}', ["'a-1' stands twice"]),
    ],
)
def test_references_must_match_one_to_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], references: str, words: list[str]
) -> None:
    """A missing, unknown, doubled or non-text reference is refused by id."""
    path = write(tmp_path / "h.jsonl", ROWS)
    (tmp_path / "ref.json").write_text(references)
    message = refused(capsys, "score", str(path), "--references", str(tmp_path / "ref.json"))
    assert [word for word in words if word not in message] == []


def test_absent_files_folders_and_score_files_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A path that is no file of hypotheses is one sentence."""
    assert "gone.jsonl" in refused(capsys, "score", str(tmp_path / "gone.jsonl"))
    assert str(tmp_path) in refused(capsys, "score", str(tmp_path))
    score(write(tmp_path / "h.jsonl", ROWS))
    capsys.readouterr()
    assert "is a score file already" in refused(capsys, "score", str(tmp_path / "h.score.json"))


def test_a_folder_that_cannot_be_written_leaves_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where the score file cannot be written, one sentence says so and no half of it is left."""
    path = write(tmp_path / "h.jsonl", ROWS)
    (tmp_path / "taken").write_text("a file, not a folder")
    message = refused(capsys, "score", str(path), "--out", str(tmp_path / "taken" / "x.json"))
    assert "taken" in message
    assert sorted(item.name for item in tmp_path.iterdir()) == ["h.jsonl", "taken"]


def test_several_files_are_scored_and_out_takes_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Many files may be given at once; `--out` then names no one file and is refused."""
    paths = [str(write(tmp_path / f"{name}.jsonl", ROWS)) for name in ("a", "b")]
    assert main(["score", *paths]) == 0
    assert (tmp_path / "a.score.json").is_file()
    assert (tmp_path / "b.score.json").is_file()
    capsys.readouterr()
    assert "--out names one file" in refused(capsys, "score", *paths, "--out", str(tmp_path / "x"))


HINDI = {"ref_text": "वह किताब पढ़ रही थी", "hyp_text": "वह किताब पढ़ रहा था"}


def test_a_manifest_as_references_brings_language_and_speaker(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Texts without language are scored by what the manifest says of them, not as English."""
    row = {"id": "h1", "audio": "h.wav", "ref_text": HINDI["ref_text"], "language": "hi", "speaker": "s1"}
    manifest = write(tmp_path / "manifest.jsonl", [row])
    (tmp_path / "h.trn").write_text(f"{HINDI['hyp_text']} (h1)\n", encoding="utf-8")
    document = score(tmp_path / "h.trn", "--references", str(manifest))
    assert (document["wer"], document["language"]) == (pytest.approx(0.4), "hi")
    assert document["per_utterance"][0].get("speaker") is None
    assert "one speaker" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("header", "rows", "words"),
    [
        ({"language": "auto"}, [{"id": "1", **HINDI}], ["h.jsonl:2 (1)", "the header says auto", "--language"]),
        (
            None,
            [{"id": "1", "ref_text": "a", "hyp_text": "a", "language": "en"}, {"id": "2", **HINDI}],
            ["h.jsonl:2 (2)", "others have one", "--language"],
        ),
        ({"language": "en+hi"}, [{"id": "1", **HINDI}], ["h.jsonl:2 (1)", "names several"]),
    ],
    ids=["auto", "some rows", "several"],
)
def test_a_language_is_never_guessed_where_something_names_one(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    header: dict[str, object] | None,
    rows: list[object],
    words: list[str],
) -> None:
    """English is the default of files that say nothing; one that says `auto`, or says it of some, must be told."""
    path = write(tmp_path / "h.jsonl", rows, header)
    message = refused(capsys, "score", str(path))
    assert [word for word in words if word not in message] == []
    assert score(path, "--language", "hi")["language"] == "hi"


def test_what_the_engine_was_told_is_kept_beside_how_it_was_scored(tmp_path: Path) -> None:
    """`language` is that of the scoring; the recipe keeps the `auto` that the engine was given."""
    path = write(
        tmp_path / "h.jsonl", [{"id": "1", **HINDI}], {"language": "auto", "recipe": {"timestamps": "none"}}
    )
    document = score(path, "--language", "hi")
    assert (document["language"], document["recipe"]) == ("hi", {"timestamps": "none", "language": "auto"})


@pytest.mark.parametrize("out", ["h.jsonl", "./h.jsonl", "ref.json", "folder"])
def test_out_never_destroys_what_is_read(tmp_path: Path, capsys: pytest.CaptureFixture[str], out: str) -> None:
    """Hypotheses, references and folders are not written over."""
    path = write(tmp_path / "h.jsonl", ROWS)
    (tmp_path / "ref.json").write_text(json.dumps({row["id"]: row["ref_text"] for row in ROWS}))
    (tmp_path / "folder").mkdir()
    before = {item.name: item.read_bytes() for item in tmp_path.iterdir() if item.is_file()}
    message = refused(
        capsys, "score", str(path), "--references", str(tmp_path / "ref.json"), "--out", str(tmp_path / out)
    )
    assert out.removeprefix("./") in message
    assert {item.name: item.read_bytes() for item in tmp_path.iterdir() if item.is_file()} == before


def test_a_link_is_written_through(tmp_path: Path) -> None:
    """A score file that is a link stays one, and its target is written."""
    (tmp_path / "target.json").write_text("old")
    (tmp_path / "h.score.json").symlink_to(tmp_path / "target.json")
    score(write(tmp_path / "h.jsonl", ROWS))
    assert (tmp_path / "h.score.json").is_symlink()
    assert json.loads((tmp_path / "target.json").read_text())["n"] == 4


def test_two_files_of_one_name_are_not_scored_into_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`a.json` and `a.jsonl` would share a score file, so neither is scored."""
    path = write(tmp_path / "a.jsonl", ROWS)
    (tmp_path / "a.json").write_text('{"a-1": "x"}')
    assert "would hold the scores of" in refused(capsys, "score", str(path), str(tmp_path / "a.json"))
    assert not (tmp_path / "a.score.json").exists()


def test_files_before_a_bad_one_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What was scored before an error is printed, and the error names its own file."""
    good = write(tmp_path / "good.jsonl", ROWS)
    rows = [{"id": "1", "ref_text": "a", "hyp_text": "a", "language": "en"}]
    bad = write(tmp_path / "bad.jsonl", [*rows, {"id": "2", "ref_text": "日", "hyp_text": "日", "language": "ja"}])
    assert main(["score", str(good), str(bad)]) == 2
    captured = capsys.readouterr()
    assert f"wrote {tmp_path}/good.score.json" in captured.out
    assert captured.err.startswith(f"asrgate score: {bad}: en would be scored by wer, ja by cer")


def test_a_file_of_error_rows_alone_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where no row has a score there is no rate, and the line does not claim that nothing was said."""
    score(write(tmp_path / "h.jsonl", [{"id": "1", "ref_text": "a", "hyp_text": "", "error": "backend error"}]))
    assert "WER —: no utterance with reference words has a score; 1 error row" in capsys.readouterr().out


@pytest.mark.parametrize("language", ["", "jp", "auto"])
def test_a_wrong_language_option_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], language: str
) -> None:
    """`--language` must be a language."""
    path = write(tmp_path / "h.jsonl", ROWS)
    assert "--language: " in refused(capsys, "score", str(path), "--language", language)


def test_upper_case_endings_are_endings(tmp_path: Path) -> None:
    """`H.JSONL` is scored into `H.score.json`."""
    write(tmp_path / "H.JSONL", ROWS)
    assert main(["score", str(tmp_path / "H.JSONL")]) == 0
    assert (tmp_path / "H.score.json").is_file()


def _apart(*arguments: str, **settings: Any) -> "subprocess.CompletedProcess[str]":
    program = "import sys; from pytest_asrgate.cli import main; sys.exit(main(sys.argv[1:]))"
    return subprocess.run(
        [sys.executable, "-c", program, *arguments], text=True, stderr=subprocess.PIPE, check=False, **settings
    )


def test_a_name_that_is_no_text_can_be_scored(tmp_path: Path) -> None:
    """A file name that is not UTF-8 is shown with a replacement, and no traceback comes of it."""
    path = os.fsencode(tmp_path) + b"/h\xff.jsonl"
    write(tmp_path / "h.jsonl", ROWS).rename(os.fsdecode(path))
    result = _apart("score", os.fsdecode(path), stdout=subprocess.PIPE)
    assert (result.returncode, result.stderr) == (0, "")
    assert (Path(os.fsdecode(os.fsencode(tmp_path) + b"/h\xff.score.json"))).is_file()


def test_an_output_that_cannot_take_it_is_one_sentence(tmp_path: Path) -> None:
    """A full device is told, a reader that has seen enough is none, and no output at all is fine."""
    path = write(tmp_path / "h.jsonl", ROWS)
    with Path("/dev/full").open("w") as full:
        result = _apart("score", str(path), stdout=full)
    assert result.returncode == 2
    assert result.stderr.startswith("asrgate score: standard output: ")
    assert result.stderr.count("\n") == 1
    reading, writing = os.pipe()
    os.close(reading)
    result = _apart("score", str(path), stdout=writing)
    os.close(writing)
    assert (result.returncode, result.stderr) == (0, "")
    closed = f'exec "{sys.executable}" -c "from pytest_asrgate.cli import main; exit(main())" score "{path}" >&-'
    result = subprocess.run(["sh", "-c", closed], text=True, stderr=subprocess.PIPE, check=False)  # noqa: S607
    assert (result.returncode, result.stderr) == (0, "")


@pytest.mark.parametrize("name", ["hi", ["hi"], 5, ""])
def test_a_header_without_usable_language_hides_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: object
) -> None:
    """A null language leaves the recipe's in force; one that is no text is refused, and none becomes English."""
    rows = [{"id": "1", **HINDI}]
    if name == "hi":
        path = write(tmp_path / "h.jsonl", rows, {"language": None, "recipe": {"language": name}})
        assert score(path)["wer"] == pytest.approx(0.4)
        write(path, rows, {"language": None, "recipe": {"language": "auto"}})
        capsys.readouterr()
        assert "the header says auto" in refused(capsys, "score", str(path))
        return
    path = write(tmp_path / "h.jsonl", rows, {"language": name})
    assert "h.jsonl:1: language must be a text" in refused(capsys, "score", str(path))


@pytest.mark.parametrize("path", [".", "/", ""])
def test_what_has_no_name_is_one_sentence(capsys: pytest.CaptureFixture[str], path: str) -> None:
    """A folder, the root and nothing are no files of hypotheses."""
    assert "is no file of hypotheses" in refused(capsys, "score", path)
