"""Forms of one English word: possessives and plurals, without taking customs for more than one custom."""

import re
from functools import lru_cache

from pytest_asrgate.semantic.words import Word

__all__ = ["ARTICLES", "NEGATIONS", "bare", "is_plural_pair", "is_possessive_pair", "kin_key"]

ARTICLES = frozenset({"a", "an", "the"})
NEGATIONS = frozenset(
    """
    not no nt never neer none nothing nobody nowhere neither nor without cannot nope nah noone dont cant didnt
    doesnt isnt arent wasnt werent couldnt shant mustnt neednt wouldnt shouldnt havent hasnt hadnt aint
    """.split()  # noqa: SIM905 - shorter
)

_APOSTROPHES = "'’‘\u02bc`"
_POSSESSIVE = re.compile(rf"[{_APOSTROPHES}]s?\W*\Z|s[{_APOSTROPHES}]\W*\Z", re.IGNORECASE)

# In characters; a raw piece may be of any length.
_ENDING = 12

# Words that an `s` or `es` at their end makes another word, not more of the same.
_OTHER_WORDS = """
    air arm ash beside brain cloth color colour content custom damage draught force glass good ground humanity
    her letter manner mean need new our overall pant premise right sale saving short sometime spectacle spirit their
    time wood work your
    """
# No words at all, or others: what ends in s is one thing already.
_ENDING_IN_S = """
    thi doe plu thu alway perhap afterward hourglas clas glas pas mas gras bras cros dres stres pres proces acces
    addres succes busines acros unles compas bos los les ros mis specie serie politic economic physic athletic
    ethic mathematic statistic headquarter corp len ga nemesi atla canva asse princes
    """
# What is left of names that end in s; texts without capitals do not show names.
_NAMES = """
    adam algier ander angele athen brook brussel charle christma collin dalla davi dougla edward evan harri holme
    hughe jame jone kansa lewi loui luca marcu memphi naple nichola orlean pari peter phillip robert roger stephen
    steven texa thoma wale william
    """
_OTHER_WITH_S = frozenset(f"{_OTHER_WORDS}{_ENDING_IN_S}{_NAMES}".split())

_IRREGULAR = {
    "child": "children", "man": "men", "woman": "women", "person": "people", "foot": "feet", "tooth": "teeth",
    "goose": "geese", "mouse": "mice", "louse": "lice", "ox": "oxen", "wife": "wives", "life": "lives",
    "knife": "knives", "leaf": "leaves", "half": "halves", "shelf": "shelves", "self": "selves",
    "thief": "thieves", "loaf": "loaves", "wolf": "wolves", "calf": "calves", "scarf": "scarves",
    "elf": "elves", "hoof": "hooves", "wharf": "wharves", "quiz": "quizzes", "analysis": "analyses",
    "basis": "bases", "crisis": "crises", "diagnosis": "diagnoses", "hypothesis": "hypotheses",
    "thesis": "theses", "oasis": "oases", "parenthesis": "parentheses", "synthesis": "syntheses",
    "criterion": "criteria", "phenomenon": "phenomena", "bacterium": "bacteria", "curriculum": "curricula",
    "medium": "media", "memorandum": "memoranda", "appendix": "appendices", "index": "indices",
    "matrix": "matrices", "vertex": "vertices", "fungus": "fungi", "cactus": "cacti", "stimulus": "stimuli",
    "nucleus": "nuclei", "alumnus": "alumni", "syllabus": "syllabi", "grandchild": "grandchildren",
    "policeman": "policemen", "policewoman": "policewomen", "fireman": "firemen", "salesman": "salesmen",
    "businessman": "businessmen", "businesswoman": "businesswomen", "chairman": "chairmen",
    "spokesman": "spokesmen", "fisherman": "fishermen", "housewife": "housewives",
    "passerby": "passersby",
}  # fmt: skip
_SINGULARS = {plural: singular for singular, plural in _IRREGULAR.items()}
# Their regular spelling is no plural of theirs: `mans` is a verb, `lifes` no word.
_SIBILANT = ("s", "x", "z", "ch", "sh")


def bare(text: str) -> str:
    """A word without apostrophes."""
    return text.translate(dict.fromkeys(map(ord, _APOSTROPHES))) if set(_APOSTROPHES) & set(text) else text


def _is_possessive(word: Word) -> bool:
    """Whether the raw piece of a word has the apostrophe of a possessive."""
    return bool(_POSSESSIVE.search(word.raw[-_ENDING:]))


def _owner(word: Word) -> set[str]:
    """Who a possessive may belong to: of `driver's` driver, of `drivers'` drivers and driver."""
    text = bare(word.text)
    raw = word.raw[-_ENDING:].lower().rstrip(' .,;:!?"”)]…')
    if raw.endswith(tuple("s" + sign for sign in _APOSTROPHES)):
        # A name that ends in s takes the apostrophe alone, and is another name without it.
        return {text} if word.name else {text, text.removesuffix("s")}
    if raw.endswith(tuple(sign + "s" for sign in _APOSTROPHES)) and text.endswith("s"):
        return {text[:-1], text}
    return {text}


# What looks like a possessive and is none.
_NO_OWNERS = frozenset(
    {"it", "its", "i", "is", "a", "as", "he", "his", "hers", "her", "that", "thats", "let", "lets"}
)


def is_possessive_pair(left: Word, right: Word) -> bool:
    """Whether two different words are one owner, and at least one of them is written with its apostrophe."""
    if not (_is_possessive(left) or _is_possessive(right)):
        return False
    texts = {bare(left.text), bare(right.text)}
    if texts & _NO_OWNERS or min(map(len, texts)) < 2:
        return False
    owners = [_owner(word) if _is_possessive(word) else {bare(word.text)} for word in (left, right)]
    return not owners[0].isdisjoint(owners[1])


def _regular_plural(singular: str) -> set[str]:
    if singular.endswith(_SIBILANT):
        return {singular + "es"}
    if singular.endswith("y") and len(singular) > 2 and singular[-2] not in "aeiou":
        return {singular[:-1] + "ies"}
    if singular.endswith("o"):
        return {singular + "s", singular + "es"}
    return {singular + "s"}


@lru_cache(maxsize=20_000)
def _plural_of(plural: str, singular: str) -> bool:
    if len(singular) < 3 or singular in _OTHER_WITH_S or not singular.isalpha():
        return False
    if singular in _IRREGULAR:
        return _IRREGULAR[singular] == plural
    return plural in _regular_plural(singular)


def is_plural_pair(left: str, right: str) -> bool:
    """Whether one word is the plural of the other; never where the `s` makes another word (custom, customs)."""
    left, right = bare(left), bare(right)
    return _plural_of(left, right) or _plural_of(right, left)


@lru_cache(maxsize=50_000)
def kin_key(text: str) -> str:
    """What words have in common that differ in number, possession or article only; for breaking ties."""
    text = bare(text)
    if text in ARTICLES:
        return "the"
    if text in _SINGULARS:
        return _SINGULARS[text]
    if len(text) > 4 and text.endswith("ies"):
        return text[:-3] + "y"
    if len(text) > 4 and text.endswith("es") and text[:-2].endswith(_SIBILANT):
        return text[:-2]
    if len(text) > 3 and text.endswith("s") and not text.endswith("ss"):
        return text[:-1]
    return text
