"""The languages that the questions on intent and entities, and the rules, are written for."""

from collections.abc import Iterable

__all__ = ["SERVED", "unserved_text"]

# Canonical codes. Others are judged too: what needs no list of words works in any language.
SERVED = ("en", "hi", "bn", "mr", "ml", "kn", "ta", "te", "gu", "or", "pa")


def unserved_text(languages: Iterable[str]) -> str:
    """One sentence on those of these canonical codes that nothing is written for; empty for none."""
    others = sorted({code for code in languages if code} - set(SERVED))
    if not others:
        return ""
    are = "is" if len(others) == 1 else "are"
    served = ", ".join(SERVED)
    return (
        f"intent and entities: {', '.join(others)} {are} not among the languages that the questions and rules are "
        f"written for ({served})"
    )
