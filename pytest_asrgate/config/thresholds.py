"""The limits of a pair; unset ones are measured where that costs nothing, and fail nothing."""

from collections.abc import Iterable
from typing import Literal

from pytest_asrgate.config.fields import Count, Number, Share, Table

__all__ = [
    "COUNTED",
    "INTENT",
    "JUDGE_ERRORS",
    "LATENCY",
    "NEEDS_BASELINE",
    "NOT_OF_A_SLICE",
    "SEMANTIC",
    "Thresholds",
    "resolve",
]

# Thresholds on a number of utterances; each has a `_delta` sibling against the baseline's number.
COUNTED = (
    "errors",
    "truncated",
    "empty",
    "hallucinations",
    "loops",
    "language_drift",
    "catastrophic",
    "masked",
    "judge_errors",
)


class Thresholds(Table):
    """One level of thresholds: rates in percent, differences in percentage points; "off" unsets a key."""

    wer: Number | None = None
    wer_delta: Number | None = None
    ci: Literal["within-baseline", "overlap", "off"] | None = None
    non_inferiority: Number | None = None
    semantic_wer: Number | None = None
    semantic_wer_delta: Number | None = None
    semantic_non_inferiority: Number | None = None
    intent: Share | None = None
    intent_delta: Number | None = None
    intent_non_inferiority: Number | None = None
    entity: Share | None = None
    entity_delta: Number | None = None
    entity_non_inferiority: Number | None = None
    errors: Count | None = None
    errors_delta: Count | None = None
    truncated: Count | None = None
    truncated_delta: Count | None = None
    empty: Count | None = None
    empty_delta: Count | None = None
    hallucinations: Count | None = None
    hallucinations_delta: Count | None = None
    loops: Count | None = None
    loops_delta: Count | None = None
    language_drift: Count | None = None
    language_drift_delta: Count | None = None
    catastrophic: Count | None = None
    catastrophic_delta: Count | None = None
    masked: Count | None = None
    masked_delta: Count | None = None
    judge_errors: Count | None = None
    judge_errors_delta: Count | None = None
    dropped_span: Count | None = None
    changed: Number | None = None
    latency_ratio: Number | None = None
    rtf: Number | None = None

    def limits(self) -> dict[str, float | str]:
        """The keys that are set and not "off", in the order of this class."""
        values = {name: getattr(self, name) for name in type(self).model_fields}
        return {name: value for name, value in values.items() if value is not None and value != "off"}


# Limits that a probe of its own measures.
LATENCY = frozenset({"latency_ratio", "rtf"})

# Limits on the judged scores, by the word that a data set buys each with, as in judged = ["semantic"].
SEMANTIC = frozenset({"semantic_wer", "semantic_wer_delta", "semantic_non_inferiority"})
INTENT = frozenset(
    f"{score}{kind}" for score in ("intent", "entity") for kind in ("", "_delta", "_non_inferiority")
)
JUDGE_ERRORS = frozenset({"judge_errors", "judge_errors_delta"})

# Limits that a slice cannot have, and why.
NOT_OF_A_SLICE = {
    **dict.fromkeys(LATENCY, "is measured by a probe of the whole set, and not for a slice"),
    **{
        name: "is a judged score, which is not built for slices"
        for name in Thresholds.model_fields
        if name.startswith(("semantic", "intent", "entity", "judge"))
    },
}

NEEDS_BASELINE = frozenset(
    name
    for name in Thresholds.model_fields
    if name.endswith(("_delta", "non_inferiority")) or name in {"ci", "changed", "latency_ratio"}
)


def resolve(levels: Iterable[Thresholds]) -> Thresholds:
    """Merge levels given from the widest to the nearest; a nearer level's key wins, "off" unsets it."""
    merged: dict[str, object] = {}
    for level in levels:
        merged |= {name: getattr(level, name) for name in level.model_fields_set}
    return Thresholds.model_validate(merged)
