"""Claims about estimates: what judging would cost, told before anybody is asked."""

import json
from pathlib import Path
from typing import Any

import pytest

from pytest_asrgate.judge.judge import Judge
from pytest_asrgate.records.judged import Spending
from tests.unit.judge_stand_ins import Script, answer, question, said, settings, sleeper


def _judge(folder: Path, script: Script, slept: list[float] | None = None, **given: Any) -> Judge:
    sleep = sleeper([] if slept is None else slept)
    return Judge(settings(folder, **given), open_asker=script.open, sleep=sleep)


def test_an_estimate_counts_what_is_missing(tmp_path: Path) -> None:
    """At least and at most; what the cassette has costs nothing; equal questions count once."""
    script = Script()
    asked = [question("red"), question("blue", risky=["a number differs"]), question("red"), question("green")]
    with _judge(tmp_path, script, max_tokens=1000) as judge:
        judge.rule([question("green")])
        before = len(script.asked)
        found = judge.estimate(asked)
        assert len(script.asked) == before
    assert (found.questions, found.answered, found.calls_at_least, found.calls_at_most) == (3, 1, 1 + 3, 3 + 3)
    assert 0 < found.prompt_tokens_at_least < found.prompt_tokens_at_most
    # The cassette's one reply has 20 tokens.
    assert (found.completion_tokens_at_least, found.completion_tokens_at_most) == (4 * 20, 6 * 1000)
    assert found.cost_usd_at_least == pytest.approx((found.prompt_tokens_at_least + 80) / 1000)
    assert found.cost_usd_at_most == pytest.approx(6 * 0.05)


def test_an_estimate_of_prompt_tokens_is_bytes_by_four(tmp_path: Path) -> None:
    """Of messages and schema, in UTF-8."""
    script = Script()
    with _judge(tmp_path, script, votes=1) as judge:
        found = judge.estimate([question("हाँ")])
        judge.rule([question("हाँ")])
    (request,) = script.asked
    texts = [message["content"] for message in request.messages] + [json.dumps(request.schema)]
    size = sum(len(text.encode()) for text in texts)
    assert found.prompt_tokens_at_least == found.prompt_tokens_at_most == -(-size // 4)


def test_an_estimate_without_a_price_has_no_cost_and_without_calls_no_asker(tmp_path: Path) -> None:
    """Unknown is None, and nothing costs nothing."""
    script = Script(largest=None)
    with _judge(tmp_path, script) as judge:
        found = judge.estimate([question()])
        assert (found.cost_usd_at_least, found.cost_usd_at_most) == (None, None)
        judge.rule([question()])
        found = judge.estimate([question("blue")])
        assert found.completion_tokens_at_least == 20
    with _judge(tmp_path, script, max_tokens=10) as judge:
        # As long as the cassette's reply, which was asked with another limit, and so does not count as an answer.
        assert judge.estimate([question()]).completion_tokens_at_least == 10
    with _judge(tmp_path, Script(), mode="replay") as judge:
        found = judge.estimate([question()])
        assert (found.answered, found.calls_at_most, found.cost_usd_at_most) == (1, 0, 0.0)
        assert judge.spending == Spending()


def test_an_estimate_after_a_first_reply_knows_whether_there_is_a_vote(tmp_path: Path) -> None:
    """An unsure first reply makes the other votes sure; a sure one ends the question."""
    script = Script(by_text={"red": [answer(said("unsure")), answer(finish="content_filter")]})
    with _judge(tmp_path, script) as judge:
        judge.rule([question("red"), question("blue")])
    found = _judge(tmp_path, script).estimate([question("red"), question("blue")])
    assert (found.answered, found.calls_at_least, found.calls_at_most) == (1, 2, 2)
