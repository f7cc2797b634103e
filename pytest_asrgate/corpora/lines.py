"""Text files of corpora, line by line, also where they are packed with gzip."""

import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, cast

from pytest_asrgate.errors import DatasetError

__all__ = ["text_lines"]

# In bytes; an hour of speech is 60 kB of text.
_LONGEST_LINE = 8_000_000


def _opened(path: Path) -> BinaryIO:
    # Opening a pipe may wait for ever.
    if path.exists() and not path.is_file():
        raise DatasetError(f"{path}: is no regular file")
    return cast("BinaryIO", gzip.open(path, "rb")) if path.suffix == ".gz" else path.open("rb")


def text_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield (line number from 1, line without its end) for each line that is not blank; `.gz` is unpacked.

    A byte order mark and CRLF are fine. Raises DatasetError naming file and line for what cannot be read, bytes
    that are not UTF-8, a NUL character, and a line of more than 8 MB.
    """
    number = 0
    try:
        with _opened(path) as file:
            for number, line in enumerate(iter(lambda: file.readline(_LONGEST_LINE + 1), b""), start=1):
                if len(line) > _LONGEST_LINE:
                    raise DatasetError(f"{path}:{number}: the line is longer than {_LONGEST_LINE // 10**6} MB")
                data = line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line
                try:
                    text = data.decode("utf-8").rstrip("\r\n")
                except UnicodeDecodeError as error:
                    raise DatasetError(
                        f"{path}:{number}: not UTF-8 at byte {error.start} of the line; save the file as UTF-8"
                    ) from error
                if "\0" in text:
                    raise DatasetError(f"{path}:{number}: holds a NUL character; this is no file of text")
                if text.strip():
                    yield number, text
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        problem = f"cannot be unpacked after line {number} ({error})"
        raise DatasetError(f"{path}: {problem}; get the file again") from error
    except OSError as error:
        raise DatasetError(f"{path}: cannot be read ({error.strerror})") from error
