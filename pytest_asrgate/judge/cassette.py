"""Valid replies in a file of JSON lines, by what shaped them: to be committed, merged, read and replayed."""

import codecs
import hashlib
import json
import os
import re
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pytest_asrgate.errors import JudgeError, with_mend
from pytest_asrgate.jsonlines import json_text
from pytest_asrgate.locks import alone, lock_folder
from pytest_asrgate.values import finite_number

__all__ = ["Cassette", "Found", "Kept"]

# In bytes: 2,620 replies are 3 MB.
_LARGEST = 1_000_000_000
# Of a file that does not tell its size.
_AT_ONCE = 1_000_000

_KEY = re.compile("[0-9a-f]{64}")
# Not beside the cassette, which stands among files that people commit, and the same for gates that share it. Two
# cassettes of one lock wait for each other for the time that a line takes.
_LOCKED = Path(os.sep) / "judge cassettes"
_LOCKS_AT_MOST = 64

# What every line of ours begins with; a last line that begins otherwise was not torn by a writer of ours.
_BEGINNING = b'{"key": "'
# In characters: "false", and "\\u123" of an escape.
_LONGEST_WORD = 5
_CONFLICT = re.compile(rb"<{7} |={7}$|>{7} |\|{7} ")


@dataclass(frozen=True, slots=True)
class Kept:
    """One valid reply as its line has it; `vote` counts from 0, `cost_usd` is None where the price is not known.

    `data` is there for people to read; the reply is found by `key` alone. `date` is when it came, in UTC. `served`
    is what the server said that it served, empty where it did not, and in lines of earlier versions.
    """

    key: str
    task: str
    version: int
    model: str
    vote: int
    data: Mapping[str, object]
    content: str
    prompt_tokens: int
    completion_tokens: int
    cost_usd: float | None
    date: str
    served: str = ""


@dataclass(frozen=True, slots=True)
class Found:
    """A reply of a cassette, and its line, from 1."""

    reply: Kept
    line: int


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is no JSON value")


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _problem(row: Mapping[str, Any]) -> str:
    """The first key whose value cannot be, in a clause; empty for a reply."""
    if not isinstance(row.get("key"), str) or not _KEY.fullmatch(row["key"]):
        return "its key is no SHA-256"
    for name in ("task", "model", "content", "date"):
        if not isinstance(row.get(name), str):
            return f"its {name} is no text"
    if not isinstance(row.get("served", ""), str):
        return "its served is no text"
    for name in ("version", "vote", "prompt_tokens", "completion_tokens"):
        if not _is_count(row.get(name)):
            return f"its {name} is no count"
    if not isinstance(row.get("data"), dict):
        return "its data is no object"
    cost = row.get("cost_usd")
    amount = 0.0 if cost is None else finite_number(cost)
    return "its cost_usd is no amount" if amount is None or amount < 0 else ""


def _reply(line: bytes) -> Kept:
    """What a line holds; ValueError with a clause that says what is wrong with it."""
    if _CONFLICT.match(line):
        raise ValueError("is left from a merge; keep the replies of both sides and delete this line")
    try:
        row = json.loads(line.decode("utf-8"), parse_constant=_no_constant)
    except UnicodeDecodeError as error:
        raise ValueError("is not UTF-8") from error
    except json.JSONDecodeError as error:
        raise ValueError(f"is no JSON ({error.msg})") from error
    except RecursionError as error:
        raise ValueError("is no JSON (nested too deeply)") from error
    except ValueError as error:
        raise ValueError(f"is no JSON ({str(error)[:80]})") from error
    if not isinstance(row, dict):
        raise ValueError("must be a JSON object")
    problem = _problem(row)
    if problem:
        raise ValueError(f"is no reply of a judge: {problem}")
    # Other keys may be a later version's.
    known: dict[str, Any] = {name: row.get(name) for name in Kept.__dataclass_fields__}
    known["served"] = row.get("served", "")
    return Kept(**known)


def _is_torn(line: bytes) -> bool:
    """Whether the bytes are the beginning of a line of ours, which goes on after them.

    A whole line that is bad is not: nobody was killed while writing it.
    """
    if not (line.startswith(_BEGINNING) or _BEGINNING.startswith(line)):
        return False
    try:
        # The end of it may be half a character.
        text = codecs.getincrementaldecoder("utf-8")().decode(line).rstrip()
        json.loads(text, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        ends = error.pos >= len(text) or error.msg.startswith("Unterminated string")
        # Within a word, a number or an escape the error is told of where that begins.
        near = error.pos >= len(text) - _LONGEST_WORD and not text.endswith("}")
        return error.msg != "Extra data" and (ends or near)
    except (ValueError, RecursionError):
        return False
    return False


def _regular_only(path: Path) -> None:
    """Raise JudgeError for a pipe, which would be waited for, and a device, which has no end."""
    try:
        mode = path.stat().st_mode
    except OSError:
        # Opening it says what is wrong.
        return
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        raise JudgeError(f"{path}: a cassette must be a regular file, and this is a pipe, a socket or a device")


class Cassette:
    """The replies of one file, which other processes may write, too; nothing is made or changed by reading.

    Every method raises JudgeError where the file cannot be used, and names the line that is no reply. `torn_line`
    is the number of a last line that a killed writer left, as of what was read, from 1, and 0 for none.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._forget()

    def _forget(self) -> None:
        self._found: dict[str, Found] = {}
        # What was read up to, where a line began: bytes and lines; and which file that was.
        self._offset = 0
        self._lines = 0
        self.torn_line = 0
        self._file: tuple[int, int] | None = None
        self._size = -1

    def find(self, key: str) -> Found | None:
        """The reply that is kept under a key; the first one where there are two."""
        found = self._found.get(key)
        # A file that was exchanged may have lost it; to look costs some microseconds.
        if self._changed():
            self._read_on()
            found = self._found.get(key)
        return found

    def replies(self) -> Iterator[Kept]:
        """All replies, in the order of the file."""
        if self._changed():
            self._read_on()
        return (found.reply for found in self._found.values())

    def _changed(self) -> bool:
        try:
            status = self.path.stat()
        except FileNotFoundError:
            return self._size != -1
        except OSError:
            # Reading it says what keeps it from being read.
            return True
        return (status.st_dev, status.st_ino) != self._file or status.st_size != self._size

    def _read_on(self) -> None:
        _regular_only(self.path)
        try:
            with self.path.open("rb") as file:
                status = os.fstat(file.fileno())
                file.seek(max(self._offset - 1, 0))
                # Where it does not go on after the end of a line, it was written anew.
                goes_on = self._offset == 0 or file.read(1) == b"\n"
                if (status.st_dev, status.st_ino) != self._file or not goes_on:
                    self._forget()
                    file.seek(0)
                # Room is made for as much as may be read. What is added meanwhile is read later.
                data = file.read(min(max(status.st_size, _AT_ONCE), _LARGEST) + 1)
        except FileNotFoundError:
            self._forget()
            return
        except OSError as error:
            raise JudgeError(f"{self.path}: the cassette cannot be read ({error.strerror})") from error
        if len(data) > _LARGEST:
            raise JudgeError(f"{self.path}: is larger than {_LARGEST // 10**9} GB, and no cassette is")
        self._take(data)
        self._file, self._size = (status.st_dev, status.st_ino), status.st_size

    def _take(self, data: bytes) -> None:
        """Read the lines of what was added; one without an end is read again once it has grown."""
        *lines, rest = data.split(b"\n")
        self.torn_line = 0
        for line in lines:
            self._take_line(line, self._lines + 1)
            self._lines += 1
            self._offset += len(line) + 1
        if rest:
            self._take_line(rest, self._lines + 1, last=True)

    def _take_line(self, line: bytes, number: int, *, last: bool = False) -> None:
        text = (line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line).strip()
        if not text:
            return
        try:
            reply = _reply(text)
        except ValueError as error:
            if last and _is_torn(text):
                self.torn_line = number
                return
            mend = "" if "merge" in str(error) else "; delete the line, and record again what it answered"
            raise JudgeError(f"{self.path}:{number}: the line {error}{mend}") from error
        self._found.setdefault(reply.key, Found(reply, number))

    @contextmanager
    def _opened(self) -> Iterator[int]:
        """The file, for one writer of this machine at a time, to append to."""
        _regular_only(self.path)
        place = hashlib.sha256(os.fsencode(os.path.realpath(self.path))).digest()
        try:
            with alone(lock_folder(_LOCKED, read_only=True), f"cassette {place[0] % _LOCKS_AT_MOST}", lambda: None):
                self.path.parent.mkdir(parents=True, exist_ok=True)
                handle = os.open(
                    self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o666
                )
                try:
                    yield handle
                finally:
                    os.close(handle)
        except OSError as error:
            sentence = f"{self.path}: the cassette cannot be written ({error.strerror})"
            raise JudgeError(with_mend(sentence, error)) from error

    def check_writable(self) -> None:
        """Make the file if it is not there, so that no reply is paid for that could not be kept."""
        with self._opened():
            pass

    def keep(self, reply: Kept) -> None:
        """Append a reply; a line that a killed writer left torn is cut off."""
        line = f"{json_text(asdict(reply))}\n".encode()
        with self._opened() as handle:
            # Also tells whether this is a cassette at all, before it is written to.
            if self._changed():
                self._read_on()
            size = os.fstat(handle).st_size
            rest = os.pread(handle, size - self._offset, self._offset)
            if rest.strip():
                try:
                    _reply(rest.strip())
                except ValueError:
                    os.ftruncate(handle, self._offset)
                    self.torn_line = 0
                else:
                    line = b"\n" + line
            while line:
                line = line[os.write(handle, line) :]
