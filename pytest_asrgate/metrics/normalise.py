"""Text normalisation before scoring: which one, its name and version, applied exactly once to each side."""

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import version

from pytest_asrgate.errors import ScoringError
from pytest_asrgate.values import canonical_language

__all__ = ["Normaliser", "is_null", "select_normaliser"]

_APOSTROPHES = str.maketrans({"‘": "'", "’": "'"})


def _fold(text: str) -> str:
    """Undo what is invisible: NFC, curly apostrophes, format characters such as a zero-width space."""
    composed = unicodedata.normalize("NFC", text).translate(_APOSTROPHES)
    return "".join(character for character in composed if unicodedata.category(character) != "Cf")


@dataclass(frozen=True, slots=True)
class Normaliser:
    """A named and versioned function from raw to scored text.

    Calling it twice is not the same as once (`oh oh` → `00` → `0`), so only the scorer calls it.
    """

    name: str
    version: str
    apply: Callable[[str], str]


@lru_cache(maxsize=1)
def _whisper_english() -> Normaliser:
    from whisper_normalizer.english import EnglishTextNormalizer  # noqa: PLC0415 - slow to import

    normalise = EnglishTextNormalizer()
    # "+fold1" names our own step before it, which never changes what is printed on paper.
    name = f"{version('whisper-normalizer')}+fold1"
    return Normaliser("whisper-english", name, lambda text: str(normalise(_fold(text))).strip())


def select_normaliser(language: str, normaliser: str = "auto", metric: str = "auto") -> tuple[Normaliser, str]:
    """Return the normaliser and the metric ("wer") for a language tag such as `en`, `EN` or `en_US`.

    Raises ScoringError for what is not built yet: any language but English, any metric but WER.
    """
    if canonical_language(language) != "en":
        raise ScoringError(f"language {language!r} cannot be scored yet: this version scores English (en) only")
    if metric not in {"auto", "wer"}:
        raise ScoringError(f"metric {metric!r} cannot be computed yet: this version computes wer only")
    if normaliser not in {"auto", "whisper-english"}:
        raise ScoringError(f"normaliser {normaliser!r} is not built yet: this version has whisper-english only")
    return _whisper_english(), "wer"


def is_null(normalised: str) -> bool:
    """Whether a normalised reference says nothing: it has no letter and no digit."""
    return not any(unicodedata.category(character)[0] in "LN" for character in normalised)
