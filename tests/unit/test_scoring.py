"""Claims about scoring a run and comparing two of them."""

import math
from dataclasses import replace

import pytest

from pytest_asrgate.errors import ContractError, IntegrityError, ScoringError
from pytest_asrgate.records import Counts, Hypothesis, Interval, RowStatus
from pytest_asrgate.scoring import compare, contract_differences, score, unknown_terms
from pytest_asrgate.statistics import paired_difference, rate_interval

from .builders import CONTRACT, NOTE, Row, dataset, hypothesis_set, loaded, scored, utterances

BEFORE = [("a", "the red dog", "the red dog"), ("b", "old cats", "old"), ("c", "six", "six")]


def test_a_score_is_pooled_counts_with_their_interval() -> None:
    """Counts are the sum over rows, the interval that of the counts, and the metric is named."""
    found = scored("q8_0", [("a", "a big cat", "the big cat"), ("b", "dogs bark", "dogs"), ("c", "", "you")])
    assert found.counts == Counts(substitutions=1, deletions=1, insertions=1, words=5)
    assert found.counts.rate_pct == 60.0
    assert found.interval == rate_interval([1, 1, 1], [3, 2, 0])
    assert (found.metric, found.speakers_note) == ("wer", f"{NOTE}; only 3 utterances: bounds are rough")


def test_the_median_latency_is_that_of_the_rows() -> None:
    """The median is taken over rows that have a latency, and is absent where none has."""
    spoken = utterances("a cat", "a cat", "a cat")
    rows = [
        Hypothesis(row.id, "a cat", latency_ms=time) for row, time in zip(spoken, (1.0, 30.0, 5.0), strict=True)
    ]
    assert score(hypothesis_set("f32", rows), dataset(), loaded(spoken)).latency_p50_ms == 5.0
    rows = [Hypothesis(row.id, "a cat") for row in spoken]
    assert score(hypothesis_set("f32", rows), dataset(), loaded(spoken)).latency_p50_ms is None


def test_error_rows_have_no_part_in_the_latency() -> None:
    """The time until a failure says nothing of how fast the engine is."""
    spoken = utterances("a cat", "a cat")
    rows = [
        Hypothesis("u1", "", RowStatus.ERROR, detail="no answer within 60 s", latency_ms=60_000.0),
        Hypothesis("u2", "a cat", latency_ms=10.0),
    ]
    assert score(hypothesis_set("f32", rows), dataset(), loaded(spoken)).latency_p50_ms == 10.0


def test_normaliser_and_metric_are_stamped_into_the_contract() -> None:
    """How the texts were scored is part of what two runs must share, and the scorer's versions are stamped."""
    made = scored("q8_0", BEFORE).hypotheses
    assert str(made.contract["normaliser"]).startswith("whisper-english 0.1.15")
    assert made.contract["metric"] == "wer"
    assert {"jiwer", "pytest_asrgate", "engine"} <= set(made.provenance)


@pytest.mark.parametrize(
    ("languages", "why"),
    [(("jp",), "there is no language 'jp'"), (("en", "ja_JP"), "en would be scored by wer, ja")],
)
def test_languages_that_cannot_be_scored_together_are_named(languages: tuple[str, ...], why: str) -> None:
    """A language that does not exist, or one that needs another metric, keeps the whole set from a wrong score."""
    spoken = utterances("a cat")
    made = hypothesis_set("f32", [Hypothesis("u1", "a cat")])
    with pytest.raises(ScoringError, match=f"dataset.prompts: .*{why}"):
        score(made, dataset(), loaded(spoken, languages=languages))


def test_texts_that_were_normalised_otherwise_are_refused() -> None:
    """Rows of a score file are taken as they are only where its normaliser and metric are ours."""
    spoken = utterances("It's a cat")
    row = Hypothesis("u1", "it is a hat", normalised_reference="it is a cat")
    made = hypothesis_set("f32", [row])
    found = score(made, dataset(), loaded(spoken))
    assert (found.counts.substitutions, found.counts.words, found.utterances[0].masked) == (1, 4, ())
    equal = replace(row, text="it is a cat")
    assert score(hypothesis_set("f32", [equal]), dataset(), loaded(spoken)).utterances[0].masked is None
    with pytest.raises(ContractError, match="f32: the texts were normalised before, and otherwise: metric"):
        score(hypothesis_set("f32", [row], {**made.contract, "metric": "cer"}), dataset(), loaded(spoken))
    other = replace(row, normalised_reference="its a cat")
    with pytest.raises(IntegrityError, match=r"another normaliser than whisper-english .*: 'u1'"):
        score(hypothesis_set("f32", [other]), dataset(), loaded(spoken))


def test_the_same_text_scored_again_is_the_same() -> None:
    """Scoring is a pure function of stored hypotheses."""
    assert scored("q8_0", BEFORE) == scored("q8_0", BEFORE)


def test_a_comparison_is_the_paired_difference() -> None:
    """Delta and bounds are those of the counts, row by row, and the baseline is named."""
    after = [("a", "the red dog", "the red"), ("b", "old cats", "old"), ("c", "six", "six")]
    found = compare(scored("q8_0", after), scored("f32", BEFORE))
    expected = paired_difference([0, 1, 0], [1, 1, 0], [3, 2, 1])
    assert found is not None
    assert expected is not None
    assert found.baseline == "f32"
    assert found.delta_pp == pytest.approx(100 / 6)
    assert (found.interval, found.lower95, found.upper95, found.resolution) == (
        expected.interval,
        expected.lower95,
        expected.upper95,
        expected.resolution,
    )
    assert (found.utterances, found.left_out) == (3, 0)


def test_a_comparison_carries_what_is_reported_only() -> None:
    """MAPSSWE and the probability of improvement are over the utterances that neither side lost to an error."""
    before = [("a", "the big dog", "the big dog"), ("b", "red cats", None), ("c", "green hats", "green cats")]
    after = [("a", "the big dog", "the red dog"), ("b", "red cats", "a b"), ("c", "green hats", "green hats")]
    found = compare(scored("q8_0", after), scored("f32", before))
    assert found is not None
    assert found.matched_pairs is not None
    assert (found.matched_pairs.segments, found.matched_pairs.mean) == (2, 0.0)
    assert found.matched_pairs.z == 0.0
    assert found.improvement_pct == pytest.approx(50.0, abs=5.0)


def test_speakers_reach_the_comparison() -> None:
    """Speaker blocks are those of the rows that are compared."""
    rows = [(f"u{number}", "the red", "the red" if number % 4 else "the") for number in range(12)]
    clean = [(name, text, text) for name, text, _ in rows]
    names = tuple("aaaabbbbcccc")
    found = compare(scored("q8_0", rows, speakers=names), scored("f32", clean, speakers=names))
    errors = [0 if number % 4 else 1 for number in range(12)]
    expected = paired_difference([0] * 12, errors, [2] * 12, names)
    assert found is not None
    assert expected is not None
    assert found.upper95 == expected.upper95


@pytest.mark.parametrize("side", ["variant", "baseline"])
def test_error_rows_leave_both_sides(side: str) -> None:
    """A row that one side lost counts on neither: the other's errors on it make no difference."""
    lost = [("a", "the red dog", None), *BEFORE[1:]]
    wrong = [("a", "the red dog", "nothing right here"), *BEFORE[1:]]
    after, before = (lost, wrong) if side == "variant" else (wrong, lost)
    found = compare(scored("q8_0", after), scored("f32", before))
    assert found is not None
    assert found.delta_pp == 0.0
    assert (found.utterances, found.left_out) == (2, 1)


def test_partial_rows_stay_in_the_comparison() -> None:
    """A truncated row is compared on its partial text."""
    after = [("a", "the red dog", "the"), *BEFORE[1:]]
    found = compare(scored("q8_0", after, statuses={"a": RowStatus.TRUNCATED}), scored("f32", BEFORE))
    assert found is not None
    assert found.delta_pp == pytest.approx(200 / 6)


def test_nothing_in_common_is_no_comparison() -> None:
    """Where each side lost what the other has, nothing is compared."""
    left = [("a", "one", None), ("b", "two", "two")]
    right = [("a", "one", "one"), ("b", "two", None)]
    assert compare(scored("q8_0", left), scored("f32", right)) is None


def test_one_row_in_common_has_infinite_bounds() -> None:
    """One utterance says nothing about spread."""
    found = compare(scored("q8_0", BEFORE[:1]), scored("f32", BEFORE[:1]))
    assert found is not None
    assert found.interval == Interval(-math.inf, math.inf)


@pytest.mark.parametrize(
    ("term", "value"),
    [
        ("timestamps", "word"),
        ("language", "de"),
        ("decoding", "beam"),
        ("temperatures", [0.0]),
        ("compression_ratio", 2.0),
        ("logprob", -2.0),
        ("no_speech", 0.5),
        ("condition_on_previous", True),
        ("manifest", "another digest"),
    ],
)
def test_another_contract_is_refused_by_name(term: str, value: object) -> None:
    """Each term of the contract keeps two runs from being compared, and the sentence has both values."""
    variant = scored("q8_0", BEFORE, contract={**CONTRACT, term: value})
    with pytest.raises(ContractError) as caught:
        compare(variant, scored("f32", BEFORE))
    message = str(caught.value)
    assert message.startswith("q8_0 cannot be compared with f32: ")
    assert f"{term}: {CONTRACT[term]!r} against {value!r}" in message


def test_every_difference_is_named() -> None:
    """Two terms that differ are both told."""
    right = {**CONTRACT, "timestamps": "word", "no_speech": 0.1}
    assert contract_differences(CONTRACT, right) == [
        "timestamps: 'none' against 'word'",
        "no_speech: 0.6 against 0.1",
    ]


def test_unknown_terms_are_no_difference_but_are_listed() -> None:
    """What a stranger's file does not record is compared on trust, and named so that it can be warned of."""
    stranger = {**CONTRACT, "timestamps": "unknown", "logprob": "unknown"}
    assert contract_differences(CONTRACT, stranger) == []
    assert contract_differences(stranger, CONTRACT) == []
    assert unknown_terms(stranger) == ["timestamps", "logprob"]
    assert unknown_terms(CONTRACT) == []


def test_whole_numbers_and_fractions_of_equal_value_are_equal() -> None:
    """0 and 0.0 in two files' recipes are the same contract."""
    assert contract_differences({"temperatures": [0, 1]}, {"temperatures": [0.0, 1.0]}) == []


def test_provenance_may_differ() -> None:
    """Another engine, backend or number of threads is no other contract."""
    spoken = utterances("one cat")
    rows = [Hypothesis("u1", "one cat")]
    left = score(hypothesis_set("a", rows, provenance={"engine": "x", "threads": 1}), dataset(), loaded(spoken))
    right = score(hypothesis_set("b", rows, provenance={"engine": "y", "threads": 8}), dataset(), loaded(spoken))
    found = compare(left, right)
    assert found is not None
    assert found.delta_pp == 0.0


def test_tags_of_one_language_are_one_contract() -> None:
    """A file recorded as `en` and a gate that says `en_US` route alike, so they may be compared."""
    variant = scored("q8_0", BEFORE, contract={**CONTRACT, "language": "en_US"})
    found = compare(variant, scored("f32", BEFORE))
    assert found is not None
    assert found.delta_pp == 0.0


def test_a_rate_has_a_speaker_blocked_interval_where_there_are_speakers() -> None:
    """Beside the interval over utterances stands the wider one over speakers; without speakers there is none."""
    rows: list[Row] = [(f"u{n}", "a big dog", "a big dog" if n < 30 else "a big cat") for n in range(60)]
    blocked = scored("q8_0", rows, speakers=tuple(f"s{n // 10}" for n in range(60)))
    assert blocked.interval is not None
    assert blocked.speaker_interval is not None
    assert blocked.speaker_interval.high - blocked.speaker_interval.low > 2 * (
        blocked.interval.high - blocked.interval.low
    )
    assert scored("q8_0", rows).speaker_interval is None
