"""What is found by comparing two texts: their alignment, what the normaliser hides, a loop, another language."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass

from pytest_asrgate.metrics.dediarize import dediarize
from pytest_asrgate.metrics.drift import drifted
from pytest_asrgate.metrics.loops import loops
from pytest_asrgate.metrics.masking import masked_kinds
from pytest_asrgate.metrics.memory import TextMemory, code_digest
from pytest_asrgate.metrics.rule import ScoringRule
from pytest_asrgate.metrics.wer import aligned_errors

__all__ = ["ComparedTexts", "Finding", "findings"]


@dataclass(frozen=True, slots=True)
class ComparedTexts:
    """Reference and hypothesis of one utterance, raw and normalised, and the language of its reference.

    `raw` holds what there is; where the hypothesis was normalised elsewhere, `is_raw` is false.
    """

    language: str
    raw: tuple[str, str]
    normalised: tuple[str, str]
    is_raw: bool = True


@dataclass(frozen=True, slots=True)
class Finding:
    """The fields of that name of an `UtteranceScore`, as far as the texts alone tell."""

    steps: str
    masked: tuple[str, ...]
    loop: bool
    drift: bool


def findings(rule: ScoringRule, rows: Sequence[ComparedTexts], memory: TextMemory | None = None) -> list[Finding]:
    """Compare the texts of each row, in order; what the memory has of raw texts is not compared again."""
    known = _remembered(rule, rows, memory) if memory is not None else {}
    missing = [row for row in dict.fromkeys(rows) if row not in known]
    made = dict(zip(missing, _compared(rule, missing), strict=True))
    if memory is not None:
        for language in {row.language for row in missing}:
            news = {_key(row): _encoded(made[row]) for row in missing if row.language == language and row.is_raw}
            memory.keep_texts(_function(rule, language), news)
    return [made[row] if row in made else known[row] for row in rows]


def _function(rule: ScoringRule, language: str) -> str:
    """The name that findings are remembered under: all that they depend on but the texts."""
    normaliser = rule.normaliser_of(language).key
    return json.dumps(["findings", rule.metric, rule.dediarize, normaliser, code_digest()])


def _key(row: ComparedTexts) -> str:
    reference, hypothesis = row.raw
    return f"{row.language} {len(reference)} {reference}{hypothesis}"


def _remembered(
    rule: ScoringRule, rows: Sequence[ComparedTexts], memory: TextMemory
) -> Mapping[ComparedTexts, Finding]:
    found = {}
    for language in {row.language for row in rows if row.is_raw}:
        keys = {_key(row): row for row in rows if row.language == language and row.is_raw}
        for key, text in memory.find_texts(_function(rule, language), keys).items():
            finding = _decoded(text)
            if finding is not None:
                found[keys[key]] = finding
    return found


def _encoded(finding: Finding) -> str:
    return json.dumps(astuple(finding))


def _decoded(text: str) -> Finding | None:
    """What `_encoded` wrote; None for anything else, which is then found anew."""
    try:
        steps, masked, loop, drift = json.loads(text)
        return Finding(str(steps), tuple(map(str, masked)), bool(loop), bool(drift))
    except (TypeError, ValueError):
        return None


def _compared(rule: ScoringRule, rows: Sequence[ComparedTexts]) -> list[Finding]:
    references, hypotheses = [row.normalised[0] for row in rows], [row.normalised[1] for row in rows]
    found = aligned_errors(references, hypotheses, rule.metric)
    return [
        Finding(
            steps=steps,
            masked=_masked(rule, row) if row.is_raw and row.normalised[0] == row.normalised[1] else (),
            loop=loops(row.normalised, steps, rule.metric, row.raw if row.is_raw else None),
            drift=drifted(*row.raw, row.language, steps),
        )
        for row, steps in zip(rows, found, strict=True)
    ]


def _masked(rule: ScoringRule, row: ComparedTexts) -> tuple[str, ...]:
    """In what ways two texts differ that are equal once they are normalised."""
    # What was asked to be removed is not hidden.
    return masked_kinds(*(map(dediarize, row.raw) if rule.dediarize else row.raw), spaced=rule.metric != "cer")
