"""The full state of one game in plain Python, and what is drawn in it."""

from __future__ import annotations

from collections.abc import Sequence

from gonzaga_env.tabletop.bounded.text import short_repr
from gonzaga_env.tabletop.chance import event_word, stream_starts
from gonzaga_env.tabletop.engines.position import BasePosition
from gonzaga_env.tabletop.errors import RecordError
from gonzaga_env.tuscany import constants as c
from gonzaga_env.tuscany.board.regions import Region, region
from gonzaga_env.tuscany.config import GameConfig
from gonzaga_env.tuscany.state.state import State, state_layout

_CARDS = tuple(f"card {colour}" for colour in c.COLOURS)
_OWN = tuple(f"stack {kind}" for kind in c.TILE_KINDS)
_NEUTRAL = tuple(f"neutral {kind}" for kind in c.TILE_KINDS)
_SWEEPS = tuple(f"sweep {colour}" for colour in c.COLOURS)


class Position(BasePosition):
    """One game of P players; sets of cells are integers."""

    STATE, LAYOUT = State, staticmethod(state_layout)
    config: GameConfig

    def __init__(self, config: GameConfig, state: State) -> None:
        """Reads a state of one game."""
        super().__init__(config, state)
        self.stream = int(stream_starts(state.seed, state.episode)[0])
        self.yield_texts = tuple(f"yield {name}" for name in config.edition.yield_names)
        self.regions: list[Region | None] = [None] * self.num_players
        self.near = [0] * self.num_players  # sets of cells that touch a covered one
        for seat, layout in enumerate(self.layout):
            if layout != c.NO_LAYOUT:
                self.choose_layout(seat, layout)
                self.near[seat] = self.region(seat).near(self.covered[seat])
        #: What is turned up in place of chance, as records hold it; None for chance.
        self.outcomes: list[str] | None = None
        #: What all know of each player, as observations hold it; empty where it has changed.
        self.known: list[tuple[bytes, ...]] = [()] * self.num_players
        self.forget()

    def forget(self) -> None:
        """Starts a new answer: nothing drawn, no points, and the seat to act may change."""
        self.known[self.seat] = ()
        self.drawn: list[str] = []  # what the answer turned up, as records hold it
        self.points = [0, 0]  # green and red ones of the seat that acted, without T11
        self.red = [0] * self.num_players  # red points of every player, T11 included

    def region(self, seat: int) -> Region:
        """Returns a player's region, once its layout is chosen."""
        found = self.regions[seat]
        assert found is not None
        return found

    def choose_layout(self, seat: int, layout: int) -> None:
        """Joins a player's boards (T2.4)."""
        self.layout[seat] = layout
        self.regions[seat] = region(self.config.edition.boards, self.boards[seat], layout)

    def cover(self, seat: int, cell: int) -> None:
        """Covers a cell."""
        self.covered[seat] |= 1 << cell
        self.near[seat] |= self.region(seat).neighbours[cell]

    def turned(self, seat: int) -> int:
        """Returns the number of own tiles that a player has turned (T10.1)."""
        return c.NUM_OWN_TILES - sum(self.stacks[seat])

    def has_space(self, seat: int) -> bool:
        """Returns whether a player's storage has a free space (T9.1)."""
        return sum(self.storage[seat]) <= self.bonus[seat][c.BONUS_STORAGE]

    def draw_card(self, seat: int) -> None:
        """Draws a region card, if there is one (T4.2)."""
        colour = self._draw(self.deck, self.discards, _CARDS, "region")
        if colour >= 0:
            self.hand[seat][colour] += 1

    def draw_yield(self) -> int:
        """Returns the kind of the yield card that is revealed (T8.8); -1 if there is none."""
        return self._draw(self.yield_deck, self.yield_discards, self.yield_texts, "yield")

    def refill(self, seat: int) -> None:
        """Fills the display up after a seat took a tile, and sweeps it (T5.3 to T5.5)."""
        own = self.stacks[seat]
        if any(own):
            self.display[self._pick(own, sum(own), _OWN)] += 1
        else:
            self._turn_neutral()
        for _ in range(c.MOST_SWEEPS):
            if (colour := self._crowded()) is None:
                return
            self._sweep(colour)

    def fill_display(self) -> None:
        """Turns up the opening display (T2.4)."""
        for _ in range(c.DISPLAY_SIZE):
            self._turn_neutral()

    def _turn_neutral(self) -> None:
        kind = self._draw(self.neutral, self.aside, _NEUTRAL, "neutral")
        if kind >= 0:
            self.display[kind] += 1

    def _crowded(self) -> int | None:
        """Returns the colour to sweep; None while no other colour could follow (T5.5)."""
        counts = [0] * len(c.COLOURS)
        for kind, number in enumerate(self.display):
            counts[c.TILE_COLOURS[kind]] += number
        most = max(counts)
        if most < c.SWEEP_SIZE:
            return None
        colour = counts.index(most)
        piles = zip(c.TILE_COLOURS, self.neutral, self.aside, strict=True)
        return colour if any(x != colour and (n or a) for x, n, a in piles) else None

    def _sweep(self, colour: int) -> None:
        self.drawn.append(_SWEEPS[colour])
        swept = 0
        for kind, number in enumerate(self.display):
            if number and c.TILE_COLOURS[kind] == colour:
                self.display[kind] = 0
                self.aside[kind] += number
                swept += number
        for _ in range(swept):
            self._turn_neutral()

    def _draw(self, pile: list[int], discards: list[int], texts: tuple[str, ...], name: str) -> int:
        """Draws from a pile, which is renewed if empty; -1 if there is nothing left."""
        number = sum(pile)
        if not number:
            number = sum(discards)
            if not number:
                return -1
            pile[:], discards[:] = discards, [0] * len(discards)
            self.drawn.append(f"shuffle {name}")
        return self._pick(pile, number, texts)

    def _pick(self, pile: list[int], number: int, texts: tuple[str, ...]) -> int:
        """Takes one of a pile's pieces (see `tuscany.state`)."""
        if self.outcomes is None:
            place = event_word(self.stream, self.event) % number
            kind = 0
            while place >= pile[kind]:
                place -= pile[kind]
                kind += 1
        else:
            kind = self._given(pile, texts)
        self.event += 1
        pile[kind] -= 1
        self.drawn.append(texts[kind])
        return kind

    def _given(self, pile: Sequence[int], texts: tuple[str, ...]) -> int:
        """Returns the next of the given outcomes."""
        outcomes = self.outcomes or []
        while outcomes and outcomes[0].startswith(("shuffle", "sweep")):
            outcomes.pop(0)  # they follow from the rules
        if not outcomes or outcomes[0] not in texts or not pile[texts.index(outcomes[0])]:
            found = short_repr(outcomes[0]) if outcomes else "nothing"
            left = [text for text, count in zip(texts, pile, strict=True) if count]
            raise RecordError(f"drawn: {found}; it could be {', '.join(left)}")
        return texts.index(outcomes.pop(0))
