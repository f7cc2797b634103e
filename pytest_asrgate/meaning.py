"""The checks of a pair on its judged scores, and why those limits could not be measured that were not."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pytest_asrgate import checks
from pytest_asrgate.config import Pair
from pytest_asrgate.config.thresholds import INTENT, JUDGE_ERRORS, NEEDS_BASELINE, SEMANTIC
from pytest_asrgate.errors import AsrGateError
from pytest_asrgate.records import (
    Check,
    CheckStatus,
    Comparison,
    IntentComparison,
    IntentScore,
    Judged,
    Judgement,
    Look,
    SemanticScore,
)
from pytest_asrgate.scoring import compare_semantics

__all__ = ["Meaning", "judged_reasons", "meaning_checks", "meaning_of", "meaning_warnings"]

Limits = Mapping[str, float | str]

# The unit of each judged limit, for those that were not measured.
_UNITS = {name: "pp" if name in NEEDS_BASELINE else "%" for name in SEMANTIC | INTENT}


@dataclass(frozen=True, slots=True)
class Meaning:
    """The judged scores of a pair with their paired differences; in `intent` all languages come first."""

    judgement: Judgement
    semantic: Comparison | None = None
    intent: tuple[IntentComparison, ...] = ()

    @property
    def incomplete(self) -> bool:
        """Whether the judge failed on an utterance of the pair, or one is left out of a difference."""
        scores = (self.judgement.semantic.score, self.judgement.intent.score)
        differences = [self.semantic, *(side for each in self.intent for side in (each.intent, each.entity))]
        failed = any(score is not None and score.judge_errors for score in scores)
        return failed or any(found is not None and found.left_out for found in differences)


def meaning_of(judgement: Judgement, baseline: str | None, look: Look | None) -> Meaning:
    """Compare the judged scores with those of the baseline of this name; None for no baseline."""
    if baseline is None:
        return Meaning(
            Judgement(replace(judgement.semantic, baseline=None), replace(judgement.intent, baseline=None))
        )
    semantic, intent = judgement.semantic, judgement.intent
    compared: Comparison | None = None
    losses: tuple[IntentComparison, ...] = ()
    if semantic.score and semantic.baseline and not semantic.baseline_problem:
        try:
            compared = compare_semantics(semantic.score, semantic.baseline, baseline, look)
        except AsrGateError as error:
            semantic = replace(semantic, baseline=None, baseline_problem=str(error))
    if intent.score and intent.baseline and not intent.baseline_problem:
        from pytest_asrgate.intent.comparison import compare_intents  # noqa: PLC0415 - few gates judge intent

        try:
            losses = compare_intents(intent.score, intent.baseline, baseline)
        except AsrGateError as error:
            intent = replace(intent, baseline=None, baseline_problem=str(error))
    return Meaning(Judgement(semantic, intent), compared, losses)


def _semantic(found: Judged[SemanticScore], comparison: Comparison | None, limits: Limits) -> Iterator[Check]:
    score, baseline = found.score, found.baseline
    if score is None:
        return
    yield checks.semantic_rate(score, limits.get("semantic_wer"))
    if baseline is None or found.baseline_problem:
        return
    if comparison is None:
        why = "no utterance with reference words was judged on both sides"
        for name in ("semantic_wer_delta", "semantic_non_inferiority"):
            yield checks.unmeasurable(name, limits.get(name), "pp", why)
        return
    yield checks.semantic_delta(score, baseline, comparison, limits.get("semantic_wer_delta"))
    yield checks.semantic_margin(score, baseline, comparison, limits.get("semantic_non_inferiority"))


def _intent(found: Judged[IntentScore], comparisons: Sequence[IntentComparison], limits: Limits) -> Iterator[Check]:
    score, baseline = found.score, found.baseline
    if score is None:
        return
    yield checks.intent_share(score, limits.get("intent"))
    yield checks.entity_mean(score, limits.get("entity"))
    if baseline is None or found.baseline_problem or not comparisons:
        return
    whole = comparisons[0]
    if whole.intent is None:
        why = "no utterance with a reference was judged on both sides"
        for name in ("intent_delta", "intent_non_inferiority"):
            yield checks.unmeasurable(name, limits.get(name), "pp", why)
    else:
        yield checks.intent_loss(score, baseline, whole.intent, limits.get("intent_delta"))
        yield checks.intent_margin(score, baseline, whole.intent, limits.get("intent_non_inferiority"))
    if whole.entity is None:
        why = "no utterance with entities was judged on both sides"
        for name in ("entity_delta", "entity_non_inferiority"):
            yield checks.unmeasurable(name, limits.get(name), "pp", why)
    else:
        yield checks.entity_loss(score, baseline, whole.entity, limits.get("entity_delta"))
        yield checks.entity_margin(score, baseline, whole.entity, limits.get("entity_non_inferiority"))


def _hidden(names: frozenset[str], why: str, limits: Limits, *, compared: bool) -> Iterator[Check]:
    """What the judge failed on is just what differs: a figure of the rest would be that of a better system."""
    for name in sorted(names):
        if compared or name not in NEEDS_BASELINE:
            yield checks.unmeasurable(name, limits.get(name), _UNITS[name], why)


def meaning_checks(pair: Pair, meaning: Meaning, limits: Limits) -> Iterator[Check]:
    """Every check on a judged score; where none is bought, only that its judge did not fail."""
    semantic, intent = meaning.judgement.semantic, meaning.judgement.intent
    sides = (semantic, intent)
    scores = [side.score for side in sides if side.score is not None]
    if not scores:
        if not pair.dataset.judged:
            detail = "nothing of this data set is judged"
            for name in sorted(JUDGE_ERRORS & limits.keys()):
                yield Check(name, 0, limits[name], "utterances", CheckStatus.PASS, detail)
        return
    # First, since too many of them explain whatever else cannot be measured.
    failed = checks.judge_errors(scores, limits.get("judge_errors"))
    yield failed
    if failed.status is CheckStatus.ERROR:
        why = f"the judge failed on {failed.value} of {len(scores[0].utterances)} utterances"
        for side, names in ((semantic, SEMANTIC), (intent, INTENT)):
            if side.score is not None:
                yield from _hidden(names, why, limits, compared=side.baseline is not None)
        return
    baselines = [side.baseline for side in sides if side.baseline is not None and not side.baseline_problem]
    if len(baselines) == len(scores):
        yield checks.judge_errors_delta(scores, baselines, limits.get("judge_errors_delta"))
    yield from _semantic(semantic, meaning.semantic, limits)
    yield from _intent(intent, meaning.intent, limits)


def judged_reasons(pair: Pair, judgement: Judgement, baseline_problem: str) -> dict[str, str]:
    """Why a judged limit was not measured, by its name; `baseline_problem` says why there is no baseline at all."""
    reasons: dict[str, str] = {}
    every: list[tuple[str, Judged[SemanticScore] | Judged[IntentScore], frozenset[str]]] = [
        ("semantic", judgement.semantic, SEMANTIC),
        ("intent", judgement.intent, INTENT),
    ]
    for word, side, names in every:
        problem = side.problem or f'dataset.{pair.dataset.name}.judged does not list "{word}"'
        why = side.baseline_problem or baseline_problem
        found = dict.fromkeys(names | JUDGE_ERRORS, problem)
        if side.score is not None:
            found = dict.fromkeys((names | JUDGE_ERRORS) & NEEDS_BASELINE, why)
        # Of two scores the one that was bought tells why the judge's errors could not be counted.
        bought = word in pair.dataset.judged
        reasons |= {name: text for name, text in found.items() if bought or name not in reasons}
    return reasons


def meaning_warnings(judgement: Judgement) -> Iterator[str]:
    """What does not change the verdict but a reader should know."""
    told = set()
    for side in (judgement.semantic, judgement.intent):
        for said, problem in (("judged", side.problem), ("compared", side.baseline_problem)):
            if problem and (said, problem) not in told:
                told.add((said, problem))
                yield f"meaning not {said}: {problem}"
    intent = judgement.intent.score
    if intent is not None:
        from pytest_asrgate.intent.languages import unserved_text  # noqa: PLC0415 - few gates judge intent

        if unserved := unserved_text(each.language for each in intent.languages):
            yield unserved
    odd: dict[str, str] = {}
    for side in (judgement.semantic, judgement.intent):
        for row in side.score.utterances if side.score else ():
            if row.warning:
                odd.setdefault(row.id, row.warning)
    if odd:
        first = next(iter(odd))
        more = f" (and {len(odd) - 1} more utterances with a warning)" if len(odd) > 1 else ""
        yield f"{first}: {odd[first]}{more}"
