"""How often the variant comes out better when the set is drawn again: the probability of improvement.

Bisani and Ney, "Bootstrap estimates for confidence intervals in ASR performance evaluation", ICASSP 2004. For
reading only: utterances count as independent, and being better by one word counts like being better by all.
"""

from collections.abc import Sequence

from pytest_asrgate.statistics.bootstrap import _columns, _drawn_sums

__all__ = ["probability_of_improvement"]


def probability_of_improvement(
    baseline: Sequence[int], variant: Sequence[int], words: Sequence[int]
) -> float | None:
    """In percent: the share of resamples in which the variant makes fewer errors, ties counted one half.

    The sequences are parallel, one entry an utterance; the resamples are those of `paired_bootstrap`, so identical
    outputs, which tie in all of them, have 50 %. None where there are no reference words; resamples that drew none
    are left out.
    """
    if not sum(words):
        return None
    before, after, total = _drawn_sums(_columns(None, baseline, variant, words))
    kept = total > 0
    fewer, equal = int((after < before)[kept].sum()), int((after == before)[kept].sum())
    return 100.0 * (fewer + equal / 2) / int(kept.sum())
