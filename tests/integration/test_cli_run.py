"""`asrgate run` over real worker processes: files, reuse by and of a gate, interruptions, languages, failures."""

import errno
import importlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from pytest_asrgate.cli import main
from pytest_asrgate.records import HypothesisSet, Utterance
from pytest_asrgate.reports import hypotheses
from tests.integration.conftest import SENTENCES, SUPPORT, GateProject, left_over

RIGHT: dict[int, object] = {1600 + number: sentence for number, sentence in enumerate(SENTENCES)}
FAKE = ("--transcriber", "fake")
WER = Path("reports") / "wer"
MANIFEST = "prompts/manifest.jsonl"


@pytest.fixture
def spoken(project: GateProject, monkeypatch: pytest.MonkeyPatch) -> GateProject:
    """Eight clips, a model that hears them all, and the folder to run the command in."""
    importlib.import_module("asrgate_fake")
    monkeypatch.chdir(project.root)
    project.dataset("prompts", SENTENCES)
    project.model("f32", RIGHT, log=str(project.root / "f32.log"))
    return project


def _run(*words: str, model: str = "f32.json", manifest: str = MANIFEST, code: int = 0) -> None:
    assert main(["run", "--model", model, "--manifest", manifest, *FAKE, *words]) == code


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _clips(project: GateProject, variant: str = "f32") -> list[int]:
    return [int(line.split()[2]) for line in project.log(variant) if " clip " in line]


def test_one_file_is_written_and_a_rerun_decodes_nothing(
    spoken: GateProject, capsys: pytest.CaptureFixture[str]
) -> None:
    """Named as documented, recipe in its first row, a row for each utterance; a second run finds all there."""
    _run()
    path = WER / "f32.prompts-timestamps_none.jsonl"
    told = capsys.readouterr()
    assert told.out.splitlines() == [
        "transcribed 8 utterances (0 were there already)",
        "not controllable by fake (fake): seed",
        f"wrote {path}",
    ]
    assert told.err == ""
    header, *rows = _rows(path)
    assert (header["type"], header["language"], header["recipe"]["timestamps"]) == ("batch_header", "en", "none")
    assert header["recipe"]["decode"] == "greedy"
    assert header["stamp"]["model_sha256"] == header["stamp"]["fingerprint"]
    assert [row["id"] for row in rows] == [f"prompts-{number}" for number in range(8)]
    assert [row["hyp_text"] for row in rows] == [row["ref_text"] for row in rows] == SENTENCES
    assert {row["status"] for row in rows} == {"ok"}
    before, log = path.read_bytes(), spoken.log("f32")
    _run()
    assert capsys.readouterr().out.startswith("transcribed 0 utterances (8 were there already)\n")
    assert (path.read_bytes(), spoken.log("f32")) == (before, log)


def test_a_gate_of_the_same_state_shares_the_results(spoken: GateProject) -> None:
    """What the command decoded no gate decodes again, and the other way round; the rows of both files are equal."""
    _run()
    path = WER / "f32.prompts-timestamps_none.jsonl"
    spoken.model("q8_0", {**RIGHT, 1600: "please turn on the chicken light"}, log=str(spoken.root / "q8_0.log"))
    spoken.gate(
        '[transcriber.other]\nkind = "fake"\n[variant.base]\nmodel = "f32.json"\n[variant.small]\n'
        'model = "q8_0.json"\n[dataset.spoken]\nmanifest = "prompts/manifest.jsonl"\n'
    )
    spoken.run("-m", "wer").stdout.fnmatch_lines(["transcribed 8 utterances now*"])
    assert (len(_clips(spoken)), len(_clips(spoken, "q8_0"))) == (8, 8)
    _run(model="q8_0.json")
    assert len(_clips(spoken, "q8_0")) == 8
    folder = Path(".asrgate") / "reports" / "wer"
    for model, variant in (("f32", "base"), ("q8_0", "small")):
        mine, gates = (
            _rows(place / f"{name}-timestamps_none.jsonl")
            for place, name in ((WER, f"{model}.prompts"), (folder, f"{variant}.spoken"))
        )
        assert mine[1:] == gates[1:]
        # The gate has scored, and says how.
        assert mine[0]["recipe"].items() <= gates[0]["recipe"].items()
        assert mine[0]["stamp"].items() <= gates[0]["stamp"].items()
        rest = {"recipe", "stamp"}
        assert {key: mine[0][key] for key in mine[0].keys() - rest} == {
            key: gates[0][key] for key in gates[0].keys() - rest
        }
    assert path.is_file()


def test_score_and_compare_give_the_figures_of_a_gate(
    spoken: GateProject, capsys: pytest.CaptureFixture[str]
) -> None:
    """run, run, score, compare, and a gate over the same manifest: the same rate, counts and difference."""
    wrong = {1600: "please turn on the chicken light", 1603: "send letter to my dear sister"}
    spoken.model("q8_0", {**RIGHT, **wrong}, log=str(spoken.root / "q8_0.log"))
    files = []
    for name in ("f32", "q8_0"):
        _run(model=f"{name}.json")
        files.append(str(WER / f"{name}.prompts-timestamps_none.jsonl"))
    assert main(["score", *files]) == 0
    scores = [file.replace(".jsonl", ".score.json") for file in files]
    capsys.readouterr()
    assert main(["compare", *scores, "--format", "json"]) == 0
    row = json.loads(capsys.readouterr().out)["rows"][1]
    spoken.gate(
        '[gate]\nbaseline = "f32"\n[transcriber.fake]\nkind = "fake"\n[variant.f32]\nmodel = "f32.json"\n'
        '[variant.q8_0]\nmodel = "q8_0.json"\n[dataset.prompts]\nmanifest = "prompts/manifest.jsonl"\n'
    )
    spoken.run("-m", "wer", "--asrgate-json", "report.json").stdout.fnmatch_lines(["transcribed nothing*"])
    pairs = json.loads(Path("report.json").read_text())["pairs"]
    for pair, score in zip(pairs, scores, strict=True):
        document = json.loads(Path(score).read_text())
        assert pair["rate_pct"] == document["error_rate_pct"]
        for key in ("n", "words", "substitutions", "deletions", "insertions"):
            assert pair[key] == document[key]
    assert pairs[1]["substitutions"] + pairs[1]["deletions"] + pairs[1]["insertions"] == 3
    assert (pairs[1]["delta_pp"], pairs[1]["delta_ci_pp"]) == (row["delta_pp"], row["delta_ci_pp"])


def _background(project: GateProject, *words: str) -> subprocess.Popen[str]:
    code = "import sys, asrgate_fake; from pytest_asrgate.cli import main; sys.exit(main(sys.argv[1:]))"
    environment = {**os.environ, "PYTHONPATH": str(SUPPORT), "ASRGATE_TEST_MARK": str(project.root)}
    command = [sys.executable, "-c", code, "run", *FAKE, "--model", "f32.json"]
    # A shell that runs the tests in the background ignores SIGINT, and children inherit that.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return subprocess.Popen(
            [*command, "--manifest", "prompts/manifest.jsonl", *words],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="looks for orphans in /proc")
@pytest.mark.parametrize(
    ("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGKILL, -signal.SIGKILL)]
)
def test_an_interrupted_run_goes_on_where_it_was(
    spoken: GateProject, capsys: pytest.CaptureFixture[str], sent: signal.Signals, code: int
) -> None:
    """No engine outlives the command, the old file stays, and a rerun decodes only what was not finished."""
    log = spoken.root / "f32.log"
    spoken.model("f32", {**RIGHT, 1604: {"do": "hang", "mended": SENTENCES[4]}}, log=str(log))
    path = WER / "f32.prompts-timestamps_none.jsonl"
    path.parent.mkdir(parents=True)
    path.write_text("old\n")
    running = _background(spoken, "--timeout-s", "120")
    deadline = time.monotonic() + 60
    while 1604 not in _clips(spoken) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert 1604 in _clips(spoken), "the run never came to the clip that hangs"
    running.send_signal(sent)
    out, err = running.communicate(timeout=60)
    assert (running.returncode, out) == (code, "")
    if sent is not signal.SIGKILL:
        assert err == f"asrgate run: ended by {sent.name}; what was finished by then is kept\n"
    marker = f"ASRGATE_TEST_MARK={spoken.root}"
    assert left_over(marker) == []
    assert path.read_text() == "old\n"
    assert [*path.parent.iterdir()] == [path]
    done = set(_clips(spoken)) - {1604}
    log.write_text("")
    Path(f"{log}.mended").touch()
    _run("--timeout-s", "120")
    assert capsys.readouterr().out.startswith(f"transcribed {8 - len(done)} utterances ({len(done)} were there")
    assert set(_clips(spoken)) == RIGHT.keys() - done
    assert [row["hyp_text"] for row in _rows(path)[1:]] == SENTENCES


def test_failed_utterances_are_told_written_and_tried_again(
    spoken: GateProject, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 1, the rest is kept, and the next run decodes the failed ones alone."""
    texts = {**RIGHT, 1602: {"do": "raise", "mended": SENTENCES[2]}, 1603: {"do": "truncated", "text": "send"}}
    texts |= {1604: {"do": "repetition", "text": "read read"}, 1605: ""}
    spoken.model("f32", texts, log=str(spoken.root / "f32.log"))
    _run(code=1)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "transcribed 7 utterances (0 were there already), 1 failed; another run tries them again"
    assert lines[1].startswith("failed: 'prompts-2': ")
    assert "does not like this clip" in lines[1]
    assert lines[2:5] == [
        "1 truncated, kept with their partial text: 'prompts-3'",
        "1 stopped for repetition, kept with their partial text: 'prompts-4'",
        "1 without any text: 'prompts-5'",
    ]
    path = WER / "f32.prompts-timestamps_none.jsonl"
    states = ["ok", "ok", "error", "truncated", "repetition", "ok", "ok", "ok"]
    assert [row["status"] for row in _rows(path)[1:]] == states
    assert "does not like" in _rows(path)[3]["error"]
    (spoken.root / "f32.log.mended").touch()
    (spoken.root / "f32.log").write_text("")
    _run()
    assert capsys.readouterr().out.startswith("transcribed 1 utterance (7 were there already)\n")
    assert _clips(spoken) == [1602]


def test_nothing_but_failures_is_no_success(spoken: GateProject, capsys: pytest.CaptureFixture[str]) -> None:
    """Every utterance failed: exit code 1, and the file says so row by row."""
    spoken.model("f32", {key: {"do": "raise"} for key in RIGHT}, log=str(spoken.root / "f32.log"))
    _run(code=1)
    assert "transcribed 0 utterances (0 were there already), 8 failed" in capsys.readouterr().out
    rows = _rows(WER / "f32.prompts-timestamps_none.jsonl")[1:]
    assert {row["status"] for row in rows} == {"error"}


def test_an_engine_that_does_not_start(spoken: GateProject, capsys: pytest.CaptureFixture[str]) -> None:
    """One sentence, exit code 2, and no file."""
    spoken.model("f32", RIGHT, load="fail")
    _run(code=2)
    told = capsys.readouterr()
    assert (told.out, told.err.count("\n")) == ("", 1)
    assert "the fake model refuses to load" in told.err
    assert not Path("reports").exists()


def _mixed(project: GateProject) -> None:
    languages = ["en", "es", "en_GB", "es", "en", "en", "fra", "en"]
    project.dataset("prompts", SENTENCES, language=languages)


def test_each_language_is_a_run_of_its_own(spoken: GateProject, capsys: pytest.CaptureFixture[str]) -> None:
    """A file for each language, with digest and header of its own, that `score` takes; one model load for all."""
    _mixed(spoken)
    _run("--split-languages")
    lines = capsys.readouterr().out.splitlines()
    begun = [line for line in lines if "transcribed" in line]
    assert begun == [
        "en: transcribed 5 utterances (0 were there already)",
        "es: transcribed 2 utterances (0 were there already)",
        "fr: transcribed 1 utterance (0 were there already)",
    ]
    files = [WER / f"f32.prompts-{language}-timestamps_none.jsonl" for language in ("en", "es", "fr")]
    assert [line for line in lines if line.startswith("wrote")] == [f"wrote {path}" for path in files]
    headers = [_rows(path)[0] for path in files]
    assert [header["language"] for header in headers] == ["en", "es", "fr"]
    assert len({header["manifest_sha256"] for header in headers}) == 3
    assert [row["id"] for row in _rows(files[1])[1:]] == ["prompts-1", "prompts-3"]
    assert sum("load" in line for line in spoken.log("f32")) == 1
    assert main(["score", *map(str, files)]) == 0


def test_the_file_of_each_language_goes_where_out_says(spoken: GateProject) -> None:
    """`{language}` becomes the short code, in folders too, which are made."""
    _mixed(spoken)
    _run("--split-languages", "--out", "made/{language}/h.{language}.jsonl")
    assert sorted(map(str, Path("made").rglob("*.jsonl"))) == [
        f"made/{each}/h.{each}.jsonl" for each in ("en", "es", "fr")
    ]
    _run("--language", "en", "--out", "deep/er/one.jsonl")
    assert _rows(Path("deep/er/one.jsonl"))[0]["language"] == "en"
    assert len(_rows(Path("deep/er/one.jsonl"))) == 9
    assert not Path("reports").exists()


def test_one_language_that_cannot_be_run_leaves_the_others(
    spoken: GateProject, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others are run and written, and the end says which was not, and why."""
    _mixed(spoken)
    write = hypotheses.write_hypotheses_file

    def refused(path: Path, made: HypothesisSet, utterances: Sequence[Utterance]) -> None:
        if path.stem == "es":
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        write(path, made, utterances)

    monkeypatch.setattr(hypotheses, "write_hypotheses_file", refused)
    _run("--split-languages", "--out", "made/{language}.jsonl", code=2)
    told = capsys.readouterr()
    assert told.err == (
        "asrgate run: 1 of 3 languages could not be run: es: made/es.jsonl: hypotheses cannot be written "
        "(Permission denied); a rerun decodes nothing again\n"
    )
    assert sorted(path.name for path in Path("made").iterdir()) == ["en.jsonl", "fr.jsonl"]
    assert re.findall(r"^\w+: transcribed", told.out, re.MULTILINE) == ["en: transcribed", "fr: transcribed"]


def test_what_no_language_would_mend_is_told_once(spoken: GateProject, capsys: pytest.CaptureFixture[str]) -> None:
    """An engine that does not start is started for the first language, and for no other."""
    _mixed(spoken)
    log = spoken.root / "starts.log"
    script = spoken.root / "engine.py"
    script.write_text(f"open({str(log)!r}, 'a').write('start\\n')\n")
    program = ("--transcriber", "command", "--option", f"command={json.dumps([sys.executable, str(script)])}")
    assert main(["run", "--manifest", MANIFEST, "--name", "x", *program, "--split-languages"]) == 2
    message = capsys.readouterr().err
    assert message.count("ended with exit code 0") == 1
    assert log.read_text() == "start\n"


def test_good_hypotheses_are_not_replaced_by_none(spoken: GateProject, capsys: pytest.CaptureFixture[str]) -> None:
    """Where every utterance fails the file that is there stays, and that is said; another run's is named."""
    _run()
    path = WER / "f32.prompts-timestamps_none.jsonl"
    before = path.read_bytes()
    spoken.model("f32", {key: {"do": "raise"} for key in RIGHT})
    _run(code=1)
    assert f"left {path} as it was, since every utterance failed" in capsys.readouterr().out
    assert path.read_bytes() == before
    spoken.model("f32", RIGHT, other=True)
    _run("--threads", "2")
    told = capsys.readouterr().out
    assert f"wrote {path}, in place of hypotheses of another model or engine and another recipe\n" in told
    _run("--threads", "2")
    assert f"wrote {path}\n" in capsys.readouterr().out


def test_what_is_printed_of_a_row_is_its_own_word(spoken: GateProject, capsys: pytest.CaptureFixture[str]) -> None:
    """Ids and names of files that look like settings of a gate file stay what they are."""
    path = spoken.root / MANIFEST
    path.write_text(path.read_text().replace("prompts-0", "dataset.prompts").replace("0.wav", "recipe.seed.wav"))
    (path.parent / "0.wav").rename(path.parent / "recipe.seed.wav")
    spoken.model("f32", {**RIGHT, 1600: {"do": "raise"}})
    _run("--out", "recipe.seed.jsonl", code=1)
    told = capsys.readouterr().out
    assert "failed: 'dataset.prompts': " in told
    assert "wrote recipe.seed.jsonl\n" in told


def test_a_row_is_counted_once(spoken: GateProject, capsys: pytest.CaptureFixture[str]) -> None:
    """One that was decoded and is not as long as the manifest says has failed, and is nothing else."""
    path = spoken.root / MANIFEST
    path.write_text(path.read_text().replace('"id": "prompts-0"', '"id": "prompts-0", "duration_s": 9'))
    for first in ("transcribed 7 utterances (0 were there", "transcribed 0 utterances (7 were there"):
        _run(code=1)
        assert capsys.readouterr().out.startswith(f"{first} already), 1 failed; another run tries them again\n")


def test_a_failed_utterance_of_one_language_is_told_at_the_end(spoken: GateProject) -> None:
    """Exit code 1 also where the last language went well."""
    _mixed(spoken)
    spoken.model("f32", {**RIGHT, 1600: {"do": "raise"}})
    _run("--split-languages", code=1)


def test_transcribe_cli_and_its_warnings(spoken: GateProject, capsys: pytest.CaptureFixture[str]) -> None:
    """Another engine by its options; what it complains of is told."""
    program = spoken.root / "transcribe-cli"
    program.write_text(f"#!{sys.executable}\n" + (SUPPORT / "transcribe_cli_stand_in.py").read_text())
    program.chmod(0o755)
    content = {"texts": {str(key): text for key, text in RIGHT.items()}, "log": str(spoken.root / "calls.log")}
    (spoken.root / "f32.gguf").write_bytes(b"GGUF" + json.dumps(content).encode())
    words = "--transcriber transcribe-cli --option path=./transcribe-cli --batch-size 4 --timestamps word"
    _run(*words.split(), model="f32.gguf")
    out = capsys.readouterr().out
    assert "warning: " in out
    assert "the language is not known to this model" in out
    header = _rows(WER / "f32.prompts-timestamps_word.jsonl")[0]
    assert (header["recipe"]["batch_size"], header["recipe"]["timestamps"]) == (4, "word")
    call = json.loads((spoken.root / "calls.log").read_text().splitlines()[-1])
    assert call[call.index("--batch-size") + 1] == "4"


def test_a_disk_that_fills_costs_no_decoding(
    spoken: GateProject, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file cannot be written: one sentence with the mend, the old file stays, and a rerun writes it at once."""
    path = Path("old.jsonl")
    path.write_text("old\n")

    def full(path: Path, rows: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patched:
        patched.setattr("pytest_asrgate.reports.hypotheses.write_rows", full)
        _run("--out", str(path), code=2)
    assert capsys.readouterr().err == (
        "asrgate run: old.jsonl: hypotheses cannot be written (No space left on device); make room on the disk; a "
        "rerun decodes nothing again\n"
    )
    assert path.read_text() == "old\n"
    _run("--out", str(path))
    assert len(_clips(spoken)) == 8
    assert len(_rows(path)) == 9


def test_workers_share_the_work(spoken: GateProject) -> None:
    """Two model processes give the file that one gives."""
    _run("--workers", "2", "--out", "two.jsonl", "--state", "elsewhere")
    _run("--out", "one.jsonl")
    texts = [[(row["id"], row["hyp_text"]) for row in _rows(Path(name))[1:]] for name in ("two.jsonl", "one.jsonl")]
    assert texts[0] == texts[1]
    assert Path("elsewhere/store.sqlite").is_file()


def test_a_store_that_cannot_be_used_is_told_by_its_option(
    spoken: GateProject, capsys: pytest.CaptureFixture[str]
) -> None:
    """`--state` stands in the sentence, and no key of a gate file."""
    Path("state").write_text("no folder")
    _run("--state", "state", code=2)
    message = capsys.readouterr().err
    assert message.count("\n") == 1
    assert "--state" in message
    assert "gate.state" not in message
