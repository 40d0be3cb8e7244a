"""What there is of one game in plain Python, and what each seat sees of it.

Sets of hexes and of actions are integers (`single_tables`). Every seat's observation is kept: the
planes are written where a few hexes change, the numbers are looked up on a panel (`single_panel`)
when the seat looks.
"""

from __future__ import annotations

from typing import Self

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.actions import NO_PLAN
from gonzaga_env.core.rules import NUM_FIEFS, NUM_RINGS, Rules
from gonzaga_env.core.single_panel import new_panel, panel_parts, panel_template
from gonzaga_env.core.single_tables import SingleTables
from gonzaga_env.core.state import PLACE, PLAN, SOURCES

_MUTABLE = (list, bytearray, np.ndarray)

#: A connected group of one player: the hexes next to its pieces, and its pieces by number.
Group = tuple[int, int]


class SingleTruth:
    """The full truth of one game of P players, as it is dealt (R2).

    Attributes:
        tables: what is looked up.
        rules: the options.
        num_players: P.
        seed, episode, scenario, round, phase, position, last_round, finished: as in `State`.
        decks: fiefs in order of drawing, [P] bytes.
        objectives: index in the edition, [P].
        seat: the seat to act; -1 where the game is over.
        fief: this round's fief of every player, [P].
        plan, locked, order: as in `State`, [P].
        fiefs, rings: hexes held, [P] sets.
        covered: hexes held by anybody, a set.
        views: the observation of each seat, [P] arrays [D].
        planes: windows on their planes, [P]: fiefs [P, H], rings [P, H], value [H] and objective
            [H], in a row; players from the seat itself on.
        numbers: windows on the rest, [P]; written when a seat looks.
        open_sites: flourishing cities and harbors nobody covers (R7.1).
        scores: as in `State`, [P, 6] int16.
        totals: scores over all sources, [P].
        points: what the last action scored at once.
        shares: part of the victory, 0 before the end (R8.3), [P].
        blocked: placements that meet a fief on the map, in the layout of `tables.conflicts`.
        ring_fiefs: placements that meet an own ring, [P], in that layout too.
        ring_blocked: weddings that R5.4 forbids, [P] sets of actions.
        ring_cells: as in `State`, [P x 6].
        pieces: hexes of each piece on the map, [P] tuples.
        groups: connected pieces, [P] tuples of `Group` (R8.1).
        sealed, revealed: templates for each seat's view of the panel, [P] (`single_panel`).
        panel: the bytes of all that follows, which are windows on it.
        clock: phase, round, whether it is the last, position, open sites.
        fief_cards: 1 for this round's fief, [P x 12].
        to_come: 1 for the fiefs still in the deck, [P x 12].
        locked_cards, plan_cards: cards of `locked` and `plan` as 0 and 1, [P x 11].
        places: place in the turn order, from 1; 0 while unknown, [P].
        shown_totals: totals, 255 at most, [P].
        ring_stock, sea_harbors, leagues, largest: as in `State`, [P] or [P x 6].
    """

    def __init__(
        self,
        tables: SingleTables,
        rules: Rules,
        *,
        scenario: int,
        decks: list[list[int]],
        objectives: list[int],
        seed: int,
        episode: int,
    ) -> None:
        p, h = len(decks), tables.num_hexes
        self.tables, self.rules, self.num_players = tables, rules, p
        self.seed, self.episode, self.scenario = seed, episode, scenario
        self.decks, self.objectives = tuple(map(bytes, decks)), tuple(objectives)
        self.round, self.phase, self.position, self.seat = 1, PLAN, 0, 0
        self.last_round = self.finished = False
        self.plan, self.locked = bytearray([NO_PLAN]) * p, bytearray([NO_PLAN]) * p
        self.fief, self.order = bytearray(p), bytearray(p)
        self.fiefs, self.rings, self.covered = [0] * p, [0] * p, 0
        self.open_sites = tables.flourishing_sites[scenario].bit_count()
        self.scores = np.zeros((p, len(SOURCES)), dtype=np.int16)
        self.totals, self.points, self.shares = [0] * p, 0, [0.0] * p
        self.blocked, self.ring_fiefs, self.ring_blocked = 0, [0] * p, [0] * p
        self.ring_cells = [h] * (p * NUM_RINGS)
        self.pieces: list[tuple[tuple[int, ...], ...]] = [()] * p
        self.groups: list[tuple[Group, ...]] = [()] * p
        self.panel = new_panel()
        self.sealed, self.revealed = self._templates(sealed=True), self._templates(sealed=False)
        self.views = self._empty_views()
        self._legal: int | None = None
        self._open_windows()
        self.ring_stock[:] = bytes([NUM_RINGS] * p)
        self.to_come[:] = bytes([1] * len(self.to_come))
        self.draw()
        self.set_clock()

    def _templates(self, sealed: bool) -> list[bytes]:
        tables, flourishing = self.tables, self.tables.flourishing[self.scenario]
        return [
            panel_template(self.num_players, seat, flourishing, tables.symbols[objective], sealed)
            for seat, objective in enumerate(self.objectives)
        ]

    def _empty_views(self) -> list[NDArray[np.uint8]]:
        tables, num_players = self.tables, self.num_players
        nobody = bytes(2 * num_players * tables.num_hexes) + tables.value[self.scenario]
        numbers = bytes(len(self.sealed[0]))
        parts = [nobody + tables.objective_plane[o] + numbers for o in self.objectives]
        return [np.frombuffer(bytearray(part), np.uint8) for part in parts]

    def _open_windows(self) -> None:
        """Gives the parts of the views and the panel their names."""
        end = 2 * (self.num_players + 1) * self.tables.num_hexes
        self.planes = [view.data[:end] for view in self.views]
        self.numbers = [view.data[end:] for view in self.views]
        view = memoryview(self.panel)
        (
            self.clock,
            self.fief_cards,
            self.to_come,
            self.locked_cards,
            self.plan_cards,
            self.places,
            self.ring_stock,
            self.shown_totals,
            self.sea_harbors,
            self.leagues,
            self.largest,
        ) = [view[part] for part in panel_parts(self.num_players).values()]

    def copy(self) -> Self:
        """Returns a game that goes on from here by itself; the tables are shared."""
        twin = object.__new__(type(self))
        # Whatever else there is never changes in place.
        twin.__dict__ = {
            name: value.copy() if isinstance(value, _MUTABLE) else value
            for name, value in self.__dict__.items()
        }
        twin.views = [view.copy() for view in self.views]
        twin._open_windows()
        return twin

    def observe(self, seat: int) -> NDArray[np.uint8]:
        """Returns what a seat knows, [D], as `observation.observe` does."""
        templates = self.revealed if self.phase == PLACE else self.sealed
        self.numbers[seat][:] = templates[seat].translate(self.panel)
        return self.views[seat].copy()

    def set_clock(self) -> None:
        """Shows phase, round and what belongs to them (`single_panel.CLOCK`)."""
        self.clock[:] = bytes(
            (self.phase, self.round, self.last_round, self.position, self.open_sites)
        )

    def draw(self) -> None:
        """Turns over everybody's top fief card (R3.1)."""
        for seat, deck in enumerate(self.decks):
            fief = deck[self.round - 1]
            self.fief_cards[seat * NUM_FIEFS + self.fief[seat]] = 0
            self.fief_cards[seat * NUM_FIEFS + fief] = 1
            self.to_come[seat * NUM_FIEFS + fief] = 0
            self.fief[seat] = fief

    def mark(self, seat: int, cells: tuple[int, ...], first: int) -> None:
        """Shows hexes as held in everybody's planes, of which `first` is player 0's."""
        num_players, num_hexes = self.num_players, self.tables.num_hexes
        for viewer, planes in enumerate(self.planes):
            start = (first + (seat - viewer) % num_players) * num_hexes
            for cell in cells:
                planes[start + cell] = 1
        planes, start = self.planes[seat], 2 * num_players * num_hexes
        for cell in cells:
            planes[start + cell] = 0  # the value to the player itself
