"""The figures of a score file as a whole; those that are not the figures of its rows are refused."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pytest_asrgate.errors import DatasetError
from pytest_asrgate.formats.rows import number_of
from pytest_asrgate.formats.score_rows import AGAIN, TOLERANCE, whole_number
from pytest_asrgate.records import Counts, Interval, RowStatus, UtteranceScore
from pytest_asrgate.statistics import pooled_interval
from pytest_asrgate.values import shown

__all__ = ["check_rate", "check_totals", "interval_of", "latency_of"]


def _fractions(path: Path, document: Mapping[str, Any], names: Mapping[str, float]) -> dict[str, float]:
    """What the file names of these figures, as fractions; `names` says by key what one is worth."""
    found = {key: number_of(document, key, str(path)) for key in names}
    return {key: number / names[key] for key, number in found.items() if number is not None}


def check_rate(path: Path, document: Mapping[str, Any], metric: str, counts: Counts) -> None:
    """DatasetError where a rate, under any of its names, is not that of the rows; upstream's are rounded."""
    rates = _fractions(
        path, document, {"error_rate": 1.0, "error_rate_pct": 100.0, metric: 1.0, f"{metric}_pct": 100.0}
    )
    if not counts.words and rates:
        raise DatasetError(f"{path}: names {', '.join(rates)}, and no utterance has reference words; {AGAIN}")
    if counts.words and not rates:
        raise DatasetError(f"{path}: names no error_rate; {AGAIN}")
    for key, rate in rates.items():
        counted = counts.errors / counts.words
        if abs(rate - counted) > TOLERANCE:
            raise DatasetError(
                f"{path}: {key} is {shown(document[key])} and its rows give {100 * counted:.6g} % "
                f"({counts.errors} errors over {counts.words}); {AGAIN}"
            )


def check_totals(
    path: Path, document: Mapping[str, Any], utterances: tuple[UtteranceScore, ...], counts: Counts
) -> None:
    """DatasetError where rows are missing or the totals are not those of the rows."""
    listed = whole_number(document, "n", str(path))
    if listed != len(utterances):
        raise DatasetError(f"{path}: n is {shown(listed)} and per_utterance has {len(utterances)} rows; {AGAIN}")
    lost = sum(row.status is RowStatus.ERROR for row in utterances)
    announced = whole_number(document, "n_errors", str(path)) if "n_errors" in document else lost
    if announced != lost:
        # Upstream scores a failed row as if nothing had been heard, and does not say which row that is.
        raise DatasetError(
            f'{path}: n_errors is {shown(announced)} and {lost} rows have the status "error": '
            f"which rows failed cannot be known; {AGAIN}"
        )
    errors = sum(whole_number(document, key, str(path)) for key in ("substitutions", "deletions", "insertions"))
    if errors != counts.errors:
        raise DatasetError(
            f"{path}: substitutions, deletions and insertions are {shown(errors)} together and its rows have "
            f"{counts.errors}; {AGAIN}"
        )
    if "words" in document and whole_number(document, "words", str(path)) != counts.words:
        raise DatasetError(f"{path}: words is {shown(document['words'])} and its rows have {counts.words}; {AGAIN}")


def interval_of(
    path: Path, document: Mapping[str, Any], metric: str, utterances: tuple[UtteranceScore, ...]
) -> Interval | None:
    """The file's own interval in percent, else the one of its rows."""
    bounds: list[float] = []
    for side in ("lo", "hi"):
        names = (f"error_rate_ci_{side}", f"{metric}_ci_{side}")
        found = _fractions(path, document, dict.fromkeys(names, 1.0))
        if len(found) == 2 and abs(found[names[0]] - found[names[1]]) > TOLERANCE:
            raise DatasetError(f"{path}: {names[0]} and {names[1]} differ; {AGAIN}")
        bounds += list(found.values())[:1]
    counted = [row.counts for row in utterances if row.counts]
    if not bounds:
        return pooled_interval(utterances)
    if not any(item.words for item in counted):
        raise DatasetError(f"{path}: names an interval, and no utterance has reference words; {AGAIN}")
    if len(bounds) == 1 or bounds[0] > bounds[1]:
        raise DatasetError(f"{path}: error_rate_ci_lo and error_rate_ci_hi must be two numbers, the lower first")
    return Interval(100.0 * bounds[0], 100.0 * bounds[1])


def latency_of(path: Path, document: Mapping[str, Any]) -> float | None:
    """The median latency in ms; upstream writes 0 where nothing was timed."""
    return number_of(document, "latency_p50_ms", str(path)) or None
