"""What a judged score adds to a gate that has every reply: python benchmarks/judged_gate.py DATA [--task TASK].

DATA holds `refhyp/librispeech_fbai/test-clean.*.jsonl`: 2,620 real utterances as two systems heard them, of which
one is the baseline and one the variant. The same gate runs without a judged score, by rules alone, and with every
question replayed from a cassette; and so again, as the worst case, with one word of every hypothesis exchanged, so
that nearly all are asked about. The cassette is recorded first, through the judge itself, from a stand-in that
answers by a fixed rule: its verdicts mean nothing. Every run is a pytest process, timed from start to end; runs
alternate. Printed are medians: seconds on the clock, CPU seconds of the process and its children, and how much
more that is than the run without a judged score, the named alternative. It asserts that nobody was called.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any

from made_up_judge import MadeUp

GATE = """
[gate]
baseline = "first"
{judge}
[transcriber.stored]
kind = "replay"
options = {{ hypotheses = "../{texts}/{{variant}}.jsonl" }}
[variant.first]
[variant.second]
[dataset.spoken]
manifest = "../{texts}/manifest.jsonl"
language = "en"
speakers = {{ regex = "^(\\\\d+)-" }}
{judged}
[thresholds]
non_inferiority = 1.0
errors = 0
{limits}
"""
JUDGED = 'judged = ["{task}"]'
LIMITS = {
    "semantic": "semantic_wer = 50.0\nsemantic_non_inferiority = 1.0\njudge_errors = 0\n",
    "intent": "intent = 50.0\nintent_non_inferiority = 1.0\nentity_non_inferiority = 1.0\njudge_errors = 0\n",
}
JUDGES = {
    "plain": "",
    "rules": '[judge]\nmodel = "rules"',
    "replayed": '[judge]\nmodel = "openai/made-up"\nmode = "replay"\ncassette = "cassette.jsonl"',
}
# What a run has imported when it ends, of what a replay must not import.
WATCH = """
import json, os, pathlib, sys

def pytest_unconfigure():
    here = pathlib.Path(__file__).parent / f"imported-{os.getpid()}.json"
    here.write_text(json.dumps(sorted({"litellm", "openai", "httpx", "asyncio", "jsonschema"} & set(sys.modules))))
"""


def _altered(text: str, number: int) -> str:
    """A text with one word, somewhere, that nobody says."""
    words = text.split()
    if words:
        words[number % len(words)] = "glorfin"
    return " ".join(words) or "glorfin"


def write_texts(folder: Path, sources: Mapping[str, Path], *, altered: bool) -> int:
    """Write a manifest and a file of hypotheses for each variant; gives the number of utterances."""
    folder.mkdir()
    rows: list[dict[str, Any]] = []
    for place, (name, source) in enumerate(sources.items()):
        rows = [json.loads(line) for line in source.read_text(encoding="utf-8").splitlines()]
        heard = [{"id": row["id"], "hyp_text": row["hyp_text"]} for row in rows]
        if altered:
            for number, row in enumerate(heard):
                row["hyp_text"] = _altered(row["hyp_text"], 3 * number + place)
        (folder / f"{name}.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in heard), encoding="utf-8")
    spoken = [{"id": row["id"], "audio": f"{row['id']}.flac", "ref_text": row["ref_text"]} for row in rows]
    (folder / "manifest.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in spoken), encoding="utf-8")
    return len(rows)


def write_gate(folder: Path, kind: str, texts: str, task: str) -> None:
    """Write the gate of one kind over some texts."""
    folder.mkdir()
    judged = kind != "plain"
    gate = GATE.format(
        judge=JUDGES[kind],
        texts=texts,
        judged=JUDGED.format(task=task) if judged else "",
        limits=LIMITS[task] if judged else "",
    )
    (folder / "gate.toml").write_text(gate, encoding="utf-8")
    (folder / "conftest.py").write_text(WATCH, encoding="utf-8")
    (folder / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")


def record(folder: Path, task: str) -> tuple[int, int, int]:
    """Record replies to all that the gate will ask; gives bytes, replies, and utterances that are asked about."""
    from pytest_asrgate.intent.score import score_intent
    from pytest_asrgate.judge.judge import Judge
    from pytest_asrgate.semantic.score import score_semantics
    from pytest_asrgate.session import GateSession, open_gate

    gate = open_gate(folder / "gate.toml")
    settings = replace(gate.judge, mode="record", concurrency=1)
    asked = 0
    with GateSession(gate) as session, Judge(settings, open_asker=lambda _: MadeUp()) as judge:
        for pair in gate.pairs:
            score = session.score(pair.variant.name, pair.dataset.name)
            judged = score_semantics if task == "semantic" else score_intent
            made = judged(score, session._runs.dataset(pair.dataset).utterances, judge)
            assert not made.judge_errors, made.judge_errors[0]
            asked += sum(row.asked for row in made.utterances)
        calls = judge.spending.calls
    return gate.judge.cassette.stat().st_size, calls, asked


def _pytest(folder: Path, environment: dict[str, str], *arguments: str) -> tuple[float, float]:
    """Seconds on the clock, and CPU seconds."""
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    # A plugin that others may have installed, and that imports asyncio.
    without = ("-p", "no:cacheprovider", "-p", "no:anyio")
    command = [sys.executable, "-m", "pytest", "-m", "wer", "-q", *without, *arguments]
    done = subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True, check=False)
    clock, after = time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    # 1: a verdict, which `check_report` does not look at.
    assert done.returncode in {0, 1}, done.stdout
    return clock, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def check_report(folder: Path, environment: dict[str, str], kind: str, task: str, *arguments: str) -> None:
    """Every pair was scored and judged as the gate says, and nobody was called; in a run that is not timed."""
    _pytest(folder, environment, "--asrgate-json", "report.json", *arguments)
    pairs = json.loads((folder / "report.json").read_text(encoding="utf-8"))["pairs"]
    assert len(pairs) == 2
    for pair in pairs:
        found = pair[task]
        assert pair["rate_pct"] is not None
        assert (found is None) == (kind == "plain")
        if found:
            figures = found if task == "semantic" else found["figures"]
            assert figures["rate_pct" if task == "semantic" else "intent_pct"] is not None
            assert found["judge_errors"] == []
            assert found["spending"]["calls"] == 0
            assert bool(found["spending"]["replayed"]) == (kind == "replayed")


def imported(folder: Path) -> list[str]:
    """What all processes of all runs have imported so far, of what a replay must not."""
    return sorted({name for path in folder.glob("imported-*.json") for name in json.loads(path.read_text())})


def main() -> None:
    """Record, run all of them in turn, and print medians, differences and ratios."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--task", choices=tuple(LIMITS), default="semantic")
    options = parser.parse_args()
    found = sorted((options.data / "refhyp" / "librispeech_fbai").glob("test-clean.*.jsonl"))
    if len(found) < 2:
        parser.error(f"{options.data}: has no two files refhyp/librispeech_fbai/test-clean.*.jsonl")
    sources = dict(zip(("first", "second"), found, strict=False))
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        # Python's compiled modules are kept, as they are for everybody who did not ask for the contrary.
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(root / "compiled"), "OPENBLAS_NUM_THREADS": "1"}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        for texts in ("real", "altered"):
            total = write_texts(root / texts, sources, altered=texts == "altered")
            for kind in JUDGES:
                write_gate(root / f"{texts}-{kind}", kind, texts, options.task)
            size, replies, asked = record(root / f"{texts}-replayed", options.task)
            print(
                f"{texts} texts: 2 variants of {total:,} utterances, {asked:,} asked about, "
                f"{replies:,} replies in a cassette of {size / 1e6:.1f} MB"
            )
        runs = [(texts, kind, ()) for texts in ("real", "altered") for kind in JUDGES]
        workers = [("real", kind, ("-n", "2")) for kind in ("plain", "replayed")]
        taken: dict[tuple[str, str, tuple[str, ...]], list[tuple[float, float]]] = {}
        for texts, kind, arguments in (*runs, *workers):
            check_report(root / f"{texts}-{kind}", environment, kind, options.task, *arguments)
        for _ in range(options.rounds):
            for run in (*runs, *workers):
                texts, kind, arguments = run
                taken.setdefault(run, []).append(_pytest(root / f"{texts}-{kind}", environment, *arguments))
        for texts, kind, arguments in (*runs, *workers):
            clock, cpu = (median(row[place] for row in taken[texts, kind, arguments]) for place in (0, 1))
            base, base_cpu = (median(row[place] for row in taken[texts, "plain", arguments]) for place in (0, 1))
            print(
                f"{' '.join((texts, kind, *arguments))}: {clock:.2f} s, {cpu:.2f} s of CPU; "
                f"{clock - base:+.2f} s, {cpu - base_cpu:+.2f} s of CPU, ratio {clock / base:.2f}"
            )
        for texts in ("real", "altered"):
            loaded = imported(root / f"{texts}-replayed")
            assert "litellm" not in loaded
            assert "asyncio" not in loaded or "asyncio" in imported(root / f"{texts}-plain")
            print(f"{texts} replayed: imported {', '.join(loaded) or 'none'} of litellm, openai, httpx, asyncio")


if __name__ == "__main__":
    main()
