"""Claims about what a person is told of a run over a manifest."""

from pytest_asrgate.records import Hypothesis, RowStatus
from pytest_asrgate.reports.transcribed import failed_count, transcribed_lines

from .builders import hypothesis_set, utterances


def test_a_run_without_trouble_is_one_line() -> None:
    """How many were decoded now, and how many before."""
    made = hypothesis_set("m", [Hypothesis("u1", "one"), Hypothesis("u2", "two")], transcribed=1, reused=1)
    assert transcribed_lines(made, utterances("one", "two")) == ["transcribed 1 utterance (1 was there already)"]
    assert failed_count(made) == 0


def test_failures_are_told_by_reason() -> None:
    """Each reason once, with the ids; the first line says how many, and what to do."""
    rows = [Hypothesis(f"u{number}", "", RowStatus.ERROR, "too hot") for number in (1, 2)]
    rows += [Hypothesis("u3", "", RowStatus.ERROR, "no answer"), Hypothesis("u4", "four")]
    made = hypothesis_set("m", rows, transcribed=1, reused=0)
    assert failed_count(made) == 3
    assert transcribed_lines(made, utterances("", "", "", "four")) == [
        "transcribed 1 utterance (0 were there already), 3 failed; another run tries them again",
        "failed: 'u1', 'u2': too hot",
        "failed: 'u3': no answer",
    ]


def test_reasons_that_differ_by_a_number_are_one() -> None:
    """A fault that names the length of its clip does not fill the screen; told are the words of the first."""
    rows = [Hypothesis(f"u{number}", "", RowStatus.ERROR, f"refused a clip of {number}.50 s") for number in (1, 22)]
    lines = transcribed_lines(hypothesis_set("m", rows), utterances("", ""), str.upper)
    assert lines[1:] == ["failed: 'u1', 'u22': REFUSED A CLIP OF 1.50 S"]


def test_many_reasons_do_not_fill_the_screen() -> None:
    """Ten reasons are told; who failed for another one is counted and sent to the file."""
    rows = [Hypothesis(f"u{number}", "", RowStatus.ERROR, f"reason {chr(96 + number)}") for number in range(1, 19)]
    lines = transcribed_lines(hypothesis_set("m", rows), utterances(*[""] * 18))
    failed = [line for line in lines if line.startswith("failed: ")]
    assert len(failed) == 11
    assert failed[-1] == ("failed: 'u11', 'u12', 'u13', 'u14', 'u15' and 3 more: their rows in the file say why")


def test_odd_outputs_and_the_engines_own_words() -> None:
    """Partial and empty texts are counted; what cannot be set, and what the engine complained of, follows."""
    rows = [
        Hypothesis("u1", "on", RowStatus.TRUNCATED),
        Hypothesis("u2", "two two", RowStatus.REPETITION),
        Hypothesis("u3", " "),
        Hypothesis("u4", ""),
    ]
    made = hypothesis_set(
        "m",
        rows,
        provenance={"engine": "fake", "architecture": "tiny"},
        not_controllable=("seed", "logprob"),
        findings=("low on sleep",),
        transcribed=4,
    )
    assert transcribed_lines(made, utterances("one", "two", "three", ""))[1:] == [
        "1 truncated, kept with their partial text: 'u1'",
        "1 stopped for repetition, kept with their partial text: 'u2'",
        "2 without any text, 1 of them with an empty reference: 'u3', 'u4'",
        "not controllable by fake (tiny): seed, logprob",
        "warning: low on sleep",
    ]
