"""Rules for how people speak and where a recording ends: fillers, trailing function words, truncated words."""

from collections import Counter

from pytest_asrgate.records import Label
from pytest_asrgate.semantic.edit import Edit, Settled, quoted
from pytest_asrgate.semantic.forms import ARTICLES, NEGATIONS, bare
from pytest_asrgate.semantic.words import Text, Word

__all__ = ["HESITATIONS", "filler", "is_filler_only", "trailing", "truncated"]

HESITATIONS = frozenset({"um", "uh", "uhm", "umm", "uhh", "er", "erm", "ah", "hm", "hmm", "mm", "mmm", "eh"})
# No sentence opens with more fillers than so many.
_OPENING = 6
_EMPTY = frozenset({"actually", "basically"})
_AT_START = frozenset({"well", "so"})
# Before or after these, `you know` is about knowing something.
_BEFORE_KNOWING = frozenset(
    """
    do did does if as that let would should could will can may might must what how where when who why whether
    because to i me think believe hope sure not have and or than everything all anything something nothing
    """.split()  # noqa: SIM905 - shorter
)
_KNOWN = frozenset(
    """
    what how who where when why which whether if that the a an about him her them it me us this these those any
    anyone anything of someone something my your his their our
    """.split()  # noqa: SIM905 - shorter
)

# Function words that say nothing at the end of a sentence that breaks off. Behind the first a sentence is never
# over; behind the second it is where they are stranded; the third may be what is said.
_NEVER_LAST = ARTICLES | frozenset({"and", "but", "or", "because", "although", "if", "than", "until", "unless"})
_PREPOSITIONS = frozenset(
    "to for on in with about from by at of into onto as during between".split()  # noqa: SIM905 - shorter
)
_MAY_BE_LAST = frozenset(
    "so that which who when while since though through after before".split()  # noqa: SIM905 - shorter
)
_TRAILING = _NEVER_LAST | _PREPOSITIONS | _MAY_BE_LAST
# Before or right before a preposition at the end, these show that a sentence may be over: `where are you from`,
# `the light is on`, `let me in`.
_ASKING = frozenset("what who whom whose which where when how that".split())  # noqa: SIM905 - shorter
_COMPLETE = frozenset(
    """
    is are was were am be been being do does did me you him her it us them i he she we they here there not
    """.split()  # noqa: SIM905 - shorter
)
_PARTICLES = frozenset({"on", "in", "off", "by", "about", "through", "with", "for", "at", "after", "to"})
# A particle after one of these, or a little later, is part of what is to be done: `turn the light on`.
_PHRASAL = frozenset(
    """
    turn turns turned turning switch switches switched switching log logs logged logging put puts putting come
    comes came coming go goes went going gone get gets got getting give gives gave giving take takes took taking
    carry carries carried carrying hold holds held holding keep keeps kept keeping bring brings brought bringing
    sign signs signed signing check checks checked checking hang hangs hung drop drops dropped stop stops stopped
    call calls called fill fills filled filling plug plugs plugged plugging set sets move moves moved moving stay
    stays stayed staying pass passes passed passing try tries tried trying
    walk walks walked walking run runs ran running read reads reading jump jumps jumped break breaks broke click
    press pressed tune tuned leave leaves left live lives lived fit fits join joins joined scroll zoom dial opt
    write writes wrote lie lies lay let lets
    send sends sent sending look looks looked looking wait waits waited waiting ask asks asked
    asking
    """.split()  # noqa: SIM905 - shorter
)
_PARTICLE_WITHIN = 4
# A while is a time after these.
_BEFORE_WHILE = ARTICLES | {"little", "long", "short", "good", "some"}
_LONGEST_TAIL = 3


# Behind an opening `well` or `so`, these make it part of what is said: `well water`, `so much`.
_AFTER_WELL = frozenset(
    "done water known educated over enough paid made being wishes deserved".split()  # noqa: SIM905 - shorter
)
_AFTER_SO = frozenset(
    "much many far long that few little soon called good bad often as".split()  # noqa: SIM905 - shorter
)
# Between a word and its comma, in characters.
_BLANKS = 8


def _comma_before(text: Text, place: int) -> bool:
    start = text.words[place].start
    return text.raw[max(0, start - _BLANKS) : start].rstrip().endswith(",")


def _comma_after(text: Text, place: int) -> bool:
    word = text.words[place]
    end = word.start + len(word.raw)
    return word.raw.endswith(",") or text.raw[end : end + _BLANKS].lstrip().startswith(",")


def _fillers(text: Text, part: tuple[int, int]) -> bool:
    """Whether every word of a range is a filler where it stands."""
    words = text.words
    place, stop = part
    while place < stop:
        word = words[place].text
        following = words[place + 1].text if place + 1 < len(words) else ""
        before = words[place - 1].text if place else ""
        if (
            word in HESITATIONS
            or word in _EMPTY
            or (word in _AT_START and following and _opens(words[:place]) and not _meant(text, place))
            or (word == "like" and (_set_off(text, place, place) or {before, following} & HESITATIONS))
        ):
            place += 1
        elif word == "you" and following == "know" and place + 1 < stop and _you_know(text, place):
            place += 2
        else:
            return False
    return True


def _opens(earlier: tuple[Word, ...]) -> bool:
    """Whether nothing but fillers stands before the start of a text."""
    return len(earlier) < _OPENING and all(word.text in HESITATIONS | _AT_START for word in earlier)


def _meant(text: Text, place: int) -> bool:
    """Whether an opening `well` or `so` belongs to the word behind it."""
    word, following = text.words[place], text.words[place + 1]
    others = _AFTER_WELL if word.text == "well" else _AFTER_SO
    return word.compound is not None or (following.text in others and not _comma_after(text, place))


def _set_off(text: Text, first: int, last: int) -> bool:
    """Whether commas of the raw text, or its beginning, stand on both sides of some words."""
    return _comma_after(text, last) and (first == 0 or _comma_before(text, first))


def _you_know(text: Text, place: int) -> bool:
    """Whether a `you know` asks for nothing: commas set it off, or what is about it is nothing that one knows."""
    words = text.words
    before = words[place - 1].text if place else ""
    after = words[place + 2].text if place + 2 < len(words) else ""
    return _set_off(text, place, place + 1) or (before not in _BEFORE_KNOWING and after not in _KNOWN)


def is_filler_only(text: Text) -> bool:
    """Whether a text has words, and all of them hesitate."""
    return bool(text.words) and all(word.text in HESITATIONS for word in text.words)


def filler(edit: Edit) -> Settled | None:
    """Same: fillers lost, gained or exchanged: um, uh, you know, actually, basically; well and so at the start.

    `like` only where commas of the raw text set it off or a hesitation stands beside it.
    """
    if not all(_fillers(text, part) for text, part in edit.sides):
        return None
    lost, gained = quoted(edit.spoken_words), quoted(edit.heard_words)
    if edit.one_sided:
        return Settled(Label.SAME, f"The filler {lost if edit.spoken_words else gained} is lost or gained.")
    return Settled(Label.SAME, f"A filler changes, from {lost} to {gained}.")


def _breaks_off(raw: str) -> bool:
    """Whether a text ends within a word: in a hyphen that touches a letter."""
    stripped = raw.rstrip(" \"'”’)]")
    return len(stripped) > 1 and stripped[-1] in "-\u2010\u2011" and stripped[-2].isalpha()


def trailing(edit: Edit) -> Settled | None:
    """Same: up to 3 function words at the end of a reference that does not end like a sentence are omitted.

    Not a particle that a phrasal verb needs (`turn the light on`), a preposition that may end a question (`where
    are you from`) or stands behind a form of `be` or a pronoun, and words like `that` only where the text
    is cut off.
    """
    words = edit.spoken_words
    text = edit.reference
    if edit.heard_words or not words or len(words) > _LONGEST_TAIL or edit.spoken[1] != len(text.words):
        return None
    if text.ended or any(word.text not in _TRAILING for word in words):
        return None
    before = text.words[max(0, edit.spoken[0] - _PARTICLE_WITHIN) : edit.spoken[0]]
    if words[0].text == "while" and before and before[-1].text in _BEFORE_WHILE:
        return None
    if words[0].text in _PARTICLES and any(word.text in _PHRASAL for word in before):
        return None
    if words[-1].text not in _NEVER_LAST and not text.cut and _may_end(text, edit.spoken):
        return None
    return Settled(Label.SAME, f"The reference breaks off after {quoted(words)}, which says nothing by itself.")


def _may_end(text: Text, part: tuple[int, int]) -> bool:
    """Whether function words at the end of a text may be the end of a whole sentence."""
    words, (start, stop) = text.words, part
    if any(word.text in _MAY_BE_LAST for word in words[start:stop]):
        return True
    earlier = words[:start]
    return any(word.text in _ASKING for word in earlier) or (bool(earlier) and earlier[-1].text in _COMPLETE)


def _at_the_end(edit: Edit) -> bool:
    return edit.spoken[1] == len(edit.reference.words) and edit.heard[1] == len(edit.hypothesis.words)


def _fragment(short: str, long: str) -> bool:
    """Whether the shorter of two words is a piece of the longer, up to the order of its last letters."""
    if not short or short == long:
        return False
    if long.startswith(short):
        return True
    return len(short) > 2 and short[:2] == long[:2] and Counter(short) <= Counter(long)


def truncated(edit: Edit) -> Settled | None:
    """Same: the reference is cut off, and its last word and the hypothesis's are pieces of one word.

    So is a last piece that the hypothesis does not have, where the raw reference breaks off within the word.
    """
    if not edit.reference.cut or len(edit.spoken_words) != 1 or not _at_the_end(edit):
        return None
    if any(word.number or word.text in NEGATIONS for word in (*edit.spoken_words, *edit.heard_words)):
        return None
    if not edit.heard_words and _breaks_off(edit.reference.raw):
        one = quoted(edit.spoken_words)
        return Settled(Label.SAME, f"{one} is a piece of a word where the reference is cut off.")
    pair = edit.one_for_one
    if pair is None or not _fragment(*sorted((bare(word.text) for word in pair), key=len)):
        return None
    both = f"{quoted(edit.spoken_words)} and {quoted(edit.heard_words)}"
    return Settled(Label.SAME, f"{both} are pieces of one word where the reference is cut off.")
