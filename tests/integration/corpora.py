"""Small corpora of tones in every shape that `asrgate ingest` reads, each holding the same eight sentences."""

import gzip
import io
import json
import tarfile
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import soundfile

from tests.integration.conftest import SENTENCES

__all__ = ["SHAPES", "tenths"]


def tenths(number: int) -> int:
    """How long the clip of a sentence is, in tenths of a second, by which the stand-in engine knows it."""
    return 4 + 2 * number


def _tone(number: int, rate: int = 16_000) -> np.ndarray:
    return 0.1 * np.sin(np.arange(rate * tenths(number) // 10) * 500 / rate)


def _write(path: Path, number: int, rate: int = 16_000) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    soundfile.write(path, _tone(number, rate), rate)


def _text(path: Path, lines: list[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def librispeech(folder: Path) -> tuple[Path, list[str]]:
    """Two speakers of four utterances each, FLAC beside one file of transcripts a chapter."""
    for speaker in (0, 1):
        chapter = folder / "test-clean" / f"10{speaker}" / "7"
        numbers = range(4 * speaker, 4 * speaker + 4)
        for number in numbers:
            _write(chapter / f"10{speaker}-7-000{number}.flac", number)
        lines = [f"10{speaker}-7-000{number} {SENTENCES[number].upper()}" for number in numbers]
        _text(chapter / f"10{speaker}-7.trans.txt", lines)
    return folder, []


def kaldi(folder: Path) -> tuple[Path, list[str]]:
    """One long recording at 8 kHz cut by `segments`, as telephone corpora have it; a pipe that only decodes."""
    numbers = range(len(SENTENCES))
    recording = np.concatenate([_tone(number, 8_000) for number in numbers])
    (folder / "audio").mkdir(parents=True)
    soundfile.write(folder / "audio" / "call.flac", recording, 8_000)
    _text(folder / "wav.scp", [f"call flac -c -d -s {folder / 'audio' / 'call.flac'} |"])
    ends = np.cumsum([tenths(number) for number in numbers]) / 10
    _text(
        folder / "segments",
        [f"u{number} call {ends[number] - tenths(number) / 10:.2f} {ends[number]:.2f}" for number in numbers],
    )
    _text(folder / "text", [f"u{number} {SENTENCES[number]}" for number in numbers])
    _text(folder / "utt2spk", [f"u{number} s{number % 2}" for number in numbers])
    return folder, ["--language", "en"]


def nemo(folder: Path) -> tuple[Path, list[str]]:
    """A manifest of NeMo's, paths relative to it."""
    rows = []
    for number, sentence in enumerate(SENTENCES):
        _write(folder / "wav" / f"{number}.wav", number, 44_100)
        rows.append({"audio_filepath": f"wav/{number}.wav", "duration": tenths(number) / 10, "text": sentence})
    _text(folder / "manifest.json", [json.dumps(row) for row in rows])
    return folder / "manifest.json", ["--language", "en"]


def fleurs(folder: Path) -> tuple[Path, list[str]]:
    """The table of one split without a header, and its sounds in an archive, as both are downloaded."""
    source = folder / "en_us"
    lines = []
    (source / "audio").mkdir(parents=True)
    with tarfile.open(source / "audio" / "test.tar.gz", "w:gz") as archive:
        for number, sentence in enumerate(SENTENCES):
            data = io.BytesIO()
            soundfile.write(data, _tone(number), 16_000, format="WAV")
            member = tarfile.TarInfo(f"test/{1000 + number}.wav")
            member.size = len(data.getvalue())
            archive.addfile(member, io.BytesIO(data.getvalue()))
            fields = [str(number // 2), f"{1000 + number}.wav", sentence.capitalize() + ".", sentence, "x |", "9"]
            lines.append("\t".join([*fields, "FEMALE" if number % 2 else "MALE"]))
    _text(source / "test.tsv", lines)
    return source, []


def commonvoice(folder: Path) -> tuple[Path, list[str]]:
    """The table of a split with a header, and MP3 at 48 kHz of all splits in one folder."""
    source = folder / "cv-corpus" / "en"
    lines = ["client_id\tpath\tsentence\tup_votes\tdown_votes\tage\tgender\taccents\tlocale\tsegment"]
    for number, sentence in enumerate(SENTENCES):
        _write(source / "clips" / f"common_voice_en_{number}.mp3", number, 48_000)
        lines.append(f"{'ab' * 64}{number % 3}\tcommon_voice_en_{number}.mp3\t{sentence}\t2\t0\t\t\t\ten\t")
    _write(source / "clips" / "common_voice_en_99.mp3", 3, 48_000)
    _text(source / "test.tsv", lines)
    return source, []


def table(folder: Path) -> tuple[Path, list[str]]:
    """Anybody's table."""
    lines = ["file,said,who"]
    for number, sentence in enumerate(SENTENCES):
        _write(folder / "sounds" / f"{number}.wav", number, 22_050)
        lines.append(f'sounds/{number}.wav,"{sentence}",s{number % 4}')
    _text(folder / "table.csv", lines)
    options = ["--audio-column", "file", "--text-column", "said", "--speaker-column", "who", "--language", "en"]
    return folder / "table.csv", options


def asterisk(folder: Path) -> tuple[Path, list[str]]:
    """An installed folder of prompts, one of which is a tone, and their list in the folder of documents."""
    source = folder / "share" / "asterisk" / "sounds" / "en_US_f_Somebody"
    lines = ["; prompts"]
    for number, sentence in enumerate(SENTENCES):
        name = f"digits/{number}" if number % 2 else f"prompt-{number}"
        _write(source / f"{name}.wav", number, 8_000)
        lines.append(f"{name}: {sentence.capitalize()}.")
    _write(source / "beep.wav", 1, 8_000)
    lines.append("beep: [this is a beep]")
    documents = folder / "share" / "doc" / "asterisk-core-sounds-en"
    documents.mkdir(parents=True)
    with gzip.open(documents / "core-sounds-en.txt.gz", "wt", encoding="utf-8") as file:
        file.write("".join(f"{line}\n" for line in lines))
    return source, ["--non-speech", "drop"]


# Each makes its corpus in a folder that does not exist yet; SOURCE, and the options that it needs.
SHAPES: Mapping[str, Callable[[Path], tuple[Path, list[str]]]] = {
    "librispeech": librispeech,
    "kaldi": kaldi,
    "nemo": nemo,
    "fleurs": fleurs,
    "commonvoice": commonvoice,
    "csv": table,
    "asterisk": asterisk,
}
