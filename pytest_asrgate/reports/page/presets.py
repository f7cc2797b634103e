"""The verdict of each preset: what stands at the top of the page, and what somebody must decide by."""

from collections.abc import Sequence
from dataclasses import dataclass

from pytest_asrgate.reports.entries import PairEntry
from pytest_asrgate.reports.table import verdict_word
from pytest_asrgate.values import plural

__all__ = ["PairLine", "Preset", "headline", "presets"]

# The worst first: one pair that cannot be judged leaves the preset unjudged.
_SEVERITY = ("ERROR", "FAIL", "INCONCLUSIVE", "PASS")
_MEGABYTE = 1e6


@dataclass(frozen=True, slots=True)
class PairLine:
    """One pair of a preset; `outcome` is pass, fail, inconclusive or error, `rows` its utterances worth a look."""

    variant: str
    dataset: str
    outcome: str
    word: str
    figures: str
    reason: str
    rows: int


@dataclass(frozen=True, slots=True)
class Preset:
    """One variant with its worst verdict; `not_judged` names its data sets that were left out."""

    name: str
    outcome: str
    word: str
    is_baseline: bool
    model: str
    pairs: tuple[PairLine, ...]
    not_judged: tuple[str, ...]


def _figures(entry: PairEntry) -> str:
    """Rate and difference in words, empty where there is no rate."""
    if entry["rate_pct"] is None or entry["metric"] is None:
        return ""
    delta = "" if entry["delta_pp"] is None else f" ({entry['delta_pp']:+.2f} pp)"
    return f"{entry['metric'].upper()} {entry['rate_pct']:.2f} %{delta}"


def _model(entry: PairEntry) -> str:
    """The model's file and size in MB, as far as the engine said them."""
    name, size = entry["stamp"].get("model"), entry["stamp"].get("model_bytes")
    parts = [str(name)] if name else []
    parts += [f"{size / _MEGABYTE:.1f} MB"] if isinstance(size, int | float) and not isinstance(size, bool) else []
    return ", ".join(parts)


def _line(entry: PairEntry, rows: int) -> PairLine:
    reason = entry["reason"] if entry["verdict"] != "PASS" else ""
    return PairLine(
        variant=entry["variant"],
        dataset=entry["dataset"],
        outcome=entry["verdict"].lower(),
        word=verdict_word(entry),
        figures=_figures(entry),
        reason=reason,
        rows=rows,
    )


def _severity(entry: PairEntry) -> tuple[int, bool]:
    """How bad a verdict is, the worst the least; among equals one that nobody expected comes first."""
    return _SEVERITY.index(entry["verdict"]), entry["expected_to_fail"]


def _rank(entry: PairEntry) -> tuple[bool, int, bool]:
    return entry["is_baseline"] and entry["verdict"] == "PASS", *_severity(entry)


def presets(pairs: Sequence[PairEntry], rows: Sequence[int], not_judged: Sequence[str] = ()) -> tuple[Preset, ...]:
    """The presets, the worst first and baselines last; in the order of their pairs where they are alike.

    `rows` is parallel to the pairs and counts their utterances worth a look, `not_judged` has `variant::dataset`.
    """
    found: dict[str, list[tuple[PairEntry, int]]] = {}
    for entry, count in zip(pairs, rows, strict=True):
        found.setdefault(entry["variant"], []).append((entry, count))
    made = []
    worst_of = {name: min((entry for entry, _ in mine), key=_severity) for name, mine in found.items()}
    for name in sorted(found, key=lambda name: _rank(worst_of[name])):
        mine, worst = found[name], worst_of[name]
        made.append(
            Preset(
                name=name,
                outcome=worst["verdict"].lower(),
                word=verdict_word(worst),
                is_baseline=worst["is_baseline"],
                model=next((text for entry, _ in mine if (text := _model(entry))), ""),
                pairs=tuple(_line(entry, count) for entry, count in mine),
                not_judged=tuple(
                    key.removeprefix(f"{name}::") for key in not_judged if key.startswith(f"{name}::")
                ),
            )
        )
    return tuple(made)


_SAID = {"pass": "passes", "fail": "fails", "inconclusive": "is undecided", "error": "could not be judged"}
_SAID_OF_MANY = {"pass": "pass", "fail": "fail", "inconclusive": "are undecided", "error": "could not be judged"}


def _reservation(preset: Preset) -> str:
    """What a verdict's word says beside the verdict: as expected, or a pass on a part of the evidence."""
    if preset.word.startswith("FAIL (expected)"):
        return " as expected"
    if preset.outcome == "pass" and preset.word != "PASS":
        return ", but " + preset.word.removeprefix("PASS ").replace("(", "").replace(")", "")
    return ""


def headline(made: Sequence[Preset], not_judged: int = 0) -> str:
    """One sentence on all presets but the baselines, the bad news first; `not_judged` counts pairs left out."""
    judged = [preset for preset in made if not preset.is_baseline or preset.outcome != "pass"]
    parts = []
    for outcome in _SEVERITY:
        groups: dict[str, int] = {}
        for preset in judged:
            if preset.outcome == outcome.lower():
                groups[_reservation(preset)] = groups.get(_reservation(preset), 0) + 1
        for reservation, count in sorted(groups.items()):
            said = (_SAID if count == 1 else _SAID_OF_MANY)[outcome.lower()]
            parts.append(f"{plural(count, 'preset')} {said}{reservation}")
    if not parts:
        parts = ["No preset was compared" if made else "Nothing was judged"]
    return ", ".join([*parts, *([f"{plural(not_judged, 'pair')} not judged"] if not_judged else [])])
