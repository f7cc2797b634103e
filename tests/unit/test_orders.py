"""What a worker is told."""

import json
import pickle
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_asrgate.config import ExecutorSettings
from pytest_asrgate.errors import ModelError
from pytest_asrgate.executors.orders import Orders
from pytest_asrgate.hashing import FileHashes, file_sha256
from tests.unit.cluster_stand_ins import clips, order_of, small_gate, variant_of


def test_an_order_holds_plain_values_and_nothing_that_an_engine_does_not_need(tmp_path: Path) -> None:
    """A worker of another version must be able to read it; it learns no reference and no secret but one that an
    option of its engine is made of."""
    secrets = {"hunter2-hunter2": "${TOKEN}", "of-something-else": "${OTHER}"}
    gate = small_gate(tmp_path, ExecutorSettings(kind="dask"), secrets)
    variant = variant_of(tmp_path)
    variant = replace(variant, transcriber=replace(variant.transcriber, options={"key": "hunter2-hunter2"}))
    orders = Orders(gate, FileHashes(), "run", here=False)
    audio, _ = orders.audio(clips(tmp_path, "a"))
    order = orders.order(variant, audio, number="1", generation=0, expected=None)
    text = json.dumps(order)
    assert json.loads(text) == order
    assert b"pytest_asrgate." not in pickle.dumps(order)
    # Without it the engine would not start.
    assert "hunter2-hunter2" in text
    assert not any(word in text for word in ("TOKEN", "of-something-else", "secret reference"))


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


def test_audio_that_cannot_be_read_here_is_an_error_row(tmp_path: Path) -> None:
    """It has no hash that a worker could check; the rest is none the worse."""
    gate = small_gate(tmp_path, ExecutorSettings(kind="dask"))
    orders, shard = Orders(gate, FileHashes(), "run", here=False), clips(tmp_path, "a", "b", "c")
    shard[0].audio.unlink()
    shard[1].audio.unlink()
    shard[1].audio.mkdir()
    audio, lost = orders.audio(shard)
    assert [item["id"] for item in audio] == ["c"]
    assert [(row.id, row.detail) for row in lost] == [
        ("a", f"{shard[0].audio}: no such audio file"),
        ("b", f"{shard[1].audio}: not a regular file"),
    ]


def test_a_model_that_cannot_be_read_here_is_one_sentence(tmp_path: Path) -> None:
    """It has no hash that a worker could check."""
    gate = small_gate(tmp_path, ExecutorSettings(kind="dask"))
    (tmp_path / "model.bin").unlink()
    with pytest.raises(ModelError, match=r"variant\.q8_0\.model: .*model\.bin cannot be read"):
        Orders(gate, FileHashes(), "run", here=False).order(
            variant_of(tmp_path), (), number="1", generation=0, expected=None
        )
