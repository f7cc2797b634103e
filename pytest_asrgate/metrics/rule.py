"""The rule by which a data set is scored: its metric, and for each of its languages one normaliser."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pytest_asrgate.errors import ScoringError
from pytest_asrgate.languages import canonical_language, language_problem
from pytest_asrgate.metrics.dediarize import DEDIARIZE_VERSION
from pytest_asrgate.metrics.dediarize import dediarize as drop_speaker_labels
from pytest_asrgate.metrics.indic import INDIC_LANGUAGES
from pytest_asrgate.metrics.normalise import NORMALISERS, Normaliser, named_normaliser

__all__ = ["METRICS", "ScoringRule", "normalised_by", "scoring_rule"]

METRICS = ("wer", "cer")

# Written without blanks between words (Chinese languages, Japanese, Thai, Lao, Burmese, Khmer), with blanks that
# writers set as they like (Korean), or with a mark after every syllable (Tibetan, Dzongkha): no words to count.
_COUNTED_IN_CHARACTERS = frozenset(
    """
    zh yue wuu nan hak gan hsn lzh cdo cjy cnp cpx csp czh czo mnp ja ko th lo my km bo dz
    """.split()  # noqa: SIM905 - shorter
)


@dataclass(frozen=True, slots=True)
class ScoringRule:
    """How raw text becomes scored text: one metric, and a normaliser for each canonical language."""

    metric: str
    normalisers: Mapping[str, Normaliser]
    dediarize: bool = False

    @property
    def normaliser(self) -> str:
        """The names and versions as a score is stamped; led by their languages where these differ."""
        languages: dict[str, list[str]] = {}
        for language, normaliser in sorted(self.normalisers.items()):
            languages.setdefault(f"{normaliser.name} {normaliser.version}", []).append(language)
        before = f"dediarize{DEDIARIZE_VERSION}, then " if self.dediarize else ""
        if len(languages) == 1:
            return before + next(iter(languages))
        return before + "; ".join(f"{', '.join(codes)}: {stamp}" for stamp, codes in languages.items())

    def normaliser_of(self, language: str) -> Normaliser:
        """The normaliser of a language, under any of its names; ScoringError where the rule has none."""
        normaliser = self.normalisers.get(canonical_language(language))
        if normaliser is None:
            raise ScoringError(
                f"language {language!r} is not among those of the scoring rule ({', '.join(self.normalisers)})"
            )
        return normaliser

    def before(self, text: str) -> str:
        """What of a raw text goes to the normaliser."""
        return drop_speaker_labels(text) if self.dediarize else text

    def after(self, normalised: str) -> str:
        """What of a normalised text is counted; for cer it holds no white space."""
        return "".join(normalised.split()) if self.metric == "cer" else normalised

    def apply(self, text: str, language: str) -> str:
        """Return the text as it is scored, normalised exactly once; for cer it holds no white space.

        Raises ScoringError for a language that the rule does not have and a text that the normaliser cannot read.
        """
        return self.after(normalised_by(self.normaliser_of(language), self.before(text)))


def normalised_by(normaliser: Normaliser, text: str) -> str:
    """The normalised text; ScoringError where the normaliser cannot read it."""
    try:
        return normaliser.apply(text)
    # The library asserts and converts as it goes, and one odd text must not end a run.
    except Exception as error:
        reason = type(error).__name__
        raise ScoringError(f"normaliser {normaliser.name} cannot read the text ({reason})") from error


def scoring_rule(
    languages: Iterable[str], normaliser: str = "auto", metric: str = "auto", *, dediarize: bool = False
) -> ScoringRule:
    """Return the rule for a data set in these languages, under any of their names.

    "auto" chooses by language. Raises ScoringError for an unknown language, normaliser or metric, for none, for a
    normaliser that is wrong for its language, and under metric "auto" for languages that need both metrics.
    """
    tags = sorted(set(languages))
    if not tags:
        raise ScoringError("there is no language to score: name the language of every utterance")
    for tag in tags:
        if problem := language_problem(tag):
            raise ScoringError(problem)
    codes = sorted({canonical_language(tag) for tag in tags})
    return ScoringRule(
        _metric(codes, metric),
        {code: named_normaliser(_normaliser_name(code, normaliser), code) for code in codes},
        dediarize,
    )


def _metric(codes: list[str], metric: str) -> str:
    if metric in METRICS:
        return metric
    if metric != "auto":
        raise ScoringError(f"there is no metric {metric!r}: use one of {', '.join(('auto', *METRICS))}")
    characters = [code for code in codes if code in _COUNTED_IN_CHARACTERS]
    words = [code for code in codes if code not in _COUNTED_IN_CHARACTERS]
    if characters and words:
        raise ScoringError(
            f"{', '.join(words)} would be scored by wer, {', '.join(characters)} by cer: "
            "set metric to one of them, or split the data set by language"
        )
    return "cer" if characters else "wer"


def _normaliser_name(code: str, normaliser: str) -> str:
    right = "whisper-english" if code == "en" else "indic" if code in INDIC_LANGUAGES else "basic-marks"
    if normaliser == "auto":
        return right
    if normaliser not in NORMALISERS:
        raise ScoringError(f"there is no normaliser {normaliser!r}: use one of {', '.join(('auto', *NORMALISERS))}")
    if normaliser == "whisper-english" and code != "en":
        raise ScoringError(
            f"normaliser 'whisper-english' is wrong for language {code!r}, whose words it would change: "
            f"use {right!r}"
        )
    return normaliser
