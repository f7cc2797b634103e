"""The one message of an item that did not pass: every check, and the utterances that cost most."""

from pytest_asrgate.metrics.alignment import aligned_diff
from pytest_asrgate.records import Check, CheckStatus, Score, Verdict
from pytest_asrgate.reports.check_lines import aligned_checks, check_cells
from pytest_asrgate.reports.escape import plain
from pytest_asrgate.reports.intent_failure import lost_lines
from pytest_asrgate.reports.judged_failure import changed_lines
from pytest_asrgate.reports.worst import in_turn
from pytest_asrgate.values import plural

__all__ = ["failure_message"]

_SHOWN = 5
# In lines; an utterance may be an hour long.
_LONGEST_DIFF = 30
# In characters.
_LONGEST_TEXT = 1000
_REST = "the report made with --asrgate-json has all"
# The prefixes of checks on judged scores, whose utterances have a list of their own.
_JUDGED = ("semantic", "judge", "intent", "entity")


def _check_lines(verdict: Verdict) -> list[str]:
    placed: list[tuple[str, Check]] = [("", check) for check in verdict.checks]
    placed += [(f"slice {plain(part.name)} ", check) for part in verdict.slices for check in part.checks]
    return aligned_checks(
        [
            check_cells(
                f"{place}{check.name}",
                check.status.value,
                check.value,
                limit=check.limit,
                unit=check.unit,
                detail=check.detail,
            )
            for place, check in placed
        ]
    )


def _costliest(verdict: Verdict, *, judged: bool) -> tuple[str, ...]:
    """The utterances behind the failed checks, in turn one of each check, so that no check hides another."""
    wanted = {CheckStatus.FAIL, CheckStatus.INCONCLUSIVE, CheckStatus.ERROR}
    failed = [check for check in verdict.every_check if check.status in wanted]
    return in_turn(check.utterances for check in failed if check.name.startswith(_JUDGED) == judged)


def _start(text: str) -> str:
    return (
        text
        if len(text) <= _LONGEST_TEXT
        else f"{text[:_LONGEST_TEXT]}… (the whole of it is in the hypothesis file)"
    )


def _diff(identity: str, score: Score, baseline: Score | None) -> list[str]:
    number = next(n for n, row in enumerate(score.utterances) if row.id == identity)
    row = score.utterances[number]
    if row.counts is None:
        return [f"  {plain(identity)}: {plain(row.detail)}"]
    before = baseline.utterances[number] if baseline else None
    against = ""
    if before is not None:
        against = f", baseline {before.counts.errors}" if before.counts else ", baseline has an error row"
    flag = "" if row.status.value == "ok" else f" [{row.status.value}]"
    if row.masked:
        return [
            f"  {plain(identity)}: differs in {', '.join(row.masked)}, which the normaliser hides",
            f"    REF: {plain(_start(row.reference_text or ''))}",
            f"    HYP: {plain(_start(score.hypotheses.hypotheses[number].text))}",
        ]
    cost = f"{plural(row.counts.errors, 'error')} in {plural(row.counts.words, score.token)}"
    lines = [f"  {plain(identity)}: {cost}{against}{flag}"]
    diff = aligned_diff(row.reference, row.hypothesis, metric=score.metric)
    if len(diff) > _LONGEST_DIFF:
        diff = [*diff[:_LONGEST_DIFF], "… (the whole of it is in the hypothesis file)"]
    if row.loop or row.drift:
        # What repeats or drifts may be gone from the normalised text.
        diff = [*diff, f"RAW: {_start(score.hypotheses.hypotheses[number].text)}"]
    return lines + [f"    {plain(_start(line))}" for line in diff]


def failure_message(verdict: Verdict) -> str:
    """Say what was decided and why; several lines, safe for a terminal."""
    baseline = verdict.baseline_score
    against = f" against {plain(baseline.hypotheses.variant)}" if baseline else ""
    early = " (early)" if verdict.early else ""
    head = f"{plain(verdict.variant)} on {plain(verdict.dataset)}{against}: {verdict.outcome.value}{early}"
    if not verdict.checks:
        return f"{head}: {plain(verdict.reason)}"
    lines = [head, *_check_lines(verdict)]
    ids = _costliest(verdict, judged=False)
    if ids and verdict.score:
        lines += ["", f"the utterances that cost most ({min(len(ids), _SHOWN)} of {len(ids)}):"]
        for identity in ids[:_SHOWN]:
            lines += _diff(identity, verdict.score, baseline)
    first = _costliest(verdict, judged=True)
    if verdict.semantic:
        lines += changed_lines(verdict.semantic, verdict.semantic_baseline, first, _REST)
    if verdict.intent and verdict.score:
        lines += lost_lines(verdict.intent, verdict.intent_baseline, verdict.score, first, _REST)
    return "\n".join(lines)
