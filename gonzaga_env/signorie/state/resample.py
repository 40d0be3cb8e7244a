"""States that a seat cannot tell apart: what it may not know is drawn at random."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.signorie import constants as c
from gonzaga_env.signorie.config import GameConfig
from gonzaga_env.signorie.state.state import State

_LAST = 2.0  # above every random key


def draw_hidden(
    config: GameConfig, games: State, seats: NDArray[np.int64], rng: np.random.Generator
) -> None:
    """Draws in place what no seat knows (S13.1), but for the seed; `seats` do not matter.

    Drawn uniformly among what agrees with it: the removed tiles, equally many of each House
    (S2.6), the face-down ones, and with them the deck.
    """
    games.deck[:] = _draw_decks(config, games, rng)


def _draw_decks(config: GameConfig, games: State, rng: np.random.Generator) -> NDArray[np.uint8]:
    """Returns decks by kind, [M, 24]: the unseen tiles, less removed and face-down ones."""
    counts = np.array(config.edition.tiles)
    kinds = np.arange(c.NUM_TILES).repeat(counts)
    copies = np.arange(len(kinds)) - (counts.cumsum() - counts)[kinds]
    unseen = copies < games.unseen[:, kinds]
    keys = np.where(unseen, rng.random(unseen.shape), _LAST)
    if num_removed := c.REMOVED_PER_HOUSE[config.num_players]:
        of_house = keys.reshape(-1, c.NUM_HOUSES, c.TILES_PER_HOUSE)
        kept = of_house.argsort(axis=2).argsort(axis=2) >= num_removed
        # New keys: the old ones would favor Houses of which many tiles are unseen.
        keys = np.where(unseen & kept.reshape(keys.shape), rng.random(keys.shape), _LAST)
    face_down = games.face_down.sum(axis=(1, 2), dtype=np.int64)
    drawn = keys.argsort(axis=1).argsort(axis=1) >= face_down[:, None]
    deck = (drawn & (keys < _LAST)) @ (kinds[:, None] == np.arange(c.NUM_TILES)).astype(np.int64)
    return deck.astype(np.uint8)
