"""Claims about NeMo's manifests: a row a sound or a part of one, ids made from the paths."""

import os
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
import soundfile

from pytest_asrgate.audio import read_audio
from pytest_asrgate.corpora.corpus import Clip, Corpus, Orphan, Settings, Sound
from pytest_asrgate.corpora.nemo import ADAPTER
from pytest_asrgate.corpora.registry import CORPORA
from pytest_asrgate.errors import AudioError, DatasetError

from .builders import write_lines

ROW: Mapping[str, object] = {"audio_filepath": "wavs/a.wav", "text": "one cat", "duration": 2.5}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a few empty sounds."""
    for name in ("a.wav", "b.wav", "sub/c.wav", "two.words.wav"):
        (tmp_path / "wavs" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "wavs" / name).touch()
    return tmp_path


def write_sound(path: Path) -> None:
    """A second of silence."""
    soundfile.write(path, np.zeros(8_000), 8_000)


def _read(folder: Path, *rows: Mapping[str, object], audio: Path | None = None) -> Corpus:
    return ADAPTER.read(write_lines(folder / "m.json", *rows), Settings(audio=audio))


def _ids(corpus: Corpus) -> list[str]:
    return [clip.id for clip in corpus.clips]


def _refusal(folder: Path, *rows: Mapping[str, object]) -> str:
    with pytest.raises(DatasetError) as caught:
        _read(folder, *rows)
    message = str(caught.value)
    assert "\n" not in message
    return message


def test_the_registry_has_it() -> None:
    """It is found under its name, and uses the setting `audio`."""
    assert CORPORA["nemo"] is ADAPTER
    assert (ADAPTER.settings, ADAPTER.language) == (("audio",), None)


def test_a_row_is_a_clip(folder: Path) -> None:
    """All keys are taken; of a file whose length is unknown the duration is believed; the text is stripped."""
    row = {**ROW, "text": " One  cat! ", "lang": "de", "speaker": "ann", "pred_text": "x"}
    assert _read(folder, row) == Corpus(
        (
            Clip(
                id="wavs/a",
                sound=Sound(folder / "wavs" / "a.wav", end_s=2.5),
                text="One  cat!",
                place=f"{folder / 'm.json'}:1",
                language="de",
                speaker="ann",
            ),
        )
    )


@pytest.mark.parametrize(
    ("duration", "end", "noted"), [(1.0, None, False), (1.09, None, False), (0.91, None, False), (0.5, 0.5, True)]
)
def test_a_duration_alone_is_a_part_from_the_start(
    folder: Path, duration: float, end: float | None, noted: bool
) -> None:
    """NeMo reads so long from 0; as long as the file is the whole, up to 0.1 s of rounding; shorter is told."""
    write_sound(folder / "wavs" / "a.wav")
    corpus = _read(folder, {**ROW, "duration": duration}, {**ROW, "audio_filepath": "wavs/b.wav", "duration": None})
    assert [clip.sound.end_s for clip in corpus.clips] == [end, None]
    note = f"1 row of {folder / 'm.json'} with a duration shorter than the file, read from its start: 'wavs/a'"
    assert corpus.notes == ((note,) if noted else ())


def test_a_duration_longer_than_the_file_stays(folder: Path) -> None:
    """Decoding then says that the part goes beyond the end; the id has no offset."""
    write_sound(folder / "wavs" / "a.wav")
    (clip,) = _read(folder, {**ROW, "duration": 1.2}).clips
    assert (clip.id, clip.sound.end_s) == ("wavs/a", 1.2)
    with pytest.raises(AudioError, match="beyond the recording's end"):
        read_audio(clip.sound.path, end_s=clip.sound.end_s)


def test_an_id_stays_when_the_manifest_grows(folder: Path) -> None:
    """Rows that are added change none of the ids there were; absolute paths elsewhere begin at their own folder."""
    rows = [ROW, {**ROW, "audio_filepath": "/elsewhere/x/1.wav"}, {**ROW, "audio_filepath": "/elsewhere/2.wav"}]
    assert _ids(_read(folder, ROW)) == _ids(_read(folder, *rows)) == ["wavs/a"]
    assert [orphan.name for orphan in _read(folder, *rows).orphans] == ["x/1", "2"]


def test_an_id_is_the_path_as_written(folder: Path) -> None:
    """Absolute ones below the manifest's folder are as relative ones; only the last ending goes; `..` may climb."""
    rows = [
        ROW,
        {**ROW, "audio_filepath": str(folder / "wavs" / "sub" / "c.wav")},
        {**ROW, "audio_filepath": f"../{folder.name}/wavs/two.words.wav"},
    ]
    corpus = _read(folder, *rows)
    assert _ids(corpus) == ["wavs/a", "wavs/sub/c", f"../{folder.name}/wavs/two.words"]
    assert all(clip.sound.path.is_file() for clip in corpus.clips)


def test_an_id_of_its_own_is_kept(folder: Path) -> None:
    """A text or a whole number under `id` names the row."""
    assert _ids(_read(folder, {**ROW, "id": "x/../y"}, {**ROW, "id": 7}, ROW)) == ["x/../y", "7", "wavs/a"]


def test_an_offset_is_a_part_of_a_recording(folder: Path) -> None:
    """Two rows of one file are told apart by where they begin, in ms, and end after their duration."""
    corpus = _read(folder, {**ROW, "offset": 0}, {**ROW, "offset": 2.5, "duration": 1.25}, {**ROW, "offset": None})
    assert _ids(corpus) == ["wavs/a-0ms", "wavs/a-2500ms", "wavs/a"]
    path = folder / "wavs" / "a.wav"
    assert [clip.sound for clip in corpus.clips] == [
        Sound(path, end_s=2.5),
        Sound(path, start_s=2.5, end_s=3.75),
        Sound(path, end_s=2.5),
    ]


def test_rows_that_give_one_id_are_refused_with_both_lines(folder: Path) -> None:
    """The same file twice is no two utterances unless rows have ids of their own."""
    (folder / "wavs" / "a.flac").touch()
    message = _refusal(folder, ROW, {**ROW, "audio_filepath": "wavs/a.flac"})
    assert message.startswith(f"{folder / 'm.json'}:2 (wavs/a): the id stands already at {folder / 'm.json'}:1; ")
    assert '"id"' in message


def test_an_absent_sound_is_an_orphan(folder: Path) -> None:
    """A row whose file is not there is a transcript without sound; `~` is a name like any other."""
    rows = [ROW, {**ROW, "audio_filepath": "wavs/no.wav"}, {**ROW, "audio_filepath": "~/a.wav"}]
    corpus = _read(folder, *rows)
    assert _ids(corpus) == ["wavs/a"]
    assert corpus.orphans == (
        Orphan("wavs/no", f"{folder / 'm.json'}:2", has_sound=False),
        Orphan("~/a", f"{folder / 'm.json'}:3", has_sound=False),
    )
    assert corpus.notes == (
        f"2 paths of {folder / 'm.json'} with no file there: '{folder}/wavs/no.wav', '{folder}/~/a.wav'",
    )


def test_sounds_may_lie_elsewhere(folder: Path) -> None:
    """With `audio`, relative paths are taken from that folder; one that is none is refused."""
    corpus = _read(folder, {**ROW, "audio_filepath": "a.wav"}, audio=folder / "wavs")
    assert [clip.sound.path for clip in corpus.clips] == [folder / "wavs" / "a.wav"]
    with pytest.raises(DatasetError, match="no such folder"):
        _read(folder, ROW, audio=folder / "absent")


def test_a_folder_named_like_a_sound_is_none(folder: Path) -> None:
    """Only a regular file is a sound."""
    assert [row.has_sound for row in _read(folder, {**ROW, "audio_filepath": "wavs"}).orphans] == [False]


@pytest.mark.parametrize(
    ("change", "fact"),
    [
        ({"audio_filepath": 5}, "audio_filepath must be a text; it is 5"),
        ({"audio_filepath": ["a.wav", "b.wav"]}, "audio_filepath must be a text"),
        ({"audio_filepath": " "}, "audio_filepath must not be empty"),
        ({"audio_filepath": "a\0.wav"}, "audio_filepath must not hold a NUL"),
        ({"text": None}, "text must be a text; it is None"),
        ({"text": "a\0"}, "text must not hold a NUL"),
        ({"id": ""}, "id must not be empty"),
        ({"id": True}, "id must be a text; it is True"),
        ({"id": "x" * 1001}, "id must have at most 1000 characters; it has 1001"),
        ({"speaker": ""}, "speaker must not be empty"),
        ({"speaker": []}, "speaker must be a text"),
        ({"lang": 5}, "lang must be a text"),
        ({"lang": "de", "language": "en"}, "lang is 'de' and language is 'en'"),
        ({"offset": -1}, "offset must be a number of seconds from 0; it is -1"),
        ({"offset": "1"}, "offset must be a number of seconds from 0; it is '1'"),
        ({"offset": 1, "duration": 0}, "duration must be a number of seconds above 0; it is 0"),
        ({"duration": 0}, "duration must be a number of seconds above 0; it is 0"),
        ({"duration": "long"}, "duration must be a number of seconds above 0; it is 'long'"),
        ({"offset": 1, "duration": None}, "offset is given without a duration"),
        ({"offset": 10**400}, "offset must be a number"),
    ],
)
def test_a_value_of_a_wrong_kind_is_named(folder: Path, change: Mapping[str, object], fact: str) -> None:
    """Each is told with file, line and key."""
    message = _refusal(folder, {**ROW, "id": "first"}, {**ROW, **change})
    assert message.startswith(f"{folder / 'm.json'}:2")
    assert fact in message


def test_numbers_are_speakers(folder: Path) -> None:
    """A speaker may be a whole number, and null is none."""
    corpus = _read(folder, {**ROW, "speaker": 12}, {**ROW, "audio_filepath": "wavs/b.wav", "speaker": None})
    assert [clip.speaker for clip in corpus.clips] == ["12", None]


@pytest.mark.parametrize("key", ["audio_filepath", "text"])
def test_a_missing_key_is_told_with_those_there_are(folder: Path, key: str) -> None:
    """A manifest of another task, with `answer` for `text`, is told by the keys of its row."""
    row = {name: value for name, value in ROW.items() if name != key} | {"answer": "yes"}
    message = _refusal(folder, row)
    assert message.startswith(f"{folder / 'm.json'}:1: has no {key}; ")
    assert "'answer'" in message


@pytest.mark.parametrize(
    "change", [{"audio_filepath": "audio__OP_0..7_CL_.tar"}, {"shard_id": 3, "audio_filepath": "x.wav"}]
)
def test_a_tarred_manifest_is_refused(folder: Path, change: Mapping[str, object]) -> None:
    """Sounds in tar files are not read, and one sentence says so."""
    message = _refusal(folder, {**ROW, **change})
    assert message.startswith(f"{folder / 'm.json'}:1")
    assert "tar" in message


def test_a_pattern_of_sharded_manifests_is_refused(folder: Path) -> None:
    """NeMo's name for many manifests is told as such, not as an absent file."""
    with pytest.raises(DatasetError, match="_OP_ stands for many manifests"):
        ADAPTER.read(folder / "manifest__OP_0..7_CL_.json", Settings())


def test_shards_that_were_unpacked_are_read(folder: Path) -> None:
    """A row that still names its shard is a row like others where its sound is there."""
    assert _ids(_read(folder, {**ROW, "shard_id": 3})) == ["wavs/a"]


def test_a_source_that_is_no_manifest_is_refused(folder: Path) -> None:
    """An absent file, a folder, a file without rows and a list are each told."""
    for source, fact in [(folder / "no.json", "no such manifest"), (folder, "is a folder")]:
        with pytest.raises(DatasetError) as caught:
            ADAPTER.read(source, Settings())
        assert str(caught.value).startswith(f"{source}: ")
        assert fact in str(caught.value)
    assert "holds no rows" in _refusal(folder)
    (folder / "list.json").write_text("[1]\n", encoding="utf-8")
    with pytest.raises(DatasetError, match=r"list\.json:1: a row is a JSON object; got list"):
        ADAPTER.read(folder / "list.json", Settings())


def test_a_lone_row_has_its_whole_path(folder: Path) -> None:
    """As it has among others."""
    assert _ids(_read(folder, {**ROW, "audio_filepath": "wavs/sub/c.wav"})) == ["wavs/sub/c"]


def test_an_empty_text_is_kept(folder: Path) -> None:
    """What an empty transcript means is decided by ingest's option."""
    assert [clip.text for clip in _read(folder, {**ROW, "text": " "}).clips] == [""]


def test_a_source_that_is_a_pipe_is_not_waited_for(folder: Path) -> None:
    """Opening a pipe may wait for ever, so it is refused before."""
    os.mkfifo(folder / "pipe.json")
    with pytest.raises(DatasetError, match="is no regular file"):
        ADAPTER.read(folder / "pipe.json", Settings())
