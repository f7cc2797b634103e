"""Two texts of one utterance, made ready: normalised, aligned, and settled as far as the rules are certain."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from pytest_asrgate.judge.task import Question
from pytest_asrgate.records import AlignedWords, Difference, Label
from pytest_asrgate.semantic.alignment import Step, align, aligned_words
from pytest_asrgate.semantic.differences import Found, find_differences
from pytest_asrgate.semantic.edit import Edit
from pytest_asrgate.semantic.normalise import read_plain, read_text
from pytest_asrgate.semantic.risks import looks_like_a_verdict, risks_of
from pytest_asrgate.semantic.rules_fillers import filler, is_filler_only
from pytest_asrgate.semantic.task import semantic_question
from pytest_asrgate.semantic.words import Text

__all__ = ["Prepared", "TextPair", "forget_pairs", "prepare"]

# So many pairs are kept, for the next variant of the same gate; each takes a few thousand bytes.
_KEPT = 4_096


@dataclass(frozen=True, slots=True)
class TextPair:
    """The raw texts of an utterance; `normalised` are both under the recipe, and set for other languages only.

    `language` is its canonical code.
    """

    reference: str
    hypothesis: str
    language: str = "en"
    context: str | None = None
    normalised: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Prepared:
    """What is known of a pair before anybody is asked; `words` are the N of the rate.

    `question` is about the differences that are open, None where there is none. `warning` is of texts that talk to
    the judge who is to be asked, the context among them.
    """

    reference: str
    hypothesis: str
    words: int
    alignment: tuple[AlignedWords, ...]
    differences: tuple[Difference, ...]
    question: Question | None
    warning: str = ""


def _texts(pair: TextPair) -> tuple[Text, Text]:
    if pair.normalised is None:
        reference = read_text(pair.reference)
        if pair.hypothesis == pair.reference:
            return reference, reference
        # References come again with every variant; a hypothesis that does comes with its pair.
        return reference, read_text.__wrapped__(pair.hypothesis)
    spoken, heard = pair.normalised
    return read_plain(spoken, pair.reference), read_plain(heard, pair.hypothesis)


def _one_sided(reference: Text, hypothesis: Text, steps: Sequence[Step]) -> tuple[Found, ...] | None:
    """The differences of a pair of which one side is silent; None where neither is.

    Every word counts then, compounds and articles too: who recognised nothing has lost all of it.
    """
    if bool(reference.words) == bool(hypothesis.words):
        return None
    edit = Edit(reference, hypothesis, (0, len(reference.words)), (0, len(hypothesis.words)))
    settled = filler(edit)
    deleted, inserted = len(reference.words), len(hypothesis.words)
    if settled is not None:
        label, name, reason = settled.label, "filler", settled.reason
    elif deleted:
        label, name, reason = Label.ERROR, "empty", "Nothing was recognised although something was said."
    else:
        label, name, reason = Label.ERROR, "nothing said", "Words were recognised although nothing was said."
    difference = Difference(
        1, reference.normalised, hypothesis.normalised, 0, deleted, inserted, label, f"rule {name}", reason
    )
    return (Found(difference, edit, (0, len(steps))),)


def _found(reference: Text, hypothesis: Text, steps: Sequence[Step], english: bool) -> tuple[Found, ...]:
    found = _one_sided(reference, hypothesis, steps)
    if found is None:
        found = find_differences(reference, hypothesis, steps, english=english)
    if not english or not is_filler_only(reference):
        return found
    reason = "Words were recognised although nothing was said but a filler."
    return tuple(
        replace(
            row,
            difference=replace(row.difference, label=Label.ERROR, decided_by="rule nothing said", reason=reason),
        )
        if row.difference.label is Label.OPEN
        else row
        for row in found
    )


def forget_pairs() -> None:
    """Let go of the pairs and texts that are kept for the next variant."""
    prepare.cache_clear()
    read_text.cache_clear()
    read_plain.cache_clear()


@lru_cache(maxsize=_KEPT)
def prepare(pair: TextPair) -> Prepared:
    """Normalise, align and settle a pair; the question is about what is left open. A pure function of the pair."""
    reference, hypothesis = _texts(pair)
    steps = align(reference, hypothesis)
    found = _found(reference, hypothesis, steps, pair.normalised is None)
    opened = [row for row in found if row.difference.label is Label.OPEN]
    suspects: list[str] = []
    question = None
    if opened:
        suspects = [name for name in ("reference", "hypothesis") if looks_like_a_verdict(getattr(pair, name))]
        if pair.context and looks_like_a_verdict(pair.context, conversation=True):
            suspects.append("context")
        question = semantic_question(
            pair.reference,
            pair.hypothesis,
            [row.difference for row in opened],
            language=pair.language,
            context=pair.context,
            risky=risks_of([row.edit for row in opened], verdict_like=bool(suspects)),
        )
    return Prepared(
        reference=reference.normalised,
        hypothesis=hypothesis.normalised,
        words=len(reference.words),
        alignment=aligned_words(reference, hypothesis, steps),
        differences=tuple(row.difference for row in found),
        question=question,
        warning=f"the {' and the '.join(suspects)} reads like a verdict or like instructions" if suspects else "",
    )
