# ruff: noqa: SIM905 - words in one text are easier to read than in a list
"""Contractions written in full; what could be read in two ways carries the other one as a variant."""

from functools import lru_cache

__all__ = ["CONTRACTED", "Full", "expand_contraction"]

# Each word with its variants.
Full = tuple[tuple[str, tuple[str, ...]], ...]

_WHOLE = {
    "won't": "will not", "can't": "can not", "shan't": "shall not", "shant": "shall not", "ain't": "is not",
    "let's": "let us", "y'all": "you all", "wont": "will not", "cant": "can not", "cannot": "can not",
    "aint": "is not", "yall": "you all",
    "im": "i am", "ive": "i have", "youre": "you are", "youve": "you have", "youll": "you will",
    "theyre": "they are", "theyve": "they have", "theyll": "they will", "weve": "we have", "itll": "it will",
    "thatll": "that will", "hes": "he is", "shes": "she is", "thats": "that is", "whats": "what is",
    "wheres": "where is", "heres": "here is", "theres": "there is", "hows": "how is", "whos": "who is",
    "didnt": "did not", "dont": "do not", "doesnt": "does not", "isnt": "is not", "arent": "are not",
    "wasnt": "was not", "werent": "were not", "hasnt": "has not", "havent": "have not", "hadnt": "had not",
    "couldnt": "could not", "shouldnt": "should not", "wouldnt": "would not", "mustnt": "must not",
    "neednt": "need not", "couldve": "could have", "shouldve": "should have", "wouldve": "would have",
    "mightve": "might have", "mustve": "must have", "youd": "you would", "theyd": "they would",
}  # fmt: skip
# Those that are whole words, with their apostrophe or without.
CONTRACTED = frozenset(_WHOLE)
_OFTEN_HAS = frozenset({"hes", "shes", "whats", "wheres", "theres", "whos", "thats", "hows", "heres"})
_OFTEN_HAD = frozenset({"youd", "theyd"})
_NEGATED = frozenset(
    "do does did is are was were has have had could should would must might need dare may ought".split()
)
# Before 's and 'd these are subjects; behind any other word 's marks a possessive.
_NO_IS = frozenset({"i", "you", "we", "they", "these", "those", "so"})
_SUBJECTS = _NO_IS | frozenset(
    "he she it that this what who where there here how when why everyone everybody someone somebody anyone anybody "
    "nobody everything something anything nothing which".split()
)
_ENDINGS = {"re": "are", "ve": "have", "ll": "will"}
# What follows `has` or `had` and never `is` or `would`.
_PARTICIPLES = frozenset(
    "been got gotten had become seen taken given gone begun broken chosen eaten fallen forgotten known "
    "written".split()
)
_HAD_BEFORE = _PARTICIPLES | {"better", "done", "made", "said", "left", "lost", "thought", "told", "heard"}
_BETWEEN = frozenset("already always never just only not also recently really ever still finally".split())


def expand_contraction(word: str, following: tuple[str, str] = ("", "")) -> Full | None:
    """A lower-case contraction in full, None for a word that is none.

    `following` are the next two words, which tell `he's been` (has) from `he's here` (is), and `I'd been` (had)
    from `I'd be` (would). A possessive is none: it stays one word.
    """
    if "'" not in word and word not in _WHOLE:
        return None
    late = following[1] if following[0] in _BETWEEN else following[0]
    return _expanded(word, late in _PARTICIPLES, late in _HAD_BEFORE)


@lru_cache(maxsize=10_000)
def _expanded(word: str, has: bool, had: bool) -> Full | None:
    if word in _WHOLE:
        full: Full = tuple((part, ()) for part in _WHOLE[word].split())
        if word in _OFTEN_HAS:
            return (*full[:-1], _is(has))
        return (*full[:-1], _would(had)) if word in _OFTEN_HAD else full
    base, _, ending = word.rpartition("'")
    last: tuple[str, tuple[str, ...]] | None = None
    if ending == "t" and base[-1:] == "n" and base[:-1] in _NEGATED:
        base, last = base[:-1], ("not", ())
    elif ending == "s" and base in _SUBJECTS - _NO_IS:
        last = _is(has)
    elif ending == "d" and (base in _SUBJECTS or "'" in base):
        last = _would(had)
    elif ending == "d" and base:
        # Old texts write `poison'd`.
        return ((f"{base}ed", ()),)
    elif ending == "m" and base == "i":
        last = ("am", ())
    elif base and ending in _ENDINGS:
        last = (_ENDINGS[ending], ())
    if last is None:
        return None
    # `I'd've` is contracted twice.
    before = _expanded(base, False, False) if "'" in base else ((base, ()),)
    return (*before, last) if before else None


def _is(has: bool) -> tuple[str, tuple[str, ...]]:
    return ("has", ("is",)) if has else ("is", ("has",))


def _would(had: bool) -> tuple[str, tuple[str, ...]]:
    return ("had", ("would",)) if had else ("would", ("had",))
