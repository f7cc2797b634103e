"""Where a text may be cut without taking apart what a reader sees as one sign."""

import unicodedata
from collections.abc import Sequence
from functools import lru_cache

__all__ = ["joined_to_last"]

_ZWNJ, _ZWJ = "\u200c", "\u200d"

# Drawn as part of the sign before them although they are letters or symbols: the vowel am of Thai and Lao, the
# voicing marks of narrow Katakana, skin tones, tags of flags, and the vowels and finals of Hangul in parts.
_PARTS = (
    (0x0E33, 0x0E33),
    (0x0EB3, 0x0EB3),
    (0xFF9E, 0xFF9F),
    (0x1F3FB, 0x1F3FF),
    (0xE0020, 0xE007F),
    (0x1160, 0x11FF),
    (0xD7B0, 0xD7FB),
)

# A letter after one of these stands under or is fused with the letter before it.
_LINKERS = frozenset("\u094d\u09cd\u0acd\u0b4d\u0c4d\u0d4d\u1039\u17d2")


# What a sign does to its neighbours, as bits.
_PART, _JOINER, _LINKER, _LETTER, _HALF_FLAG, _LEAD, _SYLLABLE, _PARTER = (1 << bit for bit in range(8))


@lru_cache(maxsize=65_536)
def _kind(sign: str) -> int:
    """The bits of one code point."""
    code, category = ord(sign), unicodedata.category(sign)
    found = {
        # It always belongs to the sign before it.
        _PART: sign in {_ZWNJ, _ZWJ} or category[0] == "M" or any(low <= code <= high for low, high in _PARTS),
        # Whatever follows belongs to it.
        _JOINER: sign == _ZWJ,
        # A letter that follows belongs to it, through other marks, but for one that parts them.
        _LINKER: sign in _LINKERS,
        _LETTER: category == "Lo",
        _PARTER: sign == _ZWNJ,
        # Two of them are one flag.
        _HALF_FLAG: 0x1F1E6 <= code <= 0x1F1FF,
        # It begins a syllable of Hangul that another lead, or a whole syllable, goes on with.
        _LEAD: 0x1100 <= code <= 0x115F or 0xA960 <= code <= 0xA97C,
        _SYLLABLE: 0xAC00 <= code <= 0xD7A3,
    }
    return sum(bit for bit, is_so in found.items() if is_so)


def joined_to_last(signs: Sequence[str]) -> list[bool]:
    """For each sign, a code point with any white space around it, whether it belongs to the one before it.

    What stands behind white space is drawn on that, and belongs to nothing before it.
    """
    found, before, halves, fusing = [], 0, 0, False
    for place, spaced in enumerate(signs):
        alone = len(spaced) == 1
        kind = _kind(spaced if alone else spaced.strip())
        joined = False
        if place and (kind & (_PART | _HALF_FLAG | _LEAD | _SYLLABLE) or fusing or before & _JOINER):
            fused = before & _JOINER or (fusing and kind & _LETTER)
            syllable = before & _LEAD and kind & (_LEAD | _SYLLABLE)
            flag = kind & _HALF_FLAG and halves % 2
            joined = bool(kind & _PART or fused or syllable or flag) and (alone or not spaced[0].isspace())
        halves = (halves + 1 if joined else 1) if kind & _HALF_FLAG else 0
        fusing = bool(kind & _LINKER) or (fusing and joined and kind & (_PART | _PARTER) == _PART)
        found.append(joined)
        before = kind
    return found
