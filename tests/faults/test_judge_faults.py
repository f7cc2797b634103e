"""What goes wrong with a judge in a run: outages, keys, budgets, kills, damaged cassettes, and replies that lie.

Each time what was judged is kept, the verdict is ERROR with the reason, and a rerun asks only for the rest.
"""

import json
import os
import resource
import signal
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from pytest_asrgate.judge.cassette import Cassette, Kept
from pytest_asrgate.semantic import task
from tests.faults.full_disk import gate_command, has, in_own_mounts, needs_mounts
from tests.faults.test_kills import Started
from tests.integration.conftest import LEAN
from tests.integration.judged_gate import (
    HEARD,
    PATIENCE_S,
    QUICK,
    SECRET,
    JudgedGate,
    SemanticJudge,
    asked_texts,
    judged,
    judged_environment,
    litellm_once,
    told_of,
)
from tests.support.judge_server import Answer, Seen, broken, said

__all__ = ["judged", "judged_environment", "litellm_once"]

ALL = sorted(HEARD)
EVERY = {"f32": [], "q8_0": ALL}
ONE_BY_ONE = "concurrency = 1"
PYTEST = ("-m", "pytest", *LEAN, "-p", "asrgate_fake", "-p", "no:cacheprovider", *QUICK, "-m", "wer")
RECORD = (*PYTEST, "--asrgate-judge", "record", "--asrgate-json", "report.json")


def _rest_is_asked(judged: JudgedGate, kept: int, passed: int = 2) -> None:
    """A rerun asks for what is not kept and for nothing else, and all is judged then."""
    known = {row["data"]["hypothesis"] for row in judged.kept()}
    assert len(known) == kept
    with SemanticJudge() as server:
        judged.record(server=server).assert_outcomes(passed=passed)
    assert sorted(asked_texts(server)) == sorted((text, 1) for text in HEARD.values() if text not in known)
    assert len(judged.kept()) == len(HEARD)
    assert judged.report()["q8_0::prompts"]["semantic"]["substitutions"] == len(HEARD)


def _is_an_error(judged: JudgedGate, reason: str, lost: int) -> str:
    """The pair is ERROR with this in its reason, `lost` utterances without a score; gives the reason."""
    pair = judged.report()["q8_0::prompts"]
    assert pair["verdict"] == "ERROR"
    assert pair["reason"].startswith("judge_errors: ")
    assert reason in pair["reason"]
    assert len(pair["semantic"]["judge_errors"]) == lost
    assert pair["semantic"]["substitutions"] == len(HEARD) - lost
    return str(pair["reason"])


def test_a_server_that_dies_in_the_middle(judged: JudgedGate) -> None:
    """What it had answered is kept; the rest is no score but an ERROR that says where nobody answered."""
    judged.write(EVERY, ONE_BY_ONE)
    with SemanticJudge().dies_after(2) as server:
        result = judged.record(server=server)
    result.assert_outcomes(passed=1, failed=1)
    _is_an_error(judged, f"judge openai/stand-in at {server.url}: ", lost=5)
    result.stdout.fnmatch_lines(["*the judge gave no valid answer for 5 utterances:*"])
    result.stdout.no_fnmatch_line("*Traceback*")
    _rest_is_asked(judged, 2)


def test_an_outage_spares_the_rest(judged: JudgedGate) -> None:
    """After five questions without an answer no further one is asked, and the run says so."""
    judged.write(EVERY, ONE_BY_ONE)
    with SemanticJudge(interrupt=lambda *_: broken(503, "closed today")) as server:
        result = judged.record(server=server)
    assert len({text for text, _ in asked_texts(server)}) == 5
    _is_an_error(judged, "no answer: closed today (tried 4 times)", lost=7)
    assert "no further question is asked: 5 questions in a row had no answer" in told_of(result)
    _rest_is_asked(judged, 0)


def test_a_key_that_is_revoked_in_the_middle(judged: JudgedGate) -> None:
    """A refused key ends all asking at once, and the key that the server echoes is shown nowhere."""
    judged.write(EVERY, ONE_BY_ONE)
    with SemanticJudge(
        interrupt=lambda number, _: broken(401, f"Incorrect API key provided: {SECRET}.") if number >= 2 else None
    ) as server:
        result = judged.record("--junitxml", "out.xml", server=server)
    assert len(server.seen) == 3
    assert server.seen[0].headers["authorization"] == f"Bearer {SECRET}"
    _is_an_error(judged, "the key is missing or refused", lost=5)
    _nowhere(judged, result)
    _rest_is_asked(judged, 2)


def _nowhere(judged: JudgedGate, result: pytest.RunResult) -> None:
    """The key is in no file of the project, be it in a database or a log, and in no output."""
    assert SECRET not in result.stdout.str() + result.stderr.str()
    files = [path for path in judged.root.rglob("*") if path.is_file()]
    assert {path.name for path in files} >= {"report.json", "out.xml", "cassette.jsonl", "store.sqlite"}
    for path in files:
        assert SECRET.encode() not in path.read_bytes(), path


def test_a_key_that_a_reply_echoes(judged: JudgedGate) -> None:
    """A model that says the key as its reason, or as a bad reply, has it written nowhere."""
    judged.write({"f32": [], "q8_0": [0, 2]}, limits="judge_errors = 1")
    good = {"1": {"reason": f"my key is {SECRET}", "verdict": "error"}}

    def echo(number: int, seen: Seen) -> Answer:
        return said(json.dumps(good) if HEARD[0] in str(seen.body["messages"]) else f'{{"{SECRET}": 1}}')

    with SemanticJudge(interrupt=echo) as server:
        result = judged.record("--junitxml", "out.xml", "-v", server=server)
    result.assert_outcomes(passed=2)
    assert len(judged.kept()) == 1
    assert "(judge.api_key)" in judged.kept()[0]["content"]
    assert "(judge.api_key)" in judged.report()["q8_0::prompts"]["semantic"]["judge_failure"]
    _nowhere(judged, result)


def test_a_budget_of_calls(judged: JudgedGate) -> None:
    """A run stops at `max_calls`, says so, and each rerun goes on from there."""
    judged.write(EVERY, "max_calls = 3")
    left = len(HEARD)
    while left > 3:
        with SemanticJudge() as server:
            result = judged.record(server=server)
        assert len(server.seen) == 3
        left -= 3
        _is_an_error(judged, "judge.max_calls = 3 is reached: 3 calls in this run", lost=left)
        result.stdout.fnmatch_lines(["*in mode record a rerun goes on from here; or raise judge.max_calls*"])
    _rest_is_asked(judged, 6)


def test_a_budget_of_money(judged: JudgedGate) -> None:
    """No call is made that could exceed `max_cost_usd`, though all may come at once; reruns complete it."""
    prices = "price_in_usd = 1.0\nprice_out_usd = 1.0\nmax_tokens = 1000"
    judged.write(EVERY, f"max_cost_usd = 0.01\n{prices}")
    # A call costs at most its bytes and 1,000 tokens, some 0.006 US dollars, and really this many.
    tokens, runs, paid = 1_500, 0, 0.0
    verdict = ""
    while verdict != "PASS":
        with SemanticJudge() as server:
            server.usage = {"prompt_tokens": 1_000, "completion_tokens": 500, "total_tokens": tokens}
            judged.record(server=server)
        pair = judged.report()["q8_0::prompts"]
        cost, verdict = pair["semantic"]["spending"]["cost_usd"], pair["verdict"]
        assert cost == pytest.approx(len(server.seen) * tokens / 1e6)
        assert 0 < cost <= 0.01
        runs, paid = runs + 1, paid + cost
        if verdict != "PASS":
            lost = len(HEARD) - len(judged.kept())
            _is_an_error(judged, "judge.max_cost_usd = 0.01 could be exceeded", lost=lost)
    assert runs > 1
    assert paid == pytest.approx(len(HEARD) * tokens / 1e6)


def test_a_price_that_nobody_knows(judged: JudgedGate) -> None:
    """A limit in money and a model without a price: one sentence, and not one call."""
    judged.write(EVERY, "max_cost_usd = 1.0")
    with SemanticJudge() as server:
        judged.record(server=server).assert_outcomes(passed=1, failed=1)
    assert server.seen == []
    reason = judged.report()["q8_0::prompts"]["reason"]
    assert "judge.max_cost_usd is set, and the price of openai/stand-in is not known; set judge.price" in reason


def test_workers_share_a_budget(judged: JudgedGate) -> None:
    """With `-n 2` the calls of both workers count together."""
    pytest.importorskip("xdist")
    judged.write({"f32": [], "q8_0": [0, 2, 3], "q4_0": [4, 5, 6]}, "max_calls = 4")
    with SemanticJudge() as server:
        judged.record("-n", "2", server=server, apart=True)
    assert len(server.seen) == 4
    verdicts = Counter(pair["verdict"] for pair in judged.report().values())
    assert verdicts == {"PASS": 2, "ERROR": 1}
    assert judged.spent()[0] == 4
    with SemanticJudge() as server:
        judged.record(server=server).assert_outcomes(passed=3)
    assert len(server.seen) == 2


def _started(judged: JudgedGate, server: SemanticJudge, *options: str) -> Started:
    os.environ["JUDGE_URL"] = server.url
    return Started(judged.project, *RECORD, *options)


def _hold(handler: Any) -> None:
    """No answer for as long as the test lasts."""
    handler.stop.wait(PATIENCE_S)


def _held_after(calls: int) -> SemanticJudge:
    """A judge that answers so many calls and holds all that follow."""
    return SemanticJudge(interrupt=lambda number, _: _hold if number >= calls else None)


def test_killed_again_and_again(judged: JudgedGate) -> None:
    """SIGKILL while it records: complete replies are kept, a torn line is passed over, and a run asks for nothing
    again but for what was under way.
    """
    judged.write(EVERY, "concurrency = 2")
    with _held_after(2) as first:
        run = _started(judged, first)
        # Two are answered and kept before two more are asked, which are held.
        run.wait_for(lambda: len(first.seen) == 4)
        run.process.kill()
        assert run.end() == -signal.SIGKILL
    assert len(judged.kept()) == 2
    # As a write that the kill cut short leaves it.
    with judged.cassette.open("ab") as file:
        file.write(judged.cassette.read_bytes().splitlines()[0][:100])
    killed: list[Started] = []

    def kill(number: int, seen: Seen) -> None:
        if number == 3:
            killed[0].process.kill()

    # At any moment: as the fourth question comes the replies before it may be kept, or half written.
    with SemanticJudge(interrupt=kill) as second:
        killed.append(_started(judged, second))
        assert killed[0].end() == -signal.SIGKILL
    kept = [row["data"]["hypothesis"] for row in judged.kept()]
    assert len(kept) == len(set(kept)) >= 4
    assert not set(kept[:2]) & {text for text, _ in asked_texts(second)}
    _rest_is_asked(judged, len(kept))


@pytest.mark.parametrize(
    ("sent", "options"),
    [(signal.SIGINT, ()), (signal.SIGTERM, ("-n", "2"))],
    ids=["SIGINT", "SIGTERM with xdist"],
)
def test_told_to_end_while_the_judge_is_asked(
    judged: JudgedGate, sent: signal.Signals, options: tuple[str, ...]
) -> None:
    """Nobody waits for the judge, whose time limit is an hour: exit 2 with a report, and a rerun goes on."""
    if options:
        pytest.importorskip("xdist")
    judged.write(EVERY, "concurrency = 2\ntimeout_s = 3600")
    with _held_after(2) as server:
        run = _started(judged, server, *options)
        run.wait_for(lambda: len(server.seen) == 4)
        run.process.send_signal(sent)
        assert run.end() == pytest.ExitCode.INTERRUPTED, run.output
    assert "Traceback" not in run.output
    report = json.loads((judged.root / "report.json").read_text())
    assert "q8_0::prompts" in report["gate"]["not_judged"]
    if not options:
        assert [(pair["variant"], pair["verdict"]) for pair in report["pairs"]] == [("f32", "PASS")]
    _rest_is_asked(judged, 2)


def test_a_cassette_that_is_damaged_in_the_middle(judged: JudgedGate) -> None:
    """It is ERROR with the line's number and what to do, not a guess; without the line it is recorded again."""
    judged.write(EVERY)
    with SemanticJudge() as server:
        judged.record(server=server).assert_outcomes(passed=2)
        lines = judged.cassette.read_text().splitlines(keepends=True)
        lines[3] = lines[3][:80] + "\n"
        judged.cassette.write_text("".join(lines))
        for mode in ("replay", "record"):
            result = judged.run("--asrgate-judge", mode, server=server)
            result.assert_outcomes(passed=1, failed=1)
            reason = judged.report()["q8_0::prompts"]["reason"]
            assert f"{judged.cassette}:4: the line is no JSON" in reason
            assert reason.endswith("; delete the line, and record again what it answered")
            result.stdout.no_fnmatch_line("*Traceback*")
        assert len(server.seen) == len(HEARD)
        assert judged.cassette.read_text() == "".join(lines)
    judged.cassette.write_text("".join(lines[:3] + lines[4:]))
    _rest_is_asked(judged, 6)


def test_a_cassette_where_nothing_can_be_written(judged: JudgedGate) -> None:
    """Nobody is asked for a reply that could not be kept: ERROR names the place."""
    judged.write(EVERY, 'cassette = "f32.json/cassette.jsonl"')
    with SemanticJudge() as server:
        judged.record(server=server).assert_outcomes(passed=1, failed=1)
    assert server.seen == []
    reason = judged.report()["q8_0::prompts"]["reason"]
    assert f"{judged.root}/f32.json/cassette.jsonl: the cassette cannot be " in reason
    assert "Not a directory" in reason


def test_a_cassette_that_may_only_be_read(judged: JudgedGate) -> None:
    """A read-only cassette replays as any other; to record what it lacks is an ERROR, before anybody is asked."""
    needs_mounts()
    judged.write({"f32": [0], "q8_0": [0]}, 'cassette = "kept/cassette.jsonl"')
    with SemanticJudge() as server:
        judged.record(server=server).assert_outcomes(passed=2)
        judged.project.model("q8_0", {1600 + number: text for number, text in HEARD.items()})
        lines = in_own_mounts(
            judged.project,
            f"""
            mount --bind kept kept
            mount -o remount,bind,ro kept
            {gate_command(*QUICK, "--asrgate-judge", "record")}
            """,
            JUDGE_URL=server.url,
        )
        assert len(server.seen) == 1
    # The baseline's reply is there.
    has(lines, "f32 * baseline", "exit 1")
    has(lines, "q8_0 prompts: *kept/cassette.jsonl: the cassette cannot be written (Read-only file system)*")


def test_no_room_for_the_cassette(judged: JudgedGate, monkeypatch: pytest.MonkeyPatch) -> None:
    """ERROR with the mend; complete replies are kept, no more is asked, and a run with room asks for the rest."""
    judged.write({**EVERY, "q4_0": ALL}, ONE_BY_ONE)
    written: list[Kept] = []
    keep = Cassette.keep

    def keep_two(self: Cassette, reply: Kept) -> None:
        """The third meets a limit of file sizes, which leaves room for 100 bytes of it; for this write alone."""
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        if len(written) == 2:
            resource.setrlimit(resource.RLIMIT_FSIZE, (self.path.stat().st_size + 100, limits[1]))
        try:
            keep(self, reply)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        written.append(reply)

    with monkeypatch.context() as full, SemanticJudge() as server:
        full.setattr(Cassette, "keep", keep_two)
        result = judged.record(server=server)
        # The second variant does not pay once more for replies that could not be kept.
        assert len(server.seen) == 3
    sentence = "cassette.jsonl: the cassette cannot be written (File too large); raise the limit of file sizes"
    result.stdout.fnmatch_lines([f"q8_0 prompts: *{sentence} (ulimit -f)"])
    # They were paid for, though the pair has no figures.
    result.stdout.fnmatch_lines(["*judge openai/stand-in: calls that were made before an error ended*: 3; they*"])
    result.stdout.no_fnmatch_line("*Traceback*")
    assert not judged.cassette.read_bytes().endswith(b"\n")
    _rest_is_asked(judged, 2, passed=3)


def test_replies_of_another_model_or_prompt_are_none(judged: JudgedGate, monkeypatch: pytest.MonkeyPatch) -> None:
    """What another model said, or the same one to another version of the prompt, is not replayed."""
    judged.write({"f32": [], "q8_0": [0]})
    with SemanticJudge() as server:
        judged.record(server=server).assert_outcomes(passed=2)
        gate = judged.root / "gate.toml"
        gate.write_text(gate.read_text().replace("openai/stand-in", "openai/another"))
        judged.run(server=server).assert_outcomes(passed=1, failed=1)
        assert "from openai/another; to record it" in judged.report()["q8_0::prompts"]["reason"]
        gate.write_text(gate.read_text().replace("openai/another", "openai/stand-in"))
        with monkeypatch.context() as other:
            next_one = replace(task.SEMANTIC_TASK, version=task.SEMANTIC_TASK.version + 1)
            other.setattr(task, "SEMANTIC_TASK", next_one)
            judged.run(server=server).assert_outcomes(passed=1, failed=1)
            judged.record(server=server).assert_outcomes(passed=2)
        assert len(server.seen) == 2
    judged.run().assert_outcomes(passed=2)


# What is said twice of the sentence of this number, and what is wrong with it.
LIES = {
    0: ('{"7": {"reason": "r", "verdict": "same"}}', 'nothing was asked about id "7"'),
    2: ('{"1": NaN}', '"1" is NaN'),
    3: ('{"1": {"reason": "r", "verdict": "fine"}}', "the verdict must be one of same, error, unsure"),
}


def _lie(_: int, seen: Seen) -> Answer | None:
    text = seen.body["messages"][1]["content"]
    return next((said(content) for number, (content, _) in LIES.items() if HEARD[number] in text), None)


def test_replies_that_lie(judged: JudgedGate) -> None:
    """Twice no valid reply: a judge error, which is ERROR and no score; within `judge_errors` the pair passes and
    is incomplete.
    """
    judged.write({"f32": [], "q8_0": [*LIES, 4]})
    with SemanticJudge(interrupt=_lie) as server:
        result = judged.record(server=server)
        result.assert_outcomes(passed=1, failed=1)
        asked = Counter(text for text, _ in asked_texts(server))
        assert asked == {**{HEARD[number]: 2 for number in LIES}, HEARD[4]: 1}
        pair = judged.report()["q8_0::prompts"]
        assert (pair["verdict"], pair["semantic"]["judge_errors"]) == ("ERROR", [f"prompts-{n}" for n in LIES])
        rows = {row["id"]: row["judge_error"] for row in pair["semantic"]["utterances"]}
        for number, (_, wrong) in LIES.items():
            assert wrong in rows[f"prompts-{number}"].replace("'", '"')
            assert "after one try to repair it" in rows[f"prompts-{number}"]
        # Of the 49 words those of three sentences are not judged.
        assert (pair["semantic"]["substitutions"], pair["semantic"]["words"]) == (1, 30)
        gate = (judged.root / "gate.toml").read_text()
        judged.project.gate(gate.replace("judge_errors = 0", f"judge_errors = {len(LIES)}"))
        result = judged.record(server=server)
    result.assert_outcomes(passed=2)
    pair = judged.report()["q8_0::prompts"]
    assert (pair["verdict"], pair["incomplete"]) == ("PASS", True)
    result.stdout.fnmatch_lines(["q8_0 * PASS*incomplete*"])
    assert [row["data"]["hypothesis"] for row in judged.kept()] == [HEARD[4]]
