"""The check on flips: utterances that come out otherwise when they are decoded again."""

from pytest_asrgate.checks.limits import unmeasurable
from pytest_asrgate.records import Check, CheckStatus, Repeats
from pytest_asrgate.values import plural, shown

__all__ = ["flips"]

_NAME = "flips"
_UNIT = "utterances"


def flips(repeats: Repeats | None, problem: str, *, declared: bool) -> Check:
    """How many utterances flipped; `problem` says why that is not known.

    Where the engine is declared deterministic a flip is an ERROR, since its figures are then not what they are
    taken for, and so is evidence that is incomplete. Elsewhere flips are reported.
    """
    limit = 0 if declared else None
    if repeats is None:
        return unmeasurable(_NAME, limit, _UNIT, problem)
    found = repeats.flips
    detail = f"{len(found)} of {plural(repeats.utterances, 'utterance')} flipped in {repeats.decodings} decodings"
    if found:
        detail += f"; {found[0].id}: {' or '.join(shown(output) for output in found[0].outputs)}"
        detail += "; the engine is declared deterministic" if declared else ""
    if repeats.failed:
        detail += f"; incomplete, {len(repeats.failed)} failed in at least one of them ({repeats.failure})"
    status = CheckStatus.REPORTED
    if declared:
        status = CheckStatus.ERROR if found or repeats.failed else CheckStatus.PASS
    return Check(_NAME, len(found), limit, _UNIT, status, detail, tuple(flip.id for flip in found))
