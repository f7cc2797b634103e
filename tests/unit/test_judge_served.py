"""Claims about where a judge's replies come from: who served them, when they came, and how many are fresh."""

import json
from pathlib import Path

import pytest

from pytest_asrgate.judge.asking import Response
from pytest_asrgate.judge.judge import Judge
from pytest_asrgate.records.calibration import Replies
from tests.unit.judge_stand_ins import Script, answer, question, settings


def test_who_served_a_reply_is_known_afresh_and_replayed(tmp_path: Path) -> None:
    """The server's own names of the model are kept with the replies; a body without one names nobody."""
    named = Response({**answer().body, "model": "model-of-may", "system_fingerprint": "fp_1"}, 100, 20, 0.01)
    script = Script(by_text={"red": [named], "blue": [answer()]})
    for mode in ("record", "replay"):
        with Judge(settings(tmp_path, mode=mode), open_asker=script.open) as judge:
            assert judge.served == ()
            judge.rule([question("red"), question("blue")])
            assert judge.served == ("model-of-may (fp_1)",)
    assert len(script.asked) == 2


def test_when_replies_came_is_known_afresh_and_replayed(tmp_path: Path) -> None:
    """How many of each, in which mode, and the dates of the first and the last one; none before a question."""
    script = Script(by_text={"red": [answer()], "blue": [answer()]})
    with Judge(settings(tmp_path, mode="record"), open_asker=script.open) as judge:
        assert judge.replies == Replies("record")
        judge.rule([question("red")])
        first = judge.replies
    assert (first.mode, first.fresh, first.replayed) == ("record", 1, 0)
    assert first.first == first.last != ""
    kept = settings(tmp_path).cassette
    row = json.loads(kept.read_text())
    kept.write_text(json.dumps({**row, "date": "2026-01-01T00:00:00Z"}) + "\n")
    with Judge(settings(tmp_path, mode="record"), open_asker=script.open) as judge:
        judge.rule([question("red"), question("blue")])
        found = judge.replies
    assert (found.fresh, found.replayed, found.first) == (1, 1, "2026-01-01T00:00:00Z")
    assert found.last >= first.last


@pytest.mark.parametrize(
    ("said_so", "served"),
    [
        ({}, ""),
        ({"model": None, "system_fingerprint": "fp"}, ""),
        ({"model": 7}, ""),
        ({"model": "a\n b\ud800 "}, "a b\ufffd"),
        ({"model": "m" * 500, "system_fingerprint": ""}, "m" * 200),
        ({"model": "m", "system_fingerprint": None}, "m"),
        ({"model": "/home/me/models/small.gguf", "system_fingerprint": "b1"}, "small.gguf (b1)"),
        ({"model": "C:\\models\\small.gguf"}, "small.gguf"),
        ({"model": "meta/small-3:free"}, "meta/small-3:free"),
        ({"model": "/"}, ""),
        ({"model": "sk-secret-0123456789"}, "(judge.api_key)"),
    ],
)
def test_what_a_server_says_of_itself_is_no_trap(tmp_path: Path, said_so: dict[str, object], served: str) -> None:
    """Anything may stand there: only one short line of text is kept, and no secret."""
    script = Script([Response({**answer().body, **said_so}, 100, 20, 0.01)])
    with Judge(settings(tmp_path), open_asker=script.open) as judge:
        judge.rule([question()])
        assert judge.served == ((served,) if served else ())
