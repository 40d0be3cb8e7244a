"""Reads a `GameView` from a state.

Hidden are other seats' sealed plans, other seats' objectives until the end, and the order of all
decks. `ViewReader.knows` is the only gate to them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise

import numpy as np

from gonzaga_env.core import constants as c
from gonzaga_env.core.board import bits
from gonzaga_env.core.board.actions import ACTION_CARD_NAMES, NO_PLAN, NUM_PLANS, plan_cards
from gonzaga_env.core.board.edition import NUM_ROTATIONS, Cell, Edition
from gonzaga_env.core.board.placements import PlacementFault
from gonzaga_env.core.board.tables import Tables, tables_for
from gonzaga_env.core.config import GameConfig
from gonzaga_env.core.state import PLACE, State, acting_seats, objective_cities, open_sites, winners
from gonzaga_env.core.view.describe import site_names
from gonzaga_env.core.view.game_view import (
    GameView,
    Move,
    ObjectiveView,
    PlacedFief,
    PlacedRing,
    PlanCards,
    PlayerView,
    Precedence,
)
from gonzaga_env.kernel.decisions import ViewReader


@dataclass(frozen=True)
class _Reader(ViewReader[State, GameView]):
    config: GameConfig

    @cached_property
    def tables(self) -> Tables:
        return self.config.tables

    @cached_property
    def over(self) -> bool:
        return bool(self.state.finished[0])

    @cached_property
    def placing(self) -> bool:
        return not self.over and bool(self.state.phase[0] == PLACE)

    @cached_property
    def won(self) -> list[bool]:
        return (winners(self.tables, self.state)[0] & self.over).tolist()

    @cached_property
    def objective_cities(self) -> list[int]:
        return objective_cities(self.tables, self.state)[0].tolist()

    def view(self, last: tuple[int, int] | None) -> GameView:
        edition, state = self.tables.edition, self.state
        scenario = edition.scenarios[state.scenario[0]]
        regions = tuple(edition.regions.values())
        return GameView(
            edition=edition.name,
            digest=edition.digest,
            reconstruction=edition.reconstruction,
            scenario=scenario.name,
            flourishing=tuple(name for name in regions if name in scenario.flourishing),
            inactive=tuple(name for name in regions if name not in scenario.flourishing),
            viewer=self.viewer,
            round=int(state.round[0]),
            last_round=bool(state.last_round[0]),
            stage="over" if self.over else "placing" if self.placing else "planning",
            open_sites=int(open_sites(self.tables, state)[0]),
            open_sites_at_end=edition.size.open_sites_at_end,
            to_act=None if self.over else int(acting_seats(state)[0]),
            order=self.order,
            precedence=tuple(self.precedence(*pair) for pair in pairwise(self.order)),
            players=tuple(self.player(seat) for seat in range(state.num_players)),
            fiefs=tuple(self.fiefs()),
            rings=tuple(self.rings()),
            last=None if last is None else self.last(*last),
        )

    @cached_property
    def order(self) -> tuple[int, ...]:
        return tuple(self.state.order[0].tolist()) if self.placing else ()

    def precedence(self, first: int, second: int) -> Precedence:
        """Returns what puts a seat before another, both of the turn order (R3.5)."""
        (_, action, privilege), other = (
            plan_cards(int(self.state.plan[0, seat])) for seat in (first, second)
        )
        if privilege != other[2]:
            return "privilege"
        return "card" if action == other[1] else "action"

    def player(self, seat: int) -> PlayerView:
        state, shown = self.state, int(self.state.round[0])
        deck = (state.deck[0, seat] + 1).tolist()
        seas = self.tables.edition.seas.values()
        leagues = zip(seas, state.leagues[0, seat].tolist(), strict=True)
        visible = self.placing or self.knows(seat)
        return PlayerView(
            seat=seat,
            name=self.name(seat),
            scores=tuple(state.scores[0, seat].tolist()),
            rings=int(state.ring_stock[0, seat]),
            fief=None if self.over else deck[shown - 1],
            card=None if self.over else 10 * deck[shown - 1] + seat + 1,
            deck=tuple(sorted(deck[shown : self.tables.edition.size.fiefs])),
            locked=None if self.over else self.plan(int(state.previous_plan[0, seat])),
            planned=not self.over and int(state.plan[0, seat]) != NO_PLAN,
            plan=self.plan(int(state.plan[0, seat])) if visible else None,
            harbors=tuple(state.sea_harbors[0, seat].tolist()),
            leagues=tuple(name for name, founded in leagues if founded),
            largest_group=int(state.largest_group[0, seat]),
            objective=self.objective(seat),
            won=self.won[seat],
        )

    def plan(self, plan: int) -> PlanCards | None:
        if plan == NO_PLAN:
            return None
        region, card, privilege = plan_cards(plan)
        name = self.tables.actions.region_names[region]
        return PlanCards(name, ACTION_CARD_NAMES[card], bool(privilege))

    def objective(self, seat: int) -> ObjectiveView | None:
        if not self.tables.edition.size.objectives or not (self.over or self.knows(seat)):
            return None
        symbols = self.tables.edition.objectives[self.state.objective[0, seat]]
        return ObjectiveView(symbols, self.objective_cities[seat])

    def cells(self, hexes: Sequence[int]) -> tuple[Cell, ...]:
        """Returns rows and columns; numbers off the map are left out."""
        cells = self.tables.edition.grid.cells
        return tuple(cells[i] for i in hexes if i < len(cells))

    def fiefs(self) -> Iterator[PlacedFief]:
        for seat, piece in enumerate(self.state.piece[0, :, :-1]):
            held: dict[int, list[int]] = {}
            hexes = np.flatnonzero(piece)
            for cell, number in zip(hexes.tolist(), piece[hexes].tolist(), strict=True):
                held.setdefault(number, []).append(cell)
            for number in sorted(held):
                if number <= c.NUM_FIEFS:  # higher numbers are rings
                    yield _placed_fief(self.tables.edition, seat, number, tuple(held[number]))

    def rings(self) -> Iterator[PlacedRing]:
        for seat, slots in enumerate(self.state.ring_cells[0].tolist()):
            yield from (PlacedRing(seat, cell) for cell in self.cells(slots))

    def last(self, seat: int, action: int) -> Move:
        """Describes the last move, of this round or the one before."""
        tables, state = self.tables, self.state
        this_round = self.over or (self.placing and state.num_acted[0] > 0)
        shown = int(state.round[0]) - (1 if this_round else 2)
        fief = int(state.deck[0, seat, shown])
        text = tables.actions.to_text(action, fief + 1)
        if action == tables.actions.donate:
            return Move(seat, text, (), (), (), c.DONATION_POINTS)
        row = int(tables.placements.row(fief, action - NUM_PLANS))
        names = site_names(tables)
        hexes = tables.placements.cells[row].tolist()
        leagues = self.founded(seat, row)
        points = int(tables.points[state.scenario[0], row].sum())  # R6.1
        return Move(
            seat=seat,
            action=text,
            cells=self.cells(hexes),
            sites=tuple(names[cell] for cell in hexes if cell in names),
            leagues=leagues,
            points=points + c.LEAGUE_POINTS * len(leagues),  # R6.2
            fief=None if action >= tables.actions.ring.start else fief + 1,
        )

    def founded(self, seat: int, row: int) -> tuple[str, ...]:
        """Returns the seas in which a placement founded a league (R6.2)."""
        now, more = self.state.sea_harbors[0, seat], self.tables.sea_harbors[row]
        new = self.state.leagues[0, seat] & (now.astype(int) - more < c.LEAGUE_HARBORS)
        seas = list(self.tables.edition.seas.values())
        return tuple(seas[sea] for sea in np.flatnonzero(new))


view_game = _Reader.view_game


@lru_cache(maxsize=4096)  # a fief stays where it is (R4.6)
def _placed_fief(edition: Edition, seat: int, number: int, hexes: tuple[int, ...]) -> PlacedFief:
    tables, cells = tables_for(edition), edition.grid.cells
    castles = sorted(_castles(tables, number, hexes))
    return PlacedFief(
        seat, number, tuple(cells[i] for i in hexes), tuple(cells[i] for i in castles)
    )


def _castles(tables: Tables, number: int, hexes: tuple[int, ...]) -> list[int]:
    """Returns the hexes of a fief's castles: those of the one legal rotation that fits.

    None if no rotation fits, as in a state that was edited by hand.
    """
    placements, num_hexes = tables.placements, tables.num_hexes
    held = np.isin(np.arange(num_hexes), hexes)
    first = np.arange(NUM_ROTATIONS)[:, None] * num_hexes + np.array(hexes)  # of first cells
    rows = (number - 1) * NUM_ROTATIONS * num_hexes + first.reshape(-1)
    fits = (placements.bits[rows] == bits.pack(held)).all(axis=1)
    fits &= placements.fault[rows] == PlacementFault.NONE
    if not fits.any():
        return []
    castles = tables.edition.fiefs[number - 1].castles
    return placements.cells[rows[fits.argmax()]][list(castles)].tolist()
