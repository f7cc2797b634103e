"""A disk that fills up: one sentence, nothing committed is lost, nothing half written is left, a rerun goes on."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
import soundfile

from tests.faults.full_disk import gate_command, has, in_own_mounts, needs_mounts, run_lines
from tests.integration.conftest import SENTENCES, GateProject
from tests.integration.test_transcribe_cli import CliProject

# In the project's conftest.py: after three rows of a variant were committed nothing more can be written.
FULL_AFTER_THREE = """
import os, resource, signal
from pathlib import Path
from pytest_asrgate.store import Store

kept, keep = [], Store.keep

def no_room(path):
    if os.environ["FAULT"] == "limit":
        resource.setrlimit(resource.RLIMIT_FSIZE, (path.with_name(path.name + "-wal").stat().st_size + 100,) * 2)
        return
    with path.with_name("ballast").open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(256))
        except OSError:
            pass

def keep_three(self, audio, engine, recipe, hypothesis):
    if os.environ.get("FAULT") and len(kept) == 3:
        no_room(self.path)
    keep(self, audio, engine, recipe, hypothesis)
    kept.append(hypothesis.id)

Store.keep = keep_three
"""


def test_no_room_for_the_store(project: GateProject) -> None:
    """The pair is ERROR with the mend, three rows stay, and with room again only the other five are decoded."""
    needs_mounts()
    project.standard()
    (project.root / "conftest.py").write_text(FULL_AFTER_THREE)
    (project.root / ".asrgate").mkdir()
    lines = in_own_mounts(
        project,
        f"""
        mount -t tmpfs -o size=600k none .asrgate
        FAULT=full {gate_command("-k", "f32")}
        rm -f .asrgate/ballast
        {gate_command("-k", "f32", "--asrgate-json", "report.json")}
        """,
    )
    has(run_lines(lines, 0), "f32 prompts: *store.sqlite: cannot be used (*); make room on the disk", "exit 1")
    has(run_lines(lines, 1), "transcribed 5 utterances now*", "exit 0")
    asked = [line.split()[-1] for line in project.log("f32") if "clip" in line]
    assert asked[:3] == ["1600", "1601", "1602"]
    assert sorted(set(asked)) == [str(1600 + number) for number in range(8)]
    # What was committed is not decoded again.
    assert [asked.count(clip) for clip in ("1600", "1601", "1602")] == [1, 1, 1]
    report = json.loads((project.root / "report.json").read_text())
    assert [pair["verdict"] for pair in report["pairs"]] == ["PASS"]


def test_a_limit_of_file_sizes(project: GateProject, monkeypatch: pytest.MonkeyPatch) -> None:
    """`ulimit -f`: the signal that comes with it ends nothing, and the sentence names the limit."""
    project.standard()
    (project.root / "conftest.py").write_text(FULL_AFTER_THREE)
    monkeypatch.setenv("FAULT", "limit")
    result = project.run_apart("-m", "wer", "-k", "f32")
    result.assert_outcomes(failed=1, deselected=1)
    mend = "check the disk, the room on it and its limits (quota, ulimit -f)"
    result.stdout.fnmatch_lines([f"f32 prompts: *store.sqlite: cannot be used (*); {mend}"])
    result.stdout.no_fnmatch_line("*Traceback*")
    with closing(sqlite3.connect(project.root / ".asrgate" / "store.sqlite")) as connection:
        assert connection.execute("SELECT count(*) FROM hypotheses").fetchone() == (3,)


def test_no_room_for_reports_and_models(project: GateProject) -> None:
    """A hypothesis file, the JSON report and a made model: each one sentence, no part of a file, then a rerun."""
    needs_mounts()
    project.standard()
    write = "import sys; open(sys.argv[1], 'wb').write(open('q8_0.json', 'rb').read() + b' ' * 200_000)"
    (project.root / "maker.py").write_text(write)
    text = (project.root / "gate.toml").read_text()
    extra = '[variant.made]\nmodel = "small/made.json"\nmake = ["python", "maker.py", "{model}"]\n'
    project.gate(text.replace("[dataset.prompts]", f"{extra}[dataset.prompts]"))
    for name in (".asrgate/reports/wer", "small"):
        (project.root / name).mkdir(parents=True)
    run = gate_command("--asrgate-json", "small/report.json")
    lines = in_own_mounts(
        project,
        f"""
        mount -t tmpfs -o size=4k none .asrgate/reports/wer
        mount -t tmpfs -o size=64k none small
        head -c 4000 /dev/zero > .asrgate/reports/wer/ballast
        head -c 70000 /dev/zero > small/ballast 2>/dev/null
        {run}
        find .asrgate/reports/wer small -type f -size +0
        mount -o remount,size=1m .asrgate/reports/wer
        mount -o remount,size=1m small
        {run}
        find .asrgate/reports/wer small -type f -size +0
        """,
    )
    first, second = run_lines(lines, 0), run_lines(lines, 1)
    has(
        first,
        "f32 prompts: *reports/wer: hypotheses cannot be written (No space left on device); make room on the disk",
        "*variant.made.make: * ended with exit code 1; last output: *No space left on device",
        "--asrgate-json: *small/report.json cannot be written (No space left on device); make room on the disk",
        "transcribed 16 utterances now*",
        "exit 1",
    )
    has(second, "transcribed 8 utterances now*", "exit 0")
    assert second[:2] == [".asrgate/reports/wer/ballast", "small/ballast"]
    left = lines[lines.index("exit 0") + 1 :]
    names = [f".asrgate/reports/wer/{name}.prompts-timestamps_none.jsonl" for name in ("f32", "made", "q8_0")]
    others = [".asrgate/reports/wer/ballast", "small/ballast", "small/made.json", "small/report.json"]
    assert sorted(left) == sorted([*names, *others])
    assert project.log("f32").count("f32 load") == 1


def test_no_room_for_audio_that_the_program_reads(project: GateProject) -> None:
    """Audio that has to be converted is one sentence where there is no room, its half is gone, a rerun goes on."""
    needs_mounts()
    cli = CliProject(project)
    for number, clip in enumerate(sorted((project.root / "prompts").glob("*.wav"))):
        # One with another format than the program reads is converted.
        clip.rename(clip.with_name(f"{number}.old"))
        _as_float(clip.with_name(f"{number}.old"), clip)
    cli.gate(thresholds="wer = 90.0")
    (project.root / ".asrgate" / "audio").mkdir(parents=True)
    run = gate_command()
    lines = in_own_mounts(
        project,
        f"""
        mount -t tmpfs -o size=16k none .asrgate/audio
        {run}
        find .asrgate -name '*.list' -o -name 'tmp*'
        umount .asrgate/audio
        {run}
        """,
    )
    has(
        run_lines(lines, 0),
        "cli prompts: *.asrgate/audio/*.wav: No space left on device; make room on the disk",
        "exit 1",
    )
    second = run_lines(lines, 1)
    has(second, f"transcribed {len(SENTENCES)} utterances now*", "exit 0")
    assert not [line for line in second if line.startswith(".asrgate/")]


def _as_float(source: Path, target: Path) -> None:
    samples, rate = soundfile.read(source)
    soundfile.write(target, samples, rate, subtype="FLOAT")
