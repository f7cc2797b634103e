"""Claims about the corpus csv: columns as they are chosen, paths, ids that come from them, and bad tables."""

from pathlib import Path
from typing import Any

import pytest

from pytest_asrgate.corpora.corpus import Clip, Corpus, Orphan, Settings, Sound
from pytest_asrgate.corpora.registry import CORPORA
from pytest_asrgate.corpora.table import ADAPTER
from pytest_asrgate.errors import DatasetError

USUAL = {"audio_column": "file", "text_column": "said"}


def table(folder: Path, text: str, *sounds: str, name: str = "table.csv") -> Path:
    """A table, and empty files of sound in its folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for sound in sounds:
        (folder / sound).parent.mkdir(parents=True, exist_ok=True)
        (folder / sound).touch()
    (folder / name).write_text(text, encoding="utf-8", newline="")
    return folder / name


def _read(source: Path, **settings: Any) -> Corpus:
    return ADAPTER.read(source, Settings(**{**USUAL, **settings}))


def _refusal(source: Path, **settings: Any) -> str:
    with pytest.raises(DatasetError) as caught:
        _read(source, **settings)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_every_column_is_used(tmp_path: Path) -> None:
    """Text, id, speaker, language and tags are those of the chosen columns; a text may have several lines."""
    source = table(
        tmp_path,
        'who,file,said,tongue,room,key\r\nann,a/1.wav," one,\r\n ""two"" ",de,hall,k/1\r\n,a/2.wav,three,,,k2\r\n',
        "a/1.wav",
        "a/2.wav",
    )
    settings = {
        "id_column": "key",
        "speaker_column": "who",
        "language_column": "tongue",
        "tag_columns": ("room", "who"),
    }
    assert _read(source, **settings) == Corpus(
        (
            Clip(
                "k/1",
                Sound(tmp_path / "a/1.wav"),
                'one,\n "two"',
                f"{source}:2",
                "de",
                "ann",
                ("room:hall", "who:ann"),
            ),
            Clip("k2", Sound(tmp_path / "a/2.wav"), "three", f"{source}:4"),
        )
    )
    assert CORPORA["csv"] is ADAPTER


@pytest.mark.parametrize(
    ("name", "delimiter", "told"),
    [
        ("t.csv", ",", None),
        ("t.TSV", "\t", None),
        ("t.tab", "\t", None),
        ("t.txt", ";", ";"),
        ("t.csv", "\t", "\\t"),
        ("t.csv", "\t", "tab"),
        ("t.csv", "\t", "\t"),
    ],
)
def test_the_delimiter_is_told_or_that_of_the_name(
    tmp_path: Path, name: str, delimiter: str, told: str | None
) -> None:
    """A table's name says what parts its columns, unless that is told."""
    source = table(tmp_path, f"file{delimiter}said\n1.wav{delimiter}one\n", "1.wav", name=name)
    assert [clip.text for clip in _read(source, delimiter=told).clips] == ["one"]


def test_columns_are_numbers_without_a_header(tmp_path: Path) -> None:
    """Without a header the first line is a row, columns count from 1, and a tag is the value alone."""
    source = table(tmp_path, "1.wav,one,f\n2.wav,two,m\n", "1.wav", "2.wav")
    settings = {"audio_column": "1", "text_column": "2", "tag_columns": ("3",), "header": False}
    assert [(clip.text, clip.tags) for clip in _read(source, **settings).clips] == [
        ("one", ("f",)),
        ("two", ("m",)),
    ]
    message = _refusal(source, header=False)
    assert (
        f"{source}: has no column 'file' (the audio column); without a header a column is a number from 1 to 3"
        in message
    )


def test_paths_begin_at_the_table_or_the_folder_of_sounds(tmp_path: Path) -> None:
    """Relative paths begin where the table is, or where the sounds are said to be; absolute ones stay."""
    other = tmp_path / "other"
    table(other, "", "1.wav")
    source = table(tmp_path / "here", "file,said\n1.wav,one\n")
    assert [clip.sound for clip in _read(source, audio=other).clips] == [Sound(other / "1.wav")]
    source = table(tmp_path / "here", f"file,said\n{other / '1.wav'},one\n../other/1.wav,two\n")
    assert [(clip.id, clip.text) for clip in _read(source).clips] == [("1", "one"), ("../other/1", "two")]


@pytest.mark.parametrize(
    ("paths", "ids"),
    [
        (["x/wav/a.wav", "x/wav/b/c.v2.flac"], ["x/wav/a", "x/wav/b/c.v2"]),
        (["only.wav"], ["only"]),
        (["./x/./a.wav", "x/y/../b.wav"], ["x/a", "x/b"]),
        (["HERE/x/a.wav", "b.wav"], ["x/a", "b"]),
        (["/data/x/a.wav", "/data/b.wav", "c/d.wav"], ["x/a", "b", "c/d"]),
        (["//data/x/a.wav", "/data/./b.wav"], ["x/a", "b"]),
    ],
)
def test_an_id_is_the_path(tmp_path: Path, paths: list[str], ids: list[str]) -> None:
    """Without an id column a relative path tells as written, an absolute one from the folder that all are below."""
    rows = "".join(f"{path.replace('HERE', str(tmp_path))},text\n" for path in paths)
    assert [orphan.name for orphan in _read(table(tmp_path, f"file,said\n{rows}")).orphans] == ids


def test_an_id_stays_when_the_table_grows(tmp_path: Path) -> None:
    """Rows that are added, also in other folders, change none of the ids there were."""
    first = "file,said\nx/1.wav,one\n"
    before = [orphan.name for orphan in _read(table(tmp_path, first)).orphans]
    after = [orphan.name for orphan in _read(table(tmp_path, f"{first}y/2.wav,two\n/z/3.wav,three\n")).orphans]
    assert after[:1] == before == ["x/1"]


def test_absolute_paths_below_the_folder_of_sounds_are_named_from_there(tmp_path: Path) -> None:
    """With the setting `audio` that is where names begin, not the table's folder."""
    sounds = tmp_path / "sounds"
    sounds.mkdir()
    source = table(tmp_path / "here", f"file,said\n{sounds / 'x/1.wav'},one\n")
    assert [orphan.name for orphan in _read(source, audio=sounds).orphans] == ["x/1"]


def test_quotation_marks_of_other_tables_are_asked_about(tmp_path: Path) -> None:
    """Between tabs or bars a field that begins with one is refused by line with both choices, never swallowed."""
    text = 'file\tsaid\n1.wav\tso "he" said\n2.wav\t"I will go\n1.wav\tsaid he"\n'
    source = table(tmp_path, text, "1.wav", "2.wav", name="t.tsv")
    message = _refusal(source)
    assert message.startswith(f"{source}:3: ")
    assert "--quoting csv" in message
    assert "--quoting none" in message
    source = table(tmp_path, 'file|said\n1.wav|so "he" said\n', "1.wav", name="t.txt")
    assert [clip.text for clip in _read(source, delimiter="|").clips] == ['so "he" said']


def test_quoting_is_as_told(tmp_path: Path) -> None:
    """With none a mark is a character, as in LJSpeech; with csv a field in marks may hold anything."""
    source = table(tmp_path, '1.wav|"Yes," he said|x\n2.wav|"No|y\n', "1.wav", "2.wav", name="metadata.csv")
    settings = {"audio_column": "1", "text_column": "2", "header": False, "delimiter": "|"}
    assert [clip.text for clip in _read(source, quoting="none", **settings).clips] == ['"Yes," he said', '"No']
    source = table(tmp_path, 'file\tsaid\n1.wav\t"a\tb\nc"\n', "1.wav", name="t.tsv")
    assert [clip.text for clip in _read(source, quoting="csv").clips] == ["a\tb\nc"]
    source = table(tmp_path, 'file,said\n1.wav,"a\n', "1.wav")
    assert [clip.text for clip in _read(source, quoting="none").clips] == ['"a']
    assert "--quoting is csv or none; it is 'auto'" in _refusal(source, quoting="auto")


def test_paths_with_no_file_there_are_told_as_looked_for(tmp_path: Path) -> None:
    """A note has the whole path, and says of backslashes that they part no folders."""
    source = table(tmp_path, "file,said\nno.wav,a\n.\\1.wav,b\nC:\\d\\1.wav,c\n", "1.wav")
    first, second = _read(source).notes
    assert first.startswith(f"3 paths of {source} with no file there: '{tmp_path}/no.wav', ")
    assert second.startswith("2 of these paths hold a backslash, which parts no folders here: ")
    assert f"'.\\\\1.wav' ({source}:3), " in second
    assert "--audio" in second
    assert _read(table(tmp_path, "file,said\n1.wav,a\n")).notes == ()


def test_rows_of_empty_fields_are_blank_lines(tmp_path: Path) -> None:
    """A spreadsheet leaves such rows behind, mostly at the end."""
    source = table(tmp_path, "file,said\n,\n1.wav,one\n , \n,\n", "1.wav")
    assert [clip.place for clip in _read(source).clips] == [f"{source}:3"]


def test_a_row_without_sound_is_an_orphan_and_changes_no_id(tmp_path: Path) -> None:
    """The ids stay the same whichever sounds are there, and folders are no sounds."""
    source = table(tmp_path, "file,said\na/1.wav,one\nb/2.wav,two\nb,three\n", "b/2.wav")
    corpus = _read(source)
    assert [clip.id for clip in corpus.clips] == ["b/2"]
    assert corpus.orphans == (Orphan("a/1", f"{source}:2", False), Orphan("b", f"{source}:4", False))


@pytest.mark.parametrize(
    ("text", "settings", "words"),
    [
        ("file,said\n1.wav,a\n1.flac,b\n", {}, ":3 (1): the id stands already at "),
        ("file,said\n1.wav,a\n1.flac,b\n", {}, "both paths give this id; name an id column by --id-column"),
        ("file,said,key\n1.wav,a,k\n2.wav,b,k\n", {"id_column": "key"}, ":3 (k): the id stands already at "),
        ("file,said,key\n1.wav,a,\n", {"id_column": "key"}, ":2: an id must not be empty"),
        ("file,said,key\n1.wav,a," + "k" * 1001 + "\n", {"id_column": "key"}, ":2: an id must have at most 1000"),
        ('file,said\n"1.wav","a\nb"\n,c\n', {}, ":4: the audio column is empty"),
        ("file,said\n1.wav,a,b\n", {}, ":2: has 3 fields, while the header has 2"),
        ("file,said\n1.wav\n", {}, ":2: has 1 field, while the header has 2"),
        ("file,sayed\n1.wav,a\n", {}, ":1: has no column 'said' (the text column); did you mean 'sayed'?"),
        ("file,said\n1.wav,a\n", {"speaker_column": "sad"}, "(the speaker column); did you mean 'said'?"),
        (
            "file,said\n1.wav,a\n",
            {"text_column": None},
            ":1: say which column is the text column by --text-column; its columns are file, said",
        ),
        ("file,said\n1.wav," + "x" * 101 + "\n", {"tag_columns": ("said",)}, ":2 (1): a tag must have at most 100"),
        ("file,said\n1.wav,a\n", {"delimiter": ";;"}, ": --delimiter must be one character"),
        ("file,said\n1.wav,a\n", {"delimiter": '"'}, ": --delimiter must be one character"),
        ("file,said\n1.wav,a\n", {"audio": Path("/nowhere/at/all")}, "there is no such folder"),
        ("file;said\n1.wav;a, b\n", {}, ":1: its first line is one field, with ';' in it; say --delimiter ';'"),
        ("file\tsaid\n", {}, r"say --delimiter '\t'"),
        ("1.wav|a\n", {"header": False}, "say --delimiter '|'"),
        ("file,said\n", {"delimiter": ";"}, "say --delimiter ','"),
        ("sep=;\nfile;said\n1.wav;a\n", {}, ":1: names the delimiter for a spreadsheet and is no row"),
        ("sep=;\nfile;said\n1.wav;a\n", {"delimiter": ";"}, ":1: names the delimiter for a spreadsheet"),
        ("sep=,\nfile,said\n1.wav,a\n", {}, "take it away and say --delimiter ','"),
        ("file,said\r1.wav,a\r", {}, ":1: lines end in CR alone, as on old Macs; save it with ordinary line ends"),
        ("file,said\r1.wav,a\r", {"quoting": "none"}, ":1: lines end in CR alone"),
        ("file,said\n", {}, ": holds no rows below its header"),
        ("", {}, ": holds no rows"),
    ],
)
def test_a_doubtful_table_is_refused(tmp_path: Path, text: str, settings: dict[str, Any], words: str) -> None:
    """One sentence names the file, the line where there is one, and what would be right."""
    source = table(tmp_path, text, "1.wav", "2.wav", "1.flac")
    message = _refusal(source, **settings)
    assert words in message
    assert message.startswith(str(settings.get("audio", source)))


def test_what_is_no_table_is_refused(tmp_path: Path) -> None:
    """A folder, nothing, a name that tells no delimiter, UTF-16 and a sound in place of the table."""
    assert "is a folder" in _refusal(tmp_path)
    assert "there is no such table" in _refusal(tmp_path / "absent.csv")
    source = table(tmp_path, "file,said\n", name="table.txt")
    assert "is known by the name for .csv, .tsv, .tab; say it by --delimiter" in _refusal(source)
    (tmp_path / "table.csv").write_bytes("file\tsaid\n".encode("utf-16"))
    assert "UTF-16" in _refusal(tmp_path / "table.csv")
    (tmp_path / "table.csv").write_bytes(b"RIFF\0\0\0\0WAVE")
    assert "NUL" in _refusal(tmp_path / "table.csv")
