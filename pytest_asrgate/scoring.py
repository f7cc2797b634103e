"""Hypotheses → a Score, and two Scores → their Comparison; rescoring runs no model."""

import statistics as averages
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from pytest_asrgate.datasets.speakers import size_note
from pytest_asrgate.errors import ContractError, ScoringError
from pytest_asrgate.languages import canonical_language
from pytest_asrgate.metrics.normalised import NormalisedTexts
from pytest_asrgate.metrics.rule import ScoringRule, scoring_rule
from pytest_asrgate.metrics.utterances import score_utterances
from pytest_asrgate.metrics.wer import pool
from pytest_asrgate.records import (
    Comparison,
    Counts,
    HypothesisSet,
    Interval,
    Look,
    Resolution,
    RowStatus,
    Score,
    SemanticScore,
    Utterance,
)
from pytest_asrgate.statistics import (
    matched_pairs,
    paired_bootstrap,
    paired_bounds,
    paired_difference,
    pooled_interval,
    probability_of_improvement,
)
from pytest_asrgate.values import UNKNOWN

if TYPE_CHECKING:
    # Only gates have them; `asrgate score` need not load what reads a gate file.
    from pytest_asrgate.config import Dataset
    from pytest_asrgate.datasets.load import LoadedDataset

__all__ = [
    "chosen_rule",
    "compare",
    "compare_semantics",
    "contract_differences",
    "score",
    "score_set",
    "unknown_terms",
]


def chosen_rule(dataset: "Dataset", data: "LoadedDataset") -> ScoringRule:
    """How a dataset is scored; ScoringError naming it where one of its languages has no right way."""
    try:
        return scoring_rule(data.languages, dataset.normaliser, dataset.metric, dediarize=dataset.dediarize)
    except ScoringError as error:
        raise ScoringError(f"dataset.{dataset.name}: {error}") from error


def score(
    hypotheses: HypothesisSet, dataset: "Dataset", data: "LoadedDataset", texts: NormalisedTexts | None = None
) -> Score:
    """Score one pair of a gate; ScoringError, IntegrityError or ContractError where that cannot be done right.

    `texts` has what was normalised before.
    """
    return score_set(
        hypotheses,
        data.utterances,
        chosen_rule(dataset, data),
        speakers=data.speakers,
        speakers_note=data.speakers_note,
        catastrophic_rate=dataset.catastrophic_rate,
        texts=texts,
    )


def score_set(
    made: HypothesisSet,
    utterances: Sequence[Utterance],
    rule: ScoringRule,
    *,
    speakers: tuple[str, ...] | None = None,
    speakers_note: str = "",
    catastrophic_rate: float = 50.0,
    texts: NormalisedTexts | None = None,
) -> Score:
    """Score hypotheses against the utterances parallel to them, every utterance with its language.

    `texts` has what was normalised before; it changes no result.

    Raises ScoringError where a reference cannot be normalised, and ContractError or IntegrityError where the texts
    were normalised elsewhere and otherwise.
    """
    terms = {"normaliser": rule.normaliser, "metric": rule.metric, "dediarize": rule.dediarize}
    differences = contract_differences(terms, made.contract)
    if differences:
        raise ContractError(
            f"variant.{made.variant}: the texts were normalised before, and otherwise: {'; '.join(differences)}; "
            "replay the file of hypotheses instead of its score file"
        )
    scored = score_utterances(utterances, made.hypotheses, rule, texts)
    latencies = [
        row.latency_ms
        for row in made.hypotheses
        if row.latency_ms is not None and row.status is not RowStatus.ERROR
    ]
    stamped = replace(
        made, contract={**made.contract, **terms}, provenance={**made.provenance, **_scorer_versions()}
    )
    return Score(
        hypotheses=stamped,
        utterances=scored,
        counts=pool(scored),
        interval=pooled_interval(scored),
        speaker_interval=pooled_interval(scored, speakers) if speakers else None,
        metric=rule.metric,
        latency_p50_ms=averages.median(latencies) if latencies else None,
        speakers=speakers,
        speakers_note=speakers_note + size_note(len(scored)),
        catastrophic_rate=catastrophic_rate,
    )


def _scorer_versions() -> dict[str, object]:
    from importlib.metadata import version  # noqa: PLC0415 - reads metadata from disk

    from pytest_asrgate import __version__  # noqa: PLC0415 - beside its sibling

    return {"jiwer": version("jiwer"), "pytest_asrgate": __version__}


def contract_differences(left: Mapping[str, object], right: Mapping[str, object]) -> list[str]:
    """Name each contract term that is known on both sides and differs, with both values."""

    def comparable(name: str, value: object) -> object:
        # One language has many tags, and files of other tools keep the one they were given.
        return canonical_language(value) if name == "language" and isinstance(value, str) else value

    return [
        f"{name}: {left[name]!r} against {right[name]!r}"
        for name in left
        if name in right
        and UNKNOWN not in {str(left[name]), str(right[name])}
        and comparable(name, left[name]) != comparable(name, right[name])
    ]


def unknown_terms(contract: Mapping[str, object]) -> list[str]:
    """The contract terms that stored hypotheses did not record."""
    return [name for name, value in contract.items() if value == UNKNOWN]


# A design that looks early needs a little more spread between margin and truth (STATISTICS.md).
_EARLY_POWER = 1.09


def _resolution(seen: Resolution, look: Look | None) -> Resolution:
    """What the whole set resolves, judged by the part of it that an early run has seen."""
    if look is None:
        return seen
    return replace(
        seen,
        utterances=look.total,
        power=_EARLY_POWER * seen.power,
        floor_pp=seen.floor_pp * seen.utterances / look.total,
    )


def _early_bounds(
    before: Sequence[int],
    after: Sequence[int],
    words: Sequence[int],
    speakers: Sequence[str] | None,
    look: Look | None,
) -> Interval | None:
    if look is None:
        return None
    # What is not decoded yet may hold larger changes than any seen so far.
    partial = look.utterances < look.total
    bounds = paired_bounds(before, after, words, speakers, alpha=look.alpha, partial=partial)
    return Interval(*bounds) if bounds else None


def compare(
    variant: Score, baseline: Score, look: Look | None = None, *, evidence: bool = True
) -> Comparison | None:
    """The paired difference over the utterances that neither side lost to an error.

    In an early run the bounds that decide are taken at the level of its `look`. Without `evidence` the tests that
    decide nothing, MAPSSWE and the probability of improvement, are left out. None where those hold no reference
    words. Raises ContractError where the two runs may not be compared.
    """
    differences = contract_differences(baseline.hypotheses.contract, variant.hypotheses.contract)
    if differences:
        raise ContractError(
            f"{variant.hypotheses.variant} cannot be compared with {baseline.hypotheses.variant}: "
            f"{'; '.join(differences)}; make both under one recipe"
        )
    counts = [
        (before.counts, after.counts) for before, after in zip(baseline.utterances, variant.utterances, strict=True)
    ]
    found = _paired(baseline.hypotheses.variant, counts, variant.speakers, look, improvement=evidence)
    if found is None or not evidence:
        return found
    kept = [place for place, (before, after) in enumerate(counts) if before and after]
    theirs, ours = ([side.utterances[place] for place in kept] for side in (baseline, variant))
    return replace(found, matched_pairs=matched_pairs([row.steps for row in theirs], [row.steps for row in ours]))


def compare_semantics(
    variant: SemanticScore, baseline: SemanticScore, baseline_name: str, look: Look | None = None
) -> Comparison | None:
    """The paired difference of two judged scores over the utterances that both sides have counts for.

    None where those hold no reference words. Raises ContractError where they were not judged alike.
    """
    if variant.judge != baseline.judge:
        raise ContractError(f"judged by {variant.judge}, and {baseline_name} by {baseline.judge}")
    counts = [
        (before.counts, after.counts) for before, after in zip(baseline.utterances, variant.utterances, strict=True)
    ]
    return _paired(baseline_name, counts, variant.speakers, look, improvement=False)


def _paired(
    baseline: str,
    counts: Sequence[tuple[Counts | None, Counts | None]],
    speakers: Sequence[str] | None,
    look: Look | None,
    *,
    improvement: bool,
) -> Comparison | None:
    """The comparison of counts before and after, one pair an utterance; `speakers` are parallel to them."""
    kept = [place for place, (before, after) in enumerate(counts) if before and after]
    both = [(before, after) for before, after in counts if before and after]
    before_errors = [before.errors for before, _ in both]
    after_errors = [after.errors for _, after in both]
    words = [before.words for before, _ in both]
    speakers = [speakers[place] for place in kept] if speakers else None
    difference = paired_difference(before_errors, after_errors, words, speakers)
    drawn = paired_bootstrap(before_errors, after_errors, words)
    if difference is None or drawn is None:
        return None
    baseline_interval, rate_interval, bootstrap = drawn
    return Comparison(
        baseline=baseline,
        delta_pp=difference.delta_pp,
        interval=difference.interval,
        lower95=difference.lower95,
        upper95=difference.upper95,
        resolution=_resolution(difference.resolution, look),
        rate_pct=100.0 * sum(after_errors) / sum(words),
        rate_interval=rate_interval,
        baseline_interval=baseline_interval,
        bootstrap=bootstrap,
        utterances=len(kept),
        left_out=len(counts) - len(kept),
        look=look,
        early_bounds=_early_bounds(before_errors, after_errors, words, speakers, look),
        improvement_pct=probability_of_improvement(before_errors, after_errors, words) if improvement else None,
    )
