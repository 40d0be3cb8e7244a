"""States from observations: the inverse of `observe`, with what is hidden drawn at random."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.signorie.config import GameConfig
from gonzaga_env.signorie.constants import NUM_TILES, TILE_VALUES
from gonzaga_env.signorie.state.resample import resample
from gonzaga_env.signorie.state.state import NO_COLOR, NO_EFFECT, NO_TILE, State, empty_state
from gonzaga_env.tabletop.arguments import check_num_samples, check_rng

_SAME = (
    *("scores", "florins", "supply", "stock", "threshold", "careers", "placed", "helpers"),
    *("brides", "meeples", "initiative", "height", "passed", "row_vp", "face_down"),
    *("pool", "cities"),
)
_NUMBERS = ("part", "left", "repeats", "round")
_ONE_HOT = ("kind", "boards", "assignments", "bonus_tiles", "vp_tiles")


def states_from_observations(
    config: GameConfig,
    observations: NDArray[np.uint8],
    rng: np.random.Generator,
    num_samples: int = 1,
) -> State:
    """Returns states that agree with observations; what is hidden is drawn as in `resample`.

    The rules treat all seats alike, so the observing seat becomes seat 0, and the others follow
    clockwise. Each state gives it the same observation and mask as the true game; numbers above
    255 are taken for 255.

    Args:
        config: what is played.
        observations: [M, D], of any seats, of games that are not over.
        rng: source of randomness.
        num_samples: K, states drawn for each observation.

    Returns:
        A state of M * K games; those of observation i are rows i * K to i * K + K - 1.

    Raises:
        OptionError: K is less than 1, or the observations have another shape or dtype.
        StateError: an observation of a finished game.
    """
    check_rng(rng)
    check_num_samples(num_samples)
    return resample(config, _read(config, observations), rng, num_samples)


def _read(config: GameConfig, observations: NDArray[np.uint8]) -> State:
    """Returns the state that is seen; all unseen tiles are in the deck."""
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
    return state
