"""What a run says: win shares, points, a rating and the interquartile mean, with 95 % intervals.

The deal is the unit of chance, as everywhere in this package (`statistics.estimates`): the games of
one deal, against all opponents and in all rotations, share its luck and count as one sample. Where
several agents were trained from different seeds, the seed is a second unit.

| agents of the row | interval of win shares and points |
|---|---|
| one | Student's t over the deals; win shares get two invented deals (`share_interval`) |
| several | bootstrap over seeds and deals, percentiles |

**Interquartile mean** (Agarwal et al. 2021, "Deep Reinforcement Learning at the Edge of the
Statistical Precipice", rliable): the mean of the middle half of the win shares of all seeds against
all opponents. Its interval is rliable's stratified bootstrap, in which the opponents are the
strata, with two changes. A drawn seed takes its results against all opponents with it, because one
agent plays all of them. And deals are drawn too, the same ones for all seeds and opponents, because
the win shares are means over few deals. Both make the interval wider.

**Rating.** The scale of `statistics.ratings`: 400 points are a tenfold strength. The opponents'
ratings are the task's, and fixed; only the agent's own is fitted, by maximum likelihood on a grid.
One victory and one defeat against an opponent of the field's mean rating are added, with weight a
half each, which keeps it finite. The interval is the weighted likelihood bootstrap over seeds and
deals, in which these two have random weights of mean 1, as in `statistics.ratings`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import trim_mean

from gonzaga_env.tabletop.rewards import win_shares

from ..statistics.estimates import Estimate, mean_interval, percentile_ends, share_interval
from ..statistics.one_player import GRID, Game, log_likelihood
from ..statistics.rankings import places_of
from ..statistics.ratings import Rating
from .play import UnitGames

FIELD = "field"
"""The mean over all opponents, each weighing the same."""
_REPLICATES = 2000
_RATING_REPLICATES = 500
_TRIMMED = 0.25  # cut off at each end for the interquartile mean
_DIGITS = 9  # of shares: equal ones differ by rounding when they are sums in another order
_SEED = 0  # the bootstrap's own: the same games give the same intervals

Shares = NDArray[np.float64]
"""A value of each agent against each opponent in each deal, [S, O, D]."""


@dataclass(frozen=True)
class Measured:
    """The results of some agents against the field."""

    opponents: tuple[str, ...]  # names of the opponents, [O]
    shares: Shares  # the agent's win share, mean over rotations, [S, O, D]
    points: Shares  # its points, likewise
    ahead: Shares  # its points less the mean of the others', likewise

    @classmethod
    def of(cls, opponents: Sequence[str], games: Sequence[Sequence[UnitGames]]) -> Measured:
        """Returns what games show.

        Args:
            opponents: names of the opponents, [O].
            games: of each agent against each opponent, [S][O], each of the same D deals.
        """
        values = [[_values(each) for each in row] for row in games]
        shares, points, ahead = np.moveaxis(np.array(values), 2, 0)
        return cls(tuple(opponents), shares, points, ahead)


def _values(games: UnitGames) -> NDArray[np.float64]:
    """Returns win share, points and points ahead, means over rotations, [3, D]."""
    players = games.scores.shape[2]
    own = np.arange(players)  # the agent sits on seat r in rotation r
    points = games.scores[:, own, own].astype(np.float64)  # [D, R]
    others = (games.scores.sum(axis=2) - points) / (players - 1)
    shares = win_shares(games.won)[:, own, own]
    return np.stack([shares, points, points - others]).mean(axis=2)


def results_of(
    measured: Measured, games: Sequence[Sequence[UnitGames]], ratings: Mapping[str, float | None]
) -> dict[str, Any]:
    """Returns a row's results as plain data.

    Args:
        measured: see `Measured.of`.
        games: what it was made of.
        ratings: of the opponents; those without one do not count for the agent's rating.
    """
    rated = _Rated.of(measured.opponents, games, ratings)
    agents = range(len(games)) if len(games) > 1 else ()
    return {
        **{
            name: {
                opponent: _plain(interval(values, bounded=name == "win_share"))
                for opponent, values in _against(measured.opponents, values).items()
            }
            for name, values in (
                ("win_share", measured.shares),
                ("points", measured.points),
                ("ahead", measured.ahead),
            )
        },
        "iqm": _plain(iqm_interval(measured.shares)),
        "rating": None if rated is None else _plain_rating(rated.rating()),
        "agents": [
            {
                "win_share": _plain(interval(measured.shares[[i]].mean(axis=1), bounded=True)),
                "rating": None if rated is None else _plain_rating(rated.only(i).rating()),
            }
            for i in agents
        ],
    }


def _against(opponents: Sequence[str], values: Shares) -> dict[str, NDArray[np.float64]]:
    """Returns the values against the field and against each opponent, each [S, D]."""
    each = {name: values[:, i] for i, name in enumerate(opponents)}
    return {FIELD: values.mean(axis=1), **each}


def interval(values: NDArray[np.float64], *, bounded: bool) -> Estimate:
    """Returns the mean of values of seeds and deals with its interval.

    Args:
        values: [S, D].
        bounded: whether they are shares, from 0 to 1.
    """
    if len(values) == 1:
        return share_interval(values[0]) if bounded else mean_interval(values[0])
    return _percentiles(values.mean(), _resampled(values[:, None]).mean(axis=(1, 2)))


def iqm(scores: NDArray[np.float64]) -> float:
    """Returns the interquartile mean of scores of any shape: without the quarter at each end."""
    return float(trim_mean(scores, _TRIMMED, axis=None))


def iqm_interval(shares: Shares) -> Estimate:
    """Returns the interquartile mean of agents against opponents, with its interval.

    Args:
        shares: [S, O, D].
    """
    drawn = _resampled(shares).reshape(_REPLICATES, -1)
    return _percentiles(iqm(shares.mean(axis=2)), trim_mean(drawn, _TRIMMED, axis=1))


def improvement_interval(better: Shares, worse: Shares) -> Estimate:
    """Returns the probability that an agent of one row does better than one of another row.

    It is rliable's probability of improvement: for each opponent the share of pairs of agents in
    which the first has the larger win share, where equals count half; then the mean over opponents.

    Args:
        better: of S agents, [S, O, D].
        worse: of T agents against the same opponents on the same deals, [T, O, D].
    """
    rng = np.random.default_rng(_SEED)
    deals = _draws(rng, better.shape[2])
    drawn = _resampled(better, rng, deals), _resampled(worse, rng, deals)
    found = np.array([improvement(*pair) for pair in zip(*drawn, strict=True)])
    return _percentiles(improvement(better.mean(axis=2), worse.mean(axis=2)), found)


def improvement(better: NDArray[np.float64], worse: NDArray[np.float64]) -> float:
    """Returns the probability of improvement of scores [S, O] over others [T, O]."""
    ahead = (better[:, None] - worse).round(_DIGITS)
    return float((np.sign(ahead) / 2 + 0.5).mean())


def _draws(rng: np.random.Generator, count: int) -> NDArray[np.float64]:
    """Returns how often each item is drawn in each replicate, [B, count]."""
    return rng.multinomial(count, np.full(count, 1 / count), size=_REPLICATES).astype(np.float64)


def _resampled(
    values: Shares,
    rng: np.random.Generator | None = None,
    deals: NDArray[np.float64] | None = None,
) -> NDArray[np.float64]:
    """Returns means over drawn deals of drawn agents, [B, S, O]."""
    rng = np.random.default_rng(_SEED) if rng is None else rng
    num_seeds, _, num_deals = values.shape
    deals = _draws(rng, num_deals) if deals is None else deals
    means = np.einsum("bd,sod->bso", deals / num_deals, values)
    seeds = rng.integers(num_seeds, size=(_REPLICATES, num_seeds))
    return np.take_along_axis(means, seeds[:, :, None], axis=1)


def _percentiles(mean: float, found: NDArray[np.float64]) -> Estimate:
    low, high = percentile_ends(found)
    return Estimate(float(mean), float(min(low, mean)), float(max(high, mean)))


@dataclass(frozen=True)
class _Rated:
    """The likelihood of ratings."""

    likelihood: NDArray[np.float64]  # log-likelihood of each rating by agent and deal, [S, D, G]
    # that of a defeat and of a victory against the field's mean rating, [2, G]
    invented: NDArray[np.float64]
    was_ahead: NDArray[np.bool_]  # whether each agent ever came in before an opponent, or tied, [S]
    was_behind: NDArray[np.bool_]  # whether an opponent ever came in before it, or tied, [S]

    @classmethod
    def of(
        cls,
        opponents: Sequence[str],
        games: Sequence[Sequence[UnitGames]],
        ratings: Mapping[str, float | None],
    ) -> _Rated | None:
        """Returns the likelihood; None if no opponent has a rating."""
        rated = [(i, ratings[name]) for i, name in enumerate(opponents)]
        known = [(i, rating) for i, rating in rated if rating is not None]
        if not known:
            return None
        likelihood: Any = 0.0
        was_ahead, was_behind = np.zeros((2, len(games)), dtype=np.bool_)
        for i, rating in known:
            by_seed = [_games_of(row[i], rating) for row in games]
            likelihood = likelihood + np.array(
                [[sum(map(log_likelihood, deal)) for deal in deals] for deals in by_seed]
            )
            for agent, deals in enumerate(by_seed):
                places = _places(deals)
                was_ahead[agent] |= any(place <= max(others) for place, others in places)
                was_behind[agent] |= any(place >= min(others) for place, others in places)
        mean = float(np.mean([rating for _, rating in known]))
        invented = [log_likelihood(((None, place), (mean, 1 - place))) for place in (1, 0)]
        return cls(np.asarray(likelihood), np.array(invented), was_ahead, was_behind)

    def only(self, agent: int) -> _Rated:
        """Returns the likelihood of one agent's games."""
        own = [agent]
        return _Rated(
            self.likelihood[own], self.invented, self.was_ahead[own], self.was_behind[own]
        )

    def rating(self) -> Rating:
        """Returns the rating with its interval; an end that no game bounds is None."""
        rng = np.random.default_rng(_SEED)
        num_seeds, num_deals, _ = self.likelihood.shape
        seeds = rng.multinomial(num_seeds, np.full(num_seeds, 1 / num_seeds), _RATING_REPLICATES)
        deals = rng.exponential(size=(_RATING_REPLICATES, num_deals))
        weights = (seeds[:, :, None] * deals[:, None]).reshape(_RATING_REPLICATES, -1)
        totals = weights @ self.likelihood.reshape(num_seeds * num_deals, -1)
        totals += rng.exponential(size=(_RATING_REPLICATES, 2)) @ self.invented
        low, high = percentile_ends(GRID[totals.argmax(axis=1)])
        best = GRID[(self.likelihood.sum(axis=(0, 1)) + self.invented.sum(axis=0) / 2).argmax()]
        return Rating(
            float(best),
            float(low) if self.was_ahead.any() else None,
            float(high) if self.was_behind.any() else None,
        )


def _games_of(games: UnitGames, rating: float) -> list[list[Game]]:
    """Returns the games of each deal as `log_likelihood` takes them, [D][R]."""
    found: list[list[Game]] = []
    for scores, winners in zip(games.scores.tolist(), games.won, strict=True):
        deal: list[Game] = []
        for own, (points, won) in enumerate(zip(scores, winners, strict=True)):
            places = places_of(points, np.flatnonzero(won).tolist())
            seats = [(None if seat == own else rating, p) for seat, p in enumerate(places)]
            deal.append(tuple(sorted(seats, key=lambda each: (each[1], each[0] is None))))
        found.append(deal)
    return found


def _places(deals: Sequence[Sequence[Game]]) -> list[tuple[int, list[int]]]:
    """Returns the agent's place and those of the others in every game."""
    return [
        (
            next(place for rating, place in game if rating is None),
            [place for rating, place in game if rating is not None],
        )
        for deal in deals
        for game in deal
    ]


def _plain(estimate: Estimate) -> dict[str, float | None]:
    """Returns a mean and its interval as plain data, in six digits."""
    values = {"mean": estimate.mean, "low": estimate.low, "high": estimate.high}
    return {name: None if value is None else round(value, 6) for name, value in values.items()}


def _plain_rating(rating: Rating) -> dict[str, float | None]:
    return {"rating": rating.rating, "low": rating.low, "high": rating.high}
