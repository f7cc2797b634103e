"""Claims about slices: what a tag's utterances are, what they show, and how they are judged."""

import math
from collections.abc import Mapping
from dataclasses import replace

import pytest

from pytest_asrgate.records import Check, CheckStatus, Counts, Look, Outcome, RowStatus, Score, SliceResult, Verdict
from pytest_asrgate.slices import places_by_tag, restrict, slices
from pytest_asrgate.verdict import decide

from .builders import NOTE, Row, pair, scored

TEXT = "the big red dog"
# Of 100 utterances ten have the accent; the variant loses a word of each of those and of none else.
IDS = [f"u{number}" for number in range(100)]
TAGS = {name: ("accent:in",) if number % 10 == 0 else ("accent:us",) for number, name in enumerate(IDS)}
BEFORE: list[Row] = [(name, TEXT, TEXT) for name in IDS]
AFTER: list[Row] = [(name, TEXT, "the big red" if TAGS[name] == ("accent:in",) else TEXT) for name in IDS]


def _decided(
    limits: Mapping[str, object] | None = None,
    part: Mapping[str, object] | None = None,
    *,
    after: list[Row] = AFTER,
    look: Look | None = None,
    tags: Mapping[str, tuple[str, ...]] = TAGS,
) -> Verdict:
    judged = pair(limits, slices={} if part is None else {"accent:in": part})
    return decide(judged, scored("q8_0", after, tags=tags), scored("f32", BEFORE, tags=tags), look=look)


def _part(verdict: Verdict, name: str = "accent:in") -> SliceResult:
    return next(part for part in verdict.slices if part.name == name)


def _check(verdict: Verdict, name: str) -> Check:
    return next(check for check in _part(verdict).checks if check.name == name)


def test_a_pooled_rate_hides_one_groups_loss() -> None:
    """The whole loses 2.5 points and keeps its limits; a tenth of it loses 25, and its own limit fails the pair."""
    limits = {"wer": 5.0, "wer_delta": 3.0, "non_inferiority": 5.0}
    assert _decided(limits).outcome is Outcome.PASS
    verdict = _decided(limits, {"wer_delta": 3.0})
    assert {check.status for check in verdict.checks} == {CheckStatus.PASS, CheckStatus.REPORTED}
    assert verdict.outcome is Outcome.FAIL
    assert verdict.reason.startswith("slice accent:in: wer_delta: two-sided 95% interval")
    (check,) = _part(verdict).checks
    assert (check.value, check.limit, check.status) == (25.0, 3.0, CheckStatus.FAIL)
    assert set(check.utterances) == {name for name, tags in TAGS.items() if tags == ("accent:in",)}
    assert verdict.every_check == (*verdict.checks, check)


def test_every_tag_is_measured_without_limits() -> None:
    """Counts, rate, interval, difference and bounds of each slice are those of its utterances alone."""
    verdict = _decided()
    assert [(part.name, part.utterances) for part in verdict.slices] == [("accent:us", 90), ("accent:in", 10)]
    alone = [row for row in AFTER if TAGS[row[0]] == ("accent:in",)]
    clean = [row for row in BEFORE if TAGS[row[0]] == ("accent:in",)]
    by_itself = decide(pair(), scored("q8_0", alone), scored("f32", clean))
    part, whole = _part(verdict), by_itself.comparison
    assert by_itself.score is not None
    assert part.comparison is not None
    assert whole is not None
    assert part.counts == by_itself.score.counts == Counts(deletions=10, words=40)
    assert part.interval == by_itself.score.interval
    assert part.comparison == replace(whole, matched_pairs=None, improvement_pct=None)
    assert part.speakers_note == by_itself.score.speakers_note == f"{NOTE}; only 10 utterances: bounds are rough"
    assert part.checks == ()
    assert verdict.score is not None
    assert sum((each.counts for each in verdict.slices), Counts()) == verdict.score.counts


def test_a_slice_has_its_own_limits_and_no_others() -> None:
    """What the pair is held to does not hold for its slices, and the other way round."""
    verdict = _decided({"wer": 5.0, "errors": 0}, {"wer": 30.0, "changed": 100.0, "truncated": 0})
    assert {check.name: check.status for check in _part(verdict).checks} == dict.fromkeys(
        ("wer", "changed", "truncated"), CheckStatus.PASS
    )
    assert _part(verdict, "accent:us").checks == ()
    assert verdict.outcome is Outcome.PASS


@pytest.mark.parametrize(
    ("part", "outcome"),
    [
        ({"non_inferiority": 20.0}, Outcome.INCONCLUSIVE),
        ({"non_inferiority": 20.0, "wer": 1.0}, Outcome.FAIL),
        ({"non_inferiority": 20.0, "wer": "off"}, Outcome.INCONCLUSIVE),
        ({"non_inferiority": 5.0}, Outcome.FAIL),
        ({"wer": 1.0, "errors": 0}, Outcome.ERROR),
        ({"errors": 1}, Outcome.PASS),
    ],
)
def test_the_gravest_check_of_all_decides(part: dict[str, object], outcome: Outcome) -> None:
    """A slice's checks stand beside the pair's: one error row more than allowed in it is an ERROR of the pair."""
    after = [("u0", TEXT, None), *AFTER[1:]] if "errors" in part else AFTER
    assert _decided({"errors": 1}, part, after=after).outcome is outcome


def test_a_graver_check_of_the_pair_stays_the_reason() -> None:
    """A slice that fails does not outrank an ERROR of the whole."""
    verdict = _decided({"semantic_wer": 1.0}, {"wer": 1.0})
    assert (verdict.outcome, verdict.reason.split(":")[0]) == (Outcome.ERROR, "semantic_wer")


def test_an_expected_failure_may_be_a_slices() -> None:
    """`expect = "fail"` asks for the outcome FAIL, whoever brings it about."""
    expected = pair(fails=True, slices={"accent:in": {"wer": 1.0}})
    verdict = decide(expected, scored("q8_0", AFTER, tags=TAGS), scored("f32", BEFORE, tags=TAGS))
    assert (verdict.outcome, verdict.expected_to_fail) == (Outcome.FAIL, True)


def test_the_baseline_faces_a_slices_absolute_limits_only() -> None:
    """It has nothing to differ from, so those on differences are no limits of its."""
    limits = {"accent:in": {"wer": 1.0, "wer_delta": 1.0, "non_inferiority": 1.0}}
    verdict = decide(pair(variant="f32", slices=limits), scored("f32", AFTER, tags=TAGS), None, is_baseline=True)
    assert [check.name for check in _part(verdict).checks] == ["wer"]
    assert (verdict.outcome, _part(verdict).comparison) == (Outcome.FAIL, None)


def test_without_a_baseline_a_difference_is_an_error() -> None:
    """The limit that needs one says why there is none."""
    judged = pair(slices={"accent:in": {"wer_delta": 1.0, "wer": 30.0}})
    verdict = decide(judged, scored("q8_0", AFTER, tags=TAGS), None, "there is no baseline: it crashed")
    assert verdict.outcome is Outcome.ERROR
    assert verdict.reason == "slice accent:in: wer_delta: there is no baseline: it crashed"
    assert _check(verdict, "wer").status is CheckStatus.PASS


def test_one_utterance_has_no_bound() -> None:
    """A slice of one utterance is named with limits only: its bounds are infinite, its margin undecided."""
    one = {**TAGS, "u1": ("accent:us", "alone")}
    assert "alone" not in [part.name for part in _decided(tags=one).slices]
    judged = pair(slices={"alone": {"non_inferiority": 5.0}})
    verdict = decide(judged, scored("q8_0", AFTER, tags=one), scored("f32", BEFORE, tags=one))
    part = _part(verdict, "alone")
    assert part.comparison is not None
    assert (part.comparison.lower95, part.comparison.upper95) == (-math.inf, math.inf)
    assert verdict.outcome is Outcome.INCONCLUSIVE
    assert part.checks[0].detail.endswith("one utterance says nothing about spread: use more")


def test_a_slice_without_words_is_counted_and_has_no_rate() -> None:
    """Null references have no rate; a limit on it is an ERROR, one on invented words is a count."""
    rows: list[Row] = [*BEFORE, ("n0", "", "you"), ("n1", "", "")]
    tags = {**TAGS, "n0": ("silence",), "n1": ("silence",)}
    score = scored("q8_0", rows, tags=tags)
    baseline = scored("f32", [*BEFORE, ("n0", "", ""), ("n1", "", "")], tags=tags)
    verdict = decide(pair(slices={"silence": {"hallucinations": 1, "hallucinations_delta": 1}}), score, baseline)
    part = _part(verdict, "silence")
    assert (part.comparison, part.interval, part.counts.rate_pct) == (None, None, None)
    assert (verdict.outcome, [check.value for check in part.checks]) == (Outcome.PASS, [1, 1])
    for limit in ("wer", "non_inferiority"):
        assert decide(pair(slices={"silence": {limit: 1.0}}), score, baseline).outcome is Outcome.ERROR


def test_error_rows_leave_a_slice_as_they_leave_the_whole() -> None:
    """The comparison of a slice is over what both sides scored, its rate over what this side did."""
    after: list[Row] = [("u0", TEXT, None), *AFTER[1:]]
    part = _part(_decided({"errors": 1}, after=after))
    assert part.comparison is not None
    assert (part.utterances, part.comparison.utterances, part.comparison.left_out) == (10, 9, 1)
    assert part.counts.words == 36


def test_utterances_may_be_in_several_slices() -> None:
    """Each tag of a row counts it, so slices overlap."""
    tags = {name: (*TAGS[name], "noisy") for name in IDS}
    found = {part.name: part.utterances for part in _decided(tags=tags).slices}
    assert found == {"noisy": 100, "accent:us": 90, "accent:in": 10}


def test_many_tags_are_cut_to_the_most_frequent() -> None:
    """Of tags without limits the 50 most frequent of 2 utterances or more are kept; the rest is counted."""
    tags = {name: ("all", f"of two {number // 2}", f"only {name}") for number, name in enumerate(IDS)}
    score = scored("q8_0", AFTER, tags=tags)
    groups, left_out = places_by_tag(score, ["only u7", "of two 49"])
    assert list(groups) == ["only u7", "of two 49", "all", *(f"of two {number}" for number in range(49))]
    assert (groups["only u7"], groups["of two 49"], len(groups["all"])) == ([7], [98, 99], 100)
    assert left_out == 99
    more = {name: (*own, f"of four {number // 4}") for number, (name, own) in enumerate(tags.items())}
    groups, left_out = places_by_tag(scored("q8_0", AFTER, tags=more), [])
    assert len(groups) == 50
    assert list(groups)[:2] == ["all", "of four 0"]
    assert left_out == 1 + 50 + 100 + 25 - 50
    assert places_by_tag(scored("q8_0", AFTER), []) == ({}, 0)


def _spoken(score: Score, places: list[int]) -> tuple[tuple[str, ...] | None, str]:
    part = restrict(score, places)
    return part.speakers, part.speakers_note


def test_speakers_are_those_of_the_slice() -> None:
    """A slice of one voice says that independence is assumed, one of two says how few they are."""
    score = scored("q8_0", AFTER, speakers=("ann", "bob", "cid", "dan") * 25)
    assert _spoken(score, [0, 4, 8]) == (
        None,
        "independence assumed: one speaker; only 3 utterances: bounds are rough",
    )
    assert _spoken(score, [0, 1, 5]) == (
        ("ann", "bob", "bob"),
        "2 speakers (fewer than 20: bounds are rough); only 3 utterances: bounds are rough",
    )
    assert _spoken(score, list(range(60)))[1] == "4 speakers (fewer than 20: bounds are rough)"
    assert _spoken(scored("q8_0", AFTER), list(range(60))) == (None, NOTE)


def test_a_part_of_a_score_is_the_score_of_the_part() -> None:
    """Rows, hypotheses, speakers, counts and median time are those of the places; nothing of the rest remains."""
    score = scored("q8_0", AFTER, statuses={"u1": RowStatus.TRUNCATED}, speakers=tuple("abcd" * 25))
    rows = tuple(replace(row, latency_ms=float(number)) for number, row in enumerate(score.hypotheses.hypotheses))
    score = replace(score, hypotheses=replace(score.hypotheses, hypotheses=rows))
    part = restrict(score, [1, 0, 20])
    assert [row.id for row in part.utterances] == ["u1", "u0", "u20"]
    assert [row.id for row in part.hypotheses.hypotheses] == ["u1", "u0", "u20"]
    assert part.speakers == ("b", "a", "a")
    assert (part.counts, part.latency_p50_ms) == (Counts(deletions=2, words=12), 1.0)
    assert restrict(score, []).counts == Counts()
    assert restrict(score, []).latency_p50_ms is None


def _look(utterances: int, total: int = 200) -> Look:
    return Look(1, (utterances, total), total, 2.8, 0.0026, 1)


def test_a_slice_that_is_not_decoded_yet_is_undecided() -> None:
    """In an early run limits of a slice without any utterance are neither kept nor broken, whatever their kind."""
    limits = {"wer": 5.0, "non_inferiority": 2.0, "empty": 0, "ci": "overlap"}
    verdict = _decided({"wer": 90.0}, limits, tags={}, look=_look(100))
    assert (verdict.outcome, _part(verdict).utterances) == (Outcome.INCONCLUSIVE, 0)
    assert verdict.reason == "slice accent:in: wer: not yet known: no utterance of this slice is decoded"
    assert {check.name: (check.value, check.status) for check in _part(verdict).checks} == dict.fromkeys(
        limits, (None, CheckStatus.INCONCLUSIVE)
    )


def test_a_slice_whose_words_are_not_decoded_yet_is_undecided() -> None:
    """A rate that cannot be had of what is decoded so far is no ERROR before the set is complete."""
    before: list[Row] = [*BEFORE, ("n0", "", "")]
    tags = {"n0": ("accent:in",)}
    judged = pair(slices={"accent:in": {"wer": 5.0, "errors": 0}})
    scores = scored("q8_0", before, tags=tags), scored("f32", before, tags=tags)
    early = decide(judged, *scores, look=_look(101))
    assert early.outcome is Outcome.INCONCLUSIVE
    assert _check(early, "wer").detail == "not yet known: there are no reference words"
    assert _check(early, "errors").status is CheckStatus.PASS
    assert decide(judged, *scores, look=_look(101, total=101)).outcome is Outcome.ERROR


def test_error_rows_of_a_slice_are_an_error_early_too() -> None:
    """More error rows than its limit allows is an ERROR that later utterances do not mend."""
    verdict = _decided({"errors": 1}, {"errors": 0}, after=[("u0", TEXT, None), *AFTER[1:]], look=_look(100))
    assert (verdict.outcome, _check(verdict, "errors").value) == (Outcome.ERROR, 1)


def test_an_early_slice_is_judged_at_the_looks_level() -> None:
    """The margin of a slice is decided by the bounds that the look prescribes, wider than those at 5 %."""
    verdict = _decided(None, {"non_inferiority": 20.0}, look=_look(100))
    found = _part(verdict).comparison
    assert found is not None
    assert found.lower < found.lower95
    assert "at look 1 of 2" in _check(verdict, "non_inferiority").detail


def test_slices_carry_no_figures_that_decide_nothing() -> None:
    """MAPSSWE and the probability of improvement of a slice are not computed: dozens of them nobody reads."""
    (part, _), _ = slices(scored("q8_0", AFTER, tags=TAGS), scored("f32", BEFORE, tags=TAGS), [])
    assert part.comparison is not None
    assert (part.comparison.matched_pairs, part.comparison.improvement_pct) == (None, None)
