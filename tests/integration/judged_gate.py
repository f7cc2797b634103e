"""A small gate whose meaning is judged, and a scripted judge on loopback that answers its questions."""

import importlib
import json
import os
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from pytest_asrgate import report_schema
from pytest_asrgate.config import JudgeSettings
from pytest_asrgate.judge.client import open_asker
from tests.integration.conftest import SENTENCES, GateProject
from tests.support.judge_server import Answer, JudgeServer, Seen, said

__all__ = [
    "HEARD",
    "PATIENCE_S",
    "QUICK",
    "SECRET",
    "TELL_IMPORTS",
    "JudgedGate",
    "SemanticJudge",
    "asked_texts",
    "judged",
    "judged_environment",
    "litellm_once",
    "questions_of",
    "told_of",
]

SECRET = "sk-a-key-that-nobody-may-see"  # noqa: S105 - no key of anything
# What is heard in place of a sentence; no number, name or negation, which would be voted on.
HEARD = {
    0: "please turn on the chicken light",
    2: "what is the weather in the pills",
    3: "send the lettuce to my sister",
    4: "read me the second massage again",
    5: "how long does the soap need",
    6: "stop the music in the garage",
    7: "call the actor before noon today",
}
LIMITS = """
semantic_wer = 50.0
semantic_wer_delta = 20.0
semantic_non_inferiority = 60.0
judge_errors = 0
"""
# In the project's conftest.py: what is printed at the end, since a run in a process of its own forgets its modules.
TELL_IMPORTS = """
import sys

def pytest_unconfigure(config):
    for name in ("litellm", "openai"):
        print(f"{name} imported: {name in sys.modules}")
"""
# Spares each run a plugin of others that is imported at its end, and the rewriting of what it imports.
QUICK = ("-p", "no:hypothesispytest", "--assert=plain")
# How long a server waits for what must happen, in seconds.
PATIENCE_S = 60

# What is answered on one difference of a question with this seed: a verdict, or a whole Answer for the call.
Verdicts = Callable[[Mapping[str, Any], Mapping[str, Any], int], str]
Interruption = Callable[[int, Seen], Answer | None]


def data_of(seen: Seen) -> dict[str, Any]:
    """The question of a request: both texts and the open differences."""
    found: dict[str, Any] = json.loads(seen.body["messages"][1]["content"])
    return found


def asked_texts(server: "SemanticJudge") -> list[tuple[str, int]]:
    """The hypothesis and the seed of every request that came, in order."""
    return [(data_of(seen)["hypothesis"], seen.body["seed"]) for seen in server.seen]


def questions_of(server: "SemanticJudge") -> list[dict[str, Any]]:
    """Both texts and the open differences of every request that came, in order."""
    return [data_of(seen) for seen in server.seen]


def _error(data: Mapping[str, Any], difference: Mapping[str, Any], seed: int) -> str:
    return "error"


class SemanticJudge(JudgeServer):
    """Answers each question as `verdict` says; `interrupt` is asked first, with the number of the call from 0.

    `most` is how many requests were open at once. Where `together` is given, that many must be open before any is
    answered. `usage` is what a reply says of its tokens.
    """

    usage: object = "usual"

    def __init__(
        self, verdict: Verdicts = _error, interrupt: Interruption | None = None, *, together: int = 1
    ) -> None:
        super().__init__()
        self._verdict, self._interrupt = verdict, interrupt
        self._open = 0
        self.most = 0
        self._together = together
        self._enough = threading.Event()
        self._count = threading.Lock()
        self._dead = threading.Event()

    def take(self, seen: Seen) -> Answer:
        """Note a request; its answer."""
        with self._count:
            number = len(self.seen)
            self.seen.append(seen)
        answer = self._interrupt(number, seen) if self._interrupt else None
        return self._counted(answer or self._ruling(seen))

    def _ruling(self, seen: Seen) -> Answer:
        data = data_of(seen)
        reply = {
            row["id"]: {"reason": "as I see it", "verdict": self._verdict(data, row, seen.body["seed"])}
            for row in data["differences"]
        }
        return said(json.dumps(reply), usage=self.usage)

    def _counted(self, answer: Answer) -> Answer:
        def counted(handler: Any) -> None:
            with self._count:
                self._open += 1
                self.most = max(self.most, self._open)
                if self._open >= self._together:
                    self._enough.set()
            assert self._enough.wait(PATIENCE_S)
            # Who is let in beside those that are open comes meanwhile, and is counted.
            self.stop.wait(0.05 if self._together > 1 else 0)
            with self._count:
                self._open -= 1
            answer(handler)

        return counted

    def die(self, handler: Any) -> None:
        """An answer: none, and none ever after; whoever calls is refused."""
        handler.close_connection = True
        if not self._dead.is_set():
            self._dead.set()
            # Not in this thread, which the server would wait for.
            threading.Thread(target=self._close, daemon=True).start()

    def _close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def interrupt(self, interruption: Interruption) -> None:
        """Ask this first, from the next call on."""
        self._interrupt = interruption

    def dies_after(self, calls: int) -> "SemanticJudge":
        """The same judge, which answers so many calls and is gone then."""
        self._interrupt = lambda number, _: self.die if number >= calls else None
        return self


@dataclass
class JudgedGate:
    """A gate project with `[judge]`: `f32` is the baseline, each variant mishears the sentences of HEARD named."""

    project: GateProject

    def write(
        self,
        variants: Mapping[str, Sequence[int] | Mapping[int, object]],
        judge: str = "",
        *,
        limits: str = LIMITS,
        datasets: Sequence[str] = ("prompts",),
        language: str | Sequence[str] = "en",
        references: Sequence[str] = SENTENCES,
        extra: str = "",
        dataset_extra: str = "",
        bought: Sequence[str] = ("semantic",),
    ) -> None:
        """Write the gate; `variants` have the numbers of what they mishear, or their texts by number.

        `bought` are the judged scores of every data set.
        """
        for place, name in enumerate(datasets):
            self.project.dataset(name, references, first=1600 + 100 * place, language=language)
        for name, heard in variants.items():
            texts = heard if isinstance(heard, Mapping) else {number: HEARD[number] for number in heard}
            known: dict[int, object] = {
                1600 + 100 * place + number: texts.get(number, reference)
                for place in range(len(datasets))
                for number, reference in enumerate(references)
            }
            self.project.model(name, known, log=f"{name}.log")
        self.project.gate(
            "\n".join(
                [
                    '[gate]\nbaseline = "f32"',
                    '[transcriber.fake]\nkind = "fake"\ntimeout_s = 5',
                    *(f'[variant.{name}]\nmodel = "{name}.json"' for name in variants),
                    *(
                        f'[dataset.{name}]\nmanifest = "{name}/manifest.jsonl"\nspeakers = "none"\n'
                        f"judged = {json.dumps(list(bought))}\n{dataset_extra}"
                        for name in datasets
                    ),
                    '[judge]\nmodel = "openai/stand-in"\napi_base = "${JUDGE_URL}"\napi_key = "${JUDGE_KEY}"',
                    judge,
                    f"[thresholds]\n{limits}",
                    extra,
                ]
            )
        )

    @property
    def root(self) -> Path:
        """The folder of the gate."""
        return self.project.root

    @property
    def cassette(self) -> Path:
        """Where replies are kept."""
        return self.root / ".asrgate" / "judge" / "cassette.jsonl"

    def kept(self) -> list[dict[str, Any]]:
        """The complete lines of the cassette."""
        if not self.cassette.exists():
            return []
        *lines, _ = self.cassette.read_bytes().split(b"\n")
        return [json.loads(line) for line in lines if line.strip()]

    def run(
        self, *arguments: str, server: SemanticJudge | str = "http://127.0.0.1:9/v1", apart: bool = False
    ) -> pytest.RunResult:
        """Run the gate against a server; without one whoever is called refuses."""
        os.environ["JUDGE_URL"] = server if isinstance(server, str) else server.url
        run = self.project.run_apart if apart else self.project.run
        return run("-m", "wer", *QUICK, "--asrgate-json", "report.json", *arguments)

    def record(self, *arguments: str, server: SemanticJudge | str, apart: bool = False) -> pytest.RunResult:
        """Run with `--asrgate-judge record`."""
        return self.run("--asrgate-judge", "record", *arguments, server=server, apart=apart)

    def report(self) -> dict[str, dict[str, Any]]:
        """The last run's pairs by `variant::dataset`; the report is held against its schema."""
        report = json.loads((self.root / "report.json").read_text())
        assert list(Draft202012Validator(report_schema()).iter_errors(report)) == []
        return {f"{pair['variant']}::{pair['dataset']}": pair for pair in report["pairs"]}

    def judged(self) -> dict[str, dict[str, Any]]:
        """Verdicts, figures and trails of the last run by pair, without what it cost and how long it took."""
        cost = {"spending", "baseline_spending"}
        return {
            name: {
                "verdict": pair["verdict"],
                "checks": pair["checks"],
                "semantic": {key: value for key, value in (pair["semantic"] or {}).items() if key not in cost},
            }
            for name, pair in self.report().items()
        }

    def spent(self) -> tuple[int, int]:
        """Calls made and replies replayed in the last run, of all pairs."""
        found = [pair["semantic"]["spending"] for pair in self.report().values() if pair["semantic"]]
        return sum(row["calls"] for row in found), sum(row["replayed"] for row in found)


def told_of(result: pytest.RunResult) -> str:
    """What a run printed, without its end of lines."""
    return " ".join(f"{result.stdout.str()} {result.stderr.str()}".split())


@pytest.fixture(scope="session", autouse=True)
def litellm_once() -> None:
    """Import it before pytester looks at what is imported, or each run in this process would take seconds."""
    pytest.importorskip("litellm")
    # And our own modules that are imported late, which must be the same in every run.
    for name in ("semantic.score", "judge.judge", "judge.inquiry", "judge.loop"):
        importlib.import_module(f"pytest_asrgate.{name}")
    open_asker(JudgeSettings(cassette=Path("cassette"), folder=Path("spending"), model="openai/stand-in"))


@pytest.fixture(autouse=True)
def judged_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """No proxy and no key of a provider is set, and retries do not wait in this process."""
    # Each gate is a run of its own, also where these tests run under xdist.
    for name in ("PYTEST_XDIST_TESTRUNUID", "PYTEST_XDIST_WORKER"):
        monkeypatch.delenv(name, raising=False)
    for name in list(os.environ):
        if name.lower().endswith("_proxy") or name.startswith(("OPENAI_", "ANTHROPIC_", "GEMINI_", "GOOGLE_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("JUDGE_KEY", SECRET)
    monkeypatch.setenv("JUDGE_URL", "")
    monkeypatch.setattr("pytest_asrgate.judge.calls._FIRST_WAIT_S", 0.001)


@pytest.fixture
def judged(project: GateProject) -> JudgedGate:
    """An empty project of a judged gate."""
    return JudgedGate(project)
