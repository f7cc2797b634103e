"""The raw texts of one utterance, as a judge sees them."""

from dataclasses import dataclass

__all__ = ["Texts"]


@dataclass(frozen=True, slots=True)
class Texts:
    """One utterance; `language` is its canonical code, `empty_reference` says that nothing was said."""

    id: str
    language: str
    reference: str
    hypothesis: str
    context: str | None
    empty_reference: bool
