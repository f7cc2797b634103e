"""What programs of somebody else may do wrong: behind our JSON lines, and the native command line's stream."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.faults.test_worker_processes import bounded_memory
from tests.integration.conftest import SENTENCES, GateProject, left_over
from tests.integration.test_command import GATE
from tests.integration.test_transcribe_cli import CliProject

pytestmark = pytest.mark.skipif(not Path("/proc/self/statm").is_file(), reason="looks for processes in /proc")

# What is done before a clip's answer is given, by id: no word of the command names this file, so it is not the
# engine's, and the engine stays the same one when it goes.
ENGINE = """
import json, os, signal, sys, time
json.loads(sys.stdin.readline())
print(json.dumps({"type": "ready", "provenance": {"engine": "mine"}}), flush=True)
texts = json.load(open("texts.json"))
for line in sys.stdin:
    request = json.loads(line)
    fault = json.load(open("faults.json")).get(request["id"], {}) if os.path.exists("faults.json") else {}
    if "signal" in fault:
        os.kill(os.getpid(), getattr(signal, fault["signal"]))
    if "exit" in fault:
        os._exit(0)
    if "close" in fault:
        os.close(1)
        time.sleep(600)
    answer = json.dumps({"id": request["id"], "text": texts[request["audio"].rsplit("/", 1)[-1]]})
    os.write(1, "".join(f"{line}\\n" for line in [*fault.get("before", []), answer]).encode("latin-1"))
"""


@pytest.fixture
def here(project: GateProject, monkeypatch: pytest.MonkeyPatch) -> Iterator[GateProject]:
    """A project; afterwards no process of it may run."""
    project.dataset("prompts", SENTENCES)
    monkeypatch.setenv("ASRGATE_TEST_MARKER", str(project.root))
    yield project
    assert left_over(f"ASRGATE_TEST_MARKER={project.root}") == []


def _pair(project: GateProject) -> dict[str, Any]:
    project.run("-m", "wer", "--asrgate-json", "report.json")
    pair: dict[str, Any] = json.loads((project.root / "report.json").read_text(), parse_constant=pytest.fail)[
        "pairs"
    ][0]
    return pair


def _check(pair: Mapping[str, Any], faults: Mapping[int, str]) -> None:
    """These utterances, by number, are error rows of these reasons; all others were heard rightly."""
    for number, row in enumerate(pair["utterances"]):
        if number in faults:
            assert (row["status"], row["hyp_text"]) == ("error", "")
            assert re.match(faults[number], row["detail"]), row["detail"]
        else:
            assert (row["status"], row["hyp_text"]) == ("ok", SENTENCES[number])
    assert (pair["verdict"], pair["transcribed"]) == ("ERROR", 8 - len(faults))


def _check_mended(pair: Mapping[str, Any], faults: Mapping[int, str]) -> None:
    """Only what had failed was decoded again."""
    found = pair["verdict"], pair["rate_pct"], pair["transcribed"], pair["reused"]
    assert found == ("PASS", 0.0, len(faults), 8 - len(faults))


def test_program_of_somebody_else(here: GateProject) -> None:
    """Death, an early end, prints between answers, doubled answers and a closed pipe cost one utterance each."""
    (here.root / "texts.json").write_text(json.dumps({f"{n}.wav": text for n, text in enumerate(SENTENCES)}))
    (here.root / "engine.py").write_text(ENGINE)
    gate = GATE.format(command='["python", "engine.py"]').replace("timeout_s = 5", "timeout_s = 60")
    here.gate(gate.replace("errors = 8", ""))
    orders = {
        "prompts-0": {"signal": "SIGSEGV"},
        "prompts-1": {"exit": True},
        "prompts-3": {"before": ["loading voices", "caf\xff \0"]},
        "prompts-4": {"before": ['{"id": "prompts-4", "text": "something else"}']},
        "prompts-6": {"close": True},
    }
    (here.root / "faults.json").write_text(json.dumps(orders))
    faults = {
        0: r"the engine's process ended with signal 11 \(SIGSEGV\)",
        1: "the engine's process ended with exit code 0",
        3: "the engine answered with no JSON object: 'loading voices'",
        4: "the engine gave more than one answer",
        6: "the engine's process closed its pipe without ending",
    }
    _check(_pair(here), faults)
    (here.root / "faults.json").unlink()
    _check_mended(_pair(here), faults)


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ({"type": "ready", "provenance": {"beam": float("nan")}}, "said ready with a number that is not finite"),
        ({"type": "ready", "provenance": {"log": "x" * 1_000_000}}, "said ready in over 100000 characters"),
        ({"type": "failed", "detail": "no voice " * 100_000}, "no voice no voice"),
    ],
    ids=["nan", "long", "long-words"],
)
def test_odd_words_before_the_first_row(here: GateProject, said: dict[str, object], sentence: str) -> None:
    """A stamp that no report can hold, and a failure told without end, are one ERROR that can be read."""
    (here.root / "said.json").write_text(json.dumps(said))
    (here.root / "engine.py").write_text(
        "import sys\nsys.stdin.readline()\nprint(open('said.json').read(), flush=True)"
    )
    here.gate(GATE.format(command='["python", "engine.py"]'))
    pair = _pair(here)
    assert pair["verdict"] == "ERROR"
    assert sentence in pair["reason"]
    assert len(pair["reason"]) < 1_200


def _write(text: str, **order: object) -> str:
    return "write " + json.dumps({"bytes": text, **order})


def test_native_command_line(here: GateProject) -> None:
    """Endless chatter, a line of 100 MB, NUL bytes, death, an early end and a closed stream cost one clip each."""
    cli = CliProject(here)
    cli.gate(thresholds="wer = 90.0")
    chatter = 'no row\n{"file": "/elsewhere.wav", "text": "x"}\n'
    orders = {
        0: _write(chatter, repeat=1000, times=10_000_000),
        1: _write("x", repeat=1_000_000, times=100),
        2: _write("", then="SIGKILL"),
        4: _write("noise " * 50, stderr=True, repeat=10_000, times=40, then="exit"),
        5: _write("", then="close"),
        7: _write('{"file": "{path}", "text": "x\0"}\n'),
    }
    faults = {
        0: "no row within 4 s",
        1: "the program wrote a line of over 8388608 bytes",
        2: r"the program ended with signal 9 \(SIGKILL\) without a row",
        4: r"the program ended with exit code 0 without a row for this utterance; last output: .{1,300}$",
        5: "the program closed its output without ending without a row",
        7: "the program ended with exit code 0 without a row",
    }
    cli.model({})
    with bounded_memory(cli.pair):
        cli.model({1600 + number: order for number, order in orders.items()})
        _check(cli.pair(), faults)
    (here.root / "calls.log.mended").touch()
    _check_mended(cli.pair(), faults)


def test_second_row_on_the_command_line(here: GateProject) -> None:
    """The first row counts and the second is told."""
    cli = CliProject(here)
    row = {"file": "{path}", "text": SENTENCES[3]}
    lines = json.dumps(row) + "\n" + json.dumps({**row, "text": "something else"}) + "\n"
    cli.model({1603: _write(lines)})
    pair = cli.pair()
    assert (pair["verdict"], pair["rate_pct"], len(cli.calls())) == ("PASS", 0.0, 1)
    cli.result.stdout.fnmatch_lines(["warning: cli prompts: *a row for a file that was not waited for: *"])


def test_command_line_that_hangs_while_it_loads(here: GateProject, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that never gets ready is one ERROR of the pair, not one after the other for its clips."""
    monkeypatch.setattr("pytest_asrgate.transcribers.transcribe_cli._LOAD_TIMEOUT_S", 2.0)
    cli = CliProject(here)
    program = here.root / "transcribe-cli"
    program.write_text(
        program.read_text().replace(
            '    say({"type": "batch_header"', '    time.sleep(600)\n    say({"type": "batch_header"'
        )
    )
    pair = cli.pair()
    assert pair["verdict"] == "ERROR"
    assert re.search(r"model\.gguf: no row within 2 s.* before it was loaded", str(pair["reason"]))
    assert len(cli.calls()) == 1


def test_a_row_that_was_left_out_takes_no_blame(here: GateProject) -> None:
    """Where the program dies later on, the clip that it died on is lost; one it passed over is asked for again."""
    cli = CliProject(here)
    cli.gate(thresholds="wer = 90.0")
    cli.model({1601: "once missing", 1604: "die"})
    _check(cli.pair(), {4: r"the program ended with signal 6 \(SIGABRT\) without a row"})
