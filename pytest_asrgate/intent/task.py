"""The second question of the intent score: is the intent kept, and what became of each listed entity."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from pytest_asrgate.errors import ReplyError
from pytest_asrgate.intent.instructions import INTENT_INSTRUCTIONS
from pytest_asrgate.intent.listing import Listed
from pytest_asrgate.intent.reading import has_words, holds
from pytest_asrgate.judge.answers import answers_to, closed_object, entry_of, label_of, reason_of
from pytest_asrgate.judge.task import Item, Question, Task
from pytest_asrgate.semantic.reasons import plainly, says_other, says_same
from pytest_asrgate.values import shown

__all__ = ["ENTITY_LABELS", "INTENT", "INTENT_LABELS", "INTENT_TASK", "intent_question"]

# The id of the item that is about the whole sentence; entities are numbered from 1.
INTENT = "intent"
INTENT_LABELS = ("kept", "lost", "unsure")
ENTITY_LABELS = ("preserved", "missing", "substituted", "unsure")


def intent_question(
    reference: str,
    hypothesis: str,
    entities: Sequence[Listed],
    *,
    language: str,
    context: str | None = None,
    risky: tuple[str, ...] = (),
) -> Question:
    """One question about two raw sentences and the entities of the first; the ids are "intent", "1", "2" and on."""
    data: dict[str, object] = {
        "language": language,
        "context": context,
        "reference": reference,
        "hypothesis": hypothesis,
        "entities": [
            {"id": str(number), "text": each.text, "kind": each.kind}
            for number, each in enumerate(entities, start=1)
        ],
    }
    return Question(INTENT_TASK, data, risky)


def _ids(question: Question) -> list[str]:
    entities: Any = question.data["entities"]
    return [INTENT, *(row["id"] for row in entities)]


def _schema(question: Question) -> Mapping[str, object]:
    """One property an id, so that none can be left out; reasons come first, so that labels follow from them."""
    text = {"type": "string"}
    intent = closed_object({"reason": text, "verdict": {"type": "string", "enum": list(INTENT_LABELS)}})
    entity = closed_object(
        {"reason": text, "heard": text, "verdict": {"type": "string", "enum": list(ENTITY_LABELS)}}
    )
    return closed_object({name: intent if name == INTENT else entity for name in _ids(question)})


def _entry(value: object, name: str, hypothesis: str) -> Item:
    place = f"id {shown(name)}"
    if name == INTENT:
        entry = entry_of(value, place, ("reason", "verdict"))
        reason = reason_of(entry["reason"], place)
        return Item(label_of(entry["verdict"], INTENT_LABELS, place), reason)
    entry = entry_of(value, place, ("reason", "heard", "verdict"))
    reason = reason_of(entry["reason"], place)
    verdict, heard = label_of(entry["verdict"], ENTITY_LABELS, place), entry["heard"]
    _check_heard(heard, verdict, place, hypothesis)
    return Item(verdict, reason, " ".join(heard.split()))


def _check_heard(heard: object, verdict: str, place: str, hypothesis: str) -> None:
    """Raise ReplyError unless the quoted words stand in the hypothesis, and where the label wants them."""
    if not isinstance(heard, str):
        raise ReplyError(f"{place}: heard must be a text, not {shown(heard)}")
    if not heard.strip():
        if verdict in {"preserved", "substituted"}:
            raise ReplyError(f"{place}: {verdict} needs the words of the hypothesis in heard, which is empty")
        return
    if not has_words(heard):
        raise ReplyError(f"{place}: heard must be words of the hypothesis, not {shown(heard)}")
    if verdict == "missing":
        raise ReplyError(f"{place}: heard must be empty for what is missing, not {shown(heard)}")
    if not holds(heard, hypothesis):
        raise ReplyError(f"{place}: the hypothesis does not hold {shown(heard)}; quote its very words")


def _parse(question: Question, reply: object) -> Mapping[str, Item]:
    answers = answers_to(reply, asked := _ids(question))
    hypothesis = str(question.data["hypothesis"])
    return {name: _entry(answers[name], name, hypothesis) for name in asked}


_INTENT = r"(?:intent|intention|request|question|meaning|message|purpose|core)"
_ENTITY = (
    r"(?:it|(?:the|this|that)\s+(?:\w+\s+)?(?:entity|name|number|numeral|digits?|place|city|person|date|time|amount|"
    r"address|email|e-mail|identifier|pronoun|object))"
)
_ROLES = r"(?:actor|subject|speaker|object|owner|recipient|direction|tense|pronoun|role|speech\s+act)"
_SPEECH = r"(?:question|statement|command|instruction|order)"
_KEPT = r"(?:kept|preserved|maintained|retained|intact|conveyed|captured|present|unchanged)"
_KEEP = r"(?:keep|preserve|retain|maintain|convey|capture)"
_GONE = r"(?:lost|missing|absent|omitted|dropped|replaced|substituted|misheard|reversed|swapped|deleted|garbled)"
_BE = r"(?:is|are|was|were|stays|remains|(?:has|have)\s+been)"
# No adverb that turns the sentence round.
_ADVERB = r"(?:(?!not\b|never\b|hardly\b|barely\b|no\b|neither\b)\w+\s+)?"
_NOT = r"(?:\s*(?:not|n[’']t)|\s+no\s+longer|\s+never)\s+(?:been\s+)?"
# What merely says where the reference has its words says nothing.
_HERE = r"\b(?!\s+(?:only\s+)?in\s+(?:only\s+)?the\s+reference)"
_SAME = (
    rf"(?:ask|asks|asking|say|says|make|makes|express|expresses|state|states|{_BE})\s+(?:for\s+)?(?:\w+\s+)?"
    r"the\s+same\s+"
)


def _said(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(rf"\b{pattern}" for pattern in patterns), re.IGNORECASE)


# Plain statements on the whole sentence, and on one entity: a comma may be missing where the intent is kept.
_INTENT_KEPT = _said(
    rf"{_INTENT}\s+{_BE}\s+{_ADVERB}{_KEPT}{_HERE}",
    rf"{_INTENT}\s+{_BE}\s+{_ADVERB}not\s+{_GONE}\b",
    rf"{_KEEP}s?\s+(?:the|its|this)\s+(?:\w+\s+){{0,2}}?{_INTENT}\b",
    rf"{_SAME}(?:(?:thing|speech\s+act)\b|{_INTENT}|{_SPEECH})",
)
_INTENT_LOST = _said(
    rf"{_INTENT}\s+{_BE}{_NOT}{_ADVERB}{_KEPT}\b",
    rf"{_INTENT}\s+{_BE}\s+{_ADVERB}{_GONE}{_HERE}",
    rf"(?:(?:does|do|did){_NOT}|fail(?:s|ed)?\s+to\s+){_ADVERB}{_KEEP}\s+(?:the|its|this)\s+(?:\w+\s+)?{_INTENT}\b",
    rf"(?:different|another|wrong|opposite)\s+{_ROLES}s?\b",
    rf"(?:{_ROLES}|negation)s?\s+(?:(?:has|have|is|are|was|were)\s+)?(?:changed|changes|differs?|reversed|swapped)\b",
    rf"{_SPEECH}\s+(?:became|becomes|(?:is|was|has\s+been)\s+turned\s+into|turned\s+into|instead\s+of)\s+"
    rf"(?:an?\s+)?{_SPEECH}\b",
)
_ENTITY_KEPT = _said(
    rf"{_ENTITY}\s+{_BE}\s+{_ADVERB}{_KEPT}{_HERE}",
    rf"{_ENTITY}\s+{_BE}\s+{_ADVERB}not\s+{_GONE}\b",
    rf"{_ENTITY}\s+{_BE}\s+{_ADVERB}(?:the\s+same|identical)\s*(?:[.,;!]|\Z)",
    rf"{_ENTITY}\s+(?:appears?|occurs?|stands?)\s+(?:\w+\s+)?in\s+(?:both|the\s+hypothesis)\b"
    r"(?!\s+(?:where|for|as|instead))",
    rf"{_SAME}(?:place|person|name|number|date|amount|entity)\b",
)
_ENTITY_LOST = _said(
    rf"{_ENTITY}\s+{_BE}{_NOT}{_ADVERB}{_KEPT}\b",
    rf"{_ENTITY}\s+{_BE}\s+{_ADVERB}{_GONE}{_HERE}",
    rf"{_ENTITY}\s+(?:does|do|did){_NOT}(?:appear|occur)\b",
    rf"(?:(?:does|do|did){_NOT}|fail(?:s|ed)?\s+to\s+){_KEEP}\s+{_ENTITY}\b",
    r"(?:different|another|wrong)\s+(?:entity|name|city|person|place|thing|number|amount|date)\b",
)
# A reason that turns round, or stops short, is not plain.
_TURNS = re.compile(
    r"\b(?:but|although|though|however|yet|except|whereas|while|only|partly|partially)\b"
    r"|\b(?:is|are|was|were|does|do|did)\s+not\s*[.;!]?\s*\Z",
    re.IGNORECASE,
)
# That it is written otherwise is what such a reason tells, not that it is another one.
_WRITTEN = re.compile(
    r"\b(?:different|another)\s+(?:number|date|name|amount)\s+(?:format|form|notation|spelling|style)s?\b",
    re.IGNORECASE,
)


def _contradicts(item: Item) -> bool:
    """Whether a reason plainly says the other label; one that says both, or neither, contradicts nothing."""
    reason = _WRITTEN.sub("", item.reason)
    if item.label == INTENT_TASK.unsure or _TURNS.search(reason):
        return False
    if item.label in INTENT_LABELS:
        kept = says_same(reason) or plainly(_INTENT_KEPT, reason)
        lost = says_other(reason) or plainly(_INTENT_LOST, reason)
    else:
        # What is missing may well leave the meaning unchanged.
        kept = (item.label == "substituted" and says_same(reason)) or plainly(_ENTITY_KEPT, reason)
        lost = plainly(_ENTITY_LOST, reason)
    return kept != lost and lost == (item.label in {"kept", "preserved"})


INTENT_TASK = Task(
    name="intent",
    version=1,
    instructions=INTENT_INSTRUCTIONS,
    schema=_schema,
    parse=_parse,
    contradicts=_contradicts,
)
