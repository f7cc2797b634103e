"""Stored hypotheses of another run or another machine, read instead of made."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from pytest_asrgate.errors import DatasetError, IntegrityError
from pytest_asrgate.formats.stored import StoredHypotheses
from pytest_asrgate.hashing import file_sha256
from pytest_asrgate.records import Hypothesis, Utterance
from pytest_asrgate.transcribers.protocol import Identity
from pytest_asrgate.values import finite_number, named

__all__ = ["OPTIONS", "ReplayTranscriber", "hypotheses_path"]

OPTIONS = ("hypotheses",)


def hypotheses_path(pattern: str, variant: str, dataset: str) -> str:
    """Fill `{variant}` and `{dataset}` into the `hypotheses` option."""
    return pattern.replace("{variant}", variant).replace("{dataset}", dataset)


class ReplayTranscriber:
    """One file of hypotheses, in any format that `formats.hypotheses` reads.

    The recipe of a header is the recorded contract; what it does not name is unknown, and said to be.
    """

    keeps_results = False
    keeps_process = False
    loads_to_identify = False

    def __init__(self, path: Path) -> None:
        self._path = path
        self._stored: StoredHypotheses | None = None

    def _read(self) -> StoredHypotheses:
        if self._stored is None:
            if not self._path.is_file():
                raise DatasetError(f"{self._path}: there is no such file of hypotheses; check options.hypotheses")
            # Engines have no use for the readers of files.
            from pytest_asrgate.formats.hypotheses import read_hypotheses  # noqa: PLC0415 - see above

            self._stored = read_hypotheses(self._path)
        return self._stored

    def identity(self) -> Identity:
        """The file's own stamps, its hash as fingerprint, and the contract it was recorded under."""
        stored = self._read()
        header = stored.header
        stamp, fixed = header.get("stamp"), header.get("not_controllable")
        return Identity(
            fingerprint=file_sha256(self._path),
            provenance={
                **(stamp if isinstance(stamp, dict) else {"engine": "unknown (not stamped)"}),
                "replayed_from": self._path.name,
            },
            not_controllable=tuple(str(name) for name in fixed) if isinstance(fixed, list) else (),
            recorded_contract=stored.terms,
            load_ms=finite_number(header.get("load_ms")),
        )

    def transcribe(self, utterances: Sequence[Utterance]) -> Iterator[Hypothesis]:
        """Yield the stored row of each utterance.

        Raises IntegrityError naming ids where file and manifest do not match one to one, or where a row was made
        against another reference text.
        """
        stored = self._read()
        wanted = {utterance.id for utterance in utterances}
        missing = [utterance.id for utterance in utterances if utterance.id not in stored.rows]
        unknown = [identity for identity in stored.rows if identity not in wanted]
        changed = [
            utterance.id
            for utterance in utterances
            if stored.references.get(utterance.id, utterance.reference) != utterance.reference
        ]
        faults = []
        if missing:
            faults.append(f"no hypothesis for {named(missing)}")
        if unknown:
            faults.append(f"hypotheses for ids the manifest does not have: {named(unknown)}")
        if changed:
            faults.append(f"another reference text than the manifest for {named(changed)}")
        if faults:
            raise IntegrityError(f"{self._path}: {'; '.join(faults)}")
        for utterance in utterances:
            yield stored.rows[utterance.id]

    def findings(self) -> tuple[str, ...]:
        """None: nothing runs."""
        return ()

    def interrupt(self) -> None:
        """Nothing to end: a file is read in no time."""

    def close(self) -> None:
        """Nothing to end."""
