"""What goes wrong with a call or a reply, and how it is told: never with a secret, never with an endless text."""

import json
import os
import re
from urllib.parse import parse_qsl, quote

from pytest_asrgate.config import JudgeSettings
from pytest_asrgate.config.gate import redacted
from pytest_asrgate.errors import JudgeError, ReplyError
from pytest_asrgate.judge.asking import Response
from pytest_asrgate.judge.task import FailureKind

__all__ = ["CallError", "CutOffError", "RefusedError", "redact", "told"]

# In characters: what a provider says of an error is quoted up to here.
LONGEST_TEXT = 300

# Keys that litellm finds in the environment by itself are as secret as `judge.api_key`. How a text is cut into
# tokens is no secret.
_SECRET_NAMES = re.compile(r"token(?!i[sz])|api_?key|secret|password|credential", re.I)
# A shorter value of such a variable is no key, and replacing it would garble texts; so would an ordinary word or a
# number, up to a length that only a secret has.
_SHORTEST_KEY = 8
_LONGEST_WORD = 11
_ORDINARY = re.compile(r"[A-Za-z]+([ _-][A-Za-z]+)*|[+-]?\d+([.,:]\d+)*")
# User name and password in a URL.
_CREDENTIALS = re.compile(r"(?<=://)[^/@\s]+@")


class CallError(JudgeError):
    """One call to a model that was not answered.

    `kind` is what becomes of the question if it stays so. `retry` says that the same call may succeed later, and
    `retry_after_s` how long the server asks to wait, in seconds. `fatal` says that every other call would fail
    likewise: the key is refused, or the model is unknown. `rejected` says that the server would not have this
    request, and may not have any. `timed_out` is a call that was given up by the clock. `spent` is what was
    answered and paid for all the same.
    """

    def __init__(
        self,
        sentence: str,
        *,
        kind: FailureKind = FailureKind.UNAVAILABLE,
        retry: bool = False,
        retry_after_s: float | None = None,
        fatal: bool = False,
        rejected: bool = False,
        timed_out: bool = False,
        spent: Response | None = None,
    ) -> None:
        super().__init__(sentence)
        self.kind = kind
        self.retry = retry
        self.retry_after_s = retry_after_s
        self.fatal = fatal
        self.rejected = rejected
        self.timed_out = timed_out
        self.spent = spent


class CutOffError(ReplyError):
    """The reply reached `max_tokens`: a repair has the same limit, and would be cut off likewise."""


class RefusedError(ReplyError):
    """The model would not answer, or a filter stopped it: asking for a repair would not help."""


def _is_secret(value: str) -> bool:
    """Whether a variable with the name of a secret holds one: no word, no number, no file that a secret is in."""
    if len(value) < _SHORTEST_KEY or (len(value) <= _LONGEST_WORD and _ORDINARY.fullmatch(value)):
        return False
    # Path.exists raises for what no path can be.
    return not os.path.exists(value)  # noqa: PTH110 - as above


def redact(text: str, settings: JudgeSettings) -> str:
    """Put names where the key, any secret of the environment, or the secret parts of a URL stand."""
    secrets = {
        value: f"${{{name}}}"
        for name, value in os.environ.items()
        if _SECRET_NAMES.search(name) and _is_secret(value)
    }
    secrets[settings.api_key] = "(judge.api_key)"
    _, *hidden = re.split("[?#]", settings.api_base)
    hidden += [value for part in hidden for _, value in parse_qsl(part) if _is_secret(value)]
    secrets.update(dict.fromkeys(hidden, "…"))
    # As it stands in a URL, and in JSON or a quoted text.
    for value, name in list(secrets.items()):
        secrets.setdefault(quote(value, safe=""), name)
        secrets.setdefault(json.dumps(value)[1:-1], name)
    return _CREDENTIALS.sub("…@", redacted(text, secrets))


def told(text: str, settings: JudgeSettings, longest: int = LONGEST_TEXT) -> str:
    """What somebody else says, as a sentence of ours may quote it: one line, printable, short, without secrets."""
    # Redacted first: half a key at the cut would not be known any more.
    line = " ".join(redact(text, settings).split())
    line = "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in line)
    return line if len(line) <= longest else f"{line[:longest]}…"
