"""Says why an action is illegal, by the first rule that it breaks, and the hexes at fault."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core import constants as c
from gonzaga_env.core.board import bits
from gonzaga_env.core.board.actions import (
    ACTION_CARD_NAMES,
    NO_PLAN,
    NUM_PLANS,
    PAIR_DIRECTIONS,
    plan_cards,
)
from gonzaga_env.core.board.bits import Words
from gonzaga_env.core.board.tables import Tables
from gonzaga_env.core.edition import (
    NUM_ROTATIONS,
    Cell,
    Fief,
    offset_neighbors,
    rotate,
    to_axial,
    to_offset,
)
from gonzaga_env.core.state import PLACE, PLAN, State, acting_seats, current_fiefs
from gonzaga_env.core.view import site_names
from gonzaga_env.kernel.bounded import Json
from gonzaga_env.kernel.errors import ActionError, IllegalActionError

Cells = tuple[Cell, ...]


@dataclass(frozen=True)
class Refusal:
    """Why the rules forbid something."""

    kind: str  # a word for programs, such as "barrier"
    rule: str  # number of the first rule broken
    text: str  # the reason in English
    hexes: Cells = ()  # (row, column) of the hexes at fault, on the map or off; empty where none is
    # What the reason is about, by kind, such as `{"barrier": "Alpes"}`.
    values: Mapping[str, Json] = field(default_factory=dict)

    @property
    def event(self) -> dict[str, Json]:
        """All of it as a flat dict of plain values."""
        found = {"kind": self.kind, "rule": self.rule, "text": self.text, "hexes": self.hexes}
        return found | dict(self.values)


def fief_hexes(fief: Fief, rotation: int, at: Cell) -> Cells:
    """Returns the hexes of a fief whose first cell lies at a hex, on the map or off, in order."""
    (first_q, first_r), (q, r) = fief.cells[0], to_axial(*at)
    turned = rotate(((a - first_q, b - first_r) for a, b in fief.cells), rotation)
    return tuple(to_offset(q + a, r + b) for a, b in turned)


def ways_to_cover(fief: Fief, cells: Cells) -> Iterator[Cells]:
    """Yields every way in which a fief covers exactly these hexes; castles may lie differently."""
    for rotation in range(NUM_ROTATIONS):
        for at in cells:
            if set(way := fief_hexes(fief, rotation, at)) == set(cells):
                yield way


@dataclass(frozen=True)
class RefusalFinder:
    """Finds why an intended action of a seat with a plan is illegal on the present map."""

    tables: Tables  # the tables of the edition
    state: State  # one game
    seat: int  # whose plan, fief or rings
    # The plan, made or only thought of, as index in the action space; `NO_PLAN` leaves cards out of
    # account.
    plan: int

    @property
    def fief_shape(self) -> Fief:
        return self.tables.edition.fiefs[int(current_fiefs(self.state)[0, self.seat])]

    def refuse_plan(self) -> Refusal | None:
        """Returns why the plan is illegal (R2.1, R3.3, R3.4); None if it is legal."""
        region, card, privilege = plan_cards(self.plan)
        if region != c.INACTIVE_CARD and not self._flourishing[region]:
            text = f"{self._card_name} is inactive; its card is not in the game"
            return Refusal("inactive", "R2.1", text, values={"region": self._card_name})
        previous = int(self.state.previous_plan[0, self.seat])
        old = (None, None, 0) if previous == NO_PLAN else plan_cards(previous)
        if region == old[0]:
            return _played("region", self._card_name, f"the card {self._card_name}")
        if card == old[1]:
            name = ACTION_CARD_NAMES[card]
            return _played("action", name, f"the card {name}")
        if privilege and old[2]:
            return _played("privilege", "privilege", "King's Privilege")
        if privilege and not self.state.ring_stock[0, self.seat]:
            text = "King's Privilege costs a ring, and no ring is left"
            return Refusal("no_ring", "R3.4", text, values={"card": "privilege"})
        return None

    def refuse_fief(self, ways: Sequence[Cells]) -> Refusal | None:
        """Returns why the fief may not lie on some hexes; None if it may.

        Rules are checked in their order (R4.1 to R4.5): region, card, hexes.
        `ways` has the hexes in the order of the fief's cells, for each way to cover them that is
        meant (`ways_to_cover`); one that the castles allow is enough.
        """
        cells = ways[0]
        by_cards = None
        if self.plan != NO_PLAN:
            by_cards = self._elsewhere(cells, "R4.1", "none of its hexes") or self._sites(cells)
        return (
            by_cards
            or self._off_map(cells)
            or self._taken(cells)
            or self._castle(ways)
            or self._barrier(cells)
        )

    def refuse_rings(self, cells: Cells) -> Refusal | None:
        """Returns why one ring or two may not lie on some hexes (R5); None if they may."""
        if self.plan == NO_PLAN:
            return self._rings_apart(cells) or self._under_ring(cells)
        return (
            self._no_wedding(len(cells))
            or self._elsewhere(cells, "R5.2", "no ring")
            or self._rings_apart(cells)
            or self._under_ring(cells)
        )

    # Fiefs.

    def _off_map(self, cells: Cells) -> Refusal | None:
        off = self._beyond(cells)
        text = "one of its hexes is off the map"
        return Refusal("off_map", "R4.3", text, off) if off else None

    def _castle(self, ways: Sequence[Cells]) -> Refusal | None:
        castles = self.fief_shape.castles
        at_sea = self.tables.region == c.NUM_REGIONS
        wet = [self._where([way[i] for i in castles], at_sea) for way in ways]
        if not all(wet):
            return None
        seas = list(self.tables.edition.seas.values())
        sea = seas[self.tables.sea[self._number(wet[0][0])]]
        text = "a castle is on water; castles must be on land"
        return Refusal("castle", "R4.4", text, wet[0], {"sea": sea})

    def _barrier(self, cells: Cells) -> Refusal | None:
        for barrier in self.tables.edition.barriers:
            edges = {frozenset(edge) for edge in barrier.edges}
            split = [pair for pair in combinations(cells, 2) if frozenset(pair) in edges]
            if split:
                hexes = tuple(cell for cell in cells if any(cell in pair for pair in split))
                text = "two of its adjacent hexes are separated by a barrier"
                return Refusal("barrier", "R4.5", text, hexes, {"barrier": barrier.name})
        return None

    def _taken(self, cells: Cells) -> Refusal | None:
        for seat, held in enumerate(self._fiefs):
            if on := self._where(cells, held):
                text = "one of its hexes holds a fief"
                return Refusal("taken", "R4.3", text, on, {"seat": seat})
        if on := self._where(cells, self._rings[self.seat]):
            text = "one of its hexes holds an own ring"
            return Refusal("own_ring", "R4.3", text, on)
        return None

    def _sites(self, cells: Cells) -> Refusal | None:
        """R4.2."""
        tables, (_, card, _) = self.tables, plan_cards(self.plan)
        cities = self._where(cells, tables.city_mask)
        harbors = self._where(cells, tables.harbor_sea < c.NUM_SEAS)
        covered = f"it covers {len(cities)} cities and {len(harbors)} harbors"
        needs = {
            c.HARBORS: "action A needs at least one harbor and no city",
            c.CITIES: "action B allows no harbor",
            c.ALLIANCE: "action C needs at least one city and one harbor",
        }
        fits = {
            c.HARBORS: harbors and not cities,
            c.CITIES: not harbors,
            c.ALLIANCE: cities and harbors,
        }
        if fits[card]:
            return None
        wrong = {c.HARBORS: cities, c.CITIES: harbors, c.ALLIANCE: ()}[card] or cells
        names = site_names(tables)
        values = {
            "card": ACTION_CARD_NAMES[card],
            "cities": [names[self._number(cell)] for cell in cities],
            "harbors": [names[self._number(cell)] for cell in harbors],
        }
        return Refusal("sites", "R4.2", f"{needs[card]}; {covered}", wrong, values)

    # Rings.

    def _no_wedding(self, num_rings: int) -> Refusal | None:
        """R5.1."""
        _, card, privilege = plan_cards(self.plan)
        if card != c.ALLIANCE:
            name = ACTION_CARD_NAMES[card]
            text = f"a wedding needs action C; {name} is planned"
            return Refusal("no_alliance", "R5.1", text, values={"card": name})
        stock = int(self.state.ring_stock[0, self.seat])
        if self.state.phase[0] == PLAN:  # R3.4: the Privilege of this plan is still to be paid
            stock = max(0, stock - privilege)
        if stock < num_rings:
            text = f"rings needed: {num_rings}, left: {stock}"
            return Refusal("few_rings", "R5.1", text, values={"needed": num_rings, "left": stock})
        return None

    def _rings_apart(self, cells: Cells) -> Refusal | None:
        if off := self._beyond(cells):
            which = "second ring" if off[0] != cells[0] else "ring"
            return Refusal("off_map", "R5.2", f"the {which} is off the map", off)
        if len(cells) == 2 and cells[1] not in offset_neighbors(*cells[0]):
            return Refusal("apart", "R5.2", "two rings lie on neighboring hexes", cells)
        return None

    def _under_ring(self, cells: Cells) -> Refusal | None:
        if on := self._where(cells, self._fiefs[self.seat]):
            return Refusal("own_fief", "R5.4", "one of its hexes holds an own fief", on)
        for seat, held in enumerate(self._rings):
            if on := self._where(cells, held):
                text = "one of its hexes already holds a ring"
                return Refusal("ringed", "R5.4", text, on, {"seat": seat})
        return None

    # Both.

    def _elsewhere(self, cells: Cells, rule: str, what: str) -> Refusal | None:
        """R4.1, R5.2: with the inactive card, any inactive region is planned."""
        region, _, _ = plan_cards(self.plan)
        planned = (
            ~self._flourishing if region == c.INACTIVE_CARD else np.arange(c.NUM_REGIONS) == region
        )
        touched = {int(self.tables.region[self._number(cell)]) for cell in cells} - {c.NUM_REGIONS}
        if planned[list(touched)].any():
            return None
        names = np.array(list(self.tables.edition.regions.values()), dtype=object)[planned]
        values = {"region": self._card_name, "regions": names.tolist()}
        text = f"{what} is in the planned region ({self._card_name})"
        return Refusal("region", rule, text, cells, values)

    # The map.

    @property
    def _card_name(self) -> str:
        return self.tables.actions.region_names[plan_cards(self.plan)[0]]

    @property
    def _flourishing(self) -> NDArray[np.bool_]:
        return self.tables.flourishing[self.state.scenario[0]]

    @cached_property
    def _fiefs(self) -> NDArray[np.uint8]:
        """Hexes under each player's fiefs, [P, H]."""
        return self._unpacked(self.state.fiefs)

    @cached_property
    def _rings(self) -> NDArray[np.uint8]:
        """Hexes under each player's rings, [P, H]."""
        return self._unpacked(self.state.rings)

    def _unpacked(self, words: Words) -> NDArray[np.uint8]:
        return bits.unpack(words[0], self.tables.num_hexes)

    def _beyond(self, cells: Cells) -> Cells:
        return tuple(cell for cell in cells if cell not in self.tables.edition.grid.index)

    def _number(self, cell: Cell) -> int:
        """Returns the number of a hex, H off the map."""
        return self.tables.edition.grid.index.get(cell, self.tables.num_hexes)

    def _where(self, cells: Sequence[Cell], where: NDArray[np.generic]) -> Cells:
        """Returns the hexes at which an array [H] or [H + 1] holds True, none off the map."""
        index = self.tables.edition.grid.index
        return tuple(cell for cell in cells if cell in index and where[index[cell]])


def _played(kind: str, card: str, words: str) -> Refusal:
    values = {"deck": kind, "card": card}
    return Refusal("played", "R3.3", f"{words} was played in the last round", values=values)


def explain_illegal(tables: Tables, state: State, game: int, action: int) -> IllegalActionError:
    """Returns the error for an illegal action of a game: it names seat, action, reason and rule."""
    seat = int(acting_seats(state)[game])
    rule, why = _reason(tables, state.take(slice(game, game + 1)), seat, action)
    fief = int(current_fiefs(state)[game, seat]) + 1
    try:
        text = tables.actions.to_text(action, fief)
    except ActionError:  # a second ring off the map has no text
        text = "two rings"
    return IllegalActionError(
        f"game {game}, seat {seat}: action {action} ({text}) is illegal: {why} ({rule})",
        game=game,
        seat=seat,
        action=action,
        rule=rule,
    )


def _reason(tables: Tables, state: State, seat: int, action: int) -> tuple[str, str]:
    placing = bool(state.phase[0] == PLACE)
    if placing and action < NUM_PLANS:
        return "R3.6", "plans are already revealed; place or donate a fief, or arrange a wedding"
    if not placing and action >= NUM_PLANS:
        return "R3.2", "it is time to plan, not to place"
    refusal = _refusal(tables, state, seat, action, placing)
    return refusal.rule, refusal.text


def _refusal(tables: Tables, state: State, seat: int, action: int, placing: bool) -> Refusal:
    finder = RefusalFinder(tables, state, seat, int(state.plan[0, seat]) if placing else action)
    grid, spatial = tables.edition.grid, action - NUM_PLANS
    if not placing:
        refusal = finder.refuse_plan()
    elif action >= tables.actions.ring.start:
        refusal = finder.refuse_rings(_ring_cells(tables, action))
    else:
        rotation, anchor = divmod(spatial, tables.num_hexes)
        cells = fief_hexes(finder.fief_shape, rotation, grid.cells[anchor])
        refusal = finder.refuse_fief([cells]) or _SAME_HEXES
    assert refusal is not None  # the engines ask about illegal actions only
    return refusal


def _ring_cells(tables: Tables, action: int) -> tuple[Cell, ...]:
    """Returns the hexes of one ring or of two; the second may be off the map."""
    kind, anchor = divmod(action - tables.actions.ring.start, tables.num_hexes)
    first = tables.edition.grid.cells[anchor]
    if kind == 0:
        return (first,)
    return first, offset_neighbors(*first)[PAIR_DIRECTIONS[kind - 1]]


_SAME_HEXES = Refusal(
    "same_hexes", "R4", "a lower rotation covers the same hexes; only that one is legal"
)
