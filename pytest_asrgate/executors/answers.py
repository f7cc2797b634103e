"""What came of a shard on a cluster: its rows and who decoded them, or one sentence why there are none."""

from collections.abc import Callable, Mapping
from concurrent.futures import CancelledError
from dataclasses import dataclass, replace
from typing import Any

from pytest_asrgate import __version__
from pytest_asrgate.errors import (
    AsrGateError,
    EngineMissingError,
    IntegrityError,
    ModelError,
    ReplacedFileError,
    TranscriberError,
)
from pytest_asrgate.executors.messages import identity_of, redacted_deeply, row_of, unpacked
from pytest_asrgate.records import Hypothesis
from pytest_asrgate.transcribers.protocol import Identity
from pytest_asrgate.values import shown

__all__ = ["Answer", "answer_of", "checked_row"]

_REFUSALS: Mapping[str, type[TranscriberError]] = {
    "EngineMissingError": EngineMissingError,
    "ModelError": ModelError,
    "ReplacedFileError": ReplacedFileError,
}

_Redact = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a worker, known by its address, did with an order."""

    worker: str
    rows: tuple[Hypothesis, ...]
    identity: Identity
    findings: tuple[str, ...]


def checked_row(fields: object, ids: frozenset[str], redact: _Redact) -> Hypothesis:
    """A row of a shard with these ids; IntegrityError for any other."""
    row = row_of(fields)
    if row.id not in ids:
        raise IntegrityError(f"a worker sent a row for {row.id!r}, which is not in its shard")
    return replace(row, detail=redact(row.detail)) if row.detail else row


def answer_of(
    result: Callable[[], object], ids: frozenset[str], expected: Identity | None, redact: _Redact
) -> Answer:
    """The answer that a task's `result` gives for a shard with these ids.

    Raises the error that stands for what the worker refused, IntegrityError for an answer that cannot be used, and
    TranscriberError for whatever Dask raises but CancelledError, which comes as it is.
    """
    try:
        answer = unpacked(result())
    except CancelledError:
        raise
    except AsrGateError as error:
        raise type(error)(redact(str(error))) from error
    except Exception as error:
        # What a cluster can fail on has no end.
        raise TranscriberError(redact(_failure(error, len(ids)))) from error
    worker = str(answer.get("worker"))
    if "refused" in answer:
        kind = _REFUSALS.get(str(answer.get("kind")), TranscriberError)
        raise kind(redact(str(answer["refused"])))
    if "stopped" in answer:
        raise TranscriberError("the run was interrupted")
    if "other" in answer:
        raise TranscriberError(_other(worker, expected, identity_of(redacted_deeply(answer["other"], redact))))
    rows, findings = answer.get("rows"), answer.get("findings")
    if not isinstance(rows, list) or not isinstance(findings, list):
        raise IntegrityError(f"worker {worker} sent no rows but {shown(answer)}")
    return Answer(
        worker=worker,
        rows=tuple(checked_row(fields, ids, redact) for fields in rows),
        identity=identity_of(redacted_deeply(answer.get("identity"), redact)),
        findings=tuple(redact(str(finding)) for finding in findings),
    )


def _failure(error: Exception, utterances: int) -> str:
    """One sentence for what Dask raised."""
    said = f"{type(error).__name__}: {' '.join(str(error).split())[:300]}"
    if type(error).__name__ == "KilledWorker":
        tried: Any = getattr(error, "allowed_failures", 0)
        return (
            f"the Dask cluster gave up a shard of {utterances} utterances, since {tried + 1} workers died over it, "
            "one after the other; their logs may say why (memory?)"
        )
    causes = (error, error.__cause__, error.__context__)
    if any(isinstance(each, ImportError) for each in causes) or "deserializ" in said:
        return (
            f"the Dask cluster cannot read our tasks ({said}); its scheduler and every worker need "
            f"pytest-asrgate {__version__}"
        )
    return f"the Dask cluster failed ({said})"


def _other(worker: str, expected: Identity | None, found: Identity) -> str:
    before = expected.provenance if expected is not None else {}
    differs = [
        f"{name} {found.provenance.get(name)!r}, not {before.get(name)!r}"
        for name in sorted({*before, *found.provenance})
        # What only an engine that runs can tell is no difference of an engine that does not.
        if name in before and name in found.provenance and found.provenance[name] != before[name]
    ]
    return (
        f"worker {worker} is another engine, whose outputs must not be mixed with the others' in one pair: "
        f"{'; '.join(differs) or 'its files, options or environment differ'}; make the cluster's workers alike"
    )
