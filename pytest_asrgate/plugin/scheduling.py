"""Which xdist worker runs what: a variant's items stay together, other tests go as the mode asked for says.

A worker of xdist begins an item only once it knows what follows it. A unit of the gate (a variant's items) is
therefore followed by the idle item, which does nothing: so the last item of a unit need not wait for another unit,
and no unit waits behind a long one while another worker is free. The other tests come first, from the scheduler
that xdist itself made, which takes our `Worker` for a node of its own; a worker that this one has no more tests for
gets the units.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Protocol

__all__ = ["GateScheduling", "Node", "Units", "Worker"]

# From node ids, in the order of the run, to the units of the gate, each as places in that order.
Units = Callable[[Sequence[str]], Sequence[Sequence[int]]]


class Node(Protocol):
    """What we need of xdist's WorkerController, which has no types."""

    @property
    def gateway(self) -> Any:
        """Has the worker's id."""

    @property
    def shutting_down(self) -> bool:
        """Whether the worker takes no more items."""

    def send_runtest_some(self, indices: Sequence[int]) -> None:
        """Put items behind those that the worker has."""

    def send_steal(self, indices: Sequence[int]) -> None:
        """Ask for items back that the worker has not begun."""

    def shutdown(self) -> None:
        """Let the worker end behind the items that it has."""


class Worker:
    """One worker: what it was sent and has not finished; to xdist's scheduler it looks like a node.

    That scheduler knows the other tests alone and counts them from 0, so numbers are translated on their way. What
    is sent to a worker whose death was not noticed yet is known to be its own, and is given to others then.
    """

    def __init__(self, node: Node, scheduling: GateScheduling) -> None:
        self.node = node
        self._scheduling = scheduling
        # Places of what was sent, the first of which may run.
        self.sent: list[int] = []
        # Of the unit that the worker has, what was not sent yet.
        self.unit: deque[int] = deque()
        # Whether it gets no more of the other tests.
        self.dismissed = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self.node, name)

    @property
    def shutting_down(self) -> bool:
        """Whether the worker takes no more of the other tests."""
        return self.dismissed or self.node.shutting_down

    def give(self, places: Sequence[int]) -> None:
        """Send items, by their places in the whole run."""
        self.sent += places
        # xdist itself ends the whole run over a broken pipe.
        with suppress(OSError):
            self.node.send_runtest_some(list(places))

    def send_runtest_some(self, indices: Sequence[int]) -> None:
        """Send some of the other tests."""
        self._scheduling.send_others(self, indices)

    def send_steal(self, indices: Sequence[int]) -> None:
        """Ask for some of the other tests back."""
        with suppress(OSError):
            self.node.send_steal(self._scheduling.places(indices))

    def shutdown(self) -> None:
        """Take note that there are no other tests for this worker; without a gate that is the end of it."""
        self.dismissed = True
        if not self._scheduling.has_gate:
            self.node.shutdown()


class GateScheduling:
    """A scheduler of xdist: gives out units of the gate, and has `others` give out everything else.

    `others` is the scheduler that xdist made for the mode that was asked for; where the run turns out to have no
    item of the gate, it decides everything. `units` finds the gate's items; `warn` is told why nothing can be run.
    """

    def __init__(self, others: Any, units: Units, warn: Callable[[str], None]) -> None:
        self._others = others
        self._find_units = units
        self._warn = warn
        self._workers: dict[Node, Worker] = {}
        self._ids: list[str] | None = None
        self._registered: dict[Node, list[str]] = {}
        # Of the other tests: their places, and the number that xdist's scheduler knows each place by.
        self._other_places: list[int] = []
        self._numbers: Mapping[int, int] = {}
        self._units: deque[deque[int]] = deque()
        self._gate: frozenset[int] = frozenset()
        self._begun = False
        self._given_up = False
        self._started: set[str] = set()
        self._finished: set[int] = set()
        # Items that their worker died with: never sent again, whatever xdist's scheduler thinks.
        self._died_with: set[int] = set()
        self._not_sent: list[tuple[Worker, int]] = []
        self._ask_again = False

    def __getattr__(self, name: str) -> Any:
        # Other plugins ask a scheduler for its config and the like.
        return getattr(vars(self)["_others"], name)

    # What xdist asks

    @property
    def has_gate(self) -> bool:
        """Whether this run has items of the gate."""
        return bool(self._gate)

    @property
    def nodes(self) -> list[Node]:
        """The workers that live."""
        return list(self._workers)

    @property
    def collection_is_completed(self) -> bool:
        """Whether every worker of the start has said what it found."""
        return bool(self._others.collection_is_completed)

    @property
    def tests_finished(self) -> bool:
        """Whether nothing is left to do; xdist then ends the workers."""
        if not self.has_gate or self._given_up:
            return self._given_up or bool(self._others.tests_finished)
        if not self._begun or self._units or not self._others.tests_finished:
            return False
        return not any(worker.unit or self._real(worker.sent) for worker in self._workers.values())

    @property
    def has_pending(self) -> bool:
        """Whether the work was begun and is not done."""
        return bool(self._others.has_pending) or (self._begun and not self.tests_finished)

    def add_node(self, node: Node) -> None:
        """Take a worker in that has just started."""
        worker = self._workers[node] = Worker(node, self)
        if not self._begun or not self.has_gate:
            self._others.add_node(worker)

    def add_node_collection(self, node: Node, collection: Sequence[str]) -> None:
        """Take note of the items that a worker found, all workers the same."""
        ids = list(collection)
        worker = self._workers[node]
        if self._ids is None:
            self._take(ids)
        if self._begun and self.has_gate and ids != self._ids:
            self._refuse(node, ids)
            node.shutdown()
            # With no other worker left xdist would fail for want of one.
            self._given_up = not self._registered
            return
        self._registered[node] = ids
        if not self._begun:
            ours = {place for unit in self._find_units(ids) for place in unit}
            self._others.add_node_collection(worker, [name for n, name in enumerate(ids) if n not in ours])
        elif not self.has_gate:
            self._others.add_node_collection(worker, ids)
        elif self._other_places:
            # Only now: the grouping modes would send it tests at once, and fail where its items are not known.
            self._others.add_node(worker)
            self._others.add_node_collection(worker, self._named(self._other_places))
        else:
            worker.dismissed = True

    def schedule(self) -> None:
        """Begin, or give a worker that came later its share."""
        if self._begun:
            if self._other_places:
                self._others.schedule()
        elif self._all_found_the_same():
            self._begun = True
            self._others.schedule()
        else:
            self._given_up = True
        self._balance()

    def mark_test_complete(self, node: Node, item_index: int, duration: float = 0) -> None:
        """Take note that a worker has finished an item."""
        worker = self._workers[node]
        worker.sent.remove(item_index)
        self._finished.add(item_index)
        if item_index in self._numbers:
            self._others.mark_test_complete(worker, self._numbers[item_index], duration)
        self._balance()

    def mark_test_pending(self, item: str) -> None:
        """Run an item again; other plugins ask for that, and never for a pair of the gate."""
        place = (self._ids or []).index(item)
        if place in self._gate:
            self._finished.discard(place)
            self._units.appendleft(deque([place]))
        else:
            self._died_with.discard(place)
            self._others.mark_test_pending(item)
        self._balance()

    def remove_pending_tests_from_node(self, node: Node, indices: Sequence[int]) -> None:
        """Take note of what a worker gave back when it was asked to."""
        worker = self._workers[node]
        returned = set(indices)
        worker.sent = [place for place in worker.sent if place not in returned]
        numbers = [self._numbers[place] for place in indices]
        self._others.remove_pending_tests_from_node(worker, numbers)
        self._balance()

    def remove_node(self, node: Node) -> str | None:
        """Take a worker out that ended or died; returns the id of the item that it died with, if any.

        What it had not begun of its unit goes to the next worker that is free. KeyError for an unknown worker.
        """
        worker = self._workers.pop(node)
        self._registered.pop(node, None)
        running = worker.sent[0] if worker.sent else None
        if self.has_gate and running is not None and running in self._numbers:
            self._died_with.add(running)
        died_with: str | None = None
        if worker in self._others.nodes:
            died_with = self._others.remove_node(worker)
        left = deque(place for place in [*worker.sent, *worker.unit] if place in self._gate)
        if self._ids is not None and running is not None and running in self._gate:
            # A worker may also die between two items, and that costs neither of them anything.
            died_with = self._ids[running] if self._ids[running] in self._started else None
            if died_with is not None:
                left.popleft()
                self._finished.add(running)
        if left:
            self._units.appendleft(left)
        self._balance()
        return died_with

    # What our own hooks tell and ask

    def start(self, nodeid: str) -> None:
        """Take note that an item has really begun."""
        self._started.add(nodeid)

    @property
    def left(self) -> list[str]:
        """The gate's items that were neither finished nor died with."""
        return self._named(sorted(self._gate - self._finished))

    # What a Worker asks

    def places(self, numbers: Sequence[int]) -> list[int]:
        """Where those of the other tests stand in the whole run."""
        return [self._other_places[number] for number in numbers]

    def send_others(self, worker: Worker, numbers: Sequence[int]) -> None:
        """Send some of the other tests, but none that a worker died with.

        The grouping modes would send that one again, and also a group of which nothing is left, and then wait.
        """
        kept = []
        for number, place in zip(numbers, self.places(numbers), strict=True):
            if place in self._died_with:
                self._not_sent.append((worker, number))
            else:
                kept.append(place)
        if kept:
            worker.give(kept)
        else:
            self._ask_again = self.has_gate

    # The work itself

    def _named(self, places: Sequence[int]) -> list[str]:
        return [self._ids[place] for place in places] if self._ids is not None else []

    def _take(self, ids: list[str]) -> None:
        self._ids = ids
        units = self._find_units(ids)
        self._units = deque(deque(unit) for unit in units)
        self._gate = frozenset(place for unit in units for place in unit)
        self._other_places = [place for place in range(len(ids)) if place not in self._gate]
        self._numbers = {place: number for number, place in enumerate(self._other_places)}

    def _refuse(self, node: Node, ids: Sequence[str]) -> None:
        first, other = set(self._ids or ()), set(ids)
        what = ", ".join(sorted(first ^ other)[:5]) or "the same in another order"
        self._warn(f"xdist's worker {node.gateway.id} found other items than the first one: {what}")

    def _all_found_the_same(self) -> bool:
        """Places mean nothing where workers found different items; without a gate xdist looks itself."""
        found = {node: ids for node, ids in self._registered.items() if ids != self._ids}
        if not found or not (self.has_gate or any(self._find_units(ids) for ids in found.values())):
            return True
        for node, ids in found.items():
            self._refuse(node, ids)
        return False

    @property
    def _idle(self) -> int:
        """The place of the idle item, which every worker has behind all others."""
        return len(self._ids or ())

    def _real(self, places: Sequence[int]) -> bool:
        return any(place != self._idle for place in places)

    def _settle(self) -> None:
        """Tell xdist's scheduler of tests that were not sent, until it has nothing more to say."""
        while self._not_sent or self._ask_again:
            self._ask_again = False
            if self._not_sent:
                worker, number = self._not_sent.pop()
                if worker.node in self._workers:
                    self._others.mark_test_complete(worker, number)
            else:
                self._others.schedule()

    def _balance(self) -> None:
        """Give every worker that is done with the other tests what it needs to go on."""
        if not self.has_gate or not self._begun:
            return
        self._settle()
        if self._others.tests_finished:
            # Where xdist would end the workers, so that each runs the last test that it has.
            for worker in self._workers.values():
                worker.dismissed = True
        for worker in self._workers.values():
            # One that has not said what it found may turn out to have found something else.
            if worker.dismissed and worker.node in self._registered and not worker.node.shutting_down:
                self._feed(worker)

    def _feed(self, worker: Worker) -> None:
        while len(worker.sent) < 2:
            if worker.unit:
                worker.give([worker.unit.popleft()])
            elif self._real(worker.sent):
                worker.give([self._idle])
            elif self._units:
                worker.unit = self._units.popleft()
            else:
                return
