"""The description of a game that texts, pictures and web pages are made from.

All values are plain: numbers, texts, tuples and small dataclasses of these. So
`dataclasses.asdict(view)` can be written as JSON, and equal positions give equal views.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from gonzaga_env.kernel.decisions import ViewReader
from gonzaga_env.kernel.view import View, Viewer, repeated
from gonzaga_env.tuscany import constants as c
from gonzaga_env.tuscany.board import ACTIONS, CELL_NAMES, LAYOUTS, region, region_text
from gonzaga_env.tuscany.config import GameConfig
from gonzaga_env.tuscany.edition import board_names
from gonzaga_env.tuscany.state import State, winners


@dataclass(frozen=True)
class PlayerView:
    """What the viewer knows of one player."""

    seat: int  # the seat, from 0
    name: str  # the name that the caller gave; empty if none
    boards: tuple[str, ...]  # such as ("A1", "B3", "C2"); empty while the viewer may not know them
    layout: str  # such as "A B C' +-"; empty if there is none or the viewer may not know it
    region: str  # 30 letters, L1 to R10, small where covered; empty like the layout
    wooden: tuple[str, ...]  # cells covered by a wooden hexagon, such as "L4"
    crops: tuple[tuple[str, str], ...]  # cells and the crops on their tiles, such as ("L4", "OG")
    hand: str | None  # region cards by colour, such as "VVAC"; None if hidden from the viewer
    hand_size: int  # number of region cards
    storage: tuple[str, ...]  # pieces by name, such as ("V", "AOG", "hexagon")
    space: int  # pieces that the storage can hold
    marble: int
    workers: int
    bonus: tuple[int, ...]  # bonus tiles of each type
    turned: int  # own tiles turned
    scores: tuple[int, ...]  # points by source, in the order of `SOURCES`
    green: int
    red: int
    won: bool  # whether the game is over and the player has won, alone or with others

    @property
    def score(self) -> int:
        """What decides the game, the red points."""
        return self.red


@dataclass(frozen=True)
class GameView(View):
    """What a viewer knows of a game: nothing that is hidden from it is in here."""

    game: ClassVar[str] = "tuscany"
    edition: str  # its name
    digest: str
    viewer: Viewer  # who looks
    round: int  # the running round, from 1
    lap: int  # from 1
    start: int  # the starting player's seat
    to_act: int | None  # the seat to act; None when the game is over
    decision: str  # what it decides, one of `KINDS`; "over" when the game is over
    cell: str | None  # the cell that is being covered; None if there is none
    piece: str | None  # the piece that is being taken or placed; None if there is none
    second_action: bool  # whether a marble has been paid in this turn
    turns_left: int | None  # turns until the end; None before a third stack is empty
    truncated: bool  # whether the game was cut off
    display: tuple[str, ...]  # tiles by kind
    aside: tuple[str, ...]  # tiles set aside by sweeps
    neutral: int  # tiles left face down
    deck: int  # region cards left face down
    discards: int  # region cards
    yields: int  # yield cards left face down
    bonus_stock: tuple[int, ...]  # bonus tiles of each type in stock
    colour_points: tuple[tuple[int, int], ...]  # for the first and second to complete each colour
    players: tuple[PlayerView, ...]  # by seat
    last: tuple[int, str] | None  # seat and text of the last answer; None if it is not known

    def __repr__(self) -> str:
        return f"<GameView for {self.viewer!r}, round {self.round}, lap {self.lap}>"


@dataclass(frozen=True)
class _Reader(ViewReader[State, GameView]):
    config: GameConfig

    def knows_region(self, seat: int) -> bool:
        """Whether the viewer knows a seat's boards: others' once all have chosen (T2.4)."""
        return self.knows(seat) or int(self.state.kind[0]) >= c.STARTING_BONUS

    def view(self, last: tuple[int, int] | None) -> GameView:
        state = self.state
        over, cell, piece = (int(a[0]) for a in (state.finished, state.cell, state.piece))
        turns_left = int(state.turns_left[0])
        shown = last is not None and self.knows_region(last[0])
        return GameView(
            edition=self.config.edition.name,
            digest=self.config.edition.digest,
            viewer=self.viewer,
            round=int(state.round[0]),
            lap=int(state.lap[0]),
            start=int(state.start[0]),
            to_act=None if over else int(state.seat[0]),
            decision="over" if over else c.KINDS[int(state.kind[0])],
            cell=None if cell == c.NO_CELL else CELL_NAMES[cell],
            piece=None if piece == c.NO_PIECE else c.PIECE_NAMES[piece],
            second_action=bool(state.marble_used[0]),
            turns_left=None if turns_left == c.NOT_FINAL else turns_left,
            truncated=bool(state.truncated[0]),
            display=tuple(repeated(c.TILE_KINDS, state.display[0].tolist())),
            aside=tuple(repeated(c.TILE_KINDS, state.aside[0].tolist())),
            neutral=int(state.neutral[0].sum()),
            deck=int(state.deck[0].sum()),
            discards=int(state.discards[0].sum()),
            yields=int(state.yield_deck[0].sum()),
            bonus_stock=tuple((c.BONUS_COPIES - state.bonus[0].sum(axis=0)).tolist()),
            colour_points=self.config.colour_points,
            players=tuple(self.player(seat) for seat in range(state.num_players)),
            last=(last[0], ACTIONS.to_text(last[1])) if last and shown else None,
        )

    def player(self, seat: int) -> PlayerView:
        state = self.state
        known = self.knows_region(seat)
        layout, boards = int(state.layout[0, seat]), int(state.boards[0, seat])
        chosen = known and layout != c.NO_LAYOUT
        text = ""
        if chosen:
            colours = region(self.config.edition.boards, boards, layout).colours
            text = region_text(colours, int(state.covered[0, seat]))
        wooden, crops = state.wooden[0, seat], state.crops[0, seat]
        hand = "".join(repeated(c.COLOURS, state.hand[0, seat].tolist()))
        return PlayerView(
            seat=seat,
            name=self.name(seat),
            boards=tuple(board_names(boards)) if known else (),
            layout=LAYOUTS[layout].text if chosen else "",
            region=text,
            wooden=tuple(name for i, name in enumerate(CELL_NAMES) if wooden >> i & 1),
            crops=tuple(_crops(crops.tolist())),
            hand=hand if self.knows(seat) else None,
            hand_size=len(hand),
            storage=tuple(repeated(c.PIECE_NAMES, state.storage[0, seat].tolist())),
            space=1 + int(state.bonus[0, seat, c.BONUS_STORAGE]),
            marble=int(state.marble[0, seat]),
            workers=int(state.workers[0, seat]),
            bonus=tuple(state.bonus[0, seat].tolist()),
            turned=c.NUM_OWN_TILES - int(state.stacks[0, seat].sum()),
            scores=tuple(state.scores[0, seat].tolist()),
            green=int(state.green[0, seat]),
            red=int(state.totals[0, seat]),
            won=bool(state.finished[0] & winners(state)[0, seat]),
        )


view_game = _Reader.view_game


def _crops(cells: Sequence[int]) -> Iterator[tuple[str, str]]:
    for i, name in enumerate(CELL_NAMES):
        letters = "".join(crop for crop, held in zip(c.CROPS, cells, strict=True) if held >> i & 1)
        if letters:
            yield name, letters
