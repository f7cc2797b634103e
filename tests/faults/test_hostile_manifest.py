"""What a manifest may name without harm: climbing paths, links, devices, pipes, files that lie about themselves."""

import json
import os
import socket
import struct
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import soundfile

from pytest_asrgate import audio
from pytest_asrgate.audio import audio_length, read_audio
from pytest_asrgate.config import Recipe
from pytest_asrgate.datasets.load import count_utterances, hash_audio, length_problem, load_dataset
from pytest_asrgate.errors import AudioError, DatasetError
from pytest_asrgate.jsonlines import read_object
from pytest_asrgate.records import Utterance
from pytest_asrgate.session import open_gate
from tests.integration.conftest import SENTENCES, GateProject
from tests.unit.builders import dataset, loaded, utterances, write_lines

ROW = {"id": "u1", "audio": "a.wav", "ref_text": "one cat", "language": "en"}


def _manifest(folder: Path, written: str) -> Path:
    return write_lines(folder / "manifest.jsonl", {**ROW, "id": "u0"}, {**ROW, "audio": written})


@pytest.mark.parametrize("written", ["../a.wav", "clips/../../a.wav", "./../../../etc/passwd", "..", "../"])
def test_a_relative_path_stays_in_its_folder(tmp_path: Path, written: str) -> None:
    """One that climbs out is refused by line and id, with the key that allows it; with that key it is a path."""
    path = _manifest(tmp_path, written)
    with pytest.raises(DatasetError) as caught:
        load_dataset(dataset(manifest=path), Recipe())
    assert str(caught.value) == (
        f"{path}:2 (u1): audio climbs out of the manifest's folder: {written!r}; "
        "keep the audio there, or set dataset.prompts.audio_outside = true"
    )
    found = load_dataset(dataset(manifest=path, audio_outside=True), Recipe())
    assert found.utterances[1].audio == tmp_path / written


@pytest.mark.parametrize("written", ["a.wav", "clips/../a.wav", "..a/..", "...", "/data/corpus/a.wav", "/a/../b"])
def test_other_paths_are_taken_as_written(tmp_path: Path, written: str) -> None:
    """Inside its folder a path may go about as it likes, and an absolute one is somebody's word on this machine."""
    found = load_dataset(dataset(manifest=_manifest(tmp_path, written)), Recipe())
    assert found.utterances[1].audio == tmp_path / written


def test_a_gate_file_says_what_is_allowed(tmp_path: Path) -> None:
    """Both keys reach the data set they stand in; without them no path climbs, and four hours are the bound."""
    path = tmp_path / "gate.toml"
    path.write_text(
        """
        [transcriber.t]
        kind = "replay"
        options = { hypotheses = "h.jsonl" }
        [variant.f32]
        [dataset.strict]
        manifest = "m.jsonl"
        [dataset.lax]
        manifest = "m.jsonl"
        audio_outside = true
        max_audio_s = 30.5
        """
    )
    found = open_gate(path).datasets
    assert (found["strict"].audio_outside, found["strict"].max_audio_s) == (False, 14_400.0)
    assert (found["lax"].audio_outside, found["lax"].max_audio_s) == (True, 30.5)


def test_links_to_a_shared_corpus_are_followed(tmp_path: Path) -> None:
    """A link to a file, and to a folder, anywhere on the disk is the file that it leads to."""
    (tmp_path / "corpus").mkdir()
    soundfile.write(tmp_path / "corpus" / "a.wav", np.zeros(1600), 16_000)
    (tmp_path / "set").mkdir()
    (tmp_path / "set" / "clips").symlink_to(tmp_path / "corpus")
    (tmp_path / "set" / "a.wav").symlink_to("../corpus/a.wav")
    rows = [{**ROW, "id": "u0"}, {**ROW, "audio": "clips/a.wav"}]
    found = load_dataset(dataset(manifest=write_lines(tmp_path / "set" / "manifest.jsonl", *rows)), Recipe())
    hashes, unreadable = hash_audio(found)
    assert (len(set(hashes.values())), len(hashes), unreadable) == (1, 2, {})
    assert [len(read_audio(utterance.audio)) for utterance in found.utterances] == [1600, 1600]


def _spoken(path: Path) -> Utterance:
    """One utterance with this audio."""
    return replace(utterances("one cat")[0], audio=path)


def _link(target: str) -> Callable[[Path], None]:
    return lambda path: path.symlink_to(target)


def _socket(path: Path) -> None:
    # The kernel allows 107 bytes in such a name, so it is made from inside the folder.
    here = Path.cwd()
    os.chdir(path.parent)
    try:
        with socket.socket(socket.AF_UNIX) as one:
            one.bind(path.name)
    finally:
        os.chdir(here)


def _sparse(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(1 << 40)


STRANGE: dict[str, tuple[Callable[[Path], object], str]] = {
    "zero": (_link("/dev/zero"), "not a regular file"),
    "random": (_link("/dev/random"), "not a regular file"),
    "stdin": (_link("/dev/ptmx"), "not a regular file"),
    "folder": (Path.mkdir, "not a regular file"),
    "pipe": (os.mkfifo, "not a regular file"),
    "socket": (_socket, "not a regular file"),
    "loop": (lambda path: path.symlink_to(path.name), "no such audio file"),
    "under a file": (_link("/etc/passwd/a.wav"), "no such audio file"),
    # Reading this one waits for the kernel's next message, for ever.
    "kernel messages": (_link("/proc/kmsg"), "cannot be read as audio (the file is empty)"),
    "own memory": (_link("/proc/self/mem"), "cannot be read as audio (the file is empty)"),
    "a terabyte of nothing": (_sparse, "larger than 32 GB; split it"),
}


@pytest.mark.parametrize("kind", STRANGE)
def test_what_is_no_regular_file_is_never_opened(
    tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Devices, pipes, sockets, folders, /proc and the endless: one sentence from their entry on the disk alone."""
    make, fact = STRANGE[kind]
    path = tmp_path / "x.wav"
    make(path)

    def opened(*_: object, **__: object) -> None:
        raise AssertionError(f"{path} was opened")

    monkeypatch.setattr(Path, "open", opened)
    monkeypatch.setattr(soundfile, "SoundFile", opened)
    spoken = loaded([_spoken(path)])
    assert hash_audio(spoken) == ({}, {"u1": f"{path}: {fact}"})
    with pytest.raises(AudioError) as caught:
        read_audio(path)
    assert str(caught.value) == f"{path}: {fact}"


def _wav(path: Path, *, channels: int = 1, rate: int = 16_000, announced: int, data: bytes) -> Path:
    """A WAV of 16 bits whose header says what the caller wants."""
    form = struct.pack("<HHIIHH", 1, channels, rate, (rate * channels * 2) % 2**32, channels * 2 % 2**16, 16)
    head = b"RIFF" + struct.pack("<I", (announced + 36) % 2**32) + b"WAVEfmt \x10\0\0\0" + form
    path.write_bytes(head + b"data" + struct.pack("<I", announced) + data)
    return path


def _flac(path: Path, samples: int, announced: int) -> Path:
    """A FLAC of silence whose header announces another number of samples, 0 for unknown."""
    soundfile.write(path, np.zeros(samples, dtype=np.int16), 16_000, format="FLAC")
    content = bytearray(path.read_bytes())
    # The last 36 of these 64 bits in STREAMINFO (RFC 9639, section 8.2).
    fields = int.from_bytes(content[18:26], "big") >> 36 << 36
    content[18:26] = (fields | announced).to_bytes(8, "big")
    path.write_bytes(content)
    return path


def _most_resident_kb() -> int:
    status = Path("/proc/self/status").read_text()
    return int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmHWM:")))


def _refusal(path: Path) -> str:
    """Why audio is refused, and that it cost next to no memory to find out."""
    # From here on the kernel keeps a new high-water mark (proc(5), clear_refs). It counts what is written to: what
    # a header announces may be reserved, and costs nothing.
    Path("/proc/self/clear_refs").write_text("5")
    before = _most_resident_kb()
    with pytest.raises(AudioError) as caught:
        read_audio(path)
    assert _most_resident_kb() - before < 100_000
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith(f"{path}: ")
    return str(caught.value).removeprefix(f"{path}: ")


def test_a_file_of_24_hours_is_refused_from_its_header(tmp_path: Path) -> None:
    """A day of silence, sparse on the disk, is not read: the sentence says the limit and the mend."""
    size = 24 * 3600 * 32_000
    path = _wav(tmp_path / "day.wav", announced=size, data=b"")
    with path.open("r+b") as file:
        file.truncate(44 + size)
    assert _refusal(path) == "longer than 4 hours; split it"
    spoken = _spoken(path)
    assert length_problem(dataset(), spoken) == (
        f"{path}: lasts 86400.0 s, dataset.prompts.max_audio_s is 14400; split it"
    )


@pytest.mark.parametrize(
    ("name", "fact"),
    [
        ("wav", "truncated: the header announces 2130574360 bytes more"),
        ("flac", "cannot be read as audio"),
        ("long flac", "longer than 4 hours; split it"),
        ("channels", "cannot be read as audio"),
        ("rate", "has 2147483647 samples a second, over 384000; resample it"),
        ("prime rate", "has 655349 samples a second, over 384000; resample it"),
    ],
)
def test_a_header_that_lies_fills_no_memory(tmp_path: Path, name: str, fact: str) -> None:
    """Gigabytes announced in a kilobyte, 65,535 channels, rates that no filter fits: one sentence each."""
    path = tmp_path / "lie.audio"
    if name == "wav":
        # Just under the numbers that stand for "until the end".
        _wav(path, announced=0x7EFE_0000, data=b"\0" * 1000)
    elif name.endswith("flac"):
        _flac(path, 16_000, (1 << 36) - 1 if name.startswith("long") else 4 * 3600 * 16_000 - 1)
    elif name == "channels":
        _wav(path, channels=65_535, announced=1000, data=b"\0" * 1000)
    else:
        _wav(path, rate=2_147_483_647 if name == "rate" else 655_349, announced=1000, data=b"\0" * 1000)
    message = _refusal(path)
    assert message.startswith(fact)


def test_a_stream_without_a_length_is_told_from_a_long_one(tmp_path: Path) -> None:
    """A FLAC that was written into a pipe does not know its length, which the largest number stands for."""
    message = _refusal(_flac(tmp_path / "a.flac", 16_000, 0))
    assert message == "its header does not say how long it is; write it to a file again"
    assert audio_length(tmp_path / "a.flac") is None


def test_hours_of_silence_in_a_few_bytes_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compressed silence is refused by the samples that it would unpack to."""
    path = _flac(tmp_path / "bomb.flac", 200_000, 200_000)
    assert path.stat().st_size < 10_000
    assert len(read_audio(path)) == 200_000
    monkeypatch.setattr(audio, "_MOST_FRAMES", 100_000)
    assert _refusal(path) == "holds more samples than 4 hours at 48 kHz; resample or split it"


def test_only_one_channel_is_ever_held_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sixty-four channels cost the memory of one and of one block, and the mix is the same as that of the whole."""
    noise = np.random.default_rng(1).integers(-999, 999, size=(100_000, 64), dtype=np.int16)
    path = tmp_path / "many.wav"
    soundfile.write(path, noise, 16_000)
    whole, _ = soundfile.read(path, dtype="float32")
    monkeypatch.setattr(audio, "_BLOCK", 1 << 16)
    tracemalloc.start()
    try:
        mono = read_audio(path)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < whole.nbytes / 8
    assert np.array_equal(mono, whole.mean(axis=1, dtype=np.float32))


@pytest.mark.parametrize("rate", [1, 7, 22_051, 96_001])
def test_odd_rates_are_resampled_in_bounded_memory(tmp_path: Path, rate: int) -> None:
    """A rate of one sample a second, and prime ones, whose filters are the longest, are read in their length."""
    path = tmp_path / "a.wav"
    soundfile.write(path, np.zeros(rate * 2), rate)
    assert len(read_audio(path)) == 32_000


MANIFESTS: dict[str, tuple[Callable[[Path], object], str]] = {
    "device": (_link("/dev/zero"), ": the manifest is no regular file; check"),
    "pipe": (os.mkfifo, ": the manifest is no regular file; check"),
    "folder": (Path.mkdir, ": there is no such manifest; check"),
    "loop": (lambda path: path.symlink_to(path.name), ": there is no such manifest; check"),
    "endless line": (_sparse, ":1: the line is longer than 64 MB"),
    "UTF-16": (lambda path: path.write_bytes(json.dumps(ROW).encode("utf-16")), ":1: not UTF-8"),
    "deep": (lambda path: path.write_text('{"id": ' + "[" * 100_000), ":1: no usable JSON object"),
    "1e999": (lambda path: path.write_text('{"id": "u1", "x": 1e999}'), ":1 (u1): no usable JSON object"),
    "NaN": (lambda path: path.write_text('{"id": "u1", "duration_s": NaN}'), ":1 (u1): no usable JSON"),
    "5,000 digits": (lambda path: path.write_text('{"id": "u1", "x": ' + "9" * 5000 + "}"), ":1 (u1): no usable"),
    "key twice": (lambda path: path.write_text('{"id": "u1", "id": "u2"}'), ":1 (u1): no usable JSON object"),
    "id twice": (lambda path: write_lines(path, ROW, ROW), ":2 (u1): the id stands already at line 1"),
    "long id": (lambda path: write_lines(path, {**ROW, "id": "x" * 9999}), ":1: id must have at most 1000"),
    "NUL": (lambda path: write_lines(path, {**ROW, "audio": "a\0.wav"}), ":1 (u1): audio must not hold a NUL"),
    "huge language": (lambda path: write_lines(path, {**ROW, "language": 10**400}), ":1 (u1): language must be"),
    "huge length": (lambda path: write_lines(path, {**ROW, "duration_s": 10**400}), ":1 (u1): duration_s must"),
    "no end": (lambda path: path.write_bytes(json.dumps(ROW).encode()[:-1]), ":1 (u1): no JSON object"),
    "empty": (Path.touch, ": holds no rows"),
}


@pytest.mark.parametrize("kind", MANIFESTS)
def test_what_is_no_manifest_is_refused_in_a_sentence(tmp_path: Path, kind: str) -> None:
    """Devices, pipes, a terabyte on one line, whatever JSON can be bent to: file, line, and id where one is."""
    make, fact = MANIFESTS[kind]
    path = tmp_path / "manifest.jsonl"
    make(path)
    assert count_utterances(dataset(manifest=path)) in range(3)
    with pytest.raises(DatasetError) as caught:
        load_dataset(dataset(manifest=path), Recipe())
    message = str(caught.value)
    assert message.startswith(f"{path}{fact}")
    assert "\n" not in message
    assert len(message) < 1000


def test_an_object_that_never_ends_is_not_read_to_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A device where a JSON file should be is left after so many bytes."""
    monkeypatch.setattr("pytest_asrgate.jsonlines._LARGEST", 1_000_000)
    (tmp_path / "x.json").symlink_to("/dev/zero")
    with pytest.raises(DatasetError, match=r"x\.json: is larger than"):
        read_object(tmp_path / "x.json")


def test_a_gate_over_such_a_manifest_judges_what_is_sound(project: GateProject) -> None:
    """Each strange file is an error row with its sentence, nothing is waited for, and the rest is judged."""
    project.standard(thresholds="errors = 5\nwer = 30.0", extra="")
    folder = project.root / "prompts"
    manifest = folder / "manifest.jsonl"
    rows = [json.loads(line) for line in manifest.read_text().splitlines()]
    os.mkfifo(folder / "pipe.wav")
    (folder / "zero.wav").symlink_to("/dev/zero")
    # A day, by its own word.
    soundfile.write(folder / "day.wav", np.zeros(24 * 3600), 1)
    # Half a second, where the data set allows less.
    soundfile.write(folder / "half.wav", np.zeros(8000), 16_000)
    strange = ["pipe.wav", "zero.wav", "day.wav", "half.wav", "/etc/passwd"]
    rows += [
        {"id": f"x{n}", "audio": name, "ref_text": SENTENCES[0], "language": "en"} for n, name in enumerate(strange)
    ]
    write_lines(manifest, *rows)
    gate = project.root / "gate.toml"
    gate.write_text(gate.read_text().replace('speakers = "none"', 'speakers = "none"\nmax_audio_s = 0.4'))
    result = project.run("--asrgate", "--asrgate-json=report.json", "-k", "f32")
    result.assert_outcomes(passed=1)
    (pair,) = json.loads((project.root / "report.json").read_text())["pairs"]
    details = {row["id"]: row["detail"] for row in pair["utterances"] if row["status"] == "error"}
    assert details == {
        "x0": f"{folder}/pipe.wav: not a regular file",
        "x1": f"{folder}/zero.wav: not a regular file",
        "x2": f"{folder}/day.wav: lasts 86400.0 s, dataset.prompts.max_audio_s is 0.4; split it or raise that",
        "x3": f"{folder}/half.wav: lasts 0.5 s, dataset.prompts.max_audio_s is 0.4; split it or raise that",
        "x4": details["x4"],
    }
    assert details["x4"].startswith("/etc/passwd: cannot be read as audio (")
    assert (pair["n"], pair["error_rows"]) == (13, 5)
