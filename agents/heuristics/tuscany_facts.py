"""Facts of choices in The Castles of Tuscany, for all decisions of a batch at once.

Green points are counted as often as they will be scored: times the rounds to come, this one
included (T11.1). Nothing is read but the view of the seat to act, which hides what it can't know.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.kernel.spec import Engine
from gonzaga_env.tuscany import constants as c
from gonzaga_env.tuscany.batch.legal import cells_mask
from gonzaga_env.tuscany.board import (
    ACTIONS,
    FIRST_PAIR,
    OWN,
    PAYMENTS,
    WORKER,
    region_tables,
)
from gonzaga_env.tuscany.config import GameConfig
from gonzaga_env.tuscany.view import COLOUR_NAMES

from ..arrays import Floats, Indices, Masks, Observations
from .facts import Choices, FactReader, LinearPolicy
from .tuscany_cells import COVERING, CROP_POINTS, CROPS, TILE_COLOURS, FactView

_UNITS = np.array(PAYMENTS)  # [55, 2]
_OWN_PAID, _WORKERS_PAID = (_UNITS == OWN).sum(axis=1), (_UNITS == WORKER).sum(axis=1)
#: Cards of each colour that pairs take, [55, 8].
_PAIRS_PAID = 2 * (np.arange(c.NUM_COLOURS) == _UNITS[..., None] - FIRST_PAIR).sum(axis=1)

#: Names of facts by what they describe.
Block = dict[str, tuple[str, ...]]
_SETUP: Block = {
    "layout": ("zones of three", "zones of two", "most hexes beside a castle"),
    "starting castle": (*(f"{name} beside" for name in COLOUR_NAMES), "colours", "points beside"),
}
_BONUS: Block = {
    "bonus tile": (
        *(f"+1 {name}" for name in c.BONUS_TYPES),
        *("+1 card per 20 turns left", "+1 storage per round left"),
        *("+1 marble per 4 quarries left", "+1 worker per 4 villages left"),
        *("+1 yield per 4 wagons left", "held already"),
    ),
}
_PAYMENT: Block = {
    "payment": (
        *("workers", "cards of the colour", "pairs", "cards of stored colours"),
        *("cards of finished colours", "per 2 single cards left", "stored tile stays payable"),
    ),
}
_BOARD: Block = {
    "place": COVERING,
    "store": (
        *COVERING,
        *("out of reach", "no hex left", "same colour stored", "more than hexes left"),
        *("payable", "a unit short"),
    ),
    "draw": (
        *("always", "+1 card tiles", "per 10 cards in hand", "points of cards at the end"),
        *("no stored tile payable", "storage full", "units short for stored tiles"),
    ),
    "take": ("always", "storage full", "free spaces", "marble to place it now"),
    "turn": (
        *("an own tile", "ends the round", "ends the round, per 10 green points ahead"),
        "an own tile, per 10 points ahead",
        *("last of its colour", "last that finishes a rival's zone", "rivals in reach"),
    ),
    "cover": (
        *("tile", "wooden hexagon", "cards of the colour", "other units", "storage full"),
        *("wooden hexagon for a tile shown", "wooden hexagon for a tile stored"),
        "tile of a castle",
    ),
    "remove": ("wooden hexagon",),
    "crop": ("points elsewhere", "two crops"),
    "marble": (
        *("always", "marble left", "nothing payable", "per 10 cards in hand", "storage full"),
        *("most points", "an effect"),
    ),
}
#: Kinds of decisions, and the facts that they share.
_BLOCKS: tuple[tuple[tuple[int, ...], Block], ...] = (
    ((c.LAYOUT, c.STARTING_CASTLE), _SETUP),
    ((c.STARTING_BONUS, c.CITY_BONUS), _BONUS),
    ((c.PAYMENT,), _PAYMENT),
    ((c.MAIN, c.REMOVE, c.CROP, c.CASTLE_TILE, c.CASTLE_CROP, c.MARBLE), _BOARD),
)


class _Table:
    """The facts of L choices, filled in part by part."""

    def __init__(self, block: Block, num_choices: int) -> None:
        stops = np.cumsum([len(names) for names in block.values()]).tolist()
        starts = [0, *stops[:-1]]
        self._parts = dict(zip(block, map(slice, starts, stops), strict=True))
        self.facts = np.zeros((num_choices, stops[-1]), np.float32)

    def put(self, part: str, at: Indices, *columns: NDArray[np.generic] | float) -> None:
        """Writes all facts of a part for some choices."""
        place = self._parts[part]
        for number, column in enumerate(columns, start=place.start):
            self.facts[at, number] = column

    def put_covering(self, part: str, at: Indices, facts: Floats) -> None:
        """Writes the facts of covering a cell, the first ones of a part."""
        start = self._parts[part].start
        self.facts[at, start : start + len(COVERING)] = facts


def _setup(view: FactView, rows: Indices, actions: Indices, table: _Table) -> None:
    """Layouts and starting castles (T2.4)."""
    at = (view.kind[rows] == c.LAYOUT).nonzero()[0]
    if len(at):
        tables = region_tables(view.config.edition.boards)
        region = view.boards[rows[at]] * c.NUM_LAYOUTS + actions[at]
        size = np.bitwise_count(tables.zones[region])
        beside = np.bitwise_count(tables.neighbours[region])
        beside *= tables.colours[region] == c.CASTLE
        threes, twos = (size >= 3).sum(axis=1) / 3, (size == 2).sum(axis=1) / 2
        table.put("layout", at, threes, twos, beside.max(axis=1))
    at = (view.kind[rows] == c.STARTING_CASTLE).nonzero()[0]
    if len(at):
        near, row = view.neighbours[rows[at], actions[at] - ACTIONS.tile.start], rows[at]
        beside = np.bitwise_count(near[:, None] & view.colour_cells[row])
        points = (cells_mask(near) * view.promise[row]).sum(axis=1)
        table.put("starting castle", at, *beside.T, (beside > 0).sum(axis=1), points / 3)


def _bonus(view: FactView, rows: Indices, actions: Indices, table: _Table) -> None:
    """Bonus tiles (T2.4, T8.2, T9.2)."""
    kinds, to_cover = actions - ACTIONS.bonus.start, view.to_cover[rows]
    chosen = (kinds == np.arange(len(c.BONUS_TYPES))[:, None]).astype(np.float32)
    uses = (
        (c.BONUS_CARD, view.turns_left[rows] / 20),
        (c.BONUS_STORAGE, view.left[rows]),
        (c.BONUS_MARBLE, to_cover[:, c.QUARRY] / 4),
        (c.BONUS_WORKER, to_cover[:, c.VILLAGE] / 4),
        (c.BONUS_YIELD, to_cover[:, c.WAGON] / 4),
    )
    used = (chosen[kind] * number for kind, number in uses)
    table.put("bonus tile", np.arange(len(rows)), *chosen, *used, view.bonus[rows, kinds])


def _payment(view: FactView, rows: Indices, actions: Indices, table: _Table) -> None:
    """Payments (T6.2)."""
    pay, every = actions - ACTIONS.pay.start, np.arange(len(view))
    colours = view.colours[every, view.cell]
    stored, to_cover = view.stored_colours.copy(), view.to_cover.copy()
    to_cover[every, colours] -= 1
    tile = (view.piece < c.HEXAGON).nonzero()[0]
    stored[tile, TILE_COLOURS[view.piece[tile]]] -= 1
    cards, pairs = _PAIRS_PAID[pay], _PAIRS_PAID[pay].sum(axis=1) / 2
    cards[np.arange(len(rows)), colours[rows]] += _OWN_PAID[pay]
    hand = view.hand[rows] - cards
    units = view.workers[rows] - _WORKERS_PAID[pay] + (hand // 2).sum(axis=1)
    payable = units[:, None] + hand - hand // 2 >= 2
    table.put(
        "payment",
        np.arange(len(rows)),
        *(_WORKERS_PAID[pay], _OWN_PAID[pay], pairs),
        (cards * (stored[rows] > 0)).sum(axis=1),
        (cards * (to_cover[rows] == 0)).sum(axis=1),
        (hand % 2).sum(axis=1) / 2,
        (payable & (stored[rows] > 0)).any(axis=1),
    )


def _board(view: FactView, rows: Indices, actions: Indices, table: _Table) -> None:
    """Drawing, taking, placing and what follows of it, and marble (T3 to T6, T8.1)."""

    def within(block: slice) -> Indices:
        return ((actions >= block.start) & (actions < block.stop)).nonzero()[0]

    _draw(view, rows, (actions == ACTIONS.draw).nonzero()[0], table)
    _take(view, rows, within(ACTIONS.take), actions, table)
    _remove(view, rows, within(ACTIONS.remove), actions, table)
    _cover(view, rows, within(slice(ACTIONS.tile.start, ACTIONS.hexagon.stop)), actions, table)
    _crop(view, rows, within(ACTIONS.crop), actions, table)
    _marble(view, rows, (actions == ACTIONS.marble).nonzero()[0], table)


def _draw(view: FactView, rows: Indices, at: Indices, table: _Table) -> None:
    """Drawing cards (T4)."""
    row, hand = rows[at], view.hand.sum(axis=1, dtype=np.int64)
    drawn = view.config.rules.draw_base + view.bonus[:, c.BONUS_CARD]
    thirds = (hand + drawn) // c.CARDS_PER_POINT - hand // c.CARDS_PER_POINT  # T11.2
    wanted = view.open_colours & (view.stored_colours > 0)
    missing = np.where(wanted, 2 - view.units, 0).clip(0).sum(axis=1)
    stuck = (missing > 0) & ~(wanted & (view.units >= 2)).any(axis=1)
    table.put(
        "draw",
        at,
        *(1, view.bonus[row, c.BONUS_CARD], hand[row] / 10, thirds[row]),
        *(stuck[row], view.is_full[row], missing[row]),
    )


def _take(view: FactView, rows: Indices, at: Indices, actions: Indices, table: _Table) -> None:
    """Taking a tile (T5)."""
    row, kinds = rows[at], actions[at] - ACTIONS.take.start
    colours = TILE_COLOURS[kinds]
    _store(view, row, kinds, at, 1, table)
    now = (view.marble[row] > 0) & ~view.marble_used[row]
    now &= (view.units[row, colours] >= 2) & view.open_colours[row, colours]
    spaces = view.capacity[row].astype(np.int64) - view.stored[row]
    table.put("take", at, 1, view.is_full[row], spaces.clip(0, 3), now)
    _turn(view, row, colours, at, table)


def _remove(view: FactView, rows: Indices, at: Indices, actions: Indices, table: _Table) -> None:
    """Removing a piece from storage (T5.2): what storing it brought is lost."""
    kinds = actions[at] - ACTIONS.remove.start
    table.put("remove", at, kinds == c.HEXAGON)
    at, kinds = at[kinds < c.HEXAGON], kinds[kinds < c.HEXAGON]
    _store(view, rows[at], kinds, at, -1, table)


def _store(
    view: FactView, row: Indices, kinds: Indices, at: Indices, sign: int, table: _Table
) -> None:
    """A tile in storage, and what placing it on its best cell will bring."""
    colours, cells = TILE_COLOURS[kinds], view.best_cells(row, kinds)
    some = (cells < c.NUM_CELLS).nonzero()[0]
    facts = view.covering(row[some], cells[some])
    crops = (kinds[some] >= c.FIRST_CROP_KIND).nonzero()[0]
    field = some[crops]
    kind = kinds[field] - c.FIRST_CROP_KIND
    facts[crops, CROP_POINTS] = view.crop_points(row[field], cells[field], kind)
    held = view.stored_colours[row, colours] - (sign < 0)
    units, is_some = view.units[row, colours], cells < c.NUM_CELLS
    table.put(
        "store",
        at,
        *[0] * len(COVERING),
        sign * (is_some & ~view.open[row, np.minimum(cells, c.NUM_CELLS - 1)]),
        *(sign * ~is_some, sign * held, sign * (held >= view.to_cover[row, colours])),
        *(sign * (units >= 2), sign * (units == 1)),
    )
    table.put_covering("store", at[some], sign * facts)


def _turn(view: FactView, row: Indices, colours: Indices, at: Indices, table: _Table) -> None:
    """A tile that leaves the display, and the own tile that replaces it (T5.3)."""
    turned, (green_lead, lead) = view.turned, view.lead
    goal = c.STACK_SIZE * view.round  # T10.1
    ends = (turned[:, 0] + 1 == goal) & (turned.max(axis=1) < goal)
    own = turned[:, 0] < c.NUM_OWN_TILES  # T5.4
    last = view.display_colours[row, colours] == 1
    points, in_reach = (one[row, colours] for one in view.rivals)
    table.put(
        "turn",
        at,
        *(own[row], ends[row], (ends * green_lead)[row], (own * lead)[row]),
        *(last, last * points, in_reach),
    )


def _cover(view: FactView, rows: Indices, at: Indices, actions: Indices, table: _Table) -> None:
    """Placing a tile or a wooden hexagon (T6), and a castle's tile (T8.1)."""
    row, wooden = rows[at], actions[at] >= ACTIONS.hexagon.start
    cells = (actions[at] - ACTIONS.tile.start) % c.NUM_CELLS
    colours, castle = view.colours[row, cells].astype(np.int64), view.kind[row] == c.CASTLE_TILE
    facts = view.covering(row, cells)
    field = (colours == c.AGRICULTURE).nonzero()[0]
    tiles = np.where(castle[:, None], view.display[row], view.storage[row, : c.HEXAGON])[field]
    new = ~view.zone_crops[row[field], cells[field]] @ CROPS.T.astype(np.int64)
    most = (new * (tiles[:, c.FIRST_CROP_KIND :] > 0)).max(axis=1, initial=0)
    facts[field, CROP_POINTS] = np.where(wooden[field], 1, most) * view.left[row[field]]
    table.put_covering("place", at, facts)
    own = np.minimum(view.hand[row, colours].astype(np.int64), 2)
    table.put(
        "cover",
        at,
        *(~castle & ~wooden, wooden, ~castle * own, ~castle * (2 - own)),
        *(~castle & view.is_full[row], wooden & (view.display_colours[row, colours] > 0)),
        *(wooden & (view.stored_colours[row, colours] > 0), castle),
    )
    _turn(view, row[castle], colours[castle], at[castle], table)


def _crop(view: FactView, rows: Indices, at: Indices, actions: Indices, table: _Table) -> None:
    """Which tile of agriculture to place (T8.4)."""
    row, kinds = rows[at], actions[at] - ACTIONS.crop.start
    table.put("place", at, 0, 0, view.crop_points(row, view.cell[row], kinds))
    others = (view.colours == c.AGRICULTURE) & view.is_empty
    others &= np.arange(c.NUM_CELLS) != view.cell[:, None]
    new = (~view.zone_crops[row] & CROPS[kinds][:, None]).sum(axis=2) * others[row]
    table.put("crop", at, new.max(axis=1) * view.left[row], CROPS[kinds].sum(axis=1) == 2)


def _marble(view: FactView, rows: Indices, at: Indices, table: _Table) -> None:
    """One more action for a marble (T3.2); to end the turn has no facts."""
    row, cells = rows[at], view.colours.astype(np.int64)
    payable = (view.stored_colours > 0) | (view.hexagons_ready[:, None] > 0)
    payable &= view.units >= 2
    possible = np.take_along_axis(payable, cells, axis=1) & view.open
    effect = possible & (cells != c.AGRICULTURE) & (cells != c.CASTLE)
    table.put(
        "marble",
        at,
        *(1, view.marble[row] - 1.0, ~possible[row].max(axis=1)),
        *(view.hand[row].sum(axis=1) / 10, view.is_full[row]),
        *((view.points * possible)[row].max(axis=1), effect[row].max(axis=1)),
    )


class TuscanyFacts(FactReader):
    """The facts of choices in The Castles of Tuscany."""

    config: GameConfig

    NAMES = tuple(
        f"{part}: {name}" for _, block in _BLOCKS for part, names in block.items() for name in names
    )
    BASES = "always", "by progress", "near the end", "in the last turn"
    MOMENTS: ClassVar = {
        "early": (1, -0.4, 0, 0),
        "halfway": (1, 0, 0, 0),
        "late": (1, 0.4, 0.5, 0),
        "last turn": (1, 0.5, 1, 1),
    }
    OPENING = "layout", "starting castle", "starting bonus", "main"
    TRACE, TEMPERATURES = 0.9, (0.15, 0.04)

    def read(
        self,
        observations: Observations,
        masks: Masks,
        policy: LinearPolicy,
        rng: np.random.Generator,
    ) -> list[Choices]:
        """See `FactReader.read`."""
        kinds, found, start = FactView(self.config, observations).kind, [], 0
        for (asked, block), fill in zip(_BLOCKS, (_setup, _bonus, _payment, _board), strict=True):
            width = sum(len(names) for names in block.values())
            decisions = np.isin(kinds, asked).nonzero()[0]
            if len(decisions):
                view = FactView(self.config, observations[decisions])
                rows, actions = masks[decisions].nonzero()
                table = _Table(block, len(rows))
                fill(view, rows, actions, table)
                columns = slice(start, start + width)
                found.append(Choices(decisions, columns, rows, actions, table.facts, view.bases))
            start += width
        return found

    def situations(self, engine: Engine, games: Indices) -> tuple[Floats, Floats]:
        """See `FactReader.situations`: own and mean of others, also by progress."""
        p = self.config.num_players
        view = FactView(
            self.config, np.concatenate([engine.observe(seat, games) for seat in range(p)])
        )
        own = _holdings(view).reshape(p, len(games), -1)
        others = np.stack([np.roll(own, -1 - seat, axis=0)[:-1].mean(axis=0) for seat in range(p)])
        bases = view.bases.reshape(p, len(games), -1)
        both = np.concatenate([own, others, view.left.reshape(p, -1, 1) / 3], axis=2)
        parts = both, both * bases[..., 1:2], both * bases[..., 2:3], bases[..., 1:]
        return np.concatenate(parts, axis=2).swapaxes(0, 1), bases[0, :, 1] + np.float32(0.5)


def _holdings(view: FactView) -> Floats:
    """Returns what seats hold, as a critic sees it, [M, D]."""
    green, red = view.green[:, 0], view.red[:, 0]
    promise, payable = view.promise, view.units >= 2
    in_reach = promise * view.open
    columns = (
        *(red / 20, green / 20, green * view.left / 40),
        *(view.marble / 2, view.workers / 2, view.hand.sum(axis=1) / 8),
        *(view.stored - view.storage[:, c.HEXAGON], view.storage[:, c.HEXAGON]),
        *(*view.bonus.T, view.turned[:, 0] / 21, *(view.to_cover.T / 4)),
        *(in_reach.sum(axis=1) / 20, promise.sum(axis=1) / 50, in_reach.max(axis=1) / 10),
        *(view.open_colours.sum(axis=1) / 4, payable.sum(axis=1) / 4),
        (view.open_colours & (view.stored_colours > 0) & payable).sum(axis=1),
        np.bitwise_count(view.covered) / 10,
    )
    return np.column_stack(columns).astype(np.float32)
