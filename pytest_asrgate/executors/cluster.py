"""Connects to a Dask cluster: a scheduler that runs, one that a function of the user makes, or one of our own."""

import contextlib
import importlib
import importlib.util
import json
import logging
import os
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from pytest_asrgate.config import ExecutorSettings
from pytest_asrgate.errors import EngineMissingError, TranscriberError
from pytest_asrgate.executors.remote import slots_of
from pytest_asrgate.transcribers.lines import LineReader
from pytest_asrgate.transcribers.processes import SupervisedProcess, describe_exit
from pytest_asrgate.values import plural

__all__ = ["Link", "check_installed", "connect"]

# How long the cluster of our own may take to start, in seconds; a cold disk needs most of it.
_START_S = 120.0
# A scheduler that does not answer a short question within this is taken to be away.
_ANSWER_S = 15.0


def check_installed() -> None:
    """EngineMissingError where Dask is not installed."""
    if importlib.util.find_spec("distributed") is None:
        raise EngineMissingError(
            'executor.kind: "dask" needs Dask, which is not installed; install pytest-asrgate[dask]'
        )


@contextlib.contextmanager
def _quietly() -> Iterator[None]:
    """What Dask warns of while it connects must not end a run that forbids warnings."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


class _Silence:
    """What Dask prints of lost connections and the like is kept quiet: what matters of it are sentences of ours."""

    def __init__(self) -> None:
        self._levels: dict[str, int] = {}

    def begin(self) -> None:
        """From now on; it imports Dask, which gives its loggers levels of their own."""
        import distributed  # noqa: F401, PLC0415 - heavy, and a package of its own

        packages = {"distributed", "tornado"}
        names = [name for name in logging.root.manager.loggerDict if name.split(".")[0] in packages]
        self._levels = {name: logging.getLogger(name).level for name in names}
        for name in names:
            logging.getLogger(name).setLevel(logging.CRITICAL)

    def end(self) -> None:
        """Put the levels back."""
        for name, level in self._levels.items():
            logging.getLogger(name).setLevel(level)


class Link:
    """An open client of a cluster, and what else was opened for it."""

    def __init__(
        self, client: Any, silence: _Silence, *, host: SupervisedProcess | None = None, close: Callable[[], object]
    ) -> None:
        """`host` is the process of a cluster of our own; `close` ends what was opened beside the client."""
        self.client = client
        self.address = str(client.scheduler.address)
        self._host = host
        self._close = close
        self._silence = silence

    def workers(self) -> Mapping[str, Mapping[str, Any]]:
        """The cluster's workers that are ready for work, by address; TranscriberError where nobody answers."""
        try:
            # The client keeps only totals by itself.
            found = self.client.sync(self.client.scheduler.identity, callback_timeout=_ANSWER_S)
        except Exception as error:
            raise TranscriberError(self.lost() or f"{self._gone()} ({type(error).__name__})") from error
        return {name: each for name, each in found["workers"].items() if each.get("status") == "running"}

    def slots(self, need: Mapping[str, float]) -> int:
        """How many shards that need these resources the cluster decodes at once."""
        return sum(
            slots_of(worker.get("resources") or {}, worker["nthreads"], need) for worker in self.workers().values()
        )

    def nobody(self, need: Mapping[str, float], waited_s: float) -> str:
        """One sentence that no worker offers what a shard needs, and how to start one that does."""
        words = " ".join(f"{name}={amount:g}" for name, amount in sorted(need.items()))
        count = len(self.workers())
        there = f"of its {plural(count, 'worker')} none offers" if count else "it has no worker that offers"
        return (
            f"executor: the Dask cluster at {self.address} decodes nothing: {there} {words} (waited for "
            f'{waited_s:g} s); start one with: dask worker {self.address} --resources "{words}"'
        )

    def _gone(self) -> str:
        return (
            f"the connection to the Dask scheduler at {self.address} was lost; what was finished is kept, so run "
            "again once it is back"
        )

    def lost(self) -> str:
        """One sentence where the cluster cannot be used any more; empty where nothing is known of that."""
        running = self.client.status == "running"
        # A process that just died is seen a moment after its connections.
        code = None if self._host is None else self._host.wait(0.0 if running else 1.0)
        if self._host is not None and code is not None:
            how, last = describe_exit(code), self._host.last_lines() or "none"
            return (
                f"the Dask cluster of this machine ended with {how}; what was finished is kept; last output: {last}"
            )
        return "" if running else self._gone()

    def close(self) -> None:
        """Leave the cluster, and end it where it was opened here."""
        with _quietly(), contextlib.suppress(Exception):
            self.client.close(timeout=2)
        with _quietly(), contextlib.suppress(Exception):
            self._close()
        self._silence.end()


def _client(cluster: Any, timeout_s: float) -> Any:
    from distributed import Client  # noqa: PLC0415 - heavy, and a package of its own

    client: Any = Client  # its constructor has no types
    return client(cluster, timeout=timeout_s, set_as_default=False, name="pytest-asrgate")


def _told(error: BaseException) -> str:
    """An exception as a sentence quotes it, with the one that it came from: Dask tells the cause apart."""
    first = error
    while first.__cause__ is not None:
        first = first.__cause__
    texts = dict.fromkeys(f"{type(each).__name__}: {' '.join(str(each).split())[:300]}" for each in (error, first))
    return "; ".join(texts)


def _running(address: str, wait_s: float, silence: _Silence) -> Link:
    silence.begin()
    try:
        with _quietly():
            return Link(_client(address, wait_s), silence, close=lambda: None)
    except Exception as error:
        # From a wrong scheme to a name that no server knows: each has an error of its own.
        raise TranscriberError(
            f"executor.address: no Dask scheduler answers at {address} within {wait_s:g} s "
            f"({_told(error)}); start one with `dask scheduler`, or mend the address"
        ) from error


def _made(name: str, folder: Path, wait_s: float, silence: _Silence) -> Link:
    """The cluster that a function of the user makes, found beside the gate file or where Python finds modules."""
    key = f"executor.cluster: {name}"
    module, _, function = name.partition(":")
    silence.begin()
    sys.path.insert(0, str(folder))
    try:
        with _quietly():
            made = getattr(importlib.import_module(module), function)()
    except Exception as error:
        raise TranscriberError(f"{key} failed ({_told(error)})") from error
    finally:
        with contextlib.suppress(ValueError):
            sys.path.remove(str(folder))
    from distributed import Client  # noqa: PLC0415 - heavy, and a package of its own

    if isinstance(made, Client):
        cluster: Any = made.cluster
        return Link(made, silence, close=lambda: cluster.close() if cluster is not None else None)
    if not hasattr(made, "scheduler_address") or not hasattr(made, "close"):
        raise TranscriberError(f"{key} returned {type(made).__name__}, which is no Dask cluster or client")
    try:
        with _quietly():
            return Link(_client(made, wait_s), silence, close=made.close)
    except Exception as error:
        made.close()
        raise TranscriberError(f"{key}: its scheduler does not answer ({_told(error)})") from error


def _address(host: SupervisedProcess, reading: int) -> str:
    try:
        line = LineReader(reading, lambda: None).read(time.monotonic() + _START_S)
    except TimeoutError:
        line = None
    if not line:
        raise TranscriberError(
            f"the Dask cluster of this machine did not start; last output: {host.last_lines() or 'none'}"
        )
    return line.decode("utf-8", "replace").strip()


def _own(settings: ExecutorSettings, silence: _Silence) -> Link:
    """A cluster of this machine, in a process of its own that cannot outlive us."""
    folder = tempfile.TemporaryDirectory(prefix="asrgate-dask-", ignore_cleanup_errors=True)
    wanted = {
        "workers": settings.workers or 1,
        "resources": dict(settings.resources),
        "failures": settings.retries,
        "folder": folder.name,
    }
    program = [sys.executable, "-P", "-W", "ignore", "-m", "pytest_asrgate.executors.local_cluster"]
    reading, writing = os.pipe()
    try:
        host = SupervisedProcess([*program, json.dumps(wanted)], standard_output=writing)
    except BaseException:
        os.close(reading)
        folder.cleanup()
        raise
    finally:
        os.close(writing)

    def close() -> None:
        host.close()
        folder.cleanup()

    try:
        # What is imported here takes as long there: both at once.
        silence.begin()
        address = _address(host, reading)
        with _quietly():
            return Link(_client(address, settings.wait_s), silence, host=host, close=close)
    except BaseException:
        close()
        raise
    finally:
        os.close(reading)


def connect(settings: ExecutorSettings, folder: Path, redact: Callable[[str], str] = str) -> Link:
    """The cluster that the gate file asks for; `folder` is the gate's. TranscriberError where there is none."""
    check_installed()
    silence = _Silence()
    try:
        if settings.address is not None:
            link = _running(settings.address, settings.wait_s, silence)
        elif settings.cluster is not None:
            link = _made(settings.cluster, folder, settings.wait_s, silence)
        else:
            link = _own(settings, silence)
    except BaseException as error:
        silence.end()
        if isinstance(error, TranscriberError):
            raise TranscriberError(redact(str(error))) from error
        raise
    # From here on it only stands in sentences.
    link.address = redact(link.address)
    return link
