"""Claims about the file of calibrations: a history that is recounted when it is read, and never lost."""

import json
import multiprocessing
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pytest_asrgate.errors import JudgeError
from pytest_asrgate.judge.calibration import agreement_entry, keep_calibration, newest, read_calibrations
from pytest_asrgate.statistics.agreement import agreement_of_counts
from tests.unit.calibrations import agreement, calibration, replies


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file in a folder that is not there yet."""
    return tmp_path / "judge" / "calibration.json"


def test_what_is_kept_is_read_back(path: Path) -> None:
    """All of it, the newest last; reading makes nothing."""
    assert read_calibrations(path) == ()
    assert not path.parent.exists()
    first, second = calibration(served=("m (fp)",), undecided=2, entities=agreement(30)), calibration(task="intent")
    assert keep_calibration(path, first) is None
    assert keep_calibration(path, second) is None
    assert read_calibrations(path) == (first, second)


def test_the_history_stays(path: Path) -> None:
    """A later calibration of the same judge is added, and the one before it is handed back to be compared with."""
    first = calibration(agreed=38)
    second = calibration(agreed=30, date="2026-02-01T00:00:00Z")
    keep_calibration(path, first)
    assert keep_calibration(path, second) == first
    assert newest(read_calibrations(path), "semantic", "openai/judge") == second
    assert newest(read_calibrations(path), "semantic", "openai/other") is None
    assert newest(read_calibrations(path), "semantic", "openai/judge", votes=5) is None


def test_the_same_again_adds_nothing(path: Path) -> None:
    """A replayed calibration differs by its date alone: the file stays as it was, byte for byte."""
    keep_calibration(path, calibration())
    before = path.read_bytes()
    assert keep_calibration(path, replace(calibration(), date="2026-03-01T00:00:00Z")) == calibration()
    assert path.read_bytes() == before


FEBRUARY = "2026-02-01T00:00:00Z"


@pytest.mark.parametrize(
    ("before", "now", "kept"),
    [
        # What drifted is not undone by what it said before, not even with a fresh reply or two, or by more votes.
        ({"replies": replies(FEBRUARY, mode="live")}, {"replies": replies(fresh=0, replayed=40)}, False),
        ({"replies": replies(FEBRUARY)}, {"replies": replies(fresh=0, replayed=40, mode="replay")}, False),
        ({"replies": replies(FEBRUARY)}, {"replies": replies(fresh=39, replayed=1)}, False),
        ({"replies": replies(FEBRUARY)}, {"replies": replies(fresh=39, replayed=1), "votes": 5}, False),
        # Live replies are in no cassette: what is replayed is older, though it be of the same second.
        ({"replies": replies(mode="live")}, {"replies": replies(fresh=0, replayed=40)}, False),
        # More labels, or others, with what was recorded; fresh replies; another prompt; newer replies.
        ({}, {"replies": replies(fresh=10, replayed=40)}, True),
        ({"replies": replies(mode="live")}, {"replies": replies()}, True),
        ({"replies": replies(FEBRUARY)}, {"replies": replies(fresh=0, replayed=40), "prompt": "c" * 64}, True),
        ({}, {"replies": replies(FEBRUARY, fresh=0, replayed=40)}, True),
    ],
)
def test_replayed_replies_undo_no_newer_ones(
    path: Path, before: dict[str, Any], now: dict[str, Any], kept: bool
) -> None:
    """A calibration is as old as its first reply; an older one that replays is not added."""
    first, second = calibration(30, **before), calibration(36, **now)
    keep_calibration(path, first)
    assert keep_calibration(path, second) == first
    assert read_calibrations(path) == ((first, second) if kept else (first,))


def test_what_could_not_be_read_again_is_not_written(path: Path) -> None:
    """A cassette is anybody's, and so are its dates."""
    with pytest.raises(JudgeError, match=r"cannot be kept: replies: first must be a date such as .*'yesterday'"):
        keep_calibration(path, calibration(replies=replies("yesterday")))
    assert not path.exists()


def test_undefined_kappa_is_null(path: Path) -> None:
    """A judge and people that give one label alone have no kappa: null, neither NaN nor 1."""
    one = agreement_of_counts({("same", "same"): 30})
    keep_calibration(path, calibration(whole=one, languages={"en": one}))
    entry = json.loads(path.read_text())["calibrations"][0]
    assert (entry["n"], entry["agreement"], entry["kappa"], entry["ci"]) == (30, 1.0, None, None)
    assert "NaN" not in path.read_text()
    assert read_calibrations(path)[0].whole.kappa is None


def _many(path: Path, first: int) -> None:
    for number in range(first, first + 10):
        keep_calibration(path, replace(calibration(), model=f"model-{number}"))


def test_processes_lose_nothing_of_each_other(path: Path) -> None:
    """Three that write at once leave all thirty entries."""
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=_many, args=(path, 10 * number)) for number in range(3)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(120)
    assert [process.exitcode for process in processes] == [0, 0, 0]
    assert {each.model for each in read_calibrations(path)} == {f"model-{number}" for number in range(30)}


AGREED = agreement_entry(agreement(34))
NOTHING = agreement_entry(agreement(0, 0))


def _replies(**change: Any) -> Callable[[dict[str, Any]], None]:
    return lambda document: document["calibrations"][1]["replies"].update(change)


def _entry(**change: Any) -> Callable[[dict[str, Any]], None]:
    return lambda document: document["calibrations"][1].update(change)


@pytest.mark.parametrize(
    ("change", "fact"),
    [
        (_entry(task=""), "task must be a text; it is ''"),
        (_entry(model=None), "model must be a text; it is None"),
        (_entry(prompt="abc"), "prompt must be a SHA-256; it is 'abc'"),
        (_entry(labels_sha256=1), "labels_sha256 must be a SHA-256"),
        (_entry(votes=0), "votes must be a whole number of 1 or more; it is 0"),
        (_entry(date="yesterday"), "date must be a date such as"),
        (_entry(n=41), "n is 41, and its counts add up to 40"),
        (_entry(kappa=0.99), "kappa is 0.99, and that of its counts is 0.7"),
        (_entry(kappa=None), "kappa is None, and that of its counts is 0.7"),
        (_entry(counts=[]), "counts must be an object; it is []"),
        (_entry(counts={"same": {"same": -40}}), "same must be a whole number of 0 or more; it is -40"),
        (_entry(counts={"same": 40}), "counts of 'same' must be an object"),
        (_entry(languages={}), "its languages do not add up to all of it"),
        (_entry(languages={"en": 1}), "en must be an object; it is 1"),
        (_entry(classes=None), "classes must be an object"),
        (_entry(rules=[]), "rules must be an object"),
        (_entry(served="m"), "served must be a list of texts"),
        (_entry(undecided=-1), "undecided must be a whole number"),
        (_entry(agreement=1.0), "agreement is 1.0, and that of its counts is 0.8500"),
        (_entry(agreement="0.85"), "agreement is '0.85'"),
        (_entry(ci=[0.9, 1.0]), "ci is [0.9, 1.0], and that of its counts is [0.4"),
        (_entry(ci=None), "ci is None, and that of its counts is [0.4"),
        (_entry(ci=[0.5]), "ci is [0.5]"),
        (_entry(ci=1), "ci is 1"),
        (_entry(date="2026-02-30T00:00:00Z"), "date must be a date that there is; it is '2026-02-30T00:00:00Z'"),
        (_entry(date="0000-01-01T00:00:00Z"), "date must be a date that there is"),
        (_entry(date="2999-01-01T00:00:00Z"), "date must not be in the future; it is '2999-01-01T00:00:00Z'"),
        (_entry(date="२०२६-01-01T00:00:00Z"), "date must be a date such as"),
        (_entry(entities={"n": 1}), "entities: counts must be an object"),
        (_entry(entity_languages={"en": AGREED}), "its entity_languages do not add up to all of it"),
        (_entry(scored=NOTHING), "scored has 0 labels, and the judge was asked about 40 of them"),
        (_entry(replies=None), "replies must be an object; it is None"),
        (_replies(mode="dream"), "replies: mode must be one of replay, record, live; it is 'dream'"),
        (_replies(fresh=-1), "replies: fresh must be a whole number"),
        (_replies(fresh=0), "replies: fresh and replayed are both 0"),
        (_replies(mode="replay"), 'replies: fresh is 40, and mode "replay" asks nobody'),
        (_replies(mode="live", replayed=1), 'replies: replayed is 1, and mode "live" replays nothing'),
        (_replies(first="2026-01-03T00:00:00Z"), "replies: first, 2026-01-03T00:00:00Z, is after last"),
        (_replies(last="2999-01-03T00:00:00Z"), "replies: last must not be in the future"),
        (lambda document: document["calibrations"].__setitem__(1, 3), "must be an object; it is 3"),
    ],
)
def test_what_was_changed_by_hand_is_named(path: Path, change: Callable[[dict[str, Any]], None], fact: str) -> None:
    """By the number of the entry: figures that nobody measured let no judge gate. Writing refuses it, too."""
    for date in ("2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"):
        keep_calibration(path, replace(calibration(), date=date, undecided=int(date[9])))
    document = json.loads(path.read_text())
    change(document)
    path.write_text(json.dumps(document))
    before = path.read_bytes()
    uses: list[Callable[[], object]] = [
        lambda: read_calibrations(path),
        lambda: keep_calibration(path, calibration(task="intent")),
    ]
    for use in uses:
        with pytest.raises(JudgeError) as caught:
            use()
        assert str(caught.value).startswith(f"{path}: calibration 2: ")
        assert fact in str(caught.value)
        assert "\n" not in str(caught.value)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("", "no JSON object"),
        ('{"schema": "asrgate.calibration/1", "calib', "was the file cut short?"),
        ("[]", "must hold a JSON object"),
        ("{}", "its schema is None, not 'asrgate.calibration/1'"),
        ('{"schema": "asrgate.calibration/2", "calibrations": []}', "'asrgate.calibration/2'"),
        ('{"schema": "asrgate.calibration/1", "calibrations": {}}', "calibrations must be a list"),
        ('{"schema": "asrgate.calibration/1", "calibrations": [NaN]}', "NaN"),
        ("\udcff", "not UTF-8"),
    ],
)
def test_files_that_are_none(path: Path, text: str, fact: str) -> None:
    """One sentence that names the file."""
    path.parent.mkdir()
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(JudgeError) as caught:
        read_calibrations(path)
    assert str(caught.value).startswith(f"{path}:")
    assert fact in str(caught.value)


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    """Nor is it a file that is not there yet."""
    with pytest.raises(JudgeError, match="is no regular file"):
        read_calibrations(tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(JudgeError, match="the calibration cannot be written"):
        keep_calibration(tmp_path / "file" / "calibration.json", calibration())
