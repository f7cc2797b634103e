"""Claims about the sums of intent and entities, against values computed by hand."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as some

from pytest_asrgate.errors import ContractError
from pytest_asrgate.intent.arithmetic import entity_explanation, entity_score, figures_by_language, figures_of
from pytest_asrgate.intent.comparison import compare_intents
from pytest_asrgate.statistics import mean_interval, wilson_interval
from tests.unit.intents import entities, intent_score, intent_utterance


@pytest.mark.parametrize(
    ("letters", "importances", "score"),
    [
        ("", (), 1.0),
        ("p", (), 1.0),
        ("m", (), 0.0),
        ("s", (), 0.0),
        ("pm", (), 1 / 2),
        ("ps", (), 1 / 3),
        ("ppm", (), 2 / 3),
        ("pps", (), 2 / 4),
        ("pms", (), 1 / 4),
        ("pm", (3, 1), 3 / 4),
        ("pm", (1, 3), 1 / 4),
        ("ps", (1, 3), 1 / 7),
        ("ppp", (3, 2, 1), 1.0),
    ],
)
def test_the_entity_score_by_hand(letters: str, importances: tuple[int, ...], score: float) -> None:
    """Importance preserved over importance of all, where that of a substituted entity counts twice."""
    assert entity_score(entities(letters, *importances)) == pytest.approx(score, abs=1e-12)


@given(
    some.lists(some.tuples(some.sampled_from("pms"), some.integers(1, 3)), min_size=1, max_size=12),
    some.integers(0, 11),
)
def test_the_entity_score_keeps_its_promises(found: list[tuple[str, int]], place: int) -> None:
    """It is from 0 to 1, 1 for all and 0 for none preserved; substituted never costs less than missing."""
    letters, weights = "".join(letter for letter, _ in found), [weight for _, weight in found]
    score = entity_score(entities(letters, *weights))
    assert 0.0 <= score <= 1.0
    assert (score == 1.0) == (set(letters) == {"p"})
    assert (score == 0.0) == ("p" not in letters)
    place %= len(letters)
    missing, substituted = (
        entity_score(entities(letters[:place] + letter + letters[place + 1 :], *weights)) for letter in "ms"
    )
    others = letters[:place] + letters[place + 1 :]
    assert substituted < missing if "p" in others else substituted == missing == 0.0


@pytest.mark.parametrize(
    ("count", "total", "low", "high"),
    [
        (87, 100, 79.02, 92.24),
        (0, 10, 0.0, 27.75),
        (10, 10, 72.25, 100.0),
        (1, 1, 20.65, 100.0),
        (5, 10, 23.66, 76.34),
    ],
)
def test_wilson_intervals_are_the_published_ones(count: int, total: int, low: float, high: float) -> None:
    """The score interval of Wilson (1927), which never leaves 0 to 100."""
    found = wilson_interval(count, total)
    assert found is not None
    assert (found.low, found.high) == pytest.approx((low, high), abs=0.005)
    assert wilson_interval(0, 0) is None
    with pytest.raises(ValueError, match="no share"):
        wilson_interval(11, 10)


def test_figures_by_hand() -> None:
    """Empty references and utterances without entities are counted apart, and failures are counted."""
    rows = [
        intent_utterance("a", True, "pp"),
        intent_utterance("b", False, "ps"),
        intent_utterance("c", True),
        intent_utterance("d", True, "m", language="hi"),
        intent_utterance("e", False, empty=True),
        intent_utterance("f", None, error="no valid reply"),
        intent_utterance("g", None),
    ]
    found = figures_of(rows)
    assert (found.utterances, found.kept, found.empty_references, found.failed) == (4, 3, 1, 1)
    assert found.intent_pct == 75.0
    assert found.interval == wilson_interval(3, 4)
    assert (found.with_entities, found.without_entities) == (3, 1)
    assert found.entity_pct == pytest.approx(100 * (1 + 1 / 3 + 0) / 3)
    assert (found.preserved, found.missing, found.substituted) == (3, 1, 1)
    english, hindi = figures_by_language(rows)
    assert (english.language, english.utterances, english.kept, english.failed) == ("en", 3, 2, 1)
    assert (hindi.language, hindi.utterances, hindi.entity_pct) == ("hi", 1, 0.0)


def test_nothing_to_count_is_no_figure() -> None:
    """Where every reference is empty there is neither accuracy nor mean, not zero and not a hundred."""
    found = figures_of([intent_utterance("a", False, empty=True)])
    assert (found.intent_pct, found.interval, found.entity_pct, found.entity_interval) == (None, None, None, None)
    assert found.empty_references == 1


def test_the_interval_of_a_mean_is_that_of_its_values() -> None:
    """Zeros and ones are those of a share, to what a resample can tell."""
    assert mean_interval([]) is None
    mixed = mean_interval([0.0, 1.0] * 200)
    assert mixed is not None
    assert (mixed.low, mixed.high) == pytest.approx((45.0, 55.0), abs=1.0)


@pytest.mark.parametrize(
    ("values", "low", "high"),
    [
        ([1.0] * 20, 83.89, 100.0),
        ([1.0], 20.65, 100.0),
        ([0.0] * 3, 0.0, 56.15),
        # With z = 1.96 and n = 1: (0.5 + z²/2 ± z √(0.25 + z²/4)) / (1 + z²).
        ([0.5], 5.46, 94.54),
        ([0.5] * 10, 23.66, 76.34),
        ([1 / 3] * 9, 12.06, 64.58),
    ],
)
def test_a_mean_of_equal_values_has_a_width(values: list[float], low: float, high: float) -> None:
    """Where no resample differs it is Wilson's of the same share, as if nothing were known but the mean."""
    found = mean_interval(values)
    assert found is not None
    assert (found.low, found.high) == pytest.approx((low, high), abs=0.005)
    assert found == wilson_interval(values[0] * len(values), len(values))
    assert found.low <= 100 * values[0] <= found.high


def test_losses_are_paired_and_by_language() -> None:
    """A loss is positive, over the utterances both sides have; entities count only where there are some."""
    before = [intent_utterance(f"u{n}", True, "pp", language="hi" if n % 2 else "en") for n in range(40)]
    after = list(before)
    after[0] = intent_utterance("u0", False, "pm")
    after[1] = intent_utterance("u1", False, "ps", language="hi")
    after[2] = intent_utterance("u2", None, error="no valid reply")
    whole, english, hindi = compare_intents(intent_score(*after), intent_score(*before), "f32")
    assert whole.intent is not None
    assert whole.entity is not None
    assert (whole.intent.utterances, whole.intent.left_out) == (39, 1)
    assert whole.intent.delta_pp == pytest.approx(100 * 2 / 39)
    assert whole.entity.delta_pp == pytest.approx(100 * (1 / 2 + 2 / 3) / 39)
    assert whole.intent.lower95 < whole.intent.delta_pp < whole.intent.upper95
    assert english.language == "en"
    assert english.intent is not None
    assert english.intent.delta_pp == pytest.approx(100 / 19)
    assert hindi.intent is not None
    assert hindi.intent.delta_pp == pytest.approx(100 / 20)


def test_equal_rulings_still_leave_a_loss_open() -> None:
    """Where no utterance differs the bound is what identical outputs leave open: 3 in n, and a little for t."""
    rows = [intent_utterance(f"u{n}", True, "p") for n in range(300)]
    (whole,) = compare_intents(intent_score(*rows), intent_score(*rows), "f32")
    assert whole.intent is not None
    assert whole.entity is not None
    assert whole.intent.delta_pp == 0.0
    assert whole.intent.upper95 == pytest.approx(1.0, abs=0.02)
    assert whole.entity.upper95 == pytest.approx(whole.intent.upper95)


def test_what_cannot_be_compared_is_none_or_refused() -> None:
    """No shared utterance with entities is no difference; two judges are not compared at all."""
    plain = [intent_utterance("a"), intent_utterance("b")]
    (whole,) = compare_intents(intent_score(*plain), intent_score(*plain), "f32")
    assert whole.entity is None
    assert whole.intent is not None
    lost = [intent_utterance("a", None, error="x"), intent_utterance("b", None, error="x")]
    (whole,) = compare_intents(intent_score(*lost), intent_score(*plain), "f32")
    assert whole.intent is None
    one = [intent_utterance("a")]
    (whole,) = compare_intents(intent_score(*one), intent_score(*one), "f32")
    assert whole.intent is not None
    assert (whole.intent.lower95, whole.intent.upper95) == (-100.0, 100.0)
    assert math.isinf(whole.intent.resolution.margin_pp)
    with pytest.raises(ContractError, match="judged by openai/judge, and f32 by another"):
        compare_intents(intent_score(*plain), intent_score(*plain, judge="another"), "f32")


def test_explanations_name_what_was_lost() -> None:
    """The sentence on entities counts them and says what became of each that is not preserved."""
    assert entity_explanation(()) == "The reference has no entity."
    assert entity_explanation(entities("pp")) == "2 of 2 entities preserved."
    assert entity_explanation(entities("pm")) == '1 of 2 entities preserved; "entity2" is missing'
