"""Questions that must be asked: several at once, each reply checked, repaired once where it is bad, and kept."""

import asyncio
from collections import deque
from collections.abc import MutableMapping, Sequence

from pytest_asrgate.config import JudgeSettings
from pytest_asrgate.errors import ReplyError
from pytest_asrgate.judge.calls import Calls
from pytest_asrgate.judge.failures import CutOffError, RefusedError, redact, told
from pytest_asrgate.judge.kept import KeptReplies
from pytest_asrgate.judge.replies import content_of, json_of
from pytest_asrgate.judge.requests import repair_of, request_of
from pytest_asrgate.judge.task import Failure, FailureKind, Question, Ruling
from pytest_asrgate.judge.voting import Reply, deliberate

__all__ = ["Asked", "Inquiry"]

# A question and the keys of its votes.
Asked = tuple[Question, tuple[str, ...]]


class Inquiry:
    """Asks questions of one model; all methods belong to one loop."""

    def __init__(self, settings: JudgeSettings, kept: KeptReplies, calls: Calls) -> None:
        self.calls = calls
        self._settings = settings
        self._kept = kept

    async def ask_all(self, questions: Sequence[Asked], ruled: MutableMapping[str, Ruling | Failure]) -> None:
        """Put what comes of each question under the key of its first vote, as soon as it is known.

        At most `concurrency` are in flight, begun in order. The first error of the judge itself ends all.
        """
        waiting = deque(questions)
        workers = [
            asyncio.create_task(self._work(waiting, ruled))
            for _ in range(min(max(1, self._settings.concurrency), len(questions)))
        ]
        try:
            await asyncio.gather(*workers)
        finally:
            # A call that ends as it is cancelled may swallow that (wait_for of Python 3.11); none follows it.
            waiting.clear()
            for worker in workers:
                worker.cancel()
            await asyncio.gather(*workers, return_exceptions=True)

    async def _work(self, waiting: deque[Asked], ruled: MutableMapping[str, Ruling | Failure]) -> None:
        while waiting:
            question, keys = waiting.popleft()
            ruled[keys[0]] = await self._rule(question, keys)

    async def _rule(self, question: Question, keys: tuple[str, ...]) -> Ruling | Failure:
        steps = deliberate(question, len(keys))
        vote = next(steps)
        while True:
            reply = await self._reply(question, keys, vote)
            try:
                vote = steps.send(reply)
            except StopIteration as end:
                ruled: Ruling | Failure = end.value
                return ruled

    async def _reply(self, question: Question, keys: tuple[str, ...], vote: int) -> Reply:
        """The reply of one vote: kept, also meanwhile by another process, or else fresh."""
        kept = self._kept.find(question, keys, vote)
        if kept is not None:
            self._kept.replayed += not isinstance(kept, Failure)
            return kept
        first = request = request_of(question, self._settings, vote)
        wrong = ""
        for again in (False, True):
            self.calls.repaired += again
            response = await self.calls.answer(request)
            if isinstance(response, Failure):
                return response
            content = ""
            try:
                # A server could send back the key that it was given.
                content = redact(content_of(response.body), self._settings)
                reply = question.task.parse(question, json_of(content))
            except RefusedError as error:
                return self._failure(FailureKind.REFUSED, str(error))
            except CutOffError as error:
                limit = self._settings.max_tokens
                return self._failure(FailureKind.MALFORMED, f"{error}, which is {limit}")
            except ReplyError as error:
                wrong = told(str(error), self._settings)
                request = repair_of(first, content, wrong)
                continue
            # Nothing is awaited between a reply's coming and its keeping, so nothing can be cancelled there.
            self._kept.keep(question, key=keys[vote], vote=vote, request=first, response=response, content=content)
            return reply
        return self._failure(FailureKind.MALFORMED, f"{wrong}, and so after one try to repair it")

    def _failure(self, kind: FailureKind, clause: str) -> Failure:
        return Failure(kind, f"judge {self._settings.model}: {told(clause, self._settings)}")
