"""Claims about raw replies: whatever a server sends is a text, a refusal, or a clause on what is wrong."""

import json
from typing import Any

import pytest

from pytest_asrgate.errors import ReplyError
from pytest_asrgate.judge.failures import CutOffError, RefusedError
from pytest_asrgate.judge.replies import LARGEST_REPLY, content_of, json_of


def _body(content: object = "{}", finish: object = "stop", **message: object) -> dict[str, Any]:
    return {"choices": [{"finish_reason": finish, "message": {"content": content, **message}}]}


@pytest.mark.parametrize("finish", ["stop", None, "eos", "end_turn"])
def test_a_whole_reply_is_its_content(finish: object) -> None:
    """Servers name a normal end in several ways."""
    assert content_of(_body('{"a": 1}', finish)) == '{"a": 1}'


@pytest.mark.parametrize(
    ("body", "clause"),
    [
        ({}, "has no choices"),
        ({"choices": []}, "has no choices"),
        ({"choices": None}, "has no choices"),
        ({"choices": {"0": 1}}, "has no choices"),
        ({"choices": ["text"]}, "has no message"),
        ({"choices": [{"finish_reason": "stop"}]}, "has no message"),
        ({"choices": [{"message": "text"}]}, "has no message"),
        (_body(None), "has no content"),
        (_body(""), "is empty"),
        (_body(" \n"), "is empty"),
        (_body([{"type": "text", "text": "{}"}]), "content is a list, not a text"),
        (_body({"a": 1}), "content is a dict, not a text"),
        (_body(None, "tool_calls"), "calls a tool"),
    ],
)
def test_what_is_wrong_with_a_reply_is_said(body: dict[str, Any], clause: str) -> None:
    """A malformed reply is no refusal, so that it may be repaired."""
    with pytest.raises(ReplyError, match=clause) as caught:
        content_of(body)
    assert not isinstance(caught.value, RefusedError | CutOffError)


@pytest.mark.parametrize("content", ["{", "{}", None])
@pytest.mark.parametrize("finish", ["length", "max_tokens"])
def test_a_reply_that_was_cut_off_is_told_from_a_malformed_one(content: object, finish: str) -> None:
    """Whatever came of it; the sentence says what to raise."""
    with pytest.raises(CutOffError, match=rf"was cut off \(finish_reason {finish}\): raise judge.max_tokens"):
        content_of(_body(content, finish))


@pytest.mark.parametrize(
    "body",
    [
        _body("{}", "content_filter"),
        _body(None, "content_filter"),
        _body("", "SAFETY"),
        _body(None, "refusal"),
        _body("{}", "stop", refusal="I cannot help with that."),
        _body(None, "stop", refusal="No."),
    ],
)
def test_a_refusal_is_told_from_a_malformed_reply(body: dict[str, Any]) -> None:
    """By the filter's finish reason or by the refusal of the message, whatever the content looks like."""
    with pytest.raises(RefusedError):
        content_of(body)


def test_an_empty_refusal_is_none() -> None:
    """Servers send the key with null or an empty text."""
    assert content_of(_body("{}", "stop", refusal=None)) == "{}"
    assert content_of(_body("{}", "stop", refusal="")) == "{}"


@pytest.mark.parametrize(
    "content",
    [
        '{"a": [1, 2.5, null]}',
        ' {"a": [1, 2.5, null]}\n',
        '```json\n{"a": [1, 2.5, null]}\n```',
        '\n```\n{"a": [1, 2.5, null]}```\n',
    ],
)
def test_json_is_read_bare_or_in_one_fence(content: str) -> None:
    """Models wrap replies in a fence although they were told not to; nothing may stand beside it."""
    assert json_of(content) == {"a": [1, 2.5, None]}


@pytest.mark.parametrize(
    ("content", "clause"),
    [
        ("same", "is no JSON"),
        ('{"a": 1', "is no JSON"),
        ('{"a": 1} I hope this helps', "is no JSON: Extra data"),
        ('{"a": 1}{"a": 1}', "is no JSON: Extra data"),
        ('Sure: {"a": 1}', "is no JSON"),
        ('Sure:\n```json\n{"a": 1}\n```', "is no JSON"),
        ('```json\n{"a": 1}\n```\n```json\n{"a": 2}\n```', "is no JSON"),
        ('{"a": NaN}', "NaN"),
        ('{"a": [-Infinity]}', "an infinity is no JSON"),
        ('{"a": 1e999}', "1e999"),
        ('{"a": 1, "a": 2}', "'a' stands twice"),
        ('{"x": {"a": 1, "a": 1}}', "'a' stands twice"),
        ('{"a": "\\ud800"}', "half a character"),
        ("[" * 100_000, "nested too deeply|is no JSON"),
        ('{"a": ' + "9" * 5000 + "}", "is no JSON"),
        ("```\n" + " " * (LARGEST_REPLY - 10), "is no JSON"),
        ("```\n```", "is no JSON"),
        (json.dumps("x" * LARGEST_REPLY), "is longer than"),
    ],
)
def test_json_is_strict(content: str, clause: str) -> None:
    """No constant that is no JSON, no key twice, nothing before or after, no endless reply."""
    with pytest.raises(ReplyError, match=clause) as caught:
        json_of(content)
    assert len(str(caught.value)) < 400
