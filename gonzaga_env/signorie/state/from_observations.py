"""States from observations: the inverse of `observe`, with what is hidden drawn at random."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.signorie.config import GameConfig
from gonzaga_env.signorie.constants import NUM_TILES, TILE_VALUES
from gonzaga_env.signorie.state.resample import draw_hidden
from gonzaga_env.signorie.state.state import NO_COLOR, NO_EFFECT, NO_TILE, State, empty_state
from gonzaga_env.tabletop.engines.resample import states_reader

_SAME = (
    *("scores", "florins", "supply", "stock", "threshold", "careers", "placed", "helpers"),
    *("brides", "meeples", "initiative", "height", "passed", "row_vp", "face_down"),
    *("pool", "cities"),
)
_NUMBERS = ("part", "left", "repeats", "round")
_ONE_HOT = ("kind", "boards", "assignments", "bonus_tiles", "vp_tiles")


def _read(config: GameConfig, observations: NDArray[np.uint8]) -> tuple[State, NDArray[np.int64]]:
    """Returns the state that is seen, by seat 0; all unseen tiles are in the deck."""
    features = config.features
    features.check(observations)

    def view(name: str) -> NDArray[np.uint8]:
        return features.view(observations, name)

    state = empty_state(config, len(observations))
    for name in _SAME:
        getattr(state, name)[:] = view(name)
    for name in _NUMBERS:
        getattr(state, name)[:] = view(name)[:, 0]
    for name in _ONE_HOT:
        getattr(state, name)[:] = view(name).argmax(axis=-1)
    for name, nothing in (("effect", NO_EFFECT), ("color", NO_COLOR)):
        seen = view(name)
        getattr(state, name)[:] = np.where(seen.any(axis=1), seen.argmax(axis=1), nothing)
    state.order[:] = view("place").argsort(axis=1)
    state.seat[:] = view("to_act").argmax(axis=1)
    state.held[:] = np.array(config.edition.shields)[state.boards] - view("missing")
    house, value = view("tile_house"), view("tile_value")
    tiles = house.argmax(axis=-1) * len(TILE_VALUES) + value.argmax(axis=-1)
    state.city_tiles[:] = np.where(house.any(axis=-1), tiles, NO_TILE)
    state.unseen[:] = view("unseen").reshape(-1, NUM_TILES)
    return state, np.zeros(len(observations), np.int64)


states_from_observations = states_reader(_read, draw_hidden)
