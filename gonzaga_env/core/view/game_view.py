"""The description of a game that pictures, texts and web pages are made from.

All values are plain: numbers, texts, tuples and small dataclasses of these. So
`dataclasses.asdict(view)` can be written as JSON, and equal positions give equal views.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from gonzaga_env.core.board.actions import INACTIVE_NAME, PRIVILEGE_SUFFIX
from gonzaga_env.core.board.edition import Cell
from gonzaga_env.kernel.view import View, Viewer

Stage = Literal["planning", "placing", "over"]
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
class Move:
    """The last placement, wedding or donation."""

    seat: int  #: who moved
    action: str  #: the action's text, such as "fief 5 r2 @ 12,7"
    cells: tuple[Cell, ...]  #: the hexes that the fief or the rings cover
    sites: tuple[str, ...]  #: names of the cities and harbors among them
    leagues: tuple[str, ...]  #: seas in which it founded a league
    points: int  #: points that it scored immediately
    #: Number (1 to 12) of the fief that was placed; None for a wedding or a donation.
    fief: int | None = None

    @property
    def event(self) -> dict[str, Any]:
        """The move in plain values, with its kind, what it covers and what it scores."""
        if not self.cells:
            return {"kind": "donation", "points": self.points}
        what = {"kind": "wedding"} if self.fief is None else {"kind": "fief", "fief": self.fief}
        covered = {"cells": self.cells, "sites": self.sites, "leagues": self.leagues}
        return {**what, **covered, "points": self.points}

    @property
    def words(self) -> str:
        """The move in words, with the names of what it covers and its points."""
        covered = ", ".join((*self.sites, *(f"sea league of {name}" for name in self.leagues)))
        return f"{self.action}{': ' + covered if covered else ''}, +{self.points}"


@dataclass(frozen=True)
class PlayerView:
    """What the viewer knows of one player."""

    seat: int  #: the seat, from 0
    name: str  #: the name that the caller gave; empty if none
    #: Points by source, in the order of `SOURCES`; group and objective count at the end.
    scores: tuple[int, ...]
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
    won: bool  #: whether the game is over and the player has won, alone or with others

    @property
    def score(self) -> int:
        """Points over all sources."""
        return sum(self.scores)


@dataclass(frozen=True)
class GameView(View):
    """What a viewer knows of a game: nothing that is hidden from it is in here."""

    game: ClassVar[str] = "gonzaga"
    edition: str  #: the map's name
    digest: str  #: the edition's digest
    reconstruction: bool  #: whether the map is a reconstruction (R9.1)
    scenario: str  #: the scenario's name
    flourishing: tuple[str, ...]  #: regions that flourish, in the order of the edition
    inactive: tuple[str, ...]  #: the other regions
    viewer: Viewer  #: who looks
    round: int  #: from 1
    last_round: bool  #: whether this round is the last
    stage: Stage  #: "planning", "placing" or "over"
    open_sites: int  #: flourishing cities and harbors that nobody covers (R7.1)
    open_sites_at_end: int  #: as few of them bring the last round (R7.1)
    to_act: int | None  #: the seat to act; None when the game is over
    #: Seats in the turn order; empty while plans are sealed and when the game is over.
    order: tuple[int, ...]
    #: What puts each seat of `order` before the next, King's Privilege, the action card, or the
    #: number of the fief card (R3.5); one fewer than `order`.
    precedence: tuple[Precedence, ...]
    players: tuple[PlayerView, ...]  #: by seat
    fiefs: tuple[PlacedFief, ...]  #: fiefs on the map, by seat and number
    #: Rings on the map, by seat and in the order in which they were placed.
    rings: tuple[PlacedRing, ...]
    last: Move | None  #: the last move; None before the first, and where it is not known

    def __repr__(self) -> str:
        return f"<GameView for {self.viewer!r}, {self.scenario}, round {self.round}, {self.stage}>"
