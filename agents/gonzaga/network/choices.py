"""Lists and describes the choices of a decision.

The choices are the legal actions that the planner scores highest, at most `NUM_CHOICES`. A plan is
described by the best placement or wedding that it opens on the current map.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.board.actions import NUM_PLANS, PLAN_CARDS
from gonzaga_env.core.config import GameConfig
from gonzaga_env.core.constants import LEAGUE_HARBORS, NUM_REGION_CARDS
from gonzaga_env.core.state import State

from ...common.arrays import Floats, Indices, best_of_rows
from ..candidates import NUM_COUNTS, candidate_tables
from ..heuristic import Heuristic, SeatValues
from ..planner import PLANNED, less_rivals
from .sites import POINTS

NUM_CHOICES = 16
MOST_SPOTS = 4
_PLACEMENT = (
    "points",  # of the sites that it covers, in `POINTS` (R6.1)
    "leagues",  # that it founds
    "objective",  # cities of the own objective that it covers
    "league_worth",  # to the planner, in `POINTS`
    "sites",  # that it covers, of 3
    *(f"group_{code}" for code in ("none", "small", "largest", "both")),  # own pieces it touches
    "land",  # hexes on land, of 4
    "hexes",  # of 4
)
_KINDS = ("fief", "ring", "rings", "donation")
_PLAN = (
    "plan",
    *(f"action_{card}" for card in "ABC"),
    "privilege",
    "rivals",  # others expected to place in its region before
    "opened",  # the planner's score of the best placement that it opens, in `POINTS`
    "nothing",  # it opens nothing better than a donation
    "flourishing",  # its region
    *(f"region_{card}" for card in range(NUM_REGION_CARDS)),
)
CHOICE_FEATURES = ("score", "behind", "first", *_PLACEMENT, *_KINDS, *_PLAN)
"""The first are the planner's score, how far it is below the best one, both in `POINTS`, and
whether it is the best one."""
BEHIND = CHOICE_FEATURES.index("behind")
_AT = {name: index for index, name in enumerate(CHOICE_FEATURES)}
_PLACEMENTS = slice(3, 3 + len(_PLACEMENT))


class Choices(NamedTuple):
    """The choices of M decisions (see `Inputs`)."""

    features: Floats  # [M, K, G]
    spots: NDArray[np.uint8]  # [M, K, 4]
    actions: NDArray[np.int16]  # [M, K]


class ChoiceReader:
    """Reads choices for a game."""

    def __init__(self, config: GameConfig, planner: Heuristic) -> None:
        """Takes the heuristic that lists choices and says what they are worth."""
        self._tables, self._table = config.tables, candidate_tables(config.tables)
        self._planner = planner

    def placements(
        self, state: State, values: SeatValues, rows: Indices, actions: Indices
    ) -> Choices:
        """Returns the choices of M decisions in the placing phase.

        Args:
            state: N games.
            values: what hexes are worth to the deciding seats.
            rows: the decision of each legal action, [L], ascending.
            actions: the legal actions, [L].
        """
        fiefs, scores = values.fiefs, self._planner.placements(values, rows, actions)
        at, place = best_of_rows(rows, scores, NUM_CHOICES)
        row, chosen = rows[at], actions[at]
        placement = self._tables.placements.row(fiefs[row], chosen - NUM_PLANS)
        features = self._describe(state, values, row, placement)
        weddings, donate = self._tables.actions.weddings, self._tables.actions.donate
        wedding = (chosen >= weddings.start) & (chosen < weddings.stop)
        two = self._table.cells[placement, 1] < self._tables.num_hexes
        kinds = (~wedding & (chosen != donate), wedding & ~two, wedding & two, chosen == donate)
        for kind, which in zip(_KINDS, kinds, strict=True):
            features[:, _AT[kind]] = which
        return self._arrange(len(fiefs), row, place, chosen, scores[at], features, placement)

    def plans(
        self, state: State, values: SeatValues, before: Floats, rows: Indices, actions: Indices
    ) -> Choices:
        """Returns the choices of M decisions in the planning phase.

        Args:
            state: N games.
            values: what hexes are worth to the deciding seats.
            before: others who are expected to place in a plan's region before it, [M, 42].
            rows: the decision of each legal plan, [L], ascending.
            actions: the legal plans, [L].
        """
        opened, placements = self._planner.best_placements(state, values)
        region, card, privilege = PLAN_CARDS[actions].T
        worth, rivals = opened[rows, region, card], before[rows, actions]
        cost = np.float32(PLANNED.privilege) * privilege
        scores = less_rivals(worth - cost, rivals)
        at, place = best_of_rows(rows, scores, NUM_CHOICES)
        row, chosen = rows[at], actions[at]
        region, card, privilege = region[at], card[at], privilege[at]
        placement = placements[row, region, card]
        features = self._describe(state, values, row, placement)
        flourishing = np.pad(self._tables.flourishing, ((0, 0), (0, 1)))
        features[:, _AT["plan"]] = 1
        features[:, _AT["privilege"]] = privilege
        features[:, _AT["rivals"]] = rivals[at]
        features[:, _AT["opened"]] = worth[at] / POINTS
        features[:, _AT["nothing"]] = placement == len(self._table.cells) - 1
        features[:, _AT["flourishing"]] = flourishing[state.scenario[values.games][row], region]
        each = np.arange(len(row))
        features[each, _AT["action_A"] + card] = 1
        features[each, _AT["region_0"] + region] = 1
        return self._arrange(len(before), row, place, chosen, scores[at], features, placement)

    def _describe(
        self, state: State, values: SeatValues, rows: Indices, placements: Indices
    ) -> Floats:
        """Returns features of placements and weddings, [L, G]."""
        table, num_sites = self._table, self._table.num_sites
        out = np.zeros((len(rows), len(CHOICE_FEATURES)), dtype=np.float32)
        sites, cells = table.placement_sites[placements], table.cells[placements]
        scenario = state.scenario[values.games]
        objective = state.objective[values.games, values.seats]
        seas = table.placement_seas[placements]
        stages = self._planner.league_stages(state, values.games, values.seats)
        sea, count = np.divmod(seas, NUM_COUNTS)
        held = stages[rows[:, None], sea]
        founds = (held < LEAGUE_HARBORS) & (held + count >= LEAGUE_HARBORS)
        groups = np.bitwise_or.reduce(values.near[rows[:, None], cells], axis=1)  # type: ignore[index]
        found = (
            table.site_values[scenario[rows, None], sites].sum(axis=1) / POINTS,
            founds.sum(axis=1),
            table.objective_sites[objective[rows, None], sites].sum(axis=1),
            values.leagues[rows[:, None], seas].sum(axis=1) / POINTS,
            (sites < num_sites).sum(axis=1) / 3,
            *(groups == code for code in range(4)),
            (self._tables.region[cells] < NUM_REGION_CARDS - 1).sum(axis=1) / 4,
            (cells < self._tables.num_hexes).sum(axis=1) / 4,
        )
        for index, values_of in enumerate(found, start=_PLACEMENTS.start):
            out[:, index] = values_of
        return out

    def _arrange(
        self,
        num_decisions: int,
        rows: Indices,
        places: Indices,
        actions: Indices,
        scores: Floats,
        features: Floats,
        placements: Indices,
    ) -> Choices:
        """Returns listed choices [L] as padded arrays [M, K]."""
        shape = num_decisions, NUM_CHOICES
        features[:, 0] = scores / POINTS
        features[:, BEHIND] = (scores - scores[places == 0][rows]) / POINTS
        features[:, 2] = places == 0
        arranged = np.zeros((*shape, len(CHOICE_FEATURES)), dtype=np.float32)
        spots = np.full((*shape, MOST_SPOTS), self._table.num_sites, dtype=np.uint8)
        listed = np.full(shape, -1, dtype=np.int16)
        arranged[rows, places] = features
        sites = self._table.placement_sites[placements, :MOST_SPOTS]  # R4.7: three at most
        spots[rows, places, : sites.shape[1]] = sites
        listed[rows, places] = actions
        return Choices(arranged, spots, listed)
