"""From what rules and a judge say of one utterance to its two scores; on exact data we have the last word.

Digits, e-mails and identifiers are compared by us: where the words that a judge points at hold other ones, the
entity is substituted, whatever the judge says of it, and the intent is lost with it.
"""

from collections.abc import Sequence

from pytest_asrgate.intent.arithmetic import entity_explanation, entity_score
from pytest_asrgate.intent.exact import found_exact, same_exact
from pytest_asrgate.intent.listing import Listed
from pytest_asrgate.intent.reading import holds
from pytest_asrgate.intent.risks import verdict_like
from pytest_asrgate.intent.texts import Texts
from pytest_asrgate.judge.task import Failure, Item, Ruling
from pytest_asrgate.records import Entity, EntityStatus, IntentUtterance

__all__ = ["EXACT", "by_judge", "by_rule", "by_rules_alone", "failed"]

# Who decided, where our comparison of digits, e-mails and identifiers did.
EXACT = "rule exact data"

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
    wrong = next((each for each in entities if _is_other_data(each, texts.language)), None)
    if rule:
        explanation, decided_by = f"Both texts say the same ({rule}).", f"rule {rule}"
    elif wrong is not None:
        explanation, decided_by = f'"{wrong.text}" became "{wrong.heard}", which is other data.', EXACT
    else:
        explanation, decided_by = _NOT_SHOWN, "no judge"
    return _utterance(
        texts, kept=bool(rule), decided_by=decided_by, explanation=explanation, entities=entities, asked=not rule
    )


def _exact(entity: Listed, item: Item, texts: Texts) -> tuple[EntityStatus, str] | None:
    """What our own comparison says of an entity, and the words it says it of; None where it says nothing."""
    if not item.quote:
        heard = found_exact(entity.text, texts.hypothesis, texts.language)
        return (EntityStatus.PRESERVED, heard) if heard else None
    same = same_exact(entity.text, item.quote, texts.language)
    if same is None:
        return None
    if same:
        return EntityStatus.PRESERVED, item.quote
    # It may stand elsewhere than where the judge has looked.
    heard = found_exact(entity.text, texts.hypothesis, texts.language)
    return (EntityStatus.PRESERVED, heard) if heard else (EntityStatus.SUBSTITUTED, item.quote)


def _entity(number: int, entity: Listed, ruling: Ruling, texts: Texts, model: str) -> Entity:
    item = ruling.items[str(number)]
    votes = tuple(ruling.votes.get(str(number), (item.label,)))
    # What had no majority counts as missing.
    known = item.label in set(EntityStatus)
    status, heard = (EntityStatus(item.label), item.quote) if known else (EntityStatus.MISSING, "")
    decided_by, reason = f"judge {model}", item.reason
    ours = _exact(entity, item, texts)
    if ours is not None and ours[0] is not status:
        status, heard = ours
        decided_by = EXACT
        reason = f"Compared digit by digit and letter by letter; the judge says {item.label}."
    return Entity(number, entity.text, entity.kind, entity.importance, status, heard, decided_by, reason, votes)


def by_judge(texts: Texts, entities: Sequence[Listed], ruling: Ruling, model: str) -> IntentUtterance:
    """An utterance from a judge's ruling on its intent and on each of its entities."""
    lacking = [name for name in ("intent", *map(str, range(1, len(entities) + 1))) if name not in ruling.items]
    if lacking:
        sentence = f"the judge's ruling lacks {lacking[0]}"
        return IntentUtterance(texts.id, texts.language, None, asked=True, judge_error=sentence)
    every = [_entity(number, each, ruling, texts, model) for number, each in enumerate(entities, start=1)]
    item = ruling.items["intent"]
    votes = tuple(ruling.votes.get("intent", (item.label,)))
    kept, decided_by, explanation = item.label == "kept", f"judge {model}", item.reason
    wrong = next((each for each in every if _is_other_data(each, texts.language)), None)
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


def _is_other_data(entity: Entity, language: str) -> bool:
    """Whether an entity became other digits, another e-mail or another identifier, by our own comparison."""
    substituted = entity.status is EntityStatus.SUBSTITUTED and bool(entity.heard)
    return substituted and same_exact(entity.text, entity.heard, language) is False
