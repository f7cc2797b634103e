"""Claims about rows: each is one that a manifest may have, with the language that was said or asked for."""

from pathlib import Path

import pytest

from pytest_asrgate.datasets.manifest import read_manifest
from pytest_asrgate.errors import DatasetError
from pytest_asrgate.ingest.rows import Job, check_clips, languages_of, manifest_row

from .commands import write
from .ingests import clip


@pytest.mark.parametrize(
    ("made", "sentence"),
    [
        (clip(" "), "the id must not be empty"),
        (clip("x" * 1001), "the id must have at most 1000 characters; it has 1001"),
        (clip("a\0"), "the id must not hold a NUL character"),
        (clip("a\udcff"), r"the id holds half a character, or a byte that is not UTF-8: 'a\udcff'"),
        (clip("a", text="x\0"), "the transcript holds a NUL character"),
        (clip("a", text="\ud800"), "the transcript holds half a character"),
        (clip("a", speaker=""), "the speaker is empty"),
        (clip("a", tags=("",)), "the tag '' must not be empty, nor begin or end with a space"),
        (clip("a", tags=("fine", "a\nb")), r"the tag 'a\nb' must not hold control characters"),
    ],
)
def test_what_no_manifest_can_hold_is_named_by_its_place(made: object, sentence: str) -> None:
    """File and line of the transcript, and what is wrong there."""
    with pytest.raises(DatasetError) as caught:
        check_clips([clip("good"), made])  # type: ignore[list-item]  # a Clip each
    assert str(caught.value).startswith(f"text:1: {sentence}")


def test_an_id_that_stands_twice_is_named_with_both_places() -> None:
    """Otherwise one sound would be written over the other."""
    with pytest.raises(DatasetError) as caught:
        check_clips([clip("a", place="t:1"), clip("b"), clip("a", place="t:3")])
    assert str(caught.value) == "t:3 (a): the id stands already at t:1; ids must be unique"
    with pytest.raises(DatasetError, match="stands already"):
        check_clips([clip("a"), clip("a")])


def test_languages_are_asked_for_in_order() -> None:
    """The option, else the clip's own, else that of the corpus; as the code that engines are told."""
    clips = [clip("a", language="en_US"), clip("b", language="Hindi"), clip("c")]
    assert languages_of(clips, None, "spa") == {"a": "en", "b": "hi", "c": "es"}
    assert languages_of(clips, "French", "es") == {"a": "fr", "b": "fr", "c": "fr"}


def test_no_language_is_refused_with_the_option() -> None:
    """Nothing is guessed."""
    with pytest.raises(DatasetError) as caught:
        languages_of([clip("a"), clip("b", language="en"), clip("c")], None, None)
    assert str(caught.value) == (
        "2 utterances without a language ('a', 'c'): say with --language what they are spoken in"
    )


def test_a_tag_that_is_no_language_is_named_by_its_place() -> None:
    """The nearest right one is offered as everywhere."""
    with pytest.raises(DatasetError, match=r"^t:7: there is no language 'englich'; did you mean 'english'\?"):
        languages_of([clip("a", language="englich", place="t:7")], None, "en")
    with pytest.raises(DatasetError, match=r"^--language: "):
        languages_of([clip("a", language="en")], "xx-nonsense", None)


def test_a_row_has_what_is_known_and_no_more(tmp_path: Path) -> None:
    """Optional keys only where there is something; what is not spoken becomes an annotation with an empty text."""
    full = Job(clip("a", text="Hello", speaker="s", tags=("x", "x", "y")), "a.wav", "en")
    bare = Job(clip("b", text="..."), "b.wav", "en")
    beep = Job(clip("c", text=" [beep] ", tags=("x",)), "c.wav", "en")
    rows = [manifest_row(job, f"d/{job.file}", 0.5, "ab" * 32) for job in (full, bare, beep)]
    assert [list(row) for row in rows] == [
        ["id", "audio", "ref_text", "language", "speaker", "tags", "duration_s", "audio_sha256"],
        ["id", "audio", "ref_text", "language", "duration_s", "audio_sha256"],
        ["id", "audio", "ref_text", "language", "tags", "annotation", "duration_s", "audio_sha256"],
    ]
    assert rows[0]["tags"] == ["x", "y"]
    assert rows[1]["ref_text"] == ""
    assert (rows[2]["ref_text"], rows[2]["annotation"], rows[2]["tags"]) == ("", "[beep]", ["x", "non-speech"])
    read = read_manifest(write(tmp_path / "m.jsonl", rows))
    assert [each.audio for each in read] == [tmp_path / "d" / name for name in ("a.wav", "b.wav", "c.wav")]
    assert read[2].tags == ("x", "non-speech")
