"""Claims about the store: nothing finished is lost, and whatever cannot be used is one sentence."""

import os
import signal
import sqlite3
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_asrgate.errors import StoreError
from pytest_asrgate.records import Hypothesis, RowStatus
from pytest_asrgate.store import EngineRecord, Store

FULL = Hypothesis(
    id="u1",
    text="naïve 東京",
    status=RowStatus.TRUNCATED,
    detail="output truncated: 448 tokens",
    raw_text=" Naïve 東京",
    mel_ms=1.5,
    encode_ms=2.5,
    decode_ms=3.5,
    latency_ms=7.5,
    audio_s=1.25,
)

WRITER = """
import sys, time
from pathlib import Path
from pytest_asrgate.records import Hypothesis
from pytest_asrgate.store import Store
store = Store(Path(sys.argv[1]))
for number in range(100_000):
    store.keep(f"audio{number}", "engine", "recipe", Hypothesis("u", f"text {number}"))
    print(number, flush=True)
"""


def test_a_kept_row_is_found_in_full(tmp_path: Path) -> None:
    """Every field survives, and the id is that of the asker, since content and not ids are kept."""
    with Store(tmp_path / "deep" / "store.sqlite") as store:
        store.keep("audio", "engine", "recipe", FULL)
        assert store.find("audio", "engine", "recipe", "other") == replace(FULL, id="other")


@pytest.mark.parametrize("key", [("x", "engine", "recipe"), ("audio", "x", "recipe"), ("audio", "engine", "x")])
def test_another_key_finds_nothing(tmp_path: Path, key: tuple[str, str, str]) -> None:
    """Audio, engine and recipe must all be the same."""
    with Store(tmp_path / "store.sqlite") as store:
        store.keep("audio", "engine", "recipe", FULL)
        assert store.find(*key, "u1") is None


def test_rows_survive_the_process(tmp_path: Path) -> None:
    """A closed store has its rows when it is opened again."""
    path = tmp_path / "store.sqlite"
    with Store(path) as store:
        store.keep("audio", "engine", "recipe", FULL)
    with Store(path) as store:
        assert store.find("audio", "engine", "recipe", "u1") == FULL


def test_the_first_of_two_rows_stays(tmp_path: Path) -> None:
    """Finished work is never overwritten."""
    with Store(tmp_path / "store.sqlite") as store:
        store.keep("audio", "engine", "recipe", Hypothesis("u1", "first"))
        store.keep("audio", "engine", "recipe", Hypothesis("u1", "second"))
        found = store.find("audio", "engine", "recipe", "u1")
    assert found is not None
    assert found.text == "first"


def test_error_rows_are_refused(tmp_path: Path) -> None:
    """A crash is no finished work: it is not kept, and so will be tried again."""
    with Store(tmp_path / "store.sqlite") as store:
        with pytest.raises(ValueError, match="not finished"):
            store.keep("audio", "engine", "recipe", Hypothesis("u1", "", RowStatus.ERROR))
        assert store.find("audio", "engine", "recipe", "u1") is None


def test_two_connections_see_each_other(tmp_path: Path) -> None:
    """What one open store keeps, another finds at once, both ways."""
    path = tmp_path / "store.sqlite"
    with Store(path) as left, Store(path) as right:
        left.keep("a", "engine", "recipe", FULL)
        right.keep("b", "engine", "recipe", FULL)
        assert right.find("a", "engine", "recipe", "u1") == FULL
        assert left.find("b", "engine", "recipe", "u1") == FULL


def test_a_new_store_waits_for_another_opener(tmp_path: Path) -> None:
    """Two processes that open a store for the first time at once both get it: the second waits for the lock."""
    path = tmp_path / "store.sqlite"
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    other.execute("CREATE TABLE text_versions (place INTEGER PRIMARY KEY, tag BLOB NOT NULL UNIQUE)")
    timer = threading.Timer(0.3, lambda: other.execute("COMMIT"))
    timer.start()
    try:
        with Store(path) as store:
            store.keep("a", "engine", "recipe", FULL)
            assert store.find("a", "engine", "recipe", "u1") == FULL
    finally:
        timer.join()
        other.close()


def test_many_first_openers_all_get_the_store(tmp_path: Path) -> None:
    """Six openers of a store that does not exist yet, released together, all succeed, thirty times over."""
    faults: list[str] = []

    def opener(path: Path, start: threading.Barrier) -> None:
        start.wait()
        try:
            Store(path).close()
        except StoreError as error:
            faults.append(str(error))

    for number in range(30):
        start = threading.Barrier(6)
        path = tmp_path / str(number) / "store.sqlite"
        threads = [threading.Thread(target=opener, args=(path, start)) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert faults == []


def test_rows_survive_a_killed_writer(tmp_path: Path) -> None:
    """Every row that a writer reported as kept is there after SIGKILL in the middle of its work."""
    path = tmp_path / "store.sqlite"
    writer = subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True)
    assert writer.stdout is not None
    try:
        for _ in range(200):
            assert writer.stdout.readline()
    finally:
        os.kill(writer.pid, signal.SIGKILL)
        # What was acknowledged before the kill but not yet read by us.
        rest = writer.stdout.read().splitlines()
        writer.stdout.close()
        assert writer.wait() == -signal.SIGKILL
    kept = 200 + len([line for line in rest if line])
    with Store(path) as store:
        # The last line may have been cut by the kill; all before it are whole.
        found = [store.find(f"audio{number}", "engine", "recipe", "u") for number in range(kept - 1)]
    assert [row.text for row in found if row] == [f"text {number}" for number in range(kept - 1)]


def test_a_newer_schema_is_refused(tmp_path: Path) -> None:
    """A store of a later version is left alone, and the sentence says which way out there is."""
    path = tmp_path / "store.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(StoreError) as caught:
        Store(path)
    message = str(caught.value)
    assert message.startswith(f"{path}: written by a newer pytest-asrgate (schema 99")
    assert "upgrade" in message
    assert "gate.state" in message
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,)
    connection.close()


@pytest.mark.parametrize("name", ["folder", "file/store.sqlite"], ids=["a folder", "under a file"])
def test_an_impossible_place_is_one_sentence(tmp_path: Path, name: str) -> None:
    """A folder in the store's place, or a file in its folder's place, gives a StoreError with the path."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    with pytest.raises(StoreError) as caught:
        Store(tmp_path / name)
    assert str(caught.value).startswith(f"{tmp_path / name}: cannot be used as a store (")


def test_a_closed_store_says_so(tmp_path: Path) -> None:
    """Use after closing is a StoreError, not an error of the database library; closing twice is fine."""
    store = Store(tmp_path / "store.sqlite")
    store.close()
    store.close()
    with pytest.raises(StoreError, match="closed"):
        store.find("audio", "engine", "recipe", "u1")


def test_an_engine_is_remembered_and_renewed(tmp_path: Path) -> None:
    """The stamps of an engine come back as they were, and a later record replaces them."""
    first = EngineRecord({"engine": "x", "threads": 1}, ("seed", "temperatures"), 12.5)
    second = EngineRecord({"engine": "y"}, (), None)
    with Store(tmp_path / "store.sqlite") as store:
        assert store.find_engine("f") is None
        store.keep_engine("f", first)
        assert store.find_engine("f") == first
        store.keep_engine("f", second)
        assert store.find_engine("f") == second


def test_repeats_are_kept_in_a_store_of_before(tmp_path: Path) -> None:
    """A store that was made before there were repeats gets a place for them, and keeps what it holds."""
    path = tmp_path / "store.sqlite"
    with Store(path) as store:
        store.keep("audio", "engine", "recipe", FULL)
    with sqlite3.connect(path) as connection:
        connection.execute("DROP TABLE repeats")
    connection.close()
    with Store(path) as store:
        assert store.find_repeats("key") is None
        store.keep_repeats("key", "first")
        store.keep_repeats("key", "second")
        assert store.find_repeats("key") == "second"
        assert store.find("audio", "engine", "recipe", "u1") == FULL


def test_many_rows_are_found_in_one_go(tmp_path: Path) -> None:
    """2,000 utterances, two of them with the same audio and two languages, are found by id; others are not."""
    with Store(tmp_path / "store.sqlite") as store:
        for number in range(2000):
            store.keep(f"audio{number}", "engine", "en" if number % 2 else "de", Hypothesis("u", f"text {number}"))
        store.keep("audio0", "engine", "en", Hypothesis("u", "the same audio in English"))
        store.keep("audio0", "other engine", "de", Hypothesis("u", "of another engine"))
        wanted = [(f"audio{number}", "en" if number % 2 else "de", f"u{number}") for number in range(2000)]
        wanted += [("audio0", "de", "copy"), ("audio0", "en", "English"), ("audio1", "de", "none"), ("", "en", "")]
        found = store.find_all("engine", wanted)
    assert {name: row.text for name, row in found.items()} == {
        **{f"u{number}": f"text {number}" for number in range(2000)},
        "copy": "text 0",
        "English": "the same audio in English",
    }
    assert all(row.id == name for name, row in found.items())


def test_results_of_texts_are_found_by_function_and_text(tmp_path: Path) -> None:
    """A result is found for its own function and text alone: a changed version of the function finds nothing."""
    odd = {"naïve 東京": "naive tokyo", "": "", "nul \0 in it": "x", "half \ud800": "half \udfff"}
    with Store(tmp_path / "store.sqlite") as store:
        store.keep_texts("normaliser 1", {**odd, **{f"text {number}": f"{number}" for number in range(2000)}})
        assert store.find_texts("normaliser 1", [*odd, "another", "text 1999"]) == {**odd, "text 1999": "1999"}
        assert len(store.find_texts("normaliser 1", [f"text {number}" for number in range(2000)])) == 2000
        assert store.find_texts("normaliser 2", [*odd, "text 1999"]) == {}
        # Name and text are not merely joined.
        assert store.find_texts("normaliser", [" 1\0text 1999", "1text 1999"]) == {}


@pytest.mark.parametrize("damage", ["result = X'6f6e65'", "seal = seal + 1", "result = 'two'", "seal = 'x'"])
def test_a_damaged_result_is_no_result(tmp_path: Path, damage: str) -> None:
    """A row whose checksum does not fit is not believed."""
    path = tmp_path / "store.sqlite"
    with Store(path) as store:
        store.keep_texts("normaliser", {"2": "two"})
    connection = sqlite3.connect(path)
    assert connection.execute("UPDATE texts SET " + damage).rowcount == 1  # noqa: S608 - from the list above
    connection.commit()
    connection.close()
    with Store(path) as store:
        assert store.find_texts("normaliser", ["2"]) == {}
        store.keep_texts("normaliser", {"2": "two"})
        assert store.find_texts("normaliser", ["2"]) == {"2": "two"}


def test_two_processes_keep_results_at_once(tmp_path: Path) -> None:
    """Two writers of the same texts both end well, and every result is there."""
    path = tmp_path / "store.sqlite"
    Store(path).close()
    program = (
        "import sys; from pathlib import Path; from pytest_asrgate.store import Store\n"
        "with Store(Path(sys.argv[1])) as store:\n"
        "    for part in range(40):\n"
        "        store.keep_texts('f', {f'{part} {n}': f'{n}' for n in range(200)})\n"
    )
    writers = [subprocess.Popen([sys.executable, "-c", program, str(path)]) for _ in range(2)]
    assert [writer.wait(60) for writer in writers] == [0, 0]
    with Store(path) as store:
        assert len(store.find_texts("f", [f"{part} {n}" for part in range(40) for n in range(200)])) == 8000


def test_a_store_that_cannot_keep_results_says_so(tmp_path: Path) -> None:
    """What goes wrong in a transaction is one sentence, and the store can be used afterwards."""
    path = tmp_path / "store.sqlite"
    with Store(path) as store:
        connection = sqlite3.connect(path)
        connection.execute("DROP TABLE texts")
        connection.close()
        with pytest.raises(StoreError, match="cannot be used") as caught:
            store.keep_texts("f", {"a": "b"})
        assert "\n" not in str(caught.value)
        store.keep("audio", "engine", "recipe", FULL)
        assert store.find("audio", "engine", "recipe", "u1") == FULL


def test_a_complete_store_is_opened_without_a_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While another process writes, or the disk is full, a store of this version can be opened and read."""
    path = tmp_path / "store.sqlite"
    with Store(path) as store:
        store.keep("audio", "engine", "recipe", FULL)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    monkeypatch.setattr("pytest_asrgate.store.database._PATIENCE_S", 0)
    try:
        with Store(path) as store:
            assert store.find("audio", "engine", "recipe", "u1") == FULL
    finally:
        other.close()


def test_a_remembered_hash_that_is_no_text_is_none(tmp_path: Path) -> None:
    """Bytes that are no UTF-8 where text should stand are damage: that row is none, the others are found."""
    with Store(tmp_path / "store.sqlite") as store:
        store.keep_hashes([(b"a", "stamp", "hash"), (b"b", "stamp", "hash")])
        store._connection.execute("UPDATE files SET stamp = CAST(x'ff' AS TEXT) WHERE path = ?", (b"b",))
        assert store.find_hashes([b"a", b"b"]) == {b"a": ("stamp", "hash")}


def test_results_of_old_versions_go(tmp_path: Path) -> None:
    """The first results of a fourth version take the place of the first one's, and of those of no version."""
    path = tmp_path / "store.sqlite"
    texts = {str(number): f"result {number}" for number in range(2000)}
    with Store(path) as store:
        store.keep_texts("f", {"a": "b"})
        # As they were kept before there were versions.
        store._connection.execute("INSERT INTO texts VALUES (x'00112233445566778899aabbccddeeff', x'', 0)")
        for version in ("1", "2", "3"):
            store.keep_texts("f", texts, version)
            store.keep_texts("f", texts, version)
    with Store(path) as store:
        assert [store.find_texts("f", texts, version) for version in ("1", "2", "3")] == [texts] * 3
        store.keep_texts("f", {"0": "x"}, "4")
        assert store.find_texts("f", texts, "1") == {}
        assert [store.find_texts("f", texts, version) for version in ("2", "3")] == [texts] * 2
        assert store.find_texts("f", texts, "4") == {"0": "x"}
        assert store._connection.execute("SELECT count(*) FROM texts").fetchone() == (4001,)
        # One that comes back is the newest again.
        store.keep_texts("f", {"0": "y"}, "1")
        assert store.find_texts("f", texts, "2") == {}
        assert store.find_texts("f", texts, "1") == {"0": "y"}
    with Store(path) as store:
        store.keep_texts("f", {"1": "z"}, "3")
        assert store.find_texts("f", texts, "3") == {**texts, "1": "z"}
        assert store._connection.execute("SELECT count(*) FROM text_versions").fetchone() == (3,)
