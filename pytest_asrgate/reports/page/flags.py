"""What is remarkable about an utterance of a pair, as marks that a reader filters by."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple, Self

from pytest_asrgate.metrics.spans import longest_dropped
from pytest_asrgate.records import EntityStatus, RowStatus
from pytest_asrgate.reports.entries import PairEntry
from pytest_asrgate.reports.intent_trail import IntentTrailEntry
from pytest_asrgate.reports.trail import TrailEntry
from pytest_asrgate.reports.utterance_entries import UtteranceEntry

__all__ = ["DROPPED_AT_LEAST", "FLAGS", "Flag", "Marks", "meaning_errors"]

# Where a gate sets no limit for runs of deletions, those of so many words (characters under cer) are marked.
DROPPED_AT_LEAST = 5


class Flag(NamedTuple):
    """A mark with what a reader sees of it."""

    flag: str
    title: str
    explanation: str


FLAGS: tuple[Flag, ...] = (
    Flag("worse", "worse", "It has more errors than the baseline."),
    Flag("better", "better", "It has fewer errors than the baseline."),
    Flag("changed", "changed", "The normalised text is another than the baseline's."),
    Flag("error", "no output", "The engine gave no output for it, so that it has no score."),
    Flag("hallucination", "hallucination", "Words were recognised although none were said."),
    Flag("loop", "loop", "The output repeats one phrase again and again."),
    Flag("empty", "empty", "Nothing was recognised although something was said."),
    Flag(
        "dropped",
        "dropped span",
        (
            "A run of words was left out that the baseline did not leave out too: longer than the gate's limit, "
            f"or {DROPPED_AT_LEAST} words and more where it sets none."
        ),
    ),
    Flag("truncated", "truncated", "The engine says that its output was cut off."),
    Flag("repetition", "stopped repetition", "The engine was stopped since its output repeated itself."),
    Flag("drift", "other language", "The output is in another script or language than the reference."),
    Flag("catastrophic", "catastrophic", "Its own error rate is above the gate's limit for a catastrophic one."),
    Flag("masked", "hidden difference", "The normaliser hides a difference between the texts."),
    Flag(
        "masked_value",
        "hidden value",
        "What the normaliser hides touches digits, signs, currency, units or negation.",
    ),
    Flag("meaning", "meaning", "Judge or rules count an error that changes the meaning."),
    Flag("intent", "intent lost", "The intent of the speaker counts as lost."),
    Flag("entity", "entity lost", "An entity of the reference is missing or another stands in its place."),
    Flag("judge_error", "judge error", "The judge failed on it."),
)


def meaning_errors(trail: TrailEntry) -> int:
    """How many errors that change the meaning are counted; none where there is no score."""
    return sum(trail[kind] or 0 for kind in ("substitutions", "deletions", "insertions"))


@dataclass(frozen=True, slots=True)
class Marks:
    """What the flags of a pair's utterances depend on beside these; the trails by id."""

    semantic: Mapping[str, TrailEntry]
    intent: Mapping[str, IntentTrailEntry]
    masked_first: frozenset[str]
    dropped_above: float

    @classmethod
    def of(cls, pair: PairEntry) -> Self:
        """Those of a pair."""
        semantic, intent = pair["semantic"], pair["intent"]
        limits = [check["limit"] for check in pair["checks"] if check["name"] == "dropped_span"]
        numbers = [limit for limit in limits if isinstance(limit, int | float) and not isinstance(limit, bool)]
        return cls(
            {trail["id"]: trail for trail in semantic["utterances"]} if semantic else {},
            {trail["id"]: trail for trail in intent["utterances"]} if intent else {},
            frozenset(pair["masked_first"]),
            numbers[0] if numbers else DROPPED_AT_LEAST - 1,
        )

    def _dropped(self, row: UtteranceEntry) -> bool:
        if row["null_reference"] or not row["dropped_span"]:
            return False
        return longest_dropped(row["steps"], row["baseline_steps"] or "") > self.dropped_above

    def of_row(self, row: UtteranceEntry) -> list[str]:
        """The flags of one utterance, in the order of FLAGS."""
        errors, before, status = row["errors"], row["baseline_errors"], row["status"]
        both = errors is not None and before is not None
        semantic, intent = self.semantic.get(row["id"]), self.intent.get(row["id"])
        entities = intent["entities"] if intent else []
        found = {
            "worse": both and (errors or 0) > (before or 0),
            "better": both and (errors or 0) < (before or 0),
            "changed": row["changed"],
            "error": status == RowStatus.ERROR,
            "hallucination": row["hallucination"],
            "loop": row["loop"],
            "empty": row["empty"],
            "dropped": self._dropped(row),
            "truncated": status == RowStatus.TRUNCATED,
            "repetition": status == RowStatus.REPETITION,
            "drift": row["language_drift"],
            "catastrophic": row["catastrophic"],
            "masked": row["masked"],
            "masked_value": row["id"] in self.masked_first,
            "meaning": semantic is not None and meaning_errors(semantic) > 0,
            # Where nothing was said there was no intent to lose.
            "intent": intent is not None and intent["intent_score"] == 0 and not intent["empty_reference"],
            "entity": any(each["status"] != EntityStatus.PRESERVED for each in entities),
            "judge_error": (semantic and semantic["judge_error"]) or (intent and intent["judge_error"]),
        }
        return [flag for flag, is_so in found.items() if is_so]
