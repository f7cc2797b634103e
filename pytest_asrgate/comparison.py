"""Scores of one set by several systems → rows of the delta table, each against the first; or a refusal."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pytest_asrgate.datasets.speakers import size_note, speaker_blocks
from pytest_asrgate.errors import ContractError
from pytest_asrgate.records import Interval, Score, Utterance
from pytest_asrgate.scoring import compare, contract_differences
from pytest_asrgate.values import named, plural

__all__ = ["ComparedRow", "compare_scores", "many_compared"]

# Ids and texts are compared themselves, which says more than a digest over them and their order.
_COMPARED_DIRECTLY = {"manifest"}


@dataclass(frozen=True, slots=True)
class ComparedRow:
    """One system: rates in percent, `delta_pp` and its intervals in percentage points, latency in ms.

    The baseline has no delta. `delta_interval` is two-sided 95 %, `lower95_pp` and `upper95_pp` are one-sided;
    `left_out` utterances were lost to an error on either side and count in no delta.
    """

    label: str
    file: str
    rate_pct: float | None
    interval: Interval | None
    latency_p50_ms: float | None
    utterances: int
    words: int
    errors: int
    delta_pp: float | None = None
    delta_interval: Interval | None = None
    lower95_pp: float | None = None
    upper95_pp: float | None = None
    left_out: int = 0


def _row(label: str, file: str, score: Score) -> ComparedRow:
    return ComparedRow(
        label=label,
        file=file,
        rate_pct=score.counts.rate_pct,
        interval=score.interval,
        latency_p50_ms=score.latency_p50_ms,
        utterances=len(score.utterances),
        words=score.counts.words,
        errors=score.counts.errors,
    )


def _ids_differ(baseline: Score, other: Score) -> list[str]:
    before = [row.id for row in baseline.utterances]
    after = [row.id for row in other.utterances]
    missing, unknown = set(before) - set(after), set(after) - set(before)
    faults = []
    if missing:
        faults.append(f"ids: it lacks {named([name for name in before if name in missing])}")
    if unknown:
        faults.append(f"ids: the baseline lacks {named([name for name in after if name in unknown])}")
    return faults


def _refuse(baseline: Score, other: Score, files: tuple[str, str]) -> None:
    """ContractError with everything in which two scores differ that must not differ."""
    faults = contract_differences(
        {k: v for k, v in baseline.hypotheses.contract.items() if k not in _COMPARED_DIRECTLY},
        other.hypotheses.contract,
    )
    faults += _ids_differ(baseline, other)
    if not faults:
        references = {row.id: row.reference for row in baseline.utterances}
        changed = [row.id for row in other.utterances if row.reference != references[row.id]]
        faults += [f"references: another normalised text for {named(changed)}"] if changed else []
    if faults:
        raise ContractError(f"{files[1]} cannot be compared with {files[0]}: {'; '.join(faults)}")


def _in_order(score: Score, ids: Sequence[str]) -> Score:
    """The same score with its utterances in the order of `ids`."""
    place = {row.id: number for number, row in enumerate(score.utterances)}
    order = [place[identity] for identity in ids]
    return replace(
        score,
        utterances=tuple(score.utterances[number] for number in order),
        speakers=tuple(score.speakers[number] for number in order) if score.speakers else None,
    )


def _with_speakers(baseline: Score, other: Score, files: tuple[str, str]) -> Score:
    """The other score with the speaker blocks that either file names; ContractError where they disagree."""
    names = other.speakers or baseline.speakers
    if names is None:
        return other
    if baseline.speakers and other.speakers and baseline.speakers != other.speakers:
        raise ContractError(f"{files[1]} cannot be compared with {files[0]}: they name other speakers")
    rows = [Utterance(row.id, Path(), "", speaker=name) for row, name in zip(other.utterances, names, strict=True)]
    speakers, note = speaker_blocks(rows, "speaker")
    return replace(other, speakers=speakers, speakers_note=note + size_note(len(rows)))


def _unnamed(baseline: Score, other: Score) -> list[str]:
    """The contract terms that only one of two files names."""
    left, right = baseline.hypotheses.contract, other.hypotheses.contract
    return sorted((set(left) ^ set(right)) - _COMPARED_DIRECTLY)


def many_compared(count: int, noun: str, baseline: str) -> str:
    """What a reader of several verdicts against one baseline has to know.

    That all of them must pass is an intersection of tests, each at its own level; picking the best of them is a
    maximum over noise, and its figure too good.
    """
    return (
        f"{plural(count, noun)} were compared with {baseline}: each verdict stands alone; that all of them must "
        "pass needs no correction, picking the best of them by these figures does"
    )


def compare_scores(
    scores: Sequence[Score], labels: Sequence[str], files: Sequence[str]
) -> tuple[list[ComparedRow], list[str]]:
    """Rows parallel to the scores, the first one the baseline, and notes on what the deltas rest on.

    Raises ContractError where a score differs from the first in ids, references, metric, recipe or normaliser.
    """
    baseline = scores[0]
    ids = [row.id for row in baseline.utterances]
    rows, notes = [_row(labels[0], files[0], baseline)], []
    for score, label, file in zip(scores[1:], labels[1:], files[1:], strict=True):
        both = files[0], file
        _refuse(baseline, score, both)
        other = _with_speakers(baseline, _in_order(score, ids), both)
        unnamed = _unnamed(baseline, other)
        if unnamed:
            notes.append(f"{label}: only one of the two files names {', '.join(unnamed)}: assumed equal")
        row = _row(label, file, score)
        found = compare(other, baseline)
        if found is None:
            notes.append(f"{label}: no utterance with reference {score.token}s was scored by both")
            rows.append(row)
            continue
        if found.left_out:
            notes.append(
                f"{label}: incomplete: {found.left_out} of {len(ids)} utterances are error rows on either side; "
                f"the delta is over the other {found.utterances}"
            )
        margin = f"a margin of {found.resolution.margin_pp:.2f} pp (80 % power at no difference"
        if not math.isfinite(found.resolution.margin_pp):
            margin = "no margin (one utterance says nothing of spread"
        notes.append(f"{label}: resolves {margin}; {other.speakers_note})")
        rows.append(
            replace(
                row,
                delta_pp=found.delta_pp,
                delta_interval=found.interval,
                lower95_pp=found.lower95,
                upper95_pp=found.upper95,
                left_out=found.left_out,
            )
        )
    compared = sum(row.delta_pp is not None for row in rows)
    if compared > 1:
        notes.append(many_compared(compared, "system", labels[0]))
    return rows, notes
