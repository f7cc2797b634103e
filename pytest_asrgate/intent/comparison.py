"""Intent and entities of a variant beside its baseline's: paired losses, with the bounds that every check uses."""

from collections.abc import Callable, Sequence
from operator import attrgetter

from pytest_asrgate.errors import ContractError
from pytest_asrgate.records import Comparison, IntentComparison, IntentScore, IntentUtterance, Interval
from pytest_asrgate.statistics import paired_difference, paired_mean_bootstrap

__all__ = ["compare_intents"]


def compare_intents(
    variant: IntentScore, baseline: IntentScore, baseline_name: str
) -> tuple[IntentComparison, ...]:
    """The paired losses of intent and entities over the utterances that both sides have figures for.

    Of all utterances first, then of each language where there are several. Raises ContractError where they were not
    judged alike.
    """
    if variant.judge != baseline.judge:
        raise ContractError(f"judged by {variant.judge}, and {baseline_name} by {baseline.judge}")
    languages = [each.language for each in variant.languages]
    every = range(len(variant.utterances))
    groups = {"": list(every)}
    if len(languages) > 1:
        groups |= {code: [at for at in every if variant.utterances[at].language == code] for code in languages}
    return tuple(
        IntentComparison(
            code,
            _paired_losses(baseline_name, baseline, variant, places, attrgetter("intent_loss")),
            _paired_losses(baseline_name, baseline, variant, places, attrgetter("entity_loss")),
        )
        for code, places in groups.items()
    )


def _paired_losses(
    name: str,
    baseline: IntentScore,
    variant: IntentScore,
    places: Sequence[int],
    loss: Callable[[IntentUtterance], float | None],
) -> Comparison | None:
    """The comparison of what is lost of each utterance, from 0 to 1, at these places; None without any.

    Each utterance counts as one word of which a part may be lost. Those that one side alone has no loss for are
    left out and counted.
    """
    sides = [(loss(baseline.utterances[at]), loss(variant.utterances[at])) for at in places]
    both = [(before, after) for before, after in sides if before is not None and after is not None]
    kept = [at for at, (before, after) in zip(places, sides, strict=True) if None not in (before, after)]
    before_losses, after_losses = [before for before, _ in both], [after for _, after in both]
    ones = [1] * len(both)
    speakers = [variant.speakers[at] for at in kept] if variant.speakers else None
    difference = paired_difference(before_losses, after_losses, ones, speakers)
    drawn = paired_mean_bootstrap(before_losses, after_losses)
    if difference is None or drawn is None:
        return None
    # Nothing can be lost that was not there, nor more than all of it.
    most = 100.0
    interval = Interval(max(-most, difference.interval.low), min(most, difference.interval.high))
    return Comparison(
        baseline=name,
        delta_pp=difference.delta_pp,
        interval=interval,
        lower95=max(-most, difference.lower95),
        upper95=min(most, difference.upper95),
        resolution=difference.resolution,
        rate_pct=100.0 * sum(after_losses) / len(both),
        rate_interval=drawn[1],
        baseline_interval=drawn[0],
        bootstrap=drawn[2],
        utterances=len(both),
        left_out=sum((before is None) != (after is None) for before, after in sides),
    )
