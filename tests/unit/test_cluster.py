"""What connecting to a Dask cluster comes to where there is none, or where a function of the user makes it."""

import socket
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

from pytest_asrgate.config import ExecutorSettings
from pytest_asrgate.errors import TranscriberError
from pytest_asrgate.executors import cluster
from pytest_asrgate.executors.cluster import Link, connect
from tests.unit.simulated_servers import http_port

pytest.importorskip("distributed")

# A cluster with no scheduler, which counts how often it was made and closed.
FACTORY = """
import sys
from distributed import Client
class Cluster:
    scheduler_address = "nowhere://1"
    def close(self):
        done.append("closed")
        raise ValueError("it cannot be closed")
done = []
sys.asrgate_done = done
def cluster():
    done.append("made")
    return Cluster()
def leave():
    sys.exit(3)
class Closed(Client):
    def __init__(self):
        self.status = "closed"
        self.cluster = Cluster()
    def __del__(self):
        pass
    def close(self, timeout=None):
        pass
def client():
    return Closed()
"""


def _factory(folder: Path, function: str) -> Link:
    (folder / "mine.py").write_text(FACTORY)
    return connect(ExecutorSettings(kind="dask", cluster=f"mine:{function}", wait_s=1), folder)


def _done() -> Any:
    return sys.asrgate_done  # type: ignore[attr-defined] # by the module above


@pytest.fixture
def mute() -> Iterator[int]:
    """A port that accepts, and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def test_a_port_that_never_speaks_is_no_scheduler(tmp_path: Path, mute: int) -> None:
    """After `wait_s` it is one sentence, and no thread is left that would keep the process from ending."""
    before = set(threading.enumerate())
    with pytest.raises(TranscriberError, match=rf"no Dask scheduler answers at tcp://127\.0\.0\.1:{mute} within 0"):
        connect(ExecutorSettings(kind="dask", address=f"tcp://127.0.0.1:{mute}", wait_s=0.3), tmp_path)
    assert [thread for thread in set(threading.enumerate()) - before if not thread.daemon] == []


def test_a_port_that_speaks_otherwise_is_no_scheduler(tmp_path: Path) -> None:
    """As a web server does."""
    with http_port() as port, pytest.raises(TranscriberError, match="no Dask scheduler answers"):
        connect(ExecutorSettings(kind="dask", address=f"tcp://127.0.0.1:{port}", wait_s=0.3), tmp_path)


def test_a_scheduler_that_cannot_be_reached_closes_its_cluster(tmp_path: Path) -> None:
    """One sentence, also where closing raises."""
    with pytest.raises(TranscriberError, match=r"executor\.cluster: mine:cluster: its scheduler does not answer"):
        _factory(tmp_path, "cluster")
    assert _done() == ["made", "closed"]


def test_a_client_that_is_closed_is_refused(tmp_path: Path) -> None:
    """And its cluster is closed."""
    with pytest.raises(TranscriberError, match=r"mine:client returned a client that is closed"):
        _factory(tmp_path, "client")
    assert _done() == ["closed"]


def test_a_factory_that_exits_is_one_sentence(tmp_path: Path) -> None:
    """It does not end the run."""
    with pytest.raises(TranscriberError, match=r"executor\.cluster: mine:leave failed \(SystemExit: 3\)"):
        _factory(tmp_path, "leave")


def test_an_interrupt_before_the_client_closes_the_cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A batch job would go on for nobody."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(cluster, "_client", interrupt)
    with pytest.raises(KeyboardInterrupt):
        _factory(tmp_path, "cluster")
    assert _done() == ["made", "closed"]


def test_modules_of_one_name_beside_two_gates_are_two(tmp_path: Path) -> None:
    """Each gate gets its own; one that lies nowhere beside it is imported as ever."""
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "sibling.py").write_text("")
        (tmp_path / name / "mine.py").write_text(f"def cluster():\n    raise ValueError('of {name}')\n")
        with pytest.raises(TranscriberError, match=rf"ValueError: of {name}"):
            connect(ExecutorSettings(kind="dask", cluster="mine:cluster"), tmp_path / name)
    with pytest.raises(TranscriberError, match=r"json:absent failed \(AttributeError"):
        connect(ExecutorSettings(kind="dask", cluster="json:absent"), tmp_path)
    assert str(tmp_path / "a") not in sys.path


def test_what_a_killed_run_left_is_removed_by_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """But no folder of a run that goes on, and none that is not known to be ours."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    for name in ("left", "used", "strange"):
        (tmp_path / f"asrgate-dask-{name}" / "worker").mkdir(parents=True)
    (tmp_path / "asrgate-dask-left" / "in-use.lock").touch()
    with FileLock(tmp_path / "asrgate-dask-used" / "in-use.lock"):
        cluster._sweep()
        assert sorted(path.name for path in tmp_path.iterdir()) == ["asrgate-dask-strange", "asrgate-dask-used"]
