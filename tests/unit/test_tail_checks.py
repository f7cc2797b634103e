"""Claims about checks on tails: who could have shown it, how rare it may be, what a few utterances weigh."""

from dataclasses import replace

import pytest

from pytest_asrgate import checks
from pytest_asrgate.records import Check, CheckStatus, RowStatus, Score
from pytest_asrgate.verdict import decide

from .builders import Row, pair, scored, statuses

PASS, FAIL, ERROR, REPORTED = CheckStatus.PASS, CheckStatus.FAIL, CheckStatus.ERROR, CheckStatus.REPORTED

# Three spoken, one of them bad and one empty; two null references, one with words; one error row.
ROWS: list[Row] = [
    ("fine", "the big red dog", "the big red dog"),
    ("bad", "the big red dog", "a pig"),
    ("empty", "one cat", ""),
    ("silent", "", ""),
    ("heard", "", "thank you"),
    ("lost", "one cat", None),
]


@pytest.mark.parametrize(
    ("name", "share", "ids"),
    [
        ("errors", "1 of 6: below", ("lost",)),
        ("truncated", "0 of 5: below", ()),
        ("loops", "0 of 5: below", ()),
        ("language_drift", "0 of 5: below", ()),
        ("masked", "0 of 5: below", ()),
        ("empty", "1 of 3: below", ("empty",)),
        ("catastrophic", "2 of 3: below", ("bad", "empty")),
        ("hallucinations", "1 of 2: below", ("heard",)),
    ],
)
def test_a_count_is_held_against_those_who_could_have_shown_it(name: str, share: str, ids: tuple[str, ...]) -> None:
    """Null references alone can show hallucinations, words alone can be dropped, error rows say nothing else."""
    found = checks.counted(name, scored("q8_0", ROWS), 6)
    assert share in found.detail
    assert found.utterances == ids
    assert found.upper95_pct is not None
    assert f"{found.upper95_pct:.2f} %" in found.detail


@pytest.mark.parametrize(
    ("count", "total", "share"),
    [
        (0, 2620, "0 of 2,620: below 0.11 %"),
        (3, 240, "3 of 240: below 3.20 %"),
        (0, 20_000, "0 of 20,000: below 0.015 %"),
        (2, 2, "2 of 2: at most 100.00 %"),
    ],
)
def test_the_bound_is_printed_with_the_count(count: int, total: int, share: str) -> None:
    """A bound never prints as zero, and where all show it nothing is excluded."""
    rows: list[Row] = [(f"u{n}", "one", "" if n < count else "one") for n in range(total)]
    assert checks.counted("empty", scored("q8_0", rows), None).detail == share


def test_where_nobody_could_show_it_there_is_no_bound() -> None:
    """Without null references no hallucination is possible, and that is said in place of a bound."""
    found = checks.counted("hallucinations", scored("q8_0", [("a", "one", "one")]), 0)
    assert (found.value, found.status, found.upper95_pct) == (0, PASS, None)
    assert found.detail == "there are no scored null references"


@pytest.mark.parametrize(("rate", "ids"), [(50.0, ("c",)), (49.9, ("c", "b")), (300.0, ()), (299.0, ("c",))])
def test_catastrophic_is_above_the_datasets_own_limit(rate: float, ids: tuple[str, ...]) -> None:
    """An utterance at the limit is within it, a null reference has no rate, and the limit stands in the detail."""
    rows: list[Row] = [
        ("a", "the big red dog", "the big red"),
        ("b", "the big red dog", "the big"),
        ("c", "go", "x y z"),
        ("d", "", "thank you for watching"),
    ]
    score = replace(scored("q8_0", rows), catastrophic_rate=rate)
    found = checks.counted("catastrophic", score, 0)
    assert found.utterances == ids
    assert found.detail.startswith(f"own WER above {rate:g} %; {len(ids)} of 3: below ")


def test_catastrophic_counts_beyond_the_baselines() -> None:
    """The delta names the new ones and the limit."""
    before: list[Row] = [("a", "go", "x"), ("b", "go", "go")]
    after: list[Row] = [("a", "go", "y"), ("b", "go", "y")]
    found = checks.counted_delta("catastrophic", scored("q8_0", after), scored("f32", before), 0)
    assert (found.value, found.status, found.utterances) == (1, FAIL, ("b",))
    assert found.detail == "own WER above 50 %; 2 against the baseline's 1; new: 'b'"


def test_drift_and_loops_are_counted_costliest_first() -> None:
    """An output in another script and one that repeats itself are named, the dearest first."""
    rows: list[Row] = [
        ("a", "the train leaves", "поезд уходит в город"),
        ("b", "the train", "the train"),
        ("c", "the train", "der поезд уходит в восемь утра сегодня вечером"),
        ("l", "thank you", "thank you " * 20),
        ("s", "one cat sat", "one cat sat"),
    ]
    score = scored("q8_0", rows, statuses={"s": RowStatus.REPETITION})
    assert checks.counted("language_drift", score, 0).utterances == ("c", "a")
    assert checks.counted("loops", score, 0).utterances == ("l", "s")


SPOKEN = "a b c d e f g h"


def _dropping(variant: str, *heard: str | None) -> Score:
    return scored(variant, [(f"u{n}", SPOKEN, text) for n, text in enumerate(heard, start=1)])


@pytest.mark.parametrize(
    ("limit", "status", "ids"), [(None, REPORTED, ("u2", "u3")), (4, FAIL, ("u2",)), (5, PASS, ())]
)
def test_the_longest_run_of_deletions_has_a_limit(
    limit: int | None, status: CheckStatus, ids: tuple[str, ...]
) -> None:
    """Five words skipped in one utterance are above 4 and within 5; the longest run stands first."""
    score = _dropping("q8_0", "a c e g", "a b c", "a f g h", SPOKEN)
    found = checks.dropped_span(score, None, limit)
    assert (found.value, found.unit, found.status, found.utterances) == (5, "words", status, ids)
    assert "longest run of deletions in one utterance; longer than" in found.detail


def test_what_the_baseline_drops_too_is_not_held_against_a_variant() -> None:
    """Speech that neither hears is no loss of the variant, what only the variant loses is."""
    score, baseline = _dropping("q8_0", "a b c", "a b"), _dropping("f32", "a b c", "a b c d e f")
    assert checks.dropped_span(score, baseline, 3).value == 4
    assert checks.dropped_span(score, None, 3).value == 6
    assert checks.dropped_span(score, score, 0).value == 0


def test_a_row_that_the_baseline_lost_excuses_nothing() -> None:
    """An error row of the baseline shows no word, so that the whole run counts."""
    assert checks.dropped_span(_dropping("q8_0", "a b c"), _dropping("f32", None), 3).value == 5


@pytest.mark.parametrize(("limit", "status"), [(None, REPORTED), (3, ERROR)])
def test_without_words_no_run_is_measured(limit: int | None, status: CheckStatus) -> None:
    """A set of silence cannot show what is skipped: a limit on it is an error, and no limit a report."""
    found = checks.dropped_span(scored("q8_0", [("a", "", "you"), ("b", "go on", None)]), None, limit)
    assert (found.value, found.status, found.unit) == (None, status, "words")


@pytest.mark.parametrize(("limit", "status"), [(None, REPORTED), (49.0, FAIL), (50.0, PASS)])
def test_changed_is_the_share_of_other_texts(limit: float | None, status: CheckStatus) -> None:
    """Of the two utterances that both sides scored one reads otherwise, though its errors are as many."""
    before: list[Row] = [("a", "one cat", "one hat"), ("b", "go", "Go!"), ("c", "x", None), ("d", "y", "y")]
    after: list[Row] = [("a", "one cat", "one bat"), ("b", "go", "go"), ("c", "x", "z"), ("d", "y", None)]
    found = checks.changed(checks.changes(scored("q8_0", after), scored("f32", before)), limit)
    assert (found.value, found.unit, found.status, found.utterances) == (50.0, "%", status, ("a",))
    assert found.detail == "1 of 2: below 97.47 %"


def test_changed_needs_an_utterance_on_both_sides() -> None:
    """Where the two sides have no utterance in common nothing is compared, and a limit is an error."""
    score, baseline = scored("q8_0", [("a", "one", None)]), scored("f32", [("a", "one", "one")])
    assert checks.changed(checks.changes(score, baseline), 5.0).status is ERROR
    assert checks.changed(checks.changes(score, baseline), None).status is REPORTED


def _leverage(*wrong: int, words: int = 10) -> Check:
    """Leverage of a variant that adds so many errors, utterance by utterance, to a baseline without any."""
    spoken = " ".join("abcdefghijklmnopqrstuvwxyz"[:words])
    rows = [(f"u{n}", spoken, spoken.replace(" ", " x ", count)) for n, count in enumerate(wrong, start=1)]
    return checks.leverage(
        checks.changes(scored("q8_0", rows), scored("f32", [(name, text, text) for name, text, _ in rows]))
    )


def test_leverage_is_the_delta_without_its_three_costliest() -> None:
    """One runaway clip is most of a delta; its words leave the denominator with its errors."""
    found = _leverage(1, 9, 0, 2, 1)
    assert (found.name, found.unit, found.status, found.limit) == ("leverage", "pp", REPORTED, None)
    assert found.value == pytest.approx(100 * 1 / 20)
    assert found.utterances == ("u2", "u4", "u1")
    assert found.detail == "+26.00 pp; without its costliest 3 utterances +5.00 pp"


def test_leverage_leaves_out_only_what_costs_something() -> None:
    """Where one utterance added errors one is left out, where none did the delta stands."""
    assert _leverage(0, 4, 0, 0, 0).detail == "+8.00 pp; without its costliest utterance +0.00 pp"
    assert _leverage(0, 0, 0, 0, 0).detail == "+0.00 pp; no utterance added errors"
    assert _leverage(0, 0, 0, 0, 0).value == 0.0


def test_leverage_of_a_few_utterances_is_not_measured() -> None:
    """Four utterances less three are one, which says nothing of the rest."""
    found = _leverage(1, 2, 3, 4)
    assert (found.value, found.status, found.utterances) == (None, REPORTED, ())
    assert found.detail == "fewer than 5 utterances have a score on both sides"


def test_leverage_without_words_left_is_not_measured() -> None:
    """Where only null references remain there is no rate, and no division by nothing."""
    rows: list[Row] = [("a", "go", "x"), ("b", "go", "x"), ("c", "go", "x"), ("d", "", ""), ("e", "", "")]
    before: list[Row] = [(name, text, text) for name, text, _ in rows]
    found = checks.leverage(checks.changes(scored("q8_0", rows), scored("f32", before)))
    assert (found.value, found.detail) == (None, "there are no reference words without the costliest utterances")
    silence: list[Row] = [(f"u{n}", "", "") for n in range(5)]
    found = checks.leverage(checks.changes(scored("q8_0", silence), scored("f32", silence)))
    assert (found.value, found.detail) == (None, "there are no reference words")


def test_a_better_variant_has_a_leverage_too() -> None:
    """Where the variant is better as a whole, what it lost is still taken out."""
    rows: list[Row] = [(f"u{n}", "a b c d", "a b c d" if n else "a b c") for n in range(6)]
    before: list[Row] = [(name, text, text if name == "u0" else "a b") for name, text, _ in rows]
    found = checks.leverage(checks.changes(scored("q8_0", rows), scored("f32", before)))
    assert found.value == pytest.approx(-50.0)
    assert found.utterances == ("u0",)


TAILS = {"loops", "language_drift", "catastrophic", "dropped_span", "empty", "hallucinations"}


def test_a_baseline_faces_the_absolute_tails() -> None:
    """The baseline's own verdict holds every absolute tail and nothing that compares."""
    rows: list[Row] = [(f"u{n}", SPOKEN, SPOKEN if n else "a b") for n in range(6)]
    limits = dict.fromkeys(TAILS, 0) | {"changed": 0.0, "catastrophic_delta": 0}
    verdict = decide(pair(limits, variant="f32"), scored("f32", rows), None, is_baseline=True)
    found = statuses(verdict)
    assert {name for name, status in found.items() if status is FAIL} == {"catastrophic", "dropped_span"}
    assert set(found) >= TAILS
    assert not {"changed", "leverage", "catastrophic_delta"} & set(found)


def test_a_pair_has_every_tail_and_its_delta() -> None:
    """A variant that skips speech fails absolute limits and those against the baseline."""
    before: list[Row] = [(f"u{n}", SPOKEN, SPOKEN) for n in range(6)]
    after: list[Row] = [(f"u{n}", SPOKEN, SPOKEN if n else "a b") for n in range(6)]
    limits = {"catastrophic": 0, "catastrophic_delta": 0, "dropped_span": 5, "changed": 10.0, "language_drift": 0}
    found = statuses(decide(pair(limits), scored("q8_0", after), scored("f32", before)))
    failing = {"catastrophic", "catastrophic_delta", "dropped_span", "changed"}
    assert {name for name, status in found.items() if status is FAIL} == failing
    assert (found["language_drift"], found["leverage"]) == (PASS, REPORTED)
