"""The repeat check decodes as often as asked, tells flips from failures, and refuses what it cannot read."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from pytest_asrgate import checks
from pytest_asrgate.config import TranscriberSettings
from pytest_asrgate.determinism import decode_again, from_record, output_of, to_record
from pytest_asrgate.errors import AsrGateError, TranscriberError
from pytest_asrgate.records import CheckStatus, Flip, Hypothesis, Outcome, Repeats, RowStatus, Utterance
from pytest_asrgate.reports.entries import pair_entry
from pytest_asrgate.reports.notes import notes
from pytest_asrgate.transcribers.protocol import Identity
from pytest_asrgate.verdict import decide

from .builders import Row, pair, scored

CLIPS = [Utterance(f"u{number}", Path("x.wav"), "text") for number in range(3)]
STORED = {clip.id: Hypothesis(clip.id, "text") for clip in CLIPS}
ROWS: list[Row] = [("a", "the cat", "the cat"), ("b", "red dogs", "red dogs")]
NONE = Repeats(2, 3, (), (), "", 1, "here", "2026-01-01T00:00:00+00:00")
ONE = Repeats(2, 3, (Flip("b", ("red dogs", "red dog")),), (), "", 1, "here", "2026-01-01T00:00:00+00:00")
LOST = Repeats(2, 3, (), ("a",), "a: crashed", 1, "here", "2026-01-01T00:00:00+00:00")


class Scripted:
    """A transcriber that answers with the rows of its n-th call; where it has none, as stored."""

    keeps_results = True
    keeps_process = True

    def __init__(self, *changes: dict[str, Hypothesis | None]) -> None:
        self.changes = list(changes)
        self.journal: list[str] = []

    def identity(self) -> Identity:
        return Identity("scripted", {})

    def transcribe(self, utterances: Sequence[Utterance]) -> Iterator[Hypothesis]:
        self.journal.append("+".join(utterance.id for utterance in utterances))
        change = self.changes.pop(0) if self.changes else {}
        for utterance in utterances:
            row = change.get(utterance.id, STORED[utterance.id])
            if row is not None:
                yield row

    def findings(self) -> tuple[str, ...]:
        return ()

    def close(self) -> None:
        self.journal.append("closed")


def test_decodes_as_often_as_asked_with_one_new_start() -> None:
    """k decodings, a new process after the first, and every other one in reverse order."""
    engine = Scripted()
    found = decode_again(engine, CLIPS, STORED, decodings=3, seed=7)
    assert engine.journal == ["u0+u1+u2", "closed", "u2+u1+u0", "u0+u1+u2"]
    assert (found.utterances, found.decodings, found.flips, found.failed, found.seed) == (3, 3, (), (), 7)
    assert found.host
    assert found.measured


def test_another_text_or_status_is_a_flip() -> None:
    """One decoding that differs is enough; a text that is cut short is another output even when it reads alike."""
    engine = Scripted({"u0": Hypothesis("u0", "Text")}, {}, {"u2": Hypothesis("u2", "text", RowStatus.TRUNCATED)})
    found = decode_again(engine, CLIPS, STORED, decodings=3, seed=1)
    assert found.flips == (Flip("u0", ("text", "Text")), Flip("u2", ("text", "text [truncated]")))


def test_an_error_is_no_flip() -> None:
    """An utterance that fails in one decoding is named with its reason, and is no flip."""
    engine = Scripted({}, {"u1": Hypothesis("u1", "", RowStatus.ERROR, "crashed")})
    found = decode_again(engine, CLIPS, STORED, decodings=2, seed=1)
    assert (found.flips, found.failed, found.failure) == ((), ("u1",), "u1: crashed")


def test_a_row_that_does_not_come_is_told() -> None:
    """No row is neither equal nor a flip."""
    with pytest.raises(TranscriberError, match="no row came for 'u1' when it was decoded again"):
        decode_again(Scripted({"u1": None}), CLIPS, STORED, decodings=2, seed=1)


def test_timings_are_no_output() -> None:
    """Two decodings that took different times are equal."""
    assert output_of(Hypothesis("u", "text", latency_ms=1.0)) == output_of(Hypothesis("u", "text", latency_ms=2.0))


@pytest.mark.parametrize("repeats", [NONE, ONE, LOST])
def test_records_survive_the_store(repeats: Repeats) -> None:
    """What is kept comes back equal."""
    assert from_record(to_record(repeats)) == repeats


@pytest.mark.parametrize("text", ["no json", "{}", "[1]", "3", '{"flips": [{}]}'])
def test_damaged_record_is_one_sentence(text: str) -> None:
    """What the store cannot give back is an AsrGateError, not a traceback."""
    with pytest.raises(AsrGateError, match="a stored repeat check cannot be read"):
        from_record(text)


@pytest.mark.parametrize(
    ("repeats", "declared", "status", "limit"),
    [
        (NONE, False, CheckStatus.REPORTED, None),
        (NONE, True, CheckStatus.PASS, 0),
        (ONE, False, CheckStatus.REPORTED, None),
        (ONE, True, CheckStatus.ERROR, 0),
        (LOST, False, CheckStatus.REPORTED, None),
        (LOST, True, CheckStatus.ERROR, 0),
        (None, False, CheckStatus.REPORTED, None),
        (None, True, CheckStatus.ERROR, 0),
    ],
)
def test_only_a_declaration_makes_an_error(
    repeats: Repeats | None, declared: bool, status: CheckStatus, limit: int | None
) -> None:
    """Declared deterministic: a flip, a failure and no evidence are each an ERROR; undeclared all is reported."""
    check = checks.flips(repeats, "why not", declared=declared)
    assert (check.name, check.status, check.limit, check.unit) == ("flips", status, limit, "utterances")


def test_the_detail_says_what_flipped_and_what_is_missing() -> None:
    """The figure with its size, the outputs of the first flip, and what failed."""
    assert checks.flips(NONE, "", declared=True).detail == "0 of 2 utterances flipped in 3 decodings"
    flipped = checks.flips(ONE, "", declared=True)
    assert (flipped.value, flipped.utterances) == (1, ("b",))
    assert flipped.detail == (
        "1 of 2 utterances flipped in 3 decodings; b: 'red dogs' or 'red dog'; the engine is declared deterministic"
    )
    assert checks.flips(LOST, "", declared=False).detail.endswith(
        "incomplete, 1 failed in at least one of them (a: crashed)"
    )
    assert checks.flips(None, "why not", declared=False).detail == "why not"


def test_a_verdict_carries_the_repeats_into_table_and_report() -> None:
    """A flip of a declared engine is an ERROR of the pair; the note and the entry have its figures."""
    engine = TranscriberSettings("native", "x", "cpu", 60.0, 4000, {}, repeat=3, deterministic=True)
    asked = pair({"wer": 50.0})
    object.__setattr__(asked.variant, "transcriber", engine)
    verdict = decide(asked, scored("q8_0", ROWS), None, repeats=ONE)
    assert verdict.outcome is Outcome.ERROR
    assert verdict.reason.startswith("flips: 1 of 2")
    made = pair_entry(verdict)
    assert made["repeats"] is not None
    assert made["repeats"]["flips"] == [{"id": "b", "outputs": ["red dogs", "red dog"]}]
    assert "flips: q8_0 prompts 1 of 2 in 3 decodings" in notes([made], ".asrgate")


def test_what_was_not_decoded_again_is_a_warning() -> None:
    """An undeclared engine that could not be started again costs no verdict, and is not passed over."""
    engine = TranscriberSettings("native", "x", "cpu", 60.0, 4000, {}, repeat=3)
    asked = pair({"wer": 50.0})
    object.__setattr__(asked.variant, "transcriber", engine)
    verdict = decide(asked, scored("q8_0", ROWS), None, repeats_problem="it would not start")
    assert verdict.outcome is Outcome.PASS
    assert "not decoded again: it would not start" in verdict.warnings
    assert pair_entry(verdict)["repeats"] is None
