"""Claims about LibriSpeech-shaped trees: one split, each line of a transcript with its sound beside it."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from pytest_asrgate.corpora import trees
from pytest_asrgate.corpora.corpus import Clip, Corpus, Orphan, Settings, Sound
from pytest_asrgate.corpora.librispeech import ADAPTER
from pytest_asrgate.corpora.registry import CORPORA
from pytest_asrgate.errors import DatasetError

SPEAKERS = """; Comments come first
;ID  |SEX| SUBSET           |MINUTES| NAME
61   | M | test-clean       |  8.08 | |CBW|Simon
121  | F | test-clean       |  8.18 | Nikolle Doolin
"""


def chapter(split: Path, speaker: str, name: str, texts: Mapping[str, str], suffix: str = ".flac") -> Path:
    """A chapter's folder with a transcript and an empty sound for each number."""
    folder = split / speaker / name
    folder.mkdir(parents=True)
    lines = [f"{speaker}-{name}-{number} {text}".strip() for number, text in texts.items()]
    (folder / f"{speaker}-{name}.trans.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    for number in texts:
        (folder / f"{speaker}-{name}-{number}{suffix}").touch()
    return folder


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A LibriSpeech with one split of two speakers."""
    root = tmp_path / "LibriSpeech"
    chapter(root / "test-clean", "61", "70968", {"0000": "HE BEGAN", "0001": "GIVE NOT SO EARNEST A MIND"})
    chapter(root / "test-clean", "121", "121726", {"0000": "ALSO A POPULAR CONTRIVANCE"})
    (root / "SPEAKERS.TXT").write_text(SPEAKERS, encoding="utf-8")
    return root


def _read(source: Path, **settings: str) -> Corpus:
    return ADAPTER.read(source, Settings(**settings))  # type: ignore[arg-type]  # only texts are given here


def _ids(corpus: Corpus) -> list[str]:
    return sorted(clip.id for clip in corpus.clips)


def _refusal(source: Path, **settings: str) -> str:
    with pytest.raises(DatasetError) as caught:
        _read(source, **settings)
    message = str(caught.value)
    assert "\n" not in message
    return message


def test_a_line_and_its_sound_are_a_clip(root: Path) -> None:
    """A line gives id and text as written, the place it stands at, speaker and gender."""
    corpus = _read(root)
    folder = root / "test-clean" / "61" / "70968"
    assert Clip(
        id="61-70968-0001",
        sound=Sound(folder / "61-70968-0001.flac"),
        text="GIVE NOT SO EARNEST A MIND",
        place=f"{folder / '61-70968.trans.txt'}:2",
        speaker="61",
        tags=("male",),
    ) in set(corpus.clips)
    assert {clip.speaker: clip.tags for clip in corpus.clips} == {"61": ("male",), "121": ("female",)}
    assert (corpus.orphans, corpus.notes) == ((), ())


def test_the_language_is_that_of_the_corpus() -> None:
    """LibriSpeech is English, and the registry has it under its name."""
    assert (ADAPTER.language, ADAPTER.settings) == ("en", ("split",))
    assert CORPORA["librispeech"] is ADAPTER


@pytest.mark.parametrize(
    ("part", "count"), [(".", 3), ("test-clean", 3), ("test-clean/61", 2), ("test-clean/61/70968", 2), ("..", 3)]
)
def test_any_folder_of_the_tree_is_a_source(root: Path, part: str, count: int) -> None:
    """Root, split, speaker, chapter and the folder above the root are read, genders found from each."""
    corpus = _read(root / part)
    assert len(corpus.clips) == count
    assert all(clip.tags for clip in corpus.clips)


def test_a_relative_source_has_its_folders_above(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A chapter given as `.` is read as when it is given by its whole path."""
    monkeypatch.chdir(root / "test-clean" / "61" / "70968")
    assert {(clip.speaker, clip.tags) for clip in _read(Path()).clips} == {("61", ("male",))}


def test_wav_is_read_as_flac_is(tmp_path: Path) -> None:
    """Derived corpora have WAV, some in capitals."""
    chapter(tmp_path, "1", "2", {"0": "A"}, ".wav")
    chapter(tmp_path, "1", "3", {"0": "B"}, ".FLAC")
    assert {clip.sound.path.suffix for clip in _read(tmp_path).clips} == {".wav", ".FLAC"}


def test_flac_is_taken_where_both_are_and_that_is_told(tmp_path: Path) -> None:
    """A WAV beside its FLAC is no sound without a transcript; a note counts it."""
    folder = chapter(tmp_path, "1", "2", {"0": "A"})
    (folder / "1-2-0.wav").touch()
    corpus = _read(tmp_path)
    assert [clip.sound.path.name for clip in corpus.clips] == ["1-2-0.flac"]
    assert corpus.orphans == ()
    assert "1 utterance" in corpus.notes[0]
    assert ".flac" in corpus.notes[0]


def test_a_line_without_words_is_an_empty_transcript(tmp_path: Path) -> None:
    """What an empty transcript means is decided by ingest's option, so the clip is kept."""
    chapter(tmp_path, "1", "2", {"0": ""})
    assert [clip.text for clip in _read(tmp_path).clips] == [""]


def test_text_is_stripped_and_else_as_written(tmp_path: Path) -> None:
    """Case, punctuation and white space inside a text stay; a tab may follow the id; BOM and CRLF are fine."""
    folder = chapter(tmp_path, "1", "2", {"0": "", "1": ""})
    (folder / "1-2.trans.txt").write_bytes(b"\xef\xbb\xbf1-2-0\t  Don't,  stop! \r\n\r\n1-2-1 B\r\n")
    assert {clip.id: clip.text for clip in _read(tmp_path).clips} == {"1-2-0": "Don't,  stop!", "1-2-1": "B"}


def test_orphans_of_both_kinds_are_listed(root: Path) -> None:
    """A line without its sound and a sound without its line are found, with their places."""
    folder = root / "test-clean" / "61" / "70968"
    (folder / "61-70968-0001.flac").unlink()
    (folder / "61-70968-0009.flac").touch()
    lonely = root / "test-clean" / "7" / "8"
    lonely.mkdir(parents=True)
    (lonely / "7-8-0.flac").touch()
    assert set(_read(root, split="test-clean").orphans) == {
        Orphan("61-70968-0001", f"{folder / '61-70968.trans.txt'}:2", has_sound=False),
        Orphan("test-clean/61/70968/61-70968-0009.flac", str(folder / "61-70968-0009.flac"), has_sound=True),
        Orphan("test-clean/7/8/7-8-0.flac", str(lonely / "7-8-0.flac"), has_sound=True),
    }


def test_splits_are_never_mixed_unasked(root: Path) -> None:
    """Two splits below the source are refused by name; one is chosen by its name, all by `all`."""
    other = chapter(root / "test-other", "367", "130732", {"0000": "LOBSTERS AND LOBSTERS"})
    (other / "367-130732-0009.flac").touch()
    message = _refusal(root)
    assert message.startswith(f"{root}: ")
    assert "'test-clean'" in message
    assert "'test-other'" in message
    assert "--split all" in message
    chosen = _read(root, split="test-clean")
    assert (len(chosen.clips), chosen.orphans) == (3, ())
    assert _ids(_read(root, split="test-other")) == ["367-130732-0000"]
    assert len(_read(root, split="all").clips) == 4
    assert "'test-clean', 'test-other'" in _refusal(root, split="dev-clean")


def test_a_split_that_the_source_is_may_be_named(root: Path) -> None:
    """`split` may repeat the source's own name, and another name is refused."""
    assert len(_read(root / "test-clean", split="test-clean").clips) == 3
    assert "'test-clean'" in _refusal(root / "test-clean", split="test-other")


def test_speakers_that_have_no_gender_are_counted(root: Path) -> None:
    """A speaker that SPEAKERS.TXT does not have, or has as neither F nor M, has no tag, and a note says so."""
    (root / "SPEAKERS.TXT").write_text("61 | ? | test-clean | 8 | Simon\n", encoding="utf-8")
    corpus = _read(root)
    assert {clip.tags for clip in corpus.clips} == {()}
    assert corpus.notes == (f"{root / 'SPEAKERS.TXT'} does not say F or M of '121', '61'",)


def test_a_corpus_without_speakers_file_has_no_tags(tmp_path: Path) -> None:
    """Nothing is said of genders that no file tells."""
    chapter(tmp_path / "a" / "b" / "c" / "d", "1", "2", {"0": "A"})
    corpus = _read(tmp_path / "a" / "b" / "c" / "d")
    assert ([clip.tags for clip in corpus.clips], corpus.notes) == ([()], ())


def test_speakers_are_looked_for_three_folders_above(tmp_path: Path) -> None:
    """Also of a tree without folders of speakers; a file further up is somebody else's."""
    (tmp_path / "SPEAKERS.TXT").write_text(SPEAKERS, encoding="utf-8")
    for depth, tags in [("a/b/c", ("male",)), ("a/b/c/d", ())]:
        folder = tmp_path / depth
        folder.mkdir(parents=True)
        (folder / "61-1.trans.txt").write_text("61-1-0 A\n", encoding="utf-8")
        (folder / "61-1-0.wav").touch()
        assert [clip.tags for clip in _read(folder, split=folder.name).clips] == [tags]


@pytest.mark.parametrize("line", ["61 M test-clean", "61 | M", " | M | test-clean | 8 | Simon"])
def test_a_speakers_file_of_another_shape_is_named(root: Path, line: str) -> None:
    """A line that does not begin with id, sex and subset is refused by its place."""
    (root / "SPEAKERS.TXT").write_text(f"; one\n{line}\n", encoding="utf-8")
    assert _refusal(root).startswith(f"{root / 'SPEAKERS.TXT'}:2: ")


def test_an_id_without_parts_has_its_speaker_from_the_folder(tmp_path: Path) -> None:
    """The folder above the chapter's names who speaks where the id does not."""
    folder = tmp_path / "ann" / "book"
    folder.mkdir(parents=True)
    (folder / "ann-book.trans.txt").write_text("first A\n-second B\n", encoding="utf-8")
    (folder / "first.flac").touch()
    (folder / "-second.flac").touch()
    assert [clip.speaker for clip in _read(tmp_path).clips] == ["ann", "ann"]


def test_an_id_given_twice_is_refused_with_both_places(tmp_path: Path) -> None:
    """Whether in one file or in two, both places are named."""
    first = chapter(tmp_path / "x", "1", "2", {"0": "A"})
    second = chapter(tmp_path / "y", "1", "2", {"0": "A"})
    assert _refusal(tmp_path, split="all") == (
        f"{second / '1-2.trans.txt'}:1 (1-2-0): the id stands already at {first / '1-2.trans.txt'}:1; "
        "ids must be unique"
    )


def test_an_id_that_a_manifest_cannot_hold_is_refused(tmp_path: Path) -> None:
    """More than 1000 characters are told by file and line."""
    folder = chapter(tmp_path, "1", "2", {"0": "A"})
    (folder / "1-2.trans.txt").write_text("1-2-0 A\n" + "x" * 1001 + " B\n", encoding="utf-8")
    assert (
        _refusal(tmp_path) == f"{folder / '1-2.trans.txt'}:2: an id must have at most 1000 characters; it has 1001"
    )


@pytest.mark.parametrize("identity", ["../61-70968-0000", "..", "/etc/passwd", "a\x1bb", "61-70968-0000.flac"])
def test_an_id_never_leads_out_of_its_folder(root: Path, identity: str) -> None:
    """Only sounds beside the transcript are looked for; what else an id may be, it is kept as written."""
    folder = root / "test-clean" / "61" / "9"
    folder.mkdir()
    (root / "test-clean" / "61" / "61-70968-0000.flac").touch()
    (folder / "61-9.trans.txt").write_text(f"{identity} A\n", encoding="utf-8")
    orphans = [orphan.name for orphan in _read(root).orphans if not orphan.has_sound]
    assert orphans == [identity]


@pytest.mark.parametrize(
    ("data", "fact"),
    [(b"1-2-0 A\n1-2-1 \xff\n", ":2: not UTF-8"), (b"1-2-0 A\0\n", ":1: holds a NUL"), (b"\n", "hold no line")],
)
def test_a_transcript_that_is_no_text_is_named(tmp_path: Path, data: bytes, fact: str) -> None:
    """Bytes that are not UTF-8 and NUL are refused by line; transcripts without a line are none."""
    folder = chapter(tmp_path, "1", "2", {"0": "A"})
    (folder / "1-2.trans.txt").write_bytes(data)
    assert fact in _refusal(tmp_path)


def test_a_source_that_is_none_is_told_with_what_was_looked_for(tmp_path: Path) -> None:
    """An absent folder, a file and a folder without transcripts are each one sentence."""
    assert _refusal(tmp_path / "no").startswith(f"{tmp_path / 'no'}: there is no such folder")
    assert "there is no such folder" in _refusal(tmp_path / ("x" * 300))
    assert "cannot be looked at" in _refusal(tmp_path / "a\0b")
    (tmp_path / "x.tar.gz").touch()
    assert _refusal(tmp_path / "x.tar.gz").startswith(f"{tmp_path / 'x.tar.gz'}: is no folder")
    message = _refusal(tmp_path)
    assert message.startswith(f"{tmp_path}: ")
    assert "SPEAKER-CHAPTER.trans.txt" in message


def test_links_are_followed_and_each_folder_is_read_once(root: Path, tmp_path: Path) -> None:
    """A linked split is read, a link back up does not go round, and a second name of a folder adds nothing."""
    tree = tmp_path / "links"
    tree.mkdir()
    (tree / "test-clean").symlink_to(root / "test-clean", target_is_directory=True)
    (root / "test-clean" / "61" / "up").symlink_to(root / "test-clean", target_is_directory=True)
    (tree / "broken").symlink_to(tmp_path / "nowhere")
    (tree / "itself").symlink_to(tree / "itself")
    assert len(_read(tree).clips) == 3
    (root / "alias").symlink_to(root / "test-clean", target_is_directory=True)
    assert len(_read(root, split="test-clean").clips) == 3


def test_hidden_files_are_no_sounds(tmp_path: Path) -> None:
    """What macOS leaves beside files, and hidden folders, are passed over."""
    folder = chapter(tmp_path, "1", "2", {"0": "A"})
    (folder / "._1-2-0.flac").touch()
    (folder / "._1-2.trans.txt").write_bytes(b"\0\5\x16\7")
    chapter(tmp_path / ".trash", "1", "2", {"0": "A"})
    corpus = _read(tmp_path)
    assert (len(corpus.clips), corpus.orphans) == (1, ())


def test_a_sound_is_a_regular_file(tmp_path: Path) -> None:
    """A folder with the name of a sound is none."""
    folder = chapter(tmp_path, "1", "2", {"0": "A"})
    (folder / "1-2-0.flac").unlink()
    (folder / "1-2-0.flac").mkdir()
    assert [orphan.has_sound for orphan in _read(tmp_path).orphans] == [False]


def test_each_folder_is_listed_once_and_no_sound_looked_at(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A corpus of 280,000 sounds costs a listing a folder, not a look at each file."""
    listed: list[Path] = []
    looked: list[Path] = []
    scandir, status = trees.os.scandir, trees.os.stat

    def counted_list(path: Path) -> object:
        listed.append(Path(path))
        return scandir(path)

    def counted_look(path: Path, **options: bool) -> object:
        looked.append(Path(path))
        return status(path, **options)

    monkeypatch.setattr(trees.os, "scandir", counted_list)
    monkeypatch.setattr(trees.os, "stat", counted_look)
    _read(root)
    assert len(listed) == len(set(listed)) == 6
    assert not [path for path in looked if path.suffix == ".flac"]
