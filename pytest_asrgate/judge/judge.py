"""The judge: questions in, rulings out; each is asked once, its replies are kept, and what they cost is counted."""

from collections.abc import Awaitable, Callable, Sequence
from threading import Lock
from types import TracebackType
from typing import TYPE_CHECKING

from pytest_asrgate.config import JudgeSettings
from pytest_asrgate.errors import AsrGateError, JudgeError
from pytest_asrgate.judge.asking import Asker
from pytest_asrgate.judge.budget import Budget
from pytest_asrgate.judge.cassette import Cassette
from pytest_asrgate.judge.estimate import Estimate, Missing, estimate
from pytest_asrgate.judge.kept import KeptReplies
from pytest_asrgate.judge.requests import reply_keys, request_of
from pytest_asrgate.judge.task import Failure, Question, Ruling
from pytest_asrgate.records.calibration import Replies
from pytest_asrgate.records.judged import Spending
from pytest_asrgate.values import RULES

if TYPE_CHECKING:
    from pytest_asrgate.judge.inquiry import Asked, Inquiry
    from pytest_asrgate.judge.loop import LoopThread

__all__ = ["Estimate", "Judge"]


def _open_asker(settings: JudgeSettings) -> Asker:
    from pytest_asrgate.judge.client import open_asker  # noqa: PLC0415 - only a judge that is really asked needs it

    return open_asker(settings)


class Judge:
    """Judges questions of any task, in the mode and within the limits of the settings.

    In mode replay only the cassette answers. In record it is asked first, and keeps each valid reply as it comes;
    in live there is none. A context manager; `rule` may be called from any thread, one at a time.
    """

    def __init__(
        self,
        settings: JudgeSettings,
        *,
        open_asker: Callable[[JudgeSettings], Asker] = _open_asker,
        sleep: Callable[[float], Awaitable[None]] | None = None,
        run: str | None = None,
    ) -> None:
        if settings.votes < 1 or settings.votes % 2 == 0:
            raise JudgeError(
                f"judge.votes must be an odd number, so that there is a majority; got {settings.votes}"
            )
        self._settings = settings
        self._open_asker = open_asker
        self._sleep = sleep
        self._run = run
        self._cassette = None if settings.mode == "live" else Cassette(settings.cassette)
        self._kept = KeptReplies(settings, self._cassette)
        # By the key of the first vote; failures, too, since the same pair must not fare differently in one run.
        self._ruled: dict[str, Ruling | Failure] = {}
        self._asker: Asker | None = None
        self._loop: LoopThread | None = None
        self._inquiry: Inquiry | None = None
        self._ended: AsrGateError | None = None
        self._one_at_a_time = Lock()

    @property
    def model(self) -> str:
        """The model's name as the settings have it."""
        return self._settings.model

    @property
    def spending(self) -> Spending:
        """What was spent and replayed so far."""
        made = self._inquiry.calls.spending if self._inquiry else Spending()
        return made + Spending(replayed=self._kept.replayed)

    @property
    def served(self) -> tuple[str, ...]:
        """The names that servers gave the model of the replies used so far, fresh and kept ones, in order."""
        return tuple(self._kept.served)

    @property
    def replies(self) -> Replies:
        """How the replies used so far came, and when."""
        kept = self._kept
        return Replies(self._settings.mode, kept.fresh, kept.replayed, *kept.dates)

    def rule(self, questions: Sequence[Question]) -> list[Ruling | Failure]:
        """A ruling for each question, in order, or why there is none; equal questions are asked once.

        Raises JudgeError where nobody can be asked at all, or the cassette cannot be used. Where the caller is
        interrupted, calls in flight are given up, and each reply that came is kept.
        """
        with self._one_at_a_time:
            self._check(questions)
            every = [(question, reply_keys(question, self._settings)) for question in questions]
            missing: dict[str, tuple[Question, tuple[str, ...]]] = {}
            for question, keys in every:
                if keys[0] in self._ruled or keys[0] in missing:
                    continue
                ruled = self._kept.follow(question, keys)
                if not isinstance(ruled, int):
                    self._ruled[keys[0]] = ruled
                elif self._settings.mode == "replay":
                    self._ruled[keys[0]] = self._kept.absent(question, ruled)
                else:
                    missing[keys[0]] = question, keys
            if missing:
                self._ask(list(missing.values()))
            return [self._ruled[keys[0]] for _, keys in every]

    def estimate(self, questions: Sequence[Question]) -> Estimate:
        """What different questions would cost that are not answered yet; asks nobody.

        Raises JudgeError as `rule` does. Prices may need litellm, which is imported then.
        """
        with self._one_at_a_time:
            self._check(questions)
            different = {reply_keys(question, self._settings): question for question in questions}
            missing = [self._missing(question, keys) for keys, question in different.items()]
            names = {question.task.name for question in questions}
            kept = self._cassette.replies() if self._cassette else ()
            lengths = [reply.completion_tokens for reply in kept if reply.task in names]
            return estimate(missing, lengths, self._opened)

    def take_notes(self) -> list[str]:
        """What a reader should know of the calls and was not told yet."""
        return self._inquiry.calls.take_notes() if self._inquiry else []

    def close(self) -> None:
        """Let go of connections and the thread; what was ruled stays known. Once more does nothing."""
        asker, loop = self._asker, self._loop
        self._asker = self._loop = None
        if loop is None:
            if asker is None:
                return
            from pytest_asrgate.judge.loop import LoopThread  # noqa: PLC0415 - replaying must not pay for it

            # It told prices, and was never asked.
            loop = LoopThread()
        try:
            if asker is not None:
                loop.run(asker.close)
        finally:
            loop.close()

    def __enter__(self) -> "Judge":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _ask(self, asked: "list[Asked]") -> None:
        """Ask; what ended all asking once would do so again, and replies that came by then would be lost anew."""
        if self._ended is not None:
            raise self._ended
        inquiry, loop = self._start()
        try:
            loop.run(lambda: inquiry.ask_all(asked, self._ruled))
        except AsrGateError as error:
            self._ended = error
            raise

    def _check(self, questions: Sequence[Question]) -> None:
        """Raise JudgeError where there are questions and nobody that may answer them."""
        if questions and self._settings.mode == "off":
            raise JudgeError('judge.mode is "off", so nobody may be asked; set it to "replay", "record" or "live"')
        if questions and self.model == RULES:
            raise JudgeError('judge.model is "rules", which answers no question; set it to the name of a model')

    def _missing(self, question: Question, keys: tuple[str, ...]) -> Missing:
        """The calls that a question still needs."""
        lacks = KeptReplies(self._settings, self._cassette).follow(question, keys)
        if not isinstance(lacks, int) or keys[0] in self._ruled:
            return Missing((), ())
        absent = [
            request_of(question, self._settings, vote)
            for vote, key in enumerate(keys)
            if self._cassette is None or self._cassette.find(key) is None
        ]
        # A later vote is lacking only where the first reply has asked for all.
        sure = len(absent) if lacks or question.risky else 1
        return Missing(tuple(absent[:sure]), tuple(absent[sure:]))

    def _opened(self) -> Asker:
        if self._asker is None:
            self._asker = self._open_asker(self._settings)
        return self._asker

    def _start(self) -> "tuple[Inquiry, LoopThread]":
        """What asks, and the loop that it does it in; both are made at the first call."""
        import asyncio  # noqa: PLC0415 - replaying must not pay for it

        from pytest_asrgate.judge.calls import Calls  # noqa: PLC0415 - as above
        from pytest_asrgate.judge.inquiry import Inquiry  # noqa: PLC0415 - as above
        from pytest_asrgate.judge.loop import LoopThread  # noqa: PLC0415 - as above

        if self._settings.unset:
            raise JudgeError(
                f"judge.api_key or judge.api_base stand in {' and '.join(self._settings.unset)}, which the "
                "environment does not have, or has empty; set it, or replay what was recorded"
            )
        if self._cassette is not None:
            self._cassette.check_writable()
        asker = self._opened()
        if self._loop is None:
            self._loop = LoopThread()
        if self._inquiry is None:
            budget = Budget(self._settings, self._run)
            calls = Calls(asker, self._settings, budget, self._sleep or asyncio.sleep)
            self._inquiry = Inquiry(self._settings, self._kept, calls)
        self._inquiry.calls.asker = asker
        return self._inquiry, self._loop
