"""Claims about locks by name: one holder, whatever becomes of the folder."""

import shutil
import threading
from pathlib import Path

import pytest

from pytest_asrgate.errors import StoreError
from pytest_asrgate.locks import alone, lock_folder


def test_whoever_waits_says_so_once_and_comes_next(tmp_path: Path) -> None:
    """Two of one name never at a time; of another name at once."""
    waits, order = [], []
    waiting = threading.Event()

    def wait() -> None:
        waits.append("waited")
        waiting.set()

    def second() -> None:
        with alone(tmp_path / "locks", "name", wait):
            order.append("second")

    thread = threading.Thread(target=second)
    with alone(tmp_path / "locks", "name", wait), alone(tmp_path / "locks", "other", wait):
        thread.start()
        assert waiting.wait(60)
        order.append("first")
    thread.join(60)
    assert (order, waits) == (["first", "second"], ["waited"])


def test_a_folder_that_goes_while_somebody_waits_is_made_again(tmp_path: Path) -> None:
    """Whoever waits comes to its turn, and meets no error of the system."""
    folder = tmp_path / "state" / "locks"
    gone, ends = threading.Event(), []

    def remove() -> None:
        shutil.rmtree(folder.parent)
        gone.set()

    def second() -> None:
        with alone(folder, "name", remove):
            ends.append(folder.is_dir())

    thread = threading.Thread(target=second)
    with alone(folder, "name", pytest.fail):
        thread.start()
        assert gone.wait(60)
    thread.join(60)
    assert ends == [True]


def test_a_folder_that_goes_between_two_steps_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Removed after it was made and before the lock is: as often as anybody may remove one."""
    folder, made = tmp_path / "state" / "locks", []
    mkdir = Path.mkdir

    def made_in_vain(path: Path, *arguments: object, **named: object) -> None:
        mkdir(path, *arguments, **named)  # type: ignore[arg-type] # as they come
        if path == folder:
            made.append(path)
            if len(made) <= 3:
                shutil.rmtree(folder.parent)

    monkeypatch.setattr(Path, "mkdir", made_in_vain)
    with alone(folder, "name", pytest.fail):
        assert folder.is_dir()
    assert len(made) > 3


def test_a_folder_that_cannot_be_made_is_one_sentence(tmp_path: Path) -> None:
    """A file in its place."""
    (tmp_path / "locks").write_text("")
    with (
        pytest.raises(StoreError, match=r"locks: cannot be used \("),
        alone(tmp_path / "locks", "name", pytest.fail),
    ):
        pass


def test_locks_of_a_folder_to_read_only_are_elsewhere(tmp_path: Path) -> None:
    """All who read one folder share them, and no two folders do."""
    assert lock_folder(tmp_path, read_only=False) == tmp_path / "locks"
    first, second = (lock_folder(tmp_path / name, read_only=True) for name in "ab")
    assert first != second
    assert first == lock_folder(tmp_path / "a", read_only=True)
    assert tmp_path not in first.parents
