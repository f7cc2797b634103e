"""From labelled differences to substitutions, deletions and insertions, and from these to a rate.

One rule: a difference labelled the same costs nothing; one labelled an error costs the substitutions, deletions and
insertions that the alignment has in it, where a hyphenated compound counts once. So `cross-country` that became
`koscanti` is one substitution.
"""

from collections.abc import Sequence

from pytest_asrgate.errors import ScoringError
from pytest_asrgate.records import Counts, Difference, Label
from pytest_asrgate.semantic.alignment import Step
from pytest_asrgate.semantic.words import Text
from pytest_asrgate.values import shown

__all__ = ["calculate_wer", "cost_of", "counts_of_differences"]


def calculate_wer(substitutions: int, deletions: int, insertions: int, reference_words: int) -> float | None:
    """The word error rate in percent, 100 (S + D + I) / N; None where there are no reference words.

    Raises ScoringError for a count that is no whole number or is negative, and for more substitutions and deletions
    than reference words: no alignment has such counts.
    """
    counts = {
        "substitutions": substitutions,
        "deletions": deletions,
        "insertions": insertions,
        "reference_words": reference_words,
    }
    for name, count in counts.items():
        if isinstance(count, bool) or not isinstance(count, int) or count < 0:
            raise ScoringError(f"{name} must be a whole number from 0, not {shown(count)}")
    if substitutions + deletions > reference_words:
        raise ScoringError(
            f"substitutions and deletions are {shown(substitutions + deletions)} together, which is more than the "
            f"{shown(reference_words)} reference words"
        )
    return Counts(substitutions, deletions, insertions, reference_words).rate_pct


def cost_of(reference: Text, hypothesis: Text, steps: Sequence[Step]) -> tuple[int, int, int]:
    """Substitutions, deletions and insertions of some steps, a hyphenated compound counting once.

    A compound of the reference is substituted where any word of it is, else deleted. One of the hypothesis is
    inserted once, and not at all where a word of it was already counted as a substitution; it never joins the
    reference words that it stands for.
    """
    spoken: dict[tuple[str, int], bool] = {}
    standing: set[tuple[str, int]] = set()
    inserted: set[tuple[str, int]] = set()
    for step in steps:
        if step.kind in "SD":
            unit = _unit(reference, step.spoken[0])
            spoken[unit] = spoken.get(unit, False) or step.kind == "S"
        if step.kind == "S":
            standing.add(_unit(hypothesis, step.heard[0]))
        elif step.kind == "I":
            inserted.add(_unit(hypothesis, step.heard[0]))
    substitutions = sum(spoken.values())
    return substitutions, len(spoken) - substitutions, len(inserted - standing)


def _unit(text: Text, place: int) -> tuple[str, int]:
    """The compound that a word belongs to, or else the word."""
    compound = text.words[place].compound
    return ("word", place) if compound is None else ("compound", compound)


def counts_of_differences(differences: Sequence[Difference], reference_words: int) -> Counts:
    """The counts of all differences labelled as errors, over the words of the normalised reference."""
    wrong = [difference for difference in differences if difference.label is Label.ERROR]
    return Counts(
        sum(difference.substitutions for difference in wrong),
        sum(difference.deletions for difference in wrong),
        sum(difference.insertions for difference in wrong),
        reference_words,
    )
