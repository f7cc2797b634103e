"""Claims about calibrating: labels are compared as the score counts them, the judge's apart from the rules'."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from pytest_asrgate.calibrated import prompt_of
from pytest_asrgate.calibrating import calibrate, calibration_questions
from pytest_asrgate.errors import DatasetError
from pytest_asrgate.formats.labels import read_labels
from pytest_asrgate.judge.task import Failure, FailureKind, Item, Question, Ruling
from pytest_asrgate.records import Spending
from pytest_asrgate.records.calibration import CalibrationRun, Replies

from .calibrations import replies
from .commands import write

# The judge's labels by hypothesis: one for all votes, or one for each.
Said = Mapping[str, str | Sequence[str] | None]


@dataclass
class Stand:
    """Answers each listed difference of a hypothesis as `said` says; None is a failure."""

    said: Said
    model: str = "openai/judge"
    served: tuple[str, ...] = ("judge-of-may",)
    replies: Replies = field(default_factory=replies)
    asked: list[Question] = field(default_factory=list)

    @property
    def spending(self) -> Spending:
        """A call for each question."""
        return Spending(calls=len(self.asked))

    def rule(self, questions: Sequence[Question]) -> list[Ruling | Failure]:
        """One ruling a question."""
        self.asked += questions
        return [self._ruling(question) for question in questions]

    def _ruling(self, question: Question) -> Ruling | Failure:
        said = self.said[str(question.data["hypothesis"])]
        if said is None:
            return Failure(FailureKind.REFUSED, "it would not answer")
        listed = question.data["differences"]
        assert isinstance(listed, list)
        votes = (said,) if isinstance(said, str) else tuple(said)
        won = next((vote for vote in votes if 2 * votes.count(vote) > len(votes)), "unsure")
        return Ruling({row["id"]: Item(won, "as I see it") for row in listed}, {row["id"]: votes for row in listed})


def _row(identity: str, reference: str, hypothesis: str, *labels: str, **given: object) -> dict[str, object]:
    row = {"id": identity, "ref_text": reference, "hyp_text": hypothesis, "labels": labels}
    return {**row, "language": "en", **given}


ROWS = [
    _row("u1", "walk the dog", "walk the dock", "error"),
    _row("u2", "call me at five", "call me at nine", "error"),
    _row("u3", "stop the music", "stop that music", "same", **{"class": "article"}),
    _row("u4", "feed the cat", "feed the bat", "error"),
    _row("u5", "the lights", "the lights"),
    _row("u6", "दरवाज़ा खोलो", "दरवाज़े खोलो", "same", language="hi"),
]
SAID: Said = {
    "walk the dock": "error",
    "call me at nine": "error",
    "stop that music": "same",
    "feed the bat": "same",
    "दरवाज़े खोलो": ["same", "unsure", "error"],
}


@pytest.fixture
def calibrated(tmp_path: Path) -> Callable[..., tuple[CalibrationRun, Stand]]:
    """Calibrates a stand-in with rows of labels."""

    def run(rows: Sequence[object] = ROWS, said: Said = SAID) -> tuple[CalibrationRun, Stand]:
        judge = Stand(said)
        labels = read_labels(write(tmp_path / "labels.jsonl", rows), "semantic")
        return calibrate(labels, "semantic", judge, votes=3), judge

    return run


def test_what_rules_decide_flatters_nobody(calibrated: Callable[..., tuple[CalibrationRun, Stand]]) -> None:
    """Agreement is of what was asked; a difference that rules settle is compared too, and stands apart.

    What has no majority counts as an error, as in the score, and is counted.
    """
    run, judge = calibrated()
    found = run.calibration
    asked = {str(question.data["hypothesis"]) for question in judge.asked}
    assert "call me at nine" not in asked
    assert dict(found.whole.counts) == {
        ("error", "error"): 1,
        ("error", "same"): 1,
        ("same", "same"): 1,
        ("same", "error"): 1,
    }
    assert found.whole.kappa == 0.0
    assert dict(found.by_rules.counts) == {("error", "error"): 1}
    assert found.undecided == 1
    assert (found.task, found.model, found.votes, found.served) == (
        "semantic",
        "openai/judge",
        3,
        ("judge-of-may",),
    )
    assert found.prompt == prompt_of("semantic")
    assert (run.rows, run.failures, run.spending.calls) == (6, (), 4)


def test_languages_and_classes_add_up(calibrated: Callable[..., tuple[CalibrationRun, Stand]]) -> None:
    """Each label is in one language; a class that nobody names is the kind of difference."""
    found = calibrated()[0].calibration
    assert {name: each.n for name, each in found.languages.items()} == {"en": 3, "hi": 1}
    assert {name: each.n for name, each in found.classes.items()} == {"article": 1, "substitution": 3}
    kinds = calibrated(
        [
            _row("a", "do not sing in May please", "do sing in May please", "error"),
            _row("b", "play blue songs", "play songs", "error"),
            _row("c", "play songs", "play blue songs", "error", classes=["colour"]),
        ],
        {"do sing in May please": "error", "play songs": "error", "play blue songs": "error"},
    )[0].calibration
    groups = {**{name: each.n for name, each in kinds.classes.items()}}
    assert groups.get("colour") == 1
    assert groups.get("deletion") == 1
    assert set(groups) <= {"colour", "deletion", "negation"}


def test_labels_that_differ_are_told_in_the_order_of_the_file(
    calibrated: Callable[..., tuple[CalibrationRun, Stand]],
) -> None:
    """With who said what and why."""
    first, second = calibrated()[0].disagreements
    assert (first.id, first.human, first.judge, first.reason) == ("u4", "error", "same", "as I see it")
    assert first.about == '1. "cat" → "bat"'
    assert (second.id, second.language, second.human, second.judge) == ("u6", "hi", "same", "error")


def test_rows_without_a_ruling_are_named_and_in_no_figure(
    calibrated: Callable[..., tuple[CalibrationRun, Stand]],
) -> None:
    """Neither as agreement nor as disagreement."""
    run, _ = calibrated(said={**SAID, "feed the bat": None})
    assert run.failures == (("u4", "it would not answer"),)
    assert run.calibration.whole.n == 3


def test_a_wrong_number_of_labels_is_told_before_anybody_is_asked(tmp_path: Path) -> None:
    """By line and id, with the differences as they are numbered."""
    path = write(tmp_path / "labels.jsonl", [ROWS[0], _row("u4", "feed the cat", "feed the bat", "error", "same")])
    labels, judge = read_labels(path, "semantic"), Stand(SAID)
    for use in (
        lambda: calibrate(labels, "semantic", judge, votes=3),
        lambda: calibration_questions(labels, "semantic"),
    ):
        with pytest.raises(DatasetError) as caught:
            use()
        assert str(caught.value) == (
            f'{path}:2 (u4): has 2 labels, and the texts have 1 difference: 1. "cat" → "bat"; give one label for '
            "each, in this order"
        )
    assert judge.asked == []


def test_what_would_be_asked(tmp_path: Path) -> None:
    """The questions of an estimate are those that calibrating asks."""
    labels, judge = read_labels(write(tmp_path / "labels.jsonl", ROWS), "semantic"), Stand(SAID)
    calibrate(labels, "semantic", judge, votes=3)
    assert list(calibration_questions(labels, "semantic")) == judge.asked
