"""The latency probe takes turns, counts right, and refuses what it cannot time."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from pytest_asrgate.errors import AsrGateError, TranscriberError
from pytest_asrgate.latency import PROBE_CLIPS, ProbeSide, evidence_key, from_record, measure, sample, to_record
from pytest_asrgate.records import Hypothesis, RowStatus, Utterance
from pytest_asrgate.transcribers.protocol import Identity

UTTERANCES = [Utterance(f"u{number}", Path("x.wav"), "text") for number in range(50)]


class Clock:
    """A transcriber whose decoding takes as long as it says."""

    keeps_results = True

    def __init__(self, name: str, ms: float, journal: list[str], *, keeps_process: bool = True) -> None:
        self.name, self.ms, self.journal, self.keeps_process = name, ms, journal, keeps_process

    def identity(self) -> Identity:
        return Identity(self.name, {})

    def transcribe(self, utterances: Sequence[Utterance]) -> Iterator[Hypothesis]:
        self.journal.append(f"{self.name}:{'+'.join(utterance.id for utterance in utterances)}")
        for utterance in utterances:
            yield Hypothesis(utterance.id, "text", latency_ms=self.ms, audio_s=2.0)

    def findings(self) -> tuple[str, ...]:
        return ()

    def close(self) -> None:
        return


class Broken(Clock):
    """One that fails on every clip."""

    def transcribe(self, utterances: Sequence[Utterance]) -> Iterator[Hypothesis]:
        for utterance in utterances:
            yield Hypothesis(utterance.id, "", RowStatus.ERROR, "crashed")


def test_ratio_and_real_time_factor_are_of_one_session() -> None:
    """Twice the time is a ratio of two, and the factor is decoding time over audio time of the variant."""
    journal: list[str] = []
    found = measure(
        ProbeSide("q8_0", Clock("q8_0", 100.0, journal)),
        ProbeSide("f32", Clock("f32", 50.0, journal)),
        UTTERANCES,
        seed=1,
        threads=1,
    )
    assert (found.ratio, found.p50_ms, found.p99_ms, found.baseline_p50_ms) == (2.0, 100.0, 100.0, 50.0)
    assert found.rtf == pytest.approx(0.05)
    assert (found.clips, found.rounds, found.threads) == (20, 3, 1)
    assert found.host
    assert from_record(to_record(found)) == found


def test_the_two_take_turns_clip_by_clip() -> None:
    """After the warm-up each clip is decoded by both before the next, and the first to go changes by round."""
    journal: list[str] = []
    sides = [ProbeSide(name, Clock(name, 1.0, journal)) for name in ("a", "b")]
    measure(sides[0], sides[1], UTTERANCES[:2], seed=1, threads=1)
    assert journal[:2] == ["a:u0+u1", "b:u0+u1"]
    assert journal[2:6] == ["a:u0", "b:u0", "a:u1", "b:u1"]
    assert journal[6:10] == ["b:u0", "a:u0", "b:u1", "a:u1"]
    assert len(journal) == 2 + 3 * 4


def test_programs_that_start_anew_take_turns_by_round() -> None:
    """Where a call starts a process, a round is one call a side."""
    journal: list[str] = []
    first = ProbeSide("a", Clock("a", 1.0, journal, keeps_process=False))
    measure(first, ProbeSide("b", Clock("b", 1.0, journal)), UTTERANCES[:3], seed=1, threads=1)
    assert journal[2:] == [f"{name}:u0+u1+u2" for name in "abbaab"]


def test_alone_there_is_no_ratio() -> None:
    """A baseline is timed alone: a real-time factor and no ratio."""
    found = measure(ProbeSide("f32", Clock("f32", 10.0, [])), None, UTTERANCES, seed=1, threads=1)
    assert (found.ratio, found.baseline_p50_ms, found.baseline_p99_ms) == (None, None, None)
    assert found.rtf == pytest.approx(0.005)


def test_clip_that_fails_cannot_be_timed() -> None:
    """An error row is never a timing."""
    with pytest.raises(TranscriberError, match=r"q8_0 cannot be timed on u.*crashed"):
        measure(ProbeSide("q8_0", Broken("q8_0", 1.0, [])), None, UTTERANCES, seed=1, threads=1)


def test_sample_is_seeded_and_in_order() -> None:
    """The same seed takes the same clips, another seed others, never more than there are."""
    chosen = sample(UTTERANCES, 1)
    assert len(chosen) == PROBE_CLIPS
    assert chosen == sample(UTTERANCES, 1) != sample(UTTERANCES, 2)
    assert [UTTERANCES.index(utterance) for utterance in chosen] == sorted(map(UTTERANCES.index, chosen))
    assert sample(UTTERANCES[:3], 1) == UTTERANCES[:3]


def test_evidence_belongs_to_engines_data_and_host(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other engines, another dataset or another host is other evidence."""
    here = evidence_key(["a", "b", "recipe", "data"])
    assert here == evidence_key(["a", "b", "recipe", "data"])
    keys = {here, evidence_key(["b", "a", "recipe", "data"]), evidence_key(["a", "b", "recipe", "other"])}
    monkeypatch.setattr("platform.node", lambda: "another-host")
    keys.add(evidence_key(["a", "b", "recipe", "data"]))
    assert len(keys) == 4


def test_damaged_record_is_one_sentence() -> None:
    """What the store cannot give back is an AsrGateError, not a traceback."""
    for text in ("no json", "{}", "[1]"):
        with pytest.raises(AsrGateError, match="a stored latency probe cannot be read"):
            from_record(text)
