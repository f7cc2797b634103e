"""The lines under the table: why a pair is not a plain pass, what was measured, and what to know of it."""

from collections.abc import Sequence

from pytest_asrgate.reports.entries import LatencyEntry, PairEntry
from pytest_asrgate.reports.escape import plain
from pytest_asrgate.reports.evidence import presets_compared
from pytest_asrgate.reports.intent_lines import intent_lines
from pytest_asrgate.reports.judged import judge_lines
from pytest_asrgate.reports.slices import slice_lines
from pytest_asrgate.reports.table import margin_check
from pytest_asrgate.statistics import binomial_upper
from pytest_asrgate.values import plural

__all__ = ["deciding", "notes", "other_notes"]


def _work(entries: Sequence[PairEntry], state: str, beside: int) -> str:
    made = beside + sum(entry["transcribed_now"] for entry in entries)
    failed = sum(entry["failed_now"] for entry in entries)
    lost = f"; {plural(failed, 'utterance')} failed, which the next run tries again" if failed else ""
    if made:
        return f"transcribed {plural(made, 'utterance')} now; finished ones are kept in {state}{lost}"
    stored = sum(entry["n"] - entry["error_rows"] for entry in entries if "replayed_from" in entry["stamp"])
    found = sum(entry["n"] - entry["error_rows"] for entry in entries) - stored
    ways = [f"all {found} hypotheses were there already ({state})"] if found else []
    ways += [f"{stored} hypotheses were read from files"] if stored else []
    return f"transcribed nothing{': ' if ways else ''}{', '.join(ways)}{lost}"


def _named(ids: Sequence[str]) -> str:
    return plain(", ".join(ids[:5])) + (f" and {len(ids) - 5} more" if len(ids) > 5 else "")


def _speed(entry: PairEntry, latency: LatencyEntry) -> str:
    """What the latency probe measured, with its circumstances."""
    p50, p99, ratio = f"{latency['p50_ms']:.0f} ms", f"{latency['p99_ms']:.0f} ms", ""
    if latency["ratio"] is not None:
        p50 += f" against {latency['baseline_p50_ms']:.0f}"
        p99 += f" against {latency['baseline_p99_ms']:.0f}"
        ratio = f", ratio {latency['ratio']:.2f}"
    how = f"{latency['clips']} clips in {latency['rounds']} rounds, {latency['threads']} thread(s)"
    where = f"on {latency['host']} at load {latency['load_average']:.1f}, {latency['measured']}"
    figures = f"p50 {p50}{ratio}, p99 {p99}, real-time factor {latency['rtf']:.3f}"
    return plain(f"speed of {entry['variant']} {entry['dataset']}: {figures} ({how}, {where})")


def _flips(entries: Sequence[PairEntry]) -> list[str]:
    """One line for all pairs of which a sample was decoded again."""
    found = []
    for entry in entries:
        again = entry["repeats"]
        if again:
            lost = f" ({len(again['failed'])} failed)" if again["failed"] else ""
            share = f"{len(again['flips'])} of {again['utterances']} in {again['decodings']} decodings{lost}"
            found.append(f"{entry['variant']} {entry['dataset']} {share}")
    return [f"flips: {plain(', '.join(found))}"] if found else []


def _invented(entries: Sequence[PairEntry]) -> list[str]:
    """For each dataset with null references: on how many of them each variant heard words."""
    found: dict[str, list[str]] = {}
    for entry in entries:
        if entry["null_references"]:
            count = next((check["value"] for check in entry["checks"] if check["name"] == "hallucinations"), 0)
            words = f"{entry['variant']} {count} of {entry['null_references']}"
            found.setdefault(entry["dataset"], []).append(words)
    return [
        f"{plain(name)}: words heard where nobody speaks: {plain(', '.join(counts))}"
        for name, counts in found.items()
    ]


def _hidden(entries: Sequence[PairEntry]) -> list[str]:
    """For each dataset: in how many utterances of each variant the normaliser hid a difference, and a value."""
    found: dict[str, list[str]] = {}
    for entry in entries:
        count = next((check["value"] for check in entry["checks"] if check["name"] == "masked"), None)
        if count:
            words = f"{entry['variant']} {count} ({len(entry['masked_first'])})"
            found.setdefault(entry["dataset"], []).append(words)
    return [
        f"{plain(name)}: utterances whose differences the normaliser hides (touching digits, signs, currency, "
        f"units or negation): {plain(', '.join(counts))}"
        for name, counts in found.items()
    ]


def _resolution(entries: Sequence[PairEntry]) -> list[str]:
    """For each dataset: the margin that it resolves for each variant, beside the one that was asked for."""
    grouped: dict[tuple[str, float | str | None], list[str]] = {}
    for entry in entries:
        if entry["resolvable_pp"] is not None:
            check = margin_check(entry)
            name = f"{entry['dataset']} ({entry['speakers']})"
            grouped.setdefault((name, check["limit"] if check else None), []).append(
                f"{plain(entry['variant'])} {entry['resolvable_pp']:.2f}"
            )
    return [
        f"margin that {plain(name)} resolves, pp (80 % power at no difference): {', '.join(values)}"
        + ("" if limit is None else f"; asked for: {limit:g}")
        for (name, limit), values in grouped.items()
    ]


def _early(entries: Sequence[PairEntry]) -> list[str]:
    """Where each early run ended, and once what that does not say."""
    lines = []
    for entry in entries:
        early = entry["early"]
        if early is None:
            continue
        unseen = binomial_upper(0, early["utterances"]) or 0.0
        lines.append(
            f"{plain(entry['variant'])} {plain(entry['dataset'])}: early, look {early['look']} of "
            f"{len(early['looks'])}: {early['utterances']} of {early['total']} utterances decoded "
            f"({early['share_pct']:.0f} %), boundary {early['boundary']:.2f}, seed {early['seed']}; an output "
            f"that none of them showed may still occur in {unseen:.1f} %"
        )
    if lines:
        lines.append(
            "early verdicts make nothing shippable, a full run does; figures called 95 % are of what was decoded, "
            "and a difference that stopped a run is likely too large; another seed until it passes voids the error "
            "rate"
        )
    return lines


def deciding(entry: PairEntry) -> list[str]:
    """One line for each check that kept a pair from a plain pass, or the reason it could not run."""
    place = f"{plain(entry['variant'])} {plain(entry['dataset'])}"
    checks = [("", check) for check in entry["checks"]]
    checks += [(f" slice {plain(part['name'])}", check) for part in entry["slices"] for check in part["checks"]]
    if not entry["checks"] and entry["reason"]:
        return [f"{place}: {plain(entry['reason'])}"]
    lines = []
    for part, check in checks:
        if check["status"] not in {"fail", "inconclusive", "error"}:
            continue
        limit = "" if check["limit"] is None else f", limit {check['limit']} {check['unit']}"
        lines.append(f"{place}{part}: {check['name']} {check['status']}{limit}: {plain(check['detail'])}")
    return lines


def notes(entries: Sequence[PairEntry], state: str, gate_notes: Sequence[str] = (), beside: int = 0) -> list[str]:
    """All lines under the table: why a pair is not a plain pass, then the other ones."""
    return [
        *(line for entry in entries for line in deciding(entry)),
        *other_notes(entries, state, gate_notes, beside),
    ]


def other_notes(
    entries: Sequence[PairEntry], state: str, gate_notes: Sequence[str] = (), beside: int = 0
) -> list[str]:
    """The lines under those on what decided: what was measured beside, resolution, work done, and warnings.

    `beside` counts the utterances that were transcribed for others than the gate's items.
    """
    lines: list[str] = []
    for entry in entries:
        for what, ids in (("truncated", entry["truncated"]), ("stopped for repetition", entry["repetition"])):
            if ids:
                place = f"{entry['variant']} {entry['dataset']}"
                lines.append(f"{plain(place)}: {len(ids)} {what}, scored on their partial text: {_named(ids)}")
    lines += _invented(entries)
    lines += _hidden(entries)
    lines += judge_lines(entries)
    lines += intent_lines(entries)
    lines += _flips(entries)
    lines += [_speed(entry, entry["latency"]) for entry in entries if entry["latency"]]
    lines += _resolution(entries)
    lines += presets_compared(entries)
    lines += slice_lines(entries)
    lines += _early(entries)
    fixed: dict[tuple[str, str], list[str]] = {}
    for entry in entries:
        if entry["not_controllable"]:
            stamp = entry["stamp"]
            engine = f"{stamp.get('engine')}" + (f" ({stamp['architecture']})" if "architecture" in stamp else "")
            variants = fixed.setdefault((engine, ", ".join(entry["not_controllable"])), [])
            if entry["variant"] not in variants:
                variants.append(entry["variant"])
    lines += [
        f"not controllable by {plain(engine)}: {plain(names)} (variants {plain(', '.join(variants))})"
        for (engine, names), variants in fixed.items()
    ]
    for entry in entries:
        lines += [
            f"warning: {plain(entry['variant'])} {plain(entry['dataset'])}: {plain(w)}" for w in entry["warnings"]
        ]
    lines += [f"note: {plain(note)}" for note in gate_notes]
    return [*lines, _work(entries, state, beside)]
