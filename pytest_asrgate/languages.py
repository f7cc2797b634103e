"""Which language a tag means: one short code for `en_US`, `EN`, `eng` and `English`."""

import re
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

__all__ = ["canonical_language", "language_problem"]

# What Babel has no entry for: names that Whisper and older lists use, spellings without accents, ISO 639-2 tgl
# (which Babel calls fil, while engines say tl).
_NAMES_BABEL_LACKS = {
    "bengali": "bn",
    "bokmal": "nb",
    "castilian": "es",
    "farsi": "fa",
    "flemish": "nl",
    "haitian": "ht",
    "letzeburgesch": "lb",
    "mandarin": "zh",
    "mandarin chinese": "zh",
    "cmn": "zh",
    "maori": "mi",
    "moldavian": "ro",
    "moldovan": "ro",
    "myanmar": "my",
    "nynorsk": "nn",
    "oriya": "or",
    "panjabi": "pa",
    "pushto": "ps",
    "sinhalese": "si",
    "taiwanese": "nan",
    "tgl": "tl",
    "valencian": "ca",
}

# Tags of languages whose code stands second: the first part alone would mean Mandarin.
_CHINESE = re.compile(
    r"zh[-_](?:(yue|wuu|nan|hak|gan|hsn|lzh|cdo|cjy|cnp|cpx|csp|czh|czo|mnp)(?![a-z])|min[-_](nan)(?![a-z]))"
)

# Codes of countries, and old habits, that are no code of a language.
_MISTAKEN = {
    "al": "sq",
    "bd": "bn",
    "cn": "zh",
    "cz": "cs",
    "dk": "da",
    "gb": "en",
    "ge": "ka",
    "gr": "el",
    "hk": "yue",
    "il": "he",
    "ir": "fa",
    "jp": "ja",
    "kh": "km",
    "kz": "kk",
    "mx": "es",
    "np": "ne",
    "ph": "tl",
    "pk": "ur",
    "rs": "sr",
    "sp": "es",
    "ua": "uk",
    "us": "en",
    "vn": "vi",
}

# The codes that Whisper knows, and that of Odia: these need no look into the names, which take 25 ms to read.
_COMMON = frozenset(
    """
    af am ar as az ba be bg bn bo br bs ca cs cy da de el en es et eu fa fi fo fr gl gu ha haw he hi hr ht hu hy id
    is it ja jw ka kk km kn ko la lb ln lo lt lv mg mi mk ml mn mr ms mt my ne nl nn no oc or pa pl ps pt ro ru sa
    sd si sk sl sn so sq sr su sv sw ta te tg th tk tl tr tt uk ur uz vi yi yo yue zh
    """.split()  # noqa: SIM905 - as items they fill a screen
)

# ISO 639 reserves these for speech whose language is unknown, mixed, without a code or absent.
_NO_LANGUAGE = frozenset({"auto", "", "mis", "mul", "und", "zxx"})


@lru_cache(maxsize=1)
def _codes_by_name() -> Mapping[str, str]:
    """Lower-case English names and three-letter codes, each with its short code (Unicode CLDR through Babel)."""
    from babel import Locale  # noqa: PLC0415 - reads its data from disk, and most tags need none of it
    from babel.core import get_global  # noqa: PLC0415 - as above

    codes = {name.lower(): code.split("_")[0] for code, name in Locale("en").languages.items()}
    # Aliases of two letters (jw, tl, no, iw) are what engines were trained with, so these stay what they are.
    codes |= {
        alias: code
        for alias, code in get_global("language_aliases").items()
        if len(alias) == 3 and len(code) == 2  # longer results (fil, sr_Latn) are no shorter than the alias
    }
    return MappingProxyType(codes | _NAMES_BABEL_LACKS)


@lru_cache(maxsize=1)
def _two_letter_codes() -> frozenset[str]:
    from babel import Locale  # noqa: PLC0415 - reads its data from disk
    from babel.core import get_global  # noqa: PLC0415 - as above

    return frozenset(code for code in (*Locale("en").languages, *get_global("language_aliases")) if len(code) == 2)


def _is_code(text: str, letters: int) -> bool:
    return len(text) == letters and text.isascii() and text.isalpha() and text.islower()


@lru_cache(maxsize=4096)
def canonical_language(tag: str) -> str:
    """The short lower-case code of the language that a tag, a name or a three-letter code stands for.

    Region and script go. Two-letter codes stay what they are, and so does, in lower case, what nobody knows.
    """
    if _is_code(tag, 2):
        return tag
    whole = tag.strip().lower()
    if chinese := _CHINESE.match(whole):
        return chinese[1] or chinese[2]
    first = re.split(r"[-_]", whole, maxsplit=1)[0].strip()
    if _is_code(first, 2) or first in _COMMON:
        return first
    codes = _codes_by_name()
    # The whole first: some names hold a hyphen.
    return codes.get(whole) or codes.get(first, first)


@lru_cache(maxsize=4096)
def language_problem(tag: str) -> str | None:
    """None for a tag of a known language, or else one sentence with the nearest right one.

    Every code of three letters counts as known: there are some eight thousand languages.
    """
    code = canonical_language(tag)
    if code in _NO_LANGUAGE:
        return f"{tag!r} names no language; write the one that is spoken, such as 'en'"
    if code in _COMMON or _is_code(code, 3) or code in _two_letter_codes():
        return None
    quoted = tag if len(tag) <= 40 else tag[:37] + "..."
    shown = f"there is no language {quoted!r}"
    nearest = _MISTAKEN.get(code) or _nearest_name(code)
    return f"{shown}; did you mean {nearest!r}?" if nearest else f"{shown}; write a code such as 'en' or 'hi'"


def _nearest_name(text: str) -> str | None:
    from difflib import get_close_matches  # noqa: PLC0415 - only where a message needs it

    # A code of two letters is near to every other, so that a guess would only mislead.
    names = [name for name in _codes_by_name() if len(name) > 3] if len(text) > 3 else []
    return next(iter(get_close_matches(text[:40], names, n=1, cutoff=0.7)), None)
