"""Claims about seeded samples."""

from pytest_asrgate.sampling import SAMPLE_UTTERANCES, sample_places


def test_sample_is_seeded_in_order_and_never_larger_than_the_set() -> None:
    """The same seed draws the same places, another seed others; a small set is taken whole."""
    drawn = sample_places(200, 1)
    assert len(drawn) == len(set(drawn)) == SAMPLE_UTTERANCES
    assert drawn == sorted(drawn) == sample_places(200, 1)
    assert drawn != sample_places(200, 2)
    assert sample_places(3, 1) == [0, 1, 2]
    assert len(sample_places(200, 1, 7)) == 7
    assert sample_places(0, 1) == []
