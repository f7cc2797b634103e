"""Calls to a model, within the budget and against the clock: repeated while that may help, given up where not."""

import asyncio
import math
from collections.abc import Awaitable, Callable
from dataclasses import replace

from pytest_asrgate.config import JudgeSettings
from pytest_asrgate.errors import AsrGateError
from pytest_asrgate.judge.asking import Asker, Request, Response
from pytest_asrgate.judge.budget import Budget, BudgetError
from pytest_asrgate.judge.failures import CallError, told
from pytest_asrgate.judge.task import Failure, FailureKind
from pytest_asrgate.records.judged import Spending
from pytest_asrgate.values import plural

__all__ = ["Calls"]

# In seconds: how long is waited before the same call is made again, doubling from the first to the longest. Without
# jitter, since `concurrency` bounds how many come back at once.
_RETRIES = 3
# A server that hangs holds each try up for the whole `timeout_s`.
_RETRIES_LATE = 1
_FIRST_WAIT_S = 0.5
_LONGEST_WAIT_S = 8.0
# A server may ask for a longer wait, up to here.
_LONGEST_RETRY_AFTER_S = 30.0
# So many questions or late calls in a row without an answer are an outage, and the rest is spared it. If so many
# are refused before any was answered, the server will have none.
_OUTAGE = 5
# In characters, of a whole sentence about a call.
_LONGEST_SENTENCE = 600


def _sound(response: Response) -> Response:
    """The response with amounts that can be added up and written down, whatever a server counted."""
    cost = response.cost_usd
    return replace(
        response,
        prompt_tokens=max(0, response.prompt_tokens),
        completion_tokens=max(0, response.completion_tokens),
        cost_usd=cost if cost is not None and math.isfinite(cost) and cost >= 0 else None,
    )


class Calls:
    """Makes the calls of one judge; all methods belong to one loop.

    `given_up` is the sentence that says why no more calls are made, empty while they are. `repaired` counts
    replies that were malformed and asked for once more.
    """

    def __init__(
        self, asker: Asker, settings: JudgeSettings, budget: Budget, sleep: Callable[[float], Awaitable[None]]
    ) -> None:
        self.asker = asker
        self.spending = Spending()
        self.given_up = ""
        self.repaired = 0
        self._repeated = 0
        self._late = 0
        self._told_given_up = False
        self._settings = settings
        self._budget = budget
        self._sleep = sleep
        self._failed_in_a_row = 0
        self._late_in_a_row = 0
        self._answered = False
        self._rejected = 0
        self._flying = 0
        self._uncounted: AsrGateError | None = None
        self._landed = asyncio.Event()

    async def answer(self, request: Request) -> Response | Failure:
        """What the model replies, whatever it holds; a Failure after all retries, or where no call may be made.

        JudgeError where no call can be made at all, such as a limit in money for a model without a price.
        """
        last: Failure | None = None
        tried = late = 0
        while not self.given_up:
            try:
                response = await self._call(request)
            except BudgetError as error:
                return Failure(FailureKind.BUDGET, str(error))
            except CallError as error:
                tried += 1
                late += error.timed_out
                last, wait_s = self._after(error, tried, late)
                self._note_failed(error, last, ended=wait_s is None)
                if wait_s is None:
                    return last
                # Whoever has given up meanwhile need not be waited for.
                if not self.given_up:
                    self._repeated += 1
                    await self._sleep(wait_s)
            else:
                self._answered = True
                self._failed_in_a_row = self._late_in_a_row = 0
                return response
        return last or Failure(
            FailureKind.NOT_ASKED, f"not asked, since an earlier question met this: {self.given_up}"
        )

    def _after(self, error: CallError, tried: int, late: int) -> tuple[Failure, float | None]:
        """What a call is that failed so often, and how long to wait before the next try, None for none."""
        sentence = told(str(error), self._settings, _LONGEST_SENTENCE)
        failure = Failure(error.kind, sentence)
        if error.fatal or not error.retry:
            return failure, None
        asked_s = error.retry_after_s or 0.0
        # Also where it is no number.
        if not asked_s <= _LONGEST_RETRY_AFTER_S:
            asked = f"it asks to wait {asked_s:g} s, longer than the {_LONGEST_RETRY_AFTER_S:g} s that are waited"
            return Failure(FailureKind.UNAVAILABLE, f"{sentence}; {asked}"), None
        if tried > _RETRIES or late > _RETRIES_LATE:
            return Failure(error.kind, f"{sentence} (tried {plural(tried, 'time')})"), None
        return failure, max(asked_s, min(_FIRST_WAIT_S * 2 ** (tried - 1), _LONGEST_WAIT_S))

    def _note_failed(self, error: CallError, failure: Failure, *, ended: bool) -> None:
        """Take in a call that failed, after which its question has `ended` or not; give up where all would fail."""
        why = ""
        if error.fatal:
            why = failure.sentence
        elif error.rejected and not self._answered:
            self._rejected += 1
            if self._rejected >= _OUTAGE:
                why = (
                    f"the first {_OUTAGE} questions were all refused, the last one so: {failure.sentence}; see "
                    "judge.model and judge.api_base"
                )
        elif error.timed_out or (ended and failure.kind is FailureKind.UNAVAILABLE):
            self._failed_in_a_row += 1
            self._late_in_a_row += error.timed_out
            if self._failed_in_a_row >= _OUTAGE:
                what = "calls" if self._late_in_a_row else "questions"
                why = f"{_OUTAGE} {what} in a row had no answer, the last one so: {failure.sentence}"
        self.given_up = self.given_up or why

    def take_notes(self) -> list[str]:
        """What a reader should know and was not told yet."""
        judge = f"judge {self._settings.model}"
        notes = []
        if self.repaired:
            notes.append(f"{judge}: malformed replies that were asked for once more: {self.repaired}")
        if self._repeated:
            notes.append(f"{judge}: calls that were made again after an error: {self._repeated}")
        if self._late:
            notes.append(
                f"{judge}: calls that were cut short, and may have been charged all the same: {self._late}; "
                "a budget counts each at the most that it can cost"
            )
        if self.given_up and not self._told_given_up:
            self._told_given_up = True
            notes.append(f"no further question is asked: {self.given_up}")
        self.repaired = self._repeated = self._late = 0
        return notes

    async def _reserve(self, largest: float | None) -> float:
        if self._uncounted is not None:
            raise self._uncounted
        while True:
            landed = self._landed
            try:
                return self._budget.reserve(largest)
            except BudgetError as error:
                # What calls in flight have reserved is mostly more than they cost.
                if error.final or not self._flying:
                    raise
            await landed.wait()

    async def _call(self, request: Request) -> Response:
        """One call, paid for; CallError, or BudgetError where it is not made."""
        largest = self.asker.largest_cost_usd(request)
        reserved = await self._reserve(largest)
        begun, spent, known = asyncio.get_running_loop().time(), None, True
        self._flying += 1
        try:
            # By the clock on the wall, whatever the client does.
            response = await asyncio.wait_for(self.asker.ask(request), self._settings.timeout_s)
            response = spent = _sound(response)
        except CallError as error:
            spent = _sound(error.spent) if error.spent else None
            known = not self._is_late(begun)
            # A client may tell of its being cut short in its own way.
            error.timed_out = error.timed_out or not known
            raise
        except TimeoutError:
            known = False
            sentence = f"judge {self._settings.model}: no whole answer within {self._settings.timeout_s:g} s"
            raise CallError(sentence, retry=True, timed_out=True) from None
        except Exception as error:  # noqa: BLE001 - whatever a client lets through is told as an error of its call
            known = False
            raise CallError(f"judge {self._settings.model}: {type(error).__name__}: {error}") from None
        except BaseException:
            known = False
            raise
        finally:
            self._flying -= 1
            self._land(reserved, spent, largest, known=known)
        return response

    def _is_late(self, begun: float) -> bool:
        return asyncio.get_running_loop().time() - begun >= self._settings.timeout_s

    def _land(self, reserved: float, spent: Response | None, largest: float | None, *, known: bool) -> None:
        """Count a call that ended; one that was cut short may have been charged, so it counts at the most."""
        self._late += not known
        cost = 0.0 if known else None
        if spent is None:
            # What is free costs nothing whatever became of it, and without a price nothing is known.
            self.spending += Spending(calls=1, cost_usd=largest if not largest else cost)
        else:
            cost = spent.cost_usd
            self.spending += Spending(1, 0, spent.prompt_tokens, spent.completion_tokens, cost)
        try:
            self._budget.settle(reserved, cost)
        except AsrGateError as error:
            # The reply that came is kept first; the next call is not made.
            self._uncounted = error
        landed, self._landed = self._landed, asyncio.Event()
        landed.set()
