"""Claims about how an engine's process runs beside others."""

import json
import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_asrgate.config import Gate, TranscriberSettings, Variant
from pytest_asrgate.errors import TranscriberError
from pytest_asrgate.executors.pool import Pool
from pytest_asrgate.executors.remote import work
from pytest_asrgate.hashing import FileHashes
from pytest_asrgate.transcribers.placement import THREAD_VARIABLES, placement_of, share_of_cores
from pytest_asrgate.transcribers.processes import SupervisedProcess
from pytest_asrgate.transcribers.protocol import Identity
from pytest_asrgate.transcribers.registry import KINDS, Kind
from tests.unit.cluster_stand_ins import StandIn, desk_at, order_of

SETTINGS = TranscriberSettings("native", "command", "cpu", 60.0, 4000, {})
LOOK = "import os; print(os.getpriority(os.PRIO_PROCESS, 0), *sorted(os.sched_getaffinity(0)))"
CORES = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
OURS = os.getpriority(os.PRIO_PROCESS, 0)

pytestmark = pytest.mark.skipif(not CORES, reason="this system cannot keep a process on some cores")


def _said(*, nice: int = 0, cores: tuple[int, ...] = ()) -> str:
    with SupervisedProcess([sys.executable, "-c", LOOK], nice=nice, cores=cores) as process:
        assert process.wait(60.0) == 0
        return process.last_lines()


def test_a_program_runs_at_its_niceness_on_its_cores() -> None:
    """Both are set before it starts, so its first thread has them too; ours stay as they were."""
    nice = min(OURS + 3, 19)
    assert _said(nice=nice, cores=(CORES[-1],)) == f"{nice} {CORES[-1]}"
    assert _said() == " ".join(str(number) for number in (OURS, *CORES))
    assert os.getpriority(os.PRIO_PROCESS, 0) == OURS


def test_a_program_is_never_more_urgent_than_we_are() -> None:
    """A gate that was niced by its user stays so, also where gate.toml asks for less."""
    code = (
        f"import os, sys; os.setpriority(os.PRIO_PROCESS, 0, {max(OURS, 9)})\n"
        "from pytest_asrgate.transcribers.processes import SupervisedProcess\n"
        f"process = SupervisedProcess([sys.executable, '-c', {LOOK!r}], nice=4)\n"
        "process.wait(60.0); print(process.last_lines()); process.close()"
    )
    with SupervisedProcess([sys.executable, "-c", code]) as process:
        assert process.wait(60.0) == 0
        assert process.last_lines().split()[0] == str(max(OURS, 9))


def test_cores_that_are_not_there_cost_nothing() -> None:
    """A machine that lost a core, or a container that may not pin, decodes all the same."""
    assert _said(cores=(1023,)).split()[1:] == [str(core) for core in CORES]


def test_shares_are_whole_and_do_not_overlap(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every core belongs to one worker; a worker more than there are cores shares one, and none has nothing."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {7, 2, 3, 5, 11})
    assert [share_of_cores(number, 2) for number in range(2)] == [(2, 3), (5, 7, 11)]
    assert [share_of_cores(number, 5) for number in range(5)] == [(2,), (3,), (5,), (7,), (11,)]
    assert [share_of_cores(number, 7) for number in (0, 4, 5, 6)] == [(2,), (11,), (2,), (3,)]
    assert share_of_cores(3, 2) == share_of_cores(1, 2)


def test_a_system_that_cannot_pin_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """To run unpinned where pinning was asked for would be a lie about the timings."""
    monkeypatch.delattr(os, "sched_getaffinity")
    with pytest.raises(TranscriberError, match="this system cannot keep a process on some cores; leave it out"):
        share_of_cores(0, 1)


def test_thread_pools_have_the_recipes_threads_unless_the_user_chose(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two workers whose libraries each start a thread for every core would slow each other down."""
    for name in THREAD_VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("OMP_NUM_THREADS", "8")
    found = placement_of(replace(SETTINGS, device="cuda:1"), 3).environment
    assert "OMP_NUM_THREADS" not in found
    assert found["OPENBLAS_NUM_THREADS"] == found["MKL_NUM_THREADS"] == "3"
    assert found["CUDA_VISIBLE_DEVICES"] == "1"


def test_what_was_set_is_stamped_and_nothing_else() -> None:
    """The stamp of an engine that was left alone is as it was."""
    assert placement_of(SETTINGS, 1).stamp() == {}
    assert placement_of(replace(SETTINGS, nice=5, cores=(2, 3)), 1).stamp() == {"nice": 5, "pinned_cores": 2}


def test_orders_carry_niceness_to_workers_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A Dask worker starts its engines as the gate says, from plain values."""
    opened: list[TranscriberSettings] = []

    def start(gate: Gate, variant: Variant, dataset: str, files: FileHashes) -> StandIn:
        opened.append(variant.transcriber)
        return StandIn(Identity("print", {}))

    monkeypatch.setitem(KINDS, "stand-in", Kind(start))
    order = order_of(tmp_path, "a")
    order["transcriber"]["nice"] = 7
    answer = work(json.loads(json.dumps(order)), desk_at(tmp_path, []), Pool())
    assert "rows" in answer
    assert [(settings.nice, settings.cores) for settings in opened] == [(7, ())]
