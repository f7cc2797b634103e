"""A cluster for tests: a scheduler and two workers, each started in a folder of its own as on another machine."""

import json
import os
import shutil
import signal
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pytest_asrgate.transcribers.processes import SupervisedProcess
from tests.integration.conftest import SUPPORT, alive

_ROOT = Path(__file__).parents[2]
# What workers call the folder that is the gate's on the controller; it stands in each worker's own folder.
COPY = "copy"


def wait_for(condition: Callable[[], object], seconds: float = 60) -> None:
    """Wait until something holds; fails where it never does."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.05)


@dataclass
class Cluster:
    """Starts a scheduler and workers under a root folder; `close` ends all of them.

    `host` is where the scheduler listens. `machines` has the words that start a program on a worker's own machine,
    and its address; a worker that is not in it runs here.
    """

    root: Path
    host: str = "127.0.0.1"
    machines: Mapping[str, tuple[Sequence[str], str]] = field(default_factory=dict)
    processes: dict[str, SupervisedProcess] = field(default_factory=dict)

    @property
    def _file(self) -> Path:
        return self.root / "scheduler.json"

    def _start(self, name: str, words: Sequence[str], before: Sequence[str] = ()) -> None:
        folder = self.root / name
        folder.mkdir(exist_ok=True)
        environment = {
            # This tree, and no other that may be installed.
            "PYTHONPATH": os.pathsep.join([str(SUPPORT), str(_ROOT)]),
            "ASRGATE_TEST_CLUSTER": name,
            "XDG_CACHE_HOME": str(self.root / name / "cache"),
        }
        self.processes[name] = SupervisedProcess(
            [*before, sys.executable, "-P", "-m", "dask", *words, "--scheduler-file", str(self._file)],
            folder=folder,
            environment=environment,
        )

    def start(self, *workers: str) -> None:
        """Start a scheduler, and a worker for each name."""
        self._start(
            "scheduler", ["scheduler", "--host", self.host, "--port", "0", "--dashboard-address", f"{self.host}:0"]
        )
        for worker in workers:
            self.add(worker)

    def add(self, worker: str) -> None:
        """Start one more worker."""
        scratch = ["--local-directory", str(self.root / worker / "scratch")]
        before, host = self.machines.get(worker, ((), "127.0.0.1"))
        place = ["--host", host, "--nthreads", "1", "--resources", "model=1", "--preload", "asrgate_fake"]
        self._start(worker, ["worker", *place, *scratch], before)

    @property
    def address(self) -> str:
        """The scheduler's address, once it has one."""
        wait_for(self._file.exists)
        wait_for(self._file.read_text)
        return str(json.loads(self._file.read_text())["address"])

    def copy(self, project: Path, *workers: str) -> None:
        """Give each worker its own copy of a gate's folder, without its state."""
        for worker in workers:
            target = self.root / worker / COPY
            shutil.rmtree(target, ignore_errors=True)
            shutil.copytree(project, target, ignore=shutil.ignore_patterns(".asrgate", "*.log"))

    def pause(self, name: str, seconds: float) -> None:
        """Stop one of them, and let it go on after so many seconds."""
        (number,) = (int(pid) for pid in alive(f"ASRGATE_TEST_CLUSTER={name}") if self._is(name, pid))
        os.kill(number, signal.SIGSTOP)
        time.sleep(seconds)
        os.kill(number, signal.SIGCONT)

    def _is(self, name: str, pid: str) -> bool:
        """Whether a process is the one that was started under this name, and not its supervisor."""
        try:
            words = Path(f"/proc/{pid}/cmdline").read_bytes().decode().split("\0")
        except OSError:
            return False
        return {"dask", name, str(self._file)} <= {*words} and not any("supervisor.py" in word for word in words)

    def close(self) -> None:
        """End everything."""
        for process in self.processes.values():
            process.close()
