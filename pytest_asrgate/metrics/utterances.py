"""Hypotheses against references, utterance by utterance: normalised, counted, and looked through for faults."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypedDict

from pytest_asrgate.errors import IntegrityError, ScoringError
from pytest_asrgate.metrics.findings import ComparedTexts, Finding, findings
from pytest_asrgate.metrics.normalise import is_null
from pytest_asrgate.metrics.normalised import NormalisedTexts
from pytest_asrgate.metrics.rule import ScoringRule
from pytest_asrgate.metrics.wer import counts_of
from pytest_asrgate.records import Hypothesis, RowStatus, Utterance, UtteranceScore
from pytest_asrgate.values import named

__all__ = ["score_utterances"]


def _references(utterances: Sequence[Utterance], rule: ScoringRule, texts: NormalisedTexts) -> list[str]:
    found = []
    asked = [(utterance.reference, utterance.language or "") for utterance in utterances]
    for utterance, normalised in zip(utterances, texts.references(rule, asked), strict=True):
        if isinstance(normalised, ScoringError):
            raise ScoringError(f"the reference of {utterance.id!r}: {normalised}") from normalised
        found.append(normalised)
    return found


def _normalised_rows(
    utterances: Sequence[Utterance], hypotheses: Sequence[Hypothesis], rule: ScoringRule, texts: NormalisedTexts
) -> list[tuple[Hypothesis, str]]:
    """Rows and their normalised texts; a text that no normaliser can read is broken output: an error row."""
    raw = [row.status is not RowStatus.ERROR and row.normalised_reference is None for row in hypotheses]
    asked = [
        (row.text, utterance.language or "")
        for utterance, row, is_raw in zip(utterances, hypotheses, raw, strict=True)
        if is_raw
    ]
    made = iter(texts.hypotheses(rule, asked))
    found = []
    for row, is_raw in zip(hypotheses, raw, strict=True):
        normalised = next(made) if is_raw else "" if row.status is RowStatus.ERROR else row.text
        if isinstance(normalised, ScoringError):
            lost = replace(row, status=RowStatus.ERROR, detail=f"the recognised text: {normalised}")
            found.append((lost, ""))
        else:
            found.append((row, normalised))
    return found


def _masked(row: Hypothesis, finding: Finding, texts: ComparedTexts) -> tuple[str, ...] | None:
    """In what ways two texts differ that are equal once they are normalised."""
    if texts.is_raw or texts.normalised[0] != texts.normalised[1]:
        return finding.masked
    # Only the file that the row is from knew the raw texts.
    return row.masked


def _loop(row: Hypothesis, finding: Finding) -> bool:
    """Whether an output repeats itself; a score file that was made from raw texts has said so already."""
    if row.status is RowStatus.REPETITION:
        return True
    return finding.loop if row.loop is None else row.loop


class _OfManifest(TypedDict):
    tags: tuple[str, ...]
    language: str | None
    audio: Path
    duration_s: float | None


def _of_manifest(utterance: Utterance) -> _OfManifest:
    """What a reader of the row needs to find and hear it."""
    return _OfManifest(
        tags=utterance.tags, language=utterance.language, audio=utterance.audio, duration_s=utterance.duration_s
    )


def _lost(utterance: Utterance, row: Hypothesis, reference: str) -> UtteranceScore:
    """An error row, which has no score."""
    return UtteranceScore(
        id=row.id,
        status=row.status,
        reference=reference,
        hypothesis="",
        counts=None,
        null_reference=is_null(reference),
        detail=row.detail,
        null_hypothesis=True,
        reference_text=utterance.reference,
        **_of_manifest(utterance),
    )


def score_utterances(
    utterances: Sequence[Utterance],
    hypotheses: Sequence[Hypothesis],
    rule: ScoringRule,
    texts: NormalisedTexts | None = None,
) -> tuple[UtteranceScore, ...]:
    """Normalise both sides once and count; parallel sequences of one dataset, error rows stay uncounted.

    `texts` has what was normalised before, such as the references for another variant.
    Raises ScoringError naming the utterance whose reference cannot be normalised, and IntegrityError naming those
    that a score file scored against another reference or under another normaliser.
    """
    texts = texts or NormalisedTexts()
    references = _references(utterances, rule, texts)
    others = [
        hypothesis.id
        for hypothesis, reference in zip(hypotheses, references, strict=True)
        if hypothesis.normalised_reference not in {None, reference}
    ]
    if others:
        raise IntegrityError(
            f"scored elsewhere against another reference, or under another normaliser than {rule.normaliser}: "
            f"{named(others)}; replay the file of hypotheses instead of its score file"
        )
    prepared = _normalised_rows(utterances, hypotheses, rule, texts)
    compared = [
        ComparedTexts(
            language=utterance.language or "",
            raw=(utterance.reference, row.text),
            normalised=(reference, text),
            is_raw=row.normalised_reference is None,
        )
        for utterance, reference, (row, text) in zip(utterances, references, prepared, strict=True)
        if row.status is not RowStatus.ERROR
    ]
    found = zip(compared, findings(rule, compared, texts.memory), strict=True)
    scores = []
    for utterance, reference, (row, text) in zip(utterances, references, prepared, strict=True):
        if row.status is RowStatus.ERROR:
            scores.append(_lost(utterance, row, reference))
            continue
        both, finding = next(found)
        scores.append(
            UtteranceScore(
                id=row.id,
                status=row.status,
                reference=reference,
                hypothesis=text,
                counts=counts_of(finding.steps),
                steps=finding.steps,
                null_reference=is_null(reference),
                detail=row.detail,
                null_hypothesis=is_null(text),
                masked=_masked(row, finding, both),
                reference_text=utterance.reference,
                loop=_loop(row, finding),
                drift=finding.drift if row.drift is None else row.drift,
                **_of_manifest(utterance),
            )
        )
    return tuple(scores)
