"""The sequential test: its error rate under continuous looking, and its power."""

import numpy as np
import pytest
from gonzaga_agents.play.confidence import Decision, bounds, decide, excluded, log_capital

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


def test_repeated_looks_at_an_ordinary_interval_would_not_keep_it() -> None:
    rng = np.random.default_rng(0)
    runs = rng.choice([0.0, 0.5, 1.0], p=[0.3, 0.4, 0.3], size=(1000, 600))
    count = np.arange(1, 601)
    means = runs.cumsum(axis=1) / count
    errors = np.sqrt(((runs**2).cumsum(axis=1) / count - means**2) / count)
    looks = np.abs(means - 0.5)[:, 20:] > 1.96 * errors[:, 20:]
    assert looks.any(axis=1).mean() > 0.2


@pytest.mark.parametrize(("share", "deals"), [(0.6, 600), (0.7, 200), (0.9, 60)])
def test_it_has_power(share: float, deals: int) -> None:
    rng = np.random.default_rng(1)
    runs = (rng.random((100, deals, 2)) < share).mean(axis=2)  # two rotations of each deal
    assert sum(excluded(run, 0.5)[-1] for run in runs) >= 90


def test_a_decision_stands() -> None:
    values = [1.0] * 20 + [0.0] * 500
    decided = excluded(values, 0.5)
    assert decided.tolist() == sorted(decided)
    found = decide(values, 0.5)
    assert found.decided
    assert found.deals < 20
    assert (found.mean, found.high) == (1, 1)
    assert found.low > 0.5


def test_later_deals_change_no_earlier_verdict() -> None:
    values = np.random.default_rng(2).random(50)
    np.testing.assert_array_equal(excluded(values, 0.4)[:30], excluded(values[:30], 0.4))


def test_without_a_decision_all_deals_count() -> None:
    found = decide([0.5] * 30, 0.5)
    assert (found.decided, found.deals, found.mean) == (False, 30, 0.5)
    assert found.low < 0.5 < found.high


def test_before_the_first_deal_nothing_is_excluded() -> None:
    assert decide([], 0.25) == Decision(0.25, False, 0, 0.25, 0, 1)


def test_bounds_exclude_what_is_excluded() -> None:
    values = np.random.default_rng(3).choice([0.0, 1.0], p=[0.2, 0.8], size=200)
    low, high = bounds(values)
    assert 0.5 < low < 0.8 < high < 1
    for mean, outside in ((low - 0.002, True), (low + 0.002, False), (high + 0.002, True)):
        assert excluded(values, mean)[-1] == outside


def test_bounds_shrink() -> None:
    values = np.random.default_rng(4).random(400)
    widths = [high - low for low, high in (bounds(values[:n]) for n in (5, 50, 400))]
    assert widths == sorted(widths, reverse=True)
    assert widths[2] < 0.2


def test_fair_bets_gain_nothing_on_average() -> None:
    """The capital is a martingale: over all outcomes of six fair throws its mean is at most 1."""
    outcomes = (np.arange(64)[:, None] >> np.arange(6)) & 1
    capital = [np.exp(log_capital(outcome, [0.5])[0, -1]) for outcome in outcomes]
    assert np.mean(capital) <= 1
