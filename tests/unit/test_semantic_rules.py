"""The rule stage on whole pairs: golden pairs, worked examples, and what holds for any two texts."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_asrgate.records import Difference, Label
from pytest_asrgate.semantic.alignment import align
from pytest_asrgate.semantic.counting import counts_of_differences
from pytest_asrgate.semantic.differences import find_differences
from pytest_asrgate.semantic.pairs import Prepared, TextPair, prepare
from pytest_asrgate.semantic.rules import RULES
from tests.unit.golden_semantic import GOLDEN, Golden
from tests.unit.properties import STEADY, texts
from tests.unit.semantic_texts import text_of


def counted(prepared: Prepared) -> tuple[int, int, int]:
    """S, D and I where all that is open is an error."""
    counts = counts_of_differences(
        [replace(row, label=Label.ERROR) if row.label is Label.OPEN else row for row in prepared.differences],
        prepared.words,
    )
    return counts.substitutions, counts.deletions, counts.insertions


def decided(difference: Difference) -> str:
    """Who settled a difference."""
    return difference.decided_by.removeprefix("rule ") or "open"


@pytest.mark.parametrize("golden", GOLDEN, ids=lambda golden: f"{golden.topic}: {golden.reference[:20]}")
def test_golden_pairs(golden: Golden) -> None:
    """Each pair has the S, D, I and N that it should, and the rule that should has settled each difference."""
    prepared = prepare(TextPair(golden.reference, golden.hypothesis))
    assert tuple(map(decided, prepared.differences)) == golden.decided
    assert counted(prepared) == golden.counts
    assert prepared.words == golden.words
    assert (prepared.question is not None) == ("open" in golden.decided)


def test_every_rule_has_golden_pairs_for_and_against() -> None:
    """At least 80 pairs; each rule settles two or more; each topic has a pair that costs and one that does not."""
    settled = Counter(name for golden in GOLDEN for name in golden.decided)
    assert len(GOLDEN) >= 80
    assert {name for name, _ in RULES} <= {name for name, times in settled.items() if times > 1}
    for topic in {golden.topic for golden in GOLDEN} - {"yes and no", "compounds", "grouping", "stutter"}:
        costs = {sum(golden.counts) > 0 for golden in GOLDEN if golden.topic == topic}
        assert costs == {True, False}, topic


def test_every_reason_is_a_sentence_that_names_the_words() -> None:
    """A rule's reason is one sentence, and holds the words of the difference."""
    for golden in GOLDEN:
        for row in prepare(TextPair(golden.reference, golden.hypothesis)).differences:
            if row.label is Label.OPEN or row.decided_by in {"rule empty", "rule nothing said"}:
                assert row.label is not Label.OPEN or not row.reason
                continue
            assert row.reason.endswith(".")
            assert row.reason.count(". ") == 0
            assert all(f'"{words}"' in row.reason for words in (row.reference, row.hypothesis) if words)


ODD = st.lists(
    st.sampled_from(
        [
            "a",
            "the",
            "um",
            "like,",
            "you",
            "know",
            "not",
            "no",
            "yes",
            "1",
            "2",
            "5th",
            "20",
            "$5",
            "May",
            "driver",
            "drivers",
            "driver's",
            "Mary's",
            "wi-fi",
            "wifi",
            "week",
            "night",
            "weeknight",
            "all",
            "ticket",
            "tickets",
            "and",
            "to",
            "reme-",
            "remember...",
            ".",
            "?",
            ",",
            "St.",
            "U.S.",
            "&",
            "@",
            "don't",
            "can't",
            "cross-country",
        ]
    ),
    max_size=8,
).map(" ".join)
ANY = st.one_of(ODD, texts(surrogates=True))


@STEADY
@given(ANY, ANY)
def test_counts_fit_the_texts(reference: str, hypothesis: str) -> None:
    """S + D never pass N, S + D + I never the edits of the alignment, S + I never the other text."""
    prepared = prepare(TextPair(reference, hypothesis))
    s, d, i = counted(prepared)
    edits = sum(step.step in "SDI" for step in prepared.alignment)
    assert s + d <= prepared.words == len(prepared.reference.split())
    assert s + d + i <= edits
    assert s + i <= len(prepared.hypothesis.split())


@STEADY
@given(ANY)
def test_identical_texts_have_no_differences(text: str) -> None:
    """A text against itself costs nothing, asks nothing, and has no difference."""
    prepared = prepare(TextPair(text, text))
    assert prepared.differences == ()
    assert prepared.question is None


@STEADY
@given(ANY, ANY)
def test_differences_cover_what_is_not_equal(reference: str, hypothesis: str) -> None:
    """Each step that is not equal is in exactly one difference, in order; others only in widened numbers."""
    left, right = text_of(reference), text_of(hypothesis)
    steps = align(left, right)
    for english in (True, False):
        found = find_differences(left, right, steps, english=english)
        assert [row.difference.number for row in found] == list(range(1, len(found) + 1))
        covered = [place for row in found for place in range(*row.steps)]
        assert covered == sorted(set(covered))
        assert {place for place, step in enumerate(steps) if step.kind != "="} <= set(covered)
        for place in set(covered):
            if steps[place].kind == "=":
                part = slice(*steps[place].spoken)
                row = next(row for row in found if place in range(*row.steps))
                assert english
                assert left.words[part]
                assert any(word.number for word in row.edit.spoken_words)


@STEADY
@given(ANY, ANY)
def test_preparing_twice_is_the_same(reference: str, hypothesis: str) -> None:
    """The same pair gives the same differences and the same question, whatever was prepared before."""
    pair = TextPair(reference, hypothesis)
    assert prepare.__wrapped__(pair) == prepare.__wrapped__(pair)


@STEADY
@given(ANY, ANY)
def test_symmetric_rules_are_symmetric(reference: str, hypothesis: str) -> None:
    """A text pair has an edit either way or neither way; what is lost one way is gained the other way."""
    there, back = prepare(TextPair(reference, hypothesis)), prepare(TextPair(hypothesis, reference))
    edits = [sum(step.step in "SDI" for step in one.alignment) for one in (there, back)]
    assert edits[0] == edits[1]
    assert bool(there.differences) == bool(back.differences)


@STEADY
@given(ANY, ANY, st.data())
def test_relabelling_is_monotone(reference: str, hypothesis: str, data: st.DataObject) -> None:
    """One more difference that is an error never lowers the counts, and differences labelled same cost nothing."""
    prepared = prepare(TextPair(reference, hypothesis))
    labels = [data.draw(st.sampled_from([Label.SAME, Label.ERROR])) for _ in prepared.differences]
    rows = [replace(row, label=label) for row, label in zip(prepared.differences, labels, strict=True)]
    errors = counts_of_differences(rows, prepared.words).errors
    for place, row in enumerate(rows):
        worse = [*rows[:place], replace(row, label=Label.ERROR), *rows[place + 1 :]]
        assert counts_of_differences(worse, prepared.words).errors >= errors
    none = [replace(row, label=Label.SAME) for row in rows]
    assert counts_of_differences(none, prepared.words).errors == 0
