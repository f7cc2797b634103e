"""Claims about the processes that decode: one that crashes, hangs, grows or lies costs only its sound."""

import errno
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from pytest_asrgate.errors import TranscriberError
from pytest_asrgate.ingest.decoders import DECODER_PROGRAM, Decoders, Limits
from pytest_asrgate.ingest.sounds import Order, Written

from .ingests import wave

# A decoder that does what the name of the file says; it needs no module of ours.
STAND_IN = """
import json, os, sys, time
for line in os.fdopen(int(sys.argv[1])):
    order = json.loads(line)
    name = os.path.basename(order.get("path", ""))
    answer = json.dumps({"ready": True} if not order else {"sha256": "0", "duration_s": 1.0})
    if name == "crash": os.abort()
    if name == "hang": time.sleep(3600)
    if name == "nonsense": answer = "no json"
    if name == "other": answer = '{"sha256": 1}'
    if name == "nan": answer = '{"sha256": "0", "duration_s": NaN}'
    if name == "grow": hold = b"x" * 300_000_000
    os.write(int(sys.argv[2]), answer.encode() + b"\\n")
    if name == "grow": time.sleep(3600)
"""
PROGRAM = (sys.executable, "-c", STAND_IN, "{requests}", "{answers}")


def _order(path: Path) -> Order:
    return Order(str(path), g722=False, start_s=0.0, end_s=None, channel=None, target=f"{path}.out", format="wav")


def _decoders(program: Sequence[str] = PROGRAM, **fields: Any) -> Decoders:
    return Decoders(1, Limits(program=program, **fields))


@pytest.mark.parametrize(
    ("name", "sentence", "limits"),
    [
        ("crash", "cannot be decoded: the decoder's process ended with signal 6 (SIGABRT)", {}),
        ("hang", "cannot be decoded: no answer within 0.2 s", {"timeout_s": 0.2}),
        ("nonsense", "cannot be decoded: the decoder answered with no JSON object: 'no json'", {}),
        ("other", "cannot be decoded: the decoder answered with something else than was asked", {}),
        ("nan", "cannot be decoded: the decoder answered with something else than was asked", {}),
        ("grow", "cannot be decoded: the decoder's process grew to", {"memory_mb": 200}),
    ],
)
def test_a_fault_costs_its_sound_and_no_other(name: str, sentence: str, limits: dict[str, Any]) -> None:
    """One sentence that names the file, and the next sound is decoded by a new process."""
    decoders = _decoders(**limits)
    try:
        found = decoders.write(_order(Path("/x") / name))
        assert isinstance(found, str)
        assert found.startswith(f"/x/{name}: {sentence}")
        if name != "hang":
            assert decoders.write(_order(Path("/x/fine"))) == Written("0", 1.0)
    finally:
        decoders.close()


def test_no_process_at_all_is_the_end() -> None:
    """Where none can be started, no sound can be blamed for it."""
    for program in (("/no/such/program",), (sys.executable, "-c", "raise SystemExit('broken')")):
        decoders = _decoders(program)
        with pytest.raises(TranscriberError, match="the process that decodes cannot be started: "):
            decoders.write(_order(Path("a")))
        decoders.close()


def test_a_target_that_cannot_be_written_is_no_fault_of_the_sound(tmp_path: Path) -> None:
    """It raises what the system said, with the target's name."""
    decoders = _decoders(DECODER_PROGRAM)
    order = _order(wave(tmp_path / "a.wav"))
    try:
        (tmp_path / "a.wav.out").mkdir()
        with pytest.raises(IsADirectoryError) as caught:
            decoders.write(order)
        assert caught.value.errno == errno.EISDIR
        assert caught.value.filename == order.target
        (tmp_path / "a.wav.out").rmdir()
        assert isinstance(decoders.write(order), Written)
    finally:
        decoders.close()


def test_killing_them_frees_whoever_waits() -> None:
    """As when a run is interrupted: nobody waits for a sound that hangs, and no process is started any more."""
    decoders = _decoders(timeout_s=600)
    found: list[object] = []
    started = threading.Event()

    def work() -> None:
        decoders.write(_order(Path("/x/fine")))
        started.set()
        found.append(decoders.write(_order(Path("/x/hang"))))

    thread = threading.Thread(target=work)
    thread.start()
    assert started.wait(60)
    decoders.kill()
    thread.join(60)
    assert not thread.is_alive()
    assert "cannot be decoded" in str(found)
    with pytest.raises(TranscriberError, match="it was ended"):
        decoders.write(_order(Path("/x/fine")))
    decoders.close()
    decoders.close()
