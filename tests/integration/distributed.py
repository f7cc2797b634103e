"""A gate of three variants and two datasets, and other people's tests beside it, for runs under pytest-xdist."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.integration.conftest import SENTENCES, GateProject

MODES = ["load", "loadscope", "loadfile", "loadgroup", "worksteal"]
VARIANTS = ["q8_0", "f32", "q4_0"]
DATASETS = ["prompts", "digits"]
PAIRS = [(variant, dataset) for variant in VARIANTS for dataset in DATASETS]

# What depends on who came first, and on the clock.
_OWN = ("transcribed", "reused", "transcribed_now", "failed_now", "latency_p50_ms")

OTHERS = """
import pytest

class TestOne:
    @pytest.mark.parametrize("n", range(3))
    def test_it(self, n): pass

class TestTwo:
    @pytest.mark.parametrize("n", range(3))
    def test_it(self, n): pass

@pytest.mark.parametrize("n", range(3))
def test_alone(n): pass
"""

LOGGED = """
import os
from pathlib import Path
import pytest

ROOT = Path(__file__).parent

@pytest.hookimpl(tryfirst=True)
def pytest_runtest_call(item):
    with (ROOT / "ran.log").open("a") as file:
        file.write(f"{item.nodeid.partition('@')[0]} {os.environ.get('PYTEST_XDIST_WORKER')}\\n")
"""


def make(project: GateProject, seconds: Mapping[str, float] | None = None) -> None:
    """Write the project: `q4_0` gets all of `digits` wrong, as is expected; the baseline is no first."""
    texts: dict[str, dict[int, str]] = {variant: {} for variant in VARIANTS}
    for number, dataset in enumerate(DATASETS):
        first = 1600 + 100 * number
        project.dataset(dataset, SENTENCES[:4], first=first)
        for variant, heard in texts.items():
            wrong = variant == "q4_0" and dataset == "digits"
            heard |= {first + n: "no" if wrong else text for n, text in enumerate(SENTENCES[:4])}
    for variant, heard in texts.items():
        # A relative path, so that the same model is the same file in every test.
        project.model(variant, heard, log=f"{variant}.log", seconds=(seconds or {}).get(variant, 0))
    project.gate(
        """
        [gate]
        baseline = "f32"
        [transcriber.fake]
        kind = "fake"
        timeout_s = 5
        """
        + "".join(f"[variant.{variant}]\nmodel = '{variant}.json'\n" for variant in VARIANTS)
        + "".join(f"[dataset.{d}]\nmanifest = '{d}/manifest.jsonl'\nspeakers = 'none'\n" for d in DATASETS)
        + "[variant.q4_0.dataset.digits]\nexpect = 'fail'\n[thresholds]\nwer_delta = 50.0\n"
    )
    project.pytester.makepyfile(test_others=OTHERS)
    project.pytester.makeconftest(LOGGED)


def ran(project: GateProject) -> list[tuple[str, str]]:
    """Which item began on which worker, in order of time."""
    lines = (project.root / "ran.log").read_text().splitlines()
    return [(line.split()[0], line.split()[1]) for line in lines]


def workers_of(project: GateProject, part: str) -> set[str]:
    """The workers that ran an item whose id has this part."""
    return {worker for name, worker in ran(project) if part in name}


def clips(project: GateProject, variant: str) -> list[str]:
    """The clips that engines of this variant were given."""
    return [line.split()[-1] for line in project.log(variant) if "clip" in line]


def pairs(path: Path) -> list[dict[str, Any]]:
    """The pairs of a JSON report, without what depends on who came first and on the clock."""
    found: list[dict[str, Any]] = json.loads(path.read_text())["pairs"]
    for pair in found:
        for name in _OWN:
            del pair[name]
        for utterance in pair["utterances"]:
            del utterance["latency_ms"]
    return found


def summary(result: pytest.RunResult) -> list[str]:
    """Our part of the terminal's summary, without the column of latencies and the names of written files."""
    lines = result.outlines
    first = next(n for n, line in enumerate(lines) if line.strip("= ") == "asrgate")
    own = [line for line in lines[first + 1 :] if line and not line.startswith(("=", "asrgate: wrote"))]
    cells = [re.split(" {2,}", line) for line in own]
    return ["  ".join([*row[:-2], row[-1]]) if len(row) > 1 else row[0] for row in cells]
