"""Claims about the sounds of a page: what is in it, what is linked, and what it says of those that it lacks."""

import base64
import io
import os
import sys
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urljoin, urlsplit

import pytest
import soundfile

from pytest_asrgate.ingest.decoders import Limits
from pytest_asrgate.reports.entries import PairEntry
from pytest_asrgate.reports.page import embedding
from pytest_asrgate.reports.page.sounds import Room, Sounds, sounds

from .builders import entry
from .ingests import noise, wave


def _pair(*names: str, wrong: int = 1) -> PairEntry:
    """A pair whose utterances are all wrong, the first the most, each with the audio of its name."""
    count = len(names)
    rows = [(f"u{n}", "w " * (count + wrong), "x " * (count - n) + "w " * (wrong + n)) for n in range(count)]
    pair = entry([(name, reference.strip(), said.strip()) for name, reference, said in rows])
    for row, name in zip(pair["utterances"], names, strict=True):
        row["audio"] = name
    return pair


def _found(folder: Path, *pairs: PairEntry, audio: str = "link", page: str = "page.html", **room: Any) -> Sounds:
    return sounds(pairs, folder=folder, page=folder / page, audio=audio, room=Room(**room))


def _bytes(found: Sounds) -> list[bytes]:
    return [base64.b64decode(chunk.text, validate=True) for chunk in found.chunks]


@pytest.mark.parametrize(
    "name",
    [
        "a b.wav",
        "a#1.wav",
        "what?.wav",
        "100%.wav",
        "100%25.wav",
        "\u0928\u092e.wav",
        "\"'<&>.wav",
        "c:d.wav",
        "a;b=c,d@e!.wav",
        "+.wav",
        "a\\b.wav",
        "a\nb.wav",
    ],
)
@pytest.mark.parametrize("page", ["page.html", "out/deep er/page.html"])
def test_a_link_leads_from_the_page_to_the_file(tmp_path: Path, name: str, page: str) -> None:
    """Whatever stands in a name, a browser that follows the link comes to that very file."""
    wave(tmp_path / "sounds" / name)
    found = _found(tmp_path, _pair(f"sounds/{name}"), page=page)
    assert found.places == {("prompts", "u0"): 0}
    (sound,) = found.sounds
    assert set(sound) == {"url"}
    address = urlsplit(urljoin((tmp_path / page).as_uri(), sound["url"]))
    assert (address.scheme, address.query, address.fragment) == ("file", "", "")
    assert unquote(address.path) == str(tmp_path / "sounds" / name)
    assert sound["url"].isascii()
    assert not set(sound["url"]) & set(" \"'<>&\\\n")


def test_names_that_are_no_text_are_linked_too(tmp_path: Path) -> None:
    """A name of bytes that are no UTF-8 is a link of the same bytes."""
    name = os.fsdecode(b"a\xff.wav")
    try:
        (tmp_path / name).write_bytes(wave(tmp_path / "a.wav").read_bytes())
    except OSError:
        pytest.skip("this file system takes only names that are text")
    assert _found(tmp_path, _pair(name)).sounds == ({"url": "a%FF.wav"},)


def test_without_sounds_there_are_none_and_no_complaint(tmp_path: Path) -> None:
    """Whoever asks for none is not told of those that are missing."""
    assert _found(tmp_path, _pair("absent.wav"), audio="none") == Sounds()


def test_only_utterances_that_are_shown_have_sounds(tmp_path: Path) -> None:
    """What is not in the page needs no sound in it, and an utterance without audio is no complaint."""
    pair = entry([("right", "one", "one"), ("wrong", "one", "two"), ("silent", "one", "two")])
    for row, name in zip(pair["utterances"], ["right.wav", "wrong.wav", None], strict=True):
        row["audio"] = name
    wave(tmp_path / "right.wav")
    wave(tmp_path / "wrong.wav")
    found = _found(tmp_path, pair)
    assert found.places == {("prompts", "wrong"): 0}
    assert found.notes == ()


def test_one_file_is_one_sound(tmp_path: Path) -> None:
    """Variants, utterances and data sets that name the same file share its sound, however they spell it."""
    wave(tmp_path / "a.wav")
    first, second, third = _pair("a.wav", "./a.wav"), _pair("a.wav"), _pair("x/../a.wav")
    second["variant"], third["dataset"] = "q4_0", "noise"
    found = _found(tmp_path, first, second, third, audio="embed")
    assert len(found.sounds) == len(found.chunks) == 1
    assert set(found.places) == {("prompts", "u0"), ("prompts", "u1"), ("noise", "u0")}


def test_an_embedded_sound_is_a_small_mp3_of_the_whole_sound(tmp_path: Path) -> None:
    """16 kHz mono at about 40 kbit/s, as long as it was, in an element that its place names."""
    import numpy as np

    stereo = np.stack([noise(2.0, 1, 44_100), noise(2.0, 2, 44_100)], axis=1)
    wave(tmp_path / "a.wav", stereo, 44_100)
    found = _found(tmp_path, _pair("a.wav"), audio="embed")
    (chunk,) = found.chunks
    assert found.sounds == ({"chunk": chunk.id, "type": chunk.type},)
    assert chunk.type == "audio/mpeg"
    (data,) = _bytes(found)
    info = soundfile.info(io.BytesIO(data))
    assert (info.format, info.samplerate, info.channels) == ("MP3", 16_000, 1)
    assert 1.9 < info.duration < 2.2
    assert 32_000 < len(data) * 8 / info.duration < 48_000


def test_a_sound_beyond_full_scale_is_heard(tmp_path: Path) -> None:
    """An engine was given its samples too; they are cut off at full scale, and do not turn over."""
    import numpy as np

    tone = 1.5 * np.sin(2 * np.pi * 200 * np.arange(16_000) / 16_000)
    wave(tmp_path / "a.wav", tone, subtype="FLOAT")
    (data,) = _bytes(_found(tmp_path, _pair("a.wav"), audio="embed"))
    heard, _ = soundfile.read(io.BytesIO(data))
    assert 0.9 < abs(heard).max() < 1.2
    # Samples that turn over jump from one end of the scale to the other.
    assert abs(np.diff(heard)).max() < 0.5


def test_the_same_sounds_are_the_same_bytes(tmp_path: Path) -> None:
    """A page made twice is the same page, however many processes made its sounds."""
    names = [wave(tmp_path / f"{n}.wav", noise(0.2, n)).name for n in range(5)]
    once = _found(tmp_path, _pair(*names), audio="embed", processes=1)
    again = _found(tmp_path, _pair(*names), audio="embed", processes=3)
    assert once == again
    assert len(set(_bytes(once))) == 5


@pytest.mark.parametrize(
    ("known", "made", "mime"), [({"FLAC", "WAV"}, "FLAC", "audio/flac"), ({"WAV"}, "WAV", "audio/wav")]
)
def test_where_no_mp3_can_be_written_others_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, known: set[str], made: str, mime: str
) -> None:
    """FLAC, and where that is missing too, WAV."""
    monkeypatch.setattr(soundfile, "available_formats", lambda: dict.fromkeys(known, ""))
    wave(tmp_path / "a.wav", noise(0.2))
    found = _found(tmp_path, _pair("a.wav"), audio="embed")
    assert [chunk.type for chunk in found.chunks] == [mime]
    assert soundfile.info(io.BytesIO(_bytes(found)[0])).format == made


def test_what_fits_is_embedded_worst_first_and_the_rest_linked(tmp_path: Path) -> None:
    """A note says how many are linked, and why; every one can still be heard."""
    names = [wave(tmp_path / f"{n}.wav", noise(0.5, n)).name for n in range(6)]
    pair = _pair(*names)
    size = len(_found(tmp_path, _pair(names[0]), audio="embed").chunks[0].text)
    pair["utterances"].reverse()
    found = _found(tmp_path, pair, audio="embed", total=2 * size + size // 2)
    kinds = {key[1]: set(found.sounds[place]) for key, place in found.places.items()}
    embedded = {"chunk", "type"}
    assert kinds == {"u0": embedded, "u1": embedded, **{f"u{n}": {"url"} for n in range(2, 6)}}
    (note,) = found.notes
    assert note.startswith("4 sounds are linked instead of embedded")
    assert "a page holds at most 0.0" in note


def test_a_sound_that_is_too_large_is_linked_and_the_next_embedded(tmp_path: Path) -> None:
    """One long recording does not take the room of all the others, whether its length is known or not."""
    long, short = wave(tmp_path / "long.wav", noise(4.0)).name, wave(tmp_path / "short.wav", noise(0.2)).name
    nothing = _pair(long)
    nothing["utterances"][0]["duration_s"] = 4.0
    found = _found(tmp_path, nothing, audio="embed", each=10_000, limits=Limits(program=("/no/such/program",)))
    assert "holds none over" in found.notes[0], "what is known to be too large is not decoded at all"
    pair = _pair(long, short)
    for length in (None, 4.0):
        pair["utterances"][0]["duration_s"] = length
        found = _found(tmp_path, pair, audio="embed", each=10_000)
        assert [set(sound) for sound in found.sounds] == [{"url"}, {"chunk", "type"}]
        (note,) = found.notes
        assert note.startswith("1 sound is linked instead of embedded, to be heard where the files are: ")
        assert note.endswith("a page holds none over 0.01 MB")


@pytest.mark.parametrize("audio", ["link", "embed"])
def test_what_is_no_file_is_told_once(tmp_path: Path, audio: str) -> None:
    """Absent files, folders, pipes and empty ones have no sound; one note has their number and the first ids."""
    os.mkfifo(tmp_path / "pipe.wav")
    (tmp_path / "empty.wav").touch()
    wave(tmp_path / "a.wav")
    found = _found(tmp_path, _pair("absent.wav", ".", "pipe.wav", "empty.wav", "a.wav", "a\0b.wav"), audio=audio)
    assert set(found.places) == {("prompts", "u4")}
    (note,) = found.notes
    assert note.startswith("no sound for 5 utterances of those shown ('u0', 'u1', 'u2', 'u3', 'u5'); the first: ")
    assert note.endswith("absent.wav: no such audio file")


def test_what_cannot_be_decoded_has_no_sound(tmp_path: Path) -> None:
    """A page of HTML and half a sound cost only themselves."""
    (tmp_path / "page.wav").write_text("<html>not found</html>")
    whole = wave(tmp_path / "whole.wav", noise(0.5))
    (tmp_path / "half.wav").write_bytes(whole.read_bytes()[:5000])
    found = _found(tmp_path, _pair("page.wav", "half.wav", "whole.wav"), audio="embed")
    assert set(found.places) == {("prompts", "u2")}
    (note,) = found.notes
    assert "no sound for 2 utterances of those shown ('u0', 'u1')" in note
    assert "page.wav: cannot be read as audio (Format not recognised" in note
    assert note.count("page.wav") == 1


# An encoder that does what the name of the file says; it needs no module of ours.
STAND_IN = """
import hashlib, json, os, sys, time
for line in os.fdopen(int(sys.argv[1])):
    order = json.loads(line)
    name = os.path.basename(order.get("path", ""))
    data = name.encode()
    answer = {"ready": True} if not order else {"sha256": hashlib.sha256(data).hexdigest(), "duration_s": 1.0}
    if order and name != "nothing": open(order["target"], "wb").write(data)
    if name == "crash": os.abort()
    if name == "hang": time.sleep(3600)
    if name == "lie": answer["sha256"] = "0"
    if name == "full": answer = {"errno": 28}
    os.write(int(sys.argv[2]), json.dumps(answer).encode() + b"\\n")
"""
PROGRAM = (sys.executable, "-c", STAND_IN, "{requests}", "{answers}")


def _odd(folder: Path, *names: str, timeout_s: float = 60.0, **room: Any) -> Sounds:
    for name in names:
        (folder / name).write_text("anything")
    limits = Limits(timeout_s=timeout_s, program=PROGRAM)
    return _found(folder, _pair(*names), audio="embed", limits=limits, processes=1, **room)


@pytest.mark.parametrize(
    ("name", "sentence", "timeout_s"),
    [
        ("crash", "the decoder's process ended with signal 6 (SIGABRT)", 60.0),
        ("hang", "no answer within 0.5 s", 0.5),
        ("lie", "what the decoder wrote is not what it said", 60.0),
        ("nothing", "what the decoder wrote is not what it said", 60.0),
    ],
)
def test_a_file_that_kills_the_decoder_costs_only_itself(
    tmp_path: Path, name: str, sentence: str, timeout_s: float
) -> None:
    """The rest is decoded by the next process, and the note says what happened."""
    found = _odd(tmp_path, "first", name, "last", timeout_s=timeout_s)
    assert _bytes(found) == [b"first", b"last"]
    (note,) = found.notes
    assert f"('u1'); the first: {tmp_path}/{name}: cannot be decoded: {sentence}" in note


def test_what_stops_all_of_it_leaves_links(tmp_path: Path) -> None:
    """A full disk, and decoders that cannot be started, are no fault of any sound: those are linked."""
    found = _odd(tmp_path, "first", "full", "last")
    assert [set(sound) for sound in found.sounds] == [{"chunk", "type"}, {"url"}, {"url"}]
    assert "2 sounds are linked" in found.notes[0]
    assert "No space left on device" in found.notes[0]
    broken = Limits(program=("/no/such/program",))
    found = _found(tmp_path, _pair("first", "last"), audio="embed", limits=broken)
    assert [set(sound) for sound in found.sounds] == [{"url"}, {"url"}]
    assert "the process that decodes cannot be started" in found.notes[0]


def test_making_them_ends_after_a_time(tmp_path: Path) -> None:
    """Whoever waits for the page does not wait for ever: what is not made by then is linked."""
    found = _odd(tmp_path, "first", "second", "third", seconds=0.0)
    assert len(found.chunks) == 1
    assert found.notes == (
        "2 sounds are linked instead of embedded, to be heard where the files are: making them took over 0 s",
    )


def test_nothing_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither what was made nor what was made in vain stays in the folder for temporary files."""
    monkeypatch.setattr(embedding.tempfile, "tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    assert _odd(tmp_path, "first", "second", "third", total=10).chunks
    assert list((tmp_path / "temporary").iterdir()) == []


def test_every_pair_has_its_share_of_the_room(tmp_path: Path) -> None:
    """The worst of each compared pair come before the second worst of any, and those of baselines last."""
    names = [wave(tmp_path / f"{n}.wav", noise(0.2, n)).name for n in range(6)]
    baseline, first, second = _pair(*names[:2], wrong=9), _pair(*names[2:4], wrong=9), _pair(*names[4:])
    for pair, dataset in ((baseline, "a"), (first, "b"), (second, "c")):
        pair["dataset"] = dataset
    first["baseline"] = second["baseline"] = "f32"
    found = _found(tmp_path, baseline, first, second)
    assert list(found.places) == [("b", "u0"), ("c", "u0"), ("b", "u1"), ("c", "u1"), ("a", "u0"), ("a", "u1")]
