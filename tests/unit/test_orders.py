"""What a worker is told."""

import json
import pickle
from pathlib import Path

import pytest

from pytest_asrgate.config import ExecutorSettings
from pytest_asrgate.errors import ModelError, TranscriberError
from pytest_asrgate.executors.orders import Orders
from pytest_asrgate.hashing import FileHashes, file_sha256
from tests.unit.cluster_stand_ins import clips, order_of, small_gate, variant_of


def test_an_order_holds_plain_values_and_no_secret_or_reference(tmp_path: Path) -> None:
    """A worker of another version must be able to read it, and learns nothing that it does not need."""
    gate = small_gate(tmp_path, ExecutorSettings(kind="dask"), {"hunter2-hunter2": "${TOKEN}"})
    orders = Orders(gate, FileHashes(), "run", here=False)
    order = orders.order(variant_of(tmp_path), clips(tmp_path, "a"), number="1", generation=0, expected=None)
    assert json.loads(json.dumps(order)) == order
    assert b"pytest_asrgate." not in pickle.dumps(order)
    assert not any(word in json.dumps(order) for word in ("hunter2", "secret reference"))


def test_model_and_audio_are_named_as_they_are_there_with_the_bytes_that_are_here(tmp_path: Path) -> None:
    """Folders lead, hashes bind."""
    order = order_of(tmp_path, "a", executor=ExecutorSettings(kind="dask", folders={tmp_path: "/there"}))
    assert order["folder"] == "/there"
    assert order["model"]["there"] == "/there/model.bin"
    assert order["model"]["sha256"] == file_sha256(tmp_path / "model.bin")
    assert order["utterances"][0]["there"] == "/there/a.wav"
    assert order["utterances"][0]["sha256"] == file_sha256(tmp_path / "a.wav")
    assert order["state"] is None


def test_workers_of_this_machine_share_its_places(tmp_path: Path) -> None:
    """As many model processes as are configured, whoever starts them."""
    gate = small_gate(tmp_path, ExecutorSettings(kind="dask", workers=2))
    order = Orders(gate, FileHashes(), "run", here=True).order(
        variant_of(tmp_path), (), number="1", generation=0, expected=None
    )
    assert order["places"] == {"folder": str(tmp_path / "state" / "locks"), "count": 2}
    assert order["state"] == str(tmp_path / "state")


def test_a_file_that_cannot_be_read_here_is_one_sentence(tmp_path: Path) -> None:
    """It has no hash that a worker could check."""
    gate = small_gate(tmp_path, ExecutorSettings(kind="dask"))
    orders, (clip,) = Orders(gate, FileHashes(), "run", here=False), clips(tmp_path, "a")
    clip.audio.unlink()
    with pytest.raises(TranscriberError, match=r"variant\.q8_0: .*a\.wav cannot be read any more"):
        orders.order(variant_of(tmp_path), [clip], number="1", generation=0, expected=None)
    (tmp_path / "model.bin").unlink()
    with pytest.raises(ModelError, match=r"variant\.q8_0\.model: .*model\.bin cannot be read"):
        orders.order(variant_of(tmp_path), (), number="1", generation=0, expected=None)
