"""Letters of India's scripts that can be typed in several ways, made one.

`whisper_normalizer.indic` is not used: it raises KeyError on native digits in all its nine languages, replaces
digit runs by substring, makes the colon after any word a visarga, and writes control characters in two of them.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping

__all__ = ["EYELASH_LANGUAGES", "INDIC_LANGUAGES", "INDIC_VERSION", "unify"]

# Raise this when the result of `unify` changes: it is stamped into every score as part of the
# normaliser's name.
INDIC_VERSION = 1

INDIC_LANGUAGES = frozenset("as bho bn brx doi gom gu hi kn kok mai ml mr ne or pa sa ta te".split())  # noqa: SIM905 - as items they fill a screen

# Marathi and Konkani, where the eyelash form of ra tells two words apart; to the others it is a shape.
EYELASH_LANGUAGES = frozenset({"gom", "kok", "mr"})

# Code points in hexadecimal, composed (NFC): what is typed > what is meant; from the Unicode Standard, chapter 12:
# sequences "not to be used" for an independent vowel, and letters that are encoded twice.
# Then vowel signs typed in two halves.
_DEVANAGARI = """
905 946 > 904, 905 93E > 906, 930 94D 907 > 908, 909 941 > 90A, 90F 945 > 90D, 90F 946 > 90E, 90F 947 > 910,
905 949 > 911, 906 945 > 911, 905 94A > 912, 906 946 > 912, 905 94B > 913, 906 947 > 913, 905 94C > 914,
906 948 > 914, 905 945 > 972, 905 93A > 973, 905 93B > 974, 906 93A > 974, 905 94F > 975, 905 956 > 976,
905 957 > 977,
93E 945 > 949, 93E 946 > 94A, 93E 947 > 94B, 93E 948 > 94C,
905 93E 945 > 911, 905 93E 946 > 912, 905 93E 947 > 913, 905 93E 948 > 914,
905 93E 93A > 974
"""
# Last: khanda ta, before it had a letter of its own (Unicode 4.1).
_BENGALI = "985 9BE > 986, 98B 9C3 > 9E0, 98C 9E2 > 9E1, 9A4 9CD 200D > 9CE"
_GURMUKHI = """
A05 A3E > A06, A72 A3F > A07, A72 A40 > A08, A73 A41 > A09, A73 A42 > A0A, A72 A47 > A0F, A05 A48 > A10,
A73 A4B > A13, A05 A4C > A14
"""
_GUJARATI = """
A85 ABE > A86, A85 AC5 > A8D, A85 AC7 > A8F, A85 AC8 > A90, A85 AC9 > A91, A85 ACB > A93, A85 ACC > A94,
AC5 ABE > AC9, ABE AC5 > AC9, ABE AC7 > ACB, ABE AC8 > ACC,
A85 AC5 ABE > A91, A85 ABE AC5 > A91, A85 ABE AC7 > A93, A85 ABE AC8 > A94
"""
_ODIA = "B05 B3E > B06, B0F B57 > B10, B13 B57 > B14"
# Last: shri, whose first letter may be either (Unicode 4.1 added the second).
_TAMIL = "B85 BC2 > B86, BB8 BCD BB0 BC0 > BB6 BCD BB0 BC0"
_TELUGU = "C12 C55 > C13, C12 C4C > C14, C3F C55 > C40, C46 C55 > C47, C4A C55 > C4B"
_KANNADA = "C89 CBE > C8A, C92 CCC > C94, C8B CBE > CE0"
# Line 2: the sign au with and without its left half; half-u (samvruthokaram) with and without its u. Lines 3 and 4:
# the chillus before they had letters (Unicode 5.1). Last: the cluster of n and rra, whose n may be a chillu, which
# an accepted spelling leaves without its sign.
_MALAYALAM = """
D07 D57 > D08, D09 D57 > D0A, D0E D46 > D10, D12 D3E > D13, D12 D57 > D14,
D57 > D4C, D41 D4D > D4D,
D23 D4D 200D > D7A, D28 D4D 200D > D7B, D30 D4D 200D > D7C,
D32 D4D 200D > D7D, D33 D4D 200D > D7E, D15 D4D 200D > D7F,
D28 D4D D31 > D7B D4D D31, D7B D31 > D7B D4D D31
"""


def _characters(code_points: str) -> str:
    return "".join(chr(int(code_point, 16)) for code_point in code_points.split())


def _table(*scripts: str) -> Mapping[str, str]:
    pairs = (pair.split(">") for script in scripts for pair in script.split(",") if pair.strip())
    return {_characters(typed): _characters(meant) for typed, meant in pairs}


_ONE_LETTER = _table(_DEVANAGARI, _BENGALI, _GURMUKHI, _GUJARATI, _ODIA, _TAMIL, _TELUGU, _KANNADA, _MALAYALAM)

_JOINER = "\u200d"
_EYELASH, _AS_LETTER = _characters("930 94D 200D"), _characters("931 94D")
# Before these letters the joiner makes no other letter, it shapes the conjunct: ta has conjuncts with ta, tha, na,
# ma, ya, ra, la, ba (and Assamese ra and wa), elsewhere it is khanda ta; chillu k only ends words.
_CONJUNCTS = {
    _characters("9A4 9CD 200D"): "[\u09a4\u09a5\u09a8\u09ae\u09af\u09b0\u09b2\u09ac\u09f0\u09f1]",
    _characters("D15 D4D 200D"): "[\u0d15-\u0d3a]",
}


def _sequences(typed: Iterable[str]) -> re.Pattern[str]:
    # The longest first, so that a bare sign never takes a part of a sequence.
    ordered = sorted(typed, key=len, reverse=True)
    return re.compile("|".join(f"{key}(?!{_CONJUNCTS[key]})" if key in _CONJUNCTS else key for key in ordered))


_JOINED = {typed: meant for typed, meant in _ONE_LETTER.items() if _JOINER in typed}
_JOINED_SEQUENCE = _sequences(_JOINED)
_SEQUENCE = _sequences(_ONE_LETTER.keys() - _JOINED.keys())

# The nine blocks of 128 code points are laid out alike: the visarga stands third in each (Tamil: aytham).
_BLOCKS = range(0x0900, 0x0D80, 0x80)


def _of_category(block: int, categories: str) -> str:
    """The characters of a block whose general category begins with one of these letters."""
    return "".join(
        chr(code) for code in range(block, block + 0x80) if unicodedata.category(chr(code))[0] in categories
    )


_COLON_IN_WORD = re.compile(
    "|".join(
        f"(?<=[{_of_category(block, 'LM')}])(?P<block_{block:x}>:)(?=[{_of_category(block, 'L')}])"
        for block in _BLOCKS
    )
)


def _visarga(colon: re.Match[str]) -> str:
    # Exactly the group of the block that matched has a name here.
    return chr(int(str(colon.lastgroup).removeprefix("block_"), 16) + 3)


# A joiner has a meaning after a virama alone: chillu, khanda ta, eyelash ra.
_VIRAMAS = "".join(chr(block + 0x4D) for block in _BLOCKS)
_IDLE_JOINER = re.compile(f"(?<![{_VIRAMAS}]){_JOINER}")


def unify(text: str, *, eyelash: bool = False) -> str:
    """Write every letter in the one way that Unicode prefers, and a colon typed inside a word as visarga.

    It reads joiners, so it comes before the fold drops them; it drops them and what else is of their kind. With
    `eyelash` a joiner makes another letter of ra (`EYELASH_LANGUAGES`). A colon at a word's end or after a digit
    stays punctuation. It drops no nukta, keeps anusvara and nasal consonants apart, and makes no words of digits.
    """
    if text.isascii():
        return text
    seen = "".join(
        character for character in text if character == _JOINER or unicodedata.category(character) != "Cf"
    )
    # Composed first: a virama stands where it belongs, two-part vowels become one sign, letters with nukta take the
    # one form that NFC has for them; and again where a joiner was between the parts.
    composed = unicodedata.normalize("NFC", _IDLE_JOINER.sub("", unicodedata.normalize("NFC", seen)))
    if _JOINER in composed:
        if eyelash:
            composed = composed.replace(_EYELASH, _AS_LETTER)
        composed = _JOINED_SEQUENCE.sub(lambda found: _JOINED[found[0]], composed)
        # Those that are left only shape a conjunct.
        composed = unicodedata.normalize("NFC", composed.replace(_JOINER, ""))
    unified = _SEQUENCE.sub(lambda found: _ONE_LETTER[found[0]], composed)
    return unicodedata.normalize("NFC", _COLON_IN_WORD.sub(_visarga, unified))
