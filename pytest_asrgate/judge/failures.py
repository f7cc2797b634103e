"""What goes wrong with a call or a reply, and how it is told: never with a secret, never with an endless text."""

import json
import os
import re
from urllib.parse import quote

from pytest_asrgate.config import JudgeSettings
from pytest_asrgate.config.gate import redacted
from pytest_asrgate.errors import JudgeError, ReplyError
from pytest_asrgate.judge.asking import Response
from pytest_asrgate.judge.task import FailureKind

__all__ = ["CallError", "RefusedError", "redact", "told"]

# In characters: what a provider says of an error is quoted up to here.
LONGEST_TEXT = 300

# Keys that litellm finds in the environment by itself are as secret as `judge.api_key`.
_SECRET_NAMES = re.compile(r"(API_KEY|SECRET|SECRET_ACCESS_KEY|AUTH_TOKEN|SESSION_TOKEN|ACCESS_TOKEN|PASSWORD)$")
# A shorter value of such a variable is no key, and replacing it would garble texts.
_SHORTEST_KEY = 12
# User name and password in a URL.
_CREDENTIALS = re.compile(r"(?<=://)[^/@\s]+@")


class CallError(JudgeError):
    """One call to a model that was not answered.

    `kind` is what becomes of the question if it stays so. `retry` says that the same call may succeed later, and
    `retry_after_s` how long the server asks to wait, in seconds. `fatal` says that every other call would fail
    likewise: the key is refused, or the model is unknown. `spent` is what was answered and paid for all the same.
    """

    def __init__(
        self,
        sentence: str,
        *,
        kind: FailureKind = FailureKind.UNAVAILABLE,
        retry: bool = False,
        retry_after_s: float | None = None,
        fatal: bool = False,
        spent: Response | None = None,
    ) -> None:
        super().__init__(sentence)
        self.kind = kind
        self.retry = retry
        self.retry_after_s = retry_after_s
        self.fatal = fatal
        self.spent = spent


class RefusedError(ReplyError):
    """The model would not answer, or a filter stopped it: asking for a repair would not help."""


def redact(text: str, settings: JudgeSettings) -> str:
    """Put names where the key, any key of the environment, or the credentials of a URL stand."""
    named = {name: value for name, value in os.environ.items() if _SECRET_NAMES.search(name)}
    secrets = {value: f"${{{name}}}" for name, value in named.items() if len(value) >= _SHORTEST_KEY}
    secrets[settings.api_key] = "(judge.api_key)"
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
