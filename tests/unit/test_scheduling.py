"""Who runs what under xdist, with xdist's own schedulers inside and simulated workers outside."""

from collections.abc import Sequence

import pytest

from pytest_asrgate.plugin.nodeids import gate_units
from tests.unit.simulated_workers import SimulatedWorker, World, every_mode

DATASETS = ("prompts", "digits", "noise")


def _pairs(*variants: str, datasets: Sequence[str] = DATASETS) -> list[str]:
    return [f"gate.toml::{variant}::{dataset}" for variant in variants for dataset in datasets]


def _units(ids: Sequence[str]) -> list[list[int]]:
    pairs = {name: (name.split("::")[1], name.split("::")[2].split("@")[0]) for name in ids if "gate.toml" in name}
    return gate_units(ids, pairs, {"f32"})


TESTS = [f"test_{file}.py::Test{group}::test_{n}" for file in "ab" for group in "CD" for n in range(4)]
GATE = _pairs("q8_0", "f32", "q4_0", "q5_0")
MIXED = [*TESTS[:9], *GATE, *TESTS[9:]]


@every_mode
@pytest.mark.parametrize("workers", [1, 2, 3, 9])
@pytest.mark.parametrize("ids", [GATE, MIXED, [*GATE, TESTS[0]]], ids=["gate", "mixed", "one other"])
def test_every_item_runs_once_and_variants_stay_together(mode: str, workers: int, ids: list[str]) -> None:
    """In every mode, with few and many workers, each item runs once and each variant on one worker."""
    world = World(ids, mode, _units, workers, dict.fromkeys(GATE, 1.0)).run()
    assert not world.hung
    assert world.ran == dict.fromkeys(ids, 1)
    for variant in ("f32", "q8_0", "q4_0", "q5_0"):
        assert len(world.places(f"::{variant}::")) == 1
    assert len(world.places("gate.toml")) == min(workers, 4)


@every_mode
def test_without_a_gate_xdist_decides_everything(mode: str) -> None:
    """A run without items of the gate is the same, worker by worker, as under xdist's own scheduler."""
    seconds = dict.fromkeys(TESTS[:3], 0.3)
    plain = World(TESTS, mode, None, 3, seconds).run()
    ours = World(TESTS, mode, _units, 3, seconds).run()
    assert [worker.ran for worker in ours.all] == [worker.ran for worker in plain.all]
    assert ours.ran == dict.fromkeys(TESTS, 1)


@every_mode
@pytest.mark.parametrize("slow", [TESTS[:1], TESTS[8:]], ids=["one slow", "half slow"])
def test_other_tests_are_spread_as_xdist_would(mode: str, slow: list[str]) -> None:
    """Beside a gate, the other tests go to the workers that they would go to without one."""
    seconds = dict.fromkeys(slow, 3.0)
    plain = World(TESTS, mode, None, 2, seconds).run()
    ours = World([*GATE, *TESTS], mode, _units, 2, seconds).run()
    others = [[name for name in worker.ran if name in TESTS] for worker in ours.all]
    assert others == [worker.ran for worker in plain.all]


def test_groups_and_scopes_of_others_stay_together() -> None:
    """Beside a gate, classes stay on one worker under loadscope, files under loadfile, groups under loadgroup."""
    scope = World(MIXED, "loadscope", _units, 3).run()
    assert all(len(scope.places(f"test_{f}.py::Test{g}")) == 1 for f in "ab" for g in "CD")
    file = World(MIXED, "loadfile", _units, 3).run()
    assert all(len(file.places(f"test_{f}.py")) == 1 for f in "ab")
    named = [f"{name}@{'one' if n % 2 else 'two'}" for n, name in enumerate(TESTS)]
    group = World([*named, *GATE], "loadgroup", _units, 3).run()
    assert len(group.places("@one")) == len(group.places("@two")) == 1


def test_a_group_with_items_of_the_gate_is_one_unit() -> None:
    """Who puts pairs and tests into one xdist group, as for the only GPU, gets them one after another."""
    ids = [f"{name}@gpu" for name in GATE] + [f"{TESTS[0]}@gpu", *TESTS[1:]]
    world = World(ids, "loadgroup", _units, 3).run()
    assert world.ran == dict.fromkeys(ids, 1)
    assert len(world.places("@gpu")) == 1


def test_baselines_begin_first() -> None:
    """A variant that others are compared with begins before them, wherever the gate file names it."""
    world = World(_pairs("q8_0", "q4_0", "f32"), "load", _units).run()
    first = sorted(world.times, key=lambda name: world.times[name])[:2]
    assert any("f32" in name for name in first)


@every_mode
def test_no_unit_waits_behind_a_long_one(mode: str) -> None:
    """While one variant takes an hour, the other worker does all others; none is parked behind the long one."""
    ids = [*TESTS, *_pairs("f32", "q8_0", "q5_0", "q4_1", "q4_0", datasets=["prompts"])]
    seconds = {name: 10.0 for name in ids if "gate" in name} | {"gate.toml::f32::prompts": 3600.0}
    world = World(ids, mode, _units, 2, seconds).run()
    assert world.ran == dict.fromkeys(ids, 1)
    assert max(start for name, start in world.times.items() if "f32" not in name) < 60


@every_mode
@pytest.mark.parametrize("times", [1, 99], ids=["once", "each time"])
def test_a_deadly_pair_costs_itself_only(mode: str, times: int) -> None:
    """A pair that kills its worker is reported once and not run again; every other item runs once."""
    deadly = {GATE[0]: times, GATE[4]: times, GATE[11]: times}
    for ids in (GATE, MIXED):
        world = World(ids, mode, _units, deadly=deadly).run()
        assert not world.hung
        assert sorted(world.crashed) == sorted(deadly)
        assert world.ran == dict.fromkeys(ids, 1)
        assert world.sched.left == []


@every_mode
@pytest.mark.parametrize("times", [1, 99], ids=["once", "each time"])
def test_a_deadly_test_of_others_costs_itself_only(mode: str, times: int) -> None:
    """Nor does somebody else's test that kills its worker cost the gate anything, or hang the run."""
    deadly = {TESTS[0]: times, TESTS[6]: times, TESTS[15]: times}
    world = World(MIXED, mode, _units, deadly=deadly).run()
    assert not world.hung
    assert sorted(world.crashed) == sorted(deadly)
    assert world.ran == dict.fromkeys(MIXED, 1)


@every_mode
@pytest.mark.parametrize("unnoticed", [0.005, 0.5])
def test_what_is_sent_to_a_worker_that_is_dead_already_is_not_lost(mode: str, unnoticed: float) -> None:
    """Its pipe breaks before its death is noticed; that neither ends the run nor costs another item."""
    deadly = {GATE[0]: 1, GATE[4]: 1, TESTS[2]: 1, TESTS[9]: 1}
    seconds = {name: 0.02 * (number % 3) for number, name in enumerate(MIXED)}
    for ids in (GATE, MIXED):
        world = World(ids, mode, _units, 3, seconds, deadly=deadly, unnoticed=unnoticed).run()
        assert not world.hung
        assert sorted(world.crashed) == sorted(set(deadly) & set(ids))
        assert world.ran == dict.fromkeys(ids, 1)
        assert world.sched.left == []


def test_what_a_dead_worker_had_left_goes_to_one_that_is_free() -> None:
    """The datasets that a dead worker had not begun run on the other worker, which waits until then."""
    ids = _pairs("f32", "q8_0")
    seconds = dict.fromkeys(ids[3:], 100.0)
    world = World(ids, "load", _units, 2, seconds, deadly={ids[3]: 1}).run()
    assert world.all[0].ran == [*ids[:3], *ids[4:]]


@every_mode
def test_enough_is_enough(mode: str) -> None:
    """At the cap the run ends, each deadly item was tried once, and what was not run is known."""
    ids = _pairs("f32", "q8_0", "q4_0", "q5_0")
    world = World(ids, mode, _units, deadly=dict.fromkeys(ids, 99), restarts=3).run()
    assert not world.hung
    assert len(world.crashed) >= 4
    assert set(world.ran.values()) == {1}
    assert sorted([*world.crashed, *world.sched.left]) == sorted(ids)


@every_mode
def test_a_worker_that_dies_between_two_items_costs_neither(mode: str) -> None:
    """A pair that had not begun when its worker died is no victim: it runs on another worker."""
    world = World(MIXED, mode, _units, kills_before={GATE[0], GATE[1], GATE[5], GATE[9]}).run()
    assert not world.hung
    assert world.crashed == []
    assert world.ran == dict.fromkeys(MIXED, 1)


def test_a_worker_that_dies_idle_costs_nothing() -> None:
    """A worker that waits for work with the idle item in its hand dies without a victim."""
    world = World(GATE, "load", _units, seconds={GATE[0]: 50.0})
    # Everything but q8_0 is done by then.
    world.later(20.0, lambda: world.died(next(each for each in world.all if not each.busy)))
    world.run()
    assert not world.hung
    assert world.crashed == []
    assert world.ran == dict.fromkeys(GATE, 1)


@pytest.mark.parametrize("ids", [GATE, MIXED], ids=["gate", "mixed"])
def test_workers_that_found_different_items_run_none(ids: list[str]) -> None:
    """Places would mean different items on different workers, so the run ends and says what differs."""
    world = World(ids, "load", _units).run([ids, ids[:-1]])
    assert not world.hung
    assert not world.ran
    assert world.warnings == [f"xdist's worker gw1 found other items than the first one: {ids[-1]}"]
    assert world.sched.left == [name for name in ids if "gate.toml" in name]


def test_a_worker_that_comes_later_must_find_the_same() -> None:
    """A worker that was started for a dead one and finds other items gets none; the others do the rest."""
    ids = _pairs("f32", "q8_0", datasets=[f"part{number}" for number in range(30)])
    world = World(ids, "load", _units, 2, dict.fromkeys(ids, 0.07), {ids[3]: 1}).run([ids, ids, ids[1:]])
    assert not world.hung
    assert world.ran == dict.fromkeys(ids, 1)
    assert world.all[2].ran == []
    assert world.warnings == [f"xdist's worker gw2 found other items than the first one: {ids[0]}"]


def test_no_worker_is_left_that_found_the_same() -> None:
    """Where that was the only worker, the run ends, and what was not run is known."""
    world = World(GATE, "load", _units, 1, deadly={GATE[3]: 1}).run([GATE, GATE[1:]])
    assert not world.hung
    assert list(world.ran) == world.crashed == [GATE[3]]
    assert world.sched.left == [name for name in GATE if name != GATE[3]]


@pytest.mark.parametrize("dead", [f"{TESTS[0]}@gpu", TESTS[5]], ids=["in the gate's group", "beside the gate"])
def test_other_plugins_may_run_others_again(dead: str) -> None:
    """A test that killed its worker runs again where a plugin that repeats failures asks for it."""
    ids = [f"{name}@gpu" for name in GATE] + [f"{TESTS[0]}@gpu", *TESTS[1:]]
    world = World(ids, "load", _units, deadly={dead: 1})
    died, again = world.died, []

    def repeat(worker: SimulatedWorker) -> None:
        died(worker)
        if world.crashed and not again:
            again.append(world.crashed[-1])
            world.sched.mark_test_pending(world.crashed[-1])

    world.died = repeat
    world.run()
    assert not world.hung
    assert again == [dead]
    assert world.ran == {**dict.fromkeys(ids, 1), dead: 2}
