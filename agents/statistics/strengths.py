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

from collections.abc import Callable, Sequence
from itertools import combinations, permutations

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_array

from .rankings import Ranking, Seats, choices_of

_Loss = Callable[[NDArray[np.float64], NDArray[np.float64]], tuple[float, NDArray[np.float64]]]
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
        """Counts choices.

        Args:
            num_agents: A.
            rankings: (row of the deal, ranking) for each game.
        """
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

    def _features(self, picked: Seats) -> NDArray[np.float64]:
        """Returns the coefficients of log f, [F]: of each log strength, then of each log tie."""
        row = np.bincount(picked, minlength=self.num_agents) / len(picked)
        return np.append(row, [float(len(picked) == size) for size in self._tie_sizes])

    def fit(self, deals: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
        """Returns parameters that are almost free of bias: log strengths [A], then log ties.

        Maximum likelihood overrates differences after few games, and without a bound where an agent
        has won every game. Jeffreys' prior, the root of the determinant of the information, removes
        the bias of first order and keeps all strengths finite (Firth 1993, Biometrika 80).

        Args:
            deals: the weight of each deal, [D]; None weighs all 1.
        """
        weights = (np.ones(self.counts.shape[0]) if deals is None else deals) @ self.counts
        return self._minimize(self._penalized_loss, weights, np.zeros(len(self._ridge)))

    def fit_weighted(
        self,
        deals: NDArray[np.float64],
        invented: NDArray[np.float64],
        start: NDArray[np.float64] | None = None,
    ) -> NDArray[np.float64]:
        """Returns the parameters of maximum likelihood: log strengths [A], then log ties.

        Args:
            deals: the weight of each deal, [D].
            invented: the weights of games that never were, lost by the row to the column, [A, A].
            start: parameters to start from.
        """
        weights = deals @ self.counts  # [K]
        lost = invented[~np.eye(self.num_agents, dtype=np.bool_)]
        weights[: len(lost)] += lost
        return self._minimize(
            self._loss, weights, np.zeros(len(self._ridge)) if start is None else start
        )

    def _minimize(
        self, loss: _Loss, weights: NDArray[np.float64], start: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        options = {"gtol": 1e-6}
        return minimize(
            loss, start, (weights,), "trust-exact", True, self._hessian, options=options
        ).x

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
        chosen, ridge = weights @ self._chosen, self._ridge * parameters
        loss = by_menu @ log_sum - chosen @ parameters + parameters @ ridge / 2
        expected = (probability * by_menu[self._menu_of_option]) @ self._options
        return float(loss), expected - chosen + ridge

    def _penalized_loss(
        self, parameters: NDArray[np.float64], weights: NDArray[np.float64]
    ) -> tuple[float, NDArray[np.float64]]:
        """Returns minus the log of likelihood times Jeffreys' prior, and its gradient.

        The information has the third moments of the features as its derivative.
        """
        loss, gradient = self._loss(parameters, weights)
        deviations, spread = self._deviations(parameters, weights)
        information = self._hessian(parameters, weights)
        lengths = (deviations @ np.linalg.inv(information) * deviations).sum(axis=1)  # [O]
        loss -= np.linalg.slogdet(information).logabsdet / 2
        return loss, gradient - (spread * lengths) @ deviations / 2

    def _hessian(
        self, parameters: NDArray[np.float64], weights: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Returns the second derivative of `_loss`: the information, and the ridge."""
        deviations, spread = self._deviations(parameters, weights)
        hessian = (deviations * spread[:, None]).T @ deviations
        return hessian + np.diag(self._ridge)

    def _deviations(
        self, parameters: NDArray[np.float64], weights: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Returns each option's features less those that are expected, [O, F], and its weight."""
        probability, _ = self._probabilities(parameters)
        by_menu = np.bincount(self._menu, weights, minlength=len(self._starts))
        means = np.add.reduceat(self._options * probability[:, None], self._starts)  # [menus, F]
        spread = probability * by_menu[self._menu_of_option]
        return self._options - means[self._menu_of_option], spread
