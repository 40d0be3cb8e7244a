"""Editions: the printed values of boards, cards and tiles (M2 to M6), as one TOML file each.

Every fault of a file is found and named at once: first the keys and types, then the numbers that
the rules fix (T1, M2).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, NamedTuple

import numpy as np

from gonzaga_env.kernel.editions import (
    MAX_NUMBER,
    Content,
    FileEdition,
    Found,
    any_text,
    digest_of,
    edition_loader,
    integer_in,
    list_of,
    one_of,
    string,
    table,
)
from gonzaga_env.kernel.messages import short_repr
from gonzaga_env.tuscany import constants as c
from gonzaga_env.tuscany.board import BOARD_CELLS, BOARD_LETTERS, LAYOUTS, NOT_BUILT, region_tables

#: The most marble, workers, and points of a source: a state and an observation hold them as bytes.
MOST = 255
#: Zones of three score most: two points a cell (T7.1).
_MOST_ZONE_POINTS = c.ZONE_POINTS[3] * c.NUM_CELLS // 3


class MostWon(NamedTuple):
    """The most that a player can win."""

    marble: int
    workers: int
    green: int  # points of all sources together
    yield_red: int
    full_storage: int
    colours: int  # the part of the green points that complete colours bring


def most_won(
    yield_cards: tuple[tuple[int, int, int], ...],
    colour_bonus: tuple[tuple[int, int], ...],
    cells: tuple[int, ...],
) -> MostWon:
    """Returns bounds for an edition's values, whatever chance and the options (see `Edition`)."""
    tiles = 1 + cells[c.CITY]  # bonus tiles (T2.4, T8.2)
    bonus = min(tiles, c.BONUS_COPIES)  # of one type
    cards = cells[c.WAGON] * (1 + bonus)  # revealed (T8.8)
    gains = dict.fromkeys(c.GAINS, 0)
    for gain, number, _ in yield_cards:
        gains[c.GAINS[gain]] = max(gains[c.GAINS[gain]], number)
    # Without such a card, bonus tiles add nothing to it (T8.6, B5).
    marble = cards * (gains["marble"] + (gains["marble"] > 0) * bonus)
    workers = cards * (gains["worker"] + (gains["worker"] > 0) * bonus)
    literal = range(1, 3)  # B3
    each = [max(*numbers, *literal) for numbers in colour_bonus]
    colours = sum(most for most, number in zip(each, cells, strict=True) if number)
    crops = 2 * cells[c.AGRICULTURE]  # T8.4
    others = _MOST_ZONE_POINTS + crops + c.STORAGE_POINTS * tiles + cards * gains["green"]
    return MostWon(
        marble=marble + cells[c.QUARRY] * (1 + bonus),
        workers=workers + cells[c.VILLAGE] * (1 + bonus),
        green=others + colours,
        yield_red=cards * gains["red"],
        full_storage=c.REFUSED_HEXAGON_POINTS * (cells[c.INN] + cards * gains["hexagon"]),
        colours=colours,
    )


EDITIONS = Path(__file__).parent / "editions"
BOARD_NAMES = tuple(f"{letter}{i}" for letter in BOARD_LETTERS for i in range(1, 5))
BOARDS_PER_LETTER = 4
NUM_REGION_CARDS, NUM_YIELD_CARDS, NUM_NEUTRAL_TILES = 122, 27, 32  # T1.4, T1.2
PLAYER_COLOURS = (4, 4, 3, 3, 3, 2, 1, 1)  # tiles of each colour, no starting castle (T1.2)
NEUTRAL_COLOURS = (4,) * len(c.COLOURS)
MAX_ZONE = 3  # M2
_WORDS = {  # what `most_won` bounds
    **{"marble": "marble", "workers": "workers", "green": "green points without colours"},
    **{"yield_red": "red points of them", "full_storage": "red points for full storage"},
}
_YIELD = re.compile(rf"({'|'.join(c.GAINS)}) ([1-9])")


@dataclass(frozen=True, repr=False)
class Edition(FileEdition):
    """The values that the rulebook's text leaves out; tuples are in the orders of `constants`."""

    game: ClassVar[str] = "tuscany"

    name: str
    note: str  # a remark; it does not change the digest
    boards: tuple[tuple[int, ...], ...]  # ten colours of each as printed, A1 to A4, B1 to C4
    region_colours: tuple[int, ...]  # hexes of each colour in every region, [8]
    region_cards: tuple[int, ...]  # cards of each colour, [8]
    yield_cards: tuple[tuple[int, int, int], ...]  # index in `GAINS`, number, copies of each kind
    colour_bonus: tuple[tuple[int, int], ...]  # for the first and the second to complete it, [8]
    player_tiles: tuple[int, ...]  # tiles of each kind in a player's stacks, [17]
    neutral_tiles: tuple[int, ...]  # neutral tiles of each kind, [17]
    digest: str  # SHA-256 of the content without the note, as records hold it
    source: Path = field(compare=False)  # the file

    @property
    def yield_names(self) -> tuple[str, ...]:
        """The kinds of yield cards as texts, such as "green 1"."""
        return tuple(f"{c.GAINS[gain]} {number}" for gain, number, _ in self.yield_cards)


def _build(data: Content, source: Path) -> Edition:
    """Returns the edition of well-formed content, without checking the rules."""
    yields = [(*name.split(), copies) for name, copies in data["yield_cards"].items()]
    return Edition(
        name=data["name"],
        note=data.get("note", ""),
        boards=tuple(tuple(map(c.COLOURS.index, data["boards"][name])) for name in BOARD_NAMES),
        region_colours=tuple(data["region_colours"][colour] for colour in c.COLOURS),
        region_cards=tuple(data["region_cards"][colour] for colour in c.COLOURS),
        yield_cards=tuple((c.GAINS.index(gain), int(n), copies) for gain, n, copies in yields),
        colour_bonus=tuple(tuple(data["colour_bonus"][colour]) for colour in c.COLOURS),
        player_tiles=tuple(data["player_tiles"].get(kind, 0) for kind in c.TILE_KINDS),
        neutral_tiles=tuple(data["neutral_tiles"].get(kind, 0) for kind in c.TILE_KINDS),
        digest=digest_of(data),
        source=source,
    )


def _board(value: object) -> Iterator[Found]:
    yield from string(value)
    if isinstance(value, str) and (len(value) != BOARD_CELLS or not {*value} <= {*c.COLOURS}):
        yield "", f"is {short_repr(value)}; it takes {BOARD_CELLS} of the letters {c.COLOURS}"


def _yields(value: object) -> Iterator[Found]:
    if isinstance(value, dict) and (wrong := [k for k in value if not _YIELD.fullmatch(k)]):
        what = f"it takes one of {', '.join(c.GAINS)} and a number from 1 to 9"
        yield from ((short_repr(key), f"is not a yield card; {what}") for key in wrong)
        return
    yield from table(dict.fromkeys(value if isinstance(value, dict) else (), _COUNT))(value)


_COUNT = integer_in(1, MAX_NUMBER)
_OF_COLOURS = table(dict.fromkeys(c.COLOURS, _COUNT))
_OF_TILES = table(dict.fromkeys(c.TILE_KINDS, _COUNT), optional=c.TILE_KINDS)
_SCHEMA = table(
    {
        "format": one_of(1),
        "game": one_of("tuscany"),
        "name": string,
        "note": any_text,
        "starting_castles": one_of(1),
        "boards": table(dict.fromkeys(BOARD_NAMES, _board)),
        "region_colours": _OF_COLOURS,
        "region_cards": _OF_COLOURS,
        "yield_cards": _yields,
        "colour_bonus": table(dict.fromkeys(c.COLOURS, list_of(integer_in(0, MOST), 2))),
        "player_tiles": _OF_TILES,
        "neutral_tiles": _OF_TILES,
    },
    optional=("note",),
)


def _find_faults(edition: Edition) -> Iterator[Found]:
    """Yields what contradicts the numbers of pieces (T1) and the regions (M2)."""
    totals = (
        ("region_cards", sum(edition.region_cards), NUM_REGION_CARDS, "T1.4"),
        ("yield_cards", sum(n for *_, n in edition.yield_cards), NUM_YIELD_CARDS, "T1.4"),
        ("player_tiles", sum(edition.player_tiles), c.NUM_OWN_TILES, "T1.2"),
        ("neutral_tiles", sum(edition.neutral_tiles), NUM_NEUTRAL_TILES, "T1.2"),
        ("region_colours", sum(edition.region_colours), c.NUM_CELLS, "M1"),
        ("region_colours: F", edition.region_colours[c.COLOURS.index("F")], 3, "M2"),
    )
    for place, found, right, rule in totals:
        if found != right:
            yield place, f"{found} in all; {right} are required ({rule})"
    yield from _tile_faults("player_tiles", edition.player_tiles, PLAYER_COLOURS)
    yield from _tile_faults("neutral_tiles", edition.neutral_tiles, NEUTRAL_COLOURS)
    yield from _region_faults(edition)
    yield from _large_numbers(edition)


def _large_numbers(edition: Edition) -> Iterator[Found]:
    """Yields numbers that could become too large in a game."""
    won = most_won(edition.yield_cards, edition.colour_bonus, edition.region_colours)
    numbers = won._asdict()
    colours = numbers.pop("colours")
    others = numbers["green"] - colours
    if others <= MOST < numbers.pop("green"):
        held = f"the larger number of each colour adds up to {colours}"
        right = f"{MOST - others} fit beside {others} other green points, {MOST} in all"
        yield "colour_bonus", f"{held}; {right}"
    for name, number in (numbers | {"green": others}).items():
        if number > MOST:
            yield "yield_cards", f"a player could have {number} {_WORDS[name]}; {MOST} fit"


def _tile_faults(place: str, tiles: tuple[int, ...], right: tuple[int, ...]) -> Iterator[Found]:
    for colour, letter in enumerate(c.COLOURS):
        found = sum(n for n, x in zip(tiles, c.TILE_COLOURS, strict=True) if x == colour)
        if found != right[colour]:
            yield place, f"{found} tiles of colour {letter}; {right[colour]} are required (T1.2)"


def _region_faults(edition: Edition) -> Iterator[Found]:
    """Yields boards that do not make regions of the right colours and zones (M2)."""
    tables, right = region_tables(edition.boards), list(edition.region_colours)
    held = np.bitwise_count(tables.colour_cells[: NOT_BUILT : c.NUM_LAYOUTS])  # in any layout
    for triple, colours in enumerate(held.tolist()):
        if colours != right:
            found = " ".join(f"{x}{n}" for x, n in zip(c.COLOURS, colours, strict=True))
            yield (
                f"boards: {' '.join(board_names(triple))}",
                f"has {found}; region_colours differ (M2)",
            )
    large = (np.bitwise_count(tables.zones[:NOT_BUILT]) > MAX_ZONE).any(axis=1)
    for triple, layouts in enumerate(large.reshape(-1, c.NUM_LAYOUTS)):
        if layouts.any():
            what = f"{LAYOUTS[int(layouts.argmax())].text} has a zone of more than {MAX_ZONE} hexes"
            yield f"boards: {' '.join(board_names(triple))}", f"{what} (M2)"


def board_names(triple: int) -> list[str]:
    """Returns the names of three boards, such as "A1", from 16 * A + 4 * B + C, counted from 0."""
    numbers = (triple // 16, triple // 4 % 4, triple % 4)
    return [f"{letter}{i + 1}" for letter, i in zip(BOARD_LETTERS, numbers, strict=True)]


shipped_editions, load_edition, read_edition = edition_loader(
    EDITIONS, _SCHEMA, _build, _find_faults
)
