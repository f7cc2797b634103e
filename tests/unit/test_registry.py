"""What gate.toml may say about transcribers."""

import fnmatch
from pathlib import Path

import pytest

from pytest_asrgate.errors import GateFileError
from pytest_asrgate.session import open_gate

GATE = """
[transcriber.native]
kind = "{kind}"
options = {{ {options} }}
[variant.f32]
{variant}
[dataset.prompts]
manifest = "manifest.jsonl"
"""


def _problems(tmp_path: Path, kind: str, options: str, variant: str) -> list[str]:
    path = tmp_path / "gate.toml"
    path.write_text(GATE.format(kind=kind, options=options, variant=variant))
    try:
        open_gate(path)
    except GateFileError as error:
        return [f"{problem.key}: {problem.message}" for problem in error.problems]
    return []


@pytest.mark.parametrize(
    ("kind", "options", "variant", "problem"),
    [
        ("transcribe-ccp", "", "", "transcriber.native.kind: *did you mean 'transcribe-cpp'?"),
        (
            "whisper-cli",
            "",
            "",
            "transcriber.native.kind: *known here: transcribe-cpp, transcribe-cli, command, replay*",
        ),
        ("transcribe-cpp", "no_map = true", 'model = "m"', "transcriber.native.options.no_map: *'no_mmap'?"),
        (
            "transcribe-cpp",
            "no_mmap = 1",
            'model = "m"',
            "transcriber.native.options.no_mmap: must be true or false*",
        ),
        ("transcribe-cpp", "", 'model = "m"\n[recipe]\nbatch_size = 4', "recipe.batch_size: must be 1: *"),
        ("transcribe-cpp", "", "", "variant.f32.model: must be given: transcribe-cpp needs a model"),
        ("replay", "", "", "transcriber.native.options.hypotheses: must be given for replay"),
        ("transcribe-cli", "", 'model = "m"', "transcriber.native.options.path: must be given for transcribe-cli"),
        ("transcribe-cli", "path = 1", 'model = "m"', "transcriber.native.options.path: must be a path*"),
        ("transcribe-cli", 'arguments = "-q"', 'model = "m"', "*options.arguments: must be a list of words*"),
        ("command", "", "", "transcriber.native.options.command: must be given for command"),
        ("command", 'command = "python e.py"', "", "*options.command: must be a list of words*no shell*"),
        (
            "replay",
            'hypotheses = "x.jsonl" }\nrepeat = 2\n#{',
            "",
            "transcriber.native.repeat: replay reads stored hypotheses*nothing can be decoded again*",
        ),
        (
            "replay",
            'hypotheses = "x.jsonl" }\ndeterministic = false\n#{',
            "",
            "transcriber.native.deterministic: replay reads stored hypotheses*",
        ),
        (
            "transcribe-cpp",
            "}\ndeterministic = true\n#{",
            'model = "m"',
            "transcriber.native.deterministic: is checked by decoding again; set transcriber.native.repeat = 3*",
        ),
        ("replay", "hypotheses = 3", "", "transcriber.native.options.hypotheses: must be a path*"),
    ],
)
def test_problem_names_key_and_mend(tmp_path: Path, kind: str, options: str, variant: str, problem: str) -> None:
    """Unknown kinds and options, wrong values and missing models are problems of the file."""
    found = _problems(tmp_path, kind, options, variant)
    assert any(fnmatch.fnmatchcase(line, problem) for line in found), found


def test_right_ones_are_accepted(tmp_path: Path) -> None:
    """Every kind is accepted as documented; what else a command is given is its own affair."""
    assert _problems(tmp_path, "transcribe-cli", 'path = "cli", arguments = ["-q"]', 'model = "m.gguf"') == []
    assert _problems(tmp_path, "command", 'command = ["python", "e.py"], beam = 3', "") == []
    assert _problems(tmp_path, "transcribe-cpp", "no_mmap = true", 'model = "m.gguf"') == []
    repeated = "}\nrepeat = 3\ndeterministic = true\n#{"
    assert _problems(tmp_path, "transcribe-cpp", repeated, 'model = "m.gguf"') == []
    assert _problems(tmp_path, "replay", 'hypotheses = "{{variant}}.{{dataset}}.jsonl"', "") == []


def test_backend_that_no_engine_has(tmp_path: Path) -> None:
    """A misspelt backend is a problem of the file, with the nearest right word, before anything runs."""
    path = tmp_path / "gate.toml"
    text = GATE.format(kind="transcribe-cpp", options="", variant='model = "m"')
    path.write_text(text.replace("options = {  }", 'backend = "vulcan"'))
    with pytest.raises(GateFileError, match=r"transcriber\.native\.backend: .*did you mean 'vulkan'\?"):
        open_gate(path)
