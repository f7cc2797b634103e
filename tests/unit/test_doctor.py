"""Claims about the doctor as a whole: it says everything, breaks nothing, writes nothing, and keeps secrets."""

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from pytest_asrgate.cli import main
from pytest_asrgate.doctor import Diagnosis, Finding, Section, diagnose, machine
from pytest_asrgate.doctor.lines import as_json, as_lines
from pytest_asrgate.store import Store
from tests.unit.builders import write_lines

GATE = """
[gate]
baseline = "stored"
[transcriber.files]
kind = "replay"
options = { hypotheses = "{variant}.jsonl" }
[variant.stored]
transcriber = "files"
[dataset.prompts]
manifest = "manifest.jsonl"
language = "en"
"""

WITHOUT = """
import sys
sys.modules[sys.argv[1]] = None
from pytest_asrgate.cli import main
sys.exit(main(["doctor"]))
"""


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """No native library is loaded here, and no driver asked; other tests do."""
    monkeypatch.setattr("pytest_asrgate.doctor.engines._LOOK", "print('{}')")
    monkeypatch.setattr(machine.shutil, "which", lambda _: None)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A gate that has all its files."""
    (tmp_path / "gate.toml").write_text(GATE, encoding="utf-8")
    write_lines(tmp_path / "manifest.jsonl", {"id": "a", "audio": "a.wav", "ref_text": "one"})
    write_lines(tmp_path / "stored.jsonl", {"id": "a", "hyp_text": "one"})
    return tmp_path


def said(found: Diagnosis, title: str) -> str:
    """The lines of one section."""
    section = next(section for section in found.sections if section.title == title)
    return "\n".join(as_lines(Diagnosis((section,))))


def tree(folder: Path) -> dict[str, tuple[int, int]]:
    """Size and time of everything in a folder."""
    return {
        str(path.relative_to(folder)): (path.stat().st_size, path.stat().st_mtime_ns) for path in folder.rglob("*")
    }


def test_every_section_is_told_of_a_gate_in_order(folder: Path) -> None:
    """A report has all its parts in one order."""
    found = diagnose(folder / "gate.toml")
    assert [section.title for section in found.sections] == [
        "versions",
        "machine",
        "engines",
        "store",
        "judge",
        "gate",
    ]
    assert all(section.findings for section in found.sections)
    assert "gate.toml: 1 variant, 1 dataset" in said(found, "gate")
    assert "dataset.prompts: manifest.jsonl: 1 row, en" in said(found, "gate")
    assert "variant.stored: 1 file of stored hypotheses" in said(found, "gate")


def test_json_and_lines_tell_the_same(folder: Path) -> None:
    """A program reads what a person reads; problems are marked, and counted at the end."""
    (folder / "stored.jsonl").unlink()
    found = diagnose(folder / "gate.toml")
    document = json.loads(as_json(found))
    lines = [*as_lines(found)]
    assert document["schema"] == "asrgate.doctor/1"
    marked = [line for line in lines if line.startswith("  problem: ")]
    assert document["problems"] == found.problems == len(marked)
    assert lines[-1] == ("1 problem found" if len(marked) == 1 else f"{len(marked)} problems found")
    assert "  problem: variant.stored: there are no stored hypotheses stored.jsonl; put them there" in marked
    texts = [(each["name"], each["text"]) for section in document["sections"] for each in section["findings"]]
    assert texts == [(each.name, each.text) for section in found.sections for each in section.findings]


def test_nothing_is_written_and_no_network_is_used(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No state folder is made, and a store keeps its log: a doctor that changes the patient finds another one."""
    before = tree(folder)
    monkeypatch.setattr(socket, "socket", None)
    diagnose(folder / "gate.toml")
    assert tree(folder) == before
    with Store(folder / ".asrgate" / "store.sqlite") as store:
        store.keep_latency("key", "record")
        before = tree(folder)
        assert any(name.endswith("-wal") for name in before)
        assert "latency 1" in said(diagnose(folder / "gate.toml"), "store")
        assert tree(folder) == before
    before = tree(folder)
    assert "latency 1" in said(diagnose(folder / "gate.toml"), "store")
    assert tree(folder) == before


def test_a_broken_gate_file_still_tells_versions(tmp_path: Path) -> None:
    """Each of its problems is one line, and all else is told."""
    (tmp_path / "gate.toml").write_text(GATE.replace("baseline", "baselin") + "\nlangage = 1\n", encoding="utf-8")
    found = diagnose(tmp_path / "gate.toml")
    assert "numpy: " in said(found, "versions")
    assert "problem: gate.baselin: unknown key; did you mean 'baseline'? (gate.toml)" in said(found, "gate")
    assert "problem: dataset.prompts.langage: unknown key; did you mean 'language'?" in said(found, "gate")
    (tmp_path / "gate.toml").write_bytes(b"\xff\x00[[[")
    assert "is not UTF-8" in said(diagnose(tmp_path / "gate.toml"), "gate")


def test_outside_of_any_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who has no gate yet is told about the machine; a gate that was named and is not there is a problem."""
    monkeypatch.chdir(tmp_path)
    found = diagnose(Path("gate.toml"), named=False)
    assert "there is no gate file gate.toml; name one with --config" in said(found, "gate")
    assert "problem" not in said(found, "gate").replace("no problem found", "")
    assert "problem: gate: there is no gate file" in said(diagnose(Path("gate.toml")), "gate")
    os.mkfifo(tmp_path / "gate.toml")
    assert "gate.toml is no file" in said(diagnose(Path("gate.toml"), named=False), "gate")


@pytest.mark.parametrize("target", ["gate.toml", "gone.toml"], ids=["itself", "dangling"])
def test_a_gate_file_that_is_a_link_to_nothing_is_a_problem(tmp_path: Path, target: str) -> None:
    """Somebody meant to have a gate there, so it is one where it was not named, too."""
    path = tmp_path / "gate.toml"
    path.symlink_to(target)
    for named in (True, False):
        found = said(diagnose(path, named=named), "gate")
        assert "problem: gate: gate.toml is a link that leads to no file; mend it, or name a gate file" in found


def test_secrets_that_stand_in_the_gate_file_are_not_shown(folder: Path) -> None:
    """Passwords of addresses, in any key that the doctor tells of."""
    text = GATE.replace("manifest.jsonl", "https://ada:s3cret@host/m.jsonl")
    text += '[judge]\nmodel = "https://s3cret@host/x"\n[executor]\nkind = "dask"\naddress = "tcp://a:s3cret@h:1"\n'
    text += '[executor.folders]\n"ssh://ada:s3cret@host/data" = "/there"\n'
    for content in (text, text.replace("baseline", "baselin"), text + '[variant."https://a:s3cret@h"]\n'):
        (folder / "gate.toml").write_text(content, encoding="utf-8")
        found = diagnose(folder / "gate.toml")
        assert "s3cret" not in "\n".join(as_lines(found)) + as_json(found)
        assert "<secret>" in as_json(found)


def test_the_exit_code_says_whether_there_are_problems(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """0 without, 1 with, on standard output; an absent gate file is a problem only where it was named."""
    asked = []

    def found(path: Path, *, named: bool) -> Diagnosis:
        asked.append((str(path), named))
        return Diagnosis((Section("gate", (Finding("gate", "as it is", problem=named),)),))

    monkeypatch.setattr("pytest_asrgate.cli.doctor.diagnose", found)
    assert main(["doctor"]) == 0
    assert capsys.readouterr().out == "gate\n  gate: as it is\n\nno problem found\n"
    assert main(["doctor", "--config", "other.toml", "--json"]) == 1
    captured = capsys.readouterr()
    assert json.loads(captured.out)["problems"] == 1
    assert captured.err == ""
    assert asked == [("gate.toml", False), ("other.toml", True)]


@pytest.mark.parametrize("package", ["pydantic", "soundfile", "packaging"])
def test_a_package_that_cannot_be_imported_costs_its_own_part_alone(folder: Path, package: str) -> None:
    """The doctor is called where installations are broken, so it must not need them."""
    command = [sys.executable, "-c", WITHOUT, package]
    ended = subprocess.run(command, check=False, cwd=folder, capture_output=True, text=True, timeout=120)
    assert ended.returncode in {0, 1}, ended.stderr
    assert ended.stderr == ""
    assert "pytest-asrgate: " in ended.stdout
    assert "state folder: " in ended.stdout
    if package in {"pydantic", "soundfile"}:
        assert ended.returncode == 1
        assert f"{package}" in ended.stdout.partition("problem: ")[2]


def test_a_bug_report_names_no_home_no_host_no_user_and_no_secret(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is pasted in public: keys are set or not, values of variables are their references."""
    home = tmp_path / "home" / "ada"
    home.mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("LOGNAME", "lovelace")
    monkeypatch.setattr("platform.node", lambda: "engine-room.example")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret-0")
    monkeypatch.setenv("MY_TOKEN", "sk-very-secret-1")
    monkeypatch.setenv("MY_FOLDER", str(tmp_path / "data" / "lovelace"))
    text = GATE + '[judge]\nmodel = "gpt-x"\napi_base = "https://x:sk-very-secret-2@host/${MY_TOKEN}"\n'
    text = text.replace("manifest.jsonl", "${MY_FOLDER}/${MY_TOKEN}.jsonl")
    folder = home / "work"
    folder.mkdir()
    (folder / "gate.toml").write_text(
        text.replace("[variant.stored]", '[variant.stored]\nmodel = "/srv/lovelace/engine-room.example/m.bin"'),
        encoding="utf-8",
    )
    # A password in an address is refused, and all the same not shown.
    found = diagnose(folder / "gate.toml")
    shown = "\n".join(as_lines(found)) + as_json(found)
    assert "judge.api_base: must hold no user or password" in shown
    whole = (folder / "gate.toml").read_text(encoding="utf-8").replace("x:sk-very-secret-2@", "")
    (folder / "gate.toml").write_text(whole, encoding="utf-8")
    found = diagnose(folder / "gate.toml")
    shown += "\n".join(as_lines(found)) + as_json(found)
    for hidden in ("sk-very-secret", "lovelace", "engine-room", str(home), str(tmp_path / "data")):
        assert hidden not in shown
    assert "${MY_FOLDER}/${MY_TOKEN}.jsonl: there is no such manifest" in shown
    assert "model = gpt-x, api_base is set" in shown
    assert "set: MY_TOKEN, OPENAI_API_KEY" in shown


def test_hostile_names_do_not_move_the_cursor(folder: Path) -> None:
    """Ids of a manifest are a stranger's text."""
    gate = GATE.replace('kind = "replay"', 'kind = "command"').replace(
        'hypotheses = "{variant}.jsonl"', 'command = ["no-such-\\u001b[2J-program"]'
    )
    (folder / "gate.toml").write_text(gate, encoding="utf-8")
    write_lines(folder / "manifest.jsonl", {"id": "a\u202e\u001b[31m\n", "audio": "gone.wav", "ref_text": ""})
    found = diagnose(folder / "gate.toml")
    for line in as_lines(found):
        assert line.isprintable() or not line
    assert "1 of 1 audio files are absent" in said(found, "gate")
    assert as_json(found).isascii()
