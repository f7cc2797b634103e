"""Text normalisation before scoring: which one, its name and version, applied exactly once to each side."""

import json
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import version

from pytest_asrgate.errors import ScoringError
from pytest_asrgate.metrics.fold import FOLD_VERSION, fold, western_digits, without_grouping
from pytest_asrgate.metrics.indic import EYELASH_LANGUAGES, INDIC_VERSION, unify
from pytest_asrgate.metrics.letters import LANGUAGES_WITH_LETTERS, letters_of, whole_letters
from pytest_asrgate.metrics.memory import code_digest

__all__ = ["NORMALISERS", "Normaliser", "is_null", "named_normaliser"]

NORMALISERS = ("whisper-english", "indic", "basic-marks", "basic", "none")

# Texts; about 10 MB of sentences.
_REMEMBERED = 20_000

# What shows nothing by itself, though Unicode calls it mark or letter: the grapheme joiner, variation selectors (an
# emoji leaves its own behind), the keycap around a digit, the fillers of Hangul.
_SELECTORS = (*range(0x180B, 0x180E), 0x180F, *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))
# And the Armenian marks of emphasis, exclamation and question, which stand over a vowel inside the word.
_ARMENIAN = (0x055B, 0x055C, 0x055E)
_UNSEEN = dict.fromkeys((0x034F, *_SELECTORS, 0x20E3, 0x115F, 0x1160, 0x3164, 0xFFA0, *_ARMENIAN))


@dataclass(frozen=True, slots=True)
class Normaliser:
    """A named and versioned function from raw to scored text.

    Calling it twice is not the same as once (`oh oh` → `00` → `0`), so only the scorer calls it. `letters` says for
    which language it writes letters in a way of its own, empty for none.
    """

    name: str
    version: str
    apply: Callable[[str], str]
    letters: str = ""

    @property
    def key(self) -> str:
        """What its results may be remembered under: all that they depend on but the text."""
        return json.dumps(["normaliser", self.name, self.version, self.letters, code_digest()])


def named_normaliser(name: str, language: str) -> Normaliser:
    """Return the normaliser of this name for a canonical language; ScoringError for a name that there is not."""
    if name == "whisper-english":
        return _whisper_english()
    if name == "basic":
        return _basic()
    if name in {"basic-marks", "indic"}:
        own = language if language in LANGUAGES_WITH_LETTERS else ""
        indic = name == "indic"
        return _basic_marks(indic=indic, language=own, eyelash=indic and language in EYELASH_LANGUAGES)
    if name == "none":
        return Normaliser("none", f"fold{FOLD_VERSION}", fold)
    raise ScoringError(f"there is no normaliser {name!r}: use one of {', '.join(NORMALISERS)}")


@lru_cache(maxsize=1)
def _english() -> Callable[[str], str]:
    from whisper_normalizer.english import EnglishTextNormalizer  # noqa: PLC0415 - slow to import

    normalise: Callable[[str], str] = EnglishTextNormalizer()
    return normalise


@lru_cache(maxsize=1)
def _whisper_english() -> Normaliser:
    """The library's English normaliser, which is loaded for the first text: where all are known, it is not."""

    # A fifth of a millisecond a text, and all variants of a gate have the same references and many equal texts.
    @lru_cache(maxsize=_REMEMBERED)
    def apply(text: str) -> str:
        return _one_blank(_english()(fold(text)))

    return Normaliser("whisper-english", f"{version('whisper-normalizer')}+fold{FOLD_VERSION}", apply)


@lru_cache(maxsize=1)
def _basic() -> Normaliser:
    """The library's normaliser on raw text; it takes the vowel signs out of many scripts, so only by name."""
    from whisper_normalizer.basic import BasicTextNormalizer  # noqa: PLC0415 - slow to import

    normalise = BasicTextNormalizer()
    return Normaliser("basic", version("whisper-normalizer"), lambda text: str(normalise(text)).strip())


@lru_cache(maxsize=2 * len(LANGUAGES_WITH_LETTERS) + 3)
def _basic_marks(*, indic: bool, language: str, eyelash: bool) -> Normaliser:
    """The library's normaliser that keeps marks, with the steps before and after it that it lacks."""
    from whisper_normalizer.basic import BasicTextNormalizer  # noqa: PLC0415 - slow to import

    normalise = BasicTextNormalizer(preserve_marks=True)

    def apply(text: str) -> str:
        plain = _compatible(fold(unify(text, eyelash=eyelash) if indic else text))
        if indic:
            # Again: the first pass read the joiners that the fold drops, this one what both steps wrote plainly.
            plain = without_grouping(unify(plain))
        # Lower case and what goes with brackets can leave a letter and its mark uncomposed.
        return _one_blank(whole_letters(normalise(letters_of(language, plain))))

    stamp = f"{version('whisper-normalizer')}+fold{FOLD_VERSION}"
    letters = f"{language}{' eyelash' if eyelash else ''}"
    return (
        Normaliser("indic", f"{stamp}+indic{INDIC_VERSION}", apply, letters)
        if indic
        else Normaliser("basic-marks", stamp, apply, letters)
    )


def _compatible(folded: str) -> str:
    """Write compatibility forms plainly (NFKC) and digits as 0 to 9; raise FOLD_VERSION when this changes.

    It comes before the library, which looks for brackets first and would not find those of full width.
    """
    if folded.isascii():
        return folded
    seen = folded.translate(_UNSEEN)
    # NFKC makes a blank and a mark of an accent that stands alone (acute for apostrophe): the mark would stay.
    spaced = "".join(
        " " if unicodedata.normalize("NFKC", character).startswith(" ") else character for character in seen
    )
    return western_digits(unicodedata.normalize("NFKC", spaced))


def _one_blank(text: str) -> str:
    return " ".join(text.split())


def is_null(normalised: str) -> bool:
    """Whether a normalised reference says nothing: it has no letter and no digit."""
    return not any(unicodedata.category(character)[0] in "LN" for character in normalised)
