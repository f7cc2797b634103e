"""Claims about single checks: value, limit, unit, status, and the ids behind them."""

from dataclasses import replace

import pytest

from pytest_asrgate import checks
from pytest_asrgate.records import Check, CheckStatus, Comparison, Counts, Interval, Resolution, RowStatus
from pytest_asrgate.scoring import compare

from .builders import Row, scored

PASS, FAIL, ERROR = CheckStatus.PASS, CheckStatus.FAIL, CheckStatus.ERROR
REPORTED, INCONCLUSIVE = CheckStatus.REPORTED, CheckStatus.INCONCLUSIVE

BEFORE: list[Row] = [("a", "one cat", "one cat"), ("b", "the big red dog", "the big red dog"), ("c", "", "")]
AFTER: list[Row] = [("a", "one cat", "one hat"), ("b", "the big red dog", "a"), ("c", "", "you you")]


def _compared(
    delta: float = 0.0,
    lower: float = 0.0,
    upper: float = 0.0,
    *,
    rate: float = 6.0,
    ours: tuple[float, float] = (4.0, 8.0),
    theirs: tuple[float, float] = (4.0, 8.0),
) -> Comparison:
    return Comparison(
        baseline="f32",
        delta_pp=delta,
        interval=Interval(lower - 1, upper + 1),
        lower95=lower,
        upper95=upper,
        resolution=Resolution(100, 2.0, 0.0, 2.5, 0.1),
        rate_pct=rate,
        rate_interval=Interval(*ours),
        baseline_interval=Interval(*theirs),
        bootstrap=Interval(lower - 1, upper + 1),
        utterances=100,
    )


@pytest.mark.parametrize(
    ("limit", "status"), [(None, REPORTED), (100.0, FAIL), (116.0, FAIL), (116.7, PASS), (200.0, PASS)]
)
def test_the_rate_is_held_against_its_limit(limit: float | None, status: CheckStatus) -> None:
    """7 errors over 6 words are 116.67 %, which fails below that, passes above and is reported without a limit."""
    found = checks.rate(scored("q8_0", AFTER), limit)
    assert (found.name, found.unit, found.limit, found.status) == ("wer", "%", limit, status)
    assert found.value == pytest.approx(700 / 6)
    assert "over 6 words" in found.detail
    assert found.utterances == ("b", "c", "a")


def test_a_rate_at_its_limit_passes_in_spite_of_floating_point() -> None:
    """0.1 + 0.2 is not above 0.3: what equals the limit is within it."""
    comparison = _compared(0.1 + 0.2, 0.1, 0.1 + 0.2)
    baseline = scored("f32", BEFORE)
    assert checks.rate_delta(baseline, baseline, comparison, 0.3).status is PASS
    assert checks.non_inferiority(baseline, baseline, comparison, 0.3).status is PASS
    seven = replace(baseline, counts=Counts(substitutions=7, words=100))
    assert checks.rate(seven, 7.0).status is PASS


@pytest.mark.parametrize(("limit", "status"), [(None, REPORTED), (20.0, ERROR)])
def test_no_words_have_no_rate_to_hold(limit: float | None, status: CheckStatus) -> None:
    """A limit on the rate of a set without words is an error that says why; without one it is only reported."""
    found = checks.rate(scored("q8_0", [("a", "", "you")]), limit)
    assert (found.value, found.status, found.detail) == (None, status, "there are no reference words")


@pytest.mark.parametrize(
    ("delta", "limit", "status"), [(1.5, 1.0, FAIL), (1.0, 1.0, PASS), (-5.0, 0.0, PASS), (9.0, None, REPORTED)]
)
def test_a_better_rate_never_fails(delta: float, limit: float | None, status: CheckStatus) -> None:
    """The difference fails above its limit only, however much better a variant is."""
    found = checks.rate_delta(
        scored("q8_0", AFTER), scored("f32", BEFORE), _compared(delta, delta - 1, delta + 1), limit
    )
    assert (found.name, found.value, found.unit, found.status) == ("wer_delta", delta, "pp", status)
    assert found.utterances == ("b", "c", "a")


def test_the_costliest_ids_are_those_that_lost_most() -> None:
    """Rows are ordered by the errors they added to the baseline's; the rest are left out."""
    before: list[Row] = [("a", "one", "two"), ("b", "red dog", "red dog"), ("c", "cat", None), ("d", "go", "go")]
    after: list[Row] = [("a", "one", "two"), ("b", "red dog", "x y"), ("c", "cat", "hat"), ("d", "go", None)]
    comparison = _compared(1.0, 0.0, 2.0)
    assert checks.rate_delta(scored("q8_0", after), scored("f32", before), comparison, 0.0).utterances == ("b",)


@pytest.mark.parametrize(
    ("rule", "rate", "interval", "status"),
    [
        ("within-baseline", 7, (5, 9), PASS),
        ("within-baseline", 9, (7, 11), FAIL),
        ("within-baseline", 1, (0, 2), PASS),
        ("overlap", 9, (7, 11), PASS),
        ("overlap", 12, (9, 15), FAIL),
        ("overlap", 12, (8, 15), PASS),
        ("overlap", 1, (0, 2), PASS),
    ],
)
def test_the_published_interval_rules(
    rule: str, rate: int, interval: tuple[float, float], status: CheckStatus
) -> None:
    """Against 6 % [4, 8]: within-baseline fails above 8, overlap where the intervals part, and better passes."""
    score, baseline = scored("q8_0", AFTER), scored("f32", BEFORE)
    found = checks.interval_rule(score, baseline, _compared(rate=rate, ours=interval), rule)
    assert (found.name, found.limit, found.unit, found.status) == ("ci", rule, "rule", status)
    assert f"weak rule {rule!r}" in found.detail


def test_without_a_rule_intervals_fail_nothing() -> None:
    """No rule is only reported, however far apart the intervals lie."""
    apart = _compared(rate=60.0, ours=(50.0, 70.0))
    found = checks.interval_rule(scored("q8_0", AFTER), scored("f32", BEFORE), apart, None)
    assert (found.status, found.limit) == (REPORTED, None)
    assert found.detail.startswith("weak rules: 'within-baseline' would fail, 'overlap' would fail; 60.00 % [")
    near = checks.interval_rule(scored("q8_0", AFTER), scored("f32", BEFORE), _compared(rate=9.0), None)
    assert near.detail.startswith("weak rules: 'within-baseline' would fail, 'overlap' would pass")


@pytest.mark.parametrize(
    ("lower", "upper", "status", "value", "fact"),
    [
        (-0.5, 0.9, PASS, 0.9, "upper one-sided 95% bound +0.90 pp is within the margin"),
        (-0.5, 1.0, PASS, 1.0, "within the margin"),
        (1.0, 2.0, INCONCLUSIVE, 2.0, "undecided: one-sided 95% bounds +1.00 and +2.00 pp lie on both sides"),
        (-0.2, 1.1, INCONCLUSIVE, 1.1, "this set resolves 0.50 pp"),
        (1.1, 2.5, FAIL, 1.1, "lower one-sided 95% bound +1.10 pp is above the margin"),
    ],
)
def test_non_inferiority_has_three_answers(
    lower: float, upper: float, status: CheckStatus, value: float, fact: str
) -> None:
    """At margin 1 the upper bound passes, the lower fails, between is undecided; the deciding bound is shown."""
    score, baseline = scored("q8_0", AFTER), scored("f32", BEFORE)
    found = checks.non_inferiority(score, baseline, _compared(1.0, lower, upper), 1.0)
    assert (found.status, found.value, found.limit, found.unit) == (status, value, 1.0, "pp")
    assert fact in found.detail


def test_non_inferiority_without_margin_reports_the_bound() -> None:
    """Without a margin the upper bound is reported with what the set resolves, and nothing fails."""
    score = scored("q8_0", AFTER)
    found = checks.non_inferiority(score, score, _compared(9.0, 8.0, 10.0), None)
    assert (found.status, found.value, found.limit) == (REPORTED, 10.0, None)
    assert "resolves 0.50 pp" in found.detail


@pytest.mark.parametrize(
    ("name", "ids"),
    [("truncated", ("t",)), ("empty", ("e",)), ("hallucinations", ("h",)), ("errors", ("x",))],
)
def test_counters_count_their_own_rows(name: str, ids: tuple[str, ...]) -> None:
    """Each counter names exactly the rows that are of its kind."""
    rows: list[Row] = [
        ("t", "one cat", "one"),
        ("e", "one cat", ""),
        ("h", "", "you"),
        ("x", "one cat", None),
        ("r", "one", "one one one"),
        ("s", "", ""),
    ]
    score = scored("q8_0", rows, statuses={"t": RowStatus.TRUNCATED, "r": RowStatus.REPETITION})
    found = checks.counted(name, score, 5)
    assert (found.value, found.utterances, found.unit, found.status) == (1, ids, "utterances", PASS)


@pytest.mark.parametrize(("limit", "status"), [(None, REPORTED), (0, FAIL), (1, FAIL), (2, PASS)])
def test_a_count_fails_above_its_limit(limit: int | None, status: CheckStatus) -> None:
    """Two empty rows are too many for 0 and 1, and within 2."""
    rows: list[Row] = [("a", "one", ""), ("b", "two", ""), ("c", "six", "six")]
    assert checks.counted("empty", scored("q8_0", rows), limit).status is status


@pytest.mark.parametrize(("limit", "status"), [(None, ERROR), (0, ERROR), (1, PASS)])
def test_error_rows_above_their_limit_are_an_error(limit: int | None, status: CheckStatus) -> None:
    """A crash is no bad quality: above its limit, 0 unless set, it is ERROR and names row and reason."""
    found = checks.counted("errors", scored("q8_0", [("a", "one", None), ("b", "two", "two")]), limit)
    assert (found.value, found.limit, found.status) == (1, limit or 0, status)
    assert (found.detail, found.utterances) == ("a: a.wav: crashed; 1 of 2: below 97.47 %", ("a",))


def test_no_error_rows_pass() -> None:
    """Without error rows the check passes at its default of 0."""
    bound = 100.0 * (1 - 0.05 ** (1 / 3))
    assert checks.counted("errors", scored("q8_0", BEFORE), None) == Check(
        "errors", 0, 0, "utterances", PASS, "0 of 3: below 63.16 %", (), pytest.approx(bound)
    )


@pytest.mark.parametrize(("limit", "status"), [(None, REPORTED), (0, FAIL), (1, PASS)])
def test_a_count_against_the_baselines(limit: int | None, status: CheckStatus) -> None:
    """Two hallucinations against one are one more, and only the new row is named."""
    before: list[Row] = [("a", "", "you"), ("b", "", ""), ("c", "six", "six")]
    after: list[Row] = [("a", "", "you"), ("b", "", "bye"), ("c", "six", "six")]
    found = checks.counted_delta("hallucinations", scored("q8_0", after), scored("f32", before), limit)
    assert (found.name, found.value, found.status) == ("hallucinations_delta", 1, status)
    assert found.utterances == ("b",)
    told = "; new: 'b'" if status is FAIL else ""
    assert found.detail == f"2 against the baseline's 1{told}"


def test_fewer_than_the_baseline_never_fails() -> None:
    """A variant with fewer bad rows passes at 0."""
    before: list[Row] = [("a", "", "you")]
    found = checks.counted_delta("hallucinations", scored("q8_0", [("a", "", "")]), scored("f32", before), 0)
    assert (found.value, found.status) == (-1, PASS)


@pytest.mark.parametrize("side", ["variant", "baseline"])
def test_error_rows_leave_both_counts(side: str) -> None:
    """A row that one side lost leaves the difference of counts too: what is lost does not pay for what is new."""
    before: list[Row] = [("a", "", "you"), ("b", "", ""), ("c", "", "")]
    after: list[Row] = [("a", "", None), ("b", "", "bye"), ("c", "", "")]
    if side == "baseline":
        before, after = [("a", "", None), ("b", "", "")], [("a", "", "you"), ("b", "", "")]
    found = checks.counted_delta("hallucinations", scored("q8_0", after), scored("f32", before), 0)
    assert (found.value, found.status) == ((1, FAIL) if side == "variant" else (0, PASS))


def test_error_rows_leave_the_interval_rule() -> None:
    """The rule on intervals looks at the rows that both sides have, so nobody gains by what a side lost."""
    before: list[Row] = [(f"u{n}", "old cat", "old cat") for n in range(20)]
    after: list[Row] = [(f"u{n}", "old cat", "old cat" if n % 5 else "old") for n in range(20)]
    baseline = scored("f32", [*before, ("x", "old cat", "a b c d e f g h")])
    score = scored("q8_0", [*after, ("x", "old cat", None)])
    comparison = compare(score, baseline)
    assert comparison is not None
    # Over the twenty common rows the baseline is 0 % [0, 0] and the variant 10 %.
    found = checks.interval_rule(score, baseline, comparison, "within-baseline")
    assert (found.status, found.value) == (FAIL, 10.0)


HIDDEN: list[Row] = [
    ("a", "the colour", "the color"),
    ("b", "it was -5", "it was 5"),
    ("c", "a cat", "a hat"),
    ("d", "hello", "hello"),
]


@pytest.mark.parametrize(("limit", "status"), [(None, REPORTED), (1, FAIL), (2, PASS)])
def test_what_the_normaliser_hid_is_counted_with_values_first(limit: int | None, status: CheckStatus) -> None:
    """Rows that score 0 and differ are counted; those that touch a sign stand before rewritten words."""
    found = checks.counted("masked", scored("q8_0", HIDDEN), limit)
    assert (found.value, found.status, found.utterances) == (2, status, ("b", "a"))
    assert found.detail.startswith("hidden by the normaliser; 1 of them touch")


def test_what_was_normalised_elsewhere_cannot_be_checked_for_what_it_hides() -> None:
    """Where only normalised texts were stored, a limit on `masked` is an ERROR and no limit a report."""
    score = scored("q8_0", HIDDEN)
    blind = replace(score, utterances=tuple(replace(row, masked=None) for row in score.utterances))
    assert checks.counted("masked", blind, 5).status is ERROR
    assert checks.counted("masked", blind, None).status is REPORTED
    assert checks.counted_delta("masked", score, blind, 5).status is ERROR
    assert checks.counted_delta("masked", score, score, 0).status is PASS
