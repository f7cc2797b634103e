"""Claims about when an early run may stop, and in which order it decodes."""

import math

import pytest
from scipy.stats import norm

from pytest_asrgate.early import decided, decoding_order, looks, may_end_early
from pytest_asrgate.records import CheckStatus, Look, Outcome, RowStatus
from pytest_asrgate.verdict import decide

from .builders import Row, loaded, pair, scored, statuses, utterances

TEXT = "the big red dog ran over the green hill"
CLEAN: list[Row] = [(f"u{number}", TEXT, TEXT) for number in range(100)]
FAR: list[Row] = [(name, text, "the big red dog") for name, text, _ in CLEAN]
NEAR: list[Row] = [(name, text, "the" if number < 3 else text) for number, (name, text, _) in enumerate(CLEAN)]
(FIRST, *_, LAST) = looks(200, seed=1)


def test_looks_are_tenths_with_their_boundaries() -> None:
    """Of 200 utterances the first look is not before 50; the last sees all, at the design's last boundary."""
    found = list(looks(200, seed=7))
    assert [look.utterances for look in found] == [60, 80, 100, 120, 140, 160, 180, 200]
    assert {(look.total, look.seed, look.sizes) for look in found} == {(200, 7, found[0].sizes)}
    assert [look.alpha for look in found] == pytest.approx([norm.sf(look.boundary) for look in found])
    assert found[-1].boundary == pytest.approx(1.795, abs=0.002)
    assert [look.boundary for look in found] == sorted((look.boundary for look in found), reverse=True)


def test_a_small_set_has_one_look() -> None:
    """Where no tenth holds 50 utterances there is nothing to stop: one look, at the plain 5 % level."""
    (only,) = looks(30, seed=1)
    assert (only.utterances, only.alpha) == (30, pytest.approx(0.05))


@pytest.mark.parametrize(
    ("rows", "limits", "look", "outcome", "stops"),
    [
        (CLEAN, {"non_inferiority": 5.0}, FIRST, Outcome.PASS, True),
        (FAR, {"non_inferiority": 3.0}, FIRST, Outcome.FAIL, True),
        (NEAR, {"non_inferiority": 3.0}, FIRST, Outcome.INCONCLUSIVE, False),
        (NEAR, {"non_inferiority": 20.0, "wer": 1.0}, FIRST, Outcome.FAIL, False),
        (NEAR, {"non_inferiority": 20.0, "wer_delta": 1.0}, FIRST, Outcome.FAIL, False),
    ],
    ids=["equal", "far", "near", "a rate may still mend", "a delta may still mend"],
)
def test_an_early_run_stops_once_every_margin_is_decided(
    rows: list[Row], limits: dict[str, object], look: Look, outcome: Outcome, stops: bool
) -> None:
    """A margin surely exceeded or surely kept ends it, unless another limit stands against a pass as yet."""
    verdict = decide(pair(limits), scored("q8_0", rows), scored("f32", CLEAN), look=look)
    assert (verdict.outcome, decided(verdict), verdict.early) == (outcome, stops, look)


@pytest.mark.parametrize(
    ("limits", "stops"),
    [
        ({"wer": 50.0}, True),
        ({"wer": 4.0}, False),
        ({"wer_delta": 8.0}, True),
        ({"wer_delta": 1.0}, False),
        ({"changed": 30.0}, True),
        ({"changed": 5.0}, False),
        ({"ci": "overlap"}, False),
        ({"truncated": 0, "empty_delta": 0, "dropped_span": 10}, True),
        ({"catastrophic": 10}, True),
        ({"catastrophic": 3}, False),
    ],
    ids=str,
)
def test_a_pass_needs_every_limit_kept_for_the_whole_set(limits: dict[str, object], stops: bool) -> None:
    """Kept so far is not enough: rates and shares need their bound at the look, numbers their share of it."""
    rows: list[Row] = [(name, text, "" if n in {3, 40, 77} else text) for n, (name, text, _) in enumerate(CLEAN)]
    verdict = decide(
        pair({"non_inferiority": 20.0, **limits}), scored("q8_0", rows), scored("f32", rows), look=FIRST
    )
    assert (verdict.outcome, decided(verdict)) == (Outcome.PASS, stops)
    # At the last look everything is known.
    assert decided(decide(pair(limits), scored("q8_0", rows), scored("f32", rows), look=LAST))


def test_a_count_over_its_limit_ends_it() -> None:
    """Bad outputs that were counted do not become fewer; a count beyond the baseline's may still even out."""
    score = scored("q8_0", CLEAN, statuses={"u3": RowStatus.TRUNCATED})
    wide = {"non_inferiority": 0.001}
    absolute = decide(pair({**wide, "truncated": 0}), score, scored("f32", CLEAN), look=FIRST)
    relative = decide(pair({**wide, "truncated_delta": 0}), score, scored("f32", CLEAN), look=FIRST)
    assert (absolute.outcome, decided(absolute)) == (Outcome.FAIL, True)
    assert (relative.outcome, decided(relative)) == (Outcome.FAIL, False)


def test_early_bounds_are_those_of_the_look() -> None:
    """The bounds that decide are wider than the 95 % ones at the first look, and named by it in the message."""
    limits = {"non_inferiority": 2.0}
    full = decide(pair(limits), scored("q8_0", NEAR), scored("f32", CLEAN))
    early = decide(pair(limits), scored("q8_0", NEAR), scored("f32", CLEAN), look=FIRST)
    assert full.comparison is not None
    assert early.comparison is not None
    assert early.comparison.upper > full.comparison.upper == full.comparison.upper95 == early.comparison.upper95
    assert early.comparison.lower < full.comparison.lower == full.comparison.lower95
    assert statuses(early)["non_inferiority"] is CheckStatus.INCONCLUSIVE
    assert early.reason.startswith("non_inferiority: at look 1 of 8 (boundary 3.39): undecided: bounds ")
    assert math.isfinite(early.comparison.upper)


def test_only_a_margin_can_stop_early() -> None:
    """Without a paired bound there is nothing to decide early."""
    assert may_end_early(pair({"non_inferiority": 1.0}))
    assert not may_end_early(pair({"wer": 5.0, "wer_delta": 1.0, "non_inferiority": "off"}))


def test_the_order_is_that_of_ids_and_seed() -> None:
    """The same seed gives the same order, another seed another one, and each is a permutation."""
    data = loaded(utterances(*(f"word {number}" for number in range(80))))
    first = decoding_order(data, 1)
    assert sorted(first) == list(range(80))
    assert first == decoding_order(data, 1) != decoding_order(data, 2)
    assert first != tuple(range(80))


def test_a_part_keeps_ids_speakers_and_digest() -> None:
    """The first utterances of an order are a data set of their own with their own speakers."""
    data = loaded(utterances("a", "b", "c"), speakers=("x", "y", "z"))
    part = data.part((2, 0))
    assert [row.id for row in part.utterances] == ["u3", "u1"]
    assert (part.speakers, part.digest, part.name) == (("z", "x"), data.digest, data.name)


def test_a_slices_margin_is_one_of_the_margins() -> None:
    """Surely exceeded it ends the run, undecided it keeps it going, whatever the whole set shows."""
    tags = {name: ("in",) for name, _, _ in CLEAN[:30]}
    baseline = scored("f32", CLEAN, tags=tags)
    rows = [*FAR[:30], *CLEAN[30:]]
    wide, narrow = ({"in": {"non_inferiority": margin}} for margin in (40.0, 3.0))
    whole = {"non_inferiority": 30.0}
    lost = decide(pair(whole, slices=narrow), scored("q8_0", rows, tags=tags), baseline, look=FIRST)
    assert (lost.outcome, decided(lost)) == (Outcome.FAIL, True)
    kept = decide(pair(whole, slices=wide), scored("q8_0", CLEAN, tags=tags), baseline, look=FIRST)
    assert (kept.outcome, decided(kept)) == (Outcome.PASS, True)
    open_yet = decide(pair(whole, slices=narrow), scored("q8_0", CLEAN), scored("f32", CLEAN), look=FIRST)
    assert (open_yet.outcome, decided(open_yet)) == (Outcome.INCONCLUSIVE, False)
