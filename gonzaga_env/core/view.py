"""A game as a viewer may see it: positions, the lines of the log, and actions in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import cached_property, lru_cache, partial
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core import constants as c
from gonzaga_env.core.board import bits
from gonzaga_env.core.board.actions import (
    ACTION_CARD_NAMES,
    INACTIVE_NAME,
    NO_PLAN,
    NUM_PLANS,
    PRIVILEGE_SUFFIX,
    plan_cards,
)
from gonzaga_env.core.board.placements import PlacementFault
from gonzaga_env.core.board.tables import Tables, tables_for
from gonzaga_env.core.config import GameConfig, Rules
from gonzaga_env.core.edition import NUM_ROTATIONS, Cell, Edition
from gonzaga_env.core.state import (
    END_SOURCES,
    KINDS,
    NO_SEAT,
    PLACE,
    State,
    acting_seats,
    current_fiefs,
    objective_cities,
    open_sites,
    winners,
)
from gonzaga_env.kernel.arguments import as_action
from gonzaga_env.kernel.bounded import Json
from gonzaga_env.kernel.view import LogLine, Move, Player, View, ViewReader, victory

Precedence = Literal["privilege", "action", "card"]


@dataclass(frozen=True)
class PlacedFief:
    """A fief on the map: its owner, its number (1 to 12), its hexes and those with castles."""

    seat: int
    number: int
    cells: tuple[Cell, ...]
    castles: tuple[Cell, ...] = ()


@dataclass(frozen=True)
class PlacedRing:
    """A ring on the map."""

    seat: int
    cell: Cell


@dataclass(frozen=True)
class PlanCards:
    """The cards of a plan (R3.2)."""

    region: str  #: the name of a region, or "inactive"
    action: str  #: "A", "B" or "C"
    privilege: bool  #: whether King's Privilege lies on top

    @property
    def text(self) -> str:
        """The plan as in records, such as "Francia B + privilege"."""
        return f"{self.region} {self.action}{PRIVILEGE_SUFFIX if self.privilege else ''}"

    @property
    def cards(self) -> tuple[str, ...]:
        """The cards in words, such as ("inactive region", "B", "King's Privilege")."""
        region = "inactive region" if self.region == INACTIVE_NAME else self.region
        return (region, self.action, *(("King's Privilege",) if self.privilege else ()))

    @property
    def words(self) -> str:
        """The plan in words, such as "inactive region B + King's Privilege"."""
        region, action, *privilege = self.cards
        return " + ".join((f"{region} {action}", *privilege))


@dataclass(frozen=True)
class ObjectiveView:
    """An objective that the viewer knows: its two symbols, and how many cities are held (R8.2)."""

    symbols: tuple[str, str]
    held: int


@dataclass(frozen=True)
class ScoredMove(Move):
    """A fief that was placed, a wedding or a donation."""

    cells: tuple[Cell, ...]  #: the hexes that the fief or the rings cover
    sites: tuple[str, ...]  #: names of the cities and harbors among them
    leagues: tuple[str, ...]  #: seas in which it founded a league
    points: int  #: points that it scored immediately
    #: Number (1 to 12) of the fief that was placed; None for a wedding or a donation.
    fief: int | None = None

    @property
    def event(self) -> dict[str, Json]:
        """The move in plain values, with its kind, what it covers and what it scores."""
        if not self.cells:
            return {"kind": "donation", "points": self.points}
        what = {"kind": "wedding"} if self.fief is None else {"kind": "fief", "fief": self.fief}
        covered = {"cells": self.cells, "sites": self.sites, "leagues": self.leagues}
        return {**what, **covered, "points": self.points}

    @property
    def covered(self) -> str:
        """The names of the sites that it covers and of the leagues that it founds."""
        return ", ".join((*self.sites, *(f"sea league of {name}" for name in self.leagues)))

    @property
    def words(self) -> str:
        """The move in words, with what it covers and its points."""
        return f"{self.action}{': ' * bool(self.covered)}{self.covered}, +{self.points}"


@dataclass(frozen=True)
class PlayerView(Player):
    """A player, as the viewer may see it."""

    rings: int  #: rings unspent
    fief: int | None  #: number (1 to 12) of this round's fief; None when the game is over
    #: Number on its card, fief and seat from 1 (R1.7), which breaks ties (R3.5); None when the game
    #: is over.
    card: int | None
    deck: tuple[int, ...]  #: numbers of the fiefs still to come, sorted; their order is secret
    #: Cards not available because they were played in the round before (R3.3); None in the first
    #: round, and once they are back.
    locked: PlanCards | None
    planned: bool  #: whether this round's plan has been made
    #: This round's plan; None if there is none or the viewer may not know it.
    plan: PlanCards | None
    harbors: tuple[int, ...]  #: harbors held of each sea, in the order of the edition
    leagues: tuple[str, ...]  #: seas in which the player has a league
    largest_group: int  #: pieces in the largest connected group
    objective: ObjectiveView | None  #: None if the viewer may not know it, or there is none


@dataclass(frozen=True, repr=False)
class GameView(View):
    """A position, as a viewer may see it: nothing that is hidden from it is in here."""

    players: tuple[PlayerView, ...]  #: by seat
    last: ScoredMove | None  #: the last move but for plans; None where it is not known
    reconstruction: bool  #: whether the map is a reconstruction (R9.1)
    scenario: str  #: the scenario's name
    flourishing: tuple[str, ...]  #: regions that flourish, in the order of the edition
    inactive: tuple[str, ...]  #: the other regions
    last_round: bool  #: whether this round is the last
    open_sites: int  #: flourishing cities and harbors that nobody covers (R7.1)
    open_sites_at_end: int  #: as few of them bring the last round (R7.1)
    #: Seats in the turn order; empty while plans are sealed and when the game is over.
    order: tuple[int, ...]
    #: What puts each seat of `order` before the next, King's Privilege, the action card, or the
    #: number of the fief card (R3.5); one fewer than `order`.
    precedence: tuple[Precedence, ...]
    fiefs: tuple[PlacedFief, ...]  #: fiefs on the map, by seat and number
    #: Rings on the map, by seat and in the order in which they were placed.
    rings: tuple[PlacedRing, ...]

    @property
    def stage(self) -> str:
        """The decision in words, "planning", "placing" or "over"."""
        return {"plan": "planning", "place": "placing"}.get(self.decision, "over")


@dataclass(frozen=True)
class _Reader(ViewReader[GameConfig, State, GameView]):
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
            game=self.config.game,
            edition=edition.name,
            digest=edition.digest,
            reconstruction=edition.reconstruction,
            scenario=scenario.name,
            flourishing=tuple(name for name in regions if name in scenario.flourishing),
            inactive=tuple(name for name in regions if name not in scenario.flourishing),
            viewer=self.viewer,
            round=int(state.round[0]),
            last_round=bool(state.last_round[0]),
            decision="over" if self.over else KINDS[int(state.phase[0])],
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
            score=int(state.scores[0, seat].sum()),
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
        cells = self.tables.edition.grid.cells
        for seat, slots in enumerate(self.state.ring_cells[0].tolist()):
            yield from (PlacedRing(seat, cells[slot]) for slot in slots if slot < len(cells))

    def last(self, seat: int, action: int) -> ScoredMove:
        """Returns the last move, of this round or the one before."""
        this_round = self.over or (self.placing and self.state.num_acted[0] > 0)
        shown = int(self.state.round[0]) - (1 if this_round else 2)
        fief = int(self.state.deck[0, seat, shown])
        leagues = partial(self.founded, seat)
        return scored_move(self.tables, self.state, seat, fief, action, leagues)

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
    """Returns the hexes of a fief's castles, by the legal rotation that fits; None if none does."""
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


def describe_action(tables: Tables, rules: Rules, state: State, action: int) -> str:
    """Returns an action of the seat to act in words: text, sites covered, immediate points.

    For example "fief 5 r1 @ 9,6: Rouen, Orléans, Lyon; +9", or "Francia B" for a plan. It need not
    be legal. ActionError if it is not in the space, or puts a second ring off the map.
    """
    action = as_action(action, tables.actions.size)
    seat = int(acting_seats(state)[0])
    if seat == NO_SEAT or action < NUM_PLANS:
        return tables.actions.to_text(action)
    fief = int(current_fiefs(state)[0, seat])
    leagues = partial(new_leagues, tables, rules, state, seat)
    move = scored_move(tables, state, seat, fief, action, leagues)
    covered = f": {move.covered or 'no site'}" if move.cells else ""
    return f"{move.action}{covered}; +{move.points}"


def scored_move(
    tables: Tables,
    state: State,
    seat: int,
    fief: int,
    action: int,
    leagues: Callable[[int], Iterable[str]],
) -> ScoredMove:
    """Returns what a placement, a wedding or a donation covers and scores.

    The seat has a fief, 0 to 11. `leagues` returns the seas in which a placement, a row of the
    table, founds a league.
    """
    text = tables.actions.to_text(action, fief + 1)
    if action == tables.actions.donate:
        return ScoredMove(seat, text, (), (), (), c.DONATION_POINTS)
    row = int(tables.placements.row(fief, action - NUM_PLANS))
    hexes, cells = tables.placements.cells[row].tolist(), tables.edition.grid.cells
    names, founded = tables.derived(site_names), tuple(leagues(row))
    points = int(tables.points[state.scenario[0], row].sum())  # R6.1
    return ScoredMove(
        seat=seat,
        action=text,
        cells=tuple(cells[i] for i in hexes if i < len(cells)),
        sites=tuple(names[i] for i in hexes if i in names),
        leagues=founded,
        points=points + c.LEAGUE_POINTS * len(founded),  # R6.2
        fief=None if action >= tables.actions.ring.start else fief + 1,
    )


def site_names(tables: Tables) -> dict[int, str]:
    edition = tables.edition
    return {edition.grid.index[site.at]: site.name for site in (*edition.cities, *edition.harbors)}


def new_leagues(tables: Tables, rules: Rules, state: State, seat: int, row: int) -> list[str]:
    """Returns the seas in which a placement founds a league (R6.2, R6.3)."""
    names = list(tables.edition.seas.values())
    return [names[sea] for sea in np.flatnonzero(founds(tables, rules, state, seat, row))]


def founds(
    tables: Tables, rules: Rules, state: State, seat: int, rows: NDArray[np.int64] | int
) -> NDArray[np.bool_]:
    """Returns the seas in which placements found a league, [..., 6] (see `new_leagues`)."""
    more = tables.sea_harbors[rows]
    first_only = rules.sea_league == "first_only"
    founded = state.leagues[0].any(axis=0) if first_only else state.leagues[0, seat]
    new: NDArray[np.bool_] = more > 0
    return new & (state.sea_harbors[0, seat] + more >= c.LEAGUE_HARBORS) & ~founded


PLACES = ("1st", "2nd", "3rd", "4th")


def log_lines(before: GameView, after: GameView) -> tuple[LogLine, ...]:
    """Returns the lines of the one move between two views of the same viewer."""
    if before.to_act is None:
        return ()
    lines = [_move(before.to_act, before, after)]
    if before.decision == "plan" and after.decision == "place":
        lines += _reveal(after)
    elif after.decision == "over":
        lines += _end(before, after)
    elif after.round > before.round:
        last = ", the last," if after.last_round else ""
        event = {"kind": "round", "round": after.round, "last": after.last_round}
        lines.append(LogLine(None, f"Round {after.round}{last} begins", event))
    return tuple(lines)


def _move(seat: int, before: GameView, after: GameView) -> LogLine:
    if before.decision == "place":
        move = after.last
        return LogLine(seat, "moves") if move is None else LogLine(seat, move.words, move.event)
    plan = after.players[seat].plan
    if plan is None or after.viewer not in ("spectator", seat):
        return LogLine(seat, "has planned", {"kind": "plan"})
    return LogLine(seat, f"plans {plan.words}", {"kind": "plan", **asdict(plan)})


def _reveal(view: GameView) -> Iterator[LogLine]:
    """Yields the plans in the turn order, and what puts each before the next (R3.5)."""
    yield LogLine(None, "Plans are open", {"kind": "reveal"})
    for place, seat in enumerate(view.order):
        player = view.players[seat]
        if player.plan is None:
            continue
        by = view.precedence[place] if place < len(view.precedence) else None
        event = {"kind": "order", "place": place + 1, **asdict(player.plan)}
        event |= {"card": player.card, "by": by}
        yield LogLine(seat, f"is {PLACES[place]} with {player.plan.words}", event)


def _end(before: GameView, after: GameView) -> Iterator[LogLine]:
    """Yields the final scoring (R8)."""
    event = {"kind": "over", "rounds": after.round}
    yield LogLine(None, f"The game is over after {after.round} rounds", event)
    for old, new in zip(before.players, after.players, strict=True):
        yield _final(old, new)
    yield victory(after.players)


def _final(old: PlayerView, new: PlayerView) -> LogLine:
    group, objective = (
        after - before
        for before, after in zip(old.scores[END_SOURCES], new.scores[END_SOURCES], strict=True)
    )
    event = {"kind": "final", "score": new.score}
    event |= {"pieces": new.largest_group, "group": group}
    cities = ""
    if new.objective is not None:
        event |= {"cities": new.objective.held, "objective": objective}
        held = _count(new.objective.held, "city", "cities")
        cities = f", {held} of the objective +{objective}"
    pieces = _count(new.largest_group, "connected piece", "connected pieces")
    return LogLine(new.seat, f"has {pieces} +{group}{cities}: {new.score} points", event)


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
