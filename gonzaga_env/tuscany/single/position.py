"""The full state of one game in plain Python, and what is drawn in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from gonzaga_env.tabletop.chance import event_word, stream_starts
from gonzaga_env.tabletop.errors import RecordError
from gonzaga_env.tuscany.board.regions import Region, region
from gonzaga_env.tuscany.config import GameConfig
from gonzaga_env.tuscany.constants import (
    BONUS_STORAGE,
    COLOURS,
    DISPLAY_SIZE,
    MOST_SWEEPS,
    NUM_OWN_TILES,
    SWEEP_SIZE,
    TILE_COLOURS,
    TILE_KINDS,
)
from gonzaga_env.tuscany.state.state import NO_LAYOUT, State, origin_of, state_layout

_CARDS = tuple(f"card {colour}" for colour in COLOURS)
_OWN = tuple(f"stack {kind}" for kind in TILE_KINDS)
_NEUTRAL = tuple(f"neutral {kind}" for kind in TILE_KINDS)
_SWEEPS = tuple(f"sweep {colour}" for colour in COLOURS)


class Position:
    """One game of P players.

    Every field of `State` is here under its name, as integers and (nested) lists; sets of cells
    are integers.

    Attributes:
        config: what is played.
        regions: each player's region; None before its layout is chosen, [P].
        near: cells that touch a covered one, [P] sets.
        drawn: what the last answer turned up, as records hold it.
        points: green and red points of the seat that acted, from the last answer, without T11.
        red: red points of every player from the last answer, T11 included, [P].
        known: what all know of each player, as observations hold it; None where it has changed.
        outcomes: what is turned up in place of chance, in the same texts; None for chance.
    """

    # The fields of `State`.
    seed: int
    episode: int
    event: int
    start: int
    seat: int
    kind: int
    piece: int
    cell: int
    new_hexagons: int
    round: int
    lap: int
    turns_left: int
    marble_used: bool
    finished: bool
    truncated: bool
    boards: list[int]
    layout: list[int]
    covered: list[int]
    wooden: list[int]
    marble: list[int]
    workers: list[int]
    deck: list[int]
    discards: list[int]
    yield_deck: list[int]
    yield_discards: list[int]
    display: list[int]
    neutral: list[int]
    aside: list[int]
    crops: list[list[int]]
    hand: list[list[int]]
    storage: list[list[int]]
    bonus: list[list[int]]
    stacks: list[list[int]]
    scores: list[list[int]]

    def __init__(self, config: GameConfig, state: State) -> None:
        """Reads a state of one game."""
        self.config, self.num_players = config, config.num_players
        for name, array in state.arrays().items():
            setattr(self, name, array[0].tolist())
        self.stream = int(stream_starts(state.seed, state.episode)[0])
        self.yield_texts = tuple(f"yield {name}" for name in config.edition.yield_names)
        self.regions: list[Region | None] = [None] * self.num_players
        self.near = [0] * self.num_players
        for seat, layout in enumerate(self.layout):
            if layout != NO_LAYOUT:
                self.choose_layout(seat, layout)
                chosen = self.region(seat)
                for cell in range(len(chosen.neighbours)):
                    if self.covered[seat] >> cell & 1:
                        self.near[seat] |= chosen.neighbours[cell]
        self.outcomes: list[str] | None = None
        self.known: list[tuple[bytes, ...] | None] = [None] * self.num_players
        self.forget()

    def to_state(self) -> State:
        """Returns the position as a state [1]."""
        arrays = {
            name: np.array([getattr(self, name)], field.dtype)
            for name, field in state_layout(self.config).items()
        }
        return State(**arrays, origin=origin_of(self.config))

    def copy(self) -> Self:
        """Returns an independent copy; what never changes is shared."""
        twin = object.__new__(type(self))
        twin.__dict__ = {
            name: value if type(value) is not list else _copied(value)
            for name, value in self.__dict__.items()
        }
        return twin

    def forget(self) -> None:
        """Starts a new answer: nothing drawn, no points, and the seat to act may change."""
        self.known[self.seat] = None
        self.drawn: list[str] = []
        self.points = [0, 0]
        self.red = [0] * self.num_players

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
        return NUM_OWN_TILES - sum(self.stacks[seat])

    def has_space(self, seat: int) -> bool:
        """Returns whether a player's storage has a free space (T9.1)."""
        return sum(self.storage[seat]) <= self.bonus[seat][BONUS_STORAGE]

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
        for _ in range(MOST_SWEEPS):
            if (colour := self._crowded()) is None:
                return
            self._sweep(colour)

    def fill_display(self) -> None:
        """Turns up the opening display (T2.4)."""
        for _ in range(DISPLAY_SIZE):
            self._turn_neutral()

    def _turn_neutral(self) -> None:
        kind = self._draw(self.neutral, self.aside, _NEUTRAL, "neutral")
        if kind >= 0:
            self.display[kind] += 1

    def _crowded(self) -> int | None:
        """Returns the colour to sweep; None while no other colour could follow (T5.5)."""
        counts = [0] * len(COLOURS)
        for kind, number in enumerate(self.display):
            counts[TILE_COLOURS[kind]] += number
        most = max(counts)
        if most < SWEEP_SIZE:
            return None
        colour = counts.index(most)
        piles = zip(TILE_COLOURS, self.neutral, self.aside, strict=True)
        return colour if any(c != colour and (n or a) for c, n, a in piles) else None

    def _sweep(self, colour: int) -> None:
        self.drawn.append(_SWEEPS[colour])
        swept = 0
        for kind, number in enumerate(self.display):
            if number and TILE_COLOURS[kind] == colour:
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
            found = repr(outcomes[0])[:40] if outcomes else "nothing"
            left = [text for text, count in zip(texts, pile, strict=True) if count]
            raise RecordError(f"drawn: {found}; it could be {', '.join(left)}")
        return texts.index(outcomes.pop(0))


def _copied(value: list[Any]) -> list[Any]:
    return [v.copy() if type(v) is list else v for v in value]
