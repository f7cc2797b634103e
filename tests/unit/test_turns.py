"""One run at a time on a cluster."""

from pathlib import Path

import pytest

from pytest_asrgate.errors import StoreError
from pytest_asrgate.executors.turns import Turn


class _Impatient(Exception):
    pass


def _impatient() -> None:
    raise _Impatient


def test_who_waits_may_be_told_to_stop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`check` ends the wait; the turn of another cluster is another one."""
    monkeypatch.setattr("pytest_asrgate.executors.turns._LOOK_S", 0.01)
    first, second, other = Turn(tmp_path, "tcp://a"), Turn(tmp_path, "tcp://a"), Turn(tmp_path, "tcp://b")
    first.take(_impatient)
    first.take(_impatient)
    other.take(_impatient)
    with pytest.raises(_Impatient):
        second.take(_impatient)
    first.give_back()
    second.take(_impatient)
    second.give_back()
    second.give_back()


def test_a_folder_that_cannot_be_used_is_one_sentence(tmp_path: Path) -> None:
    """It says what to check."""
    (tmp_path / "state").touch()
    with pytest.raises(StoreError, match=r"cannot be used .*; check that gate\.state names a folder"):
        Turn(tmp_path / "state" / "locks", "tcp://a").take(_impatient)
