"""What a judge's reason plainly says, so that a label which speaks against it is noticed."""

import re

__all__ = ["NOT", "plainly", "says_other", "says_same"]

NOT = r"(?:not|n[’']t|never|hardly|no\s+longer|cannot)"
# Statements that a difference matters or does not, as plain as they come; anything subtler is no contradiction.
_SAYS_SAME = re.compile(
    rf"""
      \b(?:does|do|would|will|did|should|could|can|has|have|is)\s*{NOT}\s+(?:\w+\s+){{0,2}}?
      (?:change|changed|changing|alter|altered|altering|affect|affected|affecting|impact|matter)\b
    | \b(?:cannot|never|no\s+longer)\s+(?:change|alter|affect|impact)s?\b
    | \bwithout\s+(?:changing|altering|affecting)\b
    | \bno\s+(?:\w+\s+)?(?:change|difference|effect|impact)\s+(?:in|on|of|to)\s+(?:\w+\s+){{0,2}}?
      (?:meaning|request|intent|response|action|answer|understanding)\b
    | \b(?:would|will|should)\s+(?:still\s+)?(?:respond|act|answer|react|behave|understand)
      (?:\s+\w+){{0,4}}?\s+(?:the\s+same|identically|alike)\b
    | \b(?:means?|have|has|share|shares|keeps?|retains?|preserves?)\s+(?:exactly\s+)?the\s+same\s*
      (?:thing|meaning|request|sense|intent)?\b
    | \b(?:meaning|intent|request)\s+(?:is|stays|remains)\s+(?:exactly\s+)?
      (?:the\s+same|unchanged|preserved|identical)\b
    | \b(?:is|are)\s+not\s+an?\s+error\b
    | \b(?:is|are)\s+(?:(?!not\b|never\b|hardly\b|barely\b|no\b)\w+\s+)?
      (?:equivalent|synonymous|synonyms|interchangeable|identical)\b(?!\s+in\s+(?!meaning|sense|intent|effect))
    | \bno\s+(?:\w+\s+)?(?:change|difference|effect|impact)\s+(?:for|to)\s+(?:the|an|any)\s+(?:agent|assistant)\b
    | \bthere\s+is\s+no\s+(?:\w+\s+)?difference\b(?!\s+in\s+(?!meaning|sense|intent|effect))
    """,
    re.IGNORECASE | re.VERBOSE,
)
_SAYS_OTHER = re.compile(
    r"""
      \b(?:changes?|changed|alters?|altered|reverses?|reversed|inverts?|inverted|distorts?|distorted)\s+
      (?:[\w'’]+\s+){0,3}?(?:meaning|request|intent|action|sense)\b
    | \b(?:different|another|opposite)\s+(?:meaning|thing|person|place|request|intent|action|amount|number|date)s?\b
    | \b(?:would|will)\s+(?:\w+\s+)?(?:respond|act|answer|react|behave)\s+(?:differently|otherwise)\b
    | \bis\s+an?\s+(?:\w+\s+)?error\b
    | \bmakes?\s+no\s+sense\b | \bis\s+nonsense\b
    | \b(?:would|will)\s+(?:(?!not\b|never\b)[\w'’]+\s+){1,3}?the\s+wrong\s+\w+
    | \b(?:meaning|request|intent)\s+(?:(?:changes|differs)\b(?!\s+(?:nothing|little|only|slightly))
      | (?:is|was|gets|would\s+be)\s+(?:(?!not\b|never\b|hardly\b|barely\b|no\b)\w+\s+)?
        (?:changed|different|reversed|inverted|altered|lost)\b(?!\s+(?:only\s+)?if\b))
    | \b(?:is|are)\s+not\s+(?:\w+\s+)?(?:equivalent|synonymous|synonyms|interchangeable)\b
    | \b(?:is|are)\s+not\s+the\s+same\s+(?:thing|person|place|request)\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
_NEGATED_BEFORE = re.compile(
    rf"(?:\b{NOT}|n[’']t|\bno|\bnone|\bnothing|\blittle|\bneither|\bnor|\bwithout|\bfail(?:s|ed)?\s+to"
    r"|\bif|\bwhether|\bunless)\b[^.;,]*\Z",
    re.IGNORECASE,
)
_BEFORE = 60


def plainly(pattern: re.Pattern[str], reason: str) -> bool:
    """Whether a reason says so without a negation, a condition or a question before it."""
    return any(
        not _NEGATED_BEFORE.search(reason[max(0, found.start() - _BEFORE) : found.start()])
        for found in pattern.finditer(reason)
    )


def says_same(reason: str) -> bool:
    """Whether a reason says that nothing that matters differs; it may say the contrary as well."""
    return plainly(_SAYS_SAME, reason)


def says_other(reason: str) -> bool:
    """Whether a reason says that something that matters differs; it may say the contrary as well."""
    return plainly(_SAYS_OTHER, reason)
