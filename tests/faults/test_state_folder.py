"""A state folder that goes away, cannot be written to, or is used by two gates at once."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from pytest_asrgate.records import Hypothesis
from pytest_asrgate.session import GateSession, open_gate
from pytest_asrgate.store import Store
from tests.faults.full_disk import gate_command, has, in_own_mounts, needs_mounts, run_lines
from tests.integration.conftest import LEAN, SENTENCES, SUPPORT, GateProject
from tests.integration.test_transcribe_cli import CliProject

KEEP = Store.keep


def _after(monkeypatch: pytest.MonkeyPatch, rows: int, fault: Callable[[], object]) -> None:
    """Let the fault happen when so many rows are committed."""
    kept = []

    def keep(store: Store, audio: str, engine: str, recipe: str, hypothesis: Hypothesis) -> None:
        KEEP(store, audio, engine, recipe, hypothesis)
        kept.append(audio)
        if len(kept) == rows:
            fault()

    monkeypatch.setattr(Store, "keep", keep)


def _clips(project: GateProject) -> int:
    return sum("clip" in line for name in ("f32", "q8_0") for line in project.log(name))


def _verdicts(path: Path) -> list[dict[str, object]]:
    """The pairs of a report without what differs between a run that decodes and one that does not."""
    pairs = json.loads(path.read_text())["pairs"]
    for pair in pairs:
        for name in ("warnings", "transcribed", "reused", "transcribed_now", "failed_now"):
            pair.pop(name, None)
    return list(pairs)


@pytest.mark.parametrize("what", ["the folder", "the store alone"])
def test_removed_while_it_decodes(project: GateProject, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    """The run ends with its verdicts and says what happened; every finished row is there, none is decoded twice."""
    project.standard()
    state = project.root / ".asrgate"
    faults = {
        "the folder": lambda: shutil.rmtree(state),
        "the store alone": (state / "store.sqlite").unlink,
    }
    _after(monkeypatch, 5, faults[what])
    first = project.run("-m", "wer", "-k", "f32", "--asrgate-json", "first.json")
    first.assert_outcomes(passed=1, deselected=1)
    note = "*store.sqlite: this store was removed while it was in use: [56] finished utterances*written again"
    warned = [line for line in first.outlines if line.startswith("warning: ")]
    assert len(warned) == 1
    has(warned, f"warning: f32 prompts: {note}")
    again = project.run("-m", "wer", "-k", "f32", "--asrgate-json", "again.json")
    again.assert_outcomes(passed=1, deselected=1)
    again.stdout.fnmatch_lines(["transcribed nothing: all 8 hypotheses were there already*"])
    assert _clips(project) == 8
    assert _verdicts(project.root / "first.json") == _verdicts(project.root / "again.json")


def test_removed_for_good_is_an_error(project: GateProject, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the folder cannot be made again the pair is ERROR in one sentence that names it: no silent loss."""
    project.standard()
    state = project.root / ".asrgate"

    def take_the_place() -> None:
        shutil.rmtree(state)
        state.write_text("a file now")

    _after(monkeypatch, 5, take_the_place)
    first = project.run("-m", "wer", "-k", "f32")
    first.assert_outcomes(failed=1, deselected=1)
    first.stdout.fnmatch_lines(["f32 on prompts: ERROR: *.asrgate*: *gate.state*"])
    first.stdout.no_fnmatch_line("*Traceback*")
    state.unlink()
    monkeypatch.setattr(Store, "keep", KEEP)
    project.run("-m", "wer", "-k", "f32").assert_outcomes(passed=1, deselected=1)


def test_a_complete_folder_that_is_read_only_is_judged(project: GateProject) -> None:
    """The verdicts are those of the run that wrote it, a line says so; what is missing is ERROR, not decoded."""
    needs_mounts()
    project.standard()
    project.run("-m", "wer", "--asrgate-json", "first.json").assert_outcomes(passed=2)
    clips = _clips(project)
    lines = in_own_mounts(
        project,
        f"""
        mount --bind .asrgate .asrgate
        mount -o remount,ro,bind .asrgate
        {gate_command("--asrgate-json", "again.json")}
        sed -i 's/chicken/hen/' q8_0.json
        {gate_command()}
        """,
    )
    judged, incomplete = run_lines(lines, 0), run_lines(lines, 1)
    has(judged, "transcribed nothing: all 16 hypotheses were there already*", "exit 0")
    warned = [line for line in judged if line.startswith("warning: ")]
    assert len(warned) == 2
    has(
        warned,
        "warning: f32 prompts: *store.sqlite: its folder cannot be written to: what it holds is used*",
        "warning: f32 prompts: *hypotheses cannot be written (Read-only file system); the verdicts do not*",
    )
    has(
        incomplete,
        "q8_0 prompts: *store.sqlite: its folder cannot be written to, and 8 utterances of q8_0 on prompts are not "
        "in it; allow writing to it and its folder, or give gate.state another folder",
        "f32 * baseline",
        "exit 1",
    )
    assert _clips(project) == clips
    assert _verdicts(project.root / "first.json") == _verdicts(project.root / "again.json")


def test_a_complete_folder_serves_engines_that_must_load(project: GateProject) -> None:
    """Where only a loaded engine tells its device, and a limit asks for latency or repeats: the verdicts stand.

    What was not measured before is measured now, and used.
    """
    needs_mounts()
    project.standard(thresholds="non_inferiority = 30.0")
    whole = (project.root / "gate.toml").read_text()
    whole = whole.replace('kind = "fake"', 'kind = "fake"\nbackend = "auto"')
    project.gate(whole)
    project.run("-m", "wer", "--asrgate-json", "first.json").assert_outcomes(passed=2)
    more = whole.replace("[thresholds]", "[thresholds]\nlatency_ratio = 1000").replace(
        'kind = "fake"', 'kind = "fake"\nrepeat = 2'
    )
    (project.root / "more.toml").write_text(more)
    lines = in_own_mounts(
        project,
        f"""
        mount --bind .asrgate .asrgate
        mount -o remount,ro,bind .asrgate
        {gate_command("--asrgate-json", "again.json")}
        {gate_command("--asrgate-config", "more.toml", "--asrgate-json", "more.json")}
        """,
    )
    for number in (0, 1):
        has(run_lines(lines, number), "transcribed nothing: all 16 hypotheses were there already*", "exit 0")
    assert _verdicts(project.root / "first.json") == _verdicts(project.root / "again.json")
    for pair in json.loads((project.root / "more.json").read_text())["pairs"]:
        assert (pair["verdict"], pair["repeats"]["decodings"]) == ("PASS", 2), pair["reason"]
        assert (pair["latency"] is not None) == (pair["variant"] == "q8_0")


@pytest.mark.parametrize("what", ["folder", "file"])
def test_what_cannot_be_written_to_is_named(project: GateProject, what: str) -> None:
    """A file to read only in a folder that is not is no folder to read only."""
    needs_mounts()
    project.standard()
    project.run("-m", "wer", "-k", "f32").assert_outcomes(passed=1, deselected=1)
    place = ".asrgate" if what == "folder" else ".asrgate/store.sqlite"
    with closing(sqlite3.connect(project.root / ".asrgate" / "store.sqlite")) as connection:
        # As in a store of an earlier version: its opening would write.
        connection.execute("DROP TABLE notes")
    lines = in_own_mounts(
        project,
        f"""
        mount --bind {place} {place}
        mount -o remount,ro,bind {place}
        {gate_command("-k", "f32")}
        """,
    )
    says = {"folder": "its folder cannot be written to", "file": "the file cannot be written to"}[what]
    has(lines, f"warning: f32 prompts: *store.sqlite: {says}: what it holds is used*", "exit 0")


def test_removed_while_the_native_command_line_runs(project: GateProject) -> None:
    """The program has its list of files from elsewhere: all its rows count, and they are there again."""
    cli = CliProject(project)
    program, state = project.root / "transcribe-cli", project.root / ".asrgate"
    text = program.read_text()
    remove = f"    if samples == '1603':\n        __import__('shutil').rmtree({str(state)!r}, ignore_errors=True)\n"
    program.write_text(
        text.replace("        order = ", remove.replace("    if", "        if", 1) + "        order = ", 1)
    )
    program.write_text(program.read_text().replace("\n        __import__", "\n            __import__"))
    pair = cli.pair()
    assert (pair["verdict"], pair["transcribed"]) == ("PASS", 8), pair["reason"]
    pair = cli.pair()
    assert (pair["verdict"], pair["transcribed"], len(cli.calls())) == ("PASS", 0, 1)


def test_rows_of_another_process_are_found_before_any_is_decoded(project: GateProject) -> None:
    """Whoever waited for a pair that another decoded looks again, also where the store was removed since."""
    project.standard()
    with GateSession(open_gate(project.root / "gate.toml")) as session:
        fill, state = session._runs._alone, project.root / ".asrgate"

        @contextmanager
        def alone(name: str) -> Iterator[None]:
            # As if another process had removed the folder and decoded the pair meanwhile.
            shutil.rmtree(state)
            project.run("-m", "wer", "-k", "f32").assert_outcomes(passed=1, deselected=1)
            with fill(name):
                yield

        session._runs._alone = alone  # type: ignore[method-assign] # the moment between two looks
        verdict = session.verdict("f32", "prompts")
        assert session.transcribed == 0
    assert verdict.outcome.value == "PASS"
    assert _clips(project) == 8


def test_two_gates_on_one_folder_at_once(project: GateProject) -> None:
    """Two gate files with one state folder and the same models, run together: both right, no clip heard twice."""
    project.standard(thresholds="wer_delta = 1.0")
    text = (project.root / "gate.toml").read_text()
    (project.root / "other.toml").write_text(text.replace("wer_delta = 1.0", "wer_delta = 50.0"))
    environment = {**os.environ, "PYTHONPATH": str(SUPPORT)}
    words = [sys.executable, "-m", "pytest", *LEAN, "-p", "asrgate_fake", "-p", "no:cacheprovider", "-m", "wer"]
    runs = [
        subprocess.Popen(
            [*words, "--asrgate-config", name, "--asrgate-json", f"{name}.json"],
            cwd=project.root,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        for name in ("gate.toml", "other.toml")
    ]
    outputs = [run.communicate(timeout=120)[0] for run in runs]
    assert [run.returncode for run in runs] == [1, 0], "\n".join(outputs)
    assert all("Traceback" not in output for output in outputs)
    found = [
        json.loads((project.root / f"{name}.json").read_text())["pairs"] for name in ("gate.toml", "other.toml")
    ]
    assert [[pair["verdict"] for pair in pairs] for pairs in found] == [["PASS", "FAIL"], ["PASS", "PASS"]]
    assert _clips(project) == 2 * len(SENTENCES)
