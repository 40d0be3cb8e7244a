"""The legal choices of Gonzaga in plain values: plans, and placements, weddings and donations.

They follow from what the seat knows: fiefs turned up, pieces on the map and cards that lie open are
public, so nothing here is hidden from it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.batch.transitions import legal_placements
from gonzaga_env.core.board import bits
from gonzaga_env.core.board.actions import (
    ACTION_CARD_NAMES,
    NUM_PLANS,
    PLAN_CARDS,
    plan_action,
    plan_cards,
)
from gonzaga_env.core.board.bits import Words
from gonzaga_env.core.board.tables import Tables
from gonzaga_env.core.config import Rules
from gonzaga_env.core.constants import LEAGUE_POINTS
from gonzaga_env.core.edition import Cell
from gonzaga_env.core.refusals import RefusalFinder
from gonzaga_env.core.single.game import Game
from gonzaga_env.core.state import KINDS, State, current_fiefs, list_plans
from gonzaga_env.core.view import PlanCards, ScoredMove, founds, new_leagues, scored_move

Deck = Literal["region", "action", "privilege"]
PlacementKind = Literal["fief", "wedding", "donation"]


Spot = tuple[int, int, int, int]


@dataclass(frozen=True)
class PlanChoice:
    """A legal plan (R3.2)."""

    action: int  # index in the action space
    region: str  # the name of a region, or "inactive"
    card: str  # "A", "B" or "C"
    privilege: bool  # whether King's Privilege lies on top
    words: str  # the plan in words, such as "Francia B"
    # placements of this round's fief that it allows on the present map; None if they are not shown
    spots: int | None
    best: int | None  # most points that one of them scores immediately; None if there is none
    weddings: int | None  # weddings that it allows on the present map; None if they are not shown


@dataclass(frozen=True)
class PlacementChoice:
    """A legal placement, wedding or donation (R3.6)."""

    action: int  # index in the action space
    kind: PlacementKind  # "fief", "wedding" or "donation"
    text: str  # the action as in records, such as "fief 5 r2 @ 12,7"
    rotation: int | None  # of a fief, 0 to 5; None for the others
    at: Cell | None  # hex of the fief's first cell or of the first ring; None for a donation
    cells: tuple[Cell, ...]  # hexes covered
    castles: tuple[Cell, ...]  # those of them with castles
    sites: tuple[str, ...]  # names of the cities and harbors among them
    leagues: tuple[str, ...]  # seas in which it founds a league
    points: int  # points that it scores immediately
    words: str  # all this in words, such as "fief 5 r2 @ 12,7: Rouen, +6"


@dataclass(frozen=True)
class FiefShape:
    """A fief as it is printed: axial cells (q, r) before any rotation, and those with castles."""

    number: int
    cells: tuple[tuple[int, int], ...]
    castles: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class HeldCard:
    """A card that a seat may not play this round, and why."""

    deck: Deck  # "region", "action" or "privilege"
    card: str  # its name, such as "Francia" or "A"
    refusal: dict[str, object]  # why, as `Refusal.event`


@dataclass(frozen=True)
class Planning:
    """The turn of a seat that plans."""

    fief: FiefShape  # this round's fief
    plans: tuple[PlanChoice, ...]  # the legal plans, in the order of the action space
    # where the fief may lie on the present map, by the plans that allow it; None if they are not
    # shown
    spots: tuple[SpotGroup, ...] | None
    held: tuple[HeldCard, ...]  # cards of the seat that no legal plan holds
    stage: Literal["planning"] = "planning"

    @property
    def choices(self) -> tuple[PlanChoice, ...]:
        return self.plans

    def without_spots(self) -> Planning:
        """Returns the turn without what plans allow on the map, such as for a puzzle about it."""
        plans = (replace(plan, spots=None, best=None, weddings=None) for plan in self.plans)
        return replace(self, plans=tuple(plans), spots=None)


@dataclass(frozen=True)
class Placing:
    """The turn of a seat that places: its fief, and all legal placements."""

    fief: FiefShape
    placements: tuple[PlacementChoice, ...]
    stage: Literal["placing"] = "placing"

    @property
    def choices(self) -> tuple[PlacementChoice, ...]:
        return self.placements


Turn = Planning | Placing


def turn(game: Game, actions: list[int]) -> Turn:
    """Returns the turn of the seat to act, whose legal actions are given."""
    if KINDS[game.kind] == "plan":
        return planning(game.tables, game.rules, game.state, game.seat)
    reader = _Placements(game.tables, game.rules, game.state, game.seat)
    return Placing(
        fief_shape(game.tables, reader.fief), tuple(reader.choice(action) for action in actions)
    )


def planning(tables: Tables, rules: Rules, state: State, seat: int) -> Planning:
    """Returns the turn of a seat that plans, whether the engine asks it now or later (R3.2)."""
    _, legal = list_plans(tables, state, np.array([0]), np.array([seat]))
    plans = legal.tolist()
    found = plan_spots(tables, rules, state, seat, plans)
    choices = (
        _plan_choice(tables, *values)
        for values in zip(plans, found.num_spots, found.best, found.num_weddings, strict=True)
    )
    shape = fief_shape(tables, int(current_fiefs(state)[0, seat]))
    return Planning(shape, tuple(choices), found.groups, tuple(_held(tables, state, seat, plans)))


def _plan_choice(tables: Tables, plan: int, spots: int, best: int, weddings: int) -> PlanChoice:
    region, card, privilege = plan_cards(plan)
    names = tables.actions.region_names[region], ACTION_CARD_NAMES[card]
    words = PlanCards(*names, bool(privilege)).words
    most = best if spots else None
    return PlanChoice(plan, *names, bool(privilege), words, spots, most, weddings)


def _held(tables: Tables, state: State, seat: int, plans: list[int]) -> Iterator[HeldCard]:
    region, card, _ = plan_cards(plans[0])
    tried: list[tuple[Deck, str, int]] = [
        ("region", name, plan_action(other, card))
        for other, name in enumerate(tables.actions.region_names)
    ]
    tried += [
        ("action", name, plan_action(region, other)) for other, name in enumerate(ACTION_CARD_NAMES)
    ]
    tried.append(("privilege", "privilege", plan_action(region, card, True)))
    for deck, name, plan in tried:
        refusal = RefusalFinder(tables, state, seat, plan).refuse_plan()
        if refusal is not None and refusal.kind != "inactive":  # not among the seat's cards (R2.1)
            yield HeldCard(deck, name, refusal.event)


def fief_shape(tables: Tables, fief: int) -> FiefShape:
    """Returns the shape of a fief by its index, from 0."""
    printed = tables.edition.fiefs[fief]
    return FiefShape(
        printed.number, printed.cells, tuple(printed.cells[i] for i in printed.castles)
    )


class _Placements:
    """Reads the placements of the seat to act."""

    def __init__(self, tables: Tables, rules: Rules, state: State, seat: int) -> None:
        self._tables, self._rules, self._state, self._seat = tables, rules, state, seat
        self.fief = int(current_fiefs(state)[0, seat])
        self._castles = tables.edition.fiefs[self.fief].castles

    def choice(self, action: int) -> PlacementChoice:
        actions = self._tables.actions
        move = scored_move(self._tables, self._state, self._seat, self.fief, action, self._leagues)
        if move.fief is None:
            return self._make(action, "wedding" if move.cells else "donation", move)
        rotation = (action - actions.fief.start) // actions.num_hexes
        return self._make(action, "fief", move, rotation)

    def _make(
        self, action: int, kind: PlacementKind, move: ScoredMove, rotation: int | None = None
    ) -> PlacementChoice:
        castles = [] if rotation is None else [move.cells[i] for i in self._castles]
        return PlacementChoice(
            action=action,
            kind=kind,
            text=move.action,
            rotation=rotation,
            at=move.cells[0] if move.cells else None,
            cells=move.cells,
            castles=tuple(castles),
            sites=move.sites,
            leagues=move.leagues,
            points=move.points,
            words=move.words,
        )

    def _leagues(self, row: int) -> tuple[str, ...]:
        if not self._tables.num_harbors[row]:
            return ()
        return tuple(new_leagues(self._tables, self._rules, self._state, self._seat, row))


@dataclass(frozen=True)
class SpotGroup:
    """Spots that the same plans allow."""

    card: str  # the action card that they take (R4.2)
    regions: tuple[str, ...]  # region cards of legal plans, any of which will do (R4.1)
    # rotation, row and column of the fief's first cell, and points scored immediately
    spots: tuple[Spot, ...]


@dataclass(frozen=True)
class PlanSpots:
    """The placements and weddings that legal plans allow now."""

    num_spots: list[int]  # placements of the fief by plan, [L] (R4)
    num_weddings: list[int]  # weddings by plan, [L] (R5)
    best: list[int]  # most points that a spot scores immediately, [L]; -1 where there is none
    groups: tuple[SpotGroup, ...]  # all spots, each once


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
    tables: Tables, plans: NDArray[np.int64], actions: NDArray[np.int64], points: NDArray[np.int64]
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
