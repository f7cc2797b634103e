"""One session of a gate: asks a pair for its hypotheses, scores and verdict, and writes its hypothesis file."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

from pytest_asrgate.checks import counted
from pytest_asrgate.config import Dataset, Gate, Pair, Variant, load_gate
from pytest_asrgate.config.thresholds import LATENCY
from pytest_asrgate.errors import AsrGateError
from pytest_asrgate.records import CheckStatus, HypothesisSet, Latency, Score, Verdict
from pytest_asrgate.reports.hypotheses import write_hypotheses
from pytest_asrgate.runs import Observer, Runs
from pytest_asrgate.scoring import chosen_rule, score
from pytest_asrgate.transcribers.registry import kind_problems
from pytest_asrgate.verdict import decide, failed_to_run

__all__ = ["GateSession", "open_gate"]


def open_gate(path: str | os.PathLike[str]) -> Gate:
    """Read a gate file with all its checks; GateFileError with every problem it has."""
    return load_gate(Path(path), kind_problems)


@contextmanager
def _one_family() -> Iterator[None]:
    """Turn what the file system refuses into an AsrGateError, so that callers need to know one family only."""
    try:
        yield
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        raise AsrGateError(f"{place}{error.strerror or error}") from error


class GateSession:
    """Judges pairs of one gate; every pair obtains its own baseline, so their order does not matter.

    A context manager: leaving it ends every engine and closes the store. `observer` is told how far a pair is.
    """

    def __init__(self, gate: Gate, observer: Observer | None = None) -> None:
        self.gate = gate
        self._runs = Runs(gate, observer)
        self._scores: dict[tuple[str, str], Score | AsrGateError] = {}

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
        scored = score(made, dataset, data)
        folder = self.gate.state / "reports" / "wer"
        try:
            write_hypotheses(folder, scored.hypotheses, data.utterances, self.gate.recipe.timestamps)
        except OSError as error:
            raise AsrGateError(f"{folder}: hypotheses cannot be written ({error.strerror})") from error
        return scored

    def hypotheses(self, variant: str, dataset: str) -> HypothesisSet:
        """A pair's hypotheses in manifest order, transcribed at most once; AsrGateError where there are none."""
        pair = self.gate.pair(variant, dataset)
        with _one_family():
            return self._runs.hypotheses(pair.variant, pair.dataset)

    def score(self, variant: str, dataset: str) -> Score:
        """The scored run of a pair, transcribed at most once a session; AsrGateError where there is none."""
        pair = self.gate.pair(variant, dataset)
        key = variant, dataset
        if key not in self._scores:
            try:
                with _one_family():
                    self._scores[key] = self._fresh_score(pair.variant, pair.dataset)
            except AsrGateError as error:
                self._scores[key] = error
        found = self._scores[key]
        if isinstance(found, AsrGateError):
            raise found
        return found

    def _baseline(self, variant: str, dataset: str) -> tuple[Score | None, str]:
        """The baseline's score, or one sentence why it cannot serve as one."""
        try:
            found = self.score(variant, dataset)
        except AsrGateError as error:
            return None, f"there is no baseline: {error}"
        limit = self.gate.pair(variant, dataset).thresholds.limits().get("errors")
        lost = counted("errors", found, limit)
        if lost.status is CheckStatus.ERROR:
            return None, f"the baseline {variant} is incomplete: {lost.value} error rows; {lost.detail}"
        return found, ""

    def verdict(self, variant: str, dataset: str) -> Verdict:
        """Judge one pair; whatever keeps it from being judged is an ERROR verdict, never an exception of ours.

        Only a name that the gate does not have is an UnknownNameError.
        """
        pair = self.gate.pair(variant, dataset)
        baseline_name = pair.variant.baseline
        is_baseline = baseline_name == variant
        try:
            found = self.score(variant, dataset)
        except AsrGateError as error:
            return failed_to_run(pair, error, is_baseline=is_baseline)
        baseline, problem = None, ""
        if baseline_name is not None and not is_baseline:
            baseline, problem = self._baseline(baseline_name, dataset)
        latency, latency_problem = self._latency(pair, is_baseline=is_baseline)
        return decide(
            pair,
            found,
            baseline,
            problem,
            is_baseline=is_baseline,
            latency=latency,
            latency_problem=latency_problem,
        )

    def _latency(self, pair: Pair, *, is_baseline: bool) -> tuple[Latency | None, str]:
        """The latency probe where a limit asks for it, or one sentence why there is none."""
        asked = LATENCY & pair.thresholds.limits().keys()
        if not asked or (is_baseline and asked == {"latency_ratio"}):
            return None, ""
        name = None if is_baseline else pair.variant.baseline
        try:
            with _one_family():
                against = self.gate.variants[name] if name else None
                return self._runs.latency(pair.variant, against, pair.dataset), ""
        except AsrGateError as error:
            return None, str(error)

    def release(self) -> None:
        """End every engine that runs: a variant's pairs are done, and so is what they needed of its baseline."""
        self._runs.release()

    def close(self) -> None:
        """End everything that runs; calling it twice is fine."""
        self._runs.close()
