"""A baseline that takes the most points now: it knows the rules and does not look ahead."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.board.actions import NUM_PLANS, PLAN_CARDS
from gonzaga_env.core.board.placements import PlacementFault
from gonzaga_env.core.board.tables import Tables
from gonzaga_env.core.config import GameConfig
from gonzaga_env.core.constants import (
    ALLIANCE,
    CITIES,
    DONATION_POINTS,
    HARBORS,
    LEAGUE_HARBORS,
    LEAGUE_POINTS,
    NUM_ACTION_CARDS,
    NUM_FIEFS,
    NUM_REGION_CARDS,
    NUM_REGIONS,
    OBJECTIVE_POINTS,
)
from gonzaga_env.core.observation.features import FeatureTable, feature_table

from ..agent import Considered, InputSize
from .random_agent import choose_among

# Among equal points: place rather than donate, and spend no ring without need.
_DONATION = DONATION_POINTS - 0.5
_RING_COST = 0.1
_IMPOSSIBLE = -1.0
UNIT = (
    f"points now, objective included, less {_RING_COST} a ring and "
    f"{DONATION_POINTS - _DONATION} a donation"
)
_OBJECTIVE = np.array(OBJECTIVE_POINTS, dtype=np.float32)

Indices = NDArray[np.int64]
Gains = NDArray[np.float32]


class GreedyAgent:
    """Plans and places for the most immediate points.

    It counts cities and harbors, the leagues that the action founds (as if each player may found
    one, R6.3) and the points that the action adds to its objective. It ignores groups and the other
    players' plans, and never plays King's Privilege. Ties are broken at random.

    Attributes:
        name: "greedy".
    """

    name = "greedy"

    def __init__(self, config: GameConfig | None = None) -> None:
        """Lists the placements that each plan allows.

        Args:
            config: what is played; by default, four players on "europe".
        """
        config = config or GameConfig()
        self._size, self._tables = InputSize.of(config), config.tables
        self._features = feature_table(self._tables.num_hexes, config.num_players)
        num_fief_rows = len(self._tables.placements.cells) - 1 - 4 * self._tables.num_hexes
        by_fief = np.arange(num_fief_rows).reshape(NUM_FIEFS, -1)
        self._fiefs = [_Candidates.of(self._tables, rows) for rows in by_fief]
        rings = np.arange(num_fief_rows, len(self._tables.placements.cells) - 1)
        self._weddings = _Candidates.of(self._tables, rings, weddings=True)

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
        placing = self._features.view(observations, "phase")[:, 0] == 1
        actions = np.zeros(len(observations), dtype=np.int64)
        for rows, gains_of in ((~placing, self._plan_gains), (placing, self._placement_gains)):
            if rows.any():
                view = _View.of(self._features, observations[rows])
                gains = np.where(masks[rows], gains_of(view, masks[rows]), _IMPOSSIBLE)
                best = gains >= gains.max(axis=1, keepdims=True) - 1e-4
                actions[rows] = choose_among(best, rng)
        return actions

    def consider(
        self, observation: NDArray[np.uint8], mask: NDArray[np.bool_], rng: np.random.Generator
    ) -> Considered:
        """Returns all legal actions with the points that they gain (see `ConsideringAgent`).

        Raises:
            OptionError: the observation or mask is of another game.
        """
        observations, masks = observation[None], mask[None]
        self._size.check(observations, masks)
        placing = self._features.view(observation, "phase")[0] == 1
        gains_of = self._placement_gains if placing else self._plan_gains
        gains = gains_of(_View.of(self._features, observations), masks)
        return Considered.ranked(mask, gains[0], UNIT)

    def _placement_gains(self, view: _View, masks: NDArray[np.bool_]) -> Gains:
        """Returns the points of each legal action of the placing phase, [M, A]."""
        gains = np.zeros(masks.shape, dtype=np.float32)
        games, actions = np.nonzero(masks[:, NUM_PLANS:-1])
        rows = self._tables.placements.row(view.fief[games], actions)
        gains[games, NUM_PLANS + actions] = _gains(self._tables, view, games, rows)
        gains[:, -1] = _DONATION
        return gains

    def _plan_gains(self, view: _View, masks: NDArray[np.bool_]) -> Gains:
        """Returns the points of the best action that each plan allows on this map, [M, A]."""
        best = np.full((len(masks), NUM_REGION_CARDS, NUM_ACTION_CARDS), _DONATION, np.float32)
        for fief in np.unique(view.fief):
            games = np.flatnonzero(view.fief == fief)
            self._improve(best, view, games, self._fiefs[fief], view.blocked)
        self._improve(best, view, np.arange(len(masks)), self._weddings, view.ring_blocked)
        best[:, -1] = np.where(view.flourishing[:, :, None], _DONATION, best[:, :-1]).max(axis=1)
        gains = np.zeros(masks.shape, dtype=np.float32)
        region, action, privilege = PLAN_CARDS.T
        gains[:, :NUM_PLANS] = best[:, region, action] * (privilege == 0)
        return gains

    def _improve(
        self,
        best: Gains,
        view: _View,
        games: Indices,
        candidates: _Candidates,
        blocked: NDArray[np.bool_],
    ) -> None:
        """Raises the points of plans [M, 7, 3] to those of the best candidate in some games."""
        rows, at = candidates.rows, games[:, None]
        gains = _gains(self._tables, view, at, rows)
        cells = self._tables.placements.cells[rows]
        gains[blocked[at[:, :, None], cells].any(axis=2)] = _IMPOSSIBLE
        gains[candidates.num_rings > view.ring_stock[at]] = _IMPOSSIBLE
        most = np.maximum.reduceat(gains, candidates.starts, axis=1)
        plans = best.reshape(len(best), -1)
        plans[at, candidates.plans] = np.maximum(plans[at, candidates.plans], most)


@dataclass(frozen=True)
class _Candidates:
    """Placements that geometry allows, sorted by region and action card.

    Attributes:
        rows: rows of `Placements`, [T]; a placement that touches two regions is listed twice.
        starts: where each run of one region and action card starts.
        plans: region * 3 + action of each run.
        num_rings: number of rings of each, [T].
    """

    rows: Indices
    starts: Indices
    plans: Indices
    num_rings: Indices

    @classmethod
    def of(cls, tables: Tables, rows: Indices, weddings: bool = False) -> _Candidates:
        rows = rows[tables.placements.fault[rows] == PlacementFault.NONE]
        cells = tables.placements.cells[rows]
        cities, harbors = tables.num_cities[rows] > 0, tables.num_harbors[rows] > 0
        action = np.where(harbors, np.where(cities, ALLIANCE, HARBORS), CITIES)
        if weddings:
            action[:] = ALLIANCE
        touched, candidate = np.nonzero((tables.region[cells] == _REGIONS[:, None, None]).any(2))
        plan = touched * NUM_ACTION_CARDS + action[candidate]
        order = plan.argsort(kind="stable")
        plans, starts = np.unique(plan[order], return_index=True)
        num_rings = (cells < tables.num_hexes).sum(axis=1) * weddings
        return cls(rows[candidate[order]], starts, plans, num_rings[candidate[order]])


_REGIONS = np.arange(NUM_REGIONS)


@dataclass(frozen=True)
class _View:
    """The features that count, of M observations; planes have an extra hex H for "off the map"."""

    fief: Indices  # [M]
    value: Gains  # [M, H + 1]
    objective: NDArray[np.int64]  # cities of the objective not held yet, [M, H + 1]
    objective_held: NDArray[np.int64]  # [M]
    blocked: NDArray[np.bool_]  # hexes that stop a fief, [M, H + 1] (R4.3)
    ring_blocked: NDArray[np.bool_]  # hexes that stop a ring, [M, H + 1] (R5.4)
    ring_stock: Indices  # [M]
    flourishing: NDArray[np.bool_]  # [M, 6]
    # Harbors missing for a league, [M, 6]; 99 where none can be founded. With three harbors and
    # no league, another player has the league under the option "first_only" (R6.3).
    harbors_missing: NDArray[np.int64]

    @classmethod
    def of(cls, features: FeatureTable, observations: NDArray[np.uint8]) -> _View:
        def padded(plane: NDArray[Any]) -> NDArray[Any]:
            return np.pad(plane, ((0, 0), (0, 1)))

        found = {f.name: features.view(observations, f.name) for f in features}
        fiefs, rings = found["fiefs"].astype(bool), found["rings"].astype(bool)
        held = fiefs[:, 0] | rings[:, 0]
        objective = found["objective"].astype(np.int64)
        missing = LEAGUE_HARBORS - found["sea_harbors"][:, 0].astype(np.int64)
        return cls(
            fief=found["fief"][:, 0].argmax(axis=1),
            value=padded(found["value"].astype(np.float32)),
            objective=padded(objective * ~held),
            objective_held=(objective * held).sum(axis=1),
            blocked=padded(fiefs.any(axis=1) | rings[:, 0]),
            ring_blocked=padded(fiefs[:, 0] | rings.any(axis=1)),
            ring_stock=found["ring_stock"][:, 0].astype(np.int64),
            flourishing=found["flourishing"].astype(bool),
            harbors_missing=np.where((found["leagues"][:, 0] == 1) | (missing <= 0), 99, missing),
        )


def _gains(tables: Tables, view: _View, games: Indices, rows: Indices) -> Gains:
    """Returns the immediate points of placements, and of the objective; the arrays broadcast."""
    cells, at = tables.placements.cells[rows], games[..., None]
    held = view.objective_held[games]
    gains: Gains = view.value[at, cells].sum(axis=-1)
    gains += _OBJECTIVE[held + view.objective[at, cells].sum(axis=-1)] - _OBJECTIVE[held]
    founds = tables.sea_harbors[rows] >= view.harbors_missing[games]
    gains += LEAGUE_POINTS * founds.sum(axis=-1)
    num_cells = (cells < tables.num_hexes).sum(axis=-1)
    gains -= _RING_COST * num_cells * (rows >= NUM_FIEFS * 6 * tables.num_hexes)
    return gains
