"""Replies that were kept, read again as strictly as fresh ones."""

from datetime import UTC, datetime

from pytest_asrgate.config import JudgeSettings
from pytest_asrgate.errors import ReplyError
from pytest_asrgate.judge.asking import Request, Response
from pytest_asrgate.judge.cassette import Cassette, Kept
from pytest_asrgate.judge.failures import redact, told
from pytest_asrgate.judge.replies import json_of, served_by
from pytest_asrgate.judge.task import Failure, FailureKind, Question, Ruling
from pytest_asrgate.judge.voting import Reply, deliberate

__all__ = ["KeptReplies"]


class KeptReplies:
    """The cassette of one judge, as replies to questions; without one there are none, and none are kept.

    `keys` are those of a question's votes, as `reply_keys` gives them. `replayed` counts replies that were used;
    `fresh` counts those that came and were valid; `served` are the names that servers gave the model of replies
    that were read or came, in order; `dates` is when the first and the last of them came, as cassettes have it.
    """

    def __init__(self, settings: JudgeSettings, cassette: Cassette | None) -> None:
        self.replayed = 0
        self.fresh = 0
        self.served: dict[str, None] = {}
        self.dates: tuple[str, str] = "", ""
        self._settings = settings
        self._cassette = cassette

    def find(self, question: Question, keys: tuple[str, ...], vote: int) -> Reply | None:
        """The reply of one vote, None where there is none, a Failure where it is not what was asked for."""
        found = self._cassette.find(keys[vote]) if self._cassette else None
        if found is None:
            return None
        try:
            reply = question.task.parse(question, json_of(found.reply.content))
        except ReplyError as error:
            return Failure(
                FailureKind.MALFORMED,
                f"{self._settings.cassette}:{found.line}: the kept reply is not what was asked for: "
                f"{told(str(error), self._settings)}; delete the line, and record again what it answered",
            )
        self._note(found.reply.served, found.reply.date)
        return reply

    def _note(self, served: str, date: str) -> None:
        if served:
            self.served[served] = None
        first, last = self.dates
        self.dates = min(first or date, date), max(last, date)

    def follow(self, question: Question, keys: tuple[str, ...]) -> Ruling | Failure | int:
        """What comes of the kept replies alone, or else the number of the first vote that they lack."""
        steps = deliberate(question, len(keys))
        vote, used = next(steps), 0
        while True:
            reply = self.find(question, keys, vote)
            if reply is None:
                return vote
            used += not isinstance(reply, Failure)
            try:
                vote = steps.send(reply)
            except StopIteration as end:
                self.replayed += used
                ruled: Ruling | Failure = end.value
                return ruled

    def absent(self, question: Question, vote: int) -> Failure:
        """The failure of a question that only the cassette may answer."""
        path, votes = self._settings.cassette, self._settings.votes
        what = f"no reply to this {question.task.name} question (vote {vote + 1} of up to {votes})"
        where = f"{path} has {what}" if path.exists() else f"there is no cassette {path}, so {what}"
        if self._cassette is not None and self._cassette.torn_line:
            where += f" (its last line, {self._cassette.torn_line}, is torn and was passed over)"
        return Failure(
            FailureKind.MISSING,
            f"{where} from {self._settings.model}; to record it, set judge.mode = "
            '"record" or run with --asrgate-judge=record',
        )

    def keep(
        self, question: Question, *, key: str, vote: int, request: Request, response: Response, content: str
    ) -> None:
        """Keep a valid reply under its key; JudgeError where the cassette cannot be written."""
        # A server could send back the key that it was given, here too.
        served = redact(served_by(response.body), self._settings)
        date = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        self._note(served, date)
        self.fresh += 1
        if self._cassette is None:
            return
        self._cassette.keep(
            Kept(
                key=key,
                task=question.task.name,
                version=question.task.version,
                model=request.model,
                vote=vote,
                data=question.data,
                content=content,
                prompt_tokens=response.prompt_tokens,
                completion_tokens=response.completion_tokens,
                cost_usd=response.cost_usd,
                date=date,
                served=served,
            )
        )
