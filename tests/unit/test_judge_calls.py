"""Claims about calls: how often, how long, within which budget, and that nothing that came is lost."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pytest_asrgate.errors import JudgeError, StoreError
from pytest_asrgate.judge.asking import Request, Response
from pytest_asrgate.judge.budget import Budget
from pytest_asrgate.judge.failures import CallError
from pytest_asrgate.judge.judge import Judge
from pytest_asrgate.judge.task import Failure, FailureKind, Question, Ruling
from tests.unit.judge_stand_ins import COLOURS as TASK
from tests.unit.judge_stand_ins import Script, Step, answer, question, settings, sleeper


@pytest.fixture(autouse=True)
def _a_run_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each judge is a run of its own, also where these tests run under xdist, whose workers share one."""
    monkeypatch.delenv("PYTEST_XDIST_TESTRUNUID", raising=False)


COLOURS = [f"colour {number}" for number in range(40)]


def _judge(folder: Path, script: Script, slept: list[float] | None = None, **given: Any) -> Judge:
    sleep = sleeper([] if slept is None else slept)
    return Judge(settings(folder, **given), open_asker=script.open, sleep=sleep)


def _kinds(ruled: Sequence[Ruling | Failure]) -> list[str]:
    return [each.kind.value if isinstance(each, Failure) else "ruled" for each in ruled]


def _busy(**given: Any) -> CallError:
    return CallError("the server is busy", retry=True, **given)


def test_an_error_that_may_pass_is_met_with_patience(tmp_path: Path) -> None:
    """Three more tries, each after twice the wait."""
    slept: list[float] = []
    script = Script([_busy(), _busy(), _busy(), answer()])
    with _judge(tmp_path, script, slept) as judge:
        assert _kinds(judge.rule([question()])) == ["ruled"]
        assert judge.spending.calls == 4
        assert judge.take_notes() == ["judge stand-in/one: calls that were made again after an error: 3"]
    assert slept == [0.5, 1.0, 2.0]


def test_patience_ends(tmp_path: Path) -> None:
    """Four calls in all, and the sentence says so."""
    script = Script([_busy()])
    with _judge(tmp_path, script) as judge:
        (failure,) = judge.rule([question()])
    assert failure == Failure(FailureKind.UNAVAILABLE, "the server is busy (tried 4 times)")
    assert len(script.asked) == 4


def test_an_error_that_stays_is_not_tried_again(tmp_path: Path) -> None:
    """Such as a question that is too long; its kind is the client's."""
    script = Script([CallError("too long", kind=FailureKind.MALFORMED)])
    with _judge(tmp_path, script) as judge:
        assert judge.rule([question()]) == [Failure(FailureKind.MALFORMED, "too long")]
    assert len(script.asked) == 1


def test_the_server_s_own_wait_is_kept_up_to_half_a_minute(tmp_path: Path) -> None:
    """And never shortens ours."""
    slept: list[float] = []
    script = Script([_busy(retry_after_s=30.0), _busy(retry_after_s=0.1), answer()])
    with _judge(tmp_path, script, slept) as judge:
        assert _kinds(judge.rule([question()])) == ["ruled"]
    assert slept == [30.0, 1.0]


@pytest.mark.parametrize("wait", [30.5, 90.0, 1e9, float("inf"), float("nan")])
def test_a_longer_wait_ends_the_question(tmp_path: Path, wait: float) -> None:
    """It says how long was asked for."""
    slept: list[float] = []
    script = Script([_busy(retry_after_s=wait)])
    with _judge(tmp_path, script, slept) as judge:
        (failure,) = judge.rule([question()])
    assert isinstance(failure, Failure)
    assert failure.kind is FailureKind.UNAVAILABLE
    assert f"asks to wait {wait:g} s" in failure.sentence
    assert (slept, len(script.asked)) == ([], 1)


def test_a_call_ends_by_the_clock_on_the_wall(tmp_path: Path) -> None:
    """Also where the client would wait for ever; it is made once more, and may have been charged each time."""
    script = Script(pause_s=3600)
    with _judge(tmp_path, script, timeout_s=0.02, max_cost_usd=1.0) as judge:
        (failure,) = judge.rule([question()])
        notes = judge.take_notes()
    assert isinstance(failure, Failure)
    assert failure.kind is FailureKind.UNAVAILABLE
    assert "no whole answer within 0.02 s" in failure.sentence
    assert "(tried 2 times)" in failure.sentence
    assert (len(script.asked), script.flying) == (2, 0)
    assert any("may have been charged all the same: 2" in note for note in notes)


def test_a_late_call_among_others_is_made_once_more_as_well(tmp_path: Path) -> None:
    """One call of a question may be late, whatever else it met."""
    late = CallError("late", retry=True, timed_out=True)
    script = Script([late, _busy(), late, answer()])
    with _judge(tmp_path, script) as judge:
        assert judge.rule([question()]) == [Failure(FailureKind.UNAVAILABLE, "late (tried 3 times)")]


def test_late_calls_are_an_outage_by_themselves(tmp_path: Path) -> None:
    """Five in a row; a server that hangs would hold up each question twice."""
    script = Script([CallError("late", retry=True, timed_out=True)])
    with _judge(tmp_path, script, concurrency=1) as judge:
        ruled = judge.rule([question(text) for text in COLOURS[:6]])
    assert _kinds(ruled) == ["unavailable"] * 3 + ["not asked"] * 3
    assert len(script.asked) == 5
    assert "5 calls in a row had no answer, the last one so: late" in str(ruled[-1])


def test_late_calls_that_hang_together_are_waited_for_once(tmp_path: Path) -> None:
    """Once five are late, none is made again, and no other question is asked."""
    script = Script(pause_s=3600)
    with _judge(tmp_path, script, concurrency=8, timeout_s=0.2) as judge:
        ruled = judge.rule([question(text) for text in COLOURS])
    assert set(_kinds(ruled)) == {"unavailable", "not asked"}
    assert len(script.asked) <= 8 + 4


def test_late_calls_with_answers_in_between_are_no_outage(tmp_path: Path) -> None:
    """Some questions are hard."""
    late: list[Step] = [CallError("late", retry=True, timed_out=True)]
    script = Script(by_text=dict.fromkeys(COLOURS[:6:2], late))
    with _judge(tmp_path, script, concurrency=1) as judge:
        assert _kinds(judge.rule([question(text) for text in COLOURS[:6]])) == ["unavailable", "ruled"] * 3


def test_a_client_s_own_time_limit_is_as_late(tmp_path: Path) -> None:
    """Both clocks end at one moment; the call may have been charged all the same."""

    class Late(Script):
        """Makes an error of its own of being cancelled."""

        async def ask(self, request: Request) -> Response:
            try:
                return await super().ask(request)
            except asyncio.CancelledError:
                raise CallError("no whole answer") from None

    with _judge(tmp_path, Late(pause_s=3600), timeout_s=0.02) as judge:
        assert judge.rule([question()]) == [Failure(FailureKind.UNAVAILABLE, "no whole answer")]
        assert ["may have been charged all the same: 1" in note for note in judge.take_notes()] == [True]


def test_who_waits_for_another_try_is_told_that_there_is_none(tmp_path: Path) -> None:
    """It keeps its own error, and makes no more calls."""
    script = Script(by_text={"red": [_busy()], "blue": [CallError("no key", fatal=True)]})

    async def sleep(_seconds: float) -> None:
        while not any("no further question" in note for note in judge.take_notes()):
            await asyncio.sleep(0)

    with Judge(settings(tmp_path), open_asker=script.open, sleep=sleep) as judge:
        red, blue = judge.rule([question("red"), question("blue")])
    assert (red, blue) == (
        Failure(FailureKind.UNAVAILABLE, "the server is busy"),
        Failure(FailureKind.UNAVAILABLE, "no key"),
    )
    assert len(script.asked) == 2


def test_an_error_of_the_judge_itself_ends_calls_in_flight(tmp_path: Path) -> None:
    """And comes to the caller at once, not after the slowest answer."""

    class Hanging(Script):
        """Answers red once another call is in flight, and nothing else ever."""

        async def ask(self, request: Request) -> Response:
            if '"red"' not in request.messages[1]["content"]:
                self.pause_s = 3600
                return await super().ask(request)
            while not self.flying:
                await asyncio.sleep(0)
            return answer()

    def parse(_question: Question, _value: object) -> Any:
        raise KeyError("mistake")

    task, script = replace(TASK, parse=parse), Hanging()
    with _judge(tmp_path, script, timeout_s=3600.0) as judge, pytest.raises(KeyError, match="mistake"):
        judge.rule([Question(task, question(text).data) for text in ("red", "blue")])
    assert script.flying == 0


def test_what_a_client_lets_through_is_an_error_of_its_call(tmp_path: Path) -> None:
    """Of this question alone, and not tried again."""
    script = Script(by_text={"red": [RuntimeError("unforeseen")]})
    with _judge(tmp_path, script) as judge:
        ruled = judge.rule([question("red"), question("blue")])
    assert _kinds(ruled) == ["unavailable", "ruled"]
    assert "RuntimeError: unforeseen" in str(ruled[0])


@pytest.mark.parametrize("retry", [False, True])
def test_a_refused_key_ends_all_asking(tmp_path: Path, retry: bool) -> None:
    """The rest is told why it was not asked, also in later calls of the session."""
    error = CallError("the key is refused", kind=FailureKind.UNAUTHORISED, fatal=True, retry=retry)
    script = Script([error])
    with _judge(tmp_path, script, concurrency=2) as judge:
        ruled = judge.rule([question(text) for text in COLOURS[:6]])
        later = judge.rule([question("later")])
        assert judge.take_notes() == ["no further question is asked: the key is refused"]
        assert judge.take_notes() == []
    assert _kinds(ruled) == ["unauthorised"] * 2 + ["not asked"] * 4
    assert _kinds(later) == ["not asked"]
    assert "the key is refused" in str(later[0])
    assert len(script.asked) == 2


def _unwanted(text: str = "what is this") -> CallError:
    return CallError(text, kind=FailureKind.REFUSED, rejected=True)


def test_a_question_that_a_server_will_not_have_ends_alone(tmp_path: Path) -> None:
    """The others are asked, however many fare likewise once any was answered."""
    script = Script(by_text={text: [_unwanted()] for text in COLOURS[1:9]})
    with _judge(tmp_path, script, concurrency=1) as judge:
        ruled = judge.rule([question(text) for text in COLOURS[:10]])
    assert _kinds(ruled) == ["ruled"] + ["refused"] * 8 + ["ruled"]
    assert len(script.asked) == 10


def test_a_server_that_will_have_no_question_is_asked_no_more(tmp_path: Path) -> None:
    """Five of the first, with nothing answered yet: it lies in what all have in common."""
    script = Script([_unwanted("no seed")])
    with _judge(tmp_path, script, concurrency=1) as judge:
        ruled = judge.rule([question(text) for text in COLOURS[:8]])
    assert _kinds(ruled) == ["refused"] * 5 + ["not asked"] * 3
    assert "the first 5 questions were all refused, the last one so: no seed" in str(ruled[-1])
    assert "judge.model and judge.api_base" in str(ruled[-1])


def test_an_outage_ends_all_asking(tmp_path: Path) -> None:
    """Five questions in a row without an answer; their tries do not count by themselves."""
    script = Script([_busy()])
    with _judge(tmp_path, script, concurrency=1) as judge:
        ruled = judge.rule([question(text) for text in COLOURS[:8]])
    assert _kinds(ruled) == ["unavailable"] * 5 + ["not asked"] * 3
    assert "5 questions in a row had no answer" in str(ruled[-1])
    assert len(script.asked) == 5 * 4


def test_an_answer_in_between_is_no_outage(tmp_path: Path) -> None:
    """Whatever it holds: who answers is there."""
    bad: list[Step] = [CallError("lost")]
    texts = [*COLOURS[:4], "answered", *COLOURS[4:8]]
    script = Script(by_text={**dict.fromkeys(COLOURS, bad), "answered": [answer("nonsense")]})
    with _judge(tmp_path, script, concurrency=1) as judge:
        ruled = judge.rule([question(text) for text in texts])
    assert _kinds(ruled) == ["unavailable"] * 4 + ["malformed"] + ["unavailable"] * 4


def test_no_more_are_in_flight_than_allowed(tmp_path: Path) -> None:
    """And so many really are."""

    class Full(Script):
        """Answers once three calls are in flight, so that fewer would wait for ever."""

        async def ask(self, request: Request) -> Response:
            if self.flying + 1 == 3:
                assert self.hold is not None
                self.hold.set()
            return await super().ask(request)

    script = Full(hold=asyncio.Event(), pause_s=0.001)
    with _judge(tmp_path, script, concurrency=3) as judge:
        assert _kinds(judge.rule([question(text) for text in COLOURS])) == ["ruled"] * 40
    assert script.most == 3


def test_a_budget_of_calls_ends_asking_and_a_rerun_goes_on(tmp_path: Path) -> None:
    """Retries, repairs and votes count; what was kept is not asked again."""
    asked = [question("red", risky=["a number differs"]), question("blue"), question("green")]
    script = Script(by_text={"red": [_busy(), answer("what"), answer()]})
    with _judge(tmp_path, script, max_calls=5, concurrency=1) as judge:
        ruled = judge.rule(asked)
        assert judge.spending.calls == 5
    assert _kinds(ruled) == ["ruled", "budget", "budget"]
    assert "judge.max_calls = 5 is reached" in str(ruled[1])
    with _judge(tmp_path, Script(), max_calls=5) as judge:
        assert _kinds(judge.rule(asked)) == ["ruled"] * 3
        assert judge.spending.calls == 2


def test_a_budget_of_money_is_never_exceeded(tmp_path: Path) -> None:
    """A call waits for those in flight, whose reservations come back, before it counts as too dear."""
    script = Script([answer(cost=0.01)], largest=0.05, pause_s=0.001)
    with _judge(tmp_path, script, max_cost_usd=0.10, concurrency=8) as judge:
        ruled = judge.rule([question(text) for text in COLOURS[:12]])
        cost = judge.spending.cost_usd
    # After six calls there are 0.04 left, and one could cost 0.05.
    assert sorted(_kinds(ruled)) == ["budget"] * 6 + ["ruled"] * 6
    assert cost == pytest.approx(0.06)
    assert script.most == 2


def test_a_limit_in_money_without_a_price_asks_nobody(tmp_path: Path) -> None:
    """With what to set."""
    script = Script(largest=None)
    with (
        _judge(tmp_path, script, max_cost_usd=1.0) as judge,
        pytest.raises(JudgeError, match=r"judge\.price_in_usd"),
    ):
        judge.rule([question(text) for text in COLOURS])
    assert not script.asked


def test_a_cost_that_is_not_known_is_none(tmp_path: Path) -> None:
    """Not 0, and nothing that is no amount reaches a sum or the cassette."""
    for cost in (None, float("nan"), float("inf"), -1.0):
        script = Script([answer(cost=cost)])
        with _judge(tmp_path, script, max_calls=100) as judge:
            judge.rule([question(f"cost {cost}")])
            assert judge.spending.cost_usd is None
    rows = [json.loads(line) for line in (tmp_path / "judge.jsonl").read_text().splitlines()]
    assert [row["cost_usd"] for row in rows] == [None] * 4


def test_without_a_price_the_cost_is_unknown_whatever_became_of_the_call(tmp_path: Path) -> None:
    """A call that failed did not cost nothing."""
    for error in (CallError("lost"), CallError("no key", fatal=True), RuntimeError("unforeseen")):
        with _judge(tmp_path, Script([error], largest=None)) as judge:
            judge.rule([question()])
            assert judge.spending.calls == 1
            assert judge.spending.cost_usd is None


@pytest.mark.parametrize(("largest", "cost"), [(0.05, None), (None, None), (0.0, 0.0)])
def test_what_a_late_call_cost_is_unknown(tmp_path: Path, largest: float | None, cost: float | None) -> None:
    """It may have been charged; unless nothing costs anything."""
    with _judge(tmp_path, Script(pause_s=3600, largest=largest), timeout_s=0.02) as judge:
        judge.rule([question()])
        assert judge.spending.cost_usd == cost


def test_a_call_that_was_refused_costs_nothing_where_the_price_is_known(tmp_path: Path) -> None:
    """The server said so before it began."""
    with _judge(tmp_path, Script([_busy(), answer(cost=0.01)])) as judge:
        judge.rule([question()])
        assert (judge.spending.calls, judge.spending.cost_usd) == (2, 0.01)


def test_what_a_failed_call_cost_is_counted(tmp_path: Path) -> None:
    """A server may charge for what the client could not read."""
    script = Script([CallError("what came is no answer", kind=FailureKind.MALFORMED, spent=answer(cost=0.02))])
    with _judge(tmp_path, script, max_cost_usd=1.0) as judge:
        judge.rule([question()])
        assert judge.spending.cost_usd == 0.02
        assert judge.spending.prompt_tokens == 100


def test_a_budget_that_cannot_be_counted_loses_no_reply(tmp_path: Path) -> None:
    """What came is kept, and the next call is not made."""
    given = settings(tmp_path, max_calls=9, concurrency=1)

    def damage(_request: Request) -> Response:
        (file,) = given.folder.glob("budget-*.json")
        file.write_text("what")
        return answer()

    script = Script([damage])
    judge = Judge(given, open_asker=script.open, run="a run")
    with judge, pytest.raises(JudgeError, match="remove it"):
        judge.rule([question("red"), question("blue")])
    assert len((tmp_path / "judge.jsonl").read_text().splitlines()) == len(script.asked) == 1


def test_a_settlement_that_failed_ends_asking(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where counting would work again: what was spent meanwhile is not counted."""
    settle = Budget.settle

    def fail(budget: Budget, reserved: float, actual: float | None) -> None:
        monkeypatch.setattr(Budget, "settle", settle)
        raise StoreError("the disk was full")

    monkeypatch.setattr(Budget, "settle", fail)
    script = Script()
    with _judge(tmp_path, script, max_calls=9, concurrency=1) as judge, pytest.raises(StoreError, match="full"):
        judge.rule([question("red"), question("blue")])
    assert len((tmp_path / "judge.jsonl").read_text().splitlines()) == len(script.asked) == 1


def test_another_process_s_reply_is_not_paid_for_twice(tmp_path: Path) -> None:
    """Workers of one run meet the same pairs; what one recorded meanwhile the other reads."""
    inner = Script()

    def meanwhile(_request: Request) -> Response:
        with _judge(tmp_path, inner) as other:
            other.rule([question("blue")])
        return answer()

    script = Script(by_text={"red": [meanwhile]})
    with _judge(tmp_path, script, concurrency=1) as judge:
        assert _kinds(judge.rule([question("red"), question("blue")])) == ["ruled", "ruled"]
        assert (judge.spending.calls, judge.spending.replayed) == (1, 1)
    assert len(inner.asked) == 1


def _held(folder: Path) -> str:
    """A program that records three questions and hangs on the others until it is ended."""
    return f"""
import asyncio, sys
from pathlib import Path
from pytest_asrgate.judge.judge import Judge
from pytest_asrgate.termination import Termination
from tests.unit.judge_stand_ins import Script, answer, question, settings

class Hanging(Script):
    async def ask(self, request):
        if len(self.asked) >= 3:
            print("hangs", flush=True)
            self.flying += 1
            try:
                await asyncio.sleep(3600)
            finally:
                self.flying -= 1
        return await super().ask(request)

Termination().install()
script = Hanging()
judge = Judge(settings(Path({str(folder)!r}), concurrency=2, timeout_s=3600), open_asker=script.open)
try:
    judge.rule([question(f"colour {{number}}") for number in range(10)])
except KeyboardInterrupt:
    print("interrupted", script.flying, flush=True)
    judge.close()
    print("closed", script.closed, flush=True)
"""


def _end(folder: Path, number: int) -> tuple[int, list[str]]:
    """Send a signal once both calls in flight hang, and return how it ended and what it said."""
    # A background shell would have it ignore SIGINT.
    program = [sys.executable, "-c", _held(folder)]
    with subprocess.Popen(
        program, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2],
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # noqa: PLW1509 - no threads here
    ) as process:  # fmt: skip
        assert process.stdout is not None
        watchdog = threading.Timer(120, process.kill)
        watchdog.start()
        assert [process.stdout.readline(), process.stdout.readline()] == ["hangs\n"] * 2
        process.send_signal(number)
        lines = process.stdout.read().splitlines()
        process.wait()
        watchdog.cancel()
    return process.returncode, lines


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_gives_up_calls_and_loses_no_reply(tmp_path: Path, number: int) -> None:
    """The main thread gets it at once, with nothing in flight; what came is kept."""
    assert _end(tmp_path, number) == (0, ["interrupted 0", "closed 1"])
    assert len((tmp_path / "judge.jsonl").read_text().splitlines()) == 3


def test_a_killed_recorder_keeps_what_came(tmp_path: Path) -> None:
    """And holds up nobody: the next one records the rest."""
    assert _end(tmp_path, signal.SIGKILL) == (-signal.SIGKILL, [])
    asked = [question(f"colour {number}") for number in range(10)]
    replayed = Judge(settings(tmp_path, mode="replay")).rule(asked)
    assert sorted(_kinds(replayed)) == ["missing"] * 7 + ["ruled"] * 3
    with _judge(tmp_path, Script()) as judge:
        assert _kinds(judge.rule(asked)) == ["ruled"] * 10
        assert judge.spending.calls == 7


def test_settings_of_a_judge_are_left_as_they_are(tmp_path: Path) -> None:
    """A judge of another mode made of them shares the cassette alone."""
    given = settings(tmp_path)
    with _judge(tmp_path, Script()) as judge:
        judge.rule([question()])
    assert _kinds(Judge(replace(given, mode="replay")).rule([question()])) == ["ruled"]
    assert os.listdir(tmp_path) == ["judge.jsonl"]  # noqa: PTH208 - the names are what is asked
