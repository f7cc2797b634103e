"""Claims about single parts of the doctor: versions, machine, engines, and gate.toml against the disk."""

import json
import os
import time
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path

import pytest

from pytest_asrgate.config import Gate
from pytest_asrgate.doctor import Finding, engines, machine, versions
from pytest_asrgate.doctor import gate as gates
from pytest_asrgate.doctor.findings import examined
from pytest_asrgate.doctor.judge import judge
from pytest_asrgate.doctor.programs import ask
from pytest_asrgate.doctor.public import public_text
from pytest_asrgate.errors import EngineMissingError
from pytest_asrgate.session import open_gate
from tests.unit.builders import write_lines

GATE = """
[transcriber.native]
kind = "transcribe-cpp"
[transcriber.cli]
kind = "transcribe-cli"
options = {{ path = "{cli}" }}
[transcriber.own]
kind = "command"
options = {{ command = {command} }}
[variant.f32]
transcriber = "native"
model = "f32.gguf"
[variant.f16]
transcriber = "cli"
model = "f16.gguf"
make = ["python", "make.py", "{{model}}"]
[variant.q8_0]
transcriber = "own"
[dataset.prompts]
manifest = "manifest.jsonl"
language = "en"
{rest}
"""


def lines(findings: Iterable[Finding]) -> list[str]:
    """Findings as they are printed."""
    return [f"{'problem: ' * each.problem}{each.name}: {each.text}" for each in findings]


def written(
    folder: Path, *, cli: str = "cli.sh", command: str = '["./own.sh", "--token", "abc"]', rest: str = ""
) -> Gate:
    """A gate of three kinds of engines."""
    (folder / "gate.toml").write_text(GATE.format(cli=cli, command=command, rest=rest), encoding="utf-8")
    return open_gate(folder / "gate.toml")


def lives(pid: int) -> bool:
    """Whether a process runs, and is not only waiting to be cleared away."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in {"Z", "X"}
    except OSError:
        return False


def script(path: Path, text: str, mode: int = 0o755) -> Path:
    """A program."""
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(mode)
    return path


def installed(monkeypatch: pytest.MonkeyPatch, **found: str | None) -> None:
    """Pretend that packages are installed in a version, or not at all."""
    real = metadata.version

    def version(name: str) -> str:
        wanted = found.get(name.replace("-", "_"), "")
        if wanted is None:
            raise metadata.PackageNotFoundError(name)
        return wanted or real(name)

    monkeypatch.setattr(metadata, "version", version)


@pytest.mark.parametrize("release", ["1.82.7", "1.82.8"])
def test_a_malicious_release_is_shouted(monkeypatch: pytest.MonkeyPatch, release: str) -> None:
    """Who has it must not overlook it."""
    installed(monkeypatch, litellm=release)
    (line,) = [line for line in lines(versions.package_versions()) if "litellm" in line]
    assert line.startswith(f"problem: litellm: {release} IS A MALICIOUS RELEASE THAT STEALS SECRETS: remove it now")


def test_absent_and_unfit_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a verdict needs is a problem, also in a version that it was not vetted with; the rest is told."""
    installed(monkeypatch, jiwer=None, dask=None, whisper_normalizer="0.1.14", litellm="1.91.3", numpy="no number")
    found = lines(versions.package_versions())
    assert "problem: jiwer: not installed, and nothing works without it; install pytest-asrgate again" in found
    assert "dask: not installed; pytest-asrgate[dask] has it" in found
    assert "problem: whisper-normalizer: 0.1.14, and whisper-normalizer==0.1.15 is asked for; install that" in found
    assert "problem: numpy: no number, and numpy>=2.0 is asked for; install that" in found
    assert "litellm: 1.91.3" in found
    installed(monkeypatch, pytest_asrgate=None)
    assert any(line.startswith("problem: pytest-asrgate: ") for line in lines(versions.package_versions()))


def test_gpus_of_the_driver(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Names, and no serial numbers; a driver that fails is a problem, and one that hangs is not waited for."""
    smi = script(tmp_path / "nvidia-smi", "echo 'Tesla T4, 550.54, 15360 MiB'; echo 'Tesla T4, 550.54, 15360 MiB'")
    monkeypatch.setattr(machine.shutil, "which", lambda _: str(smi))
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    assert lines(machine.gpus()) == [
        "CUDA_VISIBLE_DEVICES: empty, which hides all",
        "cuda:0: Tesla T4, 550.54, 15360 MiB",
        "cuda:1: Tesla T4, 550.54, 15360 MiB",
    ]
    script(smi, "echo 'driver mismatch'; exit 18")
    expected = "problem: GPU: nvidia-smi exit code 18: driver mismatch; check the driver"
    assert lines(machine.gpus())[-1] == expected
    monkeypatch.setattr(machine, "_SMI_TIMEOUT_S", 0.2)
    script(smi, "sleep 600")
    assert "did not end within 0.2 s" in lines(machine.gpus())[-1]
    monkeypatch.setattr(machine.shutil, "which", lambda _: None)
    assert "no GPU found" in lines(machine.gpus())[-1]


def test_a_program_that_hangs_is_ended_with_its_children(tmp_path: Path) -> None:
    """A doctor that hangs helps nobody."""
    mark = tmp_path / "child"
    program = ["/bin/sh", "-c", f"echo begun; sleep 600 & echo $! > {mark}.new; mv {mark}.new {mark}; wait"]
    # On a busy machine it may not come to begin within a second.
    for timeout_s in (1.0, 8.0, 60.0):
        said, failure = ask(program, timeout_s)
        assert failure == f"did not end within {timeout_s:g} s"
        if mark.exists():
            break
    assert said == "begun"
    deadline = time.monotonic() + 30
    while lives(int(mark.read_text())) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not lives(int(mark.read_text()))


def test_the_native_library_is_asked_in_another_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """A library that crashes while it is loaded is a problem of its own; else its devices are told."""
    monkeypatch.setattr(engines, "check_installed", lambda: "0.4.1")
    answer = {"version": "0.4.1", "commit": "abc", "provider": "p"}
    device = {"device": "cuda", "description": "Tesla T4", "memory": 15_000_000_000}
    said = "\n".join(["load_backend: noise", json.dumps(answer), json.dumps(device), json.dumps(device)])
    monkeypatch.setattr(engines, "_LOOK", f"print({said!r})")
    assert lines(engines.transcribe_cpp(None)) == [
        "transcribe-cpp: 0.4.1, library 0.4.1 (abc) of p",
        "transcribe-cpp device: cuda: Tesla T4, 15,000 MB",
        "transcribe-cpp device: cuda: Tesla T4, 15,000 MB",
    ]
    monkeypatch.setattr(engines, "_LOOK", "import os; os.abort()")
    (line,) = lines(engines.transcribe_cpp(None))
    assert line.startswith("problem: transcribe-cpp: 0.4.1, whose native library signal 6 (SIGABRT)")


def test_an_absent_engine_is_a_problem_where_it_is_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Each kind says what to install."""

    def missing() -> str:
        raise EngineMissingError("it is not installed; install the example extra")

    monkeypatch.setattr(engines, "check_installed", missing)
    assert lines(engines.transcribe_cpp(None)) == ["transcribe-cpp: it is not installed; install the example extra"]
    gate = written(tmp_path)
    used = "problem: transcribe-cpp: it is not installed; install the example extra; used by native"
    assert lines(engines.transcribe_cpp(gate)) == [used]
    (line,) = lines(engines.native_command_lines(gate))
    assert line == (
        "problem: transcriber.cli: transcribe-cli: there is no program cli.sh; "
        "build or install it, or mend the path"
    )
    assert lines(engines.command_lines(gate))[0].startswith(
        "problem: transcriber.own: command: there is no program ./own.sh"
    )


def test_programs_of_the_gate(tmp_path: Path) -> None:
    """Found, executable, and of what generation; the words of a command may hold a secret and are not shown."""
    flags = "--batch --batch-jsonl --language --threads --timestamps --backend --batch-size"
    script(tmp_path / "cli.sh", f"echo '{flags}'")
    script(tmp_path / "own.sh", "echo never run > ran", mode=0o644)
    gate = written(tmp_path)
    (line,) = lines(engines.native_command_lines(gate))
    assert line.endswith(
        "cli.sh, of a generation that has --batch-size and lacks --kv-type, --condition-on-prev-tokens"
    )
    found = lines(engines.command_lines(gate))
    assert "own.sh is not executable; allow it with chmod +x" in found[0]
    (tmp_path / "own.sh").chmod(0o755)
    found = lines(engines.command_lines(gate))
    assert found[0] == f"transcriber.own: command: {tmp_path / './own.sh'}"
    assert "abc" not in "".join(found)
    assert not (tmp_path / "ran").exists()
    script(tmp_path / "cli.sh", "echo usage: something else; exit 2")
    (line,) = lines(engines.native_command_lines(gate))
    assert line.startswith("problem: transcriber.cli: ")
    assert "its --help exit code 2 and does not name --batch, --batch-jsonl" in line
    gate = written(tmp_path, command='["python", "gone.py"]')
    assert "there is no gone.py beside the gate file" in lines(engines.command_lines(gate))[0]


COMMANDS = [
    ('["./tool"]', "problem: {key}: there is no program ./tool; {mend}"),
    ('["tool"]', "problem: {key}: there is no program tool; {mend}"),
    ('["own.sh"]', "problem: {key}: there is no program own.sh; write ./own.sh; {mend}"),
    ('["./own.sh", "--token", "abc"]', "{key}: {folder}/own.sh"),
    (
        '["python", "-m", "no_such_module.part"]',
        "problem: {key}: there is no module no_such_module in this Python; {mend}",
    ),
    (
        '["python", "-um", "no_such_module"]',
        "problem: {key}: there is no module no_such_module in this Python; {mend}",
    ),
    ('["python", "-mno_such_module"]', "problem: {key}: there is no module no_such_module in this Python; {mend}"),
    ('["python", "-m", "json.tool"]', "{key}: this Python with -m json.tool"),
    ('["python", "-m", "beside", "abc"]', "{key}: this Python with -m beside"),
    ('["python", "-X", "dev", "-u", "engine.py"]', "{key}: this Python with engine.py"),
    ('["python", "engine"]', "problem: {key}: there is no engine beside the gate file; {mend}"),
    (
        '["python3", "-W", "error", "-Xdev", "sub/engine.py"]',
        "problem: {key}: there is no sub/engine.py beside the gate file; {mend}",
    ),
    ('["python", "-c", "engine.py"]', "{key}: this Python"),
    ('["python", "-"]', "{key}: this Python"),
    ('["python", "--version"]', "{key}: this Python"),
    ('["./python3.11", "nope.py"]', "problem: {key}: there is no nope.py beside the gate file; {mend}"),
    (
        '["./python3.11", "-m", "nope"]',
        "{key}: {folder}/python3.11 with -m nope, which is not looked for in another Python",
    ),
    ('["./python3.12", "engine.py"]', "problem: {key}: there is no program ./python3.12; {mend}"),
]


@pytest.mark.parametrize(("command", "expected"), COMMANDS)
def test_a_command_is_looked_for_as_a_run_would(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, expected: str
) -> None:
    """From the gate's folder, wherever the doctor is called, and what a Python would run; nothing is run."""
    home, elsewhere = tmp_path / "gate", tmp_path / "elsewhere"
    for folder in (home, elsewhere):
        folder.mkdir()
    for path in (elsewhere / "tool", elsewhere / "engine", home / "own.sh", home / "python3.11"):
        script(path, "echo never run > ran")
    for name in ("engine.py", "beside.py"):
        (home / name).write_text("open('ran', 'w')")
    monkeypatch.chdir(elsewhere)
    (line,) = [line for line in lines(engines.command_lines(written(home, command=command))) if "own: " in line]
    words = {"key": "transcriber.own", "folder": str(home), "mend": "install it, or mend options.command"}
    said = expected.format(**words)
    assert line == said.replace("own: ", "own: command: ")
    assert "abc" not in line
    assert not [*tmp_path.rglob("ran")]


def test_a_maker_is_looked_for_in_the_gates_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As the command of an engine is."""
    (tmp_path / "gate").mkdir()
    script(tmp_path / "make.sh", "true")
    script(tmp_path / "gate" / "other.sh", "true", mode=0o644)
    monkeypatch.chdir(tmp_path)
    for words, said in (
        ('["./make.sh", "{model}"]', "there is no program ./make.sh to make it"),
        ('["./other.sh", "{model}"]', "other.sh is not executable"),
        (
            '["python", "-m", "no_such_module", "{model}"]',
            "there is no module no_such_module in this Python to make",
        ),
    ):
        gate = written(tmp_path / "gate")
        text = gate.path.read_text(encoding="utf-8").replace('["python", "make.py", "{model}"]', words)
        gate.path.write_text(text, encoding="utf-8")
        line = lines(gates.models(open_gate(gate.path)))[1]
        assert line.startswith("problem: variant.f16: ")
        assert said in line


def test_models_and_audio_on_the_disk(tmp_path: Path) -> None:
    """There, made by the first run, or absent; the first absent files are named, and a pipe is not opened."""
    rows = [{"id": f"u{number}", "audio": f"{number}.wav", "ref_text": "x"} for number in range(8)]
    write_lines(tmp_path / "manifest.jsonl", *rows)
    (tmp_path / "7.wav").write_bytes(b"RIFF")
    os.mkfifo(tmp_path / "6.wav")
    gate = written(tmp_path)
    absent = (
        f"problem: variant.f16: {tmp_path}/f16.gguf does not exist, and there is no make.py beside the gate file"
    )
    assert lines(gates.models(gate))[1] == f"{absent} to make it; mend variant.f16.make"
    (tmp_path / "make.py").touch()
    assert lines(gates.models(gate)) == [
        f"problem: variant.f32: {tmp_path}/f32.gguf does not exist; put the model there, or give variant.f32.make",
        f"variant.f16: {tmp_path}/f16.gguf is not there yet; the first run makes it",
        "variant.q8_0: no model file; transcriber.own (command)",
    ]
    (tmp_path / "5.wav").touch()
    (tmp_path / "4.wav").symlink_to("/proc/self/status")
    (tmp_path / "3.wav").symlink_to("3.wav")
    found = lines(gates.datasets(gate))
    assert found[1:] == [
        "problem: dataset.prompts: 4 of 8 audio files are absent: 'u0', 'u1', 'u2', 'u3'; put them there",
        "problem: dataset.prompts: 2 of 8 audio files cannot be used: 'u4', 'u5': "
        "cannot be read as audio (the file is empty)",
        "problem: dataset.prompts: 1 of 8 audio files cannot be used: 'u6': not a regular file",
    ]
    (tmp_path / "f32.gguf").write_bytes(b"<html>")
    assert "is no GGUF file" in lines(gates.models(gate))[0]
    (tmp_path / "f32.gguf").write_bytes(b"GGUF" + bytes(2_000_000))
    assert lines(gates.models(gate))[0].endswith("f32.gguf, 2.0 MB")
    (tmp_path / "manifest.jsonl").write_text('{"id": 1}\n')
    (line,) = lines(gates.datasets(gate))
    assert "manifest.jsonl:1: id must be a text; it is 1" in line


def test_limits_that_cannot_be_measured(tmp_path: Path) -> None:
    """They would be an ERROR after hours."""
    gate = written(tmp_path, rest="[thresholds]\nwer = 5.0\nintent = 90.0\n")
    assert lines(gates.limits(gate)) == [
        'problem: thresholds: intent: is a judged score; buy it with judged = ["intent"], or leave it out '
        "(f32 on prompts, f16 on prompts, q8_0 on prompts)"
    ]
    gate = written(tmp_path, rest="[thresholds]\nwer = 5.0\n[judge]\nvotes = 5\n[executor]\nnice = 5\n")
    assert lines(gates.limits(gate)) == ["thresholds: every limit that is set can be measured here"]
    found = lines(gates.settings(gate))
    assert not any("judge" in line for line in found)
    assert "executor: local, 1 worker with 1 thread each, nice 5" in found
    gate = written(tmp_path, rest="[recipe]\nthreads = 500\n[executor]\nworkers = 4\npin = true\n")
    assert "executor: local, 4 workers with 500 threads each, pinned to cores" in lines(gates.settings(gate))
    assert "4 workers x 500 threads are more than the" in lines(gates.settings(gate))[-1]


def test_every_limit_of_the_example_can_be_measured() -> None:
    """Its judged scores are bought."""
    assert lines(gates.limits(open_gate(Path(__file__).parents[2] / "gate.toml"))) == [
        "thresholds: every limit that is set can be measured here"
    ]


@pytest.mark.parametrize(
    ("score", "key"),
    [("semantic", "semantic_wer"), ("intent", "intent"), ("intent", "entity")],
)
def test_limits_on_judged_scores_that_nobody_buys(tmp_path: Path, score: str, key: str) -> None:
    """A data set must buy the score, and the judge must not be off; a limit on judge errors needs neither."""
    limit = f"[thresholds]\n{key} = 5.0\njudge_errors = 0\n"
    names = "(f32 on prompts, f16 on prompts, q8_0 on prompts)"
    assert lines(gates.limits(written(tmp_path, rest=limit))) == [
        f'problem: thresholds: {key}: is a judged score; buy it with judged = ["{score}"], or leave it out {names}'
    ]
    bought = f'judged = ["{score}"]\n' + limit
    assert lines(gates.limits(written(tmp_path, rest=bought))) == [
        "thresholds: every limit that is set can be measured here"
    ]
    why = f'is a judged score, and judge.mode is "off"; choose another mode, or leave it out {names}'
    assert lines(gates.limits(written(tmp_path, rest=bought + '[judge]\nmode = "off"\n'))) == [
        f"problem: thresholds: {key}: {why}",
        f"problem: thresholds: judge_errors: {why}",
    ]


def test_a_part_that_fails_is_a_problem_of_its_own() -> None:
    """What it found until then is kept, and the next part is told."""

    def broken() -> Iterable[Finding]:
        yield Finding("first", "told")
        raise ZeroDivisionError("by nought")

    section = examined("x", [("broken", broken), ("sound", lambda: [Finding("second", "told")])], str)
    assert lines(section.findings) == [
        "first: told",
        "problem: broken: could not be examined (ZeroDivisionError: by nought)",
        "second: told",
    ]


def test_paths_of_home_and_gate_are_shortened_and_others_are_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name is replaced as a whole word only."""
    monkeypatch.setenv("HOME", "/home/ada")
    monkeypatch.setenv("LOGNAME", "ada")
    monkeypatch.setattr("platform.node", lambda: "box7")
    public = public_text(Path("/srv/gate"), lambda text: text.replace("secret-value", "${KEY}"))
    assert public("/srv/gate/a.wav and /srv/gate, /srv/gate2/b") == "a.wav and the gate's folder, /srv/gate2/b"
    assert public("/home/ada/x /home/adam/x /mnt/home/ada/y") == "~/x /home/adam/x /mnt/home/<user>/y"
    assert public("box7.lan box70 secret-value") == "<host>.lan box70 ${KEY}"
    monkeypatch.setenv("HOME", "/")
    assert public_text(Path("/"))("/etc/x") == "/etc/x"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("model = https://ada:s3cret@host/v1, mode = x", "model = https://<secret>@host/v1, mode = x"),
        ("'tcp://s3cret@host:8786'", "'tcp://<secret>@host:8786'"),
        # A path that was made of an address has one slash.
        ("/srv/https:/ada:s3cret@host/m.jsonl: absent", "/srv/https:/<secret>@host/m.jsonl: absent"),
        ("postgres+x://ada:s3/cr@et@host and S3://A:s3cret@b", "postgres+x://<secret>@host and S3://<secret>@b"),
        ("got 'tcp://ada:s3cret-that-is-cut...; next", "got 'tcp://<secret>@ next"),
        (
            "tcp://10.0.0.1:8786; https://host/a:b, file:///a/b@c",
            "tcp://10.0.0.1:8786; https://host/a:b, file:///a/b@c",
        ),
        ("tcp://[::1]:8786, http://host:80/a, http://host:", "tcp://[::1]:8786, http://host:80/a, http://host:"),
        ("a@b.example gate.toml: /x/y@z", "a@b.example gate.toml: /x/y@z"),
    ],
)
def test_a_password_in_an_address_is_not_shown(text: str, shown: str) -> None:
    """Whoever writes one into the gate file still may show what the doctor says."""
    assert public_text(Path("/elsewhere"))(text) == shown


def test_a_judge_table_that_is_nonsense(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its values are not shown, whatever they are."""
    monkeypatch.setenv("DEEP_KEY", "x")
    (tmp_path / "gate.toml").write_text('[judge]\nextra = { key = "sk-${DEEP_KEY}" }\nvotes = 3\nother = []\n')
    found = lines(judge(tmp_path / "gate.toml"))
    assert found[0] == "judge: extra is set, votes = 3, other is not set"
    assert found[1].startswith("keys in the environment: set: DEEP_KEY")
    for text in ("judge = 3", "[[["):
        (tmp_path / "gate.toml").write_text(text)
        assert lines(judge(tmp_path / "gate.toml"))[0] == "judge: no [judge] table"
    assert lines(judge(None))[0] == "judge: no [judge] table"
