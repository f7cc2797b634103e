"""Small values and files that the unit tests start from."""

import json
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from pathlib import Path

from pytest_asrgate.config import Dataset, Pair, Thresholds, TranscriberSettings, Variant
from pytest_asrgate.datasets.load import LoadedDataset
from pytest_asrgate.records import (
    CheckStatus,
    Counts,
    Hypothesis,
    HypothesisSet,
    Interval,
    RowStatus,
    Score,
    Utterance,
    Verdict,
)
from pytest_asrgate.records.judged import AlignedWords, Difference, Label, SemanticScore, SemanticUtterance
from pytest_asrgate.reports.entries import PairEntry, pair_entry
from pytest_asrgate.scoring import score
from pytest_asrgate.verdict import decide

CONTRACT: Mapping[str, object] = {
    "timestamps": "none",
    "decoding": "greedy",
    "temperatures": [0.0, 0.2, 0.4, 0.6, 0.8, 1.0],
    "compression_ratio": 2.4,
    "logprob": -1.0,
    "no_speech": 0.6,
    "condition_on_previous": False,
    "language": "en",
    "manifest": "digest of the manifest",
}

NOTE = "independence assumed: no speakers are named"

# A row of a dataset: its id, the reference, and what was recognised (None for an error row).
Row = tuple[str, str, str | None]


def write_lines(path: Path, *rows: Mapping[str, object]) -> Path:
    """Write JSON lines as any tool would."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def utterances(*references: str) -> tuple[Utterance, ...]:
    """Utterances u1, u2, … with these references."""
    return tuple(
        Utterance(id=f"u{number}", audio=Path(f"u{number}.wav"), reference=text, language="en", line=number)
        for number, text in enumerate(references, start=1)
    )


def dataset(**changes: object) -> Dataset:
    """The settings of a dataset named prompts."""
    settings: dict[str, object] = {
        "name": "prompts",
        "manifest": Path("manifest.jsonl"),
        "language": "en",
        "metric": "auto",
        "normaliser": "auto",
        "dediarize": False,
        "speakers": "speaker",
    }
    return Dataset(**(settings | changes))  # type: ignore[arg-type]


def loaded(
    spoken: Sequence[Utterance], *, speakers: tuple[str, ...] | None = None, languages: tuple[str, ...] = ("en",)
) -> LoadedDataset:
    """A dataset in memory."""
    note = f"{len(set(speakers))} speakers" if speakers else NOTE
    return LoadedDataset("prompts", tuple(spoken), languages, "digest of the manifest", speakers, note)


def hypothesis_set(
    variant: str, rows: Sequence[Hypothesis], contract: Mapping[str, object] = CONTRACT, **changes: object
) -> HypothesisSet:
    """The hypotheses of one variant over prompts."""
    provenance: dict[str, object] = {"engine": "a test", "backend": "cpu", "threads": 1}
    settings: dict[str, object] = {"provenance": provenance, "load_ms": 12.5, "reused": len(rows)}
    return HypothesisSet(variant, "prompts", tuple(rows), contract, **(settings | changes))  # type: ignore[arg-type]


def scored(
    variant: str,
    rows: Sequence[Row],
    *,
    contract: Mapping[str, object] = CONTRACT,
    statuses: Mapping[str, RowStatus] | None = None,
    speakers: tuple[str, ...] | None = None,
    tags: Mapping[str, tuple[str, ...]] | None = None,
) -> Score:
    """Score rows of (id, reference, hypothesis) with the package's own scorer; `tags` by id."""
    known, carried = dict(statuses or {}), dict(tags or {})
    spoken = [
        Utterance(id=name, audio=Path(name), reference=text, language="en", tags=carried.get(name, ()))
        for name, text, _ in rows
    ]
    made = [
        Hypothesis(name, "", RowStatus.ERROR, detail=f"{name}.wav: crashed")
        if text is None
        else Hypothesis(name, text, known.get(name, RowStatus.OK), latency_ms=10.0)
        for name, _, text in rows
    ]
    return score(hypothesis_set(variant, made, contract), dataset(), loaded(spoken, speakers=speakers))


def pair(
    limits: Mapping[str, object] | None = None,
    *,
    variant: str = "q8_0",
    fails: bool = False,
    slices: Mapping[str, Mapping[str, object]] | None = None,
) -> Pair:
    """The pair of a variant and prompts under these limits and those of its slices, with f32 as its baseline."""
    engine = TranscriberSettings("native", "replay", "cpu", 60.0, 4000, {})
    return Pair(
        variant=Variant(variant, engine, None, None, "f32"),
        dataset=dataset(
            slices={tag: Thresholds.model_validate(dict(part)) for tag, part in (slices or {}).items()}
        ),
        thresholds=Thresholds.model_validate(dict(limits or {})),
        expected_to_fail=fails,
    )


def statuses(verdict: Verdict) -> dict[str, CheckStatus]:
    """The status of each check of a verdict."""
    return {check.name: check.status for check in verdict.checks}


def entry(
    rows: Sequence[Row], before: Sequence[Row] | None = None, limits: Mapping[str, object] | None = None
) -> PairEntry:
    """The JSON entry of a pair judged against a baseline's rows."""
    baseline = scored("f32", before) if before else None
    verdict = decide(pair(limits), scored("q8_0", rows), baseline)
    return pair_entry(verdict, with_utterances=True)


def difference(reference: str, hypothesis: str, label: Label = Label.ERROR, **changes: object) -> Difference:
    """The first difference of an utterance, one substitution, labelled by a rule."""
    settings: dict[str, object] = {
        "number": 1,
        "substitutions": 1,
        "deletions": 0,
        "insertions": 0,
        "decided_by": "rule number",
        "reason": "the numbers differ",
    }
    return Difference(reference=reference, hypothesis=hypothesis, label=label, **(settings | changes))  # type: ignore[arg-type]


def judged_utterance(
    identity: str, reference: str, hypothesis: str, *differences: Difference, **changes: object
) -> SemanticUtterance:
    """A judged utterance, aligned word by word; its counts are those of the differences that matter."""
    pairs = zip_longest(reference.split(), hypothesis.split(), fillvalue="")
    kinds = {(True, True): "S", (True, False): "D", (False, True): "I"}
    steps = [("=" if left == right else kinds[bool(left), bool(right)], left, right) for left, right in pairs]
    costly = [each for each in differences if each.label is not Label.SAME]
    settings: dict[str, object] = {
        "alignment": tuple(AlignedWords(*step) for step in steps),
        "differences": differences,
        "counts": Counts(
            sum(each.substitutions for each in costly),
            sum(each.deletions for each in costly),
            sum(each.insertions for each in costly),
            len(reference.split()),
        ),
    }
    return SemanticUtterance(identity, reference, hypothesis, **(settings | changes))  # type: ignore[arg-type]


def judged(*rows: SemanticUtterance, judge: str = "openai/gpt-x", **changes: object) -> SemanticScore:
    """The judged score of these utterances, with an interval as wide as half the rate."""
    counts = sum((row.counts for row in rows if row.counts), Counts())
    rate = counts.rate_pct
    settings: dict[str, object] = {
        "counts": counts,
        "interval": None if rate is None else Interval(rate * 0.75, rate * 1.25),
        "upper_bound": judge == "rules",
        "rules_version": 3,
        "task_version": 2,
    }
    return SemanticScore(judge, rows, **(settings | changes))  # type: ignore[arg-type]
