"""One session of a gate: asks a pair for its hypotheses, scores and verdict, and writes its hypothesis file."""

import errno
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from pytest_asrgate.checks import counted, judge_errors
from pytest_asrgate.config import Dataset, Gate, Pair, Variant, load_gate
from pytest_asrgate.config.thresholds import LATENCY
from pytest_asrgate.early import decided, decoding_order, looks, may_end_early
from pytest_asrgate.errors import AsrGateError, with_mend
from pytest_asrgate.feasibility import unreachable_margins
from pytest_asrgate.judged import JudgedScores
from pytest_asrgate.metrics.normalised import NormalisedTexts
from pytest_asrgate.records import (
    CheckStatus,
    HypothesisSet,
    IntentScore,
    Judged,
    Judgement,
    Latency,
    Repeats,
    Score,
    SemanticScore,
    Verdict,
)
from pytest_asrgate.reports.hypotheses import write_hypotheses
from pytest_asrgate.runs import Observer, Runs
from pytest_asrgate.scoring import chosen_rule, score
from pytest_asrgate.statistics import look_sizes
from pytest_asrgate.transcribers.registry import kind_problems
from pytest_asrgate.values import plural
from pytest_asrgate.verdict import decide, failed_to_run

__all__ = ["GateSession", "open_gate"]

_Made = TypeVar("_Made")
_JudgedScore = TypeVar("_JudgedScore", SemanticScore, IntentScore)


def open_gate(path: str | os.PathLike[str]) -> Gate:
    """Read a gate file with all its checks; GateFileError with every problem it has."""
    return load_gate(Path(path), kind_problems)


_EARLY = "an early run judges what it decodes by error rate only; run it in full"
_NOT_EARLY = Judgement(Judged(problem=_EARLY), Judged(problem=_EARLY))

# Utterances, of all scores together that nobody needs for sure; about 60 MB. Scores of baselines, data sets and
# their normalised references stay beside it: they grow with the data sets, and not with the variants.
_KEPT_UTTERANCES = 50_000


# What the system says where writing is not allowed at all, as in a folder that was handed over to be read only.
_NOT_ALLOWED = frozenset({errno.EROFS, errno.EACCES, errno.EPERM})


@contextmanager
def _one_family() -> Iterator[None]:
    """Turn what the file system refuses into an AsrGateError, so that callers need to know one family only."""
    try:
        yield
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        raise AsrGateError(with_mend(f"{place}{error.strerror or error}", error)) from error


def _made_once(
    known: dict[tuple[str, str], _Made | AsrGateError], pair: tuple[str, str], make: Callable[[], _Made]
) -> _Made:
    """What is known of a pair, made if nothing is; an error is known too, and raised again."""
    if pair not in known:
        try:
            with _one_family():
                known[pair] = make()
        except AsrGateError as error:
            known[pair] = error
    found = known[pair]
    if isinstance(found, AsrGateError):
        raise found
    return found


class GateSession:
    """Judges pairs of one gate; every pair obtains its own baseline, so their order does not matter.

    A context manager: leaving it ends every engine and closes the store. `observer` is told how far a pair is.
    """

    def __init__(self, gate: Gate, observer: Observer | None = None) -> None:
        self.gate = gate
        self._runs = Runs(gate, observer)
        self._texts = NormalisedTexts(self._runs.store)
        # Each once, with the next verdict.
        self._notes: dict[str, None] = {}
        self._told: set[str] = set()
        self._scores: dict[tuple[str, str], Score | AsrGateError] = {}
        self._judged = JudgedScores(gate)
        self._semantics: dict[tuple[str, str], SemanticScore | AsrGateError] = {}
        self._intents: dict[tuple[str, str], IntentScore | AsrGateError] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def transcribed(self) -> int:
        """How many utterances engines finished so far in this session."""
        return self._runs.transcribed

    @property
    def failed(self) -> int:
        """How many utterances engines failed on so far in this session."""
        return self._runs.failed

    def _fresh_score(self, variant: Variant, dataset: Dataset) -> Score:
        data = self._runs.dataset(dataset)
        # Before hours of decoding, not after: what cannot be scored need not be transcribed.
        chosen_rule(dataset, data)
        made = self._runs.hypotheses(variant, dataset)
        scored = score(made, dataset, data, self._texts)
        folder = self.gate.state / "reports" / "wer"
        try:
            write_hypotheses(folder, scored.hypotheses, data.utterances, self.gate.recipe.timestamps)
        except OSError as error:
            problem = f"{folder}: hypotheses cannot be written ({error.strerror})"
            if error.errno not in _NOT_ALLOWED:
                # A fault, and a rerun has them without decoding anything.
                raise AsrGateError(with_mend(problem, error)) from error
            # Whoever may only read can judge all the same.
            self._notes[f"{problem}; the verdicts do not need them"] = None
        return scored

    def hypotheses(self, variant: str, dataset: str) -> HypothesisSet:
        """A pair's hypotheses in manifest order, transcribed at most once; AsrGateError where there are none."""
        pair = self.gate.pair(variant, dataset)
        with _one_family():
            return self._runs.hypotheses(pair.variant, pair.dataset)

    def score(self, variant: str, dataset: str) -> Score:
        """The scored run of a pair, transcribed at most once a session; AsrGateError where there is none."""
        pair = self.gate.pair(variant, dataset)
        if (variant, dataset) not in self._scores:
            self._make_room()
        return _made_once(self._scores, (variant, dataset), lambda: self._fresh_score(pair.variant, pair.dataset))

    def semantics(self, variant: str, dataset: str) -> SemanticScore:
        """The semantic error rate of a pair, judged at most once a session; AsrGateError where there is none.

        Asks the judge that the gate file names, also where the data set does not buy it for the gate.
        """
        scored = self.score(variant, dataset)

        def judged() -> SemanticScore:
            data = self._runs.dataset(self.gate.datasets[dataset])
            return self._judged.semantics(scored, data.utterances)

        return _made_once(self._semantics, (variant, dataset), judged)

    def intents(self, variant: str, dataset: str) -> IntentScore:
        """Intent and entities of a pair, judged at most once a session; AsrGateError where there is nothing.

        Asks the judge that the gate file names, also where the data set does not buy it for the gate.
        """
        scored = self.score(variant, dataset)

        def judged() -> IntentScore:
            data = self._runs.dataset(self.gate.datasets[dataset])
            limits = self.gate.pair(variant, dataset).thresholds.limits()
            return self._judged.intents(scored, data.utterances, limits.keys())

        return _made_once(self._intents, (variant, dataset), judged)

    def _judgement(self, pair: Pair, baseline: Score | None) -> Judgement:
        """What the judge says of a pair and its baseline, or one sentence for each side why it says nothing."""
        bought = pair.dataset.judged
        return Judgement(
            self._sides(pair, baseline, self.semantics) if "semantic" in bought else Judged(),
            self._sides(pair, baseline, self.intents) if "intent" in bought else Judged(),
        )

    def _sides(
        self, pair: Pair, baseline: Score | None, judged: Callable[[str, str], _JudgedScore]
    ) -> Judged[_JudgedScore]:
        """One kind of score of a pair and of its baseline."""
        try:
            found = judged(pair.variant.name, pair.dataset.name)
        except AsrGateError as error:
            return Judged(problem=str(error))
        if baseline is None:
            return Judged(found)
        name = baseline.hypotheses.variant
        try:
            before = judged(name, pair.dataset.name)
        except AsrGateError as error:
            return Judged(found, baseline_problem=f"the baseline cannot be judged: {error}")
        limit = self.gate.pair(name, pair.dataset.name).thresholds.limits().get("judge_errors")
        failed = judge_errors([before], limit)
        if failed.status is CheckStatus.ERROR:
            # What the judge failed on is just what differs: the rest would compare well with anything.
            # The first sentence says what to do; how many of how many is told with the baseline's own checks.
            first, count = before.judge_errors[0], plural(len(before.judge_errors), "judge error")
            problem = f"the baseline {name} is incomplete: {count}; {first.id}: {first.judge_error}"
            return Judged(found, before, baseline_problem=problem)
        return Judged(found, before)

    def _make_room(self) -> None:
        """Let go of the oldest scores where these are many, before another one is made.

        The store, or a file, has what they were made of. A baseline's stay, since its variants follow.
        """
        baselines = {variant.baseline for variant in self.gate.variants.values()}
        sizes = {
            key: len(found.utterances)
            for key, found in self._scores.items()
            if isinstance(found, Score) and key[0] not in baselines
        }
        over = sum(sizes.values()) - _KEPT_UTTERANCES
        for key, size in sizes.items():
            if over <= 0:
                break
            over -= size
            del self._scores[key]
            self._semantics.pop(key, None)
            self._intents.pop(key, None)
            self._runs.forget(*key)

    def _baseline(self, variant: str, dataset: str) -> tuple[Score | None, str]:
        """The baseline's score, or one sentence why it cannot serve as one."""
        try:
            found = self.score(variant, dataset)
        except AsrGateError as error:
            return None, f"there is no baseline: {error}"
        problem = self._too_many_lost(variant, dataset, found)
        return (None, problem) if problem else (found, "")

    def _too_many_lost(self, variant: str, dataset: str, found: Score) -> str:
        """Why a score with that many error rows cannot serve as a baseline; empty where it can."""
        limit = self.gate.pair(variant, dataset).thresholds.limits().get("errors")
        lost = counted("errors", found, limit)
        if lost.status is not CheckStatus.ERROR:
            return ""
        return f"the baseline {variant} is incomplete: {lost.value} error rows; {lost.detail}"

    def verdict(self, variant: str, dataset: str) -> Verdict:
        """Judge one pair; whatever keeps it from being judged is an ERROR verdict, never an exception of ours.

        Only a name that the gate does not have is an UnknownNameError.
        """
        found = self._verdict(variant, dataset)
        notes = [*self._runs.take_notes(), *self._judged.take_notes(), *self._notes]
        news = [note for note in notes if note not in self._told]
        self._notes.clear()
        self._told.update(news)
        return replace(found, warnings=(*found.warnings, *news)) if news else found

    def _verdict(self, variant: str, dataset: str) -> Verdict:
        pair = self.gate.pair(variant, dataset)
        baseline_name = pair.variant.baseline
        is_baseline = baseline_name == variant
        if self.gate.stop_early and baseline_name is not None and not is_baseline and may_end_early(pair):
            try:
                with _one_family():
                    # A set with one look is decoded in full anyway.
                    if len(look_sizes(len(self._runs.dataset(pair.dataset).utterances))) > 1:
                        return self._early_verdict(pair, self.gate.variants[baseline_name])
            except AsrGateError as error:
                return failed_to_run(pair, error)
        try:
            found = self.score(variant, dataset)
        except AsrGateError as error:
            return failed_to_run(pair, error, is_baseline=is_baseline)
        baseline, problem = None, ""
        if baseline_name is not None and not is_baseline:
            baseline, problem = self._baseline(baseline_name, dataset)
        latency, latency_problem = self._latency(pair, is_baseline=is_baseline)
        repeats, repeats_problem = self._repeats(pair)
        judgement = self._judgement(pair, baseline)
        return decide(
            pair,
            found,
            baseline,
            problem,
            is_baseline=is_baseline,
            latency=latency,
            latency_problem=latency_problem,
            repeats=repeats,
            repeats_problem=repeats_problem,
            judgement=judgement,
        )

    def _early_verdict(self, pair: Pair, against: Variant) -> Verdict:
        """Decode variant and baseline look by look, in the fixed order, until the pair is decided.

        No hypothesis file is written: a part of the set must not be taken for the whole.
        """
        data, seed = self._runs.dataset(pair.dataset), self.gate.early_seed
        chosen_rule(pair.dataset, data)
        order = decoding_order(data, seed)
        self._runs.fix_order(pair.variant, against, pair.dataset, seed, order)
        timed: tuple[Latency | None, str] | None = None
        again: tuple[Repeats | None, str] | None = None
        for look in looks(len(order), seed):
            places = order[: look.utterances]
            part = data.part(places)
            before: Score | None = None
            try:
                made = self._runs.hypotheses(against, pair.dataset, places)
                before = score(made, pair.dataset, part, self._texts)
                problem = self._too_many_lost(against.name, pair.dataset.name, before)
            except AsrGateError as error:
                problem = f"there is no baseline: {error}"
            made = self._runs.hypotheses(pair.variant, pair.dataset, places)
            found = score(made, pair.dataset, part, self._texts)
            timed = timed or self._latency(pair, is_baseline=False, places=places)
            again = again or self._repeats(pair, places)
            verdict = decide(
                pair,
                found,
                None if problem else before,
                problem,
                latency=timed[0],
                latency_problem=timed[1],
                repeats=again[0],
                repeats_problem=again[1],
                judgement=_NOT_EARLY if pair.dataset.judged else Judgement(),
                look=look,
            )
            # Without a baseline no further utterance decides anything.
            if verdict.baseline_score is None or decided(verdict):
                break
        return verdict

    def unreachable_margins(self, pairs: Sequence[tuple[str, str]]) -> list[str]:
        """A sentence for each margin of these (variant, dataset) pairs that even identical outputs could not keep.

        Reads manifests only; data sets that cannot be read are left out, since their own verdict says why.
        """
        found = []
        for names in pairs:
            pair = self.gate.pair(*names)
            if pair.variant.baseline in {None, pair.variant.name}:
                continue
            with suppress(AsrGateError, OSError):
                found.append((pair, self._runs.dataset(pair.dataset)))
        return unreachable_margins(found, early=self.gate.stop_early)

    def _latency(
        self, pair: Pair, *, is_baseline: bool, places: Sequence[int] | None = None
    ) -> tuple[Latency | None, str]:
        """The latency probe where a limit asks for it, or one sentence why there is none."""
        asked = LATENCY & pair.thresholds.limits().keys()
        if not asked or (is_baseline and asked == {"latency_ratio"}):
            return None, ""
        name = None if is_baseline else pair.variant.baseline
        try:
            with _one_family():
                against = self.gate.variants[name] if name else None
                return self._runs.latency(pair.variant, against, pair.dataset, places), ""
        except AsrGateError as error:
            return None, str(error)

    def _repeats(self, pair: Pair, places: Sequence[int] | None = None) -> tuple[Repeats | None, str]:
        """The repeat check where the transcriber asks for it, or one sentence why there is none."""
        if pair.variant.transcriber.repeat == 1:
            return None, ""
        try:
            with _one_family():
                return self._runs.repeats(pair.variant, pair.dataset, places), ""
        except AsrGateError as error:
            return None, str(error)

    def release(self) -> None:
        """End every engine that runs: a variant's pairs are done, and so is what they needed of its baseline."""
        self._runs.release()

    def close(self) -> None:
        """End everything that runs; calling it twice is fine."""
        self._judged.close()
        self._runs.close()
