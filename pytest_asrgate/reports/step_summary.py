"""The file that a step of GitHub Actions shows as its summary: others write there too, so it is only added to."""

import errno
import os
import stat
from collections.abc import Mapping
from pathlib import Path

__all__ = ["VARIABLE", "append_summary", "summary_file"]

VARIABLE = "GITHUB_STEP_SUMMARY"
# In bytes; GitHub drops the whole summary of a step that wrote more.
_LARGEST = 1024 * 1024


def summary_file(environment: Mapping[str, str]) -> Path | None:
    """The file that the environment names, if it names one."""
    name = environment.get(VARIABLE)
    return Path(name) if name else None


def append_summary(path: Path, text: str) -> None:
    """Add markdown to what stands in the file.

    OSError as it comes, for what is no regular file, and for one that would be too long.
    """
    # Opening a pipe would wait for its other end.
    handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NONBLOCK", 0), 0o666)
    with os.fdopen(handle, "ab") as file:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "is no regular file", str(path))
        # Whatever the last line of others is, ours begin a paragraph of their own.
        data = (f"\n\n{text}" if status.st_size else text).encode()
        if status.st_size + len(data) > _LARGEST:
            raise OSError(errno.EFBIG, "would be longer than the 1 MiB that GitHub shows of a step", str(path))
        file.write(data)
