"""Claims about the trail of a judged utterance as plain JSON values."""

import json
from dataclasses import fields

from pytest_asrgate.records.judged import Difference, Label
from pytest_asrgate.reports.trail import DifferenceEntry, TrailEntry, trail, trails

from .builders import difference, judged, judged_utterance

CHANGED = judged_utterance(
    "u1",
    "call me at five",
    "call me at nine please",
    difference("five", "nine"),
    difference(
        "",
        "please",
        Label.SAME,
        number=2,
        substitutions=0,
        insertions=1,
        decided_by="judge openai/gpt-x",
        reason="only politeness",
        votes=("same", "same", "error"),
    ),
    asked=True,
    warning="looks like a verdict",
)
EQUAL = judged_utterance("u2", "the dog", "the dog")


def test_a_trail_has_everything_that_was_decided_and_why() -> None:
    """Texts, alignment, each difference with its label, who decided, votes and reason, and the counts."""
    made = trail(CHANGED)
    assert (made["id"], made["ref"], made["hyp"]) == ("u1", "call me at five", "call me at nine please")
    assert (made["substitutions"], made["deletions"], made["insertions"], made["words"]) == (1, 0, 0, 4)
    assert (made["asked"], made["judge_error"], made["warning"]) == (True, "", "looks like a verdict")
    assert made["alignment"][-2:] == [["S", "five", "nine"], ["I", "", "please"]]
    first, second = made["differences"]
    assert (first["number"], first["ref"], first["hyp"], first["label"]) == (1, "five", "nine", "error")
    assert (first["decided_by"], first["reason"], first["votes"]) == ("rule number", "the numbers differ", [])
    assert (second["label"], second["votes"]) == ("same", ["same", "same", "error"])
    assert (second["substitutions"], second["deletions"], second["insertions"]) == (0, 0, 1)
    assert json.loads(json.dumps(made, allow_nan=False)) == made


def test_a_judge_error_has_its_sentence_and_no_counts() -> None:
    """What the judge could not say is null, never 0."""
    made = trail(judged_utterance("u1", "a b", "a c", counts=None, asked=True, judge_error="no reply in 60 s"))
    assert (made["substitutions"], made["deletions"], made["insertions"], made["words"]) == (None, None, None, None)
    assert made["judge_error"] == "no reply in 60 s"


def test_the_keys_of_a_difference_are_the_fields_of_the_value() -> None:
    """Only the texts have shorter names, those of the report's utterances."""
    renamed = {"reference": "ref", "hypothesis": "hyp"}
    names = {renamed.get(field.name, field.name) for field in fields(Difference)}
    assert set(DifferenceEntry.__annotations__) == names
    assert set(trail(CHANGED)["differences"][0]) == names
    assert set(trail(CHANGED)) == set(TrailEntry.__annotations__)


def test_trails_of_equal_texts_are_left_out() -> None:
    """A thousand utterances that were heard right add nothing; whatever can be wrong with one keeps its trail."""
    failed = judged_utterance("u3", "a b", "a b", counts=None, judge_error="refused")
    warned = judged_utterance("u4", "a b", "a b", warning="looks like a verdict")
    joined = judged_utterance("u5", "ice cream", "icecream", counts=None)
    found = trails(judged(EQUAL, CHANGED, failed, warned, joined))
    assert [made["id"] for made in found] == ["u1", "u3", "u4", "u5"]
