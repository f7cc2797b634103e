"""Claims about agreement beyond chance: figures by hand, undefined where they are, never NaN."""

import math
import random

import pytest

from pytest_asrgate.statistics.agreement import agreement_of, agreement_of_counts


def test_kappa_by_hand() -> None:
    """20 and 15 agree of 50, margins 25/25 and 30/20: agreement 0.7, by chance 0.5, so kappa is 0.4."""
    found = agreement_of_counts({("yes", "yes"): 20, ("yes", "no"): 5, ("no", "yes"): 10, ("no", "no"): 15})
    assert (found.n, found.agreed) == (50, 35)
    assert found.kappa == pytest.approx(0.4)
    same = 0.4 * (0.5 - (0.5 + 0.6) * 0.3) ** 2 + 0.3 * (0.5 - (0.5 + 0.4) * 0.3) ** 2
    # ("yes", "no"): the judge's share of yes and the people's of no; ("no", "yes"): the other way round.
    other = 0.3**2 * (0.1 * (0.6 + 0.5) ** 2 + 0.2 * (0.4 + 0.5) ** 2)
    last = (0.7 * 0.5 - 2 * 0.5 + 0.7) ** 2
    reach = 1.959963984540054 * math.sqrt((same + other - last) / 0.5**4 / 50)
    assert found.interval is not None
    assert found.interval.low == pytest.approx(0.4 - reach)
    assert found.interval.high == pytest.approx(0.4 + reach)


def test_three_labels_by_hand() -> None:
    """Diagonal 4, 3, 2 of 12, margins (5, 4, 3) and (5, 4, 3): agreement 3/4, by chance 50/144, kappa 29/47."""
    counts = {("a", "a"): 4, ("a", "b"): 1, ("b", "b"): 3, ("b", "c"): 1, ("c", "c"): 2, ("c", "a"): 1}
    assert agreement_of_counts(counts).kappa == pytest.approx((108 / 144 - 50 / 144) / (94 / 144))


def test_worse_than_chance_is_negative() -> None:
    """Who always says the other label has kappa -1, and no interval beyond it."""
    found = agreement_of([("same", "error"), ("error", "same")] * 10)
    assert found.kappa == -1.0
    assert found.interval is not None
    assert found.interval.low == -1.0
    assert -1.0 < found.interval.high < 0.0


@pytest.mark.parametrize("pairs", [[], [("same", "same")] * 30])
def test_one_label_alone_has_no_kappa(pairs: list[tuple[str, str]]) -> None:
    """It is undefined: neither 1, nor NaN."""
    found = agreement_of(pairs)
    assert (found.kappa, found.interval) == (None, None)
    assert found.agreed == len(pairs)


def test_a_judge_with_one_answer_is_no_better_than_chance() -> None:
    """Whoever says `same` of all, of which people say `error` of some, has kappa 0, however often that is right."""
    found = agreement_of([("same", "same")] * 95 + [("error", "same")] * 5)
    assert found.kappa == 0.0
    assert found.interval is not None


def test_full_agreement_is_no_certainty() -> None:
    """20 of 20 with both labels: kappa 1; Wilson's bound 20/(20 + 1.96²) less chance 0.5 leaves 0.678 below."""
    found = agreement_of([("a", "a")] * 10 + [("b", "b")] * 10)
    assert found.kappa == 1.0
    assert found.interval is not None
    assert found.interval.low == pytest.approx((20 / (20 + 1.959963984540054**2) - 0.5) / 0.5)
    assert found.interval.high == 1.0


def test_a_negative_count_is_refused() -> None:
    """A file could hold one."""
    with pytest.raises(ValueError, match="negative"):
        agreement_of_counts({("a", "a"): -1})


def test_every_table_has_figures_in_their_range() -> None:
    """Kappa and bounds of random tables are numbers from -1 to 1, kappa within its interval."""
    draw = random.Random(1)  # noqa: S311 - no secret
    for _ in range(2_000):
        labels = "abc"[: draw.randint(1, 3)]
        counts = {(one, other): draw.choice([0, 0, 1, 2, 9]) for one in labels for other in labels}
        found = agreement_of_counts(counts)
        if found.kappa is None:
            assert found.interval is None
            continue
        assert found.interval is not None
        assert -1.0 <= found.interval.low <= found.kappa <= found.interval.high <= 1.0


def test_the_interval_covers_what_it_says() -> None:
    """Of 400 samples of 200 labels with a true kappa of 0.6 the interval holds it in 92 to 98 of a hundred."""
    draw = random.Random(2)  # noqa: S311 - no secret
    held = 0
    for _ in range(400):
        pairs = []
        for _ in range(200):
            human = draw.random() < 0.5
            judge = human if draw.random() < 0.8 else not human
            pairs.append((str(human), str(judge)))
        interval = agreement_of(pairs).interval
        assert interval is not None
        held += interval.low <= 0.6 <= interval.high
    assert 0.92 <= held / 400 <= 0.98
