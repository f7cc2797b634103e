"""Rules for one word in another form: articles, possessives, plurals."""

from functools import lru_cache

from pytest_asrgate.records import Label
from pytest_asrgate.semantic.edit import Edit, Settled, quoted
from pytest_asrgate.semantic.forms import ARTICLES, bare, is_plural_pair, is_possessive_pair
from pytest_asrgate.semantic.words import Text

__all__ = ["article", "is_letter", "is_shouted", "plural", "possessive"]

# `a few` are some, `few` are hardly any.
_WITH_ARTICLE = frozenset(
    {"few", "little", "lot", "bit", "couple", "while", "hundred", "thousand", "million", "dozen"}
)
# The Who, and the US.
_OTHER_WITH_THE = frozenset({"who", "us"})
# What a letter A may follow, and what no article stands before.
_BEFORE_LETTER = frozenset(
    """
    vitamin plan grade hepatitis type option class section terminal gate row letter level team group exit line
    series part appendix room block building unit zone point side seat suite apartment apt exhibit size key button
    press triple double b c d e f g h j k l m n o p q r s t u v w x y z
    """.split()  # noqa: SIM905 - shorter
)
_BEHIND_LETTER = frozenset(
    """
    to flat minor major sharp plus minus and or but is was are as in on of at for from with by into than then
    """.split()  # noqa: SIM905 - shorter
)
_ONE = frozenset({"a", "an"})
# Between the end of a sentence and the next word, in characters.
_GAP = 8
# Within so many words before a noun, one of these makes its number part of the request.
_NEAR = 3
_QUANTIFIERS = frozenset(
    """
    one each every both several all many much another few couple pair dozen single multiple either neither half
    double only number most some
    """.split()  # noqa: SIM905 - shorter
)
# Within so many words behind one of these, how many things there are is what is to be done.
_ACTION_WITHIN = 6
_ACTIONS = frozenset(
    """
    cancel delete remove erase clear wipe pay buy order book reserve rent sell call dial phone text message email
    mail send forward share transfer deposit withdraw turn switch set add stop close open lock unlock start play
    pause mute snooze dismiss schedule reschedule create enable disable activate deactivate block unblock invite
    refund return charge exchange replace reset save archive print upload download install uninstall submit confirm
    approve reject accept decline ship deliver put take drop
    canceling cancelling deleting removing paying buying ordering booking calling sending transferring turning
    setting adding stopping closing opening selling returning
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
    counted = before is not None and (before.number is not None or before.text == "one")
    if word.text in _ONE and (after is None or counted):
        return False  # a letter, a text that breaks off, or for each: `one a day`
    if word.text == "the" and after is not None and after.text in _OTHER_WITH_THE:
        return False
    if after is not None and (after.text in _WITH_ARTICLE or after.number is not None):
        return word.text == "the" and after.text not in {"few", "little", "lot", "bit", "couple"}
    if any(near is not None and near.text == word.text for near in (before, after)):
        return False  # said twice: a stutter
    return not is_letter(text, place)


def is_letter(text: Text, place: int) -> bool:
    """Whether an `a` is the letter, for all that stands beside it: `vitamin a`, `12A`, `press A`, `from a to b`.

    So it is behind a number or an article, within a longer piece, in upper case within a sentence, behind words
    that letters follow, and before single letters and words that no noun begins with.
    """
    words, word = text.words, text.words[place]
    if word.text != "a":
        return False
    before = words[place - 1] if place else None
    after = words[place + 1].text if place + 1 < len(words) else ""
    if before is not None and (before.number is not None or before.text in _BEFORE_LETTER | ARTICLES):
        return True
    single = len(after) == 1 and after not in {"i", "a"}
    return single or after in _BEHIND_LETTER or _is_glued(text, place) or _is_capital(text, place)


def _is_glued(text: Text, place: int) -> bool:
    """Whether a word is written together with a letter or a digit: the `a` of `12a`."""
    word = text.words[place]
    end = word.start + len(word.raw)
    return word.compound is not None or any(
        sign.isalnum() for sign in (text.raw[max(0, word.start - 1) : word.start], text.raw[end : end + 1])
    )


# Asked for each word of a long text.
@lru_cache(maxsize=64)
def is_shouted(raw: str) -> bool:
    """Whether a raw text is all upper case, so that no word of it stands out."""
    return raw.isupper()


def _is_capital(text: Text, place: int) -> bool:
    """Whether a word is in upper case, where neither a sentence begins nor all of the text is."""
    word = text.words[place]
    earlier = text.raw[max(0, word.start - _GAP) : word.start].rstrip(" \t\r\n\"'“‘([")
    begins = not earlier or earlier[-1] in ".?!:…"
    return word.raw[:1].isupper() and not begins and not is_shouted(text.raw)


def _one_or_many(edit: Edit) -> bool:
    """Whether a word within 3 behind an article is singular in one text and plural in the other."""
    spoken, heard = (text.words[stop : stop + _NEAR] for text, (_, stop) in edit.sides)
    return any(
        is_plural_pair(one.text, other.text) and not is_possessive_pair(one, other)
        for one, other in zip(spoken, heard, strict=False)
    )


_NEAR_ONE, _NEAR_MANY = frozenset({"this", "that"}), frozenset({"these", "those"})


def _points_otherwise(edit: Edit) -> bool:
    """Whether one text says `this` of one thing and the other `these` of several."""
    near = {word.text for word in edit.before(_NEAR)}
    return bool(near & _NEAR_ONE) and bool(near & _NEAR_MANY)


def article(edit: Edit) -> Settled | None:
    """Same: a, an or the is lost, gained or exchanged.

    Not a or an before few, little and numbers (`a hundred`), behind a number (`one a day`), at the end of a text
    and where the noun is singular in one text and plural in the other (`a room`, `rooms`); no letter A, and no
    article that is said twice.
    """
    if len(edit.spoken_words) > 1 or len(edit.heard_words) > 1:
        return None
    if not all(_droppable(text, place) for text, part in edit.sides for place in range(*part)):
        return None
    if any(word.text in _ONE for word in (*edit.spoken_words, *edit.heard_words)) and _one_or_many(edit):
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


def _asks_for_one(edit: Edit) -> bool:
    """Whether only one text has an `a` or `an` before a noun: `a room`, `rooms`."""
    ones = [any(word.text in _ONE for word in text.words[max(0, at - _NEAR) : at]) for text, (at, _) in edit.sides]
    return ones[0] != ones[1]


def _is_counted(edit: Edit) -> bool:
    """Whether how many there are is said, or is part of what is to be done."""
    if any(word.text in _ACTIONS for word in edit.before(_ACTION_WITHIN)):
        return True
    return any(word.number is not None or bare(word.text) in _QUANTIFIERS for word in edit.before(_NEAR))


def plural(edit: Edit) -> Settled | None:
    """Same: one word is the plural of the other, no name, with no number or quantifier within 3 words before.

    Open where an `a` or `an` comes or goes there too (`a room`, `rooms`), within 6 words behind what is to be done
    to one or more of them (`cancel my order`), and where the next words differ, since the `s` may be theirs: `the
    word stares`, `the words tears`.
    """
    pair = edit.one_for_one
    if pair is None or any(word.name or word.number for word in pair):
        return None
    if not is_plural_pair(pair[0].text, pair[1].text):
        return None
    if _is_counted(edit) or _asks_for_one(edit) or _points_otherwise(edit) or not edit.alike_after:
        return None
    if pair[0].text.startswith("state") and any(word.text in {"united", "the"} for word in edit.before(1)):
        return None  # the country
    both = f"{quoted(edit.spoken_words)} and {quoted(edit.heard_words)}"
    return Settled(Label.SAME, f"{both} are singular and plural, and no number or quantifier is about.")
