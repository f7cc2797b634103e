"""Files on a worker: where they are, or fetched from a URL once; always the bytes that the controller has."""

import contextlib
import hashlib
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

from pytest_asrgate.errors import TranscriberError
from pytest_asrgate.executors.folders import is_url
from pytest_asrgate.hashing import file_sha256

__all__ = ["another_file", "local_file"]

_PIECE = 1 << 20


def _cache() -> Path:
    from platformdirs import user_cache_path  # noqa: PLC0415 - only where something is really fetched

    return user_cache_path("pytest-asrgate") / "fetched"


def _write(url: str, file: IO[bytes]) -> str:
    """Copy what a URL gives into an open file; returns its SHA-256."""
    try:
        import fsspec  # noqa: PLC0415 - it comes with dask, and only a URL needs it
    except ImportError as error:
        raise TranscriberError(f"{url} cannot be fetched: fsspec is not installed") from error
    digest = hashlib.sha256()
    try:
        # Not fsspec.open, to which "::" in a name is a chain of URLs; what it does without one.
        kind: Any = fsspec.get_filesystem_class(url.partition("://")[0])
        storage: Any = kind(**kind._get_kwargs_from_urls(url))
        with storage.open(kind._strip_protocol(url), "rb") as opened:
            while piece := opened.read(_PIECE):
                digest.update(piece)
                file.write(piece)
    except Exception as error:
        # Every kind of storage has errors of its own.
        raise TranscriberError(f"{url} cannot be fetched ({type(error).__name__}: {error})") from error
    return digest.hexdigest()


def _fetched(url: str, name: str, sha256: str, cache: Path, read: Callable[[Path], str]) -> Path:
    """The file of a URL, from the cache where it was fetched before; its bytes are checked either way."""
    target = cache / sha256[:2] / sha256 / name
    with contextlib.suppress(OSError):
        if read(target) == sha256:
            return target
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=".unfinished-")
    try:
        with os.fdopen(handle, "wb") as file:
            found = _write(url, file)
        if found != sha256:
            raise TranscriberError(another_file(url, found, sha256))
        # Whoever comes second puts the same bytes there.
        Path(temporary).replace(target)
    finally:
        Path(temporary).unlink(missing_ok=True)
    return target


def another_file(place: str, found: str, wanted: str) -> str:
    """A clause that the file at a place has not the SHA-256 that is wanted."""
    return f"{place} is another file: its SHA-256 is {found}, the gate's is {wanted}"


def local_file(
    place: str,
    name: str,
    sha256: str,
    cache: Callable[[], Path] = _cache,
    read: Callable[[Path], str] = file_sha256,
) -> Path:
    """The file at a path or URL, whose bytes have this SHA-256; `name` is what a fetched file is called.

    `cache` is the folder of fetched files, and `read` gives the SHA-256 of a file.

    Raises TranscriberError, with a clause that names the place, for a file that is absent, cannot be read or
    fetched, or is another one.
    """
    try:
        if is_url(place):
            return _fetched(place, name, sha256, cache(), read)
        # An engine may run in another folder than its worker does.
        path = Path(place).absolute()
        found = read(path)
    except OSError as error:
        raise TranscriberError(f"{error.filename or place} cannot be read ({error.strerror})") from error
    if found != sha256:
        raise TranscriberError(another_file(str(path), found, sha256))
    return path
