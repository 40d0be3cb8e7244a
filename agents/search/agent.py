"""Search by sequential halving over the playouts that a game's model supplies."""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter
from typing import Any, Protocol

import numpy as np

from gonzaga_env.tabletop.agent import WINNING_CHANCE, Considered

from ..agent import SizedAgent
from ..common.arrays import Indices, Masks, Observations
from .budget import DEFAULT_BUDGET, NAME, Budget
from .root import Floats, Root

NUM_CANDIDATES = 8
_ENOUGH_PLAYOUTS = 64  # from which playouts of three rounds choose better than more of two
_LEAST_DEALS = 8  # on which choices are compared
CHUNK_PLAYOUTS = 1536  # playouts at once, which bounds memory to some tens of MB


class Model(Protocol):
    """What a game gives its search: good candidates, and playouts of them."""

    def kinds(self, observations: Observations) -> Indices:
        """Returns which of `GameSpec.kinds` each decision is, [M]."""
        ...

    def candidates(
        self, seen: Observations, masks: Masks, kind: int, size: int, rng: np.random.Generator
    ) -> tuple[Indices, Floats]:
        """Returns the best C or fewer legal actions of M decisions of one kind, and their priors.

        Returns:
            Actions, best first, -1 for padding, and what the prior adds, in shares of the victory;
            both [M, C].
        """
        ...

    def play(
        self,
        root: Root,
        decisions: Indices,
        candidates: Indices,
        num_deals: int,
        rng: np.random.Generator,
    ) -> Floats:
        """Plays T candidates on K deals of what their seats do not know, and returns values [T, K].

        A playout steps the game's engine for `root.num_rounds` rounds; a value then says which
        share of the victory the seat may expect. Chance within the game is drawn on the way, anew
        for each deal: the search takes no expectation over it other than the mean over deals.

        Args:
            root: the decisions.
            decisions: the row in `root` of each candidate, [T], ascending; candidates of one
                decision are tried on the same deals.
            candidates: the column in `root.actions` of each, [T].
            num_deals: K.
            rng: the source of all randomness.
        """
        ...

    def chances(self, state: Any, num_playouts: int, rng: np.random.Generator) -> Floats:
        """Returns what share of the victory each player may expect, [N, P].

        Playouts begin at the positions themselves, with all that is hidden in them, and last to the
        end of what is going on: a round, or a turn. Those of finished games are the winners'.

        Args:
            state: N positions.
            num_playouts: of each.
            rng: the source of all randomness.
        """
        ...


class SequentialHalving(SizedAgent):
    """Flat Monte Carlo over determinizations, with sequential halving (Karnin et al., 2013).

    The best candidates of a prior are all tried on the same deals of what is hidden, so that luck
    cancels. After every stage the worse half is dropped. All decisions of a batch are searched
    together, kind by kind.

    Attributes:
        name: "search", with its budget if that is not the default one ("search@16"), or the spec
            that it was made from.
        model: what it knows of the game.
    """

    def __init__(
        self,
        config: Any,
        model: Model,
        budget: Budget,
        *,
        num_rounds: int | None = None,
        num_candidates: int = NUM_CANDIDATES,
    ) -> None:
        """Sets up the search.

        Args:
            config: what is played (a `tabletop.spec.Config`).
            model: its candidates and playouts.
            budget: of each decision.
            num_rounds: rounds that a playout lasts, this one included; None takes three where the
                budget is enough for 64 playouts, else two.
            num_candidates: C, candidates of each decision.
        """
        super().__init__(config)
        self.name = NAME if budget == DEFAULT_BUDGET else f"{NAME}@{budget}"
        self.model, self._budget = model, budget
        self._num_rounds, self._num_candidates = num_rounds, num_candidates
        self._seconds = 50e-6  # running estimate for a round of a playout; plans a budget of time

    def _act(self, observations: Observations, masks: Masks, rng: np.random.Generator) -> Indices:
        actions = np.zeros(len(observations), dtype=np.int64)
        for rows, root in self.search(observations, masks, rng):
            actions[rows] = root.best()
        return actions

    def _consider(
        self, observation: Observations, mask: Masks, rng: np.random.Generator
    ) -> Considered:
        ((_, root),) = self.search(observation[None], mask[None], rng)
        order = root.ranking()[0]
        order = order[root.actions[0, order] >= 0]
        chances, visits = root.chances(0, order), root.visits[0, order]
        return Considered(root.actions[0, order], chances, WINNING_CHANCE, visits, (0.0, 1.0))

    def search(
        self, observations: Observations, masks: Masks, rng: np.random.Generator
    ) -> Iterator[tuple[Indices, Root]]:
        """Yields rows and what was found of their candidates, for each kind of decision.

        Args:
            observations: [M, D].
            masks: [M, A].
            rng: the source of all randomness.
        """
        kinds = self.model.kinds(observations)
        for kind in np.unique(kinds).tolist():
            rows = (kinds == kind).nonzero()[0]
            num_rounds = self._num_rounds or (3 if self._affordable(3) >= _ENOUGH_PLAYOUTS else 2)
            size = min(self._num_candidates, affordable_candidates(self._affordable(num_rounds)))
            seen = observations[rows]
            found = self.model.candidates(seen, masks[rows], kind, size, rng)
            root = Root.of(seen, kind, *found, num_rounds)
            self._compare(root, rng)
            yield rows, root

    def num_deals(self, num_rounds: int) -> int:
        """Returns how many deals are enough to compare two choices: half the playouts of one."""
        return max(_LEAST_DEALS, int(self._affordable(num_rounds) / 2))

    def _compare(self, root: Root, rng: np.random.Generator) -> None:
        """Spends the budget; after each stage the worse half of the candidates is dropped."""
        for num_deals in self._stages(root):
            started, before = perf_counter(), root.visits.sum()
            self._try(root, num_deals, rng)
            if (num_playouts := root.visits.sum() - before) > 0:
                self._seconds = (perf_counter() - started) / num_playouts / root.num_rounds
            root.halve()

    def _affordable(self, num_rounds: int, num_played: int = 0, seconds: float = 0.0) -> float:
        """Returns how many playouts a decision can afford, given the time of those so far."""
        if self._budget.milliseconds is None:
            return float(self._budget.playouts or 0) - num_played
        return (self._budget.milliseconds / 1000 - seconds) / self._seconds / num_rounds

    def _stages(self, root: Root) -> Iterator[int]:
        """Yields for each stage on how many deals the candidates alive are tried."""
        started, num_candidates = perf_counter(), root.actions.shape[1]
        num_stages, num_played = int(np.ceil(np.log2(num_candidates))), 0
        for stage in range(num_stages):
            num_alive = int(np.ceil(num_candidates / 2**stage))
            seconds = (perf_counter() - started) / root.num_decisions
            left = self._affordable(root.num_rounds, num_played, seconds)
            num_deals = max(1, int(left / (num_stages - stage) / num_alive))
            yield num_deals
            num_played += num_deals * num_alive

    def _try(self, root: Root, num_deals: int, rng: np.random.Generator) -> None:
        """Tries the contested candidates on some deals and adds up what they are worth."""
        tried = root.contested()
        num_contested = tried.sum(axis=1)
        contested = num_contested.nonzero()[0]
        most = max(1, int(num_contested.max()))
        at_once = max(1, CHUNK_PLAYOUTS // most)  # deals
        for start in range(0, num_deals, at_once):
            deals = min(at_once, num_deals - start)
            size = max(1, CHUNK_PLAYOUTS // (most * deals))
            for first in range(0, len(contested), size):
                part = contested[first : first + size]
                row, candidates = tried[part].nonzero()
                at = part[row], candidates
                root.totals[at] += self.model.play(root, *at, deals, rng).sum(axis=1)
                root.visits[at] += deals


def affordable_candidates(playouts: float) -> int:
    """Returns the largest power of two of candidates that sequential halving can try, or 1.

    C candidates take C + C / 2 + ... + 2 playouts at least.
    """
    size = 1
    while 4 * size - 2 <= playouts:
        size *= 2
    return size
