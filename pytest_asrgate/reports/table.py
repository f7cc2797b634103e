"""The table that a session ends with, and the lines under it."""

from collections.abc import Iterable, Sequence

from pytest_asrgate.reports.entries import LatencyEntry, PairEntry
from pytest_asrgate.reports.escape import plain
from pytest_asrgate.values import plural

__all__ = ["notes", "table", "verdict_word"]

_LEFT = {0, 1, 7}


def verdict_word(entry: PairEntry) -> str:
    """The last column: the verdict, with what was expected of it; a good baseline is called just that."""
    word = entry["verdict"]
    if entry["is_baseline"] and word == "PASS":
        word = "baseline"
    elif entry["expected_to_fail"]:
        word += " (expected)" if word == "FAIL" else " (expected FAIL)"
    elif entry["is_baseline"]:
        word += " (baseline)"
    return word + (" (incomplete)" if entry["incomplete"] and entry["verdict"] != "ERROR" else "")


def _signed(value: float | None) -> str:
    return "—" if value is None else f"{value:+.2f}"


def _headings(metrics: Sequence[str]) -> tuple[str, ...]:
    """The columns' names; where a gate has words and characters, each rate says which it is."""
    rate = metrics[0].upper() if len(metrics) == 1 else "WER/CER"
    return ("variant", "dataset", f"{rate}%", "delta", "U95 of delta", f"{rate} 95% CI", "ms p50", "verdict")


def _cells(entry: PairEntry, mark: str) -> tuple[str, ...]:
    rate, interval, latency = entry["rate_pct"], entry["ci_pct"], entry["latency_p50_ms"]
    return (
        plain(entry["variant"]),
        plain(entry["dataset"]),
        "—" if rate is None else f"{rate:.2f}{mark}",
        _signed(entry["delta_pp"]),
        _signed(entry["upper95_pp"]),
        "—" if interval is None else f"{interval[0]:.2f} – {interval[1]:.2f}",
        "—" if latency is None else f"{latency:.0f}",
        verdict_word(entry),
    )


def table(entries: Iterable[PairEntry]) -> list[str]:
    """Aligned lines, headings first; rates in percent, differences in percentage points, latency in ms."""
    entries = list(entries)
    metrics = list(dict.fromkeys(entry["metric"] for entry in entries if entry["metric"])) or ["wer"]
    mixed = len(metrics) > 1
    marks = [f" {entry['metric'].upper()}" if mixed and entry["metric"] else "" for entry in entries]
    rows = [_headings(metrics), *(_cells(entry, mark) for entry, mark in zip(entries, marks, strict=True))]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        "  ".join(
            cell.ljust(width) if column in _LEFT else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


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


def _deciding(entry: PairEntry) -> list[str]:
    """One line for each check that kept a pair from a plain pass, or the reason it could not run."""
    place = f"{plain(entry['variant'])} {plain(entry['dataset'])}"
    wanted = [check for check in entry["checks"] if check["status"] in {"fail", "inconclusive", "error"}]
    if not entry["checks"] and entry["reason"]:
        return [f"{place}: {plain(entry['reason'])}"]
    lines = []
    for check in wanted:
        limit = "" if check["limit"] is None else f", limit {check['limit']} {check['unit']}"
        lines.append(f"{place}: {check['name']} {check['status']}{limit}: {plain(check['detail'])}")
    return lines


def notes(entries: Sequence[PairEntry], state: str, gate_notes: Sequence[str] = (), beside: int = 0) -> list[str]:
    """The lines under the table: why a pair is not a plain pass, resolution, work done, and warnings.

    `beside` counts the utterances that were transcribed for others than the gate's items.
    """
    lines = [line for entry in entries for line in _deciding(entry)]
    for entry in entries:
        for what, ids in (("truncated", entry["truncated"]), ("stopped for repetition", entry["repetition"])):
            if ids:
                place = f"{entry['variant']} {entry['dataset']}"
                lines.append(f"{plain(place)}: {len(ids)} {what}, scored on their partial text: {_named(ids)}")
    lines += _invented(entries)
    lines += _hidden(entries)
    lines += [_speed(entry, entry["latency"]) for entry in entries if entry["latency"]]
    grouped: dict[str, list[str]] = {}
    for entry in entries:
        if entry["resolvable_pp"] is not None:
            grouped.setdefault(f"{entry['dataset']} ({entry['speakers']})", []).append(
                f"{plain(entry['variant'])} {entry['resolvable_pp']:.2f}"
            )
    lines += [
        f"margin that {plain(name)} resolves, pp (80 % power at no difference): {', '.join(values)}"
        for name, values in grouped.items()
    ]
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
