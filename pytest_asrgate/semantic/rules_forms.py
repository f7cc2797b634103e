"""Rules for one word in another form: articles, possessives, plurals."""

from pytest_asrgate.records import Label
from pytest_asrgate.semantic.edit import Edit, Settled, quoted
from pytest_asrgate.semantic.forms import ARTICLES, bare, is_plural_pair, is_possessive_pair
from pytest_asrgate.semantic.words import Text

__all__ = ["article", "plural", "possessive"]

# `a few` are some, `few` are hardly any.
_WITH_ARTICLE = frozenset(
    {"few", "little", "lot", "bit", "couple", "while", "hundred", "thousand", "million", "dozen"}
)
# The Who, and the US.
_OTHER_WITH_THE = frozenset({"who", "us"})
# What a letter A may follow.
_BEFORE_LETTER = frozenset(
    """
    vitamin plan grade hepatitis type option class section terminal gate row letter level team group exit line
    series part appendix room block building unit zone point side b c d e f g h j k l m n o p q r s t u v w x y z
    """.split()  # noqa: SIM905 - shorter
)
# Within so many words before a noun, one of these makes its number part of the request.
_NEAR = 3
_QUANTIFIERS = frozenset(
    """
    one each every both several all many much another few couple pair dozen single multiple either neither half
    double only number most some
    """.split()  # noqa: SIM905 - shorter
)


def _droppable(text: Text, place: int) -> bool:
    """Whether the word at a place is an article that may come and go."""
    words = text.words
    word = words[place]
    if word.text not in ARTICLES or word.compound is not None:
        return False
    before = words[place - 1] if place else None
    after = words[place + 1] if place + 1 < len(words) else None
    if word.text == "a" and before is not None and before.text in ARTICLES:
        return False  # the letter, or a stutter
    if word.text == "the" and after is not None and after.text in _OTHER_WITH_THE:
        return False
    if after is not None and (after.text in _WITH_ARTICLE or after.number is not None):
        return word.text == "the" and after.text not in {"few", "little", "lot", "bit", "couple"}
    if any(near is not None and near.text == word.text for near in (before, after)):
        return False  # said twice: a stutter
    return word.text != "a" or not _is_letter(word.name, before.text if before else "", after.text if after else "")


def _is_letter(name: bool, before: str, after: str) -> bool:
    """Whether an `a` is the letter, as in `vitamin A` and `U S A`."""
    letter_after = len(after) == 1 and after not in {"i", "a"}
    return name or before in _BEFORE_LETTER or letter_after


_NEAR_ONE, _NEAR_MANY = frozenset({"this", "that"}), frozenset({"these", "those"})


def _points_otherwise(edit: Edit) -> bool:
    """Whether one text says `this` of one thing and the other `these` of several."""
    near = {word.text for word in edit.before(_NEAR)}
    return bool(near & _NEAR_ONE) and bool(near & _NEAR_MANY)


def article(edit: Edit) -> Settled | None:
    """Same: a, an or the is lost, gained or exchanged.

    Not a or an before few, little and numbers (`a hundred`), no letter A, and no article that is said twice.
    """
    if len(edit.spoken_words) > 1 or len(edit.heard_words) > 1:
        return None
    if not all(_droppable(text, place) for text, part in edit.sides for place in range(*part)):
        return None
    if edit.one_for_one:
        said = f"only the article changes, from {quoted(edit.spoken_words)} to {quoted(edit.heard_words)}"
    else:
        said = f"only the article {quoted(edit.spoken_words or edit.heard_words)} is lost or gained"
    return Settled(Label.SAME, f"{said[0].upper()}{said[1:]}.")


def possessive(edit: Edit) -> Settled | None:
    """Same: one owner, written with its apostrophe on at least one side (driver's, drivers', drivers, driver).

    Open where the next words differ: `the driver's late` is `the driver is late`, `king's sword` was `king soared`.
    """
    pair = edit.one_for_one
    if pair is None or not edit.alike_after or not is_possessive_pair(*pair):
        return None
    both = f"{quoted(edit.spoken_words)} and {quoted(edit.heard_words)}"
    return Settled(Label.SAME, f"{both} are a possessive and another form of the same word.")


def plural(edit: Edit) -> Settled | None:
    """Same: one word is the plural of the other, no name, with no number or quantifier within 3 words before.

    Open where the next words differ, since the `s` may be theirs: `the word stares`, `the words tears`.
    """
    pair = edit.one_for_one
    if pair is None or any(word.name or word.number for word in pair):
        return None
    if not is_plural_pair(pair[0].text, pair[1].text):
        return None
    if any(word.number is not None or bare(word.text) in _QUANTIFIERS for word in edit.before(_NEAR)):
        return None
    if not edit.alike_after or _points_otherwise(edit):
        return None
    if pair[0].text.startswith("state") and any(word.text in {"united", "the"} for word in edit.before(1)):
        return None  # the country
    both = f"{quoted(edit.spoken_words)} and {quoted(edit.heard_words)}"
    return Settled(Label.SAME, f"{both} are singular and plural, and no number or quantifier is about.")
