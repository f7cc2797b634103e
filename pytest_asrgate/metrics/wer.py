"""Word or character errors per utterance, counted by jiwer on normalised texts."""

from collections.abc import Sequence

from pytest_asrgate.metrics.normalise import is_null
from pytest_asrgate.records import Counts, UtteranceScore

__all__ = ["aligned_errors", "count_errors", "counts_of", "pool"]

# The library's alignments are large objects; no more than these are there at a time.
_AT_ONCE = 5_000

# One character for each step of an alignment: equal, substituted, deleted, inserted.
_STEPS = {"equal": "=", "substitute": "S", "delete": "D", "insert": "I"}


def _spaced(text: str) -> str:
    """Every character as a word of its own; white space is none."""
    return " ".join("".join(text.split()))


def _blanks(text: str) -> str:
    """Words with one blank between them, whatever white space was there."""
    return " ".join(text.split())


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

    # The library splits at blanks alone, and takes words on two sides of another white space for one.
    split = _spaced if metric == "cer" else _blanks
    references, hypotheses = [split(text) for text in references], [split(text) for text in hypotheses]
    spoken = [number for number, reference in enumerate(references) if not is_null(reference)]
    aligned = {}
    for start in range(0, len(spoken), _AT_ONCE):
        part = spoken[start : start + _AT_ONCE]
        output = jiwer.process_words([references[n] for n in part], [hypotheses[n] for n in part])
        for number, chunks in zip(part, output.alignments, strict=True):
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


def pool(utterances: Sequence[UtteranceScore]) -> Counts:
    """Add up the counts of all utterances that have any."""
    return sum((utterance.counts for utterance in utterances if utterance.counts), Counts())
