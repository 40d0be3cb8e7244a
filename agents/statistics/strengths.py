"""The Davidson-Luce model: how strengths and ties decide the places of a game.

A ranking is a sequence of choices: first who takes the first place among all, then who comes next
among the rest. A set S of seats takes the place in front of the others of a set R with probability

    f(S) / (sum of f(T) over all T in R),   f(S) = tie[|S|] * (product of strengths in S)^(1 / |S|)

with tie[1] = 1, so that several seats may tie for a place (Firth, Kosmidis and Turner 2019,
arXiv:1909.07123; Turner, van Etten, Firth and Kosmidis 2020, Computational Statistics 35). Without
ties this is the model of Plackett (1975) and Luce (1959); for two seats it is that of Davidson
(1970), and for two seats without ties that of Bradley and Terry (1952).

All of log f is linear in the logarithms of strengths and ties, so the log-likelihood is concave.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_array

Seats = tuple[int, ...]
"""Indices of agents; one that sits on several seats occurs several times."""
Ranking = Sequence[tuple[int, int]]
"""The agent and the place of each seat of a game; seats that tie share a place."""

# Standard deviation of the prior of log tie, which matters only if nearly all games tie.
_TIE_SPREAD = 5.0


def choices_of(ranking: Ranking) -> list[tuple[Seats, Seats]]:
    """Returns the choices that a ranking consists of: (all that were left, those chosen)."""
    left, choices = sorted(ranking), []
    while len(left) > 1:
        best = min(place for _, place in left)
        chosen = tuple(agent for agent, place in left if place == best)
        choices.append((tuple(agent for agent, _ in left), chosen))
        left = [seat for seat in left if seat[1] != best]
    return choices


def _opponents_in_a_deal(
    num_agents: int, rankings: Sequence[tuple[int, Ranking]]
) -> NDArray[np.float64]:
    """Returns how many other agents' seats each agent's seats meet in a deal on average, [A]."""
    met, deals = np.zeros(num_agents), [set[int]() for _ in range(num_agents)]
    for deal, ranking in rankings:
        agents = [agent for agent, _ in ranking]
        for agent in agents:
            met[agent] += len(agents) - agents.count(agent)
            deals[agent].add(deal)
    return met / [max(1, len(played)) for played in deals]


class ChoiceModel:
    """The likelihood of rankings, with a weak prior that keeps all strengths finite.

    The prior is of the kind of Turner et al. (2020): every agent also wins one deal against an
    invented agent of strength 1, and loses one. Such a deal counts as much as the agent's other
    deals do on average.

    Attributes:
        num_agents: A.
        counts: how often each kind of choice was made in each deal, [D, K], sparse.
        prior: the weights of the invented deals: lost and won by each agent, [2 * A]. They belong
            to the first kinds of choices, which `counts` does not count.
    """

    def __init__(self, num_agents: int, rankings: Sequence[tuple[int, Ranking]]) -> None:
        """Counts choices.

        Args:
            num_agents: A.
            rankings: (row of the deal, ranking) for each game.
        """
        ghost = num_agents  # the invented agent
        self.num_agents = num_agents
        kinds: dict[tuple[Seats, Seats], int] = {}
        for agent in range(num_agents):
            for winner in (ghost, agent):
                kinds[(agent, ghost), (winner,)] = len(kinds)
        self.prior = np.repeat(_opponents_in_a_deal(num_agents, rankings), 2)
        deals, chosen = [], []
        for deal, ranking in rankings:
            for choice in choices_of(ranking):
                deals.append(deal)
                chosen.append(kinds.setdefault(choice, len(kinds)))
        shape = (1 + max(deals, default=-1), len(kinds))
        self.counts = csr_array((np.ones(len(deals)), (deals, chosen)), shape=shape)
        self._tie_sizes = sorted({len(picked) for _, picked in kinds} - {1})
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

    def _features(self, picked: Seats) -> NDArray[np.float64]:
        """Returns the coefficients of log f, [F]: of each log strength, then of each log tie."""
        row = np.bincount(picked, minlength=self.num_agents + 1)[: self.num_agents] / len(picked)
        return np.append(row, [float(len(picked) == size) for size in self._tie_sizes])

    def fit(
        self,
        deals: NDArray[np.float64] | None = None,
        prior: NDArray[np.float64] | None = None,
        start: NDArray[np.float64] | None = None,
    ) -> NDArray[np.float64]:
        """Returns the parameters of most weight: log strengths [A], then log ties.

        Args:
            deals: the weight of each deal, [D]; None weighs all 1.
            prior: the weight of each invented deal, [2 * A]; None weighs all 1.
            start: parameters to start from.
        """
        deals = np.ones(self.counts.shape[0]) if deals is None else deals
        weights = deals @ self.counts  # [K]
        weights[: len(self.prior)] = self.prior if prior is None else prior * self.prior
        start = np.zeros(self._chosen.shape[1]) if start is None else start
        found = minimize(
            self._loss,
            start,
            (weights,),
            "trust-exact",
            True,
            self._hessian,
            options={"gtol": 1e-6},
        )
        fitted: NDArray[np.float64] = found.x
        return fitted

    def _probabilities(
        self, parameters: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Returns the probability of each option [O] and each menu's log of the sum of f."""
        logs = self._options @ parameters
        highest = np.maximum.reduceat(logs, self._starts)
        scaled = np.exp(logs - highest[self._menu_of_option])
        sums = np.add.reduceat(scaled, self._starts)
        return scaled / sums[self._menu_of_option], highest + np.log(sums)

    def _loss(
        self, parameters: NDArray[np.float64], weights: NDArray[np.float64]
    ) -> tuple[float, NDArray[np.float64]]:
        """Returns minus the log-likelihood, and its gradient."""
        probability, log_sum = self._probabilities(parameters)
        by_menu = np.bincount(self._menu, weights, minlength=len(self._starts))
        ties = np.append(np.zeros(self.num_agents), parameters[self.num_agents :]) / _TIE_SPREAD**2
        chosen = weights @ self._chosen
        loss = by_menu @ log_sum - chosen @ parameters + parameters @ ties / 2
        expected = (probability * by_menu[self._menu_of_option]) @ self._options
        return float(loss), expected - chosen + ties

    def _hessian(
        self, parameters: NDArray[np.float64], weights: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        probability, _ = self._probabilities(parameters)
        by_menu = np.bincount(self._menu, weights, minlength=len(self._starts))
        weighted = self._options * probability[:, None]
        means = np.add.reduceat(weighted, self._starts)  # [menus, F]
        spread = (weighted * by_menu[self._menu_of_option, None]).T @ self._options
        hessian: NDArray[np.float64] = spread - (means * by_menu[:, None]).T @ means
        ties = np.arange(self.num_agents, len(parameters))
        hessian[ties, ties] += _TIE_SPREAD**-2
        return hessian
