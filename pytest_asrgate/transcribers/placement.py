"""How an engine's process runs beside others: its device, its share of the cores, its niceness, its threads."""

import os
from collections.abc import Mapping
from dataclasses import dataclass

from pytest_asrgate.config import TranscriberSettings
from pytest_asrgate.errors import TranscriberError
from pytest_asrgate.transcribers.devices import visible_device

__all__ = ["THREAD_VARIABLES", "Placement", "placement_of", "share_of_cores"]

# What the libraries read that bring a pool of threads of their own; an engine's own setting stays above them.
THREAD_VARIABLES = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "NUMEXPR_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
)


@dataclass(frozen=True, slots=True)
class Placement:
    """What is set before an engine's program starts, so that all its threads and children have it.

    `environment` is added to ours; `nice` 0 and no `cores` leave things as they are.
    """

    environment: Mapping[str, str]
    nice: int = 0
    cores: tuple[int, ...] = ()

    def stamp(self) -> dict[str, object]:
        """What a reader of timings wants to know; nothing where nothing was set."""
        return {
            **({"nice": self.nice} if self.nice else {}),
            **({"pinned_cores": len(self.cores)} if self.cores else {}),
        }


def placement_of(settings: TranscriberSettings, threads: int) -> Placement:
    """Where and how the process of an engine with `threads` threads runs.

    A thread variable that is set already stays as it is. Raises TranscriberError for a device that is not there.
    """
    pools = {name: str(threads) for name in THREAD_VARIABLES if name not in os.environ}
    return Placement({**pools, **visible_device(settings.device)}, settings.nice, settings.cores)


def share_of_cores(number: int, workers: int) -> tuple[int, ...]:
    """The cores of worker `number` of so many, of those that this process may use, by number.

    Shares are neighbours and do not overlap; where workers outnumber cores, each has one, dealt in turn. Raises
    TranscriberError where this system cannot keep a process on some cores.
    """
    if not hasattr(os, "sched_getaffinity"):
        raise TranscriberError("executor.pin: this system cannot keep a process on some cores; leave it out")
    cores = sorted(os.sched_getaffinity(0))
    place = number % workers
    own = cores[place * len(cores) // workers : (place + 1) * len(cores) // workers]
    return tuple(own) if len(cores) >= workers else (cores[place % len(cores)],)
