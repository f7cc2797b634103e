"""Claims about runs of deleted words."""

import pytest

from pytest_asrgate.metrics.spans import longest_dropped


@pytest.mark.parametrize(
    ("steps", "longest"),
    [
        ("", 0),
        ("====", 0),
        ("=DD=D=", 2),
        ("DDD", 3),
        ("=S=DDDD", 4),
        ("DIID", 2),
        ("DSD", 1),
        ("IIII", 0),
    ],
)
def test_a_run_is_of_deleted_reference_words(steps: str, longest: int) -> None:
    """Right and substituted words end a run; inserted ones do not, as they are no reference words."""
    assert longest_dropped(steps) == longest


@pytest.mark.parametrize(
    ("steps", "baseline", "longest"),
    [
        ("DDDD=", "DDDD=", 0),
        ("DDDD=", "=====", 4),
        ("DDDD=", "DD===", 2),
        ("DDDD=DD", "DDDD===", 2),
        ("DDDD", "IDIDID=", 1),
        ("IDDDD", "==DD", 2),
    ],
)
def test_what_the_baseline_drops_too_does_not_count(steps: str, baseline: str, longest: int) -> None:
    """Each run counts without those of its words that are deleted on the other side too."""
    assert longest_dropped(steps, baseline) == longest
