"""Claims about the names of sources: what tells another sound from one that changed."""

from pathlib import Path

import pytest

from pytest_asrgate.corpora.corpus import Sound
from pytest_asrgate.ingest.sources import source_name

LONG = Path("/corpus/long.flac")


@pytest.mark.parametrize(
    "other",
    [
        Sound(LONG),
        Sound(LONG, "member", 12345.61, 12347.0),
        Sound(LONG, "", 12345.62, 12347.0),
        Sound(LONG, "", 12345.61, 12347.01),
        Sound(LONG, "", 12345.61),
        Sound(LONG, "", 0.0, 12347.0),
        Sound(LONG, "", 12345.61, 12347.0, 0),
        Sound(LONG, "", 12345.61, 12347.0, 1),
        Sound(Path("/corpus/other.flac"), "", 12345.61, 12347.0),
    ],
)
def test_another_part_has_another_name(other: Sound) -> None:
    """Also hours into a recording, where a hundredth of a second is the seventh digit."""
    assert source_name(other) != source_name(Sound(LONG, "", 12345.61, 12347.0))


def test_a_name_is_read_by_people() -> None:
    """File, member, part, and the channel counted from 1."""
    assert source_name(Sound(LONG)) == "/corpus/long.flac"
    assert (
        source_name(Sound(LONG, "a/b.wav", 0.5, 1.0, 1))
        == "/corpus/long.flac(a/b.wav) from 0.5 s to 1 s, channel 2"
    )
    assert source_name(Sound(LONG, "", 2.25)) == "/corpus/long.flac from 2.25 s to its end"
