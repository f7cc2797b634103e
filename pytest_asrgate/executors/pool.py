"""Engines that a worker keeps loaded between the shards that it is given."""

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from pytest_asrgate.executors.places import Place
from pytest_asrgate.transcribers.protocol import Transcriber

__all__ = ["EngineKey", "Pool"]

# Who asked for it may have died without a word; a model must not hold a device for nobody.
_IDLE_S = 120.0


@dataclass(frozen=True, slots=True)
class EngineKey:
    """Whose engine it is: a run, a variant, and which start of it, since some ask for a fresh one."""

    run: str
    variant: str
    generation: int = 0


@dataclass(eq=False)
class _Held:
    """One engine; without a transcriber while it is being made."""

    key: EngineKey
    transcriber: Transcriber | None = None
    place: Place | None = None
    busy: bool = True
    since: float = field(default_factory=time.monotonic)


class Pool:
    """Never more engines than a worker has slots; idle ones of other variants are ended first."""

    def __init__(self, idle_s: float = _IDLE_S) -> None:
        self._idle_s = idle_s
        self._held: list[_Held] = []
        self._lock = threading.RLock()
        self._reaper: threading.Thread | None = None

    def __len__(self) -> int:
        return len(self._held)

    def _end(self, held: _Held) -> None:
        self._held.remove(held)
        if held.transcriber is not None:
            held.transcriber.close()
        if held.place is not None:
            held.place.give_back()

    def _make_room(self, slots: int) -> None:
        """Have one slot free, as far as idle engines are in the way, the longest idle first."""
        idle = sorted((held for held in self._held if not held.busy), key=lambda held: held.since)
        while idle and len(self._held) >= slots:
            self._end(idle.pop(0))

    @contextmanager
    def engine(
        self, key: EngineKey, slots: int, start: Callable[[], Transcriber], place: Callable[[], Place | None]
    ) -> Iterator[Transcriber]:
        """The engine of this key for the caller alone, made by `start` where none is idle.

        `place` waits for the right to run one more on this machine. An engine whose user failed is ended.
        """
        with self._lock:
            held = next((held for held in self._held if not held.busy and held.key == key), None)
            if held is None:
                self._make_room(slots)
                held = _Held(key)
                self._held.append(held)
            held.busy = True
        try:
            if held.transcriber is None:
                held.transcriber = start()
                held.place = place()
            yield held.transcriber
        except BaseException:
            with self._lock:
                self._end(held)
            raise
        with self._lock:
            held.busy, held.since = False, time.monotonic()
            if self._reaper is None:
                self._reaper = threading.Thread(target=self._reap, name="asrgate-idle", daemon=True)
                self._reaper.start()

    def release(self, run: str, generations: Mapping[str, int]) -> None:
        """End the idle engines of a run whose variant is named with a later generation."""
        with self._lock:
            for held in [*self._held]:
                late = held.key.run == run and held.key.generation < generations.get(held.key.variant, 0)
                if late and not held.busy:
                    self._end(held)

    def _reap(self) -> None:
        pause = threading.Event()
        while True:
            pause.wait(min(self._idle_s / 4, 5.0))
            with self._lock:
                late = time.monotonic() - self._idle_s
                for held in [*self._held]:
                    if not held.busy and held.since <= late:
                        self._end(held)
                if not self._held:
                    self._reaper = None
                    return
