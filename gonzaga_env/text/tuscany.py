"""The Castles of Tuscany as text: positions, and the glossary with the region boards."""

from __future__ import annotations

from collections.abc import Iterator

from gonzaga_env.kernel.view import repeated
from gonzaga_env.text.base import (
    RULES,
    GameTexts,
    last_move,
    points_words,
    shown_name,
    viewer_words,
)
from gonzaga_env.tuscany.board import BOARD_CELLS
from gonzaga_env.tuscany.config import GameConfig
from gonzaga_env.tuscany.constants import BONUS_TYPES, COLOURS, CROPS, GAINS, SOURCES, TILE_KINDS
from gonzaga_env.tuscany.edition import BOARD_NAMES, Edition
from gonzaga_env.tuscany.view import (
    COLOUR_NAMES,
    CROP_NAMES,
    GameView,
    PlayerView,
    end_words,
    stage_words,
)

_GEOMETRY = """\
- A board as it lies has cells 1 to 3, 4 to 7 and 8 to 10 in columns from left to right, each \
column top down; 4 lies half a cell above 1, and 8 level with 1. So 1 touches 2 4 5; 2 touches \
1 3 5 6; 3 touches 2 6 7; 8 touches 9 4 5; 9 touches 8 10 5 6; 10 touches 9 6 7.
- A region is three boards, left L, middle M, right R: cells L1 to R10. The layout A B C' +- names \
them from left to right, ' turned by half a turn (cell 1 is the printed 10, and so on); a sign for \
each joint: with + the next board lies half a cell lower, so L8 touches M1; L9 M1 M2; L10 M2 M3; \
with - it lies half a cell higher: L8 touches M1 M2; L9 M2 M3; L10 M3. M and R likewise.
- Actions: layout A B C' +-; draw; take AOG; tile L4; hexagon L4; crop AOG; remove V; bonus card; \
pay own+worker (a unit: own is a card of the hex's colour, VV two cards of V); marble; end."""


def lines(view: GameView, edition: Edition | None) -> Iterator[str]:
    yield f"The Castles of Tuscany, {view.edition}. {viewer_words(view)}"
    act = "" if view.to_act is None else f". To act: player {view.to_act}"
    second = ", second action" * view.second_action
    piece = "" if view.piece is None else f", with {view.piece}"
    yield f"{stage_words(view)}{piece}{second}{act}; {end_words(view)}"
    yield from last_move(view)
    aside = f"; set aside {' '.join(view.aside)}" if view.aside else ""
    yield f"Display: {' '.join(view.display) or 'not turned up'}{aside}"
    yield (
        f"Face down: {view.neutral} neutral tiles, {view.deck} region cards ({view.discards} "
        f"discarded), {view.yields} yield cards. Bonus tiles in stock: {_bonus(view.bonus_stock)}"
    )
    points = zip(COLOURS, view.colour_points, strict=True)
    shown = (f"{colour} {first}, {second}" for colour, (first, second) in points)
    yield f"Points for the first and second to complete a colour: {'; '.join(shown)}"
    for player in view.players:
        yield from _player(view, player)


def _player(view: GameView, player: PlayerView) -> Iterator[str]:
    notes = ", starting player" * (player.seat == view.start) + ", won" * player.won
    yield (
        f"{shown_name(player)}: green {player.green}, red {points_words(player, SOURCES)}, "
        f"{player.turned} own tiles turned{notes}"
    )
    hand = f"{player.hand_size} cards" if player.hand is None else player.hand or "none"
    storage = " ".join(player.storage) or "empty"
    yield (
        f"  hand {hand}; storage {storage} (of {player.space}); marble {player.marble}, "
        f"workers {player.workers}; bonus {_bonus(player.bonus)}"
    )
    if player.boards and not player.region:
        yield f"  boards {' '.join(player.boards)}"
    if player.region:
        parts = [player.region[i : i + BOARD_CELLS] for i in range(0, 3 * BOARD_CELLS, BOARD_CELLS)]
        regions = " ".join(f"{side}:{part}" for side, part in zip("LMR", parts, strict=True))
        wooden = f"; wooden hexagons {' '.join(player.wooden)}" if player.wooden else ""
        crops = ", ".join(f"{cell} {letters}" for cell, letters in player.crops)
        named = " ".join(player.boards)
        held = f"; crops {crops}" if crops else ""
        yield f"  region {named} as {player.layout}: {regions}{wooden}{held}"


def _bonus(numbers: tuple[int, ...]) -> str:
    named = (
        f"{number} {kind}" for number, kind in zip(numbers, BONUS_TYPES, strict=True) if number
    )
    return ", ".join(named) or "none"


def glossary(config: GameConfig) -> Iterator[str]:
    """Yields how positions and actions are written, and what is printed on boards and cards."""
    edition = config.edition
    yield "## Notation"
    named = [*zip(COLOURS, COLOUR_NAMES, strict=True)]
    yield f"- Colours: {', '.join(f'{letter} {name}' for letter, name in named)}."
    crops = (f"{letter} {name}" for letter, name in zip(CROPS, CROP_NAMES, strict=True))
    yield f"- Crops after A: {', '.join(crops)}; AOG is agriculture with olives and grapes."
    yield "- Region: a letter a cell from 1 to 10, a capital where it is empty, else covered."
    yield _GEOMETRY
    yield "## What is printed"
    boards = zip(BOARD_NAMES, edition.boards, strict=True)
    letters = (f"{name} {''.join(COLOURS[i] for i in colours)}" for name, colours in boards)
    yield f"Boards, cells 1 to 10: {', '.join(letters)}"
    own = (f"{n} {kind}" for kind, n in zip(TILE_KINDS, edition.player_tiles, strict=True) if n)
    yield f"Own tiles of each player: {', '.join(own)}"
    neutral = [*repeated(TILE_KINDS, edition.neutral_tiles)]
    yield f"Neutral tiles: {' '.join(neutral)}"
    cards = zip(COLOURS, edition.region_cards, strict=True)
    yield f"Region cards: {', '.join(f'{n} {letter}' for letter, n in cards)}"
    gains = (f"{copies} of {GAINS[kind]} {n}" for kind, n, copies in edition.yield_cards)
    yield f"Yield cards: {', '.join(gains)}"


TEXT = GameTexts(lines=lines, glossary=glossary, rules=RULES / "tuscany.md")
