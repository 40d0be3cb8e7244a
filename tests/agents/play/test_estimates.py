"""Intervals against values worked out by hand."""

import numpy as np
import pytest
from gonzaga_agents.play.statistics import Estimate, mean_interval, ratio_interval, share_interval


def test_mean_interval_is_students() -> None:
    estimate = mean_interval(np.array([1.0, 2.0, 3.0, 4.0, 5.0]))
    margin = 2.776445 * np.sqrt(2.5 / 5)  # t of 4 degrees of freedom at 97.5 %
    assert estimate.mean == 3
    assert (estimate.low, estimate.high) == pytest.approx((3 - margin, 3 + margin))


def test_one_deal_has_no_interval() -> None:
    estimate = mean_interval(np.array([41.5]))
    assert (estimate.mean, estimate.low, estimate.high) == (41.5, None, None)


@pytest.mark.parametrize(
    ("low", "high", "side"),
    [(0.51, 0.6, 1), (0.5, 0.6, 0), (0.4, 0.5, 0), (0.4, 0.49, -1), (None, None, 0)],
)
def test_side_of(low: float | None, high: float | None, side: int) -> None:
    assert Estimate(0.5, low, high).side_of(0.5) == side


def test_share_interval_has_width_where_all_deals_are_lost() -> None:
    estimate = share_interval(np.zeros(10))
    # With one deal lost and one won made up: mean 1/12, variance 1/12, t of 11 degrees of freedom.
    assert (estimate.mean, estimate.low) == (0, 0)
    assert estimate.high == pytest.approx(1 / 12 + 2.200985 / 12)


def test_share_interval_is_mirrored() -> None:
    lost, won = share_interval(np.zeros(7)), share_interval(np.ones(7))
    assert won.high == 1
    assert (won.mean, won.low) == pytest.approx((1 - lost.mean, 1 - lost.high))


def test_share_interval_of_many_deals_is_students() -> None:
    values = np.tile([0.0, 0.5, 0.5, 1.0, 0.5], 2000)
    narrow, students = share_interval(values), mean_interval(values)
    assert (narrow.low, narrow.high) == pytest.approx((students.low, students.high), abs=1e-4)


def test_share_interval_holds_its_mean_and_its_bounds() -> None:
    rng = np.random.default_rng(0)
    for num_deals in (1, 2, 3, 10):
        for chance in (0.01, 0.5, 0.99):
            values = rng.binomial(4, chance, num_deals) / 12
            estimate = share_interval(values, 0, 1 / 3)
            assert 0 <= estimate.low <= estimate.mean <= estimate.high <= 1 / 3
            assert estimate.low < estimate.high


def test_share_interval_covers_the_truth_as_often_as_it_says() -> None:
    rng = np.random.default_rng(0)
    for chance in (0.05, 0.25, 0.5):
        luck = rng.beta(4 * chance, 4 * (1 - chance), (600, 30))  # some hands are better
        estimates = [share_interval(deals) for deals in rng.binomial(4, luck) / 4]
        covered = np.mean([e.low <= chance <= e.high for e in estimates])
        assert covered >= 0.94


def test_ratio_interval_with_equal_counts_is_that_of_the_mean() -> None:
    values = np.array([1.0, 2.0, 3.0, 4.0, 5.0])
    ratio, mean = ratio_interval(2 * values, np.full(5, 2)), mean_interval(values)
    assert (ratio.low, ratio.mean, ratio.high) == pytest.approx((mean.low, mean.mean, mean.high))


def test_ratio_interval_weighs_a_deal_by_its_count() -> None:
    assert ratio_interval(np.array([10.0, 2.0]), np.array([1, 3])).mean == 12 / 4
    assert ratio_interval(np.zeros(3), np.zeros(3)) is None
    one = ratio_interval(np.array([6.0]), np.array([2]))
    assert (one.mean, one.low, one.high) == (3, None, None)


def test_ratio_interval_covers_the_truth_as_often_as_it_says() -> None:
    rng = np.random.default_rng(0)
    counts = rng.integers(0, 5, (600, 40))
    luck = rng.normal(7, 1, (600, 40))  # some hands are better
    estimates = [ratio_interval(n * mean, n) for n, mean in zip(counts, luck, strict=True)]
    covered = np.mean([e.low <= 7 <= e.high for e in estimates])
    assert 0.92 <= covered <= 0.98
