"""Claims about what goes into a store: it comes back as it went in, or is refused at once."""

import math
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_asrgate.errors import StoreError
from pytest_asrgate.records import Hypothesis
from pytest_asrgate.store import EngineRecord, Store

ROW = Hypothesis("u", "a text", latency_ms=7.5, audio_s=1.25)
TIMES = ["mel_ms", "encode_ms", "decode_ms", "latency_ms", "audio_s"]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """An open store."""
    return Store(tmp_path / "store.sqlite")


@pytest.mark.parametrize("name", TIMES)
@pytest.mark.parametrize("value", [-0.0, 0, 5e-324, 1.7976931348623157e308, 2**53 + 1])
def test_every_finite_time_comes_back(store: Store, name: str, value: float) -> None:
    """Also zero with a sign, which the database gives back without: its row would be decoded again for ever."""
    row = replace(ROW, **{name: value})  # type: ignore[arg-type] # a name of TIMES
    store.keep("audio", "engine", "recipe", row)
    found = store.find("audio", "engine", "recipe", "u")
    assert found is not None
    assert getattr(found, name) == float(value)


@pytest.mark.parametrize("name", TIMES)
@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_no_other_number_goes_in(store: Store, name: str, value: float) -> None:
    """What the database would give back as NULL, and no seal would fit."""
    with pytest.raises(ValueError, match="hypothesis of 'u' cannot be kept: one of its times is not finite"):
        store.keep("audio", "engine", "recipe", replace(ROW, **{name: value}))  # type: ignore[arg-type] # as above
    assert store.find("audio", "engine", "recipe", "u") is None


@pytest.mark.parametrize("name", ["text", "raw_text", "detail"])
def test_half_a_surrogate_pair_is_one_sentence(store: Store, name: str) -> None:
    """The database keeps UTF-8 only; a whole character from beyond the first plane is none of this."""
    store.keep("whole", "engine", "recipe", replace(ROW, **{name: "a\U0001f600b\0c"}))  # type: ignore[arg-type] # as above
    found = store.find("whole", "engine", "recipe", "u")
    assert found is not None
    assert getattr(found, name) == "a\U0001f600b\0c"
    with pytest.raises(StoreError, match="hypothesis of 'u' cannot be kept: its text has half of a surrogate pair"):
        store.keep("half", "engine", "recipe", replace(ROW, **{name: "a\ud800b"}))  # type: ignore[arg-type] # as above


@pytest.mark.parametrize(
    "damage",
    ["seed = '2'", "seed = x'ff'", "digest = replace(digest, 'abc', 'abd')", "digest = 'x'", "digest = ''"],
)
def test_a_damaged_order_is_an_error(store: Store, damage: str) -> None:
    """Never another seed, and never an order that was not fixed."""
    digest = "abc0" * 8
    assert store.fix_order("key", "1", digest) == ("1", digest)
    assert store.fix_order("key", "2", "") == ("1", digest)
    store._connection.execute(f"UPDATE early_orders SET {damage}")  # noqa: S608 - from the list above
    with pytest.raises(StoreError, match="was begun with are damaged"):
        store.fix_order("key", "1", digest)


def test_an_order_of_before_there_were_seals_holds(store: Store) -> None:
    """As it was kept."""
    store._connection.execute("INSERT INTO early_orders VALUES ('key', '-1', ?)", ("0f" * 16,))
    assert store.fix_order("key", "3", "other") == ("-1", "0f" * 16)


def test_an_order_of_another_key_is_damaged(store: Store) -> None:
    """A row whose key changed is not the order of whatever evidence has that key."""
    store.fix_order("key", "1", "abc0" * 8)
    store._connection.execute("UPDATE early_orders SET key = 'yek'")
    with pytest.raises(StoreError, match="damaged"):
        store.fix_order("yek", "1", "abc0" * 8)


def test_what_nobody_can_write_is_forgotten(store: Store) -> None:
    """Where nothing can be written, only a hypothesis is refused: a verdict needs nothing else to be kept."""
    store.keep("audio", "engine", "recipe", ROW)
    store.add_findings("engine", "dataset", ["an old warning"])
    store._database.read_only = "its folder cannot be written to"
    store.keep_engine("engine", EngineRecord({"engine": "x"}, (), 1.0))
    store.keep_latency("key", "{}")
    store.keep_repeats("key", "{}")
    assert store.add_findings("engine", "dataset", ["a new one"]) == ("an old warning", "a new one")
    assert store.find_engine("engine") is None
    assert store.find_latency("key") is store.find_repeats("key") is None
    assert store.find_findings("engine", "dataset") == ("an old warning",)
    assert store.fix_order("key", "1", "digest") == ("1", "digest")
    (note,) = store.take_notes()
    assert "seed and order of this early run are not kept" in note
    with pytest.raises(StoreError, match="its folder cannot be written to"):
        store.keep("other", "engine", "recipe", ROW)


def test_a_reader_sees_what_another_wrote_after_a_removal(store: Store) -> None:
    """Whoever only looks things up goes on with the store that is at the place now."""
    store.keep("1", "engine", "recipe", ROW)
    with Store(store.path) as reader:
        assert reader.find("1", "engine", "recipe", "u") == ROW
        for path in store.path.parent.glob("store.sqlite*"):
            path.unlink()
        store.keep("2", "engine", "recipe", ROW)
        assert len(reader.find_all("engine", [(name, "recipe", name) for name in "12"])) == 2
