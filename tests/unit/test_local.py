"""Engines of this machine: who gets which, how many there are, and when they end."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from pytest_asrgate.config import ExecutorSettings, TranscriberSettings, Variant
from pytest_asrgate.errors import TranscriberError
from pytest_asrgate.executors.local import LocalExecution
from pytest_asrgate.executors.places import Places
from pytest_asrgate.records import Hypothesis, Utterance
from pytest_asrgate.transcribers.protocol import Identity

CLIPS = [Utterance(f"u{number}", Path("none.wav"), "", language="en") for number in range(6)]


def _variant(name: str) -> Variant:
    settings = TranscriberSettings("native", "command", "cpu", 60.0, 4000, {})
    return Variant(name, settings, model=None, make=None, baseline=None)


Q8, Q4 = _variant("q8_0"), _variant("q4_0")


class Engine:
    """Answers at once, or waits for a gate; knows whether it was ended."""

    keeps_results = True
    keeps_process = True

    def __init__(self, variant: Variant, fingerprint: str = "print", gate: threading.Event | None = None) -> None:
        self.variant = variant
        self.fingerprint = fingerprint
        self.gate = gate
        self.begun = threading.Event()
        self.stopped = threading.Event()
        self.closed = False
        self.loads_to_identify = fingerprint != "print"

    def identity(self) -> Identity:
        self.loads_to_identify = False
        return Identity(
            self.fingerprint, {"device": self.variant.transcriber.device or self.fingerprint}, load_ms=1.0
        )

    def transcribe(self, utterances: Sequence[Utterance]) -> Iterator[Hypothesis]:
        self.begun.set()
        for utterance in utterances:
            while self.gate is not None and not self.gate.wait(0.01):
                if self.stopped.is_set():
                    raise TranscriberError("killed")
            yield Hypothesis(utterance.id, self.variant.transcriber.device)

    def findings(self) -> tuple[str, ...]:
        return (f"[warn] {self.variant.name}",)

    def interrupt(self) -> None:
        self.stopped.set()

    def close(self) -> None:
        self.closed = True


class Made:
    """Makes engines and remembers them."""

    def __init__(self, make: Callable[[Variant, int], Engine] = lambda variant, _: Engine(variant)) -> None:
        self._make = make
        self.engines: list[Engine] = []

    def __call__(self, variant: Variant) -> Engine:
        self.engines.append(self._make(variant, len(self.engines)))
        return self.engines[-1]

    @property
    def open(self) -> list[Engine]:
        return [engine for engine in self.engines if not engine.closed and engine.begun.is_set()]


def _execution(made: Made, workers: int | None, folder: Path, devices: Sequence[str] = ()) -> LocalExecution:
    places = None if workers is None else Places(folder / "locks", workers)
    return LocalExecution(ExecutorSettings(workers=workers, devices=tuple(devices)), made, places)


def _until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_an_idle_engine_of_another_variant_makes_room(tmp_path: Path) -> None:
    """With one place, the second variant ends the first one's engine, and the first starts anew."""
    made = Made()
    execution = _execution(made, 1, tmp_path)
    for variant in (Q8, Q4, Q4, Q8):
        assert len([*execution.single(variant).transcribe(CLIPS)]) == len(CLIPS)
        assert [engine.variant.name for engine in made.open] == [variant.name]
    assert [engine.variant.name for engine in made.engines] == ["q8_0", "q4_0", "q8_0"]


def test_without_a_number_each_variant_keeps_its_engine(tmp_path: Path) -> None:
    """Where no number of workers is set, a baseline's engine stays loaded beside its variant's."""
    made = Made()
    execution = _execution(made, None, tmp_path)
    for variant in (Q8, Q4, Q8, Q4):
        assert [*execution.single(variant).transcribe(CLIPS)]
    assert len(made.engines) == 2


def test_an_idle_engine_ends_when_another_process_waits(tmp_path: Path) -> None:
    """A notebook that holds the only place gives it up without doing anything."""
    ours, theirs = Made(), Made()
    notebook, run = _execution(ours, 1, tmp_path), _execution(theirs, 1, tmp_path)
    assert [*notebook.single(Q8).transcribe(CLIPS)]
    assert [*run.single(Q4).transcribe(CLIPS)]
    assert ours.open == []
    run.close()
    assert [*notebook.single(Q8).transcribe(CLIPS)]
    notebook.close()


def test_an_interrupted_engine_is_not_used_again(tmp_path: Path) -> None:
    """Interrupting ends what runs at once, its future fails, and the next shard gets a fresh engine."""
    made = Made(lambda variant, number: Engine(variant, gate=threading.Event() if number == 0 else None))
    execution = _execution(made, 2, tmp_path)
    future = execution.submit(Q8, CLIPS, lambda _: None)
    _until(lambda: bool(made.open))
    execution.interrupt()
    with pytest.raises(TranscriberError, match="killed"):
        future.result(timeout=0)
    assert made.engines[0].closed
    assert len(execution.submit(Q8, CLIPS, lambda _: None).result(timeout=30)) == len(CLIPS)
    assert len(made.engines) == 2
    execution.close()


def test_who_waits_for_a_place_can_be_interrupted(tmp_path: Path) -> None:
    """A shard that waits while another process has all places does not keep Ctrl-C waiting."""
    other = Places(tmp_path / "locks", 1).try_take()
    assert other is not None
    execution = _execution(Made(), 1, tmp_path)
    future = execution.submit(Q8, CLIPS, lambda _: None)
    _until(lambda: any("wanted" in path.name for path in tmp_path.glob("locks/*")))
    execution.interrupt()
    with pytest.raises(TranscriberError, match="the run was interrupted"):
        future.result(timeout=0)


def test_an_engine_that_was_left_in_the_middle_ends(tmp_path: Path) -> None:
    """Who stops listening may leave an answer behind, which the next one must not get."""
    made = Made()
    execution = _execution(made, None, tmp_path)
    rows = execution.single(Q8).transcribe(CLIPS)
    next(rows)
    rows.close()  # type: ignore[attr-defined] # a generator
    assert made.engines[0].closed


def test_two_devices_that_are_two_engines_are_refused(tmp_path: Path) -> None:
    """The shard on the second kind of device fails before it decodes anything, and the sentence names both."""
    gate = threading.Event()
    made = Made(lambda variant, number: Engine(variant, fingerprint=f"gpu {min(number, 2)}", gate=gate))
    execution = _execution(made, 2, tmp_path)
    assert execution.identity(Q8).fingerprint == "gpu 1"
    gate.set()
    busy = execution.engine(Q8)
    busy.__enter__()
    future = execution.submit(Q8, CLIPS, lambda _: None)
    with pytest.raises(TranscriberError, match=r"two engines.*device 'gpu 1' and 'gpu 2'"):
        future.result(timeout=30)
    busy.__exit__(None, None, None)
    execution.close()


def test_a_probe_compares_one_device_and_leaves_nothing(tmp_path: Path) -> None:
    """Both engines of a probe get the same device, count as far as there are places, and end with `release`."""
    made = Made()
    execution = _execution(made, 2, tmp_path, ["cuda:0", "cuda:1"])
    both = [execution.single(variant, beside=True) for variant in (Q8, Q4)]
    assert [row.text for probe in both for row in probe.transcribe(CLIPS[:1])] == ["cuda:0", "cuda:0"]
    assert Places(tmp_path / "locks", 2).try_take() is None
    assert len(made.open) == 2
    execution.release()
    assert made.open == []


def test_a_probe_takes_one_place_where_there_is_one(tmp_path: Path) -> None:
    """With one place the second model of a probe is uncounted, and does not wait for ever."""
    made = Made()
    execution = _execution(made, 1, tmp_path)
    for variant in (Q8, Q4):
        assert [*execution.single(variant, beside=True).transcribe(CLIPS)]
    assert len(made.open) == 2
    execution.close()
    assert made.open == []


def test_what_engines_said_outlives_them(tmp_path: Path) -> None:
    """Warnings and stamps of an engine that has ended are still told."""
    execution = _execution(Made(), 1, tmp_path)
    assert execution.identity(Q8).fingerprint == "print"
    assert [*execution.single(Q8).transcribe(CLIPS)]
    execution.release()
    assert execution.findings(Q8) == ("[warn] q8_0",)
    assert execution.identity(Q8).load_ms == 1.0
