"""A check on what a decoder skipped: the longest run of deleted reference words in one utterance."""

from pytest_asrgate.checks.counts import share_detail
from pytest_asrgate.checks.limits import Limit, above, unmeasurable
from pytest_asrgate.metrics.spans import longest_dropped
from pytest_asrgate.records import Check, Score
from pytest_asrgate.values import plural

__all__ = ["dropped_span"]


def dropped_span(score: Score, baseline: Score | None, limit: Limit) -> Check:
    """The longest run of deletions in one utterance, in words (characters under cer), against a limit.

    Words that the baseline deletes too do not count. Where the baseline has no score for an utterance, or there is
    no baseline, all of the run counts. Names the utterances above the limit, without a limit those with any run of
    two, longest first.
    """
    unit = f"{score.token}s"
    spans: dict[str, int] = {}
    for place, row in enumerate(score.utterances):
        if row.counts is None or row.null_reference:
            continue
        theirs = baseline.utterances[place].steps if baseline else ""
        spans[row.id] = longest_dropped(row.steps, theirs)
    if not spans:
        return unmeasurable("dropped_span", limit, unit, "there are no scored utterances with reference words")
    shown = 1.0 if limit is None else float(limit)
    found = sorted((name for name in spans if spans[name] > shown), key=lambda name: -spans[name])
    longest = max(spans.values())
    share, bound = share_detail(len(found), len(spans))
    beyond = " beyond what the baseline drops" if baseline else ""
    detail = (
        f"longest run of deletions in one utterance{beyond}; longer than {plural(int(shown), score.token)}: {share}"
    )
    return Check("dropped_span", longest, limit, unit, above(longest, limit), detail, tuple(found), bound)
