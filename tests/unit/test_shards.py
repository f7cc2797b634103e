"""How the work of one pair is cut into shards."""

from itertools import chain
from pathlib import Path

import numpy as np
import pytest
import soundfile

from pytest_asrgate.executors.shards import LONGEST_S, SHORTEST_S, Cutter, utterance_seconds
from pytest_asrgate.records import Hypothesis, RowStatus, Utterance


def _utterances(seconds: list[float], language: str = "en") -> list[Utterance]:
    return [
        Utterance(f"u{number}", Path("none.wav"), "", language=language, duration_s=each)
        for number, each in enumerate(seconds)
    ]


def _all_shards(cutter: Cutter) -> list[list[str]]:
    shards = []
    while shard := cutter.shard():
        shards.append([utterance.id for utterance in shard])
    return shards


@pytest.mark.parametrize("workers", [1, 2, 7])
@pytest.mark.parametrize("speed", [None, 0.01, 1.0, 30.0])
@pytest.mark.parametrize("reloads", [False, True])
def test_each_utterance_is_in_one_shard(workers: int, speed: float | None, reloads: bool) -> None:
    """Shards are consecutive runs of the manifest that cover it once, whatever is known of the speed."""
    utterances = _utterances([1.0 + number % 13 for number in range(500)])
    cutter = Cutter(utterances, workers=workers, seconds_per_second=speed, reloads=reloads)
    assert [*chain.from_iterable(_all_shards(cutter))] == [utterance.id for utterance in utterances]


@pytest.mark.parametrize("speed", [0.05, 0.3, 2.0])
def test_shards_take_one_to_five_minutes_the_longest_first(speed: float) -> None:
    """With work enough, all shards but the last take 60 to 300 expected seconds, none longer than one before."""
    clip_s = 5.0
    utterances = _utterances([clip_s] * round(36_000 / speed / clip_s))
    shards = _all_shards(Cutter(utterances, workers=4, seconds_per_second=speed))
    work = [len(shard) * clip_s * speed for shard in shards]
    assert work == sorted(work, reverse=True)
    assert max(work) <= LONGEST_S + clip_s * speed
    assert min(work[:-1]) >= SHORTEST_S


def test_little_work_is_shared_by_all_workers() -> None:
    """Half a minute of work on two workers is no single shard, and its last shard is a small part of it."""
    shards = _all_shards(Cutter(_utterances([2.0] * 240), workers=2, seconds_per_second=0.06))
    assert len(shards) >= 8
    assert len(shards[0]) == 60
    assert len(shards[-1]) <= 12


def test_an_engine_that_reloads_gets_few_shards() -> None:
    """Where each shard loads the model anew, little work is one shard for each worker."""
    shards = _all_shards(Cutter(_utterances([2.0] * 240), workers=2, seconds_per_second=0.06, reloads=True))
    assert [len(shard) for shard in shards] == [120, 120]


def test_the_speed_is_measured_by_the_rows_that_come() -> None:
    """Unmeasured, shards hold a minute of audio; rows measure the engine, and errors do not count."""
    cutter = Cutter(_utterances([10.0] * 4000), workers=2)
    assert len(cutter.shard()) == 6
    cutter.take_note(Hypothesis("u0", "", RowStatus.ERROR, latency_ms=1.0, audio_s=1000.0))
    assert len(cutter.shard()) == 6
    cutter.take_note(Hypothesis("u0", "a", latency_ms=20_000.0, audio_s=10.0))
    assert len(cutter.shard()) == LONGEST_S / 20


def test_batches_do_not_depend_on_where_shards_are_cut() -> None:
    """A shard ends at the border of a batch, and a batch has one language, as with one process for all."""
    utterances = [
        Utterance(f"u{number}", Path("none.wav"), "", language="de" if number % 3 else "en", duration_s=3.0)
        for number in range(100)
    ]
    one = _all_shards(Cutter(utterances, workers=1, batch_size=4, seconds_per_second=0.001, reloads=True))
    assert len(one) == 1
    batches = set()
    for language in ("de", "en"):
        of_one = [u.id for u in utterances if u.language == language]
        batches |= {tuple(of_one[first : first + 4]) for first in range(0, len(of_one), 4)}
    for shard in _all_shards(Cutter(utterances, workers=3, batch_size=4, seconds_per_second=0.5)):
        first = 0
        while first < len(shard):
            batch = next(batch for batch in batches if batch[0] == shard[first])
            assert tuple(shard[first : first + len(batch)]) == batch
            first += len(batch)


def test_the_rest_is_handed_out_once() -> None:
    """`rest` takes all that no shard had, and nothing is left after it."""
    cutter = Cutter(_utterances([1.0] * 10), workers=2, seconds_per_second=1.0)
    first = cutter.shard()
    assert {utterance.id for utterance in cutter.rest()} == {f"u{n}" for n in range(len(first), 10)}
    assert cutter.shard() == ()
    assert cutter.rest() == ()


def test_nothing_is_no_shard() -> None:
    """Without utterances there is no shard."""
    assert Cutter([], workers=2).shard() == ()


def test_seconds_come_from_the_manifest_or_the_file(tmp_path: Path) -> None:
    """The manifest's duration wins, then the header; what cannot be read counts as very short."""
    clip = tmp_path / "a.wav"
    soundfile.write(clip, np.zeros(24_000), 16_000)
    assert utterance_seconds(Utterance("a", clip, "", duration_s=7.0)) == 7.0
    assert utterance_seconds(Utterance("a", clip, "")) == 1.5
    assert utterance_seconds(Utterance("a", tmp_path / "none.wav", "")) < 1
    (tmp_path / "b.wav").write_text("no audio")
    assert utterance_seconds(Utterance("a", tmp_path / "b.wav", "")) < 1
