"""Engines that a worker keeps between shards."""

import threading
from pathlib import Path

import pytest

from pytest_asrgate.executors.places import Places
from pytest_asrgate.executors.pool import EngineKey, Pool
from pytest_asrgate.transcribers.protocol import Identity
from tests.unit.cluster_stand_ins import StandIn


class _Bench:
    """Starts stand-ins and remembers them."""

    def __init__(self) -> None:
        self.made: list[StandIn] = []

    def start(self) -> StandIn:
        self.made.append(StandIn(Identity("print", {})))
        return self.made[-1]


F32, Q8_0 = EngineKey("run", "f32"), EngineKey("run", "q8_0")


def _nothing() -> None:
    return None


def test_an_engine_stays_for_the_next_shard_of_its_variant() -> None:
    """Its model is loaded once."""
    pool, bench = Pool(), _Bench()
    for _ in range(3):
        with pool.engine(F32, 1, bench.start, _nothing):
            pass
    assert len(bench.made) == 1
    assert not bench.made[0].closed


@pytest.mark.parametrize(("slots", "ended"), [(1, True), (2, False)])
def test_an_engine_of_another_variant_is_ended_where_its_slot_is_needed(slots: int, ended: bool) -> None:
    """Never more engines than slots."""
    pool, bench = Pool(), _Bench()
    with pool.engine(F32, slots, bench.start, _nothing):
        pass
    with pool.engine(Q8_0, slots, bench.start, _nothing):
        assert bench.made[0].closed is ended
        assert len(pool) == slots


def test_a_later_generation_gets_a_fresh_engine() -> None:
    """Who closed an engine to start anew does not get the old one."""
    pool, bench = Pool(), _Bench()
    for generation in (0, 1):
        with pool.engine(EngineKey("run", "f32", generation), 1, bench.start, _nothing):
            pass
    assert [engine.closed for engine in bench.made] == [True, False]


def test_release_ends_idle_engines_of_earlier_generations_only() -> None:
    """Another run's engine, a newer one and one at work stay."""
    pool, bench = Pool(), _Bench()
    for key in (F32, EngineKey("other run", "f32"), EngineKey("run", "f32", 2)):
        with pool.engine(key, 9, bench.start, _nothing):
            pass
    with pool.engine(Q8_0, 9, bench.start, _nothing):
        pool.release("run", {"f32": 1, "q8_0": 1})
        assert [engine.closed for engine in bench.made] == [True, False, False, False]


def test_an_engine_whose_user_failed_is_ended_and_gives_its_place_back(tmp_path: Path) -> None:
    """Nobody knows what state it is in."""
    pool, bench, places = Pool(), _Bench(), Places(tmp_path, 1)

    def use() -> None:
        with pool.engine(F32, 1, bench.start, places.try_take):
            assert places.try_take() is None
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        use()
    assert bench.made[0].closed
    assert places.try_take() is not None
    assert len(pool) == 0


def test_an_engine_that_does_not_start_leaves_its_slot() -> None:
    """The next one finds room."""

    def fail() -> StandIn:
        raise ZeroDivisionError

    pool = Pool()
    with pytest.raises(ZeroDivisionError), pool.engine(F32, 1, fail, _nothing):
        pass
    assert len(pool) == 0


def test_an_engine_that_nobody_asks_for_any_more_is_ended() -> None:
    """A controller that was killed tells nobody."""
    closed = threading.Event()

    class Seen(StandIn):
        def close(self) -> None:
            closed.set()

    pool = Pool(idle_s=0.05)
    with pool.engine(F32, 1, lambda: Seen(Identity("print", {})), _nothing):
        pass
    assert closed.wait(30)
