"""Reads the network's inputs from what the deciding seats see."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.tuscany.board.actions import ACTIONS
from gonzaga_env.tuscany.config import GameConfig
from gonzaga_env.tuscany.constants import (
    AGRICULTURE,
    NUM_CELLS,
    NUM_COLOURS,
    NUM_OWN_TILES,
    TILE_COLOURS,
)

from ...common.arrays import Floats, Indices, best_of_rows
from ..heuristic import Placements, Values, score
from ..planner import PLANNED
from ..seat import Seat
from .inputs import NUM_CHOICES, Inputs, InputSizes

_POINTS = np.float32(10)  # the unit in which points are given to the network
_COLOUR_FEATURES = ("hand", "to_cover", "in_reach", "stored", "on_display", "payment")
_CELL_FEATURES = ("points", "worth", "zone_size", "zone_left", "crops")
CHOICE_FEATURES = (
    "behind",  # the planner's score less that of the best choice, in `_POINTS`
    "score",
    *_COLOUR_FEATURES,  # of the choice's colour, if it has one
    *_CELL_FEATURES,  # of the cell that is covered, if there is one
)
BEHIND = CHOICE_FEATURES.index("behind")
_FEATURES = (
    *("storage", "marble", "workers", "bonus", "turned", "hand_size", "complete", "green", "red"),
    *("start", "kind", "piece", "marble_used", "new_hexagons", "round", "lap", "final"),
    *("turns_left", "hand", "display", "neutral", "bonus_stock", "yield_deck"),
)
"""What the network sees of observations as they are; regions are summed up."""
_NO_COLOUR = NUM_COLOURS


def _tokens() -> NDArray[np.uint8]:
    """Returns what each action is, [A]: itself, but for layouts and cells, which are all alike.

    To the token of a cell, the number of its colour is added.
    """
    tokens, shift = np.arange(ACTIONS.size), 0
    for block, kept in ((ACTIONS.layout, 1), *((b, NUM_COLOURS) for b in _CELL_BLOCKS)):
        tokens[block] = block.start - shift
        shift += block.stop - block.start - kept
        tokens[block.stop :] = np.arange(block.stop, ACTIONS.size) - shift
    return tokens.astype(np.uint8)


def _colours() -> NDArray[np.int64]:
    """Returns the colour of each action, [A]; 8 for none, and for cells, whose colours differ."""
    colours = np.full(ACTIONS.size, _NO_COLOUR)
    colours[ACTIONS.take] = TILE_COLOURS
    colours[ACTIONS.remove] = (*TILE_COLOURS, _NO_COLOUR)
    colours[ACTIONS.crop] = AGRICULTURE
    return colours


_CELL_BLOCKS = (ACTIONS.tile, ACTIONS.hexagon)
_TOKENS, _COLOURS = _tokens(), _colours()
_CELLS = np.full(ACTIONS.size, -1)
for _block in _CELL_BLOCKS:
    _CELLS[_block] = np.arange(_block.stop - _block.start)
NUM_TOKENS = int(_TOKENS[-1]) + 1


class InputReader:
    """Reads inputs for a game.

    Attributes:
        config: what is played.
        sizes: sizes of the inputs.
    """

    def __init__(self, config: GameConfig) -> None:
        self.config, features = config, config.features
        slices = [features[name].slice for name in _FEATURES]
        self._columns = np.concatenate([np.arange(part.start, part.stop) for part in slices])
        self._scales = (1 / features.scales[self._columns]).astype(np.float32)
        nothing = np.zeros((1, features.size), np.uint8)
        numbers = self._read(nothing, np.ones((1, ACTIONS.size), np.bool_)).numbers
        self.sizes = InputSizes(numbers.shape[1])

    def read_engine(self, engine: Any, games: Indices, seats: Indices) -> Inputs:
        """Returns the inputs of M decisions (see `Reader.read_engine`); seats are those to act."""
        return self._read(engine.observe(rows=games), engine.legal_action_mask(games))

    def read_observations(
        self, observations: NDArray[np.uint8], masks: NDArray[np.bool_]
    ) -> Inputs:
        """Returns the inputs of M decisions from observations [M, D] and masks [M, A]."""
        return self._read(observations, masks)

    def _read(self, observations: NDArray[np.uint8], masks: NDArray[np.bool_]) -> Inputs:
        seat = Seat(self.config, observations)
        values = Values(seat, PLANNED)
        placements = Placements(values)
        rows, actions = masks.nonzero()
        scores = score(placements)[rows, actions] / _POINTS
        top, rank = best_of_rows(rows, scores, NUM_CHOICES)
        rows, actions, scores = rows[top], actions[top], scores[top]
        behind = scores - scores[rank == 0][rows]
        cells = np.where(_CELLS[actions] < 0, 0, seat.colours[rows, _CELLS[actions]])
        colours = np.where(_CELLS[actions] < 0, _COLOURS[actions], cells)
        by_colour = _colour_features(values)
        shape = len(seat), NUM_CHOICES
        choices = np.zeros((*shape, len(CHOICE_FEATURES)), np.float32)
        choices[rows, rank] = np.column_stack(
            [behind, scores, by_colour[rows, colours], _cells(placements)[rows, _CELLS[actions]]]
        )
        tokens, listed = np.zeros(shape, np.uint8), np.full(shape, -1, np.int16)
        tokens[rows, rank], listed[rows, rank] = _TOKENS[actions] + cells, actions
        seen = observations[:, self._columns] * self._scales
        numbers = np.hstack([seen, by_colour[:, :-1].reshape(len(seat), -1), _position(values)])
        return Inputs(numbers.astype(np.float32), choices, tokens, listed)


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
        values.cheapest.clip(max=2 * _POINTS) / _POINTS,
    )
    found = np.zeros((len(seat), NUM_COLOURS + 1, len(planes)), np.float32)
    for index, plane in enumerate(planes):
        found[:, :-1, index] = plane
    return found


def _cells(placements: Placements) -> Floats:
    """Returns `_CELL_FEATURES` of each cell, and zeros for none, [M, 31, F]."""
    seat = placements.seat
    planes = (
        placements.points / _POINTS,
        placements.base / _POINTS,
        seat.zone_sizes / 3,
        seat.zone_left / 3,
        placements.crops.max(axis=2) / _POINTS,
    )
    found = np.zeros((len(seat), NUM_CELLS + 1, len(planes)), np.float32)
    for index, plane in enumerate(planes):
        found[:, :-1, index] = plane
    return found


def _position(values: Values) -> Floats:
    """Returns what things are worth to the planner, and what is seen of the end, [M, F]."""
    seat, rows = values.seat, np.arange(len(values.seat))
    paid = seat.colours[rows, seat.cell] == np.arange(NUM_COLOURS)[:, None]
    worth = (values.card, values.worker, values.marble, values.action)
    return np.column_stack(
        [
            *(worth / _POINTS for worth in worth),
            values.bonus / _POINTS,
            values.effect / _POINTS,
            seat.turns_left / NUM_OWN_TILES,
            (paid & (seat.cell >= 0)).T,
            np.bitwise_count(seat.empty) / NUM_CELLS,
        ]
    )


def zero_inputs(sizes: InputSizes) -> Inputs:
    """Returns one decision whose inputs are all 0, to try a network with."""
    shape = 1, NUM_CHOICES
    return Inputs(
        numbers=np.zeros((1, sizes.numbers), np.float32),
        choices=np.zeros((*shape, len(CHOICE_FEATURES)), np.float32),
        tokens=np.zeros(shape, np.uint8),
        actions=np.zeros(shape, np.int16),
    )
