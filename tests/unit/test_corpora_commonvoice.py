"""Claims about Common Voice: a row of a split and the clip of its name, in the tables of old and new releases."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from pytest_asrgate.corpora import trees
from pytest_asrgate.corpora.commonvoice import ADAPTER
from pytest_asrgate.corpora.corpus import Clip, Corpus, Orphan, Settings, Sound
from pytest_asrgate.corpora.registry import CORPORA
from pytest_asrgate.errors import DatasetError

OLD = ("client_id", "path", "sentence", "up_votes", "down_votes", "age", "gender", "accent")
NEW = (
    *("client_id", "path", "sentence_id", "sentence", "sentence_domain", "up_votes", "down_votes", "age", "gender"),
    *("accents", "variant", "locale", "segment"),
)
SPEAKER = "ab" * 64


def table(
    folder: Path, rows: Sequence[Mapping[str, str]], columns: Sequence[str] = NEW, split: str = "test"
) -> Path:
    """The folder of a language with the table of one split."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = ["\t".join(columns), *("\t".join(row.get(name, "") for name in columns) for row in rows)]
    (folder / f"{split}.tsv").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return folder


def clips(folder: Path, *names: str) -> Path:
    """Empty clips beside the tables."""
    (folder / "clips").mkdir(parents=True, exist_ok=True)
    for name in names:
        (folder / "clips" / name).touch()
    return folder


def row(path: str, **more: str) -> dict[str, str]:
    """A row of any release."""
    return {"client_id": SPEAKER, "path": path, "sentence": "Bonjour.", **more}


def _read(source: Path, split: str | None = None) -> Corpus:
    return ADAPTER.read(source, Settings(split=split))


def _refusal(source: Path, split: str | None = None) -> str:
    with pytest.raises(DatasetError) as caught:
        _read(source, split)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_row_and_its_clip_are_a_clip(tmp_path: Path) -> None:
    """Text, speaker, language and tags are those of the row; quotation marks are characters as any other."""
    more = {"sentence": ' "Bonjour, dit-il. ', "locale": "fr", "gender": "female_feminine", "age": "thirties"}
    source = clips(table(tmp_path / "x", [row("c1.mp3", **more, accents="Paris, Lyon")]), "c1.mp3")
    corpus = _read(source)
    assert corpus == Corpus(
        (
            Clip(
                "c1",
                Sound(source / "clips" / "c1.mp3"),
                '"Bonjour, dit-il.',
                f"{source / 'test.tsv'}:2",
                language="fr",
                speaker=SPEAKER,
                tags=("gender:female_feminine", "age:thirties", "accent:Paris, Lyon"),
            ),
        )
    )
    assert CORPORA["commonvoice"] is ADAPTER


def test_a_table_of_an_old_release(tmp_path: Path) -> None:
    """Where there is no column of languages the folder names it, and the accent's column had another name."""
    source = clips(table(tmp_path / "fr", [row("c1", accent="suisse")], OLD), "c1.mp3")
    (found,) = _read(source).clips
    assert (found.id, found.language, found.tags) == ("c1", "fr", ("accent:suisse",))
    assert found.sound == Sound(source / "clips" / "c1.mp3")
    (found,) = _read(source.rename(tmp_path / "somewhere")).clips
    assert found.language is None


def test_the_split_is_test_unless_chosen(tmp_path: Path) -> None:
    """Another split is read where it is chosen; one that is not there is refused with those that are."""
    source = clips(table(tmp_path / "fr", [row("c1.mp3")]), "c1.mp3", "c2.mp3", "c3.mp3")
    table(source, [row("c2.mp3")], split="validated")
    assert [clip.id for clip in _read(source).clips] == ["c1"]
    assert [clip.id for clip in _read(source, "validated").clips] == ["c2"]
    assert "has no split 'tset'; it has 'test', 'validated'" in _refusal(source, "tset")


def test_only_rows_can_lack_something(tmp_path: Path) -> None:
    """A row without its clip is an orphan; clips without a row are those of other splits."""
    source = clips(table(tmp_path / "fr", [row("c1.mp3"), row("c9.mp3"), row("c8")]), "c1.mp3", "c2.mp3")
    corpus = _read(source)
    assert [clip.id for clip in corpus.clips] == ["c1"]
    path = source / "test.tsv"
    assert corpus.orphans == (
        Orphan("c9", f"{path}:3", has_sound=False),
        Orphan("c8", f"{path}:4", has_sound=False),
    )


def test_what_is_no_good_tag_is_left_out_and_counted(tmp_path: Path) -> None:
    """Accents are free texts, so that one may be too long for the name of a group."""
    source = table(tmp_path / "fr", [row("c1.mp3", age="teens", accents="x" * 200), row("c2.mp3")])
    corpus = _read(clips(source, "c1.mp3", "c2.mp3"))
    assert [clip.tags for clip in corpus.clips] == [("age:teens",), ()]
    assert corpus.notes == ("1 value of gender, age or accent too long or odd for a tag: left out",)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (row(""), ":3: an id must not be empty"),
        (row("../c2.mp3"), ":3: path must be the name of a file in clips; it is '../c2.mp3'"),
        (row("c1"), ":3 (c1): the id stands already at "),
        (row("c2.mp3", sentence="a\tb"), ":3: has 14 fields, while the header has 13"),
        (row("x" * 1001), ":3: an id must have at most 1000 characters"),
    ],
)
def test_a_doubtful_row_is_refused_by_line(tmp_path: Path, more: Mapping[str, str], words: str) -> None:
    """One sentence names file and line."""
    source = clips(table(tmp_path / "fr", [row("c1.mp3"), more]), "c1.mp3", "c2.mp3")
    message = _refusal(source)
    assert message.startswith(str(source / "test.tsv"))
    assert words in message


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        (
            ("client_id", "path", "sentense"),
            ":1: has no column 'sentence' (the transcript); did you mean 'sentense'?",
        ),
        (("client_id", "file", "sentence"), ":1: has no column 'path' (the file)"),
        (("path", "path", "sentence"), ":1: the column 'path' stands 2 times"),
        (("client_id", "audio_file", "transcription"), "spontaneous speech"),
    ],
)
def test_a_header_of_another_table_is_refused(tmp_path: Path, columns: Sequence[str], words: str) -> None:
    """A column that is missing or doubled is named."""
    assert words in _refusal(clips(table(tmp_path / "fr", [row("c1.mp3")], columns), "c1.mp3"))


def test_what_is_no_folder_of_a_language_is_refused(tmp_path: Path) -> None:
    """A folder of languages, one without clips, an empty table and a release of spontaneous speech are named."""
    assert "there is no such folder" in _refusal(tmp_path / "absent")
    source = table(tmp_path / "fr", [])
    assert "has no test.tsv; it holds the languages fr; give the folder of one" in _refusal(tmp_path)
    assert f"{source / 'clips'}: there is no such folder" in _refusal(source)
    assert "holds no rows below its header" in _refusal(clips(source))
    (source / "test.tsv").rename(source / "ss-corpus-fr.tsv")
    message = _refusal(source)
    assert "spontaneous speech" in message
    assert "--audio-column audio_file --text-column transcription --quoting none --audio " in message


def test_the_folder_is_listed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many rows there are, no clip is looked at on its own."""
    names = [f"c{number}.mp3" for number in range(50)]
    source = clips(table(tmp_path / "fr", [row(name) for name in names]), *names)
    listed: list[str] = []
    scandir = trees.os.scandir

    def counting(folder: Path) -> object:
        listed.append(Path(folder).name)
        return scandir(folder)

    monkeypatch.setattr(trees.os, "scandir", counting)
    assert len(_read(source).clips) == 50
    assert listed == ["fr", "clips"]
