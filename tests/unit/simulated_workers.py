"""A controller and workers of xdist without processes or clocks: the same messages, in simulated seconds."""

import heapq
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest
from xdist import scheduler

from pytest_asrgate.plugin.scheduling import GateScheduling

MODES = {
    "load": scheduler.LoadScheduling,
    "loadscope": scheduler.LoadScopeScheduling,
    "loadfile": scheduler.LoadFileScheduling,
    "loadgroup": scheduler.LoadGroupScheduling,
    "worksteal": scheduler.WorkStealingScheduling,
}

# More messages than any run of these tests needs; one that goes round in circles ends here, with workers alive.
_ENOUGH = 20_000


class _Config:
    """What xdist's schedulers ask of pytest's config."""

    def __init__(self, workers: int) -> None:
        self._values = {"tx": ["popen"] * workers, "maxschedchunk": None}
        self.option = SimpleNamespace(loadscopereorder=True)

    def getvalue(self, name: str) -> Any:
        return self._values[name]

    getoption = getvalue


class SimulatedWorker:
    """Begins an item only when it knows the next, as `xdist.remote` does; some items kill it."""

    def __init__(self, number: int, world: "World") -> None:
        self.gateway = SimpleNamespace(id=f"gw{number}")
        self.world = world
        self.shutting_down = False
        self.collected = False
        self.queue: deque[int | None] = deque()
        self.held: int | None = None
        self.busy = False
        self.dead = False
        self.ran: list[str] = []

    def _send(self) -> None:
        if self.dead:
            raise OSError("cannot send (already closed?)")

    def send_runtest_some(self, indices: Sequence[int]) -> None:
        self._send()
        self.queue += indices
        self.go_on()

    def send_steal(self, indices: Sequence[int]) -> None:
        self._send()
        stolen = list(indices) if set(indices) <= set(self.queue) else []
        self.queue = deque(place for place in self.queue if place not in stolen)
        self.world.later(0, lambda: self.world.sched.remove_pending_tests_from_node(self, stolen))

    def shutdown(self) -> None:
        self.shutting_down = True
        self.queue.append(None)
        self.go_on()

    def go_on(self) -> None:
        if self.busy or not self.queue or not self.collected:
            return
        if self.held is None:
            self.held = self.queue.popleft()
            if self.held is None:
                self.busy = True
                self.world.later(0, lambda: self.world.ended(self))
            else:
                self.go_on()
            return
        self.busy = True
        following, name = self.queue.popleft(), self.world.name(self.held)
        if name in self.world.kills_before:
            self.world.kills_before.remove(name)
            self.world.later(0, self.die)
            return
        if name:
            self.ran.append(name)
            self.world.started(name)
        seconds = self.world.seconds.get(name, 0.01 if name else 0.0)
        if self.world.kills(name):
            self.world.later(seconds, self.die)
        else:
            self.world.later(seconds, lambda: self.finish(following))

    def die(self) -> None:
        self.dead = True
        self.world.later(self.world.unnoticed, lambda: self.world.died(self))

    def finish(self, following: int | None) -> None:
        done, self.held, self.busy = self.held, None, False
        self.queue.appendleft(following)
        self.world.sched.mark_test_complete(self, done, 0.0)
        self.go_on()


@dataclass
class World:
    """Runs items to the end, as `xdist.dsession` does; one that hangs ends with workers alive, as `hung` says.

    `deadly` says how many times an item kills its worker, `kills_before` which find it killed before they begin;
    `seconds` how long items take. A death is `unnoticed` for so many seconds, and what is sent meanwhile fails.
    """

    ids: Sequence[str]
    mode: str
    units: Callable[[Sequence[str]], Sequence[Sequence[int]]] | None
    workers: int = 2
    seconds: Mapping[str, float] = field(default_factory=dict)
    deadly: Mapping[str, int] = field(default_factory=dict)
    restarts: int = 8
    kills_before: set[str] = field(default_factory=set)
    unnoticed: float = 0.0
    crashed: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.now, self._number = 0.0, 0
        self._events: list[tuple[float, int, Callable[[], None]]] = []
        self._left = Counter(self.deadly)
        self._failed = 0
        self._ending = False
        self.all: list[SimulatedWorker] = []
        self._alive: list[SimulatedWorker] = []
        self.times: dict[str, float] = {}
        inner = MODES[self.mode](_Config(self.workers))
        self.sched: Any = GateScheduling(inner, self.units, self.warnings.append) if self.units else inner

    def later(self, seconds: float, what: Callable[[], None]) -> None:
        self._number += 1
        heapq.heappush(self._events, (self.now + seconds, self._number, what))

    def name(self, place: int) -> str:
        return self.ids[place] if place < len(self.ids) else ""

    def started(self, name: str) -> None:
        self.times[name] = self.now
        if self.units:
            self.sched.start(name)

    def kills(self, name: str) -> bool:
        self._left[name] -= 1
        return self._left[name] >= 0

    def _found(self, worker: SimulatedWorker, ids: Sequence[str]) -> None:
        worker.collected = True
        worker.go_on()
        if self._ending:
            return
        self.sched.add_node_collection(worker, list(ids))
        if self.sched.collection_is_completed:
            self.sched.schedule()

    def _start(self) -> None:
        worker = SimulatedWorker(len(self.all), self)
        ids = self._different[len(self.all)] if len(self.all) < len(self._different) else self.ids
        self.all.append(worker)
        self._alive.append(worker)

        def ready() -> None:
            if self._ending:
                worker.shutdown()
            else:
                self.sched.add_node(worker)
            self.later(0.1, lambda: self._found(worker, ids))

        self.later(1.0, ready)

    def _end(self) -> None:
        if not self._ending:
            self._ending = True
            for worker in self.sched.nodes:
                worker.shutdown()

    def ended(self, worker: SimulatedWorker) -> None:
        if worker in self.sched.nodes:
            assert not self.sched.remove_node(worker)
        self._alive.remove(worker)

    def died(self, worker: SimulatedWorker) -> None:
        worker.shutting_down = True
        crashed = self.sched.remove_node(worker)
        if crashed:
            self.crashed.append(crashed)
        self._failed += 1
        if self._failed > self.restarts:
            self._end()
        else:
            self._ending = False
            self._start()
        self._alive.remove(worker)

    def run(self, found: Sequence[Sequence[str]] = ()) -> "World":
        """Run to the end; `found` gives the items that the first workers found, where they differ."""
        self._different = found
        for _ in range(self.workers):
            self._start()
        for _ in range(_ENOUGH):
            if not self._events or not self._alive:
                break
            self.now, _, event = heapq.heappop(self._events)
            event()
            if self.sched.tests_finished:
                self._end()
        return self

    @property
    def hung(self) -> bool:
        # Without workers, and with work left for all it knows, xdist fails.
        return bool(self._alive) or not self._ending

    @property
    def ran(self) -> Counter[str]:
        """How many times each item began."""
        return Counter(name for worker in self.all for name in worker.ran)

    def places(self, part: str) -> set[str]:
        """The workers that ran an item whose id has this part."""
        return {worker.gateway.id for worker in self.all if any(part in name for name in worker.ran)}


every_mode = pytest.mark.parametrize("mode", MODES)
