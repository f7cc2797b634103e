"""Sentences on a gate file's settings in the words of a command that has options instead."""

import re
from collections.abc import Collection, Mapping

__all__ = ["reworded"]


def _settings_in(words: Mapping[str, str], given: Collection[str]) -> re.Pattern[str]:
    """Finds the settings of the gate file in a sentence, and before them what was `given` and holds such a name."""
    named = sorted((text for text in given if any(name in text for name in words)), key=len, reverse=True)
    # A path's last part is no setting either.
    names = "|".join(rf"(?<![\w./\\-]){re.escape(name)}(?![\w/\\])" for name in words)
    return re.compile("|".join([*map(re.escape, named), names]))


def reworded(sentence: str, words: Mapping[str, str], given: Collection[str] = ()) -> str:
    """A sentence in which each key of `words` stands as its value; what was `given` to the command stays as it is.

    `words` has longer keys before their beginnings.
    """
    return _settings_in(words, given).sub(lambda found: words.get(found[0], found[0]), sentence)
