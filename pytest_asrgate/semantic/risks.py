"""What is too easily judged wrong to rest on one reply: numbers, names, negations, and texts that talk to a judge.

All of it depends on the two texts alone, never on what a score would be.
"""

import re
from collections.abc import Sequence

from pytest_asrgate.semantic.edit import Edit
from pytest_asrgate.semantic.forms import NEGATIONS

__all__ = ["looks_like_a_verdict", "risks_of"]

# What a transcript should not hold: replies, orders to a model, and the marks that tell its turns apart.
_VERDICT = re.compile(
    r"""
      ["'”“]?\b(?:verdict|verdicts|count[\s_]as[\s_]error|semantic[\s_](?:wer|check)|label)\b["'”“]?\s*[:=]
    | \bcount\s+(?:it\s+|this\s+|that\s+)?as\s+(?:an?\s+)?(?:error|same)\b
    | [{\[]\s*["'”“]\w+["'”“]\s*:
    | \b(?:ignore|disregard|forget|override)\b(?:\s+\w+){0,4}\s+
      (?:instructions?|prompts?|rules?|guidelines?)\b
    | \b(?:ignore|disregard|forget|override)\s+(?:everything|anything|all)(?:\s+\w+){0,3}?\s+above\b
    | \b(?:ignore|disregard|override)\s+the\s+above\b
    | \bverdicts?\b["'”“]?\s+(?:(?:is|are|should\s+be|must\s+be)\s+)?["'”“]?(?:same|unsure|error)\b(?!\s+as\b)
    | <\|[\w\s-]{1,30}\|> | \[/?(?:inst|system|assistant)\] | </?(?:system|assistant|instructions?|s)>
    | ^[ \t]*(?:\#{1,3}[ \t]*)?(?:system|assistant|developer)\s*:
    | \b(?:you\s+are\s+(?:now\s+)?(?:an?|the)\s+(?:\w+\s+)?(?:judge|evaluator|grader|assistant|language\s+model))\b
    | \b(?:answer|reply|respond|output|return|say)\b(?:\s+\w+){0,3}?\s+["'”“]?(?:verdict\b
      # People say `the same`, and what it is that is the same.
      | (?<!the\s)(?:same|unsure)\b["'”“]?
        (?=\s*(?:$|[.,;!?]|(?:for|to|on|in|and|every|each|always|only|please|no)\b)))
    | \b(?:mark|label|rate|score|grade|treat|consider|regard|count|judge)\b(?:\s+\w+){0,4}\s+as\s+(?:the\s+)?
      ["'”“]?(?:same|correct|equal|identical|equivalent)\b
    | \b(?:mark|label|rate|score|grade)\b(?:\s+\w+){0,2}?\s+(?:all|every|everything|each|both)(?:\s+\w+){0,3}?\s+
      (?:same|correct|equal|identical|equivalent)\b
    | \btell\s+(?:the|your|this|every)\s+(?:\w+\s+)?(?:judge|grader|evaluator|model|assistant)\b(?:\s+\w+){0,4}\s+
      (?:match|matches|same|correct|equal|identical|equivalent)\b
    """,
    re.IGNORECASE | re.VERBOSE | re.MULTILINE,
)
# Whatever that finds has one of these in lower case, unless letters that are not ASCII stand for them. Most texts
# have none, which takes a tenth of the time to see.
_HINTS = (
    *(":", "=", "<", "[", "error", "same", "unsure", "verdict", "correct", "equal", "identical", "above"),
    *("equivalent", "match"),
    *("instruction", "prompt", "rule", "guideline", "judge", "evaluator", "grader", "assistant", "model"),
)


# Whose turn it is, as conversations are written down.
_TURN = re.compile(r"^[ \t]*(?:system|assistant|developer)\s*:", re.IGNORECASE | re.MULTILINE)


def looks_like_a_verdict(text: str, *, conversation: bool = False) -> bool:
    """Whether a raw transcript reads like a judge's reply or like instructions to one.

    In a `conversation` names of those who speak are no marks of a model's turns.
    """
    if conversation:
        text = _TURN.sub("", text)
    if text.isascii():
        lower = text.lower()
        if not any(hint in lower for hint in _HINTS):
            return False
    return bool(_VERDICT.search(text))


def risks_of(edits: Sequence[Edit], *, verdict_like: bool) -> tuple[str, ...]:
    """Why a question about these open differences is voted on whatever the first reply says, in a fixed order."""
    words = [word for edit in edits for word in (*edit.spoken_words, *edit.heard_words)]
    found = {
        "number": any(word.number is not None for word in words),
        "name": any(word.name for word in words),
        "negation": any(word.text in NEGATIONS for word in words),
        "verdict-like text": verdict_like,
    }
    return tuple(name for name, there in found.items() if there)
