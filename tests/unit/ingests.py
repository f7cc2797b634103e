"""What the tests of `ingest` share: corpora made by hand, and what is in a folder afterwards."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile
from numpy.typing import NDArray

from pytest_asrgate.corpora.corpus import Clip, Corpus, Orphan, Sound
from pytest_asrgate.errors import DatasetError
from pytest_asrgate.ingest.decoders import Limits
from pytest_asrgate.ingest.ingest import Ingested, Plan, ingest, take_in

__all__ = [
    "NOTHING",
    "clip",
    "corpus_of",
    "noise",
    "plan",
    "refusal",
    "rows_of",
    "sounds_of",
    "stamps",
    "take",
    "wave",
]

# Decoding anything fails the test: no such program.
NOTHING = Limits(program=("/no/such/program",))


def noise(seconds: float = 0.1, seed: int = 0, rate: int = 16_000) -> NDArray[np.int16]:
    """16-bit samples that no two seeds share."""
    return np.random.default_rng(seed).integers(-20_000, 20_000, int(seconds * rate)).astype(np.int16)


def wave(path: Path, samples: NDArray[Any] | None = None, rate: int = 16_000, **options: str) -> Path:
    """Write samples as a sound, its kind by the ending."""
    path.parent.mkdir(parents=True, exist_ok=True)
    soundfile.write(path, noise() if samples is None else samples, rate, **options)
    return path


def clip(identity: str, path: Path | Sound = Path("x.wav"), text: str = "hello there", **fields: Any) -> Clip:
    """One clip whose transcript stands nowhere in particular."""
    sound = path if isinstance(path, Sound) else Sound(path)
    return Clip(identity, sound, text, fields.pop("place", "text:1"), **fields)


def corpus_of(folder: Path, count: int = 3, orphans: Sequence[Orphan] = (), **fields: Any) -> Corpus:
    """Clips u0, u1, … of files of 16 kHz noise in `folder`; two speakers, English."""
    clips = [
        clip(
            f"u{number}",
            wave(folder / f"{number}.wav", noise(0.1, number)),
            f"text {number}",
            speaker=f"s{number % 2}",
            language="en",
            **fields,
        )
        for number in range(count)
    ]
    return Corpus(tuple(clips), tuple(orphans))


def plan(folder: Path, **fields: Any) -> Plan:
    """Sounds into out/sounds and a manifest out/m.jsonl, of a corpus in `folder`/corpus."""
    return Plan(folder / "corpus", folder / "out" / "sounds", folder / "out" / "m.jsonl", **fields)


def take(corpus: Corpus, order: Plan) -> Ingested:
    """Take in and write."""
    return ingest(take_in(corpus, order), order)


def rows_of(order: Plan) -> list[dict[str, Any]]:
    """The rows of the manifest."""
    return [json.loads(line) for line in order.manifest.read_text(encoding="utf-8").splitlines()]


def sounds_of(folder: Path) -> Mapping[str, bytes]:
    """What is in a folder beside our journal and lock."""
    ours = {".asrgate-ingest.jsonl", ".asrgate-ingest.lock"}
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name not in ours}


def refusal(corpus: Corpus, order: Plan) -> str:
    """Take in what must be refused, and return the sentence."""
    with pytest.raises(DatasetError) as caught:
        take(corpus, order)
    return str(caught.value)


def stamps(folder: Path) -> dict[str, tuple[int, int]]:
    """Time of change and inode of each file of a folder, by its name."""
    return {path.name: (path.stat().st_mtime_ns, path.stat().st_ino) for path in folder.iterdir()}
