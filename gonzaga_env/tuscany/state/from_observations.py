"""States from observations: the inverse of `observe`, with what is hidden drawn at random."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.tabletop.engines.resample import states_reader
from gonzaga_env.tuscany import constants as c
from gonzaga_env.tuscany.board.regions import CELL_BITS
from gonzaga_env.tuscany.config import GameConfig
from gonzaga_env.tuscany.state.resample import draw_hidden
from gonzaga_env.tuscany.state.state import State, empty_state

_SAME_NAME = (
    *("storage", "marble", "workers", "bonus", "stacks", "scores"),
    *("display", "neutral", "aside", "discards", "yield_deck"),
)
_NUMBERS = ("marble_used", "new_hexagons", "round", "lap")


def _read(config: GameConfig, observations: NDArray[np.uint8]) -> tuple[State, NDArray[np.int64]]:
    """Returns the state that is seen, by seat 0; what is hidden is any that there may be."""
    config.features.check(observations)

    def view(name: str) -> NDArray[np.uint8]:
        return config.features.view(observations, name)

    state = empty_state(config, len(observations))
    for name in _SAME_NAME:
        getattr(state, name)[:] = view(name)
    for name in _NUMBERS:
        getattr(state, name)[:] = view(name)[:, 0]
    for name in ("covered", "wooden", "crops"):
        getattr(state, name)[:] = view(name) @ CELL_BITS
    for name, most in (("cell", c.NO_CELL), ("piece", c.NO_PIECE), ("kind", 0)):
        seen = view(name)
        getattr(state, name)[:] = np.where(seen.any(axis=1), seen.argmax(axis=1), most)
    state.start[:], state.seat[:] = view("start").argmax(axis=1), view("to_act").argmax(axis=1)
    state.turns_left[:] = np.where(view("final")[:, 0] > 0, view("turns_left")[:, 0], c.NOT_FINAL)
    state.boards[:] = view("boards").argmax(axis=3) @ np.array([16, 4, 1])
    layout = view("layout")
    state.layout[:] = np.where(layout > 0, layout.astype(np.int64) - 1, c.NO_LAYOUT)
    _read_cards(config, state, view("hand"), view("hand_size"))
    yields = np.array([copies for *_, copies in config.edition.yield_cards])
    state.yield_discards[:] = yields - state.yield_deck
    _choose_layouts(state)
    return state, np.zeros(len(observations), np.int64)


def _read_cards(
    config: GameConfig, state: State, hand: NDArray[np.uint8], sizes: NDArray[np.uint8]
) -> None:
    """Gives the others the first unseen cards, and leaves the rest as the deck."""
    state.hand[:, 0] = hand
    unseen = np.array(config.edition.region_cards) - state.discards - hand
    for seat in range(1, config.num_players):
        before = unseen.cumsum(axis=1) - unseen
        dealt = np.clip(sizes[:, seat, None].astype(np.int64) - before, 0, unseen)
        state.hand[:, seat] = dealt
        unseen = unseen - dealt
    state.deck[:] = unseen


def _choose_layouts(state: State) -> None:
    """Gives the seats a layout and a castle that have chosen them unseen (T2.4)."""
    p = state.num_players
    from_start = (np.arange(p) - state.start[:, None]) % p
    acting = np.take_along_axis(from_start, state.seat[:, None].astype(np.int64), axis=1)
    setup = (state.kind <= c.STARTING_CASTLE)[:, None]
    done = setup & (from_start < acting) & (state.layout == c.NO_LAYOUT)
    choosing = setup & (from_start == acting) & (state.kind == c.STARTING_CASTLE)[:, None]
    state.layout[done | choosing & (state.layout == c.NO_LAYOUT)] = c.NUM_LAYOUTS - 1
    state.covered[done] = 1


states_from_observations = states_reader(_read, draw_hidden)
