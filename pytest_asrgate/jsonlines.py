"""Reads and writes JSON lines and JSON files: BOM and CRLF are fine, what else is odd is named by file and line."""

import errno
import json
import math
import os
import re
import stat
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from pytest_asrgate.errors import DatasetError

__all__ = [
    "is_ours",
    "is_temporary_of",
    "json_text",
    "read_json",
    "read_object",
    "read_rows",
    "read_whole",
    "strict_json",
    "write_atomically",
    "write_rows",
]

# In bytes. An hour of speech is 60 kB of text; a line without an end, or a device, must not fill the memory.
_LONGEST_LINE = 64_000_000
# Likewise of files that are read at once: a score file of a million utterances.
_LARGEST = 1_000_000_000

# What marks a temporary file as ours, and when its writer is surely dead, in seconds.
_TEMPORARY = ".asrgate-"
_ABANDONED_S = 86_400.0


class _Constant(str):
    """NaN or an infinity, kept until its key is known."""

    __slots__ = ()


def _finite(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise ValueError(f"{digits} is too large a number")
    return value


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    row = dict(pairs)
    strange = next((key for key, value in pairs if isinstance(value, _Constant)), None)
    if strange is not None:
        raise ValueError(f"{strange!r} is {row[strange]}, which is no JSON value")
    if len(row) < len(pairs):
        times = Counter(key for key, _ in pairs)
        twice = next(key for key, number in times.items() if number > 1)
        raise ValueError(f"the key {twice!r} stands twice")
    return row


def _holds_constant(value: object) -> bool:
    """Whether a list holds one; objects were looked through when they were read."""
    if isinstance(value, list):
        return any(map(_holds_constant, value))
    if isinstance(value, dict):
        return any(_holds_constant(item) for item in value.values() if isinstance(item, list | dict))
    return isinstance(value, _Constant)


# The id of a row that cannot be used for another reason, where it stands whole in the line.
_ID = re.compile(r'"id"\s*:\s*"([^"\\\x00-\x1f\ufffd]+)"')


def _place(path: Path, number: int, data: bytes) -> str:
    """File and line of a row that cannot be read, and its id where that can be seen."""
    found = _ID.search(data.decode("utf-8", "replace"))
    return f"{path}:{number} ({found[1]})" if found else f"{path}:{number}"


def strict_json(text: str) -> Any:
    """What a JSON text says, without NaN, infinities, doubled keys and halves of characters.

    Raises ValueError (UnicodeEncodeError for half a character, JSONDecodeError for no JSON) or RecursionError.
    """
    try:
        value = json.loads(text, parse_constant=_Constant, parse_float=_finite, object_pairs_hook=_no_duplicates)
    except ValueError as error:
        # What Python says of it is on a setting of Python's, which nobody here can reach.
        if "integer string conversion" not in str(error):
            raise
        raise ValueError(
            "a whole number has thousands of digits; an index is a whole number from 0 to 10**15"
        ) from error
    if _holds_constant(value):
        raise ValueError("NaN or an infinity is no JSON value")
    # Half a character can be spelt in JSON, but no file could hold it afterwards.
    json.dumps(value, ensure_ascii=False).encode("utf-8")
    return value


def read_rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield (line number from 1, row) for each line that is not blank.

    Raises DatasetError naming file and line for a file that cannot be read, bytes that are not UTF-8, a line
    that is no JSON object (a truncated last line among them), NaN, infinities and doubled keys.
    """
    try:
        handle = path.open("rb")
    except OSError as error:
        raise DatasetError(f"{path}: cannot be read ({error.strerror})") from error
    with handle:
        for number, line in enumerate(iter(lambda: handle.readline(_LONGEST_LINE + 1), b""), start=1):
            if len(line) > _LONGEST_LINE:
                raise DatasetError(
                    f"{path}:{number}: the line is longer than {_LONGEST_LINE // 10**6} MB; this is no file of rows"
                )
            data = line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line
            try:
                text = data.decode("utf-8").strip()
                if not text:
                    continue
                row = strict_json(text)
            except UnicodeEncodeError as error:
                raise DatasetError(
                    f"{_place(path, number, data)}: holds half a character (a lone surrogate)"
                ) from error
            except UnicodeDecodeError as error:
                raise DatasetError(
                    f"{_place(path, number, data)}: not UTF-8 at byte {error.start} of the line"
                ) from error
            except json.JSONDecodeError as error:
                hint = "" if data.endswith(b"\n") else " (the last line: was the file cut short?)"
                raise DatasetError(f"{_place(path, number, data)}: no JSON object: {error.msg}{hint}") from error
            except (ValueError, RecursionError) as error:
                raise DatasetError(f"{_place(path, number, data)}: no usable JSON object: {error}") from error
            if not isinstance(row, dict):
                raise DatasetError(f"{path}:{number}: a row is a JSON object; got {type(row).__name__}")
            yield number, row


def read_whole(path: Path) -> bytes:
    """The bytes of a file; DatasetError for one that cannot be read, and for more than a gigabyte."""
    try:
        with path.open("rb") as file:
            data = file.read(_LARGEST + 1)
    except OSError as error:
        raise DatasetError(f"{path}: cannot be read ({error.strerror})") from error
    if len(data) > _LARGEST:
        raise DatasetError(f"{path}: is larger than {_LARGEST // 10**9} GB, and no such file is")
    return data


def read_json(path: Path) -> Any:
    """Read a file that is one JSON value.

    Raises DatasetError naming the file, and the line where there is one, for what `read_rows` refuses in a line.
    """
    data = read_whole(path).removeprefix(b"\xef\xbb\xbf")
    try:
        return strict_json(data.decode("utf-8"))
    except UnicodeEncodeError as error:
        raise DatasetError(f"{path}: holds half a character (a lone surrogate)") from error
    except UnicodeDecodeError as error:
        before = data[: error.start]
        line, place = before.count(b"\n") + 1, error.start - (before.rfind(b"\n") + 1)
        raise DatasetError(f"{path}:{line}: not UTF-8 at byte {place} of the line") from error
    except json.JSONDecodeError as error:
        hint = "" if data.rstrip().endswith((b"}", b"]")) else " (was the file cut short?)"
        raise DatasetError(f"{path}:{error.lineno}: no JSON object: {error.msg}{hint}") from error
    except (ValueError, RecursionError) as error:
        raise DatasetError(f"{path}: no usable JSON object: {error}") from error


def read_object(path: Path) -> dict[str, Any]:
    """Read a file that is one JSON object, in the order of its keys; DatasetError as for `read_json`."""
    value = read_json(path)
    if not isinstance(value, dict):
        raise DatasetError(f"{path}: must hold a JSON object; it holds {type(value).__name__}")
    return value


def is_ours(status: os.stat_result) -> bool:
    """Whether a file or folder, by its `lstat`, belongs to the user that this process runs as."""
    return not hasattr(os, "geteuid") or status.st_uid == os.geteuid()


def is_temporary_of(name: str, file: str) -> bool:
    """Whether a file has the name under which `write_atomically` begins to write one that is called `file`."""
    return re.fullmatch(re.escape(f".{file}{_TEMPORARY}") + "[a-z0-9_]{8}", name) is not None


@cache
def _remove_abandoned(path: Path) -> None:
    """Remove what writers of this very file left that were killed long ago, so that it does not pile up; once.

    Nobody else's file is touched, so no folder, no link and nothing of another user.
    """
    with suppress(OSError), os.scandir(path.parent) as entries:
        for entry in entries:
            if not is_temporary_of(entry.name, path.name):
                continue
            # Another process may do the same, and a file that cannot be removed keeps nobody from writing.
            with suppress(OSError):
                status = entry.stat(follow_symlinks=False)
                old = time.time() - status.st_mtime > _ABANDONED_S
                if old and stat.S_ISREG(status.st_mode) and is_ours(status):
                    Path(entry.path).unlink()


# What could move a cursor, turn a line round or end one for some reader: C1 controls, bidirectional marks and
# overrides, invisible characters, separators of lines and paragraphs, halves of characters, tags. Those that join
# letters stay, since scripts need them.
_UNSAFE = re.compile(
    "[\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff"
    "\U000e0000-\U000e007f]"
)


def json_text(value: object, indent: int | None = None) -> str:
    """A value as JSON, letters of any script as themselves; ValueError for NaN and infinities.

    Characters that a terminal or an editor would act on are escaped, so the file is safe to look at and reads
    back exactly.
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent)
    # json itself leaves DEL alone.
    return _UNSAFE.sub(lambda found: "\\u007f" if found[0] == "\x7f" else json.dumps(found[0])[1:-1], text)


def write_atomically(path: Path, text: str) -> None:
    """Write UTF-8 text under a temporary name beside `path`, then rename it.

    A link is followed. OSError as it comes, and for what is no file, such as a folder or a device.
    """
    path = Path(os.path.realpath(path))
    if path.exists() and not path.is_file():
        code = errno.EISDIR if path.is_dir() else errno.EINVAL
        raise OSError(code, "is a folder" if path.is_dir() else "is no regular file", str(path))
    path.parent.mkdir(parents=True, exist_ok=True)
    _remove_abandoned(path)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}{_TEMPORARY}")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        # mkstemp makes files private; a report is meant to be read by others as any new file is.
        mask = os.umask(0)
        os.umask(mask)
        Path(temporary).chmod(0o666 & ~mask)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def write_rows(path: Path, rows: Iterable[Mapping[str, object]]) -> None:
    """Write one JSON object a line, atomically; ValueError for NaN and infinities."""
    lines = [json_text(row) for row in rows]
    write_atomically(path, "".join(f"{line}\n" for line in lines))
