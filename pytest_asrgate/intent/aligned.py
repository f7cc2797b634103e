"""Two texts of an utterance aligned word by word, to see what stands in the place of what."""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from pytest_asrgate.intent.data import Span

__all__ = ["Block", "aligned", "region_of", "within"]

# Longer texts are aligned by their rarer words.
_COMMON_FROM = 500

# From and to in the reference, from and to in the hypothesis, and whether both are equal there.
Block = tuple[int, int, int, int, bool]


def aligned(left: Sequence[str], right: Sequence[str]) -> list[Block]:
    """An alignment of two texts, without the words that both begin and end with."""
    start = 0
    while start < min(len(left), len(right)) and left[start] == right[start]:
        start += 1
    end = 0
    while end < min(len(left), len(right)) - start and left[-1 - end] == right[-1 - end]:
        end += 1
    inner, other = left[start : len(left) - end], right[start : len(right) - end]
    matcher = SequenceMatcher(None, inner, other, autojunk=max(len(inner), len(other)) > _COMMON_FROM)
    return [
        (0, start, 0, start, True),
        *(
            (first + start, last + start, begin + start, stop + start, tag == "equal")
            for tag, first, last, begin, stop in matcher.get_opcodes()
        ),
        (len(left) - end, len(left), len(right) - end, len(right), True),
    ]


def within(blocks: Sequence[Block], begun: int, span: Span) -> Iterator[Block]:
    for block in blocks[begun:]:
        if block[0] >= span.last:
            break
        if block[1] > span.first:
            yield block


def region_of(blocks: Sequence[Block], begun: int, span: Span) -> tuple[int, int] | None:
    """The part of the hypothesis that an entity is aligned with."""
    ends = []
    for first, _, begin, stop, equal in within(blocks, begun, span):
        if equal:
            offset = begin - first
            ends += [max(begin, span.first + offset), min(stop, span.last + offset)]
        elif stop > begin:
            ends += [begin, stop]
    return (min(ends), max(ends)) if ends else None
