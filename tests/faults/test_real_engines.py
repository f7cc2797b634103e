"""The faults of test_worker_*.py and test_replaced_files.py on the real engines: the binding and transcribe-cli."""

import importlib.util
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType

import numpy as np
import pytest
import soundfile

from pytest_asrgate.records import Outcome, Progress, Verdict
from pytest_asrgate.session import GateSession, open_gate
from tests.integration.conftest import FIXTURES, GateProject, alive, left_over, real_prompts
from tests.integration.test_real_engine import NEEDED
from tests.integration.test_transcribe_cli import REAL

pytestmark = pytest.mark.skipif(
    any(importlib.util.find_spec(name) is None for name in NEEDED) or not Path("/proc/self/stat").is_file(),
    reason="needs the example extra, and /proc",
)

MADE = FIXTURES.parent / ".asrgate" / "models"


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two presets of a real model, the example gate's own where these are made."""
    folder = tmp_path_factory.mktemp("models")
    for preset in ("Q8_0", "Q4_0"):
        there, made = folder / f"{preset}.gguf", MADE / f"moonshine-tiny-{preset}.gguf"
        if made.is_file():
            shutil.copy(made, there)
        else:
            maker = [sys.executable, str(FIXTURES / "make_models.py"), "moonshine-tiny", preset, str(there)]
            subprocess.run(maker, check=True, capture_output=True)
    return folder


class RealProject:
    """Six real clips and one real model, through the engine of a kind."""

    def __init__(self, project: GateProject, models: Path, kind: str) -> None:
        self.root = project.root
        self.models = models
        self.kind = kind
        self.model = self.root / "model.gguf"
        shutil.copy(models / "Q8_0.gguf", self.model)
        self.ids = real_prompts(self.root / "prompts")
        self.gate()

    def gate(self, settings: str = "timeout_s = 60") -> None:
        """Write gate.toml, with these settings of the transcriber."""
        path = f'options = {{ path = "{REAL}" }}' if self.kind == "transcribe-cli" else ""
        (self.root / "gate.toml").write_text(
            f"""
            [transcriber.native]
            kind = "{self.kind}"
            {path}
            {settings}
            [variant.q8_0]
            model = "model.gguf"
            [dataset.prompts]
            manifest = "prompts/manifest.jsonl"
            language = "en"
            [thresholds]
            wer = 60.0
            """
        )

    @contextmanager
    def long_clips(self, numbers: Iterable[int]) -> Iterator[None]:
        """These clips are so long that they are surely still being decoded when we do something about it."""
        paths = [self.root / "prompts" / f"{self.ids[number]}.flac" for number in numbers]
        short = [path.read_bytes() for path in paths]
        for path in paths:
            samples, rate = soundfile.read(path)
            soundfile.write(path, np.tile(samples, 1 + int(30 * rate / len(samples))), rate)
        yield
        for path, content in zip(paths, short, strict=True):
            path.write_bytes(content)

    def run(self, acts: Mapping[int, Callable[[], object]] = MappingProxyType({})) -> Verdict:
        """Judge the pair; each act is done once, when so many utterances were done."""
        todo = dict(acts)

        def observe(progress: Progress) -> None:
            if progress.fresh in todo:
                todo.pop(progress.fresh)()

        with GateSession(open_gate(self.root / "gate.toml"), observe) as session:
            return session.verdict("q8_0", "prompts")

    def own_libraries(self, patch: pytest.MonkeyPatch) -> None:
        """Give the binding a copy of its native libraries in our own folder."""
        spec = importlib.util.find_spec("transcribe_cpp_native")
        assert spec is not None
        assert spec.origin is not None
        shutil.copytree(Path(spec.origin).parent / "_native", self.root / "native")
        (library,) = (self.root / "native").glob("libtranscribe.so*")
        patch.setenv("TRANSCRIBE_LIBRARY", str(library))

    def engine(self) -> int:
        """The process that holds the model."""
        mark = b"pytest_asrgate.transcribers.worker" if self.kind == "transcribe-cpp" else b"--batch-jsonl"
        found = []
        for number in alive(f"ASRGATE_TEST_MARKER={self.root}"):
            words = (Path("/proc") / number / "cmdline").read_bytes().split(b"\0")
            # The supervisor above it has the same words, as those of its program.
            if mark in words and b"--" not in words:
                found.append(int(number))
        (pid,) = found
        return pid


@pytest.fixture(params=["transcribe-cpp", "transcribe-cli"])
def real(
    request: pytest.FixtureRequest, project: GateProject, models: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[RealProject]:
    """A gate of a real engine; afterwards no process of it may run."""
    if request.param == "transcribe-cli" and not REAL.is_file():
        pytest.skip("needs the real program: python fixtures/build_cli.py")
    monkeypatch.setenv("ASRGATE_TEST_MARKER", str(project.root))
    yield RealProject(project, models, request.param)
    assert left_over(f"ASRGATE_TEST_MARKER={project.root}") == []


def _lost(verdict: Verdict) -> dict[str, str]:
    assert verdict.score is not None
    return {row.id: row.detail for row in verdict.score.hypotheses.hypotheses if row.status.value == "error"}


def test_engine_that_is_killed_or_stopped(real: RealProject) -> None:
    """Each costs the clip that it was on; the rest is decoded, and the next run decodes what was lost, alone."""
    real.gate("timeout_s = 4")
    signals = {1: signal.SIGKILL, 3: signal.SIGSEGV, 5: signal.SIGSTOP}
    if real.kind == "transcribe-cli":
        # It does not wait for us between two clips.
        signals = {1: signal.SIGABRT, 4: signal.SIGSTOP}
    with real.long_clips(signals if real.kind == "transcribe-cli" else ()):
        lost = _lost(real.run({n: lambda sent=sent: os.kill(real.engine(), sent) for n, sent in signals.items()}))
    assert list(lost) == [real.ids[number] for number in signals]
    for number, sent in signals.items():
        assert (" within 4 s" if sent is signal.SIGSTOP else f"({sent.name})") in lost[real.ids[number]]
    again = real.run()
    assert _lost(again) == {}
    assert again.score is not None
    assert (again.score.hypotheses.transcribed, again.score.hypotheses.reused) == (len(signals), 6 - len(signals))


def _truncated(model: bytes) -> bytes:
    return model[: len(model) // 2]


def _flipped(model: bytes) -> bytes:
    """One bit of the number of tensors."""
    return model[:12] + bytes([model[12] ^ 1]) + model[13:]


@pytest.mark.parametrize("damage", [_truncated, _flipped])
def test_damaged_model(real: RealProject, damage: Callable[[bytes], bytes]) -> None:
    """A model that breaks off in its tensors, or with a bit flipped in its header, is one ERROR that names it."""
    real.model.write_bytes(damage(real.model.read_bytes()))
    verdict = real.run()
    assert verdict.score is None
    assert verdict.reason.startswith(f"{real.model}: ")
    assert "\n" not in verdict.reason


def test_memory_over_its_limit(real: RealProject) -> None:
    """An engine that needs more than memory_mb is ended, before or after it loaded: an ERROR that says so."""
    real.gate("memory_mb = 20")
    verdict = real.run()
    said = [verdict.reason] if verdict.score is None else [*_lost(verdict).values()]
    assert verdict.outcome is Outcome.ERROR
    assert re.search(r" grew to \d+ MB, over memory_mb = 20", said[0])
    # Its memory is looked at some times a second, so a short clip may be decoded before that.
    assert all(re.search(r" grew to \d+ MB, over memory_mb = 20| times in a row ", text) for text in said)


def test_model_that_is_replaced(real: RealProject) -> None:
    """Another preset under the model's name ends the pair with one sentence; what came before is the old one's."""

    def replace() -> None:
        shutil.copy(real.models / "Q4_0.gguf", real.root / "fresh")
        (real.root / "fresh").replace(real.model)

    with real.long_clips([2] if real.kind == "transcribe-cli" else []):
        verdict = real.run({2: replace})
    assert verdict.score is None
    assert verdict.reason.startswith(f"{real.model} was replaced during the run: its SHA-256 was ")
    new = real.run()
    assert new.score is not None
    assert (new.score.hypotheses.transcribed, new.score.hypotheses.reused) == (6, 0)
    shutil.copy(real.models / "Q8_0.gguf", real.model)
    back = real.run()
    assert back.score is not None
    assert (back.score.hypotheses.transcribed, back.score.hypotheses.reused) == (4, 2)


def _another_version(real: RealProject, patch: pytest.MonkeyPatch) -> str:
    patch.setattr("pytest_asrgate.transcribers.transcribe_cpp.version", lambda _: "99.0")
    return "the engine was replaced during the run: its engine_version was "


def _another_library(real: RealProject, patch: pytest.MonkeyPatch) -> str:
    (library,) = (real.root / "native").glob("libtranscribe.so*")
    shutil.copy(library, real.root / "fresh")
    with (real.root / "fresh").open("ab") as file:
        file.write(b"another build")
    (real.root / "fresh").replace(library)
    return f"{library} was replaced during the run: its SHA-256 was "


@pytest.mark.parametrize("upgrade", [_another_version, _another_library])
def test_binding_that_is_upgraded(
    project: GateProject,
    models: Path,
    monkeypatch: pytest.MonkeyPatch,
    upgrade: Callable[[RealProject, pytest.MonkeyPatch], str],
) -> None:
    """A new version of the package, or another build of the native library, decodes nothing of a pair begun."""
    monkeypatch.setenv("ASRGATE_TEST_MARKER", str(project.root))
    real = RealProject(project, models, "transcribe-cpp")
    if upgrade is _another_library:
        real.own_libraries(monkeypatch)
    said: list[str] = []

    def act() -> None:
        said.append(upgrade(real, monkeypatch))
        os.kill(real.engine(), signal.SIGKILL)

    verdict = real.run({2: act})
    assert verdict.score is None
    assert verdict.reason.startswith(said[0])
    again = real.run()
    assert again.score is not None
    assert (again.score.hypotheses.transcribed, again.score.hypotheses.reused) == (6, 0)
