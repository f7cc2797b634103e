"""Intent and entities judged by a model in a run: asked once, kept, replayed, gated, and told for each language."""

from collections import Counter

import pytest

from tests.integration.conftest import SENTENCES
from tests.integration.intent_judge import IntentJudge, task_of, tasks_of
from tests.integration.judged_gate import (
    TELL_IMPORTS,
    JudgedGate,
    data_of,
    judged,
    judged_environment,
    litellm_once,
    told_of,
)
from tests.support.judge_server import broken

__all__ = ["judged", "judged_environment", "litellm_once"]

# Of eight sentences f32 mishears one and q8_0 three; the last word of two of these is lost.
TWO = {"f32": [4], "q8_0": [2, 4, 6]}
BOUGHT = ("intent",)
NO_LIMITS = "judge_errors = 0"


def test_what_was_recorded_is_replayed_without_a_judge(judged: JudgedGate) -> None:
    """Entities are listed once for all variants, and what became of them is asked for what differs alone; the next
    run has the same verdicts, makes no call and never imports litellm.
    """
    judged.write(TWO, limits=NO_LIMITS, bought=BOUGHT)
    (judged.root / "conftest.py").write_text(TELL_IMPORTS)
    with IntentJudge() as server:
        judged.record(server=server).assert_outcomes(passed=2)
    assert Counter(tasks_of(server)) == {"entities": 8, "intent": 3}
    listings = [data_of(seen) for seen in server.seen if task_of(seen) == "entities"]
    assert sorted(data["reference"] for data in listings) == sorted(SENTENCES)
    assert all("hypothesis" not in data for data in listings)
    first = judged.report()
    replayed = judged.run("-s", apart=True)
    replayed.assert_outcomes(passed=2)
    replayed.stdout.fnmatch_lines(["litellm imported: False", "openai imported: False"])
    again = judged.report()
    for name, pair in first.items():
        assert pair["checks"] == again[name]["checks"]
        assert pair["intent"]["utterances"] == again[name]["intent"]["utterances"]
    assert {pair["intent"]["spending"]["calls"] for pair in again.values()} == {0}


@pytest.mark.parametrize(
    ("limits", "passed"),
    [
        ("intent = 62.5", True),
        ("intent = 62.6", False),
        ("entity = 75.0", True),
        ("entity = 75.1", False),
        ("intent_delta = 25.0", True),
        ("intent_delta = 24.9", False),
        ("entity_delta = 25.0", True),
        ("entity_delta = 24.9", False),
        ("intent_non_inferiority = 95.0", True),
        ("entity_non_inferiority = 95.0", True),
        ("intent_non_inferiority = 5.0", False),
    ],
)
def test_limits_pass_and_fail_on_a_replayed_cassette(judged: JudgedGate, limits: str, passed: bool) -> None:
    """q8_0 keeps two intents of eight fewer than the baseline, and two entities; each limit sees it."""
    judged.write(TWO, limits=NO_LIMITS, bought=BOUGHT)
    with IntentJudge() as server:
        judged.record(server=server).assert_outcomes(passed=2)
    judged.write(TWO, limits=f"{NO_LIMITS}\n{limits}", bought=BOUGHT)
    result = judged.run()
    result.assert_outcomes(passed=1 + passed, failed=1 - passed)
    found = {check["name"]: check for check in judged.report()["q8_0::prompts"]["checks"]}
    assert (found["intent"]["value"], found["entity"]["value"]) == (62.5, 75.0)
    assert (found["intent_delta"]["value"], found["entity_delta"]["value"]) == (25.0, 25.0)
    assert passed or limits.partition(" ")[0] in told_of(result)


def test_each_language_has_its_figures(judged: JudgedGate) -> None:
    """In a set of two languages the report and the lines under the table have the figures of each."""
    languages = ["en", "hi"] * 4
    judged.write({"f32": [], "q8_0": [0, 2, 4]}, limits=NO_LIMITS, bought=BOUGHT, language=languages)
    with IntentJudge() as server:
        result = judged.record(server=server)
    result.assert_outcomes(passed=2)
    found = {row["language"]: row for row in judged.report()["q8_0::prompts"]["intent"]["languages"]}
    assert (found["en"]["utterances"], found["en"]["kept"]) == (4, 1)
    assert (found["hi"]["utterances"], found["hi"]["kept"]) == (4, 4)
    told = told_of(result)
    assert "en: intent 25.00 %" in told
    assert "hi: intent 100.00 %" in told


def test_an_outage_is_a_judge_error_and_no_score(judged: JudgedGate) -> None:
    """What the judge gave no answer for has neither score, and the verdict is ERROR with the reason."""
    judged.write(TWO, limits=NO_LIMITS, bought=BOUGHT)

    def interrupt(number: int, seen: object) -> object:
        return broken(400, "no such thing") if task_of(seen) == "intent" else None  # type: ignore[arg-type]

    with IntentJudge(interrupt=interrupt) as server:
        result = judged.record(server=server)
    result.assert_outcomes(failed=2)
    pair = judged.report()["q8_0::prompts"]
    assert pair["verdict"] == "ERROR"
    assert pair["intent"]["judge_errors"] == ["prompts-2", "prompts-4", "prompts-6"]
    assert {check["value"] for check in pair["checks"] if check["name"].startswith(("intent", "entity"))} == {None}


def test_both_scores_share_judge_cassette_and_errors(judged: JudgedGate) -> None:
    """A data set that buys both has the figures of both, from one cassette."""
    judged.write(TWO, limits=NO_LIMITS, bought=("semantic", "intent"))
    with IntentJudge() as server:
        judged.record(server=server).assert_outcomes(passed=2)
    assert Counter(tasks_of(server)) == {"entities": 8, "intent": 3, "semantic": 3}
    assert Counter(row["task"] for row in judged.kept()) == {"entities": 8, "intent": 3, "semantic": 3}
    result = judged.run()
    result.assert_outcomes(passed=2)
    pair = judged.report()["q8_0::prompts"]
    assert pair["semantic"]["substitutions"] == 3
    assert pair["intent"]["figures"]["kept"] == 5


def test_workers_ask_once(judged: JudgedGate) -> None:
    """With `-n 2` over two data sets of equal sentences each question is asked once."""
    pytest.importorskip("xdist")
    judged.write(TWO, limits=NO_LIMITS, bought=BOUGHT, datasets=("prompts", "calls"))
    with IntentJudge() as server:
        judged.record("-n", "2", server=server, apart=True).assert_outcomes(passed=4)
    assert Counter(tasks_of(server)) == {"entities": 8, "intent": 3}


def test_rules_alone_ask_nobody_and_call_it_a_bound(judged: JudgedGate) -> None:
    """By rules the gate needs no server; what they cannot show to be kept is lost, and the bound is named one."""
    judged.write(TWO, 'model = "rules"', limits=f"{NO_LIMITS}\nintent_delta = 30.0", bought=BOUGHT)
    gate = judged.root / "gate.toml"
    gate.write_text(gate.read_text().replace('model = "openai/stand-in"\n', ""))
    with IntentJudge() as server:
        result = judged.run(server=server)
    result.assert_outcomes(passed=2)
    assert server.seen == []
    pair = judged.report()["q8_0::prompts"]
    assert pair["intent"]["lower_bound"] is True
    assert pair["intent"]["figures"]["kept"] == 5
    (check,) = [each for each in pair["checks"] if each["name"] == "intent"]
    assert "lower bound" in check["detail"]
    assert "lower bound" in told_of(result)


def _nothing(reference: str) -> list[tuple[str, str, int]]:
    return []


def test_raw_texts_reach_the_judge(judged: JudgedGate) -> None:
    """Question marks, addresses and points are sent as they stand, since they are what is judged."""
    references = ["Is the meeting at 5.30?", "Write to john.smith@example.com!", *SENTENCES[2:]]
    heard = {0: "The meeting is at 5.30.", 1: "Write to jon.smith@example.com!"}
    judged.write({"f32": {}, "q8_0": heard}, limits=NO_LIMITS, bought=BOUGHT, references=references)
    with IntentJudge(listing=_nothing) as server:
        judged.record(server=server)
    asked = [data_of(seen) for seen in server.seen if task_of(seen) == "intent"]
    assert {(data["reference"], data["hypothesis"]) for data in asked} == {
        (references[0], heard[0]),
        (references[1], heard[1]),
    }
    assert any("Is the meeting at 5.30?" in seen.body["messages"][1]["content"] for seen in server.seen)
