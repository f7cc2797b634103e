"""The file that a step of GitHub Actions shows as its summary: others write there too, so it is only added to."""

import errno
import os
import stat
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

__all__ = ["VARIABLE", "append_summary", "summary_file"]

VARIABLE = "GITHUB_STEP_SUMMARY"
# In bytes; GitHub drops the whole summary of a step that wrote more.
_LARGEST = 1024 * 1024


def summary_file(environment: Mapping[str, str]) -> Path | None:
    """The file that the environment names, if it names one."""
    name = environment.get(VARIABLE)
    return Path(name) if name else None


def _refuse_others(path: Path, status: os.stat_result) -> None:
    # Opening says of a folder what it is.
    if not stat.S_ISREG(status.st_mode) and not stat.S_ISDIR(status.st_mode):
        raise OSError(errno.EINVAL, "is no regular file", str(path))


def append_summary(path: Path, text: str) -> None:
    """Add markdown to what stands in the file.

    OSError as it comes, for what is no regular file, and for one that would be too long.
    """
    with suppress(FileNotFoundError):
        _refuse_others(path, path.stat())
    # Opening a pipe that came meanwhile would wait for its other end.
    handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NONBLOCK", 0), 0o666)
    with os.fdopen(handle, "ab") as file:
        status = os.fstat(handle)
        _refuse_others(path, status)
        # Whatever the last line of others is, ours begin a paragraph of their own.
        data = (f"\n\n{text}" if status.st_size else text).encode()
        if status.st_size + len(data) > _LARGEST:
            # Not EFBIG, which is a limit of this machine, and has another mend.
            raise OSError(errno.EMSGSIZE, "would be longer than the 1 MiB that GitHub shows of a step", str(path))
        file.write(data)
