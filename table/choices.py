"""The legal choices of the seat to act in plain values, for people to choose from.

They follow from what the seat knows, so they hold nothing that is hidden from it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from gonzaga_env.core.board.actions import NUM_PLANS, plan_cards
from gonzaga_env.core.board.notation import ACTION_CARD_NAMES
from gonzaga_env.core.board.tables import Tables
from gonzaga_env.core.constants import DONATION_POINTS, LEAGUE_POINTS
from gonzaga_env.core.editions.edition import Cell
from gonzaga_env.core.options import Rules
from gonzaga_env.core.single.game import Game
from gonzaga_env.core.state.state import KINDS, State, current_fiefs
from gonzaga_env.core.view.describe import new_leagues, site_names
from gonzaga_env.core.view.game_view import Move, PlanCards
from gonzaga_env.games import game_spec

PlacementKind = Literal["fief", "wedding", "donation"]


@dataclass(frozen=True)
class PlanChoice:
    """A legal plan (R3.2).

    Attributes:
        action: index in the action space.
        region: the name of a region, or "inactive".
        card: "A", "B" or "C".
        privilege: whether King's Privilege lies on top.
        words: the plan in words, such as "Francia B".
    """

    action: int
    region: str
    card: str
    privilege: bool
    words: str


@dataclass(frozen=True)
class PlacementChoice:
    """A legal placement, wedding or donation (R3.6).

    Attributes:
        action: index in the action space.
        kind: "fief", "wedding" or "donation".
        text: the action as in records, such as "fief 5 r2 @ 12,7".
        rotation: of a fief, 0 to 5; None for the others.
        at: hex of the fief's first cell or of the first ring; None for a donation.
        cells: hexes covered.
        castles: those of them with castles.
        sites: names of the cities and harbors among them.
        leagues: seas in which it founds a league.
        points: points that it scores immediately.
        words: all this in words, such as "fief 5 r2 @ 12,7: Rouen, +6".
    """

    action: int
    kind: PlacementKind
    text: str
    rotation: int | None
    at: Cell | None
    cells: tuple[Cell, ...]
    castles: tuple[Cell, ...]
    sites: tuple[str, ...]
    leagues: tuple[str, ...]
    points: int
    words: str


@dataclass(frozen=True)
class FiefShape:
    """A fief as it is printed: axial cells (q, r) before any rotation, and those with castles."""

    number: int
    cells: tuple[tuple[int, int], ...]
    castles: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Planning:
    """The turn of a seat that plans: its legal plans, in the order of the action space."""

    plans: tuple[PlanChoice, ...]
    stage: Literal["planning"] = "planning"

    @property
    def choices(self) -> tuple[PlanChoice, ...]:
        """The plans."""
        return self.plans


@dataclass(frozen=True)
class Placing:
    """The turn of a seat that places: its fief, and all legal placements."""

    fief: FiefShape
    placements: tuple[PlacementChoice, ...]
    stage: Literal["placing"] = "placing"

    @property
    def choices(self) -> tuple[PlacementChoice, ...]:
        """The placements."""
        return self.placements


@dataclass(frozen=True)
class ActionChoice:
    """A legal action of a game whose decisions take one action each.

    Attributes:
        action: index in the action space.
        text: the action as in records, such as "tile L4".
        words: the action in words, such as "tile on L4 (monastery)".
    """

    action: int
    text: str
    words: str


@dataclass(frozen=True)
class Deciding:
    """The turn of a seat that chooses an action.

    Attributes:
        kind: what it decides, one of `GameSpec.kinds`.
        choices: the legal actions, in the order of the action space.
    """

    kind: str
    choices: tuple[ActionChoice, ...]
    stage: Literal["deciding"] = "deciding"


Turn = Planning | Placing | Deciding


def turn_of(game: Any) -> Turn | None:
    """Returns the legal choices of the seat to act; None where the game is over."""
    if game.finished:
        return None
    actions = np.flatnonzero(game.mask()).tolist()
    return _gonzaga_turn(game, actions) if isinstance(game, Game) else _deciding(game, actions)


def _deciding(game: Any, actions: list[int]) -> Deciding:
    choices = (
        ActionChoice(action, game.actions.to_text(action), game.describe(action))
        for action in actions
    )
    return Deciding(game_spec(game.config.game).kinds[game.kind], tuple(choices))


def _gonzaga_turn(game: Game, actions: list[int]) -> Planning | Placing:
    if KINDS[game.kind] == "plan":
        return Planning(tuple(plan_choice(game.tables, action) for action in actions))
    reader = _Placements(game.tables, game.rules, game.state, game.seat)
    return Placing(
        fief_shape(game.tables, reader.fief), tuple(reader.choice(action) for action in actions)
    )


def plan_choice(tables: Tables, action: int) -> PlanChoice:
    """Returns a plan in plain values."""
    region, card, privilege = plan_cards(action)
    names = tables.actions.region_names[region], ACTION_CARD_NAMES[card]
    cards = PlanCards(*names, bool(privilege))
    return PlanChoice(action, *names, bool(privilege), cards.words)


def fief_shape(tables: Tables, fief: int) -> FiefShape:
    """Returns the shape of a fief by its index, from 0."""
    printed = tables.edition.fiefs[fief]
    return FiefShape(
        printed.number, printed.cells, tuple(printed.cells[i] for i in printed.castles)
    )


class _Placements:
    """Reads the placements of the seat to act.

    Attributes:
        fief: index of its fief, from 0.
    """

    def __init__(self, tables: Tables, rules: Rules, state: State, seat: int) -> None:
        self._tables, self._rules, self._state, self._seat = tables, rules, state, seat
        self.fief = int(current_fiefs(state)[0, seat])
        self._castles = tables.edition.fiefs[self.fief].castles
        self._names = site_names(tables)
        self._points = tables.points[state.scenario[0]]

    def choice(self, action: int) -> PlacementChoice:
        """Returns a legal action in plain values."""
        actions = self._tables.actions
        text = actions.to_text(action, self.fief + 1)
        if action == actions.donate:
            return self._make(
                action, "donation", Move(self._seat, text, (), (), (), DONATION_POINTS)
            )
        row = int(self._tables.placements.row(self.fief, action - NUM_PLANS))
        hexes = self._tables.placements.cells[row].tolist()
        leagues = self._leagues(row)
        points = int(self._points[row].sum()) + LEAGUE_POINTS * len(leagues)  # R6.1, R6.2
        sites = tuple(self._names[cell] for cell in hexes if cell in self._names)
        move = Move(self._seat, text, tuple(self._cells(hexes)), sites, leagues, points)
        if action >= actions.ring.start:
            return self._make(action, "wedding", move)
        rotation = (action - actions.fief.start) // actions.num_hexes
        return self._make(action, "fief", move, rotation)

    def _make(
        self, action: int, kind: PlacementKind, move: Move, rotation: int | None = None
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

    def _cells(self, hexes: list[int]) -> Iterator[Cell]:
        grid = self._tables.edition.grid.cells
        return (grid[i] for i in hexes if i < len(grid))
