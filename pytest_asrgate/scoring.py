"""Hypotheses → a Score, and two Scores → their Comparison; rescoring runs no model."""

import statistics as averages
from collections.abc import Mapping
from dataclasses import replace

from pytest_asrgate.config import Dataset
from pytest_asrgate.datasets.load import LoadedDataset
from pytest_asrgate.errors import ContractError, ScoringError
from pytest_asrgate.metrics.normalise import Normaliser, select_normaliser
from pytest_asrgate.metrics.wer import pool, score_utterances
from pytest_asrgate.records import Comparison, HypothesisSet, RowStatus, Score
from pytest_asrgate.runs import UNKNOWN
from pytest_asrgate.statistics import paired_difference, rate_interval
from pytest_asrgate.values import canonical_language, plural

__all__ = ["chosen_normaliser", "compare", "contract_differences", "score", "unknown_terms"]


def chosen_normaliser(dataset: Dataset, data: LoadedDataset) -> tuple[Normaliser, str]:
    """The normaliser and metric of a dataset; ScoringError naming it where one of its languages has none."""
    try:
        chosen = [select_normaliser(language, dataset.normaliser, dataset.metric) for language in data.languages]
    except ScoringError as error:
        raise ScoringError(f"dataset.{dataset.name}: {error}") from error
    return chosen[0]


def score(hypotheses: HypothesisSet, dataset: Dataset, data: LoadedDataset) -> Score:
    """Score one pair's hypotheses; ScoringError for a language or metric that cannot be scored."""
    normaliser, metric = chosen_normaliser(dataset, data)
    utterances = score_utterances(data.utterances, hypotheses.hypotheses, normaliser)
    counted = [utterance.counts for utterance in utterances if utterance.counts]
    latencies = [
        row.latency_ms
        for row in hypotheses.hypotheses
        if row.latency_ms is not None and row.status is not RowStatus.ERROR
    ]
    terms = {"normaliser": f"{normaliser.name} {normaliser.version}", "metric": metric}
    stamped = replace(
        hypotheses,
        contract={**hypotheses.contract, **terms},
        provenance={**hypotheses.provenance, **_scorer_versions()},
    )
    return Score(
        hypotheses=stamped,
        utterances=utterances,
        counts=pool(utterances),
        interval=rate_interval([item.errors for item in counted], [item.words for item in counted]),
        metric=metric,
        latency_p50_ms=averages.median(latencies) if latencies else None,
        speakers=data.speakers,
        speakers_note=data.speakers_note + _size_note(len(utterances)),
    )


# Under this many utterances nothing asymptotic is to be trusted (STATISTICS.md).
_FEW_UTTERANCES = 50


def _size_note(utterances: int) -> str:
    return "" if utterances >= _FEW_UTTERANCES else f"; only {plural(utterances, 'utterance')}: bounds are rough"


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


def compare(variant: Score, baseline: Score) -> Comparison | None:
    """The paired difference over the utterances that neither side lost to an error.

    None where those hold no reference words. Raises ContractError where the two runs may not be compared.
    """
    differences = contract_differences(baseline.hypotheses.contract, variant.hypotheses.contract)
    if differences:
        raise ContractError(
            f"{variant.hypotheses.variant} cannot be compared with {baseline.hypotheses.variant}: "
            f"{'; '.join(differences)}; make both under one recipe"
        )
    kept = [
        (number, before.counts, after.counts)
        for number, (before, after) in enumerate(zip(baseline.utterances, variant.utterances, strict=True))
        if before.counts is not None and after.counts is not None
    ]
    before_errors = [before.errors for _, before, _ in kept]
    after_errors = [after.errors for _, _, after in kept]
    words = [before.words for _, before, _ in kept]
    speakers = [variant.speakers[number] for number, _, _ in kept] if variant.speakers else None
    difference = paired_difference(before_errors, after_errors, words, speakers)
    ours, theirs = rate_interval(after_errors, words), rate_interval(before_errors, words)
    if difference is None or ours is None or theirs is None:
        return None
    return Comparison(
        baseline=baseline.hypotheses.variant,
        delta_pp=difference.delta_pp,
        interval=difference.interval,
        lower95=difference.lower95,
        upper95=difference.upper95,
        resolvable_pp=difference.resolvable_pp,
        rate_pct=100.0 * sum(after_errors) / sum(words),
        rate_interval=ours,
        baseline_interval=theirs,
        utterances=len(kept),
        left_out=len(variant.utterances) - len(kept),
    )
