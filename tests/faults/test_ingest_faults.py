"""An ingest that meets a full disk or is killed: nothing half-written counts, and a rerun does only the rest."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import soundfile

from pytest_asrgate.cli import main
from tests.faults.full_disk import has, in_own_mounts, needs_mounts, run_lines
from tests.integration.conftest import SENTENCES, GateProject, left_over
from tests.integration.corpora import SHAPES

COMMAND = "from pytest_asrgate.cli import console_script; console_script()"

# The command with a decoder that hangs within the fifth sound, after it has begun to write it.
HANGING = """
import sys
from functools import partial
import pytest_asrgate.cli.ingest as command
from pytest_asrgate.cli import main
from pytest_asrgate.ingest.decoders import Limits

decoder = '''
import pathlib, sys, time
from pytest_asrgate.ingest import worker
write = worker.write_sound
def write_sound(order):
    if "/u4.wav" in order.target or ".u4.wav" in order.target:
        pathlib.Path(order.target).write_bytes(b"half")
        time.sleep(3600)
    return write(order)
worker.write_sound = write_sound
worker.main(int(sys.argv[1]), int(sys.argv[2]))
'''
limits = Limits(program=(sys.executable, "-c", decoder, "{requests}", "{answers}"))
command.Plan = partial(command.Plan, limits=limits)
sys.exit(main(sys.argv[1:]))
"""


def _words(root: Path) -> list[str]:
    """Ingest the corpus that `SHAPES` made in `root`, whose ids are u0, u1, …"""
    options = SHAPES["kaldi"](root / "corpus")[1] if not (root / "corpus").exists() else ["--language", "en"]
    places = ["--out-dir", str(root / "out" / "sounds"), "--manifest", str(root / "out" / "m.jsonl")]
    return ["ingest", "kaldi", str(root / "corpus"), *places, *options]


def _check_manifest(manifest: Path) -> None:
    """Every row leads to a sound that is whole."""
    rows = [json.loads(line) for line in manifest.read_text(encoding="utf-8").splitlines()]
    assert [row["id"] for row in rows] == [f"u{number}" for number in range(len(SENTENCES))]
    for row in rows:
        samples, rate = soundfile.read(manifest.parent / row["audio"])
        assert len(samples) / rate == row["duration_s"]


def test_no_room_for_sounds_and_manifest(project: GateProject) -> None:
    """One sentence with the mend, no part of a file, and with room again only what is missing is written."""
    needs_mounts()
    words = " ".join([sys.executable, "-c", f"'{COMMAND}'", *_words(project.root), "2>&1; echo exit $?"])
    temporary = "find out -name '.*.asrgate-????????'"
    lines = in_own_mounts(
        project,
        f"""
        mkdir out
        mount -t tmpfs -o size=150k none out
        {words}
        {temporary}
        mount -o remount,size=1m out
        {words}
        rm out/m.jsonl
        head -c 2000000 /dev/zero > out/ballast 2>/dev/null
        {words}
        {temporary}
        rm out/ballast
        {words}
        cp -r out kept
        mount -o remount,ro out
        {words}
        """,
    )
    full = "asrgate ingest: *out/sounds/u*.wav: cannot be written (No space left on device); make room on the disk"
    has(run_lines(lines, 0), full, "exit 2")
    second = run_lines(lines, 1)
    has(
        second,
        "wrote ? sounds (? were there already)*",
        "wrote *out/m.jsonl: 8 utterances, 2 speakers, en",
        "exit 0",
    )
    assert not [line for line in second if line.startswith("wrote 8 ")]
    no_manifest = "*out/m.jsonl: the manifest cannot be written (No space left on device); make room on the disk"
    has(run_lines(lines, 2), no_manifest, "exit 2")
    has(run_lines(lines, 3), "wrote 0 sounds (8 were there already)*", "exit 0")
    read_only = "asrgate ingest: --out-dir *out/sounds: cannot be used (Read-only file system); allow writing there"
    has(run_lines(lines, 4), read_only, "exit 2")
    assert not [line for line in lines if line.startswith("out/")]
    _check_manifest(project.root / "kept" / "m.jsonl")


def test_no_room_for_what_comes_out_of_an_archive(project: GateProject) -> None:
    """A copy of a member, and its sound, are named as the sound that they were to become, and are removed."""
    needs_mounts()
    source, options = SHAPES["fleurs"](project.root / "corpus")
    words = ["ingest", "fleurs", str(source), "--out-dir", "out", "--manifest", "m.jsonl", *options]
    run = " ".join([sys.executable, "-c", f"'{COMMAND}'", *words, "2>&1; echo exit $?"])
    lines = in_own_mounts(
        project,
        f"""
        mkdir out
        mount -t tmpfs -o size=20k none out
        {run}
        mount -o remount,size=120k out
        {run}
        find out -name '.*.asrgate-????????'
        mount -o remount,size=1m out
        {run}
        """,
    )
    full = "asrgate ingest: out/*.wav: cannot be written (No space left on device); make room on the disk"
    for number in (0, 1):
        has(run_lines(lines, number), full, "exit 2")
        assert not any(".asrgate-" in line for line in run_lines(lines, number))
    has(run_lines(lines, 2), "wrote ? sounds (? w* there already)*", "exit 0")
    assert not [line for line in lines if line.startswith("out/")]


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="looks for orphans in /proc")
@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_ended_in_the_middle_of_a_sound(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], sent: signal.Signals
) -> None:
    """No process is left, no manifest was written, what was finished stays, and a rerun does the other half."""
    words = _words(tmp_path)
    folder = tmp_path / "out" / "sounds"
    environment = {**os.environ, "ASRGATE_TEST_MARK": str(tmp_path)}
    # A shell that runs the tests in the background ignores SIGINT, and children inherit that.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        running = subprocess.Popen(
            [sys.executable, "-c", HANGING, *words], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
    finally:
        signal.signal(signal.SIGINT, before)
    deadline = time.monotonic() + 120

    def comes_to_the_fifth() -> bool:
        journal = folder / ".asrgate-ingest.jsonl"
        half = [path for path in folder.glob(".u4.wav.asrgate-*") if path.stat().st_size]
        return bool(half) and journal.read_bytes().count(b"\n") == 4 and (folder / "u3.wav").exists()

    while not comes_to_the_fifth() and running.poll() is None and time.monotonic() < deadline:
        time.sleep(0.02)
    assert running.poll() is None
    assert comes_to_the_fifth()
    running.send_signal(sent)
    out, complaint = running.communicate(timeout=60)
    assert left_over(f"ASRGATE_TEST_MARK={tmp_path}") == []
    assert out.decode().splitlines() == ["found 8 transcripts and 8 sounds, 2 speakers"]
    if sent != signal.SIGKILL:
        assert running.returncode == 128 + sent
        sentence = f"asrgate ingest: ended by {sent.name}; what was finished by then is kept\n"
        assert complaint.decode() == sentence
        assert not list(folder.glob(".u*"))
    assert not (tmp_path / "out" / "m.jsonl").exists()
    assert {path.name for path in folder.glob("u*")} == {"u0.wav", "u1.wav", "u2.wav", "u3.wav"}

    assert main(words) == 0
    assert "wrote 4 sounds (4 were there already)" in capsys.readouterr().out
    assert not list(folder.glob(".u*"))
    _check_manifest(tmp_path / "out" / "m.jsonl")


def test_a_second_run_into_the_same_folder_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """While the first is at it, however long that takes; when that was killed nothing is in the way."""
    words = _words(tmp_path)
    running = subprocess.Popen(
        [sys.executable, "-c", HANGING, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        deadline = time.monotonic() + 120
        while not list((tmp_path / "out").glob("sounds/.u4.wav.*")) and time.monotonic() < deadline:
            time.sleep(0.02)
        assert main(words) == 2
        assert "another asrgate ingest writes into it" in capsys.readouterr().err
    finally:
        running.kill()
        running.wait(60)
    assert main(words) == 0
    _check_manifest(tmp_path / "out" / "m.jsonl")
