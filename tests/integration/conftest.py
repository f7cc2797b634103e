"""A small gate project for pytester: real audio files, a real worker process, a stand-in engine."""

import json
import os
import shutil
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import hypothesis  # noqa: F401 - see below
import jiwer  # noqa: F401 - see below
import numpy as np
import pydantic  # noqa: F401 - see below
import pytest
import scipy.signal
import scipy.stats  # noqa: F401 - see below
import soundfile
import whisper_normalizer.english  # noqa: F401 - see below

import pytest_asrgate.plugin.distribution
import pytest_asrgate.plugin.orphans
import pytest_asrgate.plugin.progress
import pytest_asrgate.plugin.reporting  # noqa: F401 - see below

# pytester forgets what a run in this process imported. Native libraries cannot be loaded twice in a process, and
# two copies of our own modules would not know each other's classes: so all are imported here, before it looks.

SUPPORT = Path(__file__).parents[1] / "support"
# For a pytest in a process of its own: without plugins that come with the test tools, which no run of a user has.
# That of Hypothesis imports all of it for a summary, and again in each xdist worker: half of what a run costs.
LEAN = ("-p", "no:hypothesispytest", "-p", "no:anyio")
FIXTURES = Path(__file__).parents[2] / "fixtures"
SENTENCES = [
    "please turn on the kitchen light",
    "book a table for two tomorrow",
    "what is the weather in the hills",
    "send the letter to my sister",
    "read me the second message again",
    "how long does the soup need",
    "stop the music in the garden",
    "call the doctor before noon today",
]


def real_prompts(folder: Path) -> list[str]:
    """Write six of the example's prompts and their manifest into a new folder; gives their ids."""
    folder.mkdir()
    rows = [json.loads(line) for line in (FIXTURES / "prompts" / "manifest.jsonl").read_text().splitlines()[:6]]
    for row in rows:
        shutil.copy(FIXTURES / "prompts" / row["audio"], folder / f"{row['id']}.flac")
        row["audio"] = f"{row['id']}.flac"
    (folder / "manifest.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return [row["id"] for row in rows]


def alive(marker: str) -> list[str]:
    """Processes whose environment holds `marker`, as children inherit it."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if marker.encode() in (process / "environ").read_bytes() and process.name != str(os.getpid()):
                found.append(process.name)
        except OSError:
            continue
    return found


def left_over(marker: str) -> list[str]:
    """As `alive`, of processes that still live after a minute: one that was killed may take a moment to end."""
    deadline = time.monotonic() + 60
    while found := alive(marker):
        if time.monotonic() > deadline:
            break
        time.sleep(0.02)
    return found


@dataclass
class GateProject:
    """Writes gate.toml, manifests, audio and models of a small gate into a pytester folder."""

    pytester: pytest.Pytester
    variants: dict[str, str] = field(default_factory=dict)

    @property
    def root(self) -> Path:
        """The folder of the gate."""
        return self.pytester.path

    def dataset(
        self,
        name: str,
        references: Sequence[str],
        first: int = 1600,
        language: str | Sequence[str] = "en",
        tags: Sequence[Sequence[str]] = (),
    ) -> None:
        """Write a manifest and clips of `first`, `first` + 1, … samples, by which the engine knows them.

        `language` is one tag for all rows, or one for each; `tags` are those of each row, if any has some.
        """
        languages = [language] * len(references) if isinstance(language, str) else language
        folder = self.root / name
        folder.mkdir(exist_ok=True)
        rows = []
        for number, reference in enumerate(references):
            clip = folder / f"{number}.wav"
            tone = 0.1 * np.sin(np.arange(first + number) * (0.05 + number / 100))
            soundfile.write(clip, tone, 16_000, subtype="PCM_16")
            row = {"id": f"{name}-{number}", "audio": clip.name, "ref_text": reference}
            rows.append(row | {"language": languages[number]} | ({"tags": list(tags[number])} if tags else {}))
        (folder / "manifest.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))

    def model(self, name: str, texts: Mapping[int, object], **content: object) -> Path:
        """Write a model of the stand-in engine: samples → text or order."""
        path = self.root / f"{name}.json"
        path.write_text(json.dumps({"texts": {str(key): value for key, value in texts.items()}, **content}))
        return path

    def gate(self, text: str) -> None:
        """Write gate.toml."""
        (self.root / "gate.toml").write_text(text)

    def standard(self, thresholds: str = "non_inferiority = 30.0", extra: str = "") -> None:
        """Two variants (`f32` perfect, `q8_0` with one word wrong) on one dataset `prompts` of eight clips."""
        self.dataset("prompts", SENTENCES)
        right = {1600 + number: sentence for number, sentence in enumerate(SENTENCES)}
        self.model("f32", right, log=str(self.root / "f32.log"))
        self.model("q8_0", {**right, 1600: "please turn on the chicken light"}, log=str(self.root / "q8_0.log"))
        self.gate(
            f"""
            [gate]
            baseline = "f32"
            [transcriber.fake]
            kind = "fake"
            timeout_s = 5
            [variant.f32]
            model = "f32.json"
            [variant.q8_0]
            model = "q8_0.json"
            [dataset.prompts]
            manifest = "prompts/manifest.jsonl"
            speakers = "none"
            [thresholds]
            {thresholds}
            {extra}
            """
        )

    def log(self, variant: str) -> list[str]:
        """What the engine of a variant was asked to do, line by line."""
        path = self.root / f"{variant}.log"
        return path.read_text().splitlines() if path.exists() else []

    def run(self, *arguments: str) -> pytest.RunResult:
        """Run pytest in the folder, in this process, with the stand-in engine registered."""
        return self.pytester.runpytest("-p", "asrgate_fake", "-p", "no:cacheprovider", *arguments)

    def run_apart(self, *arguments: str) -> pytest.RunResult:
        """Run pytest in a process of its own, without the plugins of the test tools."""
        return self.pytester.runpytest_subprocess(*LEAN, "-p", "asrgate_fake", *arguments)


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> GateProject:
    """An empty gate project."""
    # Each gate is a run of its own, also where these tests run under xdist.
    for name in ("PYTEST_XDIST_TESTRUNUID", "PYTEST_XDIST_WORKER", "PYTEST_XDIST_WORKER_COUNT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PYTHONPATH", str(SUPPORT))
    pytester.syspathinsert(SUPPORT)
    return GateProject(pytester)
