"""What litellm raises, read as what became of a call: asked again, given up, or the end of all asking."""

import json
import math
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from urllib.parse import urlsplit, urlunsplit

from pytest_asrgate.config import JudgeSettings
from pytest_asrgate.judge.failures import CallError, told
from pytest_asrgate.judge.task import FailureKind

__all__ = ["call_error", "retry_after_s", "timed_out"]

# litellm's and its providers' ways to say these things, in the text where the type does not tell.
_NO_KEY = re.compile(
    r"missing[\w ]*(credentials|api key)|api key not valid|in(valid|correct) (x-)?api[ _-]key|"
    r"credentials were not found|locate credentials",
    re.I,
)
_FILTERED = re.compile(
    r"content[ _](management )?(policy|filter)|responsibleaipolicy|safety system|usage policies|flagged|moderation",
    re.I,
)
_TOO_LONG = re.compile(r"context (length|window|size)|too many tokens|prompt is too long", re.I)
_NO_MONEY = re.compile(r"insufficient[_ ](quota|credit|balance)|exceeded your current quota|credit balance", re.I)
# litellm does not know whom to ask.
_NO_PROVIDER = re.compile(r"LLM Provider NOT provided", re.I)
# The server answered, and what it sent is no completion.
_NO_COMPLETION = re.compile(
    r"no 'choices'|invalid response object|failed to (generate|validate) json|json_validate_failed", re.I
)

# "litellm.RateLimitError: RateLimitError: OpenAIException - " before what the provider says.
_PREFIX = re.compile(r"^((litellm\.)?\w*(Error|Timeout)( Error)?\w*: |\w+(Exception|Error)( \w+)? - )+")
# Gemini says how long to wait in the body.
_DELAY = re.compile(r'"retryDelay": ?"(\d+(?:\.\d+)?)s"')
_TRACEBACK = re.compile(r"\s*Traceback \(most recent call last\).*", re.DOTALL)


def retry_after_s(headers: Mapping[str, str] | None) -> float | None:
    """How long a server asks to wait, in seconds, given as such or as a date (RFC 9110, 10.2.3); None if not."""
    value = str((headers or {}).get("retry-after") or "").strip()
    try:
        seconds = float(value)
    except ValueError:
        try:
            moment = parsedate_to_datetime(value)
        except ValueError:
            return None
        # A date without a zone is one of Greenwich, as all dates of HTTP are.
        moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        seconds = max(0.0, (moment - datetime.now(UTC)).total_seconds())
    return seconds if math.isfinite(seconds) and seconds >= 0 else None


def _where(settings: JudgeSettings) -> str:
    """The model and its address, of which nothing is shown that often holds a secret: user, query and fragment."""
    name = f"judge {settings.model}"
    try:
        parts = urlsplit(settings.api_base)
        address = urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))
    except ValueError:
        address = ""
    return told(f"{name} at {address}" if address else name, settings)


def timed_out(settings: JudgeSettings) -> CallError:
    """The error of a call that was given up by the clock."""
    sentence = f"{_where(settings)}: no whole answer within {settings.timeout_s:g} s"
    return CallError(sentence, retry=True, timed_out=True)


def _said(full: str) -> str:
    """What the provider says, without litellm's names for it, and without the JSON around it."""
    text = _PREFIX.sub("", _TRACEBACK.sub("", full)).strip()
    try:
        said = json.loads(text)["error"]["message"]
    except (ValueError, LookupError, TypeError, RecursionError):
        return text
    return said if isinstance(said, str) and said.strip() else text


def _wait_s(error: Exception, full: str) -> float | None:
    headers = getattr(error, "litellm_response_headers", None)
    seconds = retry_after_s(headers if isinstance(headers, Mapping) else None)
    delay = _DELAY.search(full)
    return float(delay[1]) if seconds is None and delay else seconds


def _status(error: Exception) -> int:
    status = getattr(error, "status_code", None)
    return status if isinstance(status, int) else 0


def call_error(error: Exception, settings: JudgeSettings) -> CallError:
    """The CallError of what litellm raised, with the provider's text and without any key.

    Its types are litellm's; they are known by name, so that nothing is imported here. A status of 500 is also
    what litellm gives to a connection that failed.
    """
    full = str(error)
    names = {kind.__name__ for kind in type(error).__mro__}
    status = _status(error)
    text = told(_said(full) or type(error).__name__, settings)
    kind, retry, fatal, rejected, wait = FailureKind.UNAVAILABLE, False, False, False, None
    if "ContextWindowExceededError" in names or status == 413 or (status == 400 and _TOO_LONG.search(full)):
        kind, text = FailureKind.MALFORMED, f"the question is too long for the model: {text}"
    elif "ContentPolicyViolationError" in names or (status in (400, 403, 422) and _FILTERED.search(full)):
        kind, text = FailureKind.REFUSED, f"the question was refused: {text}"
    elif status in (401, 403) or _NO_KEY.search(full):
        kind, fatal = FailureKind.UNAUTHORISED, True
        text = f"the key is missing or refused: {text}; see judge.api_key"
    elif _NO_COMPLETION.search(full):
        kind, retry, text = FailureKind.MALFORMED, True, f"what came is no answer: {text}"
    elif status == 402 or (status in (400, 429) and _NO_MONEY.search(full)):
        fatal, text = True, f"the account is used up: {text}"
    elif status in (408, 409, 425, 429) or status >= 500 or "APIConnectionError" in names:
        retry, wait, text = True, _wait_s(error, full), f"no answer: {text}"
    elif status == 404 or _NO_PROVIDER.search(full):
        fatal, text = True, f"the request was refused: {text}; see judge.model and judge.api_base"
    elif status >= 400:
        # By what the question holds, or by what every question has in common: one alone does not tell.
        kind, rejected, text = FailureKind.REFUSED, True, f"the request was refused: {text}"
    else:
        text = f"{type(error).__name__}: {text}"
    sentence = f"{_where(settings)}: {text}"
    return CallError(sentence, kind=kind, retry=retry, retry_after_s=wait, fatal=fatal, rejected=rejected)
