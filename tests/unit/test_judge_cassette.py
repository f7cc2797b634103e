"""Claims about the cassette: what came is kept, whoever is killed, and what is damaged is named."""

import json
import multiprocessing
import os
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pytest_asrgate.errors import JudgeError
from pytest_asrgate.judge.cassette import Cassette, Kept


def _kept(number: int = 1, **given: Any) -> Kept:
    every: dict[str, Any] = {
        "key": f"{number:064x}",
        "task": "colours",
        "version": 1,
        "model": "stand-in/one",
        "vote": 0,
        "data": {"reference": "rot \u202e हाँ", "ids": ["1"]},
        "content": f'{{"1": "reply {number}"}}',
        "prompt_tokens": 100,
        "completion_tokens": 20,
        "cost_usd": 0.01,
        "date": "2026-01-01T00:00:00Z",
    }
    return Kept(**{**every, **given})


def test_a_line_without_who_served_it_stays_a_reply(path: Path) -> None:
    """Cassettes that earlier versions wrote name nobody; what a server said of itself is kept and read back."""
    Cassette(path).keep(_kept(1))
    old = path.read_bytes().replace(b', "served": ""', b"")
    assert b"served" not in old
    path.write_bytes(old)
    Cassette(path).keep(_kept(2, served="model-of-may (fp_1)"))
    assert [reply.served for reply in Cassette(path).replies()] == ["", "model-of-may (fp_1)"]
    path.write_bytes(old.replace(b'"vote": 0', b'"vote": 0, "served": null'))
    with pytest.raises(JudgeError, match=r":1: .*its served is no text"):
        Cassette(path).find(_kept(1).key)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A cassette in a folder that is not there yet."""
    return tmp_path / "kept" / "judge.jsonl"


def test_what_is_kept_is_found_by_this_and_by_another_process(path: Path) -> None:
    """With the line that it stands on."""
    cassette = Cassette(path)
    assert cassette.find(_kept(1).key) is None
    cassette.keep(_kept(1))
    cassette.keep(_kept(2, cost_usd=None))
    for each in (cassette, Cassette(path)):
        found = each.find(_kept(2).key)
        assert found is not None
        assert (found.line, found.reply) == (2, _kept(2, cost_usd=None))
        assert each.find(_kept(3).key) is None


def test_the_file_is_one_readable_object_a_line(path: Path) -> None:
    """So that git merges it and people can read it; what a terminal would act on is escaped."""
    Cassette(path).keep(_kept(1))
    Cassette(path).keep(_kept(2))
    lines = path.read_bytes().decode("utf-8").splitlines()
    assert [json.loads(line)["content"] for line in lines] == [_kept(1).content, _kept(2).content]
    assert list(json.loads(lines[0])) == list(Kept.__dataclass_fields__)
    assert "\u202e" not in lines[0]
    assert "हाँ" in lines[0]


def test_nothing_is_written_or_made_by_reading(path: Path) -> None:
    """A cassette that is not there is empty."""
    assert Cassette(path).find(_kept().key) is None
    assert not path.parent.exists()


def test_a_file_that_grew_is_read_on_and_one_that_was_exchanged_again(path: Path) -> None:
    """What another process records meanwhile is found; after a checkout only what is there now."""
    reader, writer = Cassette(path), Cassette(path)
    writer.keep(_kept(1))
    assert reader.find(_kept(1).key)
    writer.keep(_kept(2))
    found = reader.find(_kept(2).key)
    assert found is not None
    assert found.line == 2
    other = path.with_name("other")
    Cassette(other).keep(_kept(3))
    Cassette(other).keep(_kept(4))
    Cassette(other).keep(_kept(5))
    other.replace(path)
    assert reader.find(_kept(3).key)
    assert reader.find(_kept(1).key) is None
    path.write_bytes(b"")
    assert reader.find(_kept(3).key) is None
    writer.keep(_kept(3))
    assert reader.find(_kept(3).key)
    path.unlink()
    assert reader.find(_kept(3).key) is None


def test_the_first_of_two_lines_with_one_key_counts(path: Path) -> None:
    """Two branches that recorded the same question were merged: any order, one answer."""
    Cassette(path).keep(_kept(1, content="first"))
    Cassette(path).keep(_kept(1, content="second"))
    found = Cassette(path).find(_kept(1).key)
    assert found is not None
    assert (found.reply.content, found.line) == ("first", 1)


@pytest.mark.parametrize("lost", [1, 5, 40, 200, "all but the first"])
def test_a_torn_last_line_is_passed_over_and_ended_by_the_next(path: Path, lost: int | str) -> None:
    """A writer that was killed in the middle of a line loses this line alone."""
    cassette = Cassette(path)
    cassette.keep(_kept(1))
    first = path.stat().st_size
    cassette.keep(_kept(2))
    whole = path.read_bytes()
    path.write_bytes(whole[: first + 1] if isinstance(lost, str) else whole[: -1 - lost])
    for reader in (Cassette(path), cassette):
        assert reader.find(_kept(1).key)
        # A reader that saw the whole line before cannot tell that it was torn later, nor does it have to.
        assert reader is cassette or reader.find(_kept(2).key) is None
    Cassette(path).keep(_kept(3))
    assert Cassette(path).find(_kept(3).key)
    assert [json.loads(line)["key"] for line in path.read_text().splitlines()] == [_kept(1).key, _kept(3).key]


@pytest.mark.parametrize("kept", range(1, 321))
def test_a_line_may_be_torn_anywhere(path: Path, kept: int) -> None:
    """Also within a character, behind a brace, in a number; it is no error, and its number is known."""
    cassette = Cassette(path)
    cassette.keep(_kept(1))
    first = path.stat().st_size
    cassette.keep(_kept(2, content='{"1": {"a": "\\u2028 {}"}}', cost_usd=1.5e-05))
    whole = path.read_bytes()
    assert len(whole) - first > 320
    path.write_bytes(whole[: first + kept])
    reader = Cassette(path)
    assert reader.find(_kept(1).key)
    assert reader.find(_kept(2).key) is None
    assert reader.torn_line == 2
    reader.keep(_kept(3))
    assert reader.torn_line == 0


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ((b'"vote": 0', b'"vote": -1'), "its vote is no count"),
        ((b'"vote": 0', b'"vote": "x'), "no JSON"),
        ((b'"vote": 0', b'"vote": }'), "no JSON"),
        ((b"rot", b"r\xffot"), "not UTF-8"),
        ((b'"vote": 0', b'"vote": NaN'), "no JSON"),
        ((b'""}', b'""}}'), "no JSON"),
        ((b'"served": ""}', b'"served": }'), "no JSON"),
    ],
)
def test_a_whole_last_line_that_is_bad_is_named(path: Path, change: tuple[bytes, bytes], words: str) -> None:
    """It lacks only its end: nobody was killed while writing it, so it is not thrown away."""
    Cassette(path).keep(_kept(1))
    Cassette(path).keep(_kept(2))
    good, bad = path.read_bytes().splitlines(keepends=True)
    damaged = good + bad.rstrip().replace(*change)
    path.write_bytes(damaged)
    uses: list[Callable[[], object]] = [
        lambda: Cassette(path).find(_kept(1).key),
        lambda: Cassette(path).keep(_kept(3)),
    ]
    for use in uses:
        with pytest.raises(JudgeError, match=words) as caught:
            use()
        assert str(caught.value).startswith(f"{path}:2: ")
    assert path.read_bytes() == damaged


def test_a_last_line_that_only_lacks_its_end_is_a_reply(path: Path) -> None:
    """Editors and merges leave such files; the next reply stands on a line of its own."""
    Cassette(path).keep(_kept(1))
    path.write_bytes(path.read_bytes().rstrip())
    assert Cassette(path).find(_kept(1).key)
    Cassette(path).keep(_kept(2))
    assert Cassette(path).find(_kept(1).key)
    assert Cassette(path).find(_kept(2).key)


def test_what_git_does_to_a_text_file_does_no_harm(path: Path) -> None:
    """Line ends of Windows, a byte order mark, blank lines."""
    Cassette(path).keep(_kept(1))
    Cassette(path).keep(_kept(2))
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n\r\n"))
    found = Cassette(path).find(_kept(2).key)
    assert found is not None
    assert found.line == 3


def _line(**given: object) -> bytes:
    fields = {name: getattr(_kept(), name) for name in Kept.__dataclass_fields__}
    return json.dumps({**fields, **given}).encode()


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b"what is this", "no JSON"),
        (b'{"key": "ab', "no JSON"),
        (b"[1]", "must be a JSON object"),
        (b"{}", "key"),
        (b"\xff\xfe", "not UTF-8"),
        (b"<<<<<<< HEAD", "merge"),
        (b"=======", "merge"),
        (_line(key="x"), "key"),
        (_line(key=None), "key"),
        (_line(content=None), "content"),
        (_line(vote=-1), "vote"),
        (_line(vote=True), "vote"),
        (_line(prompt_tokens="100"), "prompt_tokens"),
        (_line(cost_usd=-1), "cost_usd"),
        (_line(cost_usd="free"), "cost_usd"),
        (_line(data=[]), "data"),
        (_line(model=3), "model"),
        (_line(cost_usd=float("nan")), "NaN"),
        (b"[" * 100_000, "no JSON"),
    ],
)
def test_a_line_that_is_no_reply_is_named(path: Path, line: bytes, words: str) -> None:
    """By file and number, with what to do; whatever stands before or after it."""
    Cassette(path).keep(_kept(1))
    path.write_bytes(path.read_bytes() + line + b"\n" + path.read_bytes())
    with pytest.raises(JudgeError, match=words) as caught:
        Cassette(path).find(_kept(1).key)
    assert str(caught.value).startswith(f"{path}:2: ")
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 500


def test_a_file_of_somebody_else_is_refused_and_left_as_it_is(path: Path) -> None:
    """Also where it is a single line without an end, which could be taken for a torn one."""
    path.parent.mkdir()
    for text in ("# my notes", "# my notes\n", '{"speech": "hello"}', '{"speech": "hel'):
        path.write_text(text)
        with pytest.raises(JudgeError, match=":1: "):
            Cassette(path).find(_kept(1).key)
        with pytest.raises(JudgeError, match=":1: "):
            Cassette(path).keep(_kept(1))
        assert path.read_text() == text


def test_a_place_that_is_no_file_is_refused(tmp_path: Path) -> None:
    """A folder, and a cassette in a place that is none."""
    with pytest.raises(JudgeError, match="cannot be read"):
        Cassette(tmp_path).find(_kept(1).key)
    with pytest.raises(JudgeError, match="cannot be written"):
        Cassette(tmp_path).keep(_kept(1))
    (tmp_path / "file").touch()
    with pytest.raises(JudgeError, match="cannot be written"):
        Cassette(tmp_path / "file" / "judge.jsonl").keep(_kept(1))


@pytest.mark.parametrize("kind", ["pipe", "device", "link to a pipe"])
def test_what_is_no_regular_file_is_refused(tmp_path: Path, kind: str) -> None:
    """A pipe would be waited for, and a device has no end."""
    path = Path("/dev/zero") if kind == "device" else tmp_path / "pipe"
    if kind != "device":
        os.mkfifo(path)
    if "link" in kind:
        path = tmp_path / "link"
        path.symlink_to(tmp_path / "pipe")
    cassette = Cassette(path)
    for use in (
        lambda: cassette.find(_kept(1).key),
        lambda: list(cassette.replies()),
        cassette.check_writable,
        lambda: cassette.keep(_kept(1)),
    ):
        with pytest.raises(JudgeError, match="must be a regular file") as caught:
            use()
        assert str(caught.value).startswith(f"{path}: ")


def test_a_full_disk_is_told_with_the_mend(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was kept before stays readable."""
    Cassette(path).keep(_kept(1))

    def full(handle: int, data: bytes) -> int:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "write", full)
        with pytest.raises(JudgeError, match="make room on the disk"):
            Cassette(path).keep(_kept(2))
    assert Cassette(path).find(_kept(1).key)


def test_whether_it_can_be_written_is_known_before_anything_is_paid(path: Path) -> None:
    """The check makes the file, and leaves one that is there as it is."""
    Cassette(path).check_writable()
    assert path.read_bytes() == b""
    Cassette(path).keep(_kept(1))
    before = path.read_bytes()
    Cassette(path).check_writable()
    assert path.read_bytes() == before
    with pytest.raises(JudgeError, match="cannot be written"):
        Cassette(path.parent).check_writable()


def test_a_link_is_followed(path: Path) -> None:
    """A cassette may live elsewhere; the link stays."""
    path.parent.mkdir()
    (path.parent / "link").symlink_to(path)
    Cassette(path.parent / "link").keep(_kept(1))
    assert (path.parent / "link").is_symlink()
    assert Cassette(path).find(_kept(1).key)


def _write_many(path: Path, first: int) -> None:
    cassette = Cassette(path)
    for number in range(first, first + 60):
        # Long enough that a write in pieces would show.
        cassette.keep(_kept(number, content=f"{number}" + "x" * 20_000))


def test_several_processes_write_one_file(path: Path) -> None:
    """As xdist's workers do: each reply is there, whole, once."""
    spawn = multiprocessing.get_context("spawn")
    writers = [spawn.Process(target=_write_many, args=(path, 1000 * number)) for number in (1, 2, 3)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(120)
    assert [writer.exitcode for writer in writers] == [0, 0, 0]
    expected = [_kept(1000 * number + count).key for number in (1, 2, 3) for count in range(60)]
    cassette = Cassette(path)
    assert all(cassette.find(key) for key in expected)
    assert sorted(json.loads(line)["key"] for line in path.read_text().splitlines()) == sorted(expected)


def test_replies_of_a_task_can_be_looked_through(path: Path) -> None:
    """For an estimate of what replies cost."""
    cassette = Cassette(path)
    cassette.keep(_kept(1))
    cassette.keep(_kept(2, task="shades"))
    assert [found.key for found in Cassette(path).replies()] == [_kept(1).key, _kept(2).key]


def test_a_small_cassette_takes_little_memory(path: Path) -> None:
    """Room is made for what the file holds, not for the largest that it may be: memory may be scarce."""
    Cassette(path).keep(_kept())
    tracemalloc.start()
    try:
        assert len(list(Cassette(path).replies())) == 1
        assert tracemalloc.get_traced_memory()[1] < 50_000_000
    finally:
        tracemalloc.stop()
