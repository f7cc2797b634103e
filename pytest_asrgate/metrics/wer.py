"""Word or character errors per utterance, counted by jiwer on normalised texts."""

from collections.abc import Sequence
from dataclasses import replace

from pytest_asrgate.errors import IntegrityError, ScoringError
from pytest_asrgate.metrics.dediarize import dediarize
from pytest_asrgate.metrics.drift import drifted
from pytest_asrgate.metrics.loops import loops
from pytest_asrgate.metrics.masking import masked_kinds
from pytest_asrgate.metrics.normalise import is_null
from pytest_asrgate.metrics.rule import ScoringRule
from pytest_asrgate.records import Counts, Hypothesis, RowStatus, Utterance, UtteranceScore
from pytest_asrgate.values import named

__all__ = ["aligned_errors", "count_errors", "counts_of", "pool", "score_utterances"]

# One character for each step of an alignment: equal, substituted, deleted, inserted.
_STEPS = {"equal": "=", "substitute": "S", "delete": "D", "insert": "I"}


def _spaced(text: str) -> str:
    """Every character as a word of its own; white space is none."""
    return " ".join("".join(text.split()))


def counts_of(steps: str) -> Counts:
    """The counts of one alignment, as `aligned_errors` writes it."""
    wrong = {kind: steps.count(kind) for kind in "SDI"}
    return Counts(wrong["S"], wrong["D"], wrong["I"], len(steps) - wrong["I"])


def count_errors(references: Sequence[str], hypotheses: Sequence[str], metric: str = "wer") -> list[Counts]:
    """Count the errors for each pair of normalised texts: of words under "wer", of code points under "cer".

    A null reference (no letter or digit) has no words: every word of its hypothesis is an insertion.
    """
    return [counts_of(steps) for steps in aligned_errors(references, hypotheses, metric)]


def aligned_errors(references: Sequence[str], hypotheses: Sequence[str], metric: str = "wer") -> list[str]:
    """Align each pair of normalised texts; one character a step: `=`, `S`, `D` or `I`.

    Words under "wer", code points under "cer". A null reference (no letter or digit) has no words: every word of
    its hypothesis is an insertion.
    """
    import jiwer  # noqa: PLC0415 - only where text is really scored

    if metric == "cer":
        references, hypotheses = [_spaced(text) for text in references], [_spaced(text) for text in hypotheses]
    spoken = [number for number, reference in enumerate(references) if not is_null(reference)]
    aligned = {}
    if spoken:
        output = jiwer.process_words([references[n] for n in spoken], [hypotheses[n] for n in spoken])
        for number, chunks in zip(spoken, output.alignments, strict=True):
            aligned[number] = "".join(
                _STEPS[chunk.type]
                * max(chunk.ref_end_idx - chunk.ref_start_idx, chunk.hyp_end_idx - chunk.hyp_start_idx)
                for chunk in chunks
            )
    # A note sign or a dash on silence is no word that somebody would act on.
    return [
        aligned[number] if number in aligned else "I" * sum(not is_null(word) for word in hypothesis.split())
        for number, hypothesis in enumerate(hypotheses)
    ]


def _normalised_reference(utterance: Utterance, rule: ScoringRule) -> str:
    try:
        return rule.apply(utterance.reference, utterance.language or "")
    except ScoringError as error:
        raise ScoringError(f"the reference of {utterance.id!r}: {error}") from error


def _normalised_row(hypothesis: Hypothesis, language: str, rule: ScoringRule) -> tuple[Hypothesis, str]:
    """The row and its normalised text; a text that no normaliser can read is broken output: an error row."""
    if hypothesis.status is RowStatus.ERROR:
        return hypothesis, ""
    if hypothesis.normalised_reference is not None:
        return hypothesis, hypothesis.text
    try:
        return hypothesis, rule.apply(hypothesis.text, language)
    except ScoringError as error:
        return replace(hypothesis, status=RowStatus.ERROR, detail=f"the recognised text: {error}"), ""


def _masked(utterance: Utterance, hypothesis: Hypothesis, rule: ScoringRule) -> tuple[str, ...] | None:
    """In what ways two texts differ that are equal once they are normalised."""
    if hypothesis.normalised_reference is not None:
        return hypothesis.masked
    texts = utterance.reference, hypothesis.text
    # What was asked to be removed is not hidden.
    return masked_kinds(*(map(dediarize, texts) if rule.dediarize else texts), spaced=rule.metric != "cer")


def _loop(hypothesis: Hypothesis, steps: str, utterance: Utterance, texts: tuple[str, str], metric: str) -> bool:
    """Whether an output repeats itself; a score file that was made from raw texts has said so already."""
    if hypothesis.status is RowStatus.REPETITION:
        return True
    if hypothesis.loop is not None:
        return hypothesis.loop
    raw = None if hypothesis.normalised_reference is not None else (utterance.reference, hypothesis.text)
    return loops(texts, steps, metric, raw)


def _drift(hypothesis: Hypothesis, steps: str, utterance: Utterance) -> bool:
    if hypothesis.drift is not None:
        return hypothesis.drift
    return drifted(utterance.reference, hypothesis.text, utterance.language or "", steps)


def score_utterances(
    utterances: Sequence[Utterance], hypotheses: Sequence[Hypothesis], rule: ScoringRule
) -> tuple[UtteranceScore, ...]:
    """Normalise both sides once and count; parallel sequences of one dataset, error rows stay uncounted.

    Raises ScoringError naming the utterance whose reference cannot be normalised, and IntegrityError naming those
    that a score file scored against another reference or under another normaliser.
    """
    references = [_normalised_reference(utterance, rule) for utterance in utterances]
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
    prepared = [
        _normalised_row(hypothesis, utterance.language or "", rule)
        for utterance, hypothesis in zip(utterances, hypotheses, strict=True)
    ]
    found = aligned_errors(references, [text for _, text in prepared], rule.metric)
    scores = []
    for utterance, reference, (row, text), steps in zip(utterances, references, prepared, found, strict=True):
        lost = row.status is RowStatus.ERROR
        scores.append(
            UtteranceScore(
                id=row.id,
                status=row.status,
                reference=reference,
                hypothesis=text,
                counts=None if lost else counts_of(steps),
                steps="" if lost else steps,
                null_reference=is_null(reference),
                detail=row.detail,
                null_hypothesis=is_null(text),
                masked=() if lost or reference != text else _masked(utterance, row, rule),
                reference_text=utterance.reference,
                loop=not lost and _loop(row, steps, utterance, (reference, text), rule.metric),
                drift=not lost and _drift(row, steps, utterance),
                tags=utterance.tags,
            )
        )
    return tuple(scores)


def pool(utterances: Sequence[UtteranceScore]) -> Counts:
    """Add up the counts of all utterances that have any."""
    return sum((utterance.counts for utterance in utterances if utterance.counts), Counts())
