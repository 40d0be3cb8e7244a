"""Search of any game, for many decisions at once.

    found = search(game, observations, masks, policy, value, simulations=32, rng=rng)
    found.actions  # [M]

1. **Candidates.** The likeliest actions of a policy; for training, with Gumbel noise.
2. **Deals.** What a seat does not know is drawn, the same for all its candidates, and so is luck to
   come. Sealed decisions of the others are those of the policy for what was dealt to them.
3. **Playouts.** The policy plays all seats until the next turn of the seat, or the next round.
4. **Values.** A value says which share of the victory each seat may expect there.
5. **Halving** (Karnin et al., 2013). The simulations are split into equal stages. After each, the
   worse half of the candidates is dropped. What counts is the mean value plus a weight of the
   logarithm of the policy's probability (Danihelka et al., 2022).

This module knows no game: it takes anything with the methods of `Game`, `Positions` and `Policy`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Generic, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..arrays import Doubles, Indices, Masks, best_of_rows

NUM_CANDIDATES = 8
PRIOR_WEIGHT = 0.01
"""The share of the victory that odds of e to 1 by the policy stand for."""
_LEAST_ODDS = 7.0  # of a candidate, compared with the likeliest, as a negative logarithm
CHUNK_PLAYOUTS = 1536
"""Playouts at once, which bounds memory to some tens of MB."""


class Positions(Protocol):
    """N positions of a game, with all that is hidden in them."""

    @property
    def seats(self) -> Indices:
        """The seat to act in each, [N]; -1 where the game is over."""
        ...

    def take(self, rows: Indices) -> Self:
        """Returns copies of some positions, [M]; those of one row have the same luck to come."""
        ...

    def step(self, actions: Indices, rows: Indices) -> object:
        """Plays an action in each of some positions, [M] and [M]."""
        ...


PositionsT = TypeVar("PositionsT", bound=Positions)
PlayedT = TypeVar("PlayedT", bound=Positions, contravariant=True)
Value = Callable[[PositionsT], NDArray[np.floating]]
"""Returns which share of the victory each seat may expect, [N, P]; of games that are over, has."""


class Game(Protocol[PositionsT]):
    """What a search takes of a game."""

    def deal(self, seen: Any, rng: np.random.Generator, num_deals: int) -> PositionsT:
        """Returns positions that agree with what M seats to act see, K for each, [M * K]."""
        ...

    def unseal(self, positions: PositionsT) -> Masks:
        """Returns where the decision is sealed, [N], and takes back what others have sealed."""
        ...

    def is_open(self, positions: PositionsT, seats: Indices) -> Masks:
        """Returns where a turn of some seats [N] opens, at which their playouts end, [N]."""
        ...


class Policy(Protocol[PlayedT]):
    """What a search takes of an agent."""

    def score(
        self, seen: Any, masks: Masks, rng: np.random.Generator
    ) -> tuple[Indices, Indices, NDArray[np.floating]]:
        """Returns row, action and logarithm of the probability of choices, [L], sorted by row."""
        ...

    def choose(self, positions: PlayedT, rows: Indices, rng: np.random.Generator) -> Indices:
        """Returns an action for the seat to act in each of some positions, [M]."""
        ...

    def seal(self, positions: PlayedT, rows: Indices, rng: np.random.Generator) -> Indices:
        """Returns sealed decisions of all seats in each of some positions, [M, P]."""
        ...


@dataclass(frozen=True)
class Found:
    """What a search found of M decisions; C candidates each, best first."""

    candidates: Indices  # [M, C]; -1 for padding
    weights: Doubles  # what a policy should learn, [M, C]; they sum to 1
    values: Doubles  # the share of the victory that each seat may expect, [M, C, P]
    visits: Indices  # playouts, [M, C]
    seats: Indices  # who decides, [M]

    @property
    def actions(self) -> Indices:
        """The best action of each decision, [M]."""
        return self.candidates[:, 0]

    @property
    def own_values(self) -> Doubles:
        """What the deciding seat may expect, [M, C]."""
        return np.take_along_axis(self.values, self.seats[:, None, None], axis=2)[:, :, 0]


class Search(Generic[PositionsT]):
    """A search of a game with a budget (see `search`, which has the same arguments)."""

    def __init__(
        self,
        game: Game[PositionsT],
        policy: Policy[PositionsT],
        value: Value[PositionsT],
        *,
        simulations: int | None = None,
        milliseconds: float | None = None,
        candidates: int = NUM_CANDIDATES,
        prior_weight: float = PRIOR_WEIGHT,
    ) -> None:
        if (simulations is None) == (milliseconds is None):
            raise ValueError("a search takes either simulations or milliseconds")
        self.game, self.policy, self.value = game, policy, value
        self._simulations, self._milliseconds = simulations, milliseconds
        self._num_candidates, self._weight = candidates, prior_weight
        self._seconds = 100e-6  # running estimate of a playout's; plans a budget of time

    @np.errstate(under="ignore")  # of chances
    def __call__(
        self, seen: Any, masks: Masks, rng: np.random.Generator, noise: float = 0.0
    ) -> Found:
        """Searches M decisions (see `search`)."""
        root = self._root(seen, masks, rng, noise)
        for num_deals in self._stages(root):
            started, before = perf_counter(), root.visits.sum()
            self._try(root, num_deals, rng)
            if (num_playouts := root.visits.sum() - before) > 0:
                self._seconds = (perf_counter() - started) / num_playouts
            root.halve()
        return root.found()

    def affordable(self, num_played: int = 0, seconds: float = 0.0) -> float:
        """Returns how many playouts a decision can afford, given the time of those so far."""
        if self._milliseconds is None:
            return float(self._simulations or 0) - num_played
        return (self._milliseconds / 1000 - seconds) / self._seconds

    @np.errstate(under="ignore")
    def play(
        self,
        seen: Any,
        rows: Indices,
        actions: Indices,
        num_deals: int,
        rng: np.random.Generator,
    ) -> tuple[Doubles, Indices]:
        """Plays actions on the same deals of what seats do not know.

        Args:
            seen: what the seats to act see of M decisions.
            rows: the decision of each of T actions, ascending, [T].
            actions: [T].
            num_deals: K.
            rng: the source of all randomness.

        Returns:
            What each seat may expect, [T, K, P], and who decides, [T].
        """
        distinct, which = np.unique(rows, return_inverse=True)
        deals = self.game.deal(seen[distinct], rng, num_deals)
        deciding = deals.seats
        plans = self._plans(deals, rng)
        games = (which[:, None] * num_deals + np.arange(num_deals)).reshape(-1)
        positions, own = deals.take(games), deciding[games]
        self._begin(positions, own, actions.repeat(num_deals), plans[games])
        while True:
            goes_on = (positions.seats >= 0) & ~self.game.is_open(positions, own)
            if not len(running := np.flatnonzero(goes_on)):
                break
            positions.step(self.policy.choose(positions, running, rng), running)
        values = np.asarray(self.value(positions), np.float64)
        return values.reshape(len(rows), num_deals, -1), own[::num_deals]

    def _plans(self, deals: PositionsT, rng: np.random.Generator) -> Indices:
        """Returns what all seats seal, [N, P]; P is 0 if nothing is sealed, -1 for open."""
        sealed = self.game.unseal(deals)
        if not sealed.any():
            return np.zeros((len(sealed), 0), np.int64)
        found = self.policy.seal(deals, at := np.flatnonzero(sealed), rng)
        plans = np.full((len(sealed), found.shape[1]), -1)
        plans[at] = found
        return plans

    @staticmethod
    def _begin(positions: PositionsT, own: Indices, actions: Indices, plans: Indices) -> None:
        """Plays the actions, and where they are sealed, the plans of the others."""
        running = np.arange(len(own))
        for _ in range(max(plans.shape[1], 1)):
            seats = positions.seats[running]
            mine = seats == own[running]
            played = actions[running]
            if plans.shape[1]:
                played = np.where(mine, played, plans[running, seats])
            positions.step(played, running)
            if plans.shape[1]:
                running = running[plans[running, 0] >= 0]

    def _root(self, seen: Any, masks: Masks, rng: np.random.Generator, noise: float) -> _Root:
        rows, actions, scores = self.policy.score(seen, masks, rng)
        drawn = scores + noise * rng.gumbel(size=len(scores)) if noise else scores
        size = min(self._num_candidates, affordable_candidates(self.affordable()))
        top, rank = best_of_rows(rows, drawn, size)
        best = np.full(len(masks), -np.inf)
        np.maximum.at(best, rows[top], scores[top])
        near = best[rows[top]] - scores[top] < _LEAST_ODDS
        top, rank = top[near], rank[near]
        shape = len(masks), int(rank.max(initial=0)) + 1
        candidates, logs = np.full(shape, -1), np.full(shape, -np.inf)
        candidates[rows[top], rank], logs[rows[top], rank] = actions[top], scores[top]
        return _Root(seen, candidates, logs, self._weight)

    def _stages(self, root: _Root) -> Iterator[int]:
        """Yields for each stage on how many deals the candidates alive are tried."""
        started, num_candidates = perf_counter(), root.candidates.shape[1]
        num_stages, num_played = int(np.ceil(np.log2(num_candidates))), 0
        for stage in range(num_stages):
            num_alive = int(np.ceil(num_candidates / 2**stage))
            seconds = (perf_counter() - started) / len(root.candidates)
            left = self.affordable(num_played, seconds)
            num_deals = max(1, int(left / (num_stages - stage) / num_alive))
            yield num_deals
            num_played += num_deals * num_alive

    def _try(self, root: _Root, num_deals: int, rng: np.random.Generator) -> None:
        """Tries the contested candidates on some deals and adds up what they are worth."""
        tried = root.alive & (root.alive.sum(axis=1, keepdims=True) > 1)
        num_contested = tried.sum(axis=1)
        contested = num_contested.nonzero()[0]
        most = max(1, int(num_contested.max()))
        at_once = max(1, CHUNK_PLAYOUTS // most)  # deals
        for start in range(0, num_deals, at_once):
            deals = min(at_once, num_deals - start)
            size = max(1, CHUNK_PLAYOUTS // (most * deals))
            for first in range(0, len(contested), size):
                part = contested[first : first + size]
                row, column = tried[part].nonzero()
                at = part[row], column
                values, seats = self.play(root.seen, part[row], root.candidates[at], deals, rng)
                root.add(at, values.sum(axis=1), deals, seats)


def search(
    game: Game[PositionsT],
    observations: Any,
    masks: Masks,
    policy: Policy[PositionsT],
    value: Value[PositionsT],
    *,
    rng: np.random.Generator,
    simulations: int | None = None,
    milliseconds: float | None = None,
    candidates: int = NUM_CANDIDATES,
    prior_weight: float = PRIOR_WEIGHT,
    noise: float = 0.0,
) -> Found:
    """Searches M decisions of a game together.

    Args:
        game: what is played.
        observations: what the deciding seats see, an array [M, ...] that `game` and `policy` read.
        masks: legal actions, [M, A].
        policy: picks candidates and plays all seats in playouts.
        value: what positions at the end of playouts are worth.
        rng: the source of all randomness.
        simulations: playouts of each decision.
        milliseconds: of each decision instead; what is chosen then depends on the machine.
        candidates: C, at most.
        prior_weight: the share of the victory that odds of e to 1 by the policy stand for.
        noise: 1 draws candidates, for training; 0 takes the likeliest.
    """
    finder = Search(
        game,
        policy,
        value,
        simulations=simulations,
        milliseconds=milliseconds,
        candidates=candidates,
        prior_weight=prior_weight,
    )
    return finder(observations, masks, rng, noise)


class _Root:
    """M decisions with C candidates each, and what playouts have said of them."""

    def __init__(self, seen: Any, candidates: Indices, logs: Doubles, weight: float) -> None:
        """Takes candidates, -1 for padding, and the logarithms of their probabilities, [M, C]."""
        self.seen, self.candidates, self.alive = seen, candidates, candidates >= 0
        self.visits: Indices = np.zeros(candidates.shape, np.int64)
        self._weight, self._logs = weight, logs - logs.max(axis=1, keepdims=True)
        self._totals: Doubles | None = None  # [M, C, P]
        self._seats: Indices = np.zeros(len(candidates), np.int64)

    def add(
        self, at: tuple[Indices, Indices], values: Doubles, num_deals: int, seats: Indices
    ) -> None:
        if self._totals is None:
            self._totals = np.zeros((*self.candidates.shape, values.shape[1]))
        self._totals[at] += values
        self.visits[at] += num_deals
        self._seats[at[0]] = seats

    def halve(self) -> None:
        """Keeps the better half of the candidates that are alive, rounded up."""
        order = self._ranking()
        ranks = np.empty_like(order)
        np.put_along_axis(ranks, order, np.arange(order.shape[1])[None], axis=1)
        self.alive &= ranks < (self.alive.sum(axis=1, keepdims=True) + 1) // 2

    def found(self) -> Found:
        order = self._ranking()
        values = np.take_along_axis(self._values(), order[:, :, None], axis=1)
        logits = np.take_along_axis(self._logits(), order, axis=1)
        with np.errstate(under="ignore"):
            odds = np.exp(logits - logits.max(axis=1, keepdims=True))
        return Found(
            np.take_along_axis(self.candidates, order, axis=1),
            odds / odds.sum(axis=1, keepdims=True),
            values,
            np.take_along_axis(self.visits, order, axis=1),
            self._seats,
        )

    def _values(self) -> Doubles:
        """Returns mean values, [M, C, P]; candidates without a playout take that of the others."""
        if self._totals is None:
            return np.zeros((*self.candidates.shape, 1))
        visits = self.visits[:, :, None]
        mean = self._totals.sum(axis=1, keepdims=True) / np.maximum(visits.sum(axis=1), 1)[:, None]
        return np.where(visits > 0, self._totals / np.maximum(visits, 1), mean)

    def _logits(self) -> Doubles:
        """Returns what a policy should learn, [M, C]; -inf for padding."""
        own = np.take_along_axis(self._values(), self._seats[:, None, None], axis=2)[:, :, 0]
        return self._logs + (own - own.max(axis=1, keepdims=True)) / self._weight

    def _ranking(self) -> Indices:
        """Returns the candidates best first, [M, C]: those that were dropped last come first."""
        return np.lexsort((-self._logits(), -self.visits, ~self.alive), axis=1)


def affordable_candidates(playouts: float) -> int:
    """Returns the largest power of two of candidates that sequential halving can try, or 1.

    C candidates take C + C / 2 + ... + 2 playouts at least.
    """
    size = 1
    while 4 * size - 2 <= playouts:
        size *= 2
    return size
