"""What an engine's process may do wrong while it decodes: one error row, everything else scored and kept."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.integration.conftest import SENTENCES, GateProject, left_over

pytestmark = pytest.mark.skipif(not Path("/proc/self/statm").is_file(), reason="looks for processes in /proc")

# In MB: far under what is thrown at us, far over what one run needs beside it.
_MOST_MEMORY = 80

# An order for a clip, and how its error row begins.
Fault = tuple[dict[str, object], str]


class FaultyProject:
    """Runs a gate whose engine breaks on some clips, and once more after that was mended."""

    def __init__(self, project: GateProject) -> None:
        self.project = project
        self.root = project.root
        project.dataset("prompts", SENTENCES)

    def prepare(self, orders: Mapping[int, Mapping[str, object]], timeout_s: float = 60) -> None:
        """Write a model that does something else on some clips, by number, and a gate of it."""
        texts: dict[int, object] = {1600 + number: text for number, text in enumerate(SENTENCES)}
        for number, order in orders.items():
            texts[1600 + number] = {**order, "mended": SENTENCES[number]}
        self.project.model("q8_0", texts, log=str(self.root / "q8_0.log"))
        self.project.gate(
            f"""
            [transcriber.fake]
            kind = "fake"
            timeout_s = {timeout_s}
            memory_mb = 300
            [variant.q8_0]
            model = "q8_0.json"
            [dataset.prompts]
            manifest = "prompts/manifest.jsonl"
            speakers = "none"
            [thresholds]
            wer = 10.0
            """
        )

    def run(self) -> tuple[pytest.RunResult, dict[str, Any]]:
        """Run the gate; what it printed, and its pair in the JSON report."""
        result = self.project.run("-m", "wer", "--asrgate-json", "report.json")
        pair: dict[str, Any] = json.loads((self.root / "report.json").read_text())["pairs"][0]
        return result, pair

    def check(self, faults: Mapping[int, Fault], timeout_s: float = 60) -> None:
        """A run breaks on these clips alone and says so everywhere; the next, mended, decodes nothing else."""
        self.prepare({number: order for number, (order, _) in faults.items()}, timeout_s)
        result, pair = self.run()
        result.assert_outcomes(failed=1)
        printed = result.stdout.str()
        assert re.search(r"^q8_0 +prompts .*ERROR$", printed, re.MULTILINE)
        assert (pair["verdict"], pair["rate_pct"], pair["transcribed"]) == ("ERROR", 0.0, 8 - len(faults))
        rows = {int(row["id"].removeprefix("prompts-")): row for row in pair["utterances"]}
        for number, row in rows.items():
            if number in faults:
                assert (row["status"], row["hyp_text"]) == ("error", "")
                assert re.match(faults[number][1], row["detail"]), row["detail"]
                # A few of the worst are printed with their reasons.
                assert f"prompts-{number}: {row['detail'][:30]}" in printed or number not in sorted(faults)[:3]
            else:
                assert (row["status"], row["hyp_text"]) == ("ok", SENTENCES[number])
        # Each fault costs one new start where anything came after it, and no other utterance.
        assert self.project.log("q8_0").count("q8_0 load") == 1 + len(set(faults) - {7})
        heard = [line.split()[-1] for line in self.project.log("q8_0") if " clip " in line]
        assert heard == [str(1600 + number) for number in range(8)]
        (self.root / "q8_0.log.mended").touch()
        result, pair = self.run()
        assert (pair["verdict"], pair["rate_pct"]) == ("PASS", 0.0)
        assert (pair["transcribed"], pair["reused"]) == (len(faults), 8 - len(faults))


@pytest.fixture
def faulty(project: GateProject, monkeypatch: pytest.MonkeyPatch) -> Iterator[FaultyProject]:
    """A gate to be broken; afterwards no process of it may run."""
    monkeypatch.setenv("ASRGATE_TEST_MARKER", str(project.root))
    yield FaultyProject(project)
    assert left_over(f"ASRGATE_TEST_MARKER={project.root}") == []


def _died(name: str) -> Fault:
    return {"do": "signal", "signal": name}, rf"the engine's process ended with signal \d+ \({name}\)"


def _written(text: str, sentence: str, **order: object) -> Fault:
    return {"do": "write", "bytes": text, "hang": True, **order}, sentence


def test_deaths(faulty: FaultyProject) -> None:
    """A worker that is killed, dumps core, or ends as if all were well costs the utterance it died on."""
    faulty.check(
        {
            0: _died("SIGSEGV"),
            1: _died("SIGKILL"),
            3: ({"do": "exit"}, "the engine's process ended with exit code 0"),
            4: _died("SIGABRT"),
            6: _died("SIGTERM"),
            7: _died("SIGBUS"),
        }
    )


def test_hangs(faulty: FaultyProject) -> None:
    """A worker that hangs on the first clip, or stops in the middle of its answer, is killed after the timeout."""
    faulty.check(
        {
            0: ({"do": "hang"}, "no answer within 3 s"),
            4: _written('{"id": "prompts-4", "text": "call the', "no answer within 3 s"),
        },
        timeout_s=3,
    )


def test_broken_answers(faulty: FaultyProject) -> None:
    """Garbage, NUL bytes, invalid UTF-8, unknown ids, doubled rows, NaN and a closed pipe are no score."""
    garbage = {"repeat": 1000, "times": 10_000_000}
    faulty.check(
        {
            0: _written("not a row\n", "the engine answered with no JSON object: 'not a row'", **garbage),
            1: _written('{"id": "prompts-1", "text": "x", "y": "\0"}\n', "the engine answered with no JSON object"),
            2: _written('{"id": "prompts-2", "text": "caf\xff"}\n', "the engine answered with no JSON object"),
            4: _written(
                '{"id": "u", "text": "stop"}\n', "the engine answered for the id 'u', asked was 'prompts-4'"
            ),
            6: ({"do": "close"}, "the engine's process closed its pipe without ending"),
            5: _written('{"id": "prompts-5", "text": "x"}\n', "the engine gave more than one answer", repeat=2),
            7: _written(
                '{"id": "prompts-7", "text": "x", "mel_ms": NaN}\n', "the engine answered with a row whose"
            ),
        }
    )


def test_second_row_that_comes_late(faulty: FaultyProject) -> None:
    """A row for an utterance that has one does not count, is told, and costs no other utterance its own row."""
    again = '{"id": "prompts-2", "text": "something else"}\n'
    faulty.prepare({3: {"do": "write", "bytes": again, "once": True, "text": SENTENCES[3]}})
    result, pair = faulty.run()
    assert (pair["verdict"], pair["rate_pct"], pair["transcribed"]) == ("PASS", 0.0, 8)
    result.stdout.fnmatch_lines(["warning: q8_0 prompts: *the engine wrote more than one answer to a question*"])
    assert faulty.project.log("q8_0").count("q8_0 load") == 2


def _memory(key: str) -> float:
    """A figure of this process, in which the gate of a test runs, in MB."""
    text = Path("/proc/self/status").read_text()
    return int(text.split(f"{key}:")[1].split()[0]) / 1024


@contextmanager
def bounded_memory(warm_up: Callable[[], object]) -> Iterator[None]:
    """This process may grow but little; what a run without any fault loads is not counted."""
    warm_up()
    Path("/proc/self/clear_refs").write_text("5")
    before = _memory("VmRSS")
    yield
    assert _memory("VmHWM") - before < _MOST_MEMORY


def test_floods(faulty: FaultyProject) -> None:
    """A line of 100 MB, and hundreds of MB on standard error, neither block the worker nor fill our memory."""
    faulty.prepare({})
    with bounded_memory(faulty.run):
        (faulty.root / "q8_0.log").unlink()
        said, ended = {"do": "write", "stderr": True}, r"the engine's process ended with exit code 0; last output: "
        flood = {"repeat": 10_000, "times": 40}
        faulty.check(
            {
                1: _written(
                    "x", "the engine answered with a line of over 8388608 bytes", repeat=1_000_000, times=100
                ),
                4: ({**said, "bytes": "noise " * 50, **flood, "exit": True}, ended + ".{1,300}$"),
                6: ({**said, "bytes": "[warn] short\n" * 20, **flood, "exit": True}, ended + r".*\[warn\] short$"),
            }
        )
