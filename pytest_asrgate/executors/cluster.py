"""Connects to a Dask cluster: a scheduler that runs, one that a function of the user makes, or one of our own."""

import asyncio
import contextlib
import hashlib
import importlib
import importlib.util
import json
import logging
import os
import shutil
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from filelock import FileLock, Timeout

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
# What Dask may need, in seconds, to say that its own time is up.
_GRACE_S = 0.5
# Scratch folders of clusters of our own, and the lock in each that whoever uses it holds.
_SCRATCH = "asrgate-dask-"
_IN_USE = "in-use.lock"
# A function of the user that gives what a connection is encrypted with, which only Dask's client asks.
_LOADER = "distributed.client.security-loader"


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

    def workers(self) -> Mapping[str, Mapping[str, Any]] | None:
        """The cluster's workers that are ready for work, by address; None where it is silent but connected.

        Raises TranscriberError where it is gone.
        """
        try:
            # The client keeps only totals by itself.
            found = self.client.sync(self.client.scheduler.identity, callback_timeout=_ANSWER_S)
        except Exception as error:
            # It may be busy, or was stopped for a while: its workers go on.
            if isinstance(error, TimeoutError) and not self.lost():
                return None
            raise TranscriberError(self.lost() or f"{self._gone()} ({type(error).__name__})") from error
        return {name: each for name, each in found["workers"].items() if each.get("status") == "running"}

    def slots(self, need: Mapping[str, float]) -> int | None:
        """How many shards that need these resources the cluster decodes at once; None where it is silent."""
        workers = self.workers()
        if workers is None:
            return None
        return sum(slots_of(worker.get("resources") or {}, worker["nthreads"], need) for worker in workers.values())

    def nobody(self, need: Mapping[str, float], waited_s: float) -> str:
        """One sentence that no worker offers what a shard needs, and how to start one; or that nobody answers."""
        words = " ".join(f"{name}={amount:g}" for name, amount in sorted(need.items()))
        workers = self.workers()
        if workers is None:
            return f"{self._silent(waited_s)}; what was finished is kept, so run again once it does"
        count = len(workers)
        there = f"of its {plural(count, 'worker')} none offers" if count else "it has no worker that offers"
        return (
            f"executor: the Dask cluster at {self.address} decodes nothing: {there} {words} (waited for "
            f'{waited_s:g} s); start one with: dask worker {self.address} --resources "{words}"'
        )

    def _silent(self, waited_s: float) -> str:
        return f"the Dask scheduler at {self.address} has not answered for {waited_s:g} s"

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
        try:
            _end(lambda: self.client.close(timeout=2))
        finally:
            try:
                _end(self._close)
            finally:
                self._silence.end()


def _client(cluster: Any, timeout_s: float) -> Any:
    from distributed import Client  # noqa: PLC0415 - heavy, and a package of its own

    client: Any = Client  # its constructor has no types
    return client(cluster, timeout=timeout_s, set_as_default=False, name="pytest-asrgate")


def _end(close: Callable[[], object]) -> None:
    """Close something of the user or of Dask, whatever it says to that."""
    with _quietly(), contextlib.suppress(Exception, SystemExit):
        close()


def _speak(address: str, wait_s: float) -> None:
    """Raise whatever keeps a scheduler at this address from saying its first word; TimeoutError where it is mute.

    Dask itself bounds only the way to the port, and its client waits for ever for a port that accepts and is mute.
    """
    import dask  # noqa: PLC0415 - a package that not everybody has
    from distributed.comm import core  # noqa: PLC0415 - as above
    from distributed.security import Security  # noqa: PLC0415 - as above

    if address.partition("://")[0] not in {"tcp", "tls", address} or dask.config.get(_LOADER, None):
        return
    failures: list[BaseException] = []

    async def hear() -> None:
        security: Any = Security  # as below, it has no types
        reach: Any = core.connect
        comm = await reach(address, timeout=wait_s, **security().get_connection_args("client"))
        comm.abort()

    async def hear_in_time() -> None:
        await asyncio.wait_for(hear(), wait_s + _GRACE_S)

    def run() -> None:
        try:
            asyncio.run(hear_in_time())
        except BaseException as error:  # noqa: BLE001 - it is raised by whoever waits
            failures.append(error)

    # A thread, since the caller's may have a loop that runs, as in a notebook; nobody has to wait for it.
    thread = threading.Thread(target=run, name="asrgate-dask", daemon=True)
    thread.start()
    thread.join(wait_s + 2 * _GRACE_S)
    if thread.is_alive() or any(type(error) is TimeoutError for error in failures):
        raise TimeoutError("it accepts connections and says nothing")
    if failures:
        raise failures[0]


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
            _speak(address, wait_s)
            return Link(_client(address, wait_s), silence, close=lambda: None)
    except Exception as error:
        # From a wrong scheme to a name that no server knows: each has an error of its own.
        raise TranscriberError(
            f"executor.address: no Dask scheduler answers at {address} within {wait_s:g} s "
            f"({_told(error)}); start one with `dask scheduler`, or mend the address"
        ) from error


def _module(name: str, folder: Path) -> ModuleType:
    """A module of the user: a file or package in this folder, or else whatever Python finds under its name.

    One of this folder has a name of its own among all modules, since another gate's may be called the same; but a
    dotted name is always looked up by Python.
    """
    places = folder / f"{name}.py", folder / name / "__init__.py"
    beside = next((place for place in places if place.is_file()), None)
    if "." in name or beside is None:
        return importlib.import_module(name)
    unique = f"asrgate_{hashlib.sha256(os.fsencode(beside.absolute())).hexdigest()[:16]}_{name}"
    spec = importlib.util.spec_from_file_location(unique, beside)
    if spec is None or spec.loader is None:
        raise ImportError(f"{beside} is no module")
    module = importlib.util.module_from_spec(spec)
    sys.modules[unique] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[unique]
        raise
    return module


def _called(name: str, folder: Path) -> Any:
    """What the function `module:function` of the user gives."""
    module, _, function = name.partition(":")
    sys.path.insert(0, str(folder))
    try:
        with _quietly():
            return getattr(_module(module, folder), function)()
    finally:
        with contextlib.suppress(ValueError):
            sys.path.remove(str(folder))


def _made(name: str, folder: Path, wait_s: float, silence: _Silence) -> Link:
    """The cluster that a function of the user makes, found beside the gate file or where Python finds modules."""
    key = f"executor.cluster: {name}"
    silence.begin()
    from distributed import Client  # noqa: PLC0415 - heavy, and a package of its own

    try:
        made = _called(name, folder)
    except (Exception, SystemExit) as error:
        raise TranscriberError(f"{key} failed ({_told(error)})") from error
    cluster: Any = made
    try:
        if isinstance(made, Client):
            cluster = made.cluster
            if made.status != "running":
                raise TranscriberError(
                    f"{key} returned a client that is {made.status}; return one that is connected"
                )
            return Link(made, silence, close=lambda: cluster.close() if cluster is not None else None)
        if not hasattr(made, "scheduler_address") or not hasattr(made, "close"):
            raise TranscriberError(f"{key} returned {type(made).__name__}, which is no Dask cluster or client")
        with _quietly():
            return Link(_client(made, wait_s), silence, close=made.close)
    except BaseException as error:
        # Whatever ends this, a batch job must not go on for nobody.
        for each in (made,) if cluster is made else (made, cluster):
            if hasattr(each, "close"):
                _end(each.close)
        if isinstance(error, Exception | SystemExit) and not isinstance(error, TranscriberError):
            raise TranscriberError(f"{key}: its scheduler does not answer ({_told(error)})") from error
        raise


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


def _sweep() -> None:
    """Remove what clusters of ours left whose process was killed, and could not."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_SCRATCH}*"):
        lock = folder / _IN_USE
        # Who is about to take its lock has none yet, and what is another user's is not ours to remove.
        with contextlib.suppress(OSError, Timeout):
            if lock.is_file() and lock.stat().st_uid == os.getuid():
                with FileLock(lock, timeout=0):
                    shutil.rmtree(folder, ignore_errors=True)


def _own(settings: ExecutorSettings, silence: _Silence) -> Link:
    """A cluster of this machine, in a process of its own that cannot outlive us."""
    _sweep()
    folder = tempfile.TemporaryDirectory(prefix=_SCRATCH, ignore_cleanup_errors=True)
    in_use = FileLock(Path(folder.name) / _IN_USE, thread_local=False)
    in_use.acquire()
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
        in_use.release()
        raise
    finally:
        os.close(writing)

    def close() -> None:
        host.close()
        folder.cleanup()
        in_use.release()

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
