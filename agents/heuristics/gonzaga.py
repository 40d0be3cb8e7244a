"""Agents that play what their weights make of positions: greedy, planner, and a gentle teacher."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.batch.engine import Engine
from gonzaga_env.core.board.actions import NUM_PLANS, PLAN_CARDS
from gonzaga_env.core.config import GameConfig
from gonzaga_env.core.constants import DONATION_POINTS, NUM_ACTION_CARDS, NUM_REGION_CARDS
from gonzaga_env.core.observe import states_from_observations
from gonzaga_env.core.state import PLACE, PLAN, State, current_fiefs, list_plans

from ..agent import HeuristicAgent as HeuristicBase
from ..arrays import Indices, Masks, Observations, best_of_each
from .gonzaga_scores import IMMEDIATE, Heuristic, Scores, Weights


class HeuristicAgent(HeuristicBase):
    """Plays what scores highest, from observations or straight from an engine's state."""

    weights: ClassVar[Weights]  # what positions are worth to it

    def __init__(self, config: GameConfig | None = None) -> None:
        """Takes the configuration; by default, four players on "europe"."""
        config = config or GameConfig()
        super().__init__(config)
        self._seat = config.features["seat"].slice
        self._heuristic = Heuristic(config.tables, config.rules, self.weights)

    def act_in(
        self, engine: Engine, games: Indices, seats: Indices, rng: np.random.Generator
    ) -> Indices:
        """Returns a legal action for each decision, [M] (see `EngineAgent.act_in`)."""
        rows, actions = list_legal(engine, games, seats)
        scores = self._score(engine.state, games, seats, rows, actions)
        return actions[best_of_each(scores, rows, len(games))]

    def score(
        self, observations: Observations, masks: Masks, rng: np.random.Generator
    ) -> tuple[Indices, Indices, Scores]:
        """See `HeuristicBase.score`."""
        state = states_from_observations(self._config, observations, rng)
        seats = observations[:, self._seat].argmax(axis=1)
        rows, actions = masks.nonzero()
        return rows, actions, self._score(state, np.arange(len(masks)), seats, rows, actions)

    def _score(
        self, state: State, games: Indices, seats: Indices, rows: Indices, actions: Indices
    ) -> Scores:
        """Returns the scores of the legal actions [L] of M decisions, which may be of any phase."""
        scores = np.empty(len(rows), dtype=np.float32)
        placing = state.phase[games] == PLACE
        for is_placing in np.unique(placing):
            decisions = (placing == is_placing).nonzero()[0]
            at = (placing[rows] == is_placing).nonzero()[0]
            among = np.searchsorted(decisions, rows[at])
            own = state, games[decisions], seats[decisions]
            if is_placing:
                values = self._heuristic.values(*own)
                scores[at] = self._heuristic.placements(values, among, actions[at])
            else:
                scores[at] = self._plan_scores(*own)[among, actions[at]]
        return scores

    def _plan_scores(self, state: State, games: Indices, seats: Indices) -> Scores:
        """Returns the score of every plan, [M, 42]."""
        return self._heuristic.plans(state, self._heuristic.values(state, games, seats))


def list_legal(engine: Engine, games: Indices, seats: Indices) -> tuple[Indices, Indices]:
    """Returns the legal actions of M decisions of any kinds (see `EngineAgent.act_in`).

    Returns:
        Positions among the M decisions and actions, two arrays [L], sorted by position.
    """
    kinds, listed = engine.kinds[games], []
    for kind in np.unique(kinds):
        which = (kinds == kind).nonzero()[0]
        if kind == PLAN:
            rows, actions = list_plans(engine.tables, engine.state, games[which], seats[which])
        else:
            rows, actions = engine.legal_actions(games[which])
        listed.append((which[rows], actions))
    if len(listed) == 1:
        return listed[0]
    rows, actions = map(np.concatenate, zip(*listed, strict=True))
    order = rows.argsort(kind="stable")
    return rows[order], actions[order]


class GreedyAgent(HeuristicAgent):
    """Plans and places for the most immediate points.

    It counts cities and harbors, the leagues that the action founds and, for each city of its
    objective, the points of the next one. It ignores groups and the other players' plans, and never
    plays King's Privilege.
    """

    name, weights = "greedy", IMMEDIATE
    unit = "points now, objective included, less 0.1 a ring and 0.5 a donation"


class Rivals:
    """The plans that are expected of all seats: a softmax of their scores on this map.

    Fiefs, cards and rings of all seats are public. Seats that have sealed their plans are expected
    to plan as if they had not.
    """

    def __init__(
        self,
        heuristic: Heuristic,
        state: State,
        games: Indices,
        seats: Indices,
        temperature: float,
        near: NDArray[np.uint8] | None = None,
    ) -> None:
        """Scores the plans of the seats that are rivals of another one.

        Args:
            heuristic: scores plans; it should not look at objectives, which are secret.
            state: N games in the planning phase.
            games: the game of each of M decisions; games may be listed several times.
            seats: the deciding seats, [M].
            temperature: of the softmax, in points.
            near: what `near_all_seats` returns, where it is known.
        """
        distinct, first, self._which, count = np.unique(
            games, return_index=True, return_inverse=True, return_counts=True
        )
        self._seats, players = seats, np.arange(state.num_players)
        is_rival = (count[:, None] > 1) | (seats[first, None] != players)
        self._chances = np.zeros((*is_rival.shape, NUM_PLANS), dtype=np.float32)
        row, seat = is_rival.nonzero()
        known = None if near is None else near[distinct[row] * len(players) + seat]
        scores = heuristic.legal_plans(state, distinct[row], seat, known)
        chances = np.exp((scores - scores.max(axis=1, keepdims=True)) / np.float32(temperature))
        self._chances[row, seat] = chances / chances.sum(axis=1, keepdims=True)
        self._card_numbers = current_fiefs(state, games) * len(players) + players  # R1.7

    def regions(self) -> Scores:
        """Returns the expected number of others with each region card, [M, 7]."""
        chances = self._chances[self._which]
        total = chances.sum(axis=1) - chances[np.arange(len(chances)), self._seats]
        return total @ _OF_REGION

    def before(self) -> Scores:
        """Returns how many others are expected in a plan's region before it, [M, 42]."""
        seats = self._seats
        each, num_players = np.arange(len(seats)), self._chances.shape[1]
        expected = np.zeros((len(seats), NUM_PLANS), dtype=np.float32)
        for offset in range(1, num_players):
            others = (seats + offset) % num_players
            chances = self._chances[self._which, others]
            wins_ties = self._card_numbers[each, others] < self._card_numbers[each, seats]
            for wins, is_before in enumerate(plans_before()):
                rows = (wins_ties == wins).nonzero()[0]
                expected[rows] += chances[rows] @ is_before
        return expected


_OF_REGION = (PLAN_CARDS[:, :1] == np.arange(NUM_REGION_CARDS)).astype(np.float32)  # [42, 7]


@cache
def plans_before() -> NDArray[np.float32]:
    """Returns whether their plan goes before mine in the same region, [2, 42 theirs, 42 mine].

    The first axis is whether their fief card has the lower number, which breaks ties (R3.5).
    """
    region, action, privilege = PLAN_CARDS.T
    priority = (1 - privilege) * NUM_ACTION_CARDS + action
    earlier = priority[:, None] < priority
    same_region = region[:, None] == region
    ties = priority[:, None] == priority
    return (np.stack([earlier, earlier | ties]) & same_region).astype(np.float32)


#: Found by a random search over matches against greedy and earlier weights.
PLANNED = Weights(
    objective=(0, 4, 10, 16.5, 22.5, 30, 35.5),
    league=(0, 1, 4),
    group=(0, 1.2, 3.1, 4.2),
    ring=0.7,
    privilege=1.5,
    donation=1.0,
)
_LOSS = 0.5  # share of a plan's gain that a seat takes which places in its region before
_MOST_RIVALS = 1.5
TEMPERATURE = 1.5  # of the others' plans, in points


class PlannerAgent(HeuristicAgent):
    """Plans and places for points now and later.

    Besides the points of an action it counts progress towards the objective and the sea leagues,
    the connection with its largest group, and what rings and King's Privilege are worth unspent. A
    plan is worth less the more other seats are likely to place in its region first.
    """

    name, unit, weights = "planner", "points now and promised", PLANNED

    def __init__(self, config: GameConfig | None = None) -> None:
        """Takes the configuration; by default, four players on "europe"."""
        config = config or GameConfig()
        super().__init__(config)
        self._others = Heuristic(config.tables, config.rules, replace(PLANNED, objective=None))

    def _plan_scores(self, state: State, games: Indices, seats: Indices) -> Scores:
        scores = super()._plan_scores(state, games, seats)
        rivals = Rivals(self._others, state, games, seats, TEMPERATURE).before()
        return less_rivals(scores, rivals)


def less_rivals(scores: Scores, rivals: Scores) -> Scores:
    """Returns the scores of plans, less the more others are expected in their region first."""
    gain = np.maximum(scores - DONATION_POINTS, 0)
    return scores - np.float32(_LOSS) * np.minimum(rivals, _MOST_RIVALS) * gain


MOST = 6.5  # points that it takes at once, where it can choose


class Teacher(GreedyAgent):
    """Plays as greedy does, but never more than a modest placement, and never at random.

    So a first game goes the same way for all who follow its lessons.

    Attributes:
        name: "teacher".
    """

    name = "teacher"

    def __init__(self, config: GameConfig | None = None) -> None:
        """Takes the configuration; by default, two players on "europe"."""
        super().__init__(config or GameConfig(2))

    def _act(self, observations: Observations, masks: Masks, rng: np.random.Generator) -> Indices:
        found = np.empty(len(masks), dtype=np.int64)
        for row in range(len(masks)):
            pair = observations[row : row + 1], masks[row : row + 1]
            _, actions, scores = self.score(*pair, np.random.default_rng(0))
            scores = scores.round(3)
            modest = np.where((actions < NUM_PLANS) | (scores <= MOST), scores, -np.inf)
            found[row] = actions[(modest if np.isfinite(modest).any() else scores).argmax()]
        return found
