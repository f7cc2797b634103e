"""A Dask cluster of this machine in a process of its own: `python -m … SETTINGS`, as JSON; prints its address.

It is no part of the pytest process, since scheduling there would wait for scoring, and since Dask starts its
workers by importing the main script anew, which not every script survives. Whoever starts it under the supervisor
can be sure that nothing of it is left.
"""

import json
import sys
import threading

__all__ = ["main"]


def main() -> None:
    """Start the cluster, print its address, and wait to be killed.

    SETTINGS has `workers`, `resources` of each worker, `failures` that a shard may survive, and a `folder`.
    """
    settings = json.loads(sys.argv[1])
    import dask  # noqa: PLC0415 - below, in every worker that imports this module anew, it is there already
    from distributed import LocalCluster  # noqa: PLC0415 - as above

    # Looking at itself fifty or a hundred times a second is not what the cores are for.
    dask.config.set(
        {
            "distributed.worker.profile.enabled": False,
            "distributed.diagnostics.nvml": False,
            "distributed.admin.tick.interval": "500ms",
            "distributed.admin.system-monitor.interval": "5s",
        }
    )
    cluster = LocalCluster(  # type: ignore[no-untyped-call] # it has no types
        n_workers=settings["workers"],
        threads_per_worker=1,
        processes=True,
        host="127.0.0.1",
        # Without an address it would listen on a fixed port.
        dashboard_address="127.0.0.1:0",
        scheduler_kwargs={"dashboard": False, "allowed_failures": settings["failures"]},
        resources=settings["resources"],
        # Models are no part of a worker's memory, and have a limit of their own.
        memory_limit=0,
        local_directory=settings["folder"],
    )
    sys.stdout.write(cluster.scheduler_address + "\n")
    sys.stdout.close()
    threading.Event().wait()


if __name__ == "__main__":
    main()
