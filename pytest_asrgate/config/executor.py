"""What of [executor] must fit together."""

from collections.abc import Iterator

from pytest_asrgate.config.schema import ExecutorTable
from pytest_asrgate.records import Problem

__all__ = ["executor_problems"]

# Keys that mean something on a Dask cluster only.
_OF_DASK = ("address", "cluster", "resources", "retries", "wait_s", "folders")


def executor_problems(table: ExecutorTable) -> Iterator[Problem]:
    """Keys that contradict each other, or that would be read and ignored."""
    given = table.model_fields_set
    if table.kind == "local":
        for key in _OF_DASK:
            if key in given:
                yield Problem(
                    f"executor.{key}", 'means something with kind = "dask" only; set that, or leave it out'
                )
        yield from _device_problems(table)
        if table.pin and table.workers is None:
            message = "deals the cores of this machine out to executor.workers; set that, or leave it out"
            yield Problem("executor.pin", message)
        return
    if "devices" in given:
        yield Problem("executor.devices", "start each Dask worker with its own device instead, and leave it out")
    if table.pin:
        yield Problem("executor.pin", "start each Dask worker on its own cores instead, and leave it out")
    elsewhere = table.address or table.cluster
    if table.address and table.cluster:
        yield Problem("executor.cluster", "give either the address of a scheduler or a cluster, not both")
    if elsewhere:
        if "workers" in given:
            message = "is the cluster's own affair where address or cluster is given; leave it out"
            yield Problem("executor.workers", message)
    elif "folders" in given:
        yield Problem("executor.folders", "workers on this machine see the same files; leave it out")


def _device_problems(table: ExecutorTable) -> Iterator[Problem]:
    kinds = sorted({device.partition(":")[0] for device in table.devices})
    if len(kinds) > 1:
        message = (
            f"are of the kinds {' and '.join(kinds)}, whose outputs must not be mixed in a pair; give one kind"
        )
        yield Problem("executor.devices", message)
    workers = table.workers or 1
    if len(table.devices) > workers:
        message = f"are {len(table.devices)} for workers = {workers}, so some would never be used; set more workers"
        yield Problem("executor.devices", message)
