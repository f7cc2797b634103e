"""MAPSSWE against the program that defined it: `sc_stats` of NIST, Debian's package sctk; skipped without it."""

import random
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from pytest_asrgate.metrics.wer import aligned_errors
from pytest_asrgate.statistics import matched_pairs
from pytest_asrgate.statistics.matched_pairs import segment_differences

SCTK = shutil.which("sctk")

pytestmark = pytest.mark.skipif(SCTK is None, reason="sctk is not installed")

_RESULT = re.compile(
    r"# segs: (\d+)\).*\(mean: +(\S+)\) \(std dev: +(\S+)\) \(Z Stat: +(\S+)\) \(Stat Diff: (\w+)\)"
)


def _sctk(*command: str, feed: str = "", folder: Path) -> str:
    assert SCTK is not None
    done = subprocess.run(
        [SCTK, *command], input=feed, cwd=folder, capture_output=True, encoding="latin-1", check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def _judged(alignments: str, folder: Path) -> tuple[int, float, float, float, str]:
    """Segments, mean, standard deviation, z and "Yes" or "No", as `sc_stats` prints them."""
    _sctk("sc_stats", "-p", "-t", "mapsswe", "-v", "-n", "found", feed=alignments, folder=folder)
    result = _RESULT.search((folder / "found.stats.mapsswe").read_text(encoding="latin-1"))
    assert result
    segments, mean, deviation, z, different = result.groups()
    return int(segments), float(mean), float(deviation), float(z), different


def _written(title: str, sides: Sequence[str]) -> str:
    """One system's alignments in the file format of sclite."""
    lines = [f'<SYSTEM title="{title}" ref_fname="r" hyp_fname="h" creation_date="" format="2.4" frag_corr="FALSE"']
    lines[0] += ' opt_del="FALSE" weight_ali="FALSE" weight_filename="">'
    lines.append('<SPEAKER id="s">')
    for number, steps in enumerate(sides):
        words, place = [], 0
        for step in steps:
            place += step != "I"
            spoken = "" if step == "I" else f'"w{place}"'
            heard = {"=": spoken, "D": ""}.get(step, '"x"')
            words.append(f"{'C' if step == '=' else step},{spoken},{heard}")
        lines += [
            f'<PATH id="(s_{number})" word_cnt="{len(steps)}" sequence="{number}">',
            ":".join(words),
            "</PATH>",
        ]
    return "\n".join([*lines, "</SPEAKER>", "</SYSTEM>", ""])


def _agree(before: Sequence[str], after: Sequence[str], theirs: tuple[int, float, float, float, str]) -> None:
    ours = matched_pairs(before, after)
    assert ours.segments == theirs[0]
    assert ours.mean is not None
    assert ours.standard_deviation is not None
    assert ours.z is not None
    assert ours.p is not None
    assert (ours.mean, ours.standard_deviation, ours.z) == pytest.approx(theirs[1:4], abs=0.00051)
    assert ("Yes" if ours.p < 0.05 else "No") == theirs[4]


def _random_side(draw: random.Random, words: int, rate: float) -> str:
    """An alignment of `words` words, insertions before, between and after them."""
    steps = ""
    for _ in range(words):
        steps += "I" * (draw.random() < rate / 4) + (draw.choice("SSD") if draw.random() < rate else "=")
    return steps + "I" * (draw.random() < rate)


@pytest.mark.parametrize("seed", range(12))
def test_random_alignments_have_the_segments_of_sc_stats(seed: int, tmp_path: Path) -> None:
    """Sets of random alignments, few errors to many: segments, mean, deviation and z to its three decimals."""
    draw = random.Random(seed)  # noqa: S311 - a test's alignments are no secret
    sizes = [draw.randint(1, 30) for _ in range(60)]
    before = [_random_side(draw, words, (0.02, 0.1, 0.3)[seed % 3]) for words in sizes]
    after = [_random_side(draw, words, (0.03, 0.1, 0.5)[seed % 3]) for words in sizes]
    theirs = _judged(_written("variant", after) + _written("baseline", before), tmp_path)
    _agree(before, after, theirs)


REFERENCES = (
    "one two three four five six seven eight nine ten",
    "alpha bravo charlie delta echo foxtrot golf hotel india juliet kilo",
    "red orange yellow green blue indigo violet",
    "monday tuesday wednesday thursday friday saturday sunday",
    "north east south west",
)
BASELINE = (
    "one X three four five six seven eight nine ten",
    "alpha bravo charlie X echo Y golf hotel india juliet kilo",
    "red orange yellow blue indigo violet",
    "monday tuesday wednesday thursday friday saturday sunday",
    "X north east south west",
)
VARIANT = (
    "one two three four five six seven X nine ten",
    "alpha bravo charlie delta echo foxtrot golf hotel india juliet",
    "red orange yellow green X blue indigo violet",
    "X tuesday wednesday thursday friday Y Z",
    "north east south west",
)


def test_texts_through_sclite_give_the_same(tmp_path: Path) -> None:
    """Texts with one best alignment, aligned by sclite on one side and by us on the other."""
    for name, texts in (("reference", REFERENCES), ("baseline", BASELINE), ("variant", VARIANT)):
        lines = [f"{text} (s_{number})\n" for number, text in enumerate(texts)]
        (tmp_path / f"{name}.trn").write_text("".join(lines), encoding="utf-8")
    alignments = ""
    for name in ("variant", "baseline"):
        files = ("-r", "reference.trn", "trn", "-h", f"{name}.trn", "trn", name)
        alignments += _sctk("sclite", *files, "-i", "spu_id", "-o", "sgml", "stdout", folder=tmp_path)
    before, after = aligned_errors(REFERENCES, BASELINE), aligned_errors(REFERENCES, VARIANT)
    assert segment_differences(before, after) == [-1, 1, -2, 1, 0, 1, 2, -1]
    _agree(before, after, _judged(alignments, tmp_path))
