"""MAPSSWE against the paired bootstrap, on real systems in the folder that ASRGATE_CONFORMANCE names."""

import json
from itertools import combinations
from pathlib import Path

import pytest

from pytest_asrgate.metrics.wer import aligned_errors, counts_of
from pytest_asrgate.statistics import matched_pairs, paired_bootstrap

from .test_published import FOLDER, LIBRISPEECH, ROOT, VOXPOPULI

pytestmark = pytest.mark.skipif(not FOLDER, reason="ASRGATE_CONFORMANCE names no folder of published transcripts")


def _aligned(path: Path) -> list[str]:
    """The alignment of each utterance of a file, in the order of the ids."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    rows.sort(key=lambda row: str(row["id"]))
    texts = [[str(row[key] or "").lower() for row in rows] for key in ("ref_text", "hyp_text")]
    return aligned_errors(*texts)


@pytest.mark.parametrize(
    ("name", "part"), [(LIBRISPEECH, "test-clean"), (LIBRISPEECH, "test-other"), (VOXPOPULI, "")]
)
def test_mapsswe_agrees_with_the_paired_bootstrap(name: str, part: str) -> None:
    """At 5 % both say whether two systems differ, and in which direction, wherever p is not near 5 %."""
    sides = [_aligned(path) for path in sorted((ROOT / name).glob(f"{part}*.jsonl"))]
    assert len(sides) > 1
    clear = 0
    for before, after in combinations(sides, 2):
        found = matched_pairs(before, after)
        first, second = ([counts_of(steps) for steps in side] for side in (before, after))
        drawn = paired_bootstrap(
            [row.errors for row in first], [row.errors for row in second], [row.words for row in first]
        )
        assert drawn is not None
        assert found.z is not None
        assert found.p is not None
        if 0.03 < found.p < 0.08:
            continue
        clear += 1
        delta = drawn[2]
        side = (delta.low > 0) - (delta.high < 0)
        assert side == ((found.z > 0) - (found.z < 0) if found.p < 0.05 else 0)
    assert clear
