"""What `asrgate judge --calibrate` says: figures in a table, labels that differ, and what changed since before."""

from collections.abc import Iterator

from pytest_asrgate.calibrated import FEWEST_LABELS
from pytest_asrgate.judge.calibration import outdated
from pytest_asrgate.records.calibration import Agreement, Calibration, CalibrationRun, Disagreement
from pytest_asrgate.reports.escape import plain
from pytest_asrgate.reports.judged import work_text
from pytest_asrgate.reports.judged_entries import spending_entry
from pytest_asrgate.values import plural

__all__ = ["agreement_text", "calibration_lines", "change_text"]

# So many labels that differ are told, and as many rows without a ruling.
_TOLD = 5
# In characters, of a judge's reason.
_LONGEST_REASON = 160


def agreement_text(found: Agreement) -> str:
    """Kappa with its interval and the number of labels: `kappa 0.81 (95 % CI 0.70 – 0.91) of 120 labels`."""
    labels = plural(found.n, "label")
    if found.kappa is None:
        return f"kappa undefined, all {labels} alike" if found.n else "no labels"
    interval = found.interval
    ci = f" (95 % CI {interval.low:.2f} – {interval.high:.2f})" if interval else ""
    return f"kappa {found.kappa:.2f}{ci} of {labels}"


def _kappa(found: Agreement) -> str:
    return "undefined" if found.kappa is None else f"{found.kappa:.2f}"


def _row(name: str, found: Agreement, width: int) -> str:
    agree = f"{100.0 * found.agreed / found.n:.2f} %" if found.n else "—"
    kappa = "—" if found.kappa is None else f"{found.kappa:.2f}"
    ci = f"{found.interval.low:.2f} – {found.interval.high:.2f}" if found.interval else "—"
    return f"{name:<{width}}  {found.n:>6}  {agree:>8}  {kappa:>5}  {ci}"


def _table(found: Calibration, failures: int) -> Iterator[str]:
    rows = [("all", found.whole)]
    rows += [(f"language {name}", each) for name, each in found.languages.items()]
    rows += [(f"class {name}", each) for name, each in found.classes.items()]
    if found.entities.n:
        rows.append(("entities", found.entities))
        rows += [(f"entities, language {name}", each) for name, each in found.entity_languages.items()]
    rows = [(plain(name), each) for name, each in rows]
    width = max(len(name) for name, _ in rows)
    yield f"{'':<{width}}  {'labels':>6}  {'agree':>8}  {'kappa':>5}  95 % CI"
    for name, each in rows:
        yield _row(name, each, width)
    if not found.whole.n:
        nothing = "failed on all that it was asked about" if failures else "was asked about nothing"
        yield f"kappa — is undefined: the judge {nothing}, so there is nothing to compare"
    if any(each.n and each.kappa is None for _, each in rows):
        yield "kappa — is undefined: people and judge gave all of these labels alike"


def _notes(found: Calibration) -> Iterator[str]:
    few = [f"{name} ({each.n})" for name, each in found.languages.items() if each.n < FEWEST_LABELS]
    few += [
        f"entities in {name} ({each.n})" for name, each in found.entity_languages.items() if each.n < FEWEST_LABELS
    ]
    if few:
        yield f"fewer than {FEWEST_LABELS} labels, too few for judge.min_kappa: {', '.join(few)}"
    if found.undecided:
        yield f"without a majority: {found.undecided}, compared as the score counts them"
    if found.unlisted:
        yield f"entities that people labelled and the judge did not name: {found.unlisted}, each a disagreement"
    for what, own, scored in (
        ("", found.whole, found.scored),
        ("entities ", found.entities, found.entities_scored),
    ):
        if own.counts != scored.counts:
            share = f"{100.0 * scored.agreed / scored.n:.2f} %"
            yield (
                f"{what}as scored, after our comparison of exact data: agreement {share}, kappa {_kappa(scored)}"
            )
    if found.entities_by_rules.n:
        yield (
            f"entities that rules decided: {found.entities_by_rules.n}, of which {found.entities_by_rules.agreed} "
            "agree"
        )
    if found.served:
        yield f"served as {', '.join(found.served)}"


def _difference(said: Disagreement) -> str:
    group = ", ".join(part for part in (said.language, said.group) if part)
    reason = said.reason if len(said.reason) <= _LONGEST_REASON else f"{said.reason[: _LONGEST_REASON - 1]}…"
    who = "rules" if said.decided_by.startswith("rule ") else "judge"
    return f"{said.id} ({group}) {said.about}: people {said.human}, {who} {said.judge}" + (
        f": {reason}" if reason else ""
    )


def _first(lines: list[str], what: str) -> Iterator[str]:
    if lines:
        more = f", the first {_TOLD} of them" if len(lines) > _TOLD else ""
        yield f"{what}: {len(lines)}{more}"
        yield from (f"  {line}" for line in lines[:_TOLD])


def change_text(before: Calibration | None, now: Calibration) -> str:
    """What changed since the calibration of the same task and model before this one.

    Where people, prompt, rules and votes are the same, another kappa of fresh replies is the judge's doing. What is
    replayed only shows what it was.
    """
    if before is None:
        return "the first calibration of this judge for this task"
    since = f"since {before.date[:10]}"
    kappas = f"kappa {_kappa(before.whole)} → {_kappa(now.whole)}"
    if before.entities.counts != now.entities.counts:
        kappas += f", entities {_kappa(before.entities)} → {_kappa(now.entities)}"
    changed = [
        text
        for text, holds in (
            ("other labels", before.labels != now.labels),
            ("asked otherwise (prompt or rules)", before.prompt != now.prompt),
            (f"votes {before.votes} → {now.votes}", before.votes != now.votes),
        )
        if holds
    ]
    served = [", ".join(each.served) or "nobody" for each in (now, before)]
    others = [f"served as {served[0]}, not {served[1]}"] if before.served != now.served else []
    same = before.whole.counts == now.whole.counts and before.entities.counts == now.entities.counts
    if same and not changed and not others:
        return f"nothing changed {since}"
    if not (now.replies.fresh or same or changed):
        others.append(f"replayed, by replies of {now.replies.first[:10]}")
    drifts = "" if changed or same or not now.replies.fresh else ": the judge drifts"
    told = f" ({'; '.join([*changed, *others])})" if changed or others else ""
    return f"{kappas} {since}{drifts}{told}"


def calibration_lines(name: str, run: CalibrationRun, before: Calibration | None) -> list[str]:
    """Lines for a terminal: a table of all, languages and classes, what differs, what failed, and what changed.

    `before` is the calibration to compare with.
    """
    found = run.calibration
    rules = found.by_rules
    decided = f"; rules decided {rules.n}, of which {rules.agreed} agree" if rules.n else ""
    lines = [
        f"{found.model} against people, {found.task}: asked about {plural(found.whole.n, 'label')} of "
        f"{plural(run.rows, 'utterance')}{decided}",
        *_table(found, len(run.failures)),
        *_notes(found),
        *_first([_difference(said) for said in run.disagreements], "labels that differ"),
        *_first([f"{identity}: {sentence}" for identity, sentence in run.failures], "utterances without a ruling"),
        work_text(spending_entry(run.spending)),
        *([] if run.failures or not found.whole.n or outdated(found, before) else [change_text(before, found)]),
    ]
    return [plain(name), *(f"  {plain(line)}" for line in lines)]
