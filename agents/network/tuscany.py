"""Inputs of The Castles of Tuscany's networks: the planner's choices, and the scene of places.

The places are the cells of the own region, and where tiles fit.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.tuscany import constants as c
from gonzaga_env.tuscany.board import ACTIONS, CELL_NAMES, NEIGHBOURS, cells_of
from gonzaga_env.tuscany.config import GameConfig

from ..arrays import Floats, Indices, Masks, Observations
from ..heuristics.tuscany import PLANNED, Placements, Values, score
from ..heuristics.tuscany_view import SeatView
from .choices import POINTS, ChoiceReader, PlannerView
from .scene import Openings, Scene, words_of

_MOST_NEIGHBOURS = 6
_ACTION_CELLS = np.full(ACTIONS.size, c.NUM_CELLS)
for _block in (ACTIONS.tile, ACTIONS.hexagon):
    _ACTION_CELLS[_block] = np.arange(c.NUM_CELLS)
_ACTION_COLOURS = np.full(ACTIONS.size, c.NUM_COLOURS)  # of the tile that an action takes
_ACTION_COLOURS[ACTIONS.take] = c.TILE_COLOURS


def scene(config: GameConfig) -> Scene:
    """Returns the scene of a configuration."""
    features, codec = config.features, config.actions
    texts = [codec.to_text(action) for action in range(codec.size)]

    def joints(observations: Observations) -> Indices:
        lower = features.view(observations, "joints")[:, 0]
        return np.array([[3, 1], [2, 0]])[lower[:, 1], lower[:, 0]]  # in the order of `JOINTS`

    def zones(observations: Observations) -> tuple[NDArray[np.generic], ...]:
        """Returns sizes of zones, how many of their cells are empty, and what may be covered."""
        seen = SeatView(config, observations)
        return seen.zone_sizes, seen.zone_left, seen.open

    def closed(observations: Observations) -> Masks:
        seen = SeatView(config, observations)
        found = np.zeros((len(seen), c.NUM_COLOURS, c.NUM_CELLS + 1), np.bool_)
        own = features.view(observations, "colours")[:, 0] > 0
        found[:, :, :-1] = ~(own & seen.open[:, None])
        return found

    sheets = np.arange(c.NUM_COLOURS)[:, None] * (c.NUM_CELLS + 1)
    return Scene(
        planes=(
            *((name, True) for name in ("colours", "covered", "wooden", "crops")),
            ("cell", False),
        ),
        near=_near(),
        words=words_of(texts, lambda word: word in CELL_NAMES),
        covers=_ACTION_CELLS.__getitem__,
        variant=joints,
        openings=Openings(
            places=sheets + np.arange(c.NUM_CELLS),  # any cell, on the sheet of a colour
            closed=closed,
            opened=_ACTION_COLOURS.__getitem__,
        ),
        more=zones,
        more_scales=(3, 3, 1),
    )


def _near() -> Indices:
    """Returns the cells beside each, [4, 30, 6], by joints; 30 for none."""
    near = np.full((len(NEIGHBOURS), c.NUM_CELLS, _MOST_NEIGHBOURS), c.NUM_CELLS)
    for joints, sets in enumerate(NEIGHBOURS):
        for cell, beside in enumerate(map(cells_of, sets)):
            near[joints, cell, : len(beside)] = beside
    return near


_COLOUR_FEATURES = ("hand", "to_cover", "in_reach", "stored", "on_display", "payment")
_CELL_FEATURES = ("points", "worth", "zone_size", "zone_left", "crops")
CHOICE_FEATURES = (*_COLOUR_FEATURES, *_CELL_FEATURES)
"""Of the choice's colour, if it has one, and of the cell that is covered, if there is one."""
_SEEN = (  # as it is; regions are summed up
    *("storage", "marble", "workers", "bonus", "turned", "hand_size", "complete", "green", "red"),
    *("start", "kind", "piece", "marble_used", "new_hexagons", "round", "lap", "final"),
    *("turns_left", "hand", "display", "neutral", "bonus_stock", "yield_deck"),
)

_NO_COLOUR = c.NUM_COLOURS


def _tokens() -> NDArray[np.uint8]:
    """Returns what each action is, [A]: itself, but for layouts and cells, which are all alike.

    To the token of a cell, the number of its colour is added.
    """
    tokens, shift = np.arange(ACTIONS.size), 0
    for block, kept in ((ACTIONS.layout, 1), *((b, c.NUM_COLOURS) for b in _CELL_BLOCKS)):
        tokens[block] = block.start - shift
        shift += block.stop - block.start - kept
        tokens[block.stop :] = np.arange(block.stop, ACTIONS.size) - shift
    return tokens.astype(np.uint8)


def _colours() -> NDArray[np.int64]:
    """Returns the colour of each action, [A]; 8 for none, and for cells, whose colours differ."""
    colours = np.full(ACTIONS.size, _NO_COLOUR)
    colours[ACTIONS.take] = c.TILE_COLOURS
    colours[ACTIONS.remove] = (*c.TILE_COLOURS, _NO_COLOUR)
    colours[ACTIONS.crop] = c.AGRICULTURE
    return colours


_CELL_BLOCKS = (ACTIONS.tile, ACTIONS.hexagon)
_TOKENS, _COLOURS = _tokens(), _colours()
_CELLS = np.full(ACTIONS.size, -1)
for _block in _CELL_BLOCKS:
    _CELLS[_block] = np.arange(_block.stop - _block.start)
NUM_TOKENS = int(_TOKENS[-1]) + 1


class TuscanyReader(ChoiceReader):
    """Reads the inputs of choices."""

    config: GameConfig
    seen, num_features, num_tokens = _SEEN, len(CHOICE_FEATURES), NUM_TOKENS

    def planner_view(self, observations: Observations) -> PlannerView:
        """See `ChoiceReader.planner_view`."""
        seat = SeatView(self.config, observations)
        values = Values(seat, PLANNED)
        placements = Placements(values)
        by_colour, by_cell = _colour_features(values), _cells(placements)

        def features(rows: Indices, actions: Indices) -> tuple[Floats, NDArray[np.integer]]:
            on_cell = _CELLS[actions]
            covered = np.where(on_cell < 0, 0, seat.colours[rows, on_cell])
            colours = np.where(on_cell < 0, _COLOURS[actions], covered)
            found = by_colour[rows, colours], by_cell[rows, on_cell]
            return np.column_stack(found).astype(np.float32), _TOKENS[actions] + covered

        numbers = np.hstack([by_colour[:, :-1].reshape(len(seat), -1), _position(values)])
        return PlannerView(score(placements), numbers, features)


def _colour_features(values: Values) -> Floats:
    """Returns `_COLOUR_FEATURES` of each colour, and zeros for none, [M, 9, F]."""
    seat = values.seat
    reach = np.bitwise_count(seat.colour_cells & (seat.near & seat.empty)[:, None])
    planes = (
        seat.hand / 4,
        seat.to_cover / 5,
        reach / 3,
        seat.stored_colours / 2,
        seat.display_colours / 3,
        values.cheapest.clip(max=2 * POINTS) / POINTS,
    )
    found = np.zeros((len(seat), c.NUM_COLOURS + 1, len(planes)), np.float32)
    for index, plane in enumerate(planes):
        found[:, :-1, index] = plane
    return found


def _cells(placements: Placements) -> Floats:
    """Returns `_CELL_FEATURES` of each cell, and zeros for none, [M, 31, F]."""
    seat = placements.seat
    planes = (
        placements.points / POINTS,
        placements.base / POINTS,
        seat.zone_sizes / 3,
        seat.zone_left / 3,
        placements.crops.max(axis=2) / POINTS,
    )
    found = np.zeros((len(seat), c.NUM_CELLS + 1, len(planes)), np.float32)
    for index, plane in enumerate(planes):
        found[:, :-1, index] = plane
    return found


def _position(values: Values) -> Floats:
    """Returns what things are worth to the planner, and what is seen of the end, [M, F]."""
    seat, rows = values.seat, np.arange(len(values.seat))
    paid = seat.colours[rows, seat.cell] == np.arange(c.NUM_COLOURS)[:, None]
    worth = (values.card, values.worker, values.marble, values.action)
    return np.column_stack(
        [
            *(worth / POINTS for worth in worth),
            values.bonus / POINTS,
            values.effect / POINTS,
            seat.turns_left / c.NUM_OWN_TILES,
            (paid & (seat.cell >= 0)).T,
            np.bitwise_count(seat.empty) / c.NUM_CELLS,
        ]
    )
