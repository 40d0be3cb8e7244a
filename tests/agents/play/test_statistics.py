"""Intervals against values worked out by hand, and the sequential test's errors and power."""

import numpy as np
import pytest
from gonzaga_agents.statistics import SequentialTest, bounds, excluded, log_capital, sequential_test

from gonzaga_env.intervals import Estimate, mean_interval, ratio_interval, share_interval


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


SHARES = {  # win shares of a deal, with a mean of one over the number of players
    "two players": ((0.0, 0.5, 1.0), (0.3, 0.4, 0.3)),
    "all or nothing": ((0.0, 1.0), (0.5, 0.5)),
    "four players": ((0.0, 0.25, 1.0), (0.4, 0.5333, 0.0667)),
    "rare victories": ((0.0, 1.0), (0.75, 0.25)),
}


@pytest.mark.parametrize("name", SHARES)
def test_looking_after_every_deal_keeps_the_error_rate(name: str) -> None:
    values, chances = SHARES[name]
    chances = np.array(chances) / sum(chances)
    rng, mean = np.random.default_rng(0), float(np.dot(values, chances))
    runs = rng.choice(values, p=chances, size=(1000, 600))
    wrong = sum(excluded(run, mean)[-1] for run in runs)
    assert wrong <= 50  # 5 % of 1000; the bound holds for any number of looks, so few come near


@pytest.mark.parametrize(("share", "deals"), [(0.6, 600), (0.7, 200), (0.9, 60)])
def test_it_has_power(share: float, deals: int) -> None:
    rng = np.random.default_rng(1)
    runs = (rng.random((100, deals, 2)) < share).mean(axis=2)  # two rotations of each deal
    assert sum(excluded(run, 0.5)[-1] for run in runs) >= 90


def test_a_decision_stands() -> None:
    values = [1.0] * 20 + [0.0] * 500
    decided = excluded(values, 0.5)
    assert decided.tolist() == sorted(decided)
    found = sequential_test(values, 0.5)
    assert found.decided
    assert found.deals < 20
    assert (found.mean, found.high) == (1, 1)
    assert found.low > 0.5


def test_later_deals_change_no_earlier_verdict() -> None:
    values = np.random.default_rng(2).random(50)
    np.testing.assert_array_equal(excluded(values, 0.4)[:30], excluded(values[:30], 0.4))


def test_without_a_decision_all_deals_count() -> None:
    found = sequential_test([0.5] * 30, 0.5)
    assert (found.decided, found.deals, found.mean) == (False, 30, 0.5)
    assert found.low < 0.5 < found.high


def test_before_the_first_deal_nothing_is_excluded() -> None:
    assert sequential_test([], 0.25) == SequentialTest(0.25, False, 0, 0.25, 0, 1)


def test_bounds_exclude_what_is_excluded() -> None:
    values = np.random.default_rng(3).choice([0.0, 1.0], p=[0.2, 0.8], size=200)
    low, high = bounds(values)
    assert 0.5 < low < 0.8 < high < 1
    for mean, outside in ((low - 0.002, True), (low + 0.002, False), (high + 0.002, True)):
        assert excluded(values, mean)[-1] == outside


def test_fair_bets_gain_nothing_on_average() -> None:
    """The capital is a martingale: over all outcomes of six fair throws its mean is at most 1."""
    outcomes = (np.arange(64)[:, None] >> np.arange(6)) & 1
    capital = [np.exp(log_capital(outcome, [0.5])[0, -1]) for outcome in outcomes]
    assert np.mean(capital) <= 1
