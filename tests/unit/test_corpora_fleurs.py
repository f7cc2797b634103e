"""Claims about FLEURS as it is downloaded: a row and the file of its name, in a folder or in an archive."""

import gzip
import io
import tarfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from pytest_asrgate.corpora.corpus import Clip, Corpus, Orphan, Settings, Sound
from pytest_asrgate.corpora.fleurs import ADAPTER
from pytest_asrgate.corpora.registry import CORPORA
from pytest_asrgate.errors import DatasetError
from pytest_asrgate.languages import canonical_language

ROWS = [
    '7\t11.wav\tHe said "no", twice. \the said no twice\th e |\t16000\tMALE',
    '7\t12.wav\tHe said "no", twice.\the said no twice\th e |\t16000\tFEMALE',
    "9\t13.wav\tRain.\train\tr |\t16000\tOTHER",
]


def archive(path: Path, names: Sequence[str], size: int = 3000) -> Path:
    """A packed archive whose members hold `size` bytes that do not compress to nothing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tarfile.open(path, "w:gz") as file:
        folder = tarfile.TarInfo("test")
        folder.type = tarfile.DIRTYPE
        file.addfile(folder)
        for number, name in enumerate(names):
            member = tarfile.TarInfo(name)
            member.size = size
            data = b"".join((number * size + place).to_bytes(4, "big") for place in range(size // 4))
            file.addfile(member, io.BytesIO(data))
    return path


def language(folder: Path, rows: Sequence[str] = ROWS, split: str = "test") -> Path:
    """The folder of a language with the table of one split."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{split}.tsv").write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
    return folder


def unpacked(folder: Path, names: Sequence[str]) -> Path:
    """Empty sounds in a folder."""
    folder.mkdir(parents=True)
    for name in names:
        (folder / name).touch()
    return folder


def _read(source: Path, split: str | None = None) -> Corpus:
    return ADAPTER.read(source, Settings(split=split))


def _refusal(source: Path, split: str | None = None) -> str:
    with pytest.raises(DatasetError) as caught:
        _read(source, split)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_row_and_a_member_are_a_clip(tmp_path: Path) -> None:
    """The reference is the raw transcription, the id the file's stem: the sentence id is that of several clips."""
    source = language(tmp_path / "hi_in")
    packed = archive(source / "audio" / "test.tar.gz", ["test/13.wav", "test/12.wav", "./test/11.wav"])
    corpus = _read(source)
    assert sorted(corpus.clips, key=lambda clip: clip.id) == [
        Clip(
            "11",
            Sound(packed, member="./test/11.wav"),
            'He said "no", twice.',
            f"{source / 'test.tsv'}:1",
            language="hi_in",
            tags=("gender:male",),
        ),
        Clip(
            "12",
            Sound(packed, member="test/12.wav"),
            'He said "no", twice.',
            f"{source / 'test.tsv'}:2",
            language="hi_in",
            tags=("gender:female",),
        ),
        Clip(
            "13",
            Sound(packed, member="test/13.wav"),
            "Rain.",
            f"{source / 'test.tsv'}:3",
            language="hi_in",
            tags=("gender:other",),
        ),
    ]
    assert corpus.orphans == ()
    assert CORPORA["fleurs"] is ADAPTER


@pytest.mark.parametrize("place", ["audio/test", "test"])
def test_unpacked_sounds_are_preferred(tmp_path: Path, place: str) -> None:
    """Where the archive was unpacked, it is not opened any more, whatever became of it."""
    source = language(tmp_path / "hi_in")
    folder = unpacked(source / place, ["11.wav", "12.wav", "13.wav"])
    (source / "audio").mkdir(exist_ok=True)
    (source / "audio" / "test.tar.gz").write_bytes(b"no archive")
    assert {clip.sound for clip in _read(source).clips} == {Sound(folder / f"{name}.wav") for name in (11, 12, 13)}


@pytest.mark.parametrize(
    ("name", "code"), [("hi_in", "hi"), ("cmn_hans_cn", "zh"), ("yue_hant_hk", "yue"), ("es_419", "es")]
)
def test_the_folder_names_the_language(tmp_path: Path, name: str, code: str) -> None:
    """The folder's name is a tag whose short code is that of the language."""
    source = language(tmp_path / name)
    unpacked(source / "test", ["11.wav", "12.wav", "13.wav"])
    assert {canonical_language(clip.language or "") for clip in _read(source).clips} == {code}


def test_a_folder_of_another_name_names_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No language is guessed from a name such as tmp; `.` and a link have that of the folder they stand for."""
    source = language(tmp_path / "tmp")
    unpacked(source / "test", ["11.wav", "12.wav", "13.wav"])
    assert {clip.language for clip in _read(source).clips} == {None}
    source = source.rename(tmp_path / "de_de")
    (tmp_path / "link").symlink_to(source)
    assert {clip.language for clip in _read(tmp_path / "link").clips} == {"de_de"}
    monkeypatch.chdir(source)
    assert {clip.language for clip in _read(Path()).clips} == {"de_de"}


def test_the_split_is_chosen_or_the_only_one(tmp_path: Path) -> None:
    """With several splits none is guessed; the message names them, also where the chosen one is not there."""
    source = language(language(tmp_path / "hi_in"), ROWS[:1], "dev")
    unpacked(source / "dev", ["11.wav"])
    assert "has the splits 'dev', 'test', which are different tests; choose one by --split" in _refusal(source)
    assert "has no split 'validation'; it has 'dev', 'test'" in _refusal(source, "validation")
    assert [clip.id for clip in _read(source, "dev").clips] == ["11"]


@pytest.mark.parametrize("packed", [True, False])
def test_rows_and_sounds_without_the_other_are_told(tmp_path: Path, packed: bool) -> None:
    """A row whose file is absent and a file in no row are orphans with their places."""
    source = language(tmp_path / "hi_in")
    if packed:
        place = archive(source / "audio" / "test.tar.gz", ["test/11.wav", "test/99.wav", "test/._11.wav"])
        other = f"{place}(test/99.wav)"
    else:
        place = unpacked(source / "test", ["11.wav", "99.wav", "README"])
        other = str(place / "99.wav")
    corpus = _read(source)
    assert [clip.id for clip in corpus.clips] == ["11"]
    assert corpus.orphans == (
        Orphan("12", f"{source / 'test.tsv'}:2", has_sound=False),
        Orphan("13", f"{source / 'test.tsv'}:3", has_sound=False),
        Orphan("test/99.wav", other, has_sound=True),
    )


def test_an_archive_cut_anywhere_is_refused(tmp_path: Path) -> None:
    """However much of an archive is there, it is whole or it is refused in one sentence."""
    source = language(tmp_path / "hi_in")
    path = archive(source / "audio" / "test.tar.gz", ["test/11.wav", "test/12.wav", "test/13.wav"])
    whole = path.read_bytes()
    for size in [*range(0, len(whole), len(whole) // 25), len(whole) - 1]:
        path.write_bytes(whole[:size])
        assert _refusal(source).startswith(f"{path}: cannot be read as an archive after "), size
    path.write_bytes(whole)
    assert len(_read(source).clips) == 3


def test_a_damaged_archive_is_refused(tmp_path: Path) -> None:
    """A flipped bit, which only the checksum at the very end shows, a cut that was packed whole, a bad header."""
    source = language(tmp_path / "hi_in")
    path = archive(source / "audio" / "test.tar.gz", ["test/11.wav", "test/12.wav", "test/13.wav"])
    whole = gzip.decompress(path.read_bytes())
    stored = bytearray(gzip.compress(whole, compresslevel=0))
    # Within the sound of the first member, whose header is a block of 512 bytes behind that of the folder.
    stored[1024 + 700] ^= 1
    path.write_bytes(stored)
    assert "CRC" in _refusal(source)
    # Within a header, within a sound, and right before a header.
    for size in (900, 1600, 512 + 512 + 3072):
        path.write_bytes(gzip.compress(whole[:size]))
        assert "cannot be read as an archive" in _refusal(source), size
        path.with_suffix("").write_bytes(whole[:size])
        path.unlink()
        assert "cannot be read as an archive" in _refusal(source), size
        path.with_suffix("").unlink()
    spoilt = bytearray(whole)
    spoilt[512 + 512 + 3072 + 5] ^= 1
    path.with_suffix("").write_bytes(spoilt)
    assert "after 2 files (byte 4096 begins no file)" in _refusal(source)


def test_a_pointer_in_place_of_the_archive_is_named(tmp_path: Path) -> None:
    """What git leaves where large files were not fetched is no damage, and has another mend."""
    source = language(tmp_path / "hi_in")
    (source / "audio").mkdir()
    (source / "audio" / "test.tar.gz").write_text("version https://git-lfs.github.com/spec/v1\noid sha256:0\n")
    assert "git lfs pull" in _refusal(source)


def test_two_members_of_one_name_are_refused(tmp_path: Path) -> None:
    """Which of them a row means cannot be told."""
    source = language(tmp_path / "hi_in")
    archive(source / "audio" / "test.tar.gz", ["test/11.wav", "dev/11.wav"])
    assert "holds 11.wav as test/11.wav and as dev/11.wav" in _refusal(source)


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("7\t12.wav\tRain.\train\tr |\t16000", ":2: has 6 fields, while a row of FLEURS has 7"),
        ("7\t12.wav\tRa\tin.\train\tr |\t16000\tMALE", ":2: has 8 fields"),
        ("7\t../12.wav\tRain.\train\tr |\t16000\tMALE", ":2: the second field must be the name of a file"),
        ("7\t12.mp3\tRain.\train\tr |\t16000\tMALE", "it is '12.mp3'"),
        ("7\t.wav\tRain.\train\tr |\t16000\tMALE", ":2: an id must not be empty"),
        ("7\t12.wav\tRain.\train\tr |\t16000\tman", ":2 (12): the gender must be one of MALE, FEMALE, OTHER"),
        ("7\t11.wav\tRain.\train\tr |\t16000\tMALE", ":2 (11): the id stands already at "),
        (f"7\t{'x' * 1001}.wav\tRain.\train\tr |\t16000\tMALE", ":2: an id must have at most 1000 characters"),
    ],
)
def test_a_doubtful_row_is_refused_by_line(tmp_path: Path, row: str, words: str) -> None:
    """One sentence names file, line and, where it is known, the id."""
    source = language(tmp_path / "hi_in", [ROWS[0], row])
    message = _refusal(source)
    assert message.startswith(str(source / "test.tsv"))
    assert words in message


def test_what_is_no_folder_of_a_language_is_refused(tmp_path: Path) -> None:
    """Nothing, a file, a folder of languages, an empty table, and one without sounds each have their sentence."""
    assert "there is no such folder" in _refusal(tmp_path / "absent")
    source = language(tmp_path / "hi_in", [])
    assert "is no folder" in _refusal(source / "test.tsv")
    assert "it holds the languages hi_in; give the folder of one" in _refusal(tmp_path)
    assert "holds no rows" in _refusal(source)
    assert "looked for audio/test, test, audio/test.tar.gz" in _refusal(language(source))


def test_an_empty_transcription_is_a_clip(tmp_path: Path) -> None:
    """Whether it is kept is decided where the corpus is taken in."""
    source = language(tmp_path / "hi_in", ["7\t11.wav\t \t\t|\t16000\tMALE"])
    unpacked(source / "test", ["11.wav"])
    assert [clip.text for clip in _read(source).clips] == [""]
