"""Claims about votes: when a question is asked again, who wins, and that nothing but the replies decides it."""

from collections.abc import Mapping

import pytest

from pytest_asrgate.judge.task import Failure, FailureKind, Item, Question, Ruling
from pytest_asrgate.judge.voting import deliberate
from tests.unit.judge_stand_ins import question

Reply = Mapping[str, Item] | Failure


def _items(*labels: str, reason: str = "because") -> dict[str, Item]:
    return {str(number): Item(label, reason) for number, label in enumerate(labels, start=1)}


def _deliberated(asked: Question, votes: int, replies: list[Reply]) -> tuple[Ruling | Failure, int]:
    """What comes of it when the replies come one after the other, and how many were asked for."""
    steps = deliberate(asked, votes)
    vote = next(steps)
    while True:
        try:
            vote = steps.send(replies[vote])
        except StopIteration as end:
            return end.value, vote + 1


def test_a_sure_reply_is_a_ruling() -> None:
    """One call, one vote."""
    ruling, asked = _deliberated(question(ids=["1", "2"]), 3, [_items("same", "error")])
    assert asked == 1
    assert ruling == Ruling(_items("same", "error"), {"1": ("same",), "2": ("error",)})


def test_a_risky_question_is_voted_on_whatever_the_first_reply_says() -> None:
    """Majority of each id by itself; the reason is that of the first vote for the winner."""
    replies: list[Reply] = [
        {"1": Item("same", "a"), "2": Item("same", "b")},
        {"1": Item("error", "c"), "2": Item("same", "d")},
        {"1": Item("error", "e"), "2": Item("error", "f")},
    ]
    ruling, asked = _deliberated(question(ids=["1", "2"], risky=["a number differs"]), 3, replies)
    assert asked == 3
    assert ruling == Ruling(
        {"1": Item("error", "c"), "2": Item("same", "b")},
        {"1": ("same", "error", "error"), "2": ("same", "same", "error")},
    )


def test_an_unsure_item_asks_for_a_vote() -> None:
    """The others' items are voted on with it."""
    replies: list[Reply] = [_items("same", "unsure"), _items("same", "error"), _items("same", "error")]
    ruling, asked = _deliberated(question(ids=["1", "2"]), 3, replies)
    assert asked == 3
    assert isinstance(ruling, Ruling)
    assert {name: item.label for name, item in ruling.items.items()} == {"1": "same", "2": "error"}


def test_a_reply_against_its_own_reason_asks_for_a_vote_and_is_named() -> None:
    """`contradicts` is the task's to say."""
    first = {"1": Item("error", "they mean the same"), "2": Item("error", "another day")}
    ruling, asked = _deliberated(
        question(ids=["1", "2"]), 3, [first, _items("same", "error"), _items("same", "error")]
    )
    assert asked == 3
    assert isinstance(ruling, Ruling)
    assert ruling.contradicted == ("1",)
    assert ruling.items["1"].label == "same"


@pytest.mark.parametrize(
    ("labels", "winner"),
    [
        (["same", "error", "unsure"], "unsure"),
        (["unsure", "unsure", "same"], "unsure"),
        (["unsure", "same", "same"], "same"),
        (["unsure", "same", "same", "error", "error"], "unsure"),
        (["unsure", "same", "same", "error", "same"], "same"),
    ],
)
def test_no_majority_is_unsure(labels: list[str], winner: str) -> None:
    """More than half of all votes, the unsure ones among them; more votes than others is not enough."""
    ruling, asked = _deliberated(question(risky=["a word"]), len(labels), [_items(label) for label in labels])
    assert asked == len(labels)
    assert isinstance(ruling, Ruling)
    assert ruling.items["1"].label == winner
    assert ruling.votes["1"] == tuple(labels)


def test_the_reason_without_a_majority_says_so() -> None:
    """Nobody's reason holds then."""
    ruling, _ = _deliberated(question(), 3, [_items("unsure"), _items("same"), _items("error")])
    assert isinstance(ruling, Ruling)
    assert ruling.items["1"].reason == "no majority: unsure, same, error"


def test_one_vote_is_never_a_vote() -> None:
    """Whatever asks for one; what the reply contradicts is still named."""
    first = {"1": Item("error", "the same")}
    ruling, asked = _deliberated(question(risky=["a number differs"]), 1, [first])
    assert asked == 1
    assert ruling == Ruling(first, {"1": ("error",)}, ("1",))


@pytest.mark.parametrize("at", [0, 1, 2])
def test_a_vote_that_fails_is_the_question_s_failure(at: int) -> None:
    """Two of three votes are no majority of three, and one is none of a risky question."""
    failure = Failure(FailureKind.UNAVAILABLE, "no reply")
    replies: list[Reply] = [_items("same"), _items("same"), _items("same")]
    replies[at] = failure
    assert _deliberated(question(risky=["a name differs"]), 3, replies) == (failure, at + 1)
