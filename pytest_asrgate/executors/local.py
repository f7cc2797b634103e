"""Model processes on this machine: one for each shard that is being decoded, kept for the next."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace

from pytest_asrgate.config import ExecutorSettings, Variant
from pytest_asrgate.errors import ReplacedFileError, TranscriberError
from pytest_asrgate.executors.engine import VariantEngine
from pytest_asrgate.executors.places import Place, Places
from pytest_asrgate.executors.protocol import Deliver
from pytest_asrgate.records import Hypothesis, Utterance
from pytest_asrgate.transcribers.placement import share_of_cores
from pytest_asrgate.transcribers.protocol import Identity, Transcriber
from pytest_asrgate.transcribers.watched import difference

__all__ = ["LocalExecution", "Opener"]

# The transcriber of a variant, with no process yet.
Opener = Callable[[Variant], Transcriber]

# How often it is looked whether a place was given back, in seconds, and whether somebody else waits for ours.
_LOOK_S = 0.1
_LOOK_ROUND_S = 1.0


@dataclass(eq=False)
class _Held:
    """One engine of this process; `number` counts within its variant and decides its device.

    `beside` is one of a probe, which nobody else uses.
    """

    variant: Variant
    number: int
    transcriber: Transcriber
    place: Place | None = None
    busy: bool = False
    beside: bool = False


@dataclass
class _Known:
    """What the engines of one variant said of themselves, also those that have ended."""

    identity: Identity | None = None
    findings: dict[str, None] = field(default_factory=dict)


class LocalExecution:
    """Threads of this process, each driving one model process at a time.

    With `places` no more model processes run on this machine than these (but the second one of a probe, where there
    is only one place), and idle ones are ended when another process waits; without, there is one for each variant.
    """

    def __init__(self, settings: ExecutorSettings, opener: Opener, places: Places | None) -> None:
        self._settings = settings
        self._opener = opener
        self._places = places
        self._threads: ThreadPoolExecutor | None = None
        self._held: list[_Held] = []
        self._known: dict[str, _Known] = {}
        # Also taken where it is held already, as when room is made while an engine is taken.
        self._lock = threading.RLock()
        self._interrupted = False
        self._watch: threading.Thread | None = None
        self._closed = threading.Event()

    @property
    def workers(self) -> int:
        """The number of model processes."""
        return self._settings.workers or 1

    @property
    def serial(self) -> bool:
        """Whether there is only one worker."""
        return self.workers == 1

    @property
    def runs_here(self) -> bool:
        """Always."""
        return True

    def _open(self, variant: Variant, number: int) -> Transcriber:
        devices = self._settings.devices
        settings = variant.transcriber
        if devices:
            settings = replace(settings, device=devices[number % len(devices)])
        if self._settings.pin:
            settings = replace(settings, cores=share_of_cores(number, self.workers))
        return self._opener(replace(variant, transcriber=settings))

    def _idle(self, variant: Variant, *, beside: bool) -> _Held | None:
        for held in self._held:
            if not held.busy and held.variant.name == variant.name and held.beside is beside:
                held.busy = True
                return held
        return None

    def _started(self, variant: Variant, place: Place | None, *, beside: bool) -> _Held:
        """A new engine; its place, or else the lowest number that is free, decides its device."""
        if beside:
            # Those of a probe are compared with each other, so they get one and the same device.
            held = _Held(variant, 0, self._open(variant, 0), place, busy=True, beside=True)
            self._held.append(held)
            return held
        taken = {held.number for held in self._held if held.variant.name == variant.name}
        number = next(number for number in range(len(taken) + 1) if number not in taken)
        if place is not None:
            number = place.number
        held = _Held(variant, number, self._open(variant, number), place, busy=True)
        self._held.append(held)
        return held

    def _end(self, held: _Held) -> None:
        """End an engine of ours that nobody uses; what it said stays known."""
        self._held.remove(held)
        self._note(held)
        held.transcriber.close()
        if held.place is not None:
            held.place.give_back()

    def _note(self, held: _Held) -> None:
        known = self._known.setdefault(held.variant.name, _Known())
        known.findings |= dict.fromkeys(held.transcriber.findings())
        # An engine that ran says more of itself than its files do.
        if known.identity is not None and known.identity.load_ms is None:
            # Its stamps are for the report; a model that has gone by now is no reason to lose rows.
            with suppress(TranscriberError, OSError):
                found = held.transcriber.identity()
                if found.load_ms is not None and found.fingerprint == known.identity.fingerprint:
                    known.identity = found

    def _take(self, variant: Variant, *, beside: bool) -> _Held:
        """An engine for the caller alone; waits where all places are taken, ending idle engines of ours first."""
        while True:
            with self._lock:
                if self._interrupted:
                    raise TranscriberError("the run was interrupted")
                found = self._idle(variant, beside=beside)
                if found is not None:
                    return found
                # A probe needs two models at once, also where there is place for one only.
                ours = sum(held.place is not None for held in self._held)
                if self._places is None or (beside and ours >= self._places.count):
                    return self._started(variant, None, beside=beside)
                place = self._places.try_take()
                if place is not None:
                    return self._placed(variant, place, beside=beside)
                idle = next((held for held in self._held if not held.busy and held.place and not beside), None)
                if idle is not None:
                    self._end(idle)
                    continue
            self._places.say_wanted()
            time.sleep(_LOOK_S)

    def _placed(self, variant: Variant, place: Place, *, beside: bool) -> _Held:
        if self._watch is None:
            self._watch = threading.Thread(target=self._look_round, name="asrgate-places", daemon=True)
            self._watch.start()
        try:
            return self._started(variant, place, beside=beside)
        except BaseException:
            place.give_back()
            raise

    def _look_round(self) -> None:
        """End idle engines whose places another process waits for; ours may be idle for hours, as in a notebook."""
        while not self._closed.wait(_LOOK_ROUND_S):
            if self._places is not None and self._places.wanted:
                with self._lock:
                    for held in [*self._held]:
                        if not held.busy and held.place is not None and not held.beside:
                            self._end(held)

    def _give_back(self, held: _Held, *, whole: bool) -> None:
        """Take an engine back; one whose user was stopped in the middle may still owe an answer, and is ended."""
        with self._lock:
            held.busy = False
            if self._interrupted or not whole:
                self._end(held)
            else:
                self._note(held)

    @contextmanager
    def engine(self, variant: Variant, *, beside: bool = False) -> Iterator[Transcriber]:
        """An engine of this variant for the caller alone; `beside` others that stay, and uncounted."""
        held = self._take(variant, beside=beside)
        try:
            yield held.transcriber
        except BaseException:
            self._give_back(held, whole=False)
            raise
        self._give_back(held, whole=True)

    def _decode(self, variant: Variant, shard: Sequence[Utterance], deliver: Deliver) -> list[Hypothesis]:
        rows = []
        with self.engine(variant) as transcriber:
            self.compare(variant, transcriber.identity())
            for row in transcriber.transcribe(shard):
                rows.append(row)
                deliver(row)
        return rows

    def compare(self, variant: Variant, found: Identity) -> None:
        """Refuse what is another engine than the run began with: it must not decode a part.

        ReplacedFileError where its files became others, TranscriberError for a device of another kind.
        """
        with self._lock:
            known = self._known.setdefault(variant.name, _Known())
            if known.identity is not None and found.fingerprint != known.identity.fingerprint:
                replaced = difference(known.identity, found) if known.identity.files != found.files else ""
                if replaced:
                    raise ReplacedFileError(replaced)
                raise TranscriberError(_two_engines(known.identity, found))
            known.identity = known.identity or found

    def submit(self, variant: Variant, shard: Sequence[Utterance], deliver: Deliver) -> Future[list[Hypothesis]]:
        """Decode a shard in a thread of its own."""
        with self._lock:
            self._interrupted = False
            if self._threads is None:
                self._threads = ThreadPoolExecutor(self.workers, thread_name_prefix="asrgate-shard")
            return self._threads.submit(self._decode, variant, shard, deliver)

    def single(self, variant: Variant, *, beside: bool = False) -> Transcriber:
        """One engine of the variant, in the caller's thread."""
        return _Single(self, variant, beside=beside)

    def identity(self, variant: Variant) -> Identity:
        """From files where these tell, else from an engine that is started for it."""
        known = self._known.setdefault(variant.name, _Known())
        if known.identity is None:
            found = self._open(variant, 0)
            if found.loads_to_identify:
                with self.engine(variant) as engine:
                    known.identity = engine.identity()
            else:
                known.identity = found.identity()
        return known.identity

    def findings(self, variant: Variant) -> tuple[str, ...]:
        """Warnings of all engines of the variant, each once."""
        with self._lock:
            known = self._known.setdefault(variant.name, _Known())
            for held in self._held:
                if held.variant.name == variant.name:
                    known.findings |= dict.fromkeys(held.transcriber.findings())
            return tuple(known.findings)

    def check(self) -> None:
        """Threads of ours always come to an end."""

    def interrupt(self) -> None:
        """Kill the engines that decode, and wait for their threads, which is a matter of milliseconds."""
        with self._lock:
            self._interrupted = True
            busy = [held for held in self._held if held.busy]
        for held in busy:
            held.transcriber.interrupt()
        if self._threads is not None:
            self._threads.shutdown(wait=True, cancel_futures=True)
            self._threads = None
        self._interrupted = False

    def release(self, variant: Variant | None = None) -> None:
        """End idle engines."""
        with self._lock:
            for held in [*self._held]:
                if not held.busy and (variant is None or held.variant.name == variant.name):
                    self._end(held)

    def close(self) -> None:
        """End all threads and engines."""
        self.interrupt()
        self.release()
        self._closed.set()


def _two_engines(first: Identity, other: Identity) -> str:
    differs = sorted(
        f"{name} {first.provenance.get(name)!r} and {other.provenance.get(name)!r}"
        for name in {*first.provenance, *other.provenance}
        if first.provenance.get(name) != other.provenance.get(name)
    )
    return (
        f"two workers are two engines, whose outputs must not be mixed in one pair: "
        f"{'; '.join(differs) or 'their files differ'}; give executor.devices of one kind"
    )


class _Single(VariantEngine):
    """A transcriber that borrows one engine for each call; the engine stays for the next."""

    def __init__(self, execution: LocalExecution, variant: Variant, *, beside: bool) -> None:
        super().__init__(execution, variant)
        self._local = execution
        self._beside = beside

    def transcribe(self, utterances: Sequence[Utterance]) -> Iterator[Hypothesis]:
        with self._local.engine(self._variant, beside=self._beside) as transcriber:
            self._local.compare(self._variant, transcriber.identity())
            yield from transcriber.transcribe(utterances)
