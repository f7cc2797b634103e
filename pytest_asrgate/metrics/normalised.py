"""Many texts normalised at once: each different one once, and not at all where a memory has it."""

from collections.abc import Callable, Collection, Mapping, Sequence

from pytest_asrgate.errors import ScoringError
from pytest_asrgate.metrics.memory import ForgivingMemory, TextMemory, VersionedMemory
from pytest_asrgate.metrics.normalise import Normaliser
from pytest_asrgate.metrics.rule import ScoringRule, normalised_by

__all__ = ["NormalisedTexts"]


class NormalisedTexts:
    """Normalises for a session: references once for all variants, the rest with the help of a memory.

    `memory` is asked for when the first text is; without one every call normalises hypotheses anew. No result
    depends on it, nor does one that fails cost any: it is asked no more.
    """

    def __init__(self, memory: Callable[[], VersionedMemory] | None = None) -> None:
        self._memory = ForgivingMemory(memory) if memory is not None else None
        # By the normaliser's key, then by text.
        self._at_hand: dict[str, dict[str, str]] = {}

    @property
    def memory(self) -> TextMemory | None:
        """Where results are remembered beyond this object, None where nowhere."""
        return self._memory

    def references(self, rule: ScoringRule, texts: Sequence[tuple[str, str]]) -> list[str | ScoringError]:
        """As `hypotheses`, and what was normalised stays at hand as long as this object."""
        return self._scored(rule, texts, stay=True)

    def hypotheses(self, rule: ScoringRule, texts: Sequence[tuple[str, str]]) -> list[str | ScoringError]:
        """Each (text, language) as the rule scores it, in order, or the error that keeps it from being read."""
        return self._scored(rule, texts, stay=False)

    def _scored(
        self, rule: ScoringRule, texts: Sequence[tuple[str, str]], *, stay: bool
    ) -> list[str | ScoringError]:
        before = [(rule.before(text), language) for text, language in texts]
        asked: dict[str, dict[str, None]] = {}
        for text, language in before:
            asked.setdefault(language, {})[text] = None
        made: dict[str, Mapping[str, str | ScoringError]] = {}
        for language, different in asked.items():
            try:
                made[language] = self._normalised(rule.normaliser_of(language), different, stay=stay)
            except ScoringError as error:
                made[language] = dict.fromkeys(different, error)
        found = (made[language][text] for text, language in before)
        return [rule.after(result) if isinstance(result, str) else result for result in found]

    def _normalised(
        self, normaliser: Normaliser, texts: Collection[str], *, stay: bool
    ) -> Mapping[str, str | ScoringError]:
        key = normaliser.key
        at_hand = self._at_hand.setdefault(key, {})
        missing = [text for text in texts if text not in at_hand]
        memory = self.memory if missing else None
        known = dict(memory.find_texts(key, missing)) if memory is not None else {}
        made: dict[str, str] = {}
        failed: dict[str, ScoringError] = {}
        for text in missing:
            if text not in known:
                try:
                    made[text] = normalised_by(normaliser, text)
                except ScoringError as error:
                    failed[text] = error
        if memory is not None:
            memory.keep_texts(key, made)
        if stay:
            at_hand |= known | made
        here = {text: at_hand[text] for text in texts if text in at_hand}
        return {**here, **known, **made, **failed}
