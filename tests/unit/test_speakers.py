"""Claims about speaker blocks and the note that says how far the bounds may be trusted."""

from dataclasses import replace

import pytest

from pytest_asrgate.datasets.speakers import speaker_blocks, speaker_field
from pytest_asrgate.errors import DatasetError
from pytest_asrgate.records import Utterance

from .builders import utterances


def _with(*speakers: str | None) -> list[Utterance]:
    rows = utterances(*["text"] * len(speakers))
    return [replace(row, speaker=name) for row, name in zip(rows, speakers, strict=True)]


def _named(*ids: str) -> list[Utterance]:
    return [replace(row, id=name) for row, name in zip(utterances(*["text"] * len(ids)), ids, strict=True)]


@pytest.mark.parametrize(
    ("setting", "field"),
    [("speaker", "speaker"), ("spk_id", "spk_id"), ("fixed", None), ("none", None), ("regex:^(a)", None)],
)
def test_the_field_that_a_setting_reads(setting: str, field: str | None) -> None:
    """Only a field name reads a field."""
    assert speaker_field(setting) == field


def test_named_speakers_are_blocks_in_manifest_order() -> None:
    """Each utterance has its speaker, and few speakers are said to be few."""
    assert speaker_blocks(_with("a", "b", "a"), "speaker") == (
        ("a", "b", "a"),
        "2 speakers (fewer than 20: bounds are rough)",
    )


@pytest.mark.parametrize(("count", "rough"), [(19, True), (20, False), (21, False)])
def test_the_note_warns_under_twenty_speakers(count: int, rough: bool) -> None:
    """The warning stands under 20 speakers and not from 20 on."""
    _, note = speaker_blocks(_with(*(f"s{number}" for number in range(count))), "speaker")
    assert note.startswith(f"{count} speakers")
    assert ("rough" in note) is rough


@pytest.mark.parametrize(
    ("setting", "fact"),
    [("fixed", "closed set of voices"), ("none", "independence assumed"), ("speaker", "one speaker")],
)
def test_independent_utterances_say_so(setting: str, fact: str) -> None:
    """A closed set, no blocks wished, and a single speaker give no blocks, and the note says which."""
    blocks, note = speaker_blocks(_with("a", "a"), setting)
    assert blocks is None
    assert fact in note


def test_a_manifest_without_speakers_says_so() -> None:
    """Independence that nobody could check is printed as an assumption."""
    assert speaker_blocks(_with(None, None), "speaker") == (
        None,
        "independence assumed: no speakers are named",
    )


def test_a_partly_named_manifest_is_refused() -> None:
    """Speakers for some rows only are an error that counts and names the first row without."""
    with pytest.raises(DatasetError) as caught:
        speaker_blocks(_with("a", None, None), "speaker")
    message = str(caught.value)
    assert "2 of 3 utterances have no speaker, 'u2' first" in message
    assert 'speakers = "none"' in message


@pytest.mark.parametrize(
    ("pattern", "blocks"),
    [(r"^(\d+)-", ("12", "7", "12")), (r"^\d+", ("12", "7", "12")), (r"^(?:(x)|(\d+))-", ("12", "7", "12"))],
    ids=["group", "no group", "second group"],
)
def test_a_regular_expression_takes_speakers_from_ids(pattern: str, blocks: tuple[str, ...]) -> None:
    """The last group that took part names the speaker, the whole match where there is no group."""
    found, _ = speaker_blocks(_named("12-1-a", "7-3-b", "12-9-c"), f"regex:{pattern}")
    assert found == blocks


@pytest.mark.parametrize("ids", [("12-a", "x-b"), ("x-a", "y-b")], ids=["some", "none"])
def test_a_regular_expression_that_misses_ids_is_refused(ids: tuple[str, ...]) -> None:
    """Ids that the expression does not fit are an error that names the first of them."""
    missed = next(name for name in ids if not name.startswith("12"))
    with pytest.raises(DatasetError, match=f"{missed!r} first"):
        speaker_blocks(_named(*ids), r"regex:^(\d+)-")


@pytest.mark.parametrize("pattern", ["(", "a{99999999999999999999}"])
def test_a_broken_regular_expression_is_refused(pattern: str) -> None:
    """An expression that cannot be compiled is an error that shows it."""
    with pytest.raises(DatasetError) as caught:
        speaker_blocks(_named("a"), f"regex:{pattern}")
    assert pattern in str(caught.value)
    assert "no regular expression" in str(caught.value)


def test_ids_of_librispeech_name_their_speakers() -> None:
    """Where no row names a speaker and every id has LibriSpeech's shape, its first part does; the note says so."""
    rows = _named("1089-134686-0000", "121-121726-0003", "1089-134691-0010")
    assert speaker_blocks(rows, "speaker") == (
        ("1089", "121", "1089"),
        "2 speakers, by their ids (fewer than 20: bounds are rough)",
    )


@pytest.mark.parametrize(
    ("ids", "setting"),
    [
        (("1089-134686-0000", "prompt-7"), "speaker"),
        (("12-11-2024", "13-11-2024"), "speaker"),
        (("1089-134686-0000", "121-121726-0003"), "none"),
        (("1089-134686-0000", "121-121726-0003"), "fixed"),
    ],
    ids=["another id beside", "dates", "none asked for", "a closed set"],
)
def test_other_ids_name_nobody(ids: tuple[str, ...], setting: str) -> None:
    """One id of another shape, dates, and a setting of its own leave utterances independent."""
    assert speaker_blocks(_named(*ids), setting)[0] is None


def test_a_named_speaker_wins_over_an_id() -> None:
    """What the rows say is what counts."""
    rows = [replace(row, speaker=name) for row, name in zip(_named("1-2-0000", "1-2-0001"), "ab", strict=True)]
    assert speaker_blocks(rows, "speaker")[0] == ("a", "b")
