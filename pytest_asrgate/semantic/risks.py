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
      (?:instructions?|prompts?|rules?|guidelines?|above)\b
    | <\|[\w\s-]{1,30}\|> | \[/?(?:inst|system|assistant)\] | </?(?:system|assistant|instructions?|s)>
    | ^[ \t]*(?:\#{1,3}[ \t]*)?(?:system|assistant|developer)\s*:
    | \b(?:you\s+are\s+(?:now\s+)?(?:an?|the)\s+(?:\w+\s+)?(?:judge|evaluator|grader|assistant|language\s+model))\b
    | \b(?:answer|reply|respond|output|return|say)\b(?:\s+\w+){0,3}\s+["'”“]?(?:same|unsure|verdict)\b
    | \b(?:mark|label|rate|score|grade)\b(?:\s+\w+){0,4}\s+as\s+(?:the\s+)?["'”“]?(?:same|correct|equal|identical)\b
    """,
    re.IGNORECASE | re.VERBOSE | re.MULTILINE,
)
# Whatever that finds has one of these in lower case, unless letters that are not ASCII stand for them. Most texts
# have none, which takes a tenth of the time to see.
_HINTS = (
    *(":", "=", "<", "[", "error", "same", "unsure", "verdict", "correct", "equal", "identical", "above"),
    *("instruction", "prompt", "rule", "guideline", "judge", "evaluator", "grader", "assistant", "model"),
)


def looks_like_a_verdict(text: str) -> bool:
    """Whether a raw transcript reads like a judge's reply or like instructions to one."""
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
