"""Claims about calibrating intent and entities: the judge's own word, and entities that both name."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

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

# By hypothesis: the votes on the intent, then for each entity its votes and the words heard.
Said = Mapping[str, tuple[Sequence[str], Mapping[str, tuple[Sequence[str], str]]]]


@dataclass
class Stand:
    """Lists the entities of `lists` by reference, and rules as `said`; what is not there is a failure."""

    lists: Mapping[str, Sequence[str]]
    said: Said
    model: str = "openai/judge"
    served: tuple[str, ...] = ()
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
        if question.task.name == "entities":
            texts = self.lists.get(str(question.data["reference"]), ())
            items = {
                str(number): Item("object", "", quote=text, weight=1) for number, text in enumerate(texts, start=1)
            }
            return Ruling(items, dict.fromkeys(items, ("object",)))
        said = self.said.get(str(question.data["hypothesis"]))
        if said is None:
            return Failure(FailureKind.MALFORMED, "no valid reply")
        entities: Any = question.data["entities"]
        votes = {"intent": tuple(said[0]), **{row["id"]: tuple(said[1][row["text"]][0]) for row in entities}}
        heard = {row["id"]: said[1][row["text"]][1] for row in entities}
        items = {
            name: Item(
                next((each for each in every if 2 * every.count(each) > len(every)), "unsure"),
                "as I hear it",
                quote=heard.get(name, ""),
            )
            for name, every in votes.items()
        }
        return Ruling(items, votes)


def _row(index: int, reference: str, hypothesis: str, score: int, *entities: str, **given: Any) -> dict[str, Any]:
    pairs = [entity.split("=") for entity in entities]
    labelled = [{"text": text, "status": status} for text, status in pairs]
    row = {"index": index, "ground_truth": reference, "hypothesis": hypothesis, "intent_score": score}
    return {**row, "entities": labelled, "language": "en", **given}


ROWS = [
    _row(1, "I will call the doctor", "you will call the doctor", 0, "doctor=preserved", **{"class": "pronoun"}),
    _row(2, "pay the rent today", "pay the tent today", 0, "rent=substituted", "today=preserved"),
    _row(3, "is the train late", "the train is late", 0, "train=preserved", **{"class": "question"}),
    _row(4, "Stop the music.", "stop the music", 1, "music=preserved"),
    _row(5, "my number is 555 1234", "my number is 555 1244", 0, "555 1234=substituted"),
    _row(6, "bring me a chair", "bring me the chair please", 1, "CHAIR=preserved", "me=preserved"),
    _row(7, "मेरा घर कहाँ है", "मेरा घर वहाँ है", 0, language="hi"),
]
LISTS = {
    "I will call the doctor": ["doctor"],
    "pay the rent today": ["rent", "today"],
    "is the train late": ["train"],
    "Stop the music.": ["music"],
    "my number is 555 1234": ["555 1234"],
    "bring me a chair": ["chair"],
}
ONE = ("preserved",)
SAID: Said = {
    "you will call the doctor": (("lost",), {"doctor": (ONE, "doctor")}),
    "pay the tent today": (("lost",), {"rent": (("missing",), ""), "today": (ONE, "today")}),
    "the train is late": (("kept",), {"train": (ONE, "train")}),
    # It did not see the digit; our own comparison does, whatever it says.
    "my number is 555 1244": (("kept", "kept", "lost"), {"555 1234": (ONE * 3, "555 1244")}),
    "bring me the chair please": (("kept",), {"chair": (ONE, "chair")}),
    "मेरा घर वहाँ है": (("kept", "unsure", "lost"), {}),
}


def _run(folder: Path, said: Said = SAID) -> tuple[CalibrationRun, Stand]:
    judge = Stand(LISTS, said)
    return calibrate(read_labels(write(folder / "labels.jsonl", ROWS), "intent"), "intent", judge, votes=3), judge


def test_the_judges_own_word_is_compared(tmp_path: Path) -> None:
    """Rules decided row 4; in row 5 our comparison of digits overrules the judge, whose mistake counts still.

    Without a majority (row 7) the intent counts as lost, as in the score.
    """
    run, _ = _run(tmp_path)
    found = run.calibration
    assert dict(found.whole.counts) == {
        ("lost", "lost"): 3,
        ("lost", "kept"): 2,
        ("kept", "kept"): 1,
    }
    assert dict(found.by_rules.counts) == {("kept", "kept"): 1}
    assert {name: each.n for name, each in found.languages.items()} == {"en": 5, "hi": 1}
    assert {name: each.n for name, each in found.classes.items()} == {"pronoun": 1, "question": 1}
    assert found.undecided == 1
    assert found.prompt == prompt_of("intent") != prompt_of("semantic")
    assert [said.id for said in run.disagreements if said.about == "intent"] == ["3", "5"]


def test_what_the_judge_did_not_list_is_a_disagreement(tmp_path: Path) -> None:
    """Three statuses, letters of either case; an entity that the judge left out is in no score."""
    run, _ = _run(tmp_path)
    found = run.calibration
    assert dict(found.entities.counts) == {
        ("preserved", "preserved"): 4,
        ("substituted", "missing"): 1,
        ("substituted", "preserved"): 1,
        ("preserved", "not listed"): 1,
    }
    assert found.unlisted == 1
    assert {name: each.counts for name, each in found.entity_languages.items()} == {"en": found.entities.counts}
    texts = [(said.about, said.judge) for said in run.disagreements if said.about != "intent"]
    assert texts == [
        ('entity "rent"', "missing"),
        ('entity "555 1234"', "preserved"),
        ('entity "me"', "not listed"),
    ]


def test_entities_that_rules_decided_are_compared_too(tmp_path: Path) -> None:
    """They stand apart, as intents do; one that the judge did not list is its own doing, also there."""
    rows = [
        _row(1, "Stop the music.", "stop the music", 1, "music=missing", "Stop=preserved"),
        _row(2, "Stop that music.", "stop that music", 1, "Music.=preserved"),
    ]
    judge = Stand({"Stop the music.": ["music"], "Stop that music.": ["music"]}, {})
    found = calibrate(read_labels(write(tmp_path / "labels.jsonl", rows), "intent"), "intent", judge, votes=3)
    assert dict(found.calibration.entities_by_rules.counts) == {
        ("missing", "preserved"): 1,
        ("preserved", "preserved"): 1,
    }
    assert dict(found.calibration.entities.counts) == {("preserved", "not listed"): 1}
    assert dict(found.calibration.by_rules.counts) == {("kept", "kept"): 2}
    assert [(said.about, said.decided_by[:5]) for said in found.disagreements] == [
        ('entity "music"', "rule "),
        ('entity "Stop"', "judge"),
    ]


def test_what_is_scored_stands_beside_the_judges_word(tmp_path: Path) -> None:
    """In row 5 our comparison of digits overrules it, for the entity and for the intent."""
    found = _run(tmp_path)[0].calibration
    assert dict(found.entities_scored.counts) == {
        ("preserved", "preserved"): 4,
        ("substituted", "missing"): 1,
        ("substituted", "substituted"): 1,
        ("preserved", "not listed"): 1,
    }
    assert dict(found.scored.counts) == {("lost", "lost"): 4, ("lost", "kept"): 1, ("kept", "kept"): 1}


@pytest.mark.parametrize(
    ("texts", "fact"),
    [
        (["rent", "house"], "(2): the entity 'house' does not stand in the reference; quote it from there"),
        (["re"], "the entity 're' does not stand in the reference"),
        (["..."], "the entity '...' does not stand in the reference"),
        (["rent", "Rent."], "(2): the entity 'Rent.' is labelled twice, as 'rent' too"),
    ],
)
def test_entities_that_cannot_be_compared_are_refused(tmp_path: Path, texts: list[str], fact: str) -> None:
    """By line and id, before anybody is asked, for an estimate, too."""
    rows = [ROWS[0], _row(2, "pay the rent today", "pay", 0, *(f"{text}=missing" for text in texts))]
    path = write(tmp_path / "labels.jsonl", rows)
    labels, judge = read_labels(path, "intent"), Stand(LISTS, SAID)
    for use in (
        lambda: calibrate(labels, "intent", judge, votes=3),
        lambda: calibration_questions(labels, "intent"),
    ):
        with pytest.raises(DatasetError) as caught:
            use()
        assert str(caught.value).startswith(f"{path}:2 (2): ")
        assert fact in str(caught.value)
    assert judge.asked == []


def test_failures_are_named(tmp_path: Path) -> None:
    """An utterance without a ruling is in no figure, and its entities are not either."""
    run, _ = _run(tmp_path, {name: SAID[name] for name in SAID if name != "pay the tent today"})
    assert run.failures == (("2", "no valid reply"),)
    assert (run.calibration.whole.n, run.calibration.entities.n) == (5, 5)


def test_what_would_be_asked(tmp_path: Path) -> None:
    """An estimate from a judge that knows the entities has the questions that calibrating asks."""
    labels = read_labels(write(tmp_path / "labels.jsonl", ROWS), "intent")
    _, judge = _run(tmp_path)
    known = calibration_questions(labels, "intent", Stand(LISTS, SAID))

    def texts(questions: Sequence[Question]) -> list[str]:
        return sorted(repr(sorted(question.data.items())) for question in questions)

    assert texts(known) == texts(judge.asked)
