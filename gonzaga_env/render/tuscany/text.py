"""A game as text, plain or with a terminal's 256 colours, made from a `GameView` alone."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import fill

from gonzaga_env.kernel.view import player_name
from gonzaga_env.render.pictures import TEXT_WIDTH, colored, headline, points_line, points_table
from gonzaga_env.render.tuscany.table import pile_words
from gonzaga_env.tuscany.board import BOARD_CELLS, CELL_NAMES, LAYOUTS, places
from gonzaga_env.tuscany.constants import BONUS_TYPES, COLOURS, SOURCES
from gonzaga_env.tuscany.edition import BOARD_NAMES, Edition
from gonzaga_env.tuscany.view import (
    COLOUR_NAMES,
    GameView,
    PlayerView,
    action_words,
    end_words,
    piece_words,
    stage_words,
)

_CELL = 5  # characters
_JOINTS = {layout.text: layout.joints for layout in LAYOUTS}
# Numbers among a terminal's 256 colours, near those of the pictures: paler where nothing lies.
_EMPTY = (223, 193, 230, 229, 253, 217, 153, 151)
_COVERED = (172, 113, 180, 220, 246, 167, 74, 65)
_HEADS = [f"{source.replace('_', ' ')}{' (green)' * (i < 5)}" for i, source in enumerate(SOURCES)]


def draw_text(
    edition: Edition, view: GameView, *, color: bool = False, coordinates: bool = False
) -> str:
    """Returns a game as text (see `render.draw.draw_text`): table, regions, holdings, points."""
    name = edition.name if not edition.reconstruction else "a reconstruction of the printed game"
    lines = f"The Castles of Tuscany, {name}", f"{stage_words(view)}; {end_words(view)}"
    piles = ("display", " ".join(view.display) or "not turned up"), *pile_words(view)
    piles = (*piles, ("bonus tiles", bonus_words(view.bonus_stock)))
    parts = [headline(view, lines, action_words)]
    parts += ["\n".join(f"{name:<13} {text}" for name, text in piles), _key()]
    for player in view.players:
        rows = [*_region(player, view, color, coordinates)] if player.layout else []
        if player.boards and not player.layout:
            rows = [*_boards(edition, player, color)]
        parts.append("\n".join(_player(view, player, rows)))
    if view.to_act is None:
        parts.append(points_table(_HEADS, view.players))
    return "\n\n".join(parts) + "\n"


def _key() -> str:
    named = ", ".join(f"{c} {name}" for c, name in zip(COLOURS, COLOUR_NAMES, strict=True))
    crops = "crops: O olives, G grapes, W wheat, L livestock"
    return fill(f"{named}; {crops}; [ ] a tile, ( ) a wooden hexagon lies there", TEXT_WIDTH)


def _player(view: GameView, player: PlayerView, rows: list[str]) -> Iterator[str]:
    """Yields the points of a player, and the lines of the region beside what the player holds."""
    notes = ", starts" * (player.seat == view.start) + ", won" * player.won
    yield points_line(view, player, f"red {player.red}, green {player.green}{notes}")
    held = [*holdings_lines(player)]
    blank = " " * (9 * _CELL)
    for i in range(max(len(rows), len(held))):
        row = rows[i] if i < len(rows) else blank
        yield f"  {row}  {held[i] if i < len(held) else ''}".rstrip()


def holdings_lines(player: PlayerView) -> Iterator[str]:
    """Yields what a player holds, a line for each kind of it."""
    joined = f" as {player.layout}" * bool(player.layout)
    yield f"boards  {' '.join(player.boards) or 'hidden'}{joined}"
    yield f"hand    {_hand(player.hand, player.hand_size)}"
    yield f"storage {', '.join(map(piece_words, player.storage)) or '-'} (of {player.space})"
    yield f"marble  {player.marble}, workers {player.workers}"
    yield f"bonus   {bonus_words(player.bonus)}"
    yield f"turned  {player.turned} own tiles"


def bonus_words(numbers: tuple[int, ...]) -> str:
    """Returns numbers of bonus tiles in words, such as "2 card, 1 yield"."""
    named = zip(numbers, BONUS_TYPES, strict=True)
    return ", ".join(f"{number} {name}" for number, name in named if number) or "-"


def _hand(hand: str | None, size: int) -> str:
    if hand is None:
        return str(size)
    named = zip(COLOURS, COLOUR_NAMES, strict=True)
    return ", ".join(f"{hand.count(one)} {name}" for one, name in named if one in hand) or "-"


def colour_lines(
    view: GameView, bonus: tuple[tuple[int, int], ...], done: tuple[tuple[int, ...], ...]
) -> Iterator[str]:
    """Yields the points for completing each colour, and who has (T7.2)."""
    for name, points, seats in zip(COLOUR_NAMES, bonus, done, strict=True):
        left = " and then ".join(map(str, points[len(seats) :])) or "nothing"
        players = ", ".join(player_name(view.players[seat]) for seat in seats)
        yield f"{name}: {left} green" + f"; completed by {players}" * bool(seats)


def region_lines(player: PlayerView) -> Iterator[str]:
    """Yields what is covered and what is empty of a player's region."""
    crops, named = dict(player.crops), dict(zip(CELL_NAMES, player.region, strict=False))
    covered = (
        f"{cell} {piece_words(letter.upper() + crops.get(cell, ''))}"
        + ", wooden" * (cell in player.wooden)
        for cell, letter in named.items()
        if letter.islower()
    )
    yield f"covered: {'; '.join(covered) or 'nothing'}"
    for letter, name in zip(COLOURS, COLOUR_NAMES, strict=True):
        if empty := [cell for cell, found in named.items() if found == letter]:
            yield f"empty {name}: {', '.join(empty)}"


def _region(player: PlayerView, view: GameView, color: bool, coordinates: bool) -> Iterator[str]:
    """Yields the lines of a region: columns of hexes, each half a hex higher or lower."""
    crops, at = dict(player.crops), places(_JOINTS[player.layout])
    pending = view.cell if player.seat == view.to_act else None
    grid: dict[tuple[int, int], str] = {}
    for name, letter, place in zip(CELL_NAMES, player.region, at, strict=True):
        text = f"{letter} {name}" if coordinates else letter
        if letter.islower():
            inside = crops.get(name, letter.upper())
            text = f"({letter.upper()})" if name in player.wooden else f"[{inside}]"
        elif name == pending:
            text = f"{letter}?" if not coordinates else f"{letter}?{name}"
        grid[place] = _painted(text.center(_CELL), letter, color)
    low, high = min(y for _, y in at), max(y for _, y in at)
    for y in range(low, high + 1):
        yield "".join(grid.get((x, y), " " * _CELL) for x in range(9))


def _boards(edition: Edition, player: PlayerView, color: bool) -> Iterator[str]:
    """Yields the lines of three boards that are not joined yet, as they are printed (T2.4)."""
    one = places(0)[:BOARD_CELLS]
    grid = {(3 * i + 0, -1): f"{name}:".ljust(_CELL) for i, name in enumerate(player.boards)}
    for i, name in enumerate(player.boards):
        colours = edition.boards[BOARD_NAMES.index(name)]
        for number, (colour, (x, y)) in enumerate(zip(colours, one, strict=True), start=1):
            letter = COLOURS[colour]
            text = f"{letter} {number}".center(_CELL)
            grid[3 * i + x, y] = _painted(text, letter, color)
    for y in range(-1, max(y for _, y in one) + 1):
        yield "".join(grid.get((x, y), " " * _CELL) for x in range(9))


def _painted(text: str, letter: str, color: bool) -> str:
    if not color:
        return text
    index = COLOURS.index(letter.upper())
    empty = letter.isupper()
    return colored(text, (_EMPTY if empty else _COVERED)[index], bold=not empty)
