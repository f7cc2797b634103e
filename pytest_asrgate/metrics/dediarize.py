"""Speech without the timestamps, speaker labels and annotations that diarizing recognisers write into it."""

import re

__all__ = ["DEDIARIZE_VERSION", "dediarize"]

# Raise this when `dediarize` changes what it removes: scores before and after are not comparable.
DEDIARIZE_VERSION = 2

_SQUARE = "["
_OPENING = dict(zip("<({＜（｛", "<({<({", strict=True)) | dict.fromkeys("[【［", _SQUARE)  # noqa: RUF001
_CLOSING = dict(zip(">)}＞）｝", "<({<({", strict=True)) | dict.fromkeys("]】］", _SQUARE)  # noqa: RUF001
_COLONS = ":：﹕"  # noqa: RUF001
_LINE_BREAKS = "\n\r\v\f\x85\u2028\u2029"
# Stands where something was removed until the end; white space of the input is written as a blank or a line feed.
_REMOVED = "\r"

_MARKUP = re.compile(f"[{re.escape(''.join((*_OPENING, *_CLOSING, *_COLONS)))}]")
_CLOCK = r"(?:\d{1,3}:)?\d{1,3}:\d{2}(?:[.,]\d{1,6})?"
_SECONDS = r"\d{1,6}\.\d{1,6}"
_SPAN = rf"(?:{_CLOCK}(?:\s?(?:--?>|[-–—])\s?{_CLOCK})?|{_SECONDS}\s?--?>\s?{_SECONDS})"
_TIMES = re.compile(_SPAN)
# Before a label; at the start of the text or a line, or after anything removed.
_STAMP_AT_END = re.compile(rf"(?:\A\s?|[\n{_REMOVED}]){_SPAN}\s\Z")
_MOMENT = re.compile(rf"{_CLOCK}|{_SECONDS}")
_LABEL = r"(?:(?i:speaker|spk)[\s_-]?\d{1,4}|(?i:speaker)[\s_-][A-Z]|S\d{1,2})"
_LABEL_ALONE = re.compile(rf"{_LABEL}\s?:?")
_LABEL_AT_END = re.compile(rf"(\*{{0,3}})({_LABEL})\s?(\*{{0,3}})\s?\Z")
# Captions announce a new speaker with them.
_CHEVRONS_AT_END = re.compile(r"(?<!\S)>{2,3}\s?\Z")
_SENTENCE_END = re.compile(r"[.!?…][\"'”’)]*\s\Z|[。！？]\s?\Z")  # noqa: RUF001
_NO_TAG = frozenset("<>()[]{}=+*^&|@")
# In characters; no tag is longer, and what is looked at stays short however long the text is.
_LONGEST = 80
_MOST_WORDS = 3


def dediarize(text: str) -> str:
    """Remove what a diarizing model wrote that nobody said, leave a blank for it, and collapse white space.

    Square brackets (also 【】 and ［］) go with all they hold, nested ones too. Round ones go around a clock time,
    a range of times or a speaker label. Braces go around one to three words or a time. Angle brackets go when no
    blank touches them on the inside and they hold `|...|`, a time, or a tag: one word that starts with a letter, or
    up to three unless they touch a word on the outside; after `v ` (a WebVTT voice) a word may follow at once. A
    label with its colon (`Speaker 1:`, `spk2:`, `S1:`) goes at the start of the text or of a line, after a sentence
    and after anything removed, as does a colon that a bracket left behind; after a label that went, the next ones
    of its form go wherever a blank stands before them. With a label go its bold print (`**S1:**`), what was removed
    between it and its colon, the chevrons of captions (`>> S1:`) and a time stamp that opens the line before it.
    Inner brackets go first; a bracket without its fellow stays. The time is linear, and the result is returned
    unchanged when it is given again.
    """  # noqa: RUF002 - fullwidth brackets
    if not _MARKUP.search(text):
        return " ".join(text.split())
    # Only the end of `kept` is ever removed, so a second pass meets the same brackets and decides the same.
    kept: list[str] = []
    squares: list[int] = []
    others: list[tuple[str, int]] = []
    forms: set[str] = set()
    # The length of `kept` with the last bracket that closed another and stayed.
    closed = unread = 0
    for place, character in enumerate(text):
        if place < unread:
            continue
        start: int | None = None
        if character.isspace():
            _leave_blank(kept, "\n" if character in _LINE_BREAKS else " ")
            continue
        if character in _CLOSING:
            waiting = len(others)
            start = _opened_at(character, text[place + 1 : place + 2], kept, squares, others)
            if start is None and len(others) < waiting:
                closed = len(kept) + 1
        elif character in _COLONS:
            start, asterisks = _label_at(kept, text[place + 1 : place + 5], forms, closed)
            unread = place + 1 + asterisks
        elif _OPENING.get(character) == _SQUARE:
            squares.append(len(kept))
        elif character in _OPENING:
            others.append((_OPENING[character], len(kept)))
        if start is None:
            kept.append(character)
        else:
            del kept[start:]
            closed = min(closed, start)
            _leave_blank(kept, _REMOVED)
    return " ".join("".join(kept).split())


def _leave_blank(kept: list[str], blank: str) -> None:
    """End with one white space; of several the one that says most stays: removed, new line, blank."""
    if not kept or not kept[-1].isspace():
        kept.append(blank)
    elif blank == _REMOVED or kept[-1] == " ":
        kept[-1] = blank


def _opened_at(
    closing: str, following: str, kept: list[str], squares: list[int], others: list[tuple[str, int]]
) -> int | None:
    """Close the bracket that is open; the place in `kept` from which to remove, None when all stays."""
    kind = _CLOSING[closing]
    if kind == _SQUARE:
        start = squares.pop() if squares else None
        # A less-than sign or the like inside goes with the square bracket.
        while start is not None and others and others[-1][1] > start:
            others.pop()
        return start
    if not others or others[-1][0] != kind or (squares and squares[-1] > others[-1][1]):
        return None
    _, start = others.pop()
    if not 0 < len(kept) - start - 1 <= _LONGEST:
        return None
    content = "".join(kept[start + 1 :])
    if kind == "<":
        touching = (kept[start - 1].isalnum() if start else False, following.isalnum())
        removable = _is_tag(content, *touching)
    elif kind == "(":
        removable = bool(_TIMES.fullmatch(content.strip()) or _LABEL_ALONE.fullmatch(content.strip()))
    else:
        removable = bool(_MOMENT.fullmatch(content.strip())) or _is_annotation(content)
    return start if removable else None


def _is_annotation(content: str) -> bool:
    words = content.split()
    return (
        1 <= len(words) <= _MOST_WORDS
        and any(character.isalpha() for character in content)
        and _NO_TAG.isdisjoint(content)
    )


def _is_tag(content: str, after_word: bool, before_word: bool) -> bool:
    if content[0].isspace() or content[-1].isspace():
        return False
    if len(content) > 2 and content[0] == content[-1] == "|":
        return _NO_TAG.isdisjoint(content[1:-1])
    if _MOMENT.fullmatch(content):
        return True
    words = content.split()
    if not content.removeprefix("/")[:1].isalpha():
        return False
    if len(words) == 1:
        return _is_annotation(content)
    voice = words[0] == "v" or words[0].startswith("v.")
    return not after_word and (voice or not before_word) and _is_annotation(" ".join(words[voice:]))


def _label_at(kept: list[str], following: str, forms: set[str], closed: int) -> tuple[int | None, int]:
    """The place in `kept` where a speaker label starts that a colon now ends, None when there is none.

    And how many of the asterisks that follow the colon belong to the label. Its form is added to the `forms` of
    those that went before. What stands before `closed` is not taken for chevrons.
    """
    if following[:1].isdecimal() or following[:1] == "/":  # a time, an address
        return None, 0
    colon_alone = len(kept) if kept and kept[-1] == _REMOVED else None
    tail = "".join(kept[-_LONGEST:])
    label = _LABEL_AT_END.search(tail)
    if label is None:
        return colon_alone, 0
    opening, name, closing = label.groups()
    form = _form_of(name)
    # What is not opened before the label is not its own to close.
    starred = following[: len(following) - len(following.lstrip("*"))] if opening and not closing else ""
    before = tail[: label.start()]
    chevrons = _CHEVRONS_AT_END.search(before)
    # A second pass must meet the bracket that closed another.
    if chevrons and len(kept) - len(tail) + chevrons.start() >= closed:
        before = before[: chevrons.start()]
    stamp = _STAMP_AT_END.search(before)
    if stamp:
        before = before[: stamp.start()]
    follows = form in forms and before[-1:].isspace()
    opens = follows or stamp or not before.strip() or before[-1] in ("\n", _REMOVED) or _SENTENCE_END.search(before)
    if not opens or opening != closing + starred:
        return colon_alone, 0
    forms.add(form)
    return len(kept) - (len(tail) - len(before)), len(starred)


def _form_of(label: str) -> str:
    """The label without its number or letter: `SPEAKER_00` has the form of `SPEAKER_12`."""
    named = label[:-1] if label[-1].isalpha() else label.rstrip("0123456789")
    return f"{named.strip()} letter" if label[-1].isalpha() else named.strip()
