"""From what rules and a judge say of one utterance to its two scores; on exact data we have the last word.

Digits, e-mails and identifiers are compared by us: where the words that a judge points at hold other ones, the
entity is substituted, whatever the judge says of it, and the intent is lost with it. Where they surely hold the
same it is preserved, unless the judge may have meant that it has another part in the sentence.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from pytest_asrgate.intent.arithmetic import entity_explanation, entity_score
from pytest_asrgate.intent.entities import entities_by_rule
from pytest_asrgate.intent.exact import found_exact, has_data, same_exact
from pytest_asrgate.intent.listing import Listed
from pytest_asrgate.intent.quotes import found_once, in_other_order, overlap, same_quotes, whole_quote
from pytest_asrgate.intent.reading import folded, holds, occurrences
from pytest_asrgate.intent.risks import verdict_like
from pytest_asrgate.intent.texts import Texts
from pytest_asrgate.judge.task import Failure, Item, Ruling
from pytest_asrgate.records import Entity, EntityStatus, IntentUtterance

__all__ = ["EXACT", "by_judge", "by_rule", "by_rules_alone", "failed"]

# Who decided, where our comparison of digits, e-mails and identifiers did.
EXACT = "rule exact data"
# Where two entities were found in the same words of the hypothesis.
_SAME_WORDS = "rule same words"

_NOT_SHOWN = "Rules alone cannot show that the intent is kept, so that it counts as lost."
_WARNING = "a transcript reads like a verdict or an instruction to a judge"


def _utterance(
    texts: Texts,
    *,
    kept: bool,
    decided_by: str,
    explanation: str,
    entities: Sequence[Entity],
    votes: tuple[str, ...] = (),
    asked: bool = False,
    warning: str = "",
) -> IntentUtterance:
    return IntentUtterance(
        id=texts.id,
        language=texts.language,
        kept=kept,
        explanation=explanation,
        decided_by=decided_by,
        votes=votes,
        entities=tuple(entities),
        entity_score=entity_score(entities),
        entity_explanation=entity_explanation(entities),
        empty_reference=texts.empty_reference,
        asked=asked,
        warning=warning,
    )


def failed(texts: Texts, failure: Failure) -> IntentUtterance:
    """An utterance without scores, since the judge failed on one of its questions."""
    sentence = failure.sentence or f"the judge gave no ruling ({failure.kind})"
    return IntentUtterance(texts.id, texts.language, None, asked=True, judge_error=sentence)


def _heard(text: str, texts: Texts) -> str:
    """What stands for an entity in a hypothesis that says the same; empty where it is not found as it stands."""
    return text if holds(text, texts.hypothesis) else found_exact(text, texts.hypothesis, texts.language)


def by_rule(texts: Texts, entities: Sequence[Listed], *, kept: bool, rule: str, why: str = "") -> IntentUtterance:
    """An utterance whose two texts say the same, or of which nothing is left: all of its entities fare alike."""
    status = EntityStatus.PRESERVED if kept else EntityStatus.MISSING
    every = [
        Entity(
            number=number,
            text=each.text,
            kind=each.kind,
            importance=each.importance,
            status=status,
            heard=_heard(each.text, texts) if kept else "",
            decided_by=f"rule {rule}",
        )
        for number, each in enumerate(entities, start=1)
    ]
    explanation = why or f"Both texts say the same ({rule})."
    return _utterance(texts, kept=kept, decided_by=f"rule {rule}", explanation=explanation, entities=every)


def by_rules_alone(texts: Texts, rule: str, entities: Sequence[Entity]) -> IntentUtterance:
    """An utterance of which nobody was asked; `rule` names what keeps its intent, empty for nothing."""
    wrong = next((each for each in entities if _is_other_data(each, texts, alone=True)), None)
    if rule:
        explanation, decided_by = f"Both texts say the same ({rule}).", f"rule {rule}"
    elif wrong is not None:
        explanation, decided_by = f'"{wrong.text}" became "{wrong.heard}", which is other data.', EXACT
    else:
        explanation, decided_by = _NOT_SHOWN, "no judge"
    return _utterance(
        texts, kept=bool(rule), decided_by=decided_by, explanation=explanation, entities=entities, asked=not rule
    )


def _exact(entity: Listed, item: Item, others: Sequence[str], texts: Texts) -> tuple[EntityStatus, str] | None:
    """What our own comparison says of an entity, and the words it says it of; None where it says nothing.

    `others` are the words that the judge quotes for other entities.
    """
    if not has_data(entity.text, texts.language):
        return None
    # Where it stands once in both texts, in the same order, it can have one part only.
    heard = "" if in_other_order(texts) else found_once(entity.text, texts)
    if not item.quote:
        free = (
            heard and item.label == EntityStatus.MISSING and not any(overlap(heard, each, texts) for each in others)
        )
        return (EntityStatus.PRESERVED, heard) if free else None
    same = same_quotes(entity.text, item.quote, texts)
    preserved = item.label == EntityStatus.PRESERVED
    if same is None or (not same and preserved and heard):
        # The judge may have pointed beside it.
        return None
    if not same:
        return EntityStatus.SUBSTITUTED, whole_quote(item.quote, texts.hypothesis, texts.language)
    return (EntityStatus.PRESERVED, item.quote) if preserved or heard else None


def _entity(number: int, entity: Listed, ruling: Ruling, texts: Texts, model: str) -> Entity:
    item = ruling.items[str(number)]
    votes = tuple(ruling.votes.get(str(number), (item.label,)))
    # What had no majority counts as missing.
    known = item.label in set(EntityStatus)
    status, heard = (EntityStatus(item.label), item.quote) if known else (EntityStatus.MISSING, "")
    decided_by, reason = f"judge {model}", item.reason
    others = [each.quote for name, each in ruling.items.items() if each.quote and name != str(number)]
    ours = _exact(entity, item, others, texts)
    if ours is not None and ours[0] is not status:
        status, heard = ours
        decided_by = EXACT
        reason = f"Compared digit by digit and letter by letter; the judge says {item.label}."
    return Entity(number, entity.text, entity.kind, entity.importance, status, heard, decided_by, reason, votes)


def _each_in_its_own_words(entities: Sequence[Entity], texts: Texts) -> list[Entity]:
    """The entities, as missing those for which words were quoted more often than the hypothesis holds them.

    Those that are preserved have the words first, then those that come first.
    """
    made = list(entities)
    taken: Counter[str] = Counter()
    for each in sorted(entities, key=lambda entity: (entity.status is not EntityStatus.PRESERVED, entity.number)):
        if not each.heard:
            continue
        words = folded(each.heard)
        taken[words] += 1
        # What is not found as it is quoted cannot be counted.
        if taken[words] > max(1, occurrences(words, texts.hypothesis)):
            reason = f'The hypothesis says "{each.heard}" for another entity already.'
            made[each.number - 1] = replace(
                each, status=EntityStatus.MISSING, heard="", decided_by=_SAME_WORDS, reason=reason
            )
    return made


def _changed_data(texts: Texts) -> list[Entity]:
    """Digits, e-mails and identifiers of the reference in whose place other ones surely stand."""
    every = entities_by_rule(texts.reference, texts.hypothesis, texts.language)
    return [each for each in every if _is_other_data(each, texts, alone=True)]


def _seen_changed(entities: Sequence[Entity], changed: Sequence[Entity], texts: Texts) -> list[Entity]:
    """The entities, of which those are substituted whose place holds other data.

    A judge may call them missing, or preserved by a quote of a part of them.
    """
    found = {folded(each.text): each for each in changed}
    made = []
    for each in entities:
        other = found.get(folded(each.text))
        told = each.status is EntityStatus.SUBSTITUTED or (
            each.status is EntityStatus.PRESERVED and same_quotes(each.text, each.heard, texts)
        )
        if other is None or told:
            made.append(each)
            continue
        reason = f"Other data stands in its place; the judge says {each.status}."
        made.append(
            replace(each, status=EntityStatus.SUBSTITUTED, heard=other.heard, decided_by=EXACT, reason=reason)
        )
    return made


def by_judge(texts: Texts, entities: Sequence[Listed], ruling: Ruling, model: str) -> IntentUtterance:
    """An utterance from a judge's ruling on its intent and on each of its entities."""
    lacking = [name for name in ("intent", *map(str, range(1, len(entities) + 1))) if name not in ruling.items]
    if lacking:
        sentence = f"the judge's ruling lacks {lacking[0]}"
        return IntentUtterance(texts.id, texts.language, None, asked=True, judge_error=sentence)
    changed = _changed_data(texts)
    every = _each_in_its_own_words(
        [_entity(number, each, ruling, texts, model) for number, each in enumerate(entities, start=1)], texts
    )
    every = _seen_changed(every, changed, texts)
    item = ruling.items["intent"]
    votes = tuple(ruling.votes.get("intent", (item.label,)))
    kept, decided_by, explanation = item.label == "kept", f"judge {model}", item.reason
    # What the judge did not list, or called missing, counts too: personal data must be the same.
    wrong = next((each for each in every if _is_other_data(each, texts)), None) or next(iter(changed), None)
    if kept and wrong is not None:
        kept, decided_by = False, EXACT
        explanation = f'"{wrong.text}" became "{wrong.heard}", which is other data; the judge says kept.'
    return _utterance(
        texts,
        kept=kept,
        decided_by=decided_by,
        explanation=explanation,
        entities=every,
        votes=votes,
        asked=True,
        warning=_WARNING if verdict_like(texts.reference, texts.hypothesis, texts.context) else "",
    )


def _is_other_data(entity: Entity, texts: Texts, *, alone: bool = False) -> bool:
    """Whether an entity became other digits, another e-mail or another identifier, by our own comparison.

    `alone` says that its words are whole data, as rules find them.
    """
    if entity.status is not EntityStatus.SUBSTITUTED or not entity.heard:
        return False
    if alone:
        return same_exact(entity.text, entity.heard, texts.language) is False
    return same_quotes(entity.text, entity.heard, texts) is False
