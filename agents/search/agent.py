"""An agent that searches: it tries candidates on many deals of what it does not know."""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.config import GameConfig
from gonzaga_env.core.state.from_observations import states_from_observations
from gonzaga_env.core.state.state import PLACE, PLAN
from gonzaga_env.tabletop.agent import Considered

from ..agent import InputSize, SizedAgent
from ..gonzaga.candidates import Indices
from ..gonzaga.heuristic import Weights
from ..gonzaga.planner import PLANNED
from ..gonzaga.playouts import Playouts
from ..gonzaga.value import Value
from .budget import DEFAULT_BUDGET, NAME, Budget
from .guides import Guide, HeuristicGuide
from .root import Root

UNIT = "expected share of the victory, less a handicap by the prior"
_ENOUGH_PLAYOUTS = 64  # from which playouts of two rounds choose better than twice as many of one
NUM_CANDIDATES = 8
NOISE = 0.5
_CHUNK_PLAYOUTS = 1536  # playouts at once, which bounds memory to some tens of MB


class SearchAgent(SizedAgent):
    """Flat Monte Carlo over determinizations, with sequential halving (Karnin et al., 2013).

    For each decision it takes the best candidates of a prior and draws what is hidden from it:
    objectives, decks and sealed plans, the latter by the planner with noise. Every candidate is
    tried on the same deals, so that luck cancels. A playout goes on to the end of the next round,
    with small budgets to that of this round, where a value says which share of the victory the seat
    may expect. After every stage the worse half of the candidates is dropped. Deals, candidates and
    all decisions of a batch are played together, as games of one engine.

    Attributes:
        name: "search", with its budget if that is not the default one ("search@16").
    """

    def __init__(
        self,
        config: GameConfig | None = None,
        budget: Budget = DEFAULT_BUDGET,
        guide: Guide | None = None,
        *,
        value: Value | None = None,
        num_rounds: int | None = None,
        num_candidates: int = NUM_CANDIDATES,
        noise: float = NOISE,
        weights: Weights = PLANNED,
    ) -> None:
        """Sets up the search.

        Args:
            config: what is played; by default, four players on "europe".
            budget: of each decision.
            guide: prior and value; by default the planner's scores and `value`.
            value: of positions between rounds; by default the shipped one.
            num_rounds: rounds that a playout goes on, this one included; None goes on for two
                where the budget is enough for 64 playouts, else for one.
            num_candidates: C, candidates of each decision.
            noise: how far the others' plans stray from the planner's, in points.
            weights: what playouts play by.
        """
        self._config = config or GameConfig()
        self.name = NAME if budget == DEFAULT_BUDGET else f"{NAME}@{budget}"
        self._budget, self._num_rounds, self._num_candidates = budget, num_rounds, num_candidates
        self._size = InputSize.of(self._config)
        self._features = self._config.features
        self._playouts = Playouts(self._config, weights, noise)
        if guide is None:
            value = Value.shipped(self._config) if value is None else value
            guide = HeuristicGuide(self._config, self._playouts, value)
        self._guide = guide
        self._seconds = 50e-6  # that a round of a playout took of late; plans a budget of time

    def act(
        self,
        observations: NDArray[np.uint8],
        masks: NDArray[np.bool_],
        rng: np.random.Generator,
    ) -> NDArray[np.int64]:
        """Returns a legal action for each row, [M] (see `Agent.act`).

        Raises:
            OptionError: the observations or masks are of another game.
        """
        self._size.check(observations, masks)
        phases = self._features.view(observations, "phase")[:, 0]
        actions = np.zeros(len(observations), dtype=np.int64)
        for phase in (PLAN, PLACE):
            rows = (phases == phase).nonzero()[0]
            if len(rows):
                root = self.search(observations[rows], masks[rows], phase, rng)
                best = root.ranking()[:, 0]
                actions[rows] = root.actions[np.arange(len(rows)), best]
        return actions

    def consider(
        self, observation: NDArray[np.uint8], mask: NDArray[np.bool_], rng: np.random.Generator
    ) -> Considered:
        """Returns the candidates with their values (see `ConsideringAgent`).

        Raises:
            OptionError: the observation or mask is of another game.
        """
        self._size.check(observation[None], mask[None])
        phase = int(self._features.view(observation, "phase")[0])
        root = self.search(observation[None], mask[None], phase, rng)
        order = root.ranking()[0]
        order = order[root.actions[0, order] >= 0]
        values, visits = root.estimates()[0, order], root.visits[0, order]
        return Considered(root.actions[0, order], values, UNIT, visits)

    def search(
        self,
        observations: NDArray[np.uint8],
        masks: NDArray[np.bool_],
        phase: int,
        rng: np.random.Generator,
    ) -> Root:
        """Returns decisions of one phase with what was found of their candidates.

        Args:
            observations: [M, D].
            masks: [M, A].
            phase: PLAN or PLACE.
            rng: the source of all randomness.
        """
        seats = self._features.view(observations, "seat").argmax(axis=1)
        num_rounds = self._num_rounds or (2 if self._affordable(2) >= _ENOUGH_PLAYOUTS else 1)
        size = min(self._num_candidates, affordable_candidates(self._affordable(num_rounds)))
        actions, priors = self._guide.candidates(observations, masks, seats, phase, size, rng)
        root = Root.of(observations, seats, actions, priors, num_rounds)
        self._compare(root, phase, rng)
        return root

    def _compare(self, root: Root, phase: int, rng: np.random.Generator) -> None:
        """Spends the budget; after each stage the worse half of the candidates is dropped."""
        for num_deals in self._stages(root):
            started, before = perf_counter(), root.visits.sum()
            self._try(root, phase, num_deals, rng)
            if (num_playouts := root.visits.sum() - before) > 0:
                self._seconds = (perf_counter() - started) / num_playouts / root.num_rounds
            root.halve()

    def _affordable(self, num_rounds: int, num_played: int = 0, seconds: float = 0.0) -> float:
        """Returns how many playouts a decision can afford that has played some in some seconds."""
        if self._budget.milliseconds is None:
            return float(self._budget.simulations or 0) - num_played
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

    def _try(self, root: Root, phase: int, num_deals: int, rng: np.random.Generator) -> None:
        """Tries the contested candidates on some deals and adds up what they are worth."""
        tried = root.contested()
        num_contested = tried.sum(axis=1)
        decisions = num_contested.nonzero()[0]
        most = max(1, int(num_contested.max()))
        at_once = max(1, _CHUNK_PLAYOUTS // most)  # deals
        for start in range(0, num_deals, at_once):
            deals = min(at_once, num_deals - start)
            size = max(1, _CHUNK_PLAYOUTS // (most * deals))
            for first in range(0, len(decisions), size):
                self._play(root, tried, phase, decisions[first : first + size], deals, rng)

    def _play(
        self,
        root: Root,
        tried: NDArray[np.bool_],
        phase: int,
        decisions: Indices,
        num_deals: int,
        rng: np.random.Generator,
    ) -> None:
        """Plays one batch of playouts: of the candidates tried [M, C] of some decisions."""
        deals = states_from_observations(self._config, root.observations[decisions], rng, num_deals)
        row, candidate = tried[decisions].nonzero()
        decision = decisions[row]
        games = (row[:, None] * num_deals + np.arange(num_deals)).reshape(-1)
        seats = root.seats[decision].repeat(num_deals)
        actions = root.actions[decision, candidate].repeat(num_deals)
        if phase == PLAN:
            plans = self._playouts.draw_plans(deals, rng)[games]
            plans[np.arange(len(games)), seats] = actions
            engine = self._playouts.after_plans(deals.take(games), plans)
        else:
            engine = self._playouts.after_placements(deals.take(games), actions)
        self._playouts.play_rounds(engine, root.num_rounds, rng)
        values = self._guide.values(engine, seats)
        root.totals[decision, candidate] += values.reshape(-1, num_deals).sum(axis=1)
        root.visits[decision, candidate] += num_deals


def affordable_candidates(playouts: float) -> int:
    """Returns the largest power of two of candidates that sequential halving can try, or 1.

    C candidates take C + C / 2 + ... + 2 playouts at least.
    """
    size = 1
    while 4 * size - 2 <= playouts:
        size *= 2
    return size
