"""Ratings on the Elo scale, by the Davidson-Luce model, with intervals by bootstrap over deals.

A ranking is a sequence of choices: first who takes the first place among all, then who comes next
among the rest. A set S of seats takes the place in front of the others of a set R with probability

    f(S) / (sum of f(T) over all T in R),   f(S) = tie[|S|] * (product of strengths in S)^(1 / |S|)

with tie[1] = 1, so that several seats may tie for a place (Firth, Kosmidis and Turner 2019,
arXiv:1909.07123; Turner, van Etten, Firth and Kosmidis 2020, Computational Statistics 35). Without
ties this is the model of Plackett (1975) and Luce (1959); for two seats it is that of Davidson
(1970), and for two seats without ties that of Bradley and Terry (1952).

All of log f is linear in the logarithms of strengths and ties, so the log-likelihood is concave.

The strengths are those of `ChoiceModel`: 400 points are a tenfold strength, so of two players the
stronger one is expected to win ten times as often. One agent, the anchor, is at 1000.

Intervals come from the weighted likelihood bootstrap (Newton and Raftery 1994): the model is fitted
again and again with random weights of the deals, exponentially distributed with mean 1. All games
of a deal share its weight, over all rotations and tables, since they depend on one another. Each
time the agents also play a round of invented games with such weights, in random order: each loses
one to the next. So all strengths stay finite (Ford 1957), and the end of the interval of an agent
that won all of n games is what they exclude: that it loses 3.7 of n (2.5 %).

If an agent always won, no game bounds its rating from above, and that end is left open. In general
a rating has an upper bound if the agent was beaten, or held to a tie, by the anchor,
or by somebody who was beaten or held by the anchor, and so on.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_array

from gonzaga_env.intervals import Estimate, share_interval

from ..arrays import Doubles
from ..statistics import CONFIDENCE, solve_matrices

Seats = tuple[int, ...]
"""Indices of agents; one that sits on several seats occurs several times."""
Ranking = Sequence[tuple[int, int]]
"""The agent and the place of each seat of a game; seats that tie share a place."""
PairShares = tuple[tuple[Estimate | None, ...], ...]
"""[A, A]: the win share of the row against the column; None where they never met."""
ANCHOR_RATING = 1000.0
POINTS = 400 / np.log(10)  # of a rating for each unit of log strength
_Loss = Callable[[Doubles, Doubles], tuple[float, Doubles]]
# Standard deviation of the prior of log tie, which matters only if nearly all games tie.
_TIE_SPREAD = 5.0
_RIDGE = 1e-6  # keeps strengths finite where no chain of games leads from one agent to another


class ChoiceModel:
    """The likelihood of rankings.

    Attributes:
        num_agents: A.
        counts: how often each kind of choice was made in each deal, [D, K], sparse. The first
            A * (A - 1) kinds are games of two: the first agent loses to each other one, and so on.
    """

    def __init__(self, num_agents: int, rankings: Sequence[tuple[int, Ranking]]) -> None:
        """Counts the choices of games, each of which is (row of the deal, ranking)."""
        self.num_agents = num_agents
        pairs = permutations(range(num_agents), 2)
        kinds: dict[tuple[Seats, Seats], int] = {
            ((min(pair), max(pair)), (pair[1],)): kind for kind, pair in enumerate(pairs)
        }
        deals, chosen = [], []
        for deal, ranking in rankings:
            for choice in choices_of(ranking):
                deals.append(deal)
                chosen.append(kinds.setdefault(choice, len(kinds)))
        shape = (1 + max(deals, default=-1), len(kinds))
        self.counts = csr_array((np.ones(len(deals)), (deals, chosen)), shape=shape)
        self._tie_sizes = sorted({len(picked) for _, picked in kinds} - {1})
        self._ridge = np.array([_RIDGE] * num_agents + [_TIE_SPREAD**-2] * len(self._tie_sizes))
        self._build(list(kinds))

    def _build(self, kinds: Sequence[tuple[Seats, Seats]]) -> None:
        """Builds the rows of log f: for what was chosen, and for all that could have been."""
        menus = list(dict.fromkeys(left for left, _ in kinds))
        index = {menu: i for i, menu in enumerate(menus)}
        self._menu = np.array([index[left] for left, _ in kinds])  # [K]
        self._chosen = np.array([self._features(picked) for _, picked in kinds])  # [K, F]
        options = [
            [
                self._features(picked)
                for size in (1, *self._tie_sizes)
                for picked in combinations(menu, size)
            ]
            for menu in menus
        ]
        lengths = [len(rows) for rows in options]
        self._options = np.array([row for rows in options for row in rows])  # [O, F]
        self._starts = np.cumsum([0, *lengths[:-1]])
        self._menu_of_option = np.repeat(np.arange(len(menus)), lengths)

    def _features(self, picked: Seats) -> Doubles:
        """Returns the coefficients of log f, [F]: of each log strength, then of each log tie."""
        row = np.bincount(picked, minlength=self.num_agents) / len(picked)
        return np.append(row, [float(len(picked) == size) for size in self._tie_sizes])

    def fit(self, deals: Doubles | None = None) -> Doubles:
        """Returns parameters that are almost free of bias: log strengths [A], then log ties.

        Maximum likelihood overrates differences after few games, and without a bound where an agent
        has won every game. Jeffreys' prior, the root of the determinant of the information, removes
        the bias of first order and keeps all strengths finite (Firth 1993, Biometrika 80). Weights
        of the deals, [D], are 1 by default.
        """
        weights = (np.ones(self.counts.shape[0]) if deals is None else deals) @ self.counts
        return self._minimize(self.penalized_loss, weights, np.zeros(len(self._ridge)))

    def fit_weighted(
        self, deals: Doubles, invented: Doubles, start: Doubles | None = None
    ) -> Doubles:
        """Returns the parameters of maximum likelihood: log strengths [A], then log ties.

        Deals have weights [D], and invented games, lost by the row to the column, weights [A, A].
        """
        weights = deals @ self.counts  # [K]
        lost = invented[~np.eye(self.num_agents, dtype=np.bool_)]
        weights[: len(lost)] += lost
        return self._minimize(
            self.loss, weights, np.zeros(len(self._ridge)) if start is None else start
        )

    def _minimize(self, loss: _Loss, weights: Doubles, start: Doubles) -> Doubles:
        options = {"gtol": 1e-6}
        return minimize(
            loss, start, (weights,), "trust-exact", True, self.hessian, options=options
        ).x

    def _probabilities(self, parameters: Doubles) -> tuple[Doubles, Doubles]:
        """Returns the probability of each option [O] and each menu's log of the sum of f."""
        logs = self._options @ parameters
        highest = np.maximum.reduceat(logs, self._starts)
        scaled = np.exp(logs - highest[self._menu_of_option])
        sums = np.add.reduceat(scaled, self._starts)
        return scaled / sums[self._menu_of_option], highest + np.log(sums)

    def loss(self, parameters: Doubles, weights: Doubles) -> tuple[float, Doubles]:
        probability, log_sum = self._probabilities(parameters)
        by_menu = np.bincount(self._menu, weights, minlength=len(self._starts))
        chosen, ridge = weights @ self._chosen, self._ridge * parameters
        loss = by_menu @ log_sum - chosen @ parameters + parameters @ ridge / 2
        expected = (probability * by_menu[self._menu_of_option]) @ self._options
        return float(loss), expected - chosen + ridge

    def penalized_loss(self, parameters: Doubles, weights: Doubles) -> tuple[float, Doubles]:
        """Returns minus the log of likelihood times Jeffreys' prior, and its gradient.

        The information has the third moments of the features as its derivative.
        """
        loss, gradient = self.loss(parameters, weights)
        deviations, spread = self._deviations(parameters, weights)
        information = self.hessian(parameters, weights)
        lengths = (deviations @ np.linalg.inv(information) * deviations).sum(axis=1)  # [O]
        loss -= np.linalg.slogdet(information).logabsdet / 2
        return loss, gradient - (spread * lengths) @ deviations / 2

    def hessian(self, parameters: Doubles, weights: Doubles) -> Doubles:
        """Returns the second derivative of `loss`: the information, and the ridge."""
        deviations, spread = self._deviations(parameters, weights)
        hessian = (deviations * spread[:, None]).T @ deviations
        return hessian + np.diag(self._ridge)

    def _deviations(self, parameters: Doubles, weights: Doubles) -> tuple[Doubles, Doubles]:
        """Returns each option's features less those that are expected, [O, F], and its weight."""
        probability, _ = self._probabilities(parameters)
        by_menu = np.bincount(self._menu, weights, minlength=len(self._starts))
        means = np.add.reduceat(self._options * probability[:, None], self._starts)  # [menus, F]
        spread = probability * by_menu[self._menu_of_option]
        return self._options - means[self._menu_of_option], spread


def choices_of(ranking: Ranking) -> list[tuple[Seats, Seats]]:
    """Returns the choices that a ranking consists of: (all that were left, those chosen)."""
    left, choices = sorted(ranking), []
    while len(left) > 1:
        best = min(place for _, place in left)
        chosen = tuple(agent for agent, place in left if place == best)
        choices.append((tuple(agent for agent, _ in left), chosen))
        left = [seat for seat in left if seat[1] != best]
    return choices


_TAILS = (1 - CONFIDENCE) / 2, 1 - (1 - CONFIDENCE) / 2  # the probabilities beyond an interval
REPLICATES = 500
_SEED = 0  # the bootstrap's own: the same games give the same intervals


@dataclass(frozen=True)
class Rating:
    """A rating and its 95 % interval."""

    rating: float  # on the Elo scale; a guess if an end of the interval is open
    low: float | None  # None if no game bounds the rating from below
    high: float | None  # None if no game bounds the rating from above

    @property
    def text(self) -> str:
        """The rating as tables show it: a bound where an end of the interval is open."""
        if self.low is None:
            return "unknown" if self.high is None else f"at most {self.high:.0f}"
        return f"at least {self.low:.0f}" if self.high is None else f"{self.rating:.0f}"

    @property
    def interval(self) -> str:
        """The interval as tables show it; "open" if an end is."""
        if self.low is None or self.high is None:
            return "open"
        return f"{self.low:.0f} to {self.high:.0f}"


@dataclass(frozen=True)
class Ratings:
    """The ratings of the agents."""

    ratings: tuple[Rating, ...]  # one for each agent, [A]
    # pairs of agents whose difference has an interval around 0, each once
    equal: tuple[tuple[int, int], ...]
    pairs: PairShares  # the win share of each agent against each other one, [A, A]


def rate(
    num_agents: int,
    rankings: Sequence[tuple[int, Ranking]],
    anchor: int = 0,
    replicates: int | None = None,
) -> Ratings:
    """Returns the ratings of A agents, the anchor's being 1000.

    Each game is (number of the deal, ranking); deals of one number share chance. Intervals come
    from `replicates` fits of the bootstrap, by default 500.
    """
    numbers = sorted({deal for deal, _ in rankings})
    rows = {number: row for row, number in enumerate(numbers)}
    model = ChoiceModel(num_agents, [(rows[deal], ranking) for deal, ranking in rankings])
    found, rng = model.fit(), np.random.default_rng(_SEED)
    fits = []
    for _ in range(REPLICATES if replicates is None else replicates):
        weights, order = rng.exponential(size=len(numbers)), rng.permutation(num_agents)
        invented = np.zeros((num_agents, num_agents))  # a round: each agent loses to the next
        invented[order, np.roll(order, 1)] = rng.exponential(size=num_agents)
        fits.append(model.fit_weighted(weights, invented, found))
    samples = np.stack(fits)[:, :num_agents]
    relative = samples - samples[:, [anchor]]
    low, high = np.quantile(relative, _TAILS, axis=0)
    shares = pair_shares(num_agents, rankings)
    # whether i ever came in before j, or tied with it, directly or through others
    held = reachable(np.array([[s is not None and s.mean > 0 for s in row] for row in shares]))
    np.fill_diagonal(held, True)
    ratings = tuple(
        Rating(
            _elo(found[i] - found[anchor]),
            _elo(low[i]) if held[i, anchor] else None,
            _elo(high[i]) if held[anchor, i] else None,
        )
        for i in range(num_agents)
    )
    pairs = [(i, j) for j in range(num_agents) for i in range(j)]
    ends = [np.quantile(samples[:, i] - samples[:, j], _TAILS) for i, j in pairs]
    equal = (pair for pair, (low, high) in zip(pairs, ends, strict=True) if low <= 0 <= high)
    return Ratings(ratings, tuple(equal), shares)


def _elo(log_strength: float) -> float:
    return float(ANCHOR_RATING + POINTS * log_strength)


def pair_shares(num_agents: int, rankings: Sequence[tuple[int, Ranking]]) -> PairShares:
    """Returns the win share of each agent against each other one, [A, A].

    With two players that is the share of victories. With more it is the share of games in which the
    one comes in before the other, whoever wins; ties count a half each.
    """
    won, met = _by_deal(num_agents, rankings)

    def estimate(row: int, column: int) -> Estimate | None:
        games = met[:, row, column]
        played = games > 0
        if row == column or not played.any():
            return None
        return share_interval(won[played, row, column] / games[played])

    return tuple(
        tuple(estimate(row, column) for column in range(num_agents)) for row in range(num_agents)
    )


def _by_deal(num_agents: int, rankings: Sequence[tuple[int, Ranking]]) -> tuple[Doubles, Doubles]:
    shape = (num_agents, num_agents)
    won: dict[int, Doubles] = defaultdict(lambda: np.zeros(shape))
    met: dict[int, Doubles] = defaultdict(lambda: np.zeros(shape))
    for deal, ranking in rankings:
        for agent, place in ranking:
            for other, other_place in ranking:
                if agent != other:
                    met[deal][agent, other] += 1
                    won[deal][agent, other] += (place < other_place) + (place == other_place) / 2
    deals = sorted(met)
    return np.array([won[d] for d in deals]), np.array([met[d] for d in deals])


def reachable(edges: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Returns whether a path leads from i to j, [A, A], given the steps that exist (Warshall)."""
    paths = edges.copy()
    for k in range(len(paths)):
        paths |= paths[:, [k]] & paths[[k], :]
    return paths


def cycles(shares: PairShares) -> tuple[tuple[int, ...], ...]:
    """Returns cycles: agents each of which beats the next one, and the last one the first.

    Of a group of agents that all beat each other, directly or through others, these are all its
    intransitive triples, or one of its shortest cycles if it has none. A victory counts if its 95 %
    interval is above one half.
    """
    beats = np.array(
        [[share is not None and share.side_of(0.5) > 0 for share in row] for row in shares]
    )
    paths = reachable(beats)
    groups = {frozenset(np.flatnonzero(paths[i] & paths[:, i]).tolist()) for i in range(len(beats))}
    found = (_cycles_of(beats, sorted(group)) for group in groups if group)
    return tuple(sorted(cycle for own in found for cycle in own))


def _cycles_of(beats: NDArray[np.bool_], group: Sequence[int]) -> list[tuple[int, ...]]:
    triples: list[tuple[int, ...]] = [
        (i, j, k)
        for i, j, k in permutations(group, 3)
        if i < min(j, k) and beats[i, j] and beats[j, k] and beats[k, i]
    ]
    return triples or [_shortest_cycle(beats, group)]


def _shortest_cycle(beats: NDArray[np.bool_], group: Sequence[int]) -> tuple[int, ...]:
    """Returns a shortest cycle within a group whose members all reach each other."""
    walks: list[tuple[int, ...]] = [(start,) for start in group]
    while True:
        closed = [walk for walk in walks if beats[walk[-1], walk[0]]]
        if closed:
            return closed[0]
        walks = [
            (*walk, after)
            for walk in walks
            for after in group
            if after > walk[0] and after not in walk and beats[walk[-1], after]
        ]


_EVEN = 0.5
_LEAST = 1e-12  # whose logarithm is finite
_WRONG = 1e-6  # how much an agent may win against what the search for the most entropy finds


@dataclass(frozen=True)
class Mix:
    """Chances of A agents that no agent wins more than half against."""

    weights: tuple[float, ...]  # how often each one plays, [A]
    shares: tuple[float, ...]  # what each one wins against the mix: at most 0.5, [A]


def unbeaten_mix(pairs: PairShares) -> Mix | None:
    """Returns the mix of a table of win shares; None if two agents have never met."""
    num = len(pairs)
    if any(pairs[i][j] is None for i in range(num) for j in range(num) if i != j):
        return None
    means = [[_EVEN if share is None else share.mean for share in row] for row in pairs]
    gains = (np.array(means) - np.transpose(means)) / 2  # of the row, beyond half
    weights = _most_even(gains, solve_matrices(gains[None])[1][0])
    return Mix(tuple(weights.tolist()), tuple((_EVEN + gains @ weights).tolist()))


def _most_even(gains: Doubles, start: Doubles) -> Doubles:
    """Returns the optimal chances of the most entropy, given any optimal ones."""
    found = minimize(
        lambda p: np.sum(p * np.log(p + _LEAST)),
        start,
        jac=lambda p: np.log(p + _LEAST) + p / (p + _LEAST),
        bounds=[(0, 1)] * len(start),
        constraints=[
            {"type": "eq", "fun": lambda p: p.sum() - 1, "jac": np.ones_like},
            {"type": "ineq", "fun": lambda p: -gains @ p, "jac": lambda p: -gains},
        ],
        method="SLSQP",
        options={"maxiter": 1000, "ftol": 1e-12},
    )
    weights = np.where(found.x < _WRONG, 0, found.x)
    weights /= weights.sum()
    return weights if (gains @ weights).max() < _WRONG else start
