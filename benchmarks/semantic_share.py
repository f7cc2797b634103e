"""How much of the semantic error rate rules settle, and how often rightly: semantic_share.py [FOLDER].

FOLDER, else ASRGATE_CONFORMANCE, holds `refhyp/SET/SYSTEM.jsonl`. Three tables: for each system how many utterances
a judge would be asked about and the rate by rules beside the plain error rate; for each rule how much it settles;
and what the rules say of the differences that `semantic_labels.json` beside this script labels, which holds no text
but a digest of each difference's words. All utterances count, those with an empty reference too. A label is
`unclear` where the words are a piece of a garbled word, or where an agent may or may not act otherwise.
"""

import json
import os
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from published import NORMALISED, count

from pytest_asrgate.formats.hypotheses import read_hypotheses
from pytest_asrgate.records import Counts, Difference, Label
from pytest_asrgate.semantic.counting import counts_of_differences
from pytest_asrgate.semantic.pairs import TextPair, prepare

SETS = ("librispeech_fbai", "voxpopuli_hume_150")
LABELS = Path(__file__).with_name("semantic_labels.json")
OPEN = "open"


class Place(NamedTuple):
    """Where a difference is."""

    set: str
    file: str
    utterance: str


@dataclass
class System:
    """What the rules make of one file of hypotheses."""

    utterances: int = 0
    asked: int = 0
    counts: Counts = field(default_factory=Counts)
    differences: dict[str, tuple[Difference, ...]] = field(default_factory=dict)

    @property
    def rules(self) -> Counter[tuple[str, str]]:
        """How many differences each rule settled, with its label; the open ones under `open`."""
        rows = (row for differences in self.differences.values() for row in differences)
        return Counter((rule_of(row), row.label.value) for row in rows)


def rule_of(difference: Difference) -> str:
    """The rule that settled a difference, `open` where none did."""
    return difference.decided_by.removeprefix("rule ") or OPEN


def digest(difference: Difference) -> str:
    """A short digest of the words of both sides."""
    words = json.dumps([difference.reference, difference.hypothesis], ensure_ascii=False)
    return sha256(words.encode()).hexdigest()[:12]


def read_system(path: Path) -> System:
    """Prepare every pair of a file; what is open counts as an error, as it does without a judge."""
    stored, system = read_hypotheses(path), System()
    for identity, row in stored.rows.items():
        prepared = prepare(TextPair(stored.references[identity], row.text))
        system.utterances += 1
        system.asked += prepared.question is not None
        system.differences[identity] = prepared.differences
        bound = [
            replace(one, label=Label.ERROR) if one.label is Label.OPEN else one for one in prepared.differences
        ]
        system.counts += counts_of_differences(bound, prepared.words)
    return system


def share(part: int, whole: int) -> str:
    """A share in percent."""
    return f"{100 * part / whole:.1f} %" if whole else "none"


def exact(right: int, total: int) -> str:
    """A share with its two-sided 95 % interval of Clopper and Pearson."""
    from scipy.stats import binomtest

    if not total:
        return "none"
    low, high = binomtest(right, total).proportion_ci(0.95, method="exact")
    return f"{100 * right / total:.1f} % [{100 * low:.1f}, {100 * high:.1f}]"


def table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a Markdown table."""
    print(f"\n| {' | '.join(header)} |\n|{'---|' * len(header)}")
    for row in rows:
        print(f"| {' | '.join(map(str, row))} |")


def system_row(folder: str, name: str, system: System, wer: Counts) -> list[str]:
    """One line of the first table."""
    everything = system.rules.total()
    settled = everything - system.rules[OPEN, Label.OPEN.value]
    return [
        folder, name, str(system.utterances), share(system.asked, system.utterances), str(everything),
        share(settled, everything), f"{wer.rate_pct:.2f} %", f"{system.counts.rate_pct:.2f} %",
    ]  # fmt: skip


def print_shares(systems: Mapping[tuple[str, str], System], folder: Path) -> Counter[str]:
    """Print what is asked and settled by system, set and rule; the settled differences of each rule."""
    rows, settled = [], Counter[str]()
    labels: dict[str, set[str]] = {}
    for (name, file), system in systems.items():
        normaliser = "none" if name in NORMALISED else "auto"
        wer = count(folder / "refhyp" / name / file, normaliser, empty_references=True)
        rows.append(system_row(name, file.removesuffix(".jsonl"), system, wer))
        for (rule, label), times in system.rules.items():
            settled[rule] += times
            labels.setdefault(rule, set()).add(label)
    header = ["set", "system", "utterances", "asked", "differences", "settled", "WER", "semantic by rules, at most"]
    table(header, rows)
    print()
    for name in SETS:
        chosen = [system for (other, _), system in systems.items() if other == name]
        if not chosen:
            continue
        everything = sum(system.rules.total() for system in chosen)
        opened = sum(system.rules[OPEN, Label.OPEN.value] for system in chosen)
        asked, utterances = sum(one.asked for one in chosen), sum(one.utterances for one in chosen)
        print(
            f"{name}: {asked:,} of {utterances:,} utterances asked ({share(asked, utterances)}); rules settle "
            f"{everything - opened:,} of {everything:,} differences ({share(everything - opened, everything)})"
        )
    total = settled.total()
    table(
        ["rule", "says", "differences", "share"],
        [(rule, ", ".join(sorted(labels[rule])), f"{times:,}", share(times, total))
         for rule, times in settled.most_common()],
    )  # fmt: skip
    return settled


@dataclass
class Compared:
    """Labels beside what the rules say today: (rule, said, label) of those that rules settle."""

    settled: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    opened: int = 0
    gone: int = 0

    def of(self, rule: str | None, right: bool) -> int:
        """How many labels a rule, or any, agrees with or contradicts."""
        return sum(
            times
            for (name, said, label), times in self.settled.items()
            if label != "unclear" and rule in {None, name} and (said == label) == right
        )

    def unclear(self, rule: str | None) -> int:
        """How many labels of a rule are neither."""
        rows = self.settled.items()
        return sum(times for (name, _, label), times in rows if label == "unclear" and rule in {None, name})


def compare(systems: Mapping[tuple[str, str], System], labels: Sequence[Mapping[str, object]]) -> Compared:
    """Look up each labelled difference by its place, its number and the digest of its words."""
    found = Compared()
    for label in labels:
        place = Place(str(label["set"]), str(label["file"]), str(label["id"]))
        system = systems.get((place.set, place.file))
        differences = system.differences.get(place.utterance, ()) if system else ()
        row = next((one for one in differences if one.number == label["difference"]), None)
        if row is None or digest(row) != label["sha256"]:
            found.gone += 1
        elif row.label is Label.OPEN:
            found.opened += 1
        else:
            found.settled[rule_of(row), row.label.value, str(label["label"])] += 1
    return found


def precision_row(rule: str | None, compared: Compared, settled: int) -> list[object]:
    """One line of the table of labels; the last cell takes each unclear label for a wrong one."""
    right, wrong, unclear = compared.of(rule, True), compared.of(rule, False), compared.unclear(rule)
    total = right + wrong
    strict = exact(right, total + unclear)
    return [rule or "all", f"{settled:,}", right, wrong, unclear, exact(right, total), strict]


def print_precision(compared: Compared, settled: Mapping[str, int], labels: int) -> None:
    """Print how the rules fare against the labels, by rule and by label."""
    rules = sorted({name for name, _, _ in compared.settled}, key=lambda name: -settled[name])
    header = ["rule", "settles", "right", "wrong", "unclear", "right, 95 % exact interval", "with unclear as wrong"]
    everything = sum(times for name, times in settled.items() if name != OPEN)
    rows = [precision_row(rule, compared, settled[rule]) for rule in rules]
    table(header, [*rows, precision_row(None, compared, everything)])
    counted = {rule: compared.of(rule, True) + compared.of(rule, False) for rule in rules}
    known = {rule: counted[rule] for rule in rules if counted[rule]}
    expected = sum(settled[rule] * compared.of(rule, True) / total for rule, total in known.items())
    weight = sum(settled[rule] for rule in known)
    weighted = f"{100 * expected / weight:.1f} %" if weight else "none"
    print(f"\nRules were sampled unevenly; weighted by what each settles, {weighted} of the clear ones are right.")
    for label in ("same", "error"):
        said = Counter[str]()
        for (_, answer, truth), times in compared.settled.items():
            said[answer] += times if truth == label else 0
        print(f"Of {said.total()} labelled {label}, rules call {said['same']} the same and {said['error']} errors.")
    print(
        f"Of {labels} labels, {compared.settled.total()} are of differences that rules settle today, "
        f"{compared.opened} of differences that are open today, and {compared.gone} match no difference."
    )


def main() -> int:
    """Print the tables; 1 where there is nothing to print."""
    named = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("ASRGATE_CONFORMANCE")
    folder = Path(named) if named else None
    paths = [path for name in SETS for path in sorted((folder / "refhyp" / name).glob("*.jsonl"))] if folder else []
    if folder is None or not paths:
        print("name the folder that holds refhyp/SET/SYSTEM.jsonl", file=sys.stderr)
        return 1
    systems = {(path.parent.name, path.name): read_system(path) for path in paths}
    settled = print_shares(systems, folder)
    labels = json.loads(LABELS.read_text(encoding="utf-8"))["labels"]
    print_precision(compare(systems, labels), settled, len(labels))
    return 0


if __name__ == "__main__":
    sys.exit(main())
