"""What a raw chat completion says: its content, and the JSON in it; or a clause that says what is wrong with it."""

import json
import re
from collections.abc import Mapping
from typing import Any

from pytest_asrgate.errors import ReplyError
from pytest_asrgate.jsonlines import strict_json
from pytest_asrgate.judge.failures import CutOffError, RefusedError
from pytest_asrgate.values import shown, without_surrogates

__all__ = ["content_of", "json_of", "served_by"]

# In characters; a reply that has reasons for a hundred differences is a tenth of it.
LARGEST_REPLY = 200_000
# In characters, of what is wrong with a value.
_LONGEST_CLAUSE = 200
# Likewise, of a model or its fingerprint.
_LONGEST_NAME = 200

_CUT_OFF = {"length", "max_tokens"}
# The first is OpenAI's, the rest are names of other providers that litellm may hand on.
_REFUSED = {"content_filter", "refusal", "safety", "recitation", "blocklist", "prohibited_content", "spii"}
_TOOLS = {"tool_calls", "function_call"}
# An absolute one, on whatever system the server runs.
_PATH = re.compile(r"/|\\|[A-Za-z]:[/\\]")
# The first line of a reply that is one fenced block.
_FENCE = re.compile(r"```(?:json)?[ \t]*\n")


def content_of(body: Mapping[str, Any]) -> str:
    """The text of the first choice.

    Raises RefusedError where the model refused or a filter stopped it, CutOffError where it reached `max_tokens`,
    and ReplyError for what else is no whole text.
    """
    choices = body.get("choices")
    if not isinstance(choices, list) or not choices:
        raise ReplyError("the reply has no choices")
    choice = choices[0]
    message = choice.get("message") if isinstance(choice, Mapping) else None
    if not isinstance(message, Mapping):
        raise ReplyError("the reply has no message")
    finish = str(choice.get("finish_reason") or "").lower()
    if finish in _REFUSED:
        raise RefusedError(f"a filter stopped the reply (finish_reason {finish})")
    if message.get("refusal"):
        raise RefusedError(f"the model refused to answer: {shown(message['refusal'])}")
    if finish in _CUT_OFF:
        raise CutOffError(f"the reply was cut off (finish_reason {finish}): raise judge.max_tokens")
    if finish in _TOOLS:
        raise ReplyError(f"the reply calls a tool (finish_reason {finish}), and none was offered")
    content = message.get("content")
    if content is None:
        raise ReplyError("the reply has no content")
    if not isinstance(content, str):
        raise ReplyError(f"the reply's content is a {type(content).__name__}, not a text")
    if not content.strip():
        raise ReplyError("the reply is empty")
    return content


def served_by(body: Mapping[str, Any]) -> str:
    """What a server says that it served: `model`, or `model (fingerprint)`; empty where it names no model.

    Of a path, which servers of one's own give, only the file: the same one lies elsewhere on another machine.
    """
    model, fingerprint = (_name(body.get(key)) for key in ("model", "system_fingerprint"))
    if _PATH.match(model):
        model = re.split(r"[/\\]", model)[-1]
    return f"{model} ({fingerprint})" if model and fingerprint else model


def _name(value: object) -> str:
    # Anybody's words: one line of them, and no endless one.
    return " ".join(without_surrogates(value).split())[:_LONGEST_NAME] if isinstance(value, str) else ""


def json_of(content: str) -> object:
    """The JSON value that a content is, bare or in one ``` fence; ReplyError for anything else.

    Text before or after it is refused, and so are NaN, infinities, doubled keys and halves of characters.
    """
    if len(content) > LARGEST_REPLY:
        raise ReplyError(f"the reply is longer than {LARGEST_REPLY} characters")
    text = content.strip()
    fence = _FENCE.match(text)
    if fence and text.endswith("```"):
        text = text[fence.end() : -3]
    try:
        value = strict_json(text)
    except json.JSONDecodeError as error:
        raise ReplyError(f"the reply is no JSON: {error.msg} at character {error.pos + 1}") from error
    except UnicodeEncodeError as error:
        raise ReplyError("the reply holds half a character (a lone surrogate)") from error
    except RecursionError as error:
        raise ReplyError("the reply is nested too deeply") from error
    except ValueError as error:
        # Also a whole number of thousands of digits, which Python does not read.
        raise ReplyError(f"the reply is no JSON that can be used: {str(error)[:_LONGEST_CLAUSE]}") from error
    return value
