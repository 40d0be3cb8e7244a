"""Where this round's fief may lie on the present map, for every legal plan.

Fiefs turned up and pieces on the map are public, and legal plans follow from cards that lie open,
so nothing here is hidden from the seat.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.batch.transitions import legal_placements
from gonzaga_env.core.board import bits
from gonzaga_env.core.board.actions import ACTION_CARD_NAMES, NUM_PLANS, PLAN_CARDS
from gonzaga_env.core.board.bits import Words
from gonzaga_env.core.board.tables import Tables
from gonzaga_env.core.config import Rules
from gonzaga_env.core.constants import LEAGUE_POINTS
from gonzaga_env.core.state import State, current_fiefs
from gonzaga_env.core.view import founds

Spot = tuple[int, int, int, int]


@dataclass(frozen=True)
class SpotGroup:
    """Spots that the same plans allow.

    Attributes:
        card: the action card that they take (R4.2).
        regions: region cards of legal plans, any of which will do (R4.1).
        spots: rotation, row and column of the fief's first cell, and points scored immediately.
    """

    card: str
    regions: tuple[str, ...]
    spots: tuple[Spot, ...]


@dataclass(frozen=True)
class PlanSpots:
    """What legal plans allow now.

    Attributes:
        num_spots: placements of the fief by plan, [L] (R4).
        num_weddings: weddings by plan, [L] (R5).
        best: most points that a spot scores immediately, [L]; -1 where there is none.
        groups: all spots, each once.
    """

    num_spots: list[int]
    num_weddings: list[int]
    best: list[int]
    groups: tuple[SpotGroup, ...]


def plan_spots(
    tables: Tables, rules: Rules, state: State, seat: int, plans: Sequence[int]
) -> PlanSpots:
    """Returns what plans would allow if they were carried out now."""
    fief, sets = int(current_fiefs(state)[0, seat]), tables.legal_sets
    legal = if_planned(tables, state, seat, np.asarray(plans, dtype=np.int64))
    num_spots = bits.count(legal[:, sets.fief_words])
    num_weddings = bits.count(legal[:, sets.ring_words])
    legal[:, sets.ring_words] = 0
    owners, actions = sets.list_actions(legal, np.full(len(legal), fief))
    rows = tables.placements.row(fief, actions - NUM_PLANS)
    leagues = founds(tables, rules, state, seat, rows).sum(axis=1)  # R6.2
    points = tables.points[state.scenario[0], rows].sum(axis=1) + LEAGUE_POINTS * leagues  # R6.1
    best = np.full(len(legal), -1)
    np.maximum.at(best, owners, points)
    groups = _groups(tables, np.asarray(plans)[owners], actions, points)
    return PlanSpots(num_spots.tolist(), num_weddings.tolist(), best.tolist(), groups)


def if_planned(tables: Tables, state: State, seat: int, plans: NDArray[np.int64]) -> Words:
    """Returns the placements and weddings that each plan allows, [L, words] (`LegalSets`)."""
    games = state.take(np.zeros(len(plans), dtype=np.int64))
    games.plan[:, seat] = plans
    games.ring_stock[:, seat] -= PLAN_CARDS[plans, 2].astype(np.uint8)  # R3.4
    return legal_placements(tables, games, np.arange(len(plans)), np.full(len(plans), seat))


def _groups(
    tables: Tables,
    plans: NDArray[np.int64],
    actions: NDArray[np.int64],
    points: NDArray[np.int64],
) -> tuple[SpotGroup, ...]:
    """Returns spots by the plans that allow them; given are M pairs of plan and spot."""
    allowing: dict[tuple[int, int], set[int]] = {}
    for plan, action, score in zip(plans.tolist(), actions.tolist(), points.tolist(), strict=True):
        allowing.setdefault((action, score), set()).add(plan)
    grouped: dict[tuple[int, ...], list[Spot]] = {}
    for (action, score), under in allowing.items():
        rotation, anchor = divmod(action - NUM_PLANS, tables.num_hexes)
        spot = (rotation, *tables.edition.grid.cells[anchor], score)
        grouped.setdefault(tuple(sorted(under)), []).append(spot)
    return tuple(_group(tables, under, spots) for under, spots in grouped.items())


def _group(tables: Tables, plans: tuple[int, ...], spots: list[Spot]) -> SpotGroup:
    regions = dict.fromkeys(PLAN_CARDS[list(plans), 0].tolist())
    names = tables.actions.region_names
    card = ACTION_CARD_NAMES[PLAN_CARDS[plans[0], 1]]
    return SpotGroup(card, tuple(names[region] for region in regions), tuple(spots))
