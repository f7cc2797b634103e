"""The repeat check: a few utterances are decoded again and again, and must come out as they were stored.

A preset whose engine flips has no one word error rate; a difference smaller than its flips says nothing.
"""

import json
import platform
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from pytest_asrgate.errors import AsrGateError, TranscriberError
from pytest_asrgate.records import Flip, Hypothesis, Repeats, RowStatus, Utterance
from pytest_asrgate.transcribers.protocol import Transcriber
from pytest_asrgate.values import named

__all__ = ["decode_again", "from_record", "output_of", "to_record"]


def output_of(row: Hypothesis) -> str:
    """What two decodings are compared by: the text as it came, and the status where it is not an ordinary one."""
    return row.text if row.status is RowStatus.OK else f"{row.text} [{row.status.value}]"


def _decoded(transcriber: Transcriber, clips: Sequence[Utterance]) -> dict[str, Hypothesis]:
    rows = {row.id: row for row in transcriber.transcribe(clips)}
    missing = [clip.id for clip in clips if clip.id not in rows]
    if missing:
        raise TranscriberError(f"no row came for {named(missing)} when it was decoded again")
    return rows


def decode_again(
    transcriber: Transcriber,
    clips: Sequence[Utterance],
    stored: Mapping[str, Hypothesis],
    *,
    decodings: int,
    seed: int,
) -> Repeats:
    """Decode `clips` again `decodings` times and compare each output with the `stored` one of its id.

    The engine's process is ended after the first time, since one may answer alike while it lives and otherwise
    after a start. Every other time the clips go in reverse order, so that what one leaves behind in the engine
    shows in the next. Raises TranscriberError where the engine cannot be started.
    """
    outputs = {clip.id: {output_of(stored[clip.id]): None} for clip in clips}
    failed: dict[str, str] = {}
    for number in range(decodings):
        if number == 1:
            transcriber.close()
        for name, row in _decoded(transcriber, clips[:: -1 if number % 2 else 1]).items():
            if row.status is RowStatus.ERROR:
                failed.setdefault(name, f"{name}: {row.detail}")
            elif name in outputs:
                outputs[name][output_of(row)] = None
    lost = [clip.id for clip in clips if clip.id in failed]
    return Repeats(
        utterances=len(clips),
        decodings=decodings,
        flips=tuple(Flip(name, tuple(found)) for name, found in outputs.items() if len(found) > 1),
        failed=tuple(lost),
        failure=failed[lost[0]] if lost else "",
        seed=seed,
        host=platform.node(),
        measured=datetime.now(UTC).isoformat(timespec="seconds"),
    )


def to_record(repeats: Repeats) -> str:
    """Repeats as the text that the store keeps."""
    return json.dumps(asdict(repeats))


def from_record(text: str) -> Repeats:
    """The repeats that `to_record` wrote; AsrGateError where the text is something else."""
    try:
        fields: dict[str, Any] = json.loads(text)
        flips = tuple(Flip(flip["id"], tuple(flip["outputs"])) for flip in fields.pop("flips"))
        return Repeats(**{**fields, "flips": flips, "failed": tuple(fields["failed"])})
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise AsrGateError(f"a stored repeat check cannot be read ({error})") from error
