"""The utterances of all pairs as the page's script reads them: a row for each that there is something to see about.

Texts are raw; whoever writes them into a page escapes them.
"""

from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import TypedDict

from pytest_asrgate.records import RowStatus
from pytest_asrgate.reports.entries import PairEntry
from pytest_asrgate.reports.page.flags import FLAGS, Flag
from pytest_asrgate.reports.page.picked import Picked, picked
from pytest_asrgate.reports.page.runs import Align, Run, aligned_parts, aligned_runs
from pytest_asrgate.reports.page.sounds import Sound, Sounds
from pytest_asrgate.reports.page.trails import IntentRow, SemanticRow, intent_row, semantic_row
from pytest_asrgate.reports.page.words import Confusion, confusions
from pytest_asrgate.reports.utterance_entries import UtteranceEntry

__all__ = ["FLAGS", "Flag", "PageData", "PairRows", "Row", "Spoken", "page_data"]


class Spoken(TypedDict):
    """What was said, once for all variants; `sound` is a place among the sounds, `seconds` the length."""

    id: str
    dataset: str
    lang: str | None
    ref: str
    ref_text: str | None
    tags: list[str]
    seconds: float | None
    sound: int | None


class _Place(TypedDict):
    u: int


class Row(_Place, total=False):
    """What a variant made of an utterance; what is empty, null or false is left out.

    `u` is a place among the utterances. `hyp` and `base` are the normalised outputs of variant and baseline, `text`
    and `base_text` the raw ones; `base` is there, empty or not, exactly where the baseline has a score for it.
    `base_runs` are left out where both heard the same words. `ms` is the engine's time in milliseconds, `dropped`
    the longest run of deletions in units of the metric.
    """

    status: str
    errors: int
    words: int
    before: int
    hyp: str
    text: str
    base: str
    base_text: str
    base_status: str
    runs: list[Run]
    base_runs: list[Run]
    flags: list[str]
    detail: str
    ms: float
    dropped: int
    masked: list[str]
    semantic: SemanticRow
    intent: IntentRow


class PairRows(TypedDict):
    """One pair: of its `total` utterances the rows worth a look, worst first, and how many carry each flag."""

    variant: str
    dataset: str
    metric: str | None
    verdict: str
    baseline: str | None
    total: int
    flags: dict[str, int]
    words: list[Confusion]
    rows: list[Row]


class PageData(TypedDict):
    """Everything that the script of a page shows."""

    utterances: list[Spoken]
    sounds: list[Sound]
    pairs: list[PairRows]


def _spoken(row: UtteranceEntry, dataset: str, sounds: Sounds) -> Spoken:
    return Spoken(
        id=row["id"],
        dataset=dataset,
        lang=row["language"],
        ref=row["ref"],
        ref_text=row["ref_text"],
        tags=row["tags"],
        seconds=row["duration_s"],
        sound=sounds.places.get((dataset, row["id"])),
    )


def _heard(made: Row, row: UtteranceEntry, metric: str, align: Align) -> None:
    """What the variant made of it."""
    if row["status"] != RowStatus.OK:
        made["status"] = row["status"]
    if row["errors"] is not None:
        made["errors"] = row["errors"]
        made["runs"] = aligned_runs(row["ref"], row["hyp"], row["steps"], metric, align)
    if row["words"] is not None:
        made["words"] = row["words"]
    if row["hyp"]:
        made["hyp"] = row["hyp"]
    if row["hyp_text"]:
        made["text"] = row["hyp_text"]
    if row["detail"]:
        made["detail"] = row["detail"]
    if row["latency_ms"] is not None:
        made["ms"] = row["latency_ms"]
    if row["dropped_span"]:
        made["dropped"] = row["dropped_span"]
    if row["masked"]:
        made["masked"] = row["masked"]


def _compared(made: Row, row: UtteranceEntry, metric: str, align: Align) -> None:
    """What the baseline made of it."""
    status, heard = row["baseline_status"], row["baseline_hyp"]
    if status is not None and status != RowStatus.OK:
        made["base_status"] = status
    if heard is None or row["baseline_errors"] is None:
        return
    made["before"] = row["baseline_errors"]
    made["base"] = heard
    if row["baseline_hyp_text"]:
        made["base_text"] = row["baseline_hyp_text"]
    if heard != row["hyp"] or row["errors"] is None:
        made["base_runs"] = aligned_runs(row["ref"], heard, row["baseline_steps"] or "", metric, align)


def _row(one: Picked, place: int, metric: str, align: Align) -> Row:
    made = Row(u=place)
    _heard(made, one.row, metric, align)
    _compared(made, one.row, metric, align)
    if one.flags:
        made["flags"] = one.flags
    if one.semantic:
        made["semantic"] = semantic_row(one.semantic)
    if one.intent:
        made["intent"] = intent_row(one.intent)
    return made


def page_data(pairs: Sequence[PairEntry], sounds: Sounds) -> PageData:
    """What the page shows of the utterances of all pairs, in their order."""
    utterances: list[Spoken] = []
    places: dict[tuple[str, str], int] = {}
    made = []
    for pair in pairs:
        dataset, metric, rows = pair["dataset"], pair["metric"] or "wer", []
        counted: Counter[str] = Counter()
        # The words that were got wrong are counted in the same alignments that are shown.
        align = cache(aligned_parts)
        for one in picked(pair):
            key = dataset, one.row["id"]
            if key not in places:
                places[key] = len(utterances)
                utterances.append(_spoken(one.row, dataset, sounds))
            rows.append(_row(one, places[key], metric, align))
            counted.update(one.flags)
        made.append(
            PairRows(
                variant=pair["variant"],
                dataset=dataset,
                metric=pair["metric"],
                verdict=pair["verdict"],
                baseline=pair["baseline"],
                total=len(pair["utterances"]),
                flags={flag: counted[flag] for flag, _, _ in FLAGS if counted[flag]},
                words=confusions(pair, align=align),
                rows=rows,
            )
        )
    return PageData(utterances=utterances, sounds=list(sounds.sounds), pairs=made)
