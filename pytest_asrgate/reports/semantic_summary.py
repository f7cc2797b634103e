"""What `asrgate judge` says of a judged score and of what judging would cost, in a few lines."""

from collections.abc import Sequence

from pytest_asrgate.judge.estimate import Estimate
from pytest_asrgate.records.judged import SemanticScore
from pytest_asrgate.reports.escape import plain
from pytest_asrgate.reports.judged import decided_text, incomplete_text, judge_text, warning_text
from pytest_asrgate.reports.judged_entries import semantic_figures
from pytest_asrgate.reports.judged_failure import changed_lines
from pytest_asrgate.values import plural

__all__ = ["estimate_lines", "semantic_summary"]

_REST = "the file has all"


def _rate(score: SemanticScore) -> str:
    counts, interval = score.counts, score.interval
    if counts.rate_pct is None:
        return "semantic WER —: no utterance with reference words has a score"
    most = "at most " if score.upper_bound else ""
    ci = f" (95 % CI {interval.low:.2f} – {interval.high:.2f})" if interval else ""
    kinds = (
        plural(counts.substitutions, "substitution"),
        plural(counts.deletions, "deletion"),
        plural(counts.insertions, "insertion"),
    )
    rate = f"{most}{counts.rate_pct:.2f} %{ci}: {', '.join(kinds)} over {plural(counts.words, 'word')}"
    left_out = incomplete_text(len(score.judge_errors))
    return f"semantic WER {rate}; {left_out}" if left_out else f"semantic WER {rate}"


def _incomplete(lost: int, failed: int, utterances: int) -> list[str]:
    """What the rate leaves out."""
    kinds = [kind for count, kind in ((lost, "error rows"), (failed, "judge errors")) if count]
    if not kinds:
        return []
    rest = plural(utterances - lost - failed, "utterance")
    return [f"incomplete: {' and '.join(kinds)} have no score, and the rate is of the other {rest}"]


def semantic_summary(name: str, score: SemanticScore, notes: Sequence[str] = ()) -> list[str]:
    """Lines for a terminal: rate and interval in percent, who decided, what was asked and paid, the costliest.

    `notes` are sentences of ours.
    """
    figures = semantic_figures(score)
    failed = len(score.judge_errors)
    lost = sum(row.counts is None for row in score.utterances) - failed
    parts = [
        plural(len(score.utterances), "utterance"),
        plural(lost, "error row"),
        plural(failed, "judge error"),
    ]
    deciders = decided_text(figures["decided_by"])
    differences = plural(sum(figures["decided_by"].values()), "difference") + (f": {deciders}" if deciders else "")
    lines = [
        _rate(score),
        f"{', '.join(parts)}; {differences}",
        *_incomplete(lost, failed, len(score.utterances)),
        judge_text(score.judge, [figures], figures["spending"]),
        warning_text(score.utterances),
        *(f"note: {note}" for note in notes),
    ]
    return [plain(name), *(f"  {plain(line)}" for line in lines if line), *changed_lines(score, None, (), _REST)]


def _money(estimate: Estimate) -> str:
    least, most = estimate.cost_usd_at_least, estimate.cost_usd_at_most
    if least is None or most is None:
        return "money: price unknown; --price-in and --price-out give the price of a million tokens"
    return f"money: about {least:.4f} USD at least, {most:.4f} USD at most"


def estimate_lines(
    name: str, model: str, estimate: Estimate | None, utterances: int, questions: int, *, note: str = ""
) -> list[str]:
    """Lines for a terminal on what judging would cost: calls, tokens and US dollars, the least and the most.

    `questions` different ones would be asked about `utterances`; without an estimate nobody would be. `note` is a
    sentence on the task, which stands with the questions.
    """
    asked = f"{plural(questions, 'different question')} about {plural(utterances, 'utterance')}"
    if estimate is None:
        lines = [f"{asked} for a model that --model names; {model} alone ask nobody and cost nothing"]
    else:
        lines = [
            f"{asked} for {model}; {estimate.answered} answered already, in the cassette",
            f"calls: {estimate.calls_at_least} at least, {estimate.calls_at_most} at most; repairs and repeated "
            "calls come on top",
            f"tokens, estimated: {estimate.prompt_tokens_at_least} sent and {estimate.completion_tokens_at_least} "
            f"received at least, {estimate.prompt_tokens_at_most} sent and {estimate.completion_tokens_at_most} "
            "received at most",
            _money(estimate),
        ]
    lines += [f"note: {note}"] if note else []
    return [plain(name), *(f"  {plain(line)}" for line in lines), "nobody was asked, and nothing was written"]
