"""Output in another script or language than what was said: romanised, translated, or of another neighbour's tongue.

A false alarm costs more than a miss here, so whatever is short, mixed or unsure counts as no drift.
"""

import unicodedata
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING

from pytest_asrgate.languages import canonical_language

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

__all__ = ["drifted", "script_drifted", "tongue_drifted", "word_scripts"]

_LATIN, _CYRILLIC, _ARABIC, _DEVANAGARI, _HAN = "LATIN", "CYRILLIC", "ARABIC", "DEVANAGARI", "HAN"

# First words of Unicode's names of letters, where the script has another name or several.
_SCRIPTS: Mapping[str, str] = {
    "CJK": _HAN,
    "IDEOGRAPHIC": _HAN,
    "HIRAGANA": "KANA",
    "KATAKANA": "KANA",
    "KATAKANA-HIRAGANA": "KANA",
    # Letters of no script, such as ordinal signs and the micro sign.
    **dict.fromkeys(("FEMININE", "MASCULINE", "MODIFIER", "SCRIPT", "MICRO", "DOUBLE-STRUCK"), ""),
}
# Written without blanks: two signs count as a word.
_UNSPACED = frozenset({_HAN, "KANA", "THAI", "LAO", "KHMER", "MYANMAR", "TIBETAN"})
# In other scripts a longer word counts more than once, since texts counted in characters have lost their blanks.
_LONG_WORD = 12

_JAPANESE = frozenset({_HAN, "KANA"})
_CHINESE = frozenset({_HAN, "BOPOMOFO"})
# The usual writing of a language; several where each of them is usual by itself.
_WRITING: Mapping[str, tuple[frozenset[str], ...]] = {
    **{
        code: (frozenset({_LATIN}),)
        for code in """
        af bm br bs ca ceb cs cy da de en eo es et eu fi fil fo fr fy ga gd gl gn haw hr ht hu id ig is it jv
        jw la lb lg ln lt lv mg mi mt nb nl nn no ny oc pl pt qu rn ro rw sk sl sm sn so sq st su sv sw tl tn to tr
        ts vi wo xh yo zu
        """.split()  # noqa: SIM905 - as items they fill a screen
    },
    **{
        code: (frozenset({_CYRILLIC}),)
        for code in "ba be bg ce cv ky mk ru sah tg tt tyv udm uk".split()  # noqa: SIM905 - as above
    },
    **{
        code: (frozenset({_DEVANAGARI}),)
        for code in "awa bho brx doi gom hi hne kok mai mr ne sa".split()  # noqa: SIM905 - as above
    },
    **dict.fromkeys(("ar", "arz", "ary", "ckb", "fa", "ps", "ug", "ur", "skr", "pnb"), (frozenset({_ARABIC}),)),
    **dict.fromkeys(("he", "yi"), (frozenset({"HEBREW"}),)),
    **dict.fromkeys(("am", "ti"), (frozenset({"ETHIOPIC"}),)),
    **dict.fromkeys(("as", "bn", "bpy"), (frozenset({"BENGALI"}),)),
    **dict.fromkeys(("bo", "dz"), (frozenset({"TIBETAN"}),)),
    **dict.fromkeys(("zh", "yue", "wuu", "hak", "gan", "hsn", "lzh"), (_CHINESE,)),
    "el": (frozenset({"GREEK"}),),
    "gu": (frozenset({"GUJARATI"}),),
    "hy": (frozenset({"ARMENIAN"}),),
    "ja": (_JAPANESE,),
    "ka": (frozenset({"GEORGIAN"}),),
    "km": (frozenset({"KHMER"}),),
    "kn": (frozenset({"KANNADA"}),),
    "ko": (frozenset({"HANGUL"}),),
    "lo": (frozenset({"LAO"}),),
    "ml": (frozenset({"MALAYALAM"}),),
    "my": (frozenset({"MYANMAR"}),),
    "nan": (_CHINESE, frozenset({_LATIN})),
    "or": (frozenset({"ORIYA"}),),
    "si": (frozenset({"SINHALA"}),),
    "sat": (frozenset({"OL"}),),
    "ta": (frozenset({"TAMIL"}),),
    "te": (frozenset({"TELUGU"}),),
    "th": (frozenset({"THAI"}),),
    **dict.fromkeys(("az", "kk", "tk", "uz"), (frozenset({_LATIN}), frozenset({_CYRILLIC}), frozenset({_ARABIC}))),
    **dict.fromkeys(("ha", "ku", "ms"), (frozenset({_LATIN}), frozenset({_ARABIC}))),
    **dict.fromkeys(("ks", "sd"), (frozenset({_ARABIC}), frozenset({_DEVANAGARI}))),
    "mn": (frozenset({_CYRILLIC}), frozenset({"MONGOLIAN"})),
    "mni": (frozenset({"BENGALI"}), frozenset({"MEETEI"})),
    "pa": (frozenset({"GURMUKHI"}), frozenset({_ARABIC})),
    **dict.fromkeys(("cnr", "sh", "sr"), (frozenset({_CYRILLIC}), frozenset({_LATIN}))),
}

# One or two words may be a name or a loan that each script writes in its own way.
_FEWEST_WORDS = 3
# Of the reference's words: less is a name among them.
_SHARE_OF_A_SCRIPT = 0.25

# Neighbours that no text of this length tells apart for sure.
_KIN = (
    {"no", "nb", "nn", "da"},
    {"hr", "sr", "bs", "sh", "cnr"},
    {"id", "ms", "jv", "jw", "su"},
    {"es", "gl", "ext", "ast", "an"},
    {"pt", "gl"},
    {"ca", "oc", "es"},
    {"it", "vec", "lij", "sc"},
    {"fr", "wa", "oc", "gcf", "gcr", "ht"},
    {"en", "pcm", "sco"},
    {"nl", "af", "fy", "li", "zea"},
    {"de", "lb", "nds", "gsw"},
    {"cs", "sk"},
    {"tl", "fil", "bcl", "ceb"},
    {"zh", "yue", "wuu", "hak", "gan", "nan", "lzh"},
    {"ar", "arz", "ary"},
    {"hi", "ne", "mr", "gom", "kok", "mai", "bho", "awa", "hne", "sa"},
    {"ur", "pnb", "skr", "sd", "sdh"},
    {"fa", "ps", "ckb", "sdh"},
    {"bn", "as"},
    {"tr", "az", "crh"},
    {"kk", "ky", "tt", "ba"},
    {"uz", "uzs", "ug"},
    {"lv", "ltg"},
    {"zu", "xh", "ss", "nr"},
    {"st", "nso", "tn"},
    {"sw", "rw", "rn"},
    {"gn", "gug"},
    {"ga", "gd"},
    {"he", "hbo", "yi"},
    {"el", "grc"},
    {"is", "fo"},
)
# Letters that both texts need at least, and how sure the identifier must be; README has what that was measured on.
_FEWEST_LETTERS = 30
_SURE_OF_REFERENCE = 0.7
_SURE_OF_HYPOTHESIS = 0.95
_OWN_AT_MOST = 0.01


@lru_cache(maxsize=16384)
def _script(character: str) -> str:
    """The script of one character; nothing for marks, digits and signs."""
    if not character.isalpha():
        return ""
    # Wide, narrow and ornamental forms are letters of their own script, which the plain form names.
    for form in (character, unicodedata.normalize("NFKC", character)[0]):
        first = unicodedata.name(form, "").split(" ", 1)[0]
        if first in _SCRIPTS:
            return _SCRIPTS[first]
    return first


@lru_cache(maxsize=16384)
def _word_scripts(word: str) -> tuple[tuple[str, int], ...]:
    """The scripts of one word and how many words each part counts for."""
    if word.isascii():
        letters = sum(map(str.isalpha, word))
        return ((_LATIN, 1 + (letters - 1) // _LONG_WORD),) if letters else ()
    parts = []
    for script, run in groupby(filter(None, map(_script, word))):
        length = sum(1 for _ in run)
        parts.append((script, (length + 1) // 2 if script in _UNSPACED else 1 + (length - 1) // _LONG_WORD))
    return tuple(parts)


def word_scripts(text: str) -> Counter[str]:
    """How many words of a text stand in each script; two signs are one word where a script has no blanks."""
    found: Counter[str] = Counter()
    for word in text.split():
        for script, words in _word_scripts(word):
            found[script] += words
    return found


def script_drifted(reference: str, hypothesis: str, language: str) -> bool:
    """Whether most words of a hypothesis, three at least, are in a script that its reference does not use.

    Every script of the language's usual writing counts as used, so that kana may answer for kanji. Where the
    reference shows no writing of its language, as silence does, each usual one may.
    """
    usual = _WRITING.get(canonical_language(language), ())
    if hypothesis.isascii() and usual == (frozenset({_LATIN}),):
        return False
    heard = word_scripts(hypothesis)
    if not heard:
        return False
    said = word_scripts(reference)
    words = said.total()
    used = {script for script, count in said.items() if count >= _SHARE_OF_A_SCRIPT * words}
    shown = [writing for writing in usual if not used.isdisjoint(writing)]
    used.update(*(shown or usual))
    foreign = sum(count for script, count in heard.items() if script not in used)
    return bool(used) and foreign >= _FEWEST_WORDS and 2 * foreign > heard.total()


@lru_cache(maxsize=1)
def _identifier() -> "LanguageIdentifier":
    from py3langid.langid import MODEL_FILE, LanguageIdentifier  # noqa: PLC0415 - 0.6 s, and few sets need it

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)


def _kin(language: str) -> set[str]:
    return {language}.union(*(group for group in _KIN if language in group))


def _letters(text: str) -> int:
    return sum(map(str.isalpha, text))


def tongue_drifted(reference: str, hypothesis: str, language: str) -> bool:
    """Whether a hypothesis is surely in another language than its reference, which is surely in its own.

    For texts whose words are mostly wrong; both need 30 letters, half as many where they have no blanks.
    """
    own = canonical_language(language)
    if not own:
        return False
    for text in (reference, hypothesis):
        # A text without blanks says more with each sign.
        needed = _FEWEST_LETTERS if len(text.split()) > 1 or text.isascii() else _FEWEST_LETTERS // 2
        if _letters(text) < needed:
            return False
    identifier = _identifier()
    kin = _kin(own)
    if kin.isdisjoint(identifier.labels):
        return False
    ranked = identifier.rank(reference.lower())
    if sum(share for label, share in ranked if label in kin) < _SURE_OF_REFERENCE:
        return False
    ranked = identifier.rank(hypothesis.lower())
    found = ranked[0][0]
    # Between neighbours the identifier is torn, but not about whether it is any of them.
    probability = sum(share for label, share in ranked if label in _kin(found) - kin)
    still_own = sum(share for label, share in ranked if label in kin)
    return found not in kin and probability >= _SURE_OF_HYPOTHESIS and still_own <= _OWN_AT_MOST


def drifted(reference: str, hypothesis: str, language: str, steps: str) -> bool:
    """Whether a raw hypothesis is in another script or language than its raw reference.

    `steps` is the alignment of the normalised texts. Only where most of the reference's words are wrong is the
    language looked at, since two texts that share their words share their language.
    """
    if script_drifted(reference, hypothesis, language):
        return True
    right = steps.count("=")
    words = len(steps) - steps.count("I")
    return 2 * right < words and tongue_drifted(reference, hypothesis, language)
