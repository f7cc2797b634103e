"""Word errors per utterance, counted by jiwer on normalised texts."""

from collections.abc import Sequence

from pytest_asrgate.metrics.normalise import Normaliser, is_null
from pytest_asrgate.records import Counts, Hypothesis, RowStatus, Utterance, UtteranceScore

__all__ = ["count_errors", "pool", "score_utterances"]


def count_errors(references: Sequence[str], hypotheses: Sequence[str]) -> list[Counts]:
    """Count word errors for each pair of normalised texts.

    A null reference (no letter or digit) has no words: every word of its hypothesis is an insertion.
    """
    import jiwer  # noqa: PLC0415 - only where text is really scored

    counts: list[Counts] = []
    spoken = [number for number, reference in enumerate(references) if not is_null(reference)]
    aligned = {}
    if spoken:
        output = jiwer.process_words([references[n] for n in spoken], [hypotheses[n] for n in spoken])
        for number, chunks in zip(spoken, output.alignments, strict=True):
            size = {"equal": 0, "substitute": 0, "delete": 0, "insert": 0}
            for chunk in chunks:
                size[chunk.type] += max(
                    chunk.ref_end_idx - chunk.ref_start_idx, chunk.hyp_end_idx - chunk.hyp_start_idx
                )
            words = size["equal"] + size["substitute"] + size["delete"]
            aligned[number] = Counts(size["substitute"], size["delete"], size["insert"], words)
    for number, hypothesis in enumerate(hypotheses):
        # A note sign or a dash on silence is no word that somebody would act on.
        invented = sum(not is_null(word) for word in hypothesis.split())
        counts.append(aligned.get(number) or Counts(insertions=invented))
    return counts


def score_utterances(
    utterances: Sequence[Utterance], hypotheses: Sequence[Hypothesis], normaliser: Normaliser
) -> tuple[UtteranceScore, ...]:
    """Normalise both sides once and count; parallel sequences of one dataset, error rows stay uncounted."""
    references = [normaliser.apply(utterance.reference) for utterance in utterances]
    texts = [
        "" if hypothesis.status is RowStatus.ERROR else normaliser.apply(hypothesis.text)
        for hypothesis in hypotheses
    ]
    return tuple(
        UtteranceScore(
            id=hypothesis.id,
            status=hypothesis.status,
            reference=reference,
            hypothesis=text,
            counts=None if hypothesis.status is RowStatus.ERROR else counts,
            null_reference=is_null(reference),
            detail=hypothesis.detail,
            null_hypothesis=is_null(text),
        )
        for hypothesis, reference, text, counts in zip(
            hypotheses, references, texts, count_errors(references, texts), strict=True
        )
    )


def pool(utterances: Sequence[UtteranceScore]) -> Counts:
    """Add up the counts of all utterances that have any."""
    return sum((utterance.counts for utterance in utterances if utterance.counts), Counts())
