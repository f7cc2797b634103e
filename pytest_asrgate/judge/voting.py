"""How often a question is asked and which label wins: decided by the question and its replies alone."""

from collections import Counter
from collections.abc import Generator, Mapping, Sequence

from pytest_asrgate.judge.task import Failure, Item, Question, Ruling, Task

__all__ = ["Reply", "deliberate"]

# One vote's items by id, or why there are none.
Reply = Mapping[str, Item] | Failure


def _winner(task: Task, votes: Sequence[Item]) -> Item:
    """The first vote for the label that more than half of the votes have; `unsure` without one."""
    label, count = Counter(item.label for item in votes).most_common(1)[0]
    if 2 * count > len(votes):
        return next(item for item in votes if item.label == label)
    return Item(task.unsure, f"no majority: {', '.join(item.label for item in votes)}")


def deliberate(question: Question, votes: int) -> Generator[int, Reply, Ruling | Failure]:
    """Yield the number of each vote that is needed, from 0, take its reply, and return what comes of them.

    The first reply stands alone, unless the question is risky, one of its items is unsure, or one contradicts its
    own reason: all `votes`, an odd number, are asked for then. A vote that fails is the question's failure.
    """
    task = question.task
    first = yield 0
    if isinstance(first, Failure):
        return first
    contradicted = tuple(name for name, item in first.items() if task.contradicts(item))
    replies = [first]
    if question.risky or contradicted or any(item.label == task.unsure for item in first.values()):
        for vote in range(1, votes):
            reply = yield vote
            if isinstance(reply, Failure):
                return reply
            replies.append(reply)
    by_id = {name: [reply[name] for reply in replies] for name in first}
    return Ruling(
        {name: _winner(task, items) for name, items in by_id.items()},
        {name: tuple(item.label for item in items) for name, items in by_id.items()},
        contradicted,
    )
