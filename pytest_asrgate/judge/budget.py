"""What one run may spend on a judge: calls and money, reserved before each call, by all processes of the run."""

import hashlib
import json
import os
import re
import stat
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from pytest_asrgate.config import JudgeSettings
from pytest_asrgate.errors import JudgeError, with_mend
from pytest_asrgate.jsonlines import is_ours, write_atomically
from pytest_asrgate.locks import alone
from pytest_asrgate.values import finite_number, plural

__all__ = ["Budget", "BudgetError"]

# The id that pytest-xdist gives all workers of one run, and the name of each. Somebody may fix the id.
_RUN = "PYTEST_XDIST_TESTRUNUID"
_WORKER = "PYTEST_XDIST_WORKER"

_MARK = "judge budget"
_NAME = re.compile(r"budget-[0-9a-f]{32}\.json")
# In seconds: no run is this long, so its count is of a dead one.
_DEAD_S = 3 * 86_400.0
# In US dollars: sums of binary fractions are off by less, and no call costs so little.
_TINY_USD = 1e-9


class BudgetError(JudgeError):
    """A call that could exceed the budget, and so is not made.

    `final` says that no call of the run will be: calls stay counted, while money that is only reserved comes back.
    """

    def __init__(self, sentence: str, *, final: bool) -> None:
        super().__init__(sentence)
        self.final = final


@dataclass(frozen=True, slots=True)
class _Count:
    """What a run did so far; `reserved_usd` is what calls in flight cost at most."""

    calls: int = 0
    spent_usd: float = 0.0
    reserved_usd: float = 0.0


def _begun(pid: int) -> str:
    """A process by its id and, where /proc tells it, when it began, since ids are given again."""
    try:
        # What stands in brackets is its name, which may hold anything (proc_pid_stat(5), field 22).
        fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
        return f"{pid} at {int(fields[19])}"
    except (OSError, ValueError, IndexError):
        return str(pid)


def _this_run() -> str:
    """What the processes of one run have in common, and no other run has; empty for a run of one process.

    Workers of xdist stem from its controller; those that a program of one's own starts, one each, do not share it.
    """
    run = os.environ.get(_RUN, "")
    if not run:
        return ""
    return f"{run} of process {_begun(os.getppid() if os.environ.get(_WORKER) else os.getpid())}"


def _amount(usd: float) -> str:
    return f"{usd:.6f}".rstrip("0").rstrip(".")


def _count_of(row: object) -> _Count | None:
    """What the file of a run holds; None for one that is not ours."""
    if not isinstance(row, dict) or row.get("asrgate") != _MARK:
        return None
    calls, spent, reserved = (
        row.get("calls"),
        *(finite_number(row.get(key)) for key in ("spent_usd", "reserved_usd")),
    )
    if not isinstance(calls, int) or isinstance(calls, bool) or calls < 0:
        return None
    if spent is None or reserved is None or min(spent, reserved) < 0:
        return None
    return _Count(calls, spent, reserved)


class Budget:
    """Counts against `max_calls` and `max_cost_usd`; in memory, or in a file where the run has several processes.

    What a process reserved that was killed stays reserved for the run, since the call may have been charged.
    """

    def __init__(self, settings: JudgeSettings, run: str | None = None) -> None:
        self._settings = settings
        self._run = run or _this_run()
        self._limited = bool(settings.max_calls or settings.max_cost_usd)
        self._count = _Count()
        name = hashlib.sha256(self._run.encode("utf-8", "surrogateescape")).hexdigest()[:32]
        self._path = settings.folder / f"budget-{name}.json"
        self._swept = False

    def reserve(self, largest_usd: float | None) -> float:
        """Count a call that costs so much at most, None for an unknown price, and return what to settle.

        Raises BudgetError where it could exceed a limit, and JudgeError where a limit in money meets an unknown
        price, or where the count of the run cannot be kept.
        """
        if not self._limited:
            return 0.0
        if largest_usd is None and self._settings.max_cost_usd:
            raise JudgeError(
                f"judge.max_cost_usd is set, and the price of {self._settings.model} is not known; set "
                "judge.price_in_usd and judge.price_out_usd, or limit the run by judge.max_calls instead"
            )
        amount = largest_usd or 0.0
        self._change(lambda count: self._with_call(count, amount))
        return amount

    def settle(self, reserved_usd: float, actual_usd: float | None) -> None:
        """Put what a call did cost in place of what was reserved for it; None leaves that as spent."""
        if not self._limited:
            return
        actual = reserved_usd if actual_usd is None else actual_usd
        self._change(
            lambda count: replace(
                count,
                spent_usd=count.spent_usd + actual,
                # Never below zero by the last binary digit.
                reserved_usd=max(0.0, count.reserved_usd - reserved_usd),
            )
        )

    def _with_call(self, count: _Count, amount: float) -> _Count:
        settings = self._settings
        go_on = "in mode record a rerun goes on from here; or raise"
        if settings.max_calls and count.calls + 1 > settings.max_calls:
            raise BudgetError(
                f"judge.max_calls = {settings.max_calls} is reached: {plural(count.calls, 'call')} in this run; "
                f"{go_on} judge.max_calls",
                final=True,
            )
        used = count.spent_usd + count.reserved_usd
        if settings.max_cost_usd and amount and used + amount > settings.max_cost_usd + _TINY_USD:
            raise BudgetError(
                f"judge.max_cost_usd = {_amount(settings.max_cost_usd)} could be exceeded: {_amount(used)} US "
                f"dollars are spent or reserved in this run, and the next call costs up to {_amount(amount)}; "
                f"{go_on} judge.max_cost_usd",
                final=False,
            )
        return _Count(count.calls + 1, count.spent_usd, count.reserved_usd + amount)

    def _change(self, change: Callable[[_Count], _Count]) -> None:
        if not self._run:
            self._count = change(self._count)
            return
        with alone(self._settings.folder / "locks", "judge budget", lambda: None):
            self._sweep()
            count = change(self._read())
            row = {"asrgate": _MARK, "run": self._run, **asdict(count)}
            try:
                write_atomically(self._path, json.dumps(row))
            except OSError as error:
                sentence = f"{self._path}: the judge's budget cannot be counted ({error.strerror})"
                raise JudgeError(with_mend(sentence, error)) from error

    def _read(self) -> _Count:
        try:
            row: Any = json.loads(self._path.read_bytes())
        except FileNotFoundError:
            return _Count()
        except OSError as error:
            raise JudgeError(f"{self._path}: cannot be read ({error.strerror})") from error
        except (ValueError, RecursionError):
            row = None
        count = _count_of(row)
        if count is None:
            raise JudgeError(
                f"{self._path}: is no count of what the judge spent; remove it, and the run counts anew from zero"
            )
        return count

    def _sweep(self) -> None:
        """Remove the counts of runs that are long dead, once; nobody else's file, folder or link is touched."""
        if self._swept:
            return
        self._swept = True
        with suppress(OSError), os.scandir(self._settings.folder) as entries:
            for entry in entries:
                if not _NAME.fullmatch(entry.name) or entry.name == self._path.name:
                    continue
                # Another run may do the same, and a file that stays keeps nobody from judging.
                with suppress(OSError, ValueError, RecursionError):
                    status = entry.stat(follow_symlinks=False)
                    old = time.time() - status.st_mtime > _DEAD_S
                    ours = stat.S_ISREG(status.st_mode) and is_ours(status)
                    if old and ours and _count_of(json.loads(Path(entry.path).read_bytes())) is not None:
                        Path(entry.path).unlink()
