"""Claims about the whole: a complete manifest or the old one, and a rerun that does what is left and no more."""

import io
import json
import sys
import tarfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile

from pytest_asrgate.corpora.corpus import Corpus, Sound
from pytest_asrgate.datasets.manifest import read_manifest
from pytest_asrgate.hashing import file_sha256
from pytest_asrgate.ingest import ingest as module
from pytest_asrgate.ingest.choice import Policies
from pytest_asrgate.ingest.decoders import Limits
from pytest_asrgate.ingest.ingest import ingest, take_in
from pytest_asrgate.ingest.journal import JOURNAL

from .ingests import NOTHING, clip, corpus_of, noise, plan, refusal, rows_of, sounds_of, stamps, take, wave


@pytest.mark.parametrize("audio_format", ["wav", "flac"])
def test_a_corpus_becomes_sounds_and_a_manifest(tmp_path: Path, audio_format: str) -> None:
    """Every row is sorted, complete, and leads to the very samples that the corpus had."""
    order = plan(tmp_path, format=audio_format)
    corpus = corpus_of(tmp_path / "corpus", 4)
    done = take(Corpus(corpus.clips[::-1]), order)
    assert (done.utterances, done.written, done.there, done.speakers) == (4, 4, 0, 2)
    assert (done.languages, done.changed, done.unreadable) == (("en",), True, ())
    assert done.seconds == pytest.approx(0.4)
    assert [row["id"] for row in rows_of(order)] == ["u0", "u1", "u2", "u3"]
    assert rows_of(order)[1] == {
        "id": "u1",
        "audio": f"sounds/u1.{audio_format}",
        "ref_text": "text 1",
        "language": "en",
        "speaker": "s1",
        "duration_s": 0.1,
        "audio_sha256": file_sha256(order.folder / f"u1.{audio_format}"),
    }
    for number, utterance in enumerate(read_manifest(order.manifest)):
        samples, rate = soundfile.read(utterance.audio, dtype="int16")
        assert rate == 16_000
        assert samples.tolist() == noise(0.1, number).tolist()
    assert set(sounds_of(order.folder)) == {f"u{number}.{audio_format}" for number in range(4)}


@pytest.mark.parametrize("workers", [1, 3])
def test_a_rerun_touches_nothing(tmp_path: Path, workers: int) -> None:
    """Not a sound, not the manifest, and no process is even started."""
    order = plan(tmp_path, workers=workers)
    corpus = corpus_of(tmp_path / "corpus", 7)
    steps: list[int] = []
    ingest(take_in(corpus, order), order, steps.append)
    assert sum(steps) == 7
    before = stamps(order.folder), stamps(order.manifest.parent)
    steps.clear()
    again = replace(order, limits=NOTHING)
    done = ingest(take_in(corpus, again), again, steps.append)
    assert (done.written, done.there, done.changed) == (0, 7, False)
    assert sum(steps) == 7
    assert (stamps(order.folder), stamps(order.manifest.parent)) == before


def test_only_what_changed_is_written_again(tmp_path: Path) -> None:
    """A source with other bytes, a sound that was damaged, one that was removed, and one that is new."""
    order = plan(tmp_path)
    corpus = corpus_of(tmp_path / "corpus", 5)
    take(corpus, order)
    before = stamps(order.folder)
    wave(tmp_path / "corpus" / "0.wav", noise(0.2, 99))
    (order.folder / "u1.wav").write_bytes(b"damaged")
    (order.folder / "u2.wav").unlink()
    more = clip("v", wave(tmp_path / "corpus" / "v.wav", noise(0.1, 5)), language="en")
    done = take(Corpus((*corpus.clips, more)), order)
    assert (done.written, done.there, done.changed) == (4, 2, True)
    after = stamps(order.folder)
    assert {name for name in after if after[name] != before.get(name)} == {
        *("u0.wav", "u1.wav", "u2.wav", "v.wav"),
        JOURNAL,
    }
    assert rows_of(order)[0]["duration_s"] == 0.2


def test_other_transcripts_decode_nothing(tmp_path: Path) -> None:
    """The manifest is written anew, the sounds stay."""
    order = plan(tmp_path)
    corpus = corpus_of(tmp_path / "corpus")
    take(corpus, order)
    other = Corpus(tuple(replace(each, text="other", tags=("x",)) for each in corpus.clips))
    done = take(other, replace(order, limits=NOTHING))
    assert (done.written, done.changed) == (0, True)
    assert {row["ref_text"] for row in rows_of(order)} == {"other"}


def test_a_lost_journal_costs_work_and_nothing_else(tmp_path: Path) -> None:
    """What is decoded anew is what is there already, so it is left alone and known again."""
    order = plan(tmp_path)
    corpus = corpus_of(tmp_path / "corpus")
    take(corpus, order)
    (order.folder / JOURNAL).unlink()
    before = {name: stamp for name, stamp in stamps(order.folder).items() if name.endswith(".wav")}
    done = take(corpus, order)
    assert (done.written, done.there, done.changed) == (0, 3, False)
    after = stamps(order.folder)
    assert {name: after[name] for name in before} == before
    assert take(corpus, replace(order, limits=NOTHING)).there == 3


def test_a_corpus_that_was_moved_is_known(tmp_path: Path) -> None:
    """What counts is what the sounds hold."""
    order = plan(tmp_path)
    take(corpus_of(tmp_path / "corpus"), order)
    moved = replace(order, source=tmp_path / "moved", limits=NOTHING)
    assert take(corpus_of(tmp_path / "moved"), moved).there == 3


def test_sounds_that_cannot_be_read_are_tried_again_and_no_others(tmp_path: Path) -> None:
    """Everything else is kept, the old manifest too, and the sentence has count, first names and reasons."""
    order = plan(tmp_path)
    corpus = corpus_of(tmp_path / "corpus", 8)
    order.manifest.parent.mkdir()
    order.manifest.write_text('{"id": "old", "audio": "old.wav"}\n')
    for number in range(6):
        (tmp_path / "corpus" / f"{number}.wav").write_bytes(b"" if number else b"no sound")
    found = refusal(corpus, order).replace(f"{tmp_path}/", "")
    empty = ", ".join(f"corpus/{number}.wav: cannot be read as audio (the file is empty)" for number in range(1, 5))
    assert found == (
        "6 sounds cannot be read: corpus/0.wav: cannot be read as audio (Format not recognised; if it is audio, "
        "write it as WAV or FLAC), "
        f"{empty} and 1 more; mend them, or say --unreadable skip, and run again; everything else is written and "
        "will not be decoded again, and there is no new manifest"
    )
    assert rows_of(order) == [{"id": "old", "audio": "old.wav"}]
    assert set(sounds_of(order.folder)) == {"u6.wav", "u7.wav"}
    skipped = take(corpus, replace(order, unreadable="skip"))
    assert (skipped.written, skipped.there, len(skipped.unreadable)) == (0, 2, 6)
    assert [row["id"] for row in rows_of(order)] == ["u6", "u7"]
    corpus_of(tmp_path / "corpus", 8)
    done = take(corpus, order)
    assert (done.written, done.there, done.unreadable) == (6, 2, ())


def test_no_readable_sound_is_no_manifest(tmp_path: Path) -> None:
    """Even where they may be skipped."""
    order = plan(tmp_path, unreadable="skip")
    found = refusal(Corpus((clip("a", tmp_path / "none.wav", language="en"),)), order)
    assert "none.wav: no such audio file; mend it, and run again; nothing was written" in found
    assert not order.manifest.exists()


def test_a_sound_that_kills_the_decoder_costs_only_itself(tmp_path: Path) -> None:
    """The others are written, by another process."""
    script = (
        "import os, sys, json\nfrom pytest_asrgate.ingest import worker\n"
        "true = worker.write_sound\n"
        "def write_sound(order):\n"
        "    if order.path.endswith('1.wav'):\n"
        "        open(order.target, 'wb').write(b'half')\n"
        "        os.abort()\n"
        "    return true(order)\n"
        "worker.write_sound = write_sound\n"
        "worker.main(int(sys.argv[1]), int(sys.argv[2]))\n"
    )
    limits = Limits(program=(sys.executable, "-c", script, "{requests}", "{answers}"))
    order = plan(tmp_path, limits=limits)
    found = refusal(corpus_of(tmp_path / "corpus"), order)
    assert "1 sound cannot be read: " in found
    assert "corpus/1.wav: cannot be decoded: the decoder's process ended with signal 6 (SIGABRT)" in found
    assert set(sounds_of(order.folder)) == {"u0.wav", "u2.wav"}


def test_a_source_that_changes_meanwhile_is_not_believed(tmp_path: Path) -> None:
    """Nobody knows which bytes became the sound."""
    script = (
        "import sys\nfrom pytest_asrgate.ingest import worker\n"
        "true = worker.write_sound\n"
        "def write_sound(order):\n"
        "    done = true(order)\n"
        "    open(order.path, 'ab').write(b'more')\n"
        "    return done\n"
        "worker.write_sound = write_sound\n"
        "worker.main(int(sys.argv[1]), int(sys.argv[2]))\n"
    )
    limits = Limits(program=(sys.executable, "-c", script, "{requests}", "{answers}"))
    order = plan(tmp_path, limits=limits)
    assert "0.wav: was written to while it was read; run again" in refusal(corpus_of(tmp_path / "corpus", 1), order)
    assert sounds_of(order.folder) == {}


def test_parts_of_a_recording_and_its_channels(tmp_path: Path) -> None:
    """Each utterance is its part; another part under an id that is there is another sound, which is refused."""
    samples = noise(2.0)
    path = wave(tmp_path / "corpus" / "long.flac", samples)
    parts = [
        clip(f"p{number}", Sound(path, "", number / 2, number / 2 + 0.5), language="en") for number in range(4)
    ]
    order = plan(tmp_path)
    take(Corpus(tuple(parts)), order)
    for number in range(4):
        found = soundfile.read(order.folder / f"p{number}.wav", dtype="int16")[0]
        assert found.tolist() == samples[number * 8000 : (number + 1) * 8000].tolist()
    before = sounds_of(order.folder)
    for other in (Sound(path, "", 0.5, 1.5), Sound(path, "", 0.5, 1.0, 0)):
        moved = Corpus((replace(parts[1], sound=other), clip("new", parts[0].sound, language="en")))
        found = refusal(moved, order)
        assert f"p1.wav was made of {path} from 0.5 s to 1 s; remove what is not needed" in found
        assert found.endswith("give another --out-dir; nothing was written")
        assert sounds_of(order.folder) == before
    parts.append(clip("beyond", Sound(path, "", 0.5, 2.5), language="en"))
    assert f"{path}: the part from 0.5 s to 2.5 s goes beyond the recording's end at 2 s" in refusal(
        Corpus(tuple(parts)), order
    )


def test_what_is_odd_about_sounds_is_known_also_the_next_time(tmp_path: Path) -> None:
    """Mixed, clipped and silent ones are told by id, from the journal where nothing is decoded."""
    two = np.column_stack([noise(0.1, 1), noise(0.1, 2)])
    loud = np.full(1600, 1.5, dtype=np.float32)
    folder = tmp_path / "corpus"
    corpus = Corpus(
        (
            clip("loud", wave(folder / "loud.wav", loud, subtype="FLOAT"), language="en"),
            clip("plain", wave(folder / "plain.wav"), language="en"),
            clip("silent", wave(folder / "silent.wav", noise() * 0), language="en"),
            clip("two", wave(folder / "two.wav", two), language="en"),
        )
    )
    order = plan(tmp_path)
    expected = {"mixed": ("two",), "clipped": ("loud",), "silent": ("silent",)}
    assert take(corpus, order).marked == expected
    assert take(corpus, replace(order, limits=NOTHING)).marked == expected
    one = plan(tmp_path / "one", channel=1)
    assert take(replace(corpus, clips=corpus.clips[3:]), one).marked["mixed"] == ()
    assert soundfile.read(one.folder / "two.wav", dtype="int16")[0].tolist() == two[:, 1].tolist()


def test_a_language_that_the_corpus_contradicts_is_counted(tmp_path: Path) -> None:
    """What is asked for goes before what is said, and that is no secret."""
    corpus = Corpus(tuple(clip(name, language=tag) for name, tag in (("a", "de"), ("b", "en_US"), ("c", "de_AT"))))
    assert take_in(corpus, plan(tmp_path, language="en")).overridden == {"de": 2}
    assert take_in(corpus, plan(tmp_path)).overridden == {}


def _archive(path: Path, count: int) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with tarfile.open(path, "w:gz") as archive:
        for number in range(count):
            data = io.BytesIO()
            soundfile.write(data, noise(0.1, number), 16_000, format="WAV")
            member = tarfile.TarInfo(f"test/{number}.wav")
            member.size = len(data.getvalue())
            archive.addfile(member, io.BytesIO(data.getvalue()))
        link = tarfile.TarInfo("test/link.wav")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
    return path


@pytest.mark.parametrize("workers", [1, 2])
def test_sounds_in_an_archive(tmp_path: Path, workers: int) -> None:
    """Each member is decoded, also as several parts; nothing of it is left behind, and a rerun reads no sound."""
    path = _archive(tmp_path / "corpus" / "test.tar.gz", 9)
    clips = [clip(f"u{number}", Sound(path, f"test/{number}.wav"), language="en") for number in (7, 2, 0, 3, 8)]
    clips.append(clip("part", Sound(path, "test/2.wav", 0.05), language="en"))
    order = plan(tmp_path, workers=workers)
    assert take(Corpus(tuple(clips)), order).written == 6
    for number in (7, 2, 0, 3, 8):
        found = soundfile.read(order.folder / f"u{number}.wav", dtype="int16")[0]
        assert found.tolist() == noise(0.1, number).tolist()
    assert set(sounds_of(order.folder)) == {*(f"u{number}.wav" for number in (7, 2, 0, 3, 8)), "part.wav"}
    assert take(Corpus(tuple(clips)), replace(order, limits=NOTHING)).there == 6


def test_a_lost_journal_of_an_archive_costs_work_and_nothing_else(tmp_path: Path) -> None:
    """What is there is compared first, what is not is written after that, in a second pass."""
    path = _archive(tmp_path / "corpus" / "test.tar.gz", 5)
    names = {number: Sound(path, f"test/{number}.wav") for number in range(5)}
    corpus = Corpus(tuple(clip(f"u{number}", sound, language="en") for number, sound in names.items()))
    order = plan(tmp_path, workers=2)
    take(corpus, order)
    before = sounds_of(order.folder)
    (order.folder / JOURNAL).unlink()
    (order.folder / "u3.wav").unlink()
    done = take(corpus, order)
    assert (done.written, done.there) == (1, 4)
    assert sounds_of(order.folder) == before


def test_what_an_archive_does_not_give_is_unreadable(tmp_path: Path) -> None:
    """Links are not followed, and the messages name archive and member, never a name of ours."""
    path = _archive(tmp_path / "corpus" / "test.tar.gz", 1)
    names = ("0.wav", "link.wav", "none.wav")
    clips = [clip(name, Sound(path, f"test/{name}"), language="en") for name in names]
    clips.append(clip("part", Sound(path, "test/0.wav", 5.0), language="en"))
    order = plan(tmp_path, unreadable="skip")
    done = take(Corpus(tuple(clips)), order)
    assert list(done.unreadable) == [
        f"{path}(test/link.wav): is no regular file in the archive but a link or device",
        f"{path}(test/none.wav): it holds no such file",
        f"{path}(test/0.wav): the part from 5 s to 0.1 s is none; a part begins at 0 s or later and ends after "
        "that",
    ]
    assert set(sounds_of(order.folder)) == {"0.wav.wav"}


def test_a_sample_has_the_names_and_sounds_of_the_whole(tmp_path: Path) -> None:
    """So that the whole can follow it into the same folder."""
    folder = tmp_path / "corpus"
    ids = ["A", "a", "x/1", "x_1", "b", "c"]
    clips = [
        clip(identity, wave(folder / f"{number}.wav", noise(0.1, number)), language="en", speaker=f"s{number % 2}")
        for number, identity in enumerate(ids)
    ]
    order = plan(tmp_path)
    sampled = take(Corpus(tuple(clips)), replace(order, sample=3, seed=4))
    assert (sampled.written, sampled.utterances) == (3, 3)
    rows = rows_of(order)
    whole = take(Corpus(tuple(clips)), order)
    assert (whole.written, whole.there) == (3, 3)
    assert [row for row in rows_of(order) if row["id"] in {row["id"] for row in rows}] == rows
    assert take_in(Corpus(tuple(clips)), replace(order, sample=99)).total == 6
    assert len({row["audio"].casefold() for row in rows_of(order)}) == 6


def test_policies_reach_the_manifest(tmp_path: Path) -> None:
    """Kept rows without speech have an empty reference."""
    corpus = corpus_of(tmp_path / "corpus", 3)
    texts = ("hello", "", "[beep]")
    odd = Corpus(tuple(replace(each, text=text) for each, text in zip(corpus.clips, texts, strict=True)))
    order = plan(tmp_path)
    assert "--empty keep" in refusal(odd, order)
    take(odd, replace(order, policies=Policies("keep", "keep")))
    assert [(row["ref_text"], row.get("annotation"), row.get("tags")) for row in rows_of(order)] == [
        ("hello", None, None),
        ("", None, None),
        ("", "[beep]", ["non-speech"]),
    ]
    take(odd, replace(order, policies=Policies("drop", "drop")))
    assert [row["id"] for row in rows_of(order)] == ["u0"]


def test_the_language_of_the_corpus_or_none(tmp_path: Path) -> None:
    """That of the shape of corpus is used where the clips name none."""
    corpus = Corpus(tuple(replace(each, language=None) for each in corpus_of(tmp_path / "corpus").clips))
    order = plan(tmp_path)
    assert "say with --language" in refusal(corpus, order)
    assert not order.folder.exists()
    assert {job.language for job in take_in(corpus, order, "en").jobs} == {"en"}


def test_g722_without_its_decoder_is_refused_before_anything_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sentence says what to install."""
    monkeypatch.setattr(module, "has_g722", lambda: False)
    corpus = Corpus((clip("a", tmp_path / "a.G722", language="en"), *corpus_of(tmp_path / "corpus").clips))
    order = plan(tmp_path)
    assert refusal(corpus, order) == (
        "1 sound in G.722 ('a'): reading G.722 needs the package av: pip install 'pytest-asrgate[g722]'"
    )
    assert not order.folder.exists()


def test_a_manifest_named_as_a_sound_is_refused(tmp_path: Path) -> None:
    """One would be written over the other."""
    order = replace(plan(tmp_path), manifest=tmp_path / "out" / "sounds" / "u1.wav")
    assert "is the name of a sound" in refusal(corpus_of(tmp_path / "corpus"), order)


def test_the_sounds_of_a_table_are_not_written_over(tmp_path: Path) -> None:
    """A table names sounds anywhere, so that a folder of them can be no place for ours of the same name."""
    corpus = Corpus((clip("0", wave(tmp_path / "out" / "sounds" / "0.wav"), language="en"),))
    found = refusal(corpus, plan(tmp_path)).replace(f"{tmp_path}/", "")
    assert found == "--out-dir out/sounds: out/sounds/0.wav is a file of the corpus; give another folder"


def test_sounds_and_manifest_may_share_a_folder(tmp_path: Path) -> None:
    """The paths are then bare names."""
    order = replace(plan(tmp_path), folder=tmp_path / "out")
    take(corpus_of(tmp_path / "corpus", 1), order)
    assert rows_of(order)[0]["audio"] == "u0.wav"


def test_every_line_of_the_journal_is_json(tmp_path: Path) -> None:
    """Whatever letters the names have."""
    corpus = Corpus((clip("ü", wave(tmp_path / "corpus" / "\u2028é.wav"), language="en"),))
    order = plan(tmp_path)
    take(corpus, order)
    entries: list[Any] = [json.loads(line) for line in (order.folder / JOURNAL).read_text().splitlines()]
    assert [entry["file"] for entry in entries] == ["ü.wav"]
    assert take(corpus, replace(order, limits=NOTHING)).there == 1


def test_a_source_whose_name_is_no_utf8_is_one_sentence(tmp_path: Path) -> None:
    """libsndfile is not asked for it, and nothing breaks."""
    path = wave(tmp_path / "corpus" / "a.wav").rename(tmp_path / "corpus" / "\udcff.wav")
    found = refusal(Corpus((clip("a", path, language="en"),)), plan(tmp_path))
    assert "corpus/\ufffd.wav: cannot be read as audio (" in found
