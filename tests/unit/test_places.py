"""A fixed number of model processes on one machine."""

from pathlib import Path

import pytest

from pytest_asrgate.errors import StoreError
from pytest_asrgate.executors.places import Places


def test_there_are_so_many_places_and_no_more(tmp_path: Path) -> None:
    """Two who count to the same number on one folder share the places; one that is given back is free again."""
    ours, theirs = Places(tmp_path / "locks", 2), Places(tmp_path / "locks", 2)
    first, second = ours.try_take(), theirs.try_take()
    assert first is not None
    assert second is not None
    assert {first.number, second.number} == {0, 1}
    assert ours.try_take() is None
    assert theirs.try_take() is None
    first.give_back()
    first.give_back()
    again = theirs.try_take()
    assert again is not None
    assert again.number == first.number


def test_a_folder_that_cannot_be_written_to_is_named(tmp_path: Path) -> None:
    """The sentence names the folder and the key."""
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match=r"file/locks: cannot be used .*gate\.state"):
        Places(tmp_path / "file" / "locks", 1).try_take()
