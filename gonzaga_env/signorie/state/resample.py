"""States that a seat cannot tell apart: what it may not know is drawn at random."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.signorie import constants as c
from gonzaga_env.signorie.config import GameConfig
from gonzaga_env.signorie.state.state import State
from gonzaga_env.tabletop.arguments import check_num_samples, check_rng

_LAST = 2.0  # above every random key


def resample(config: GameConfig, state: State, rng: np.random.Generator, num_samples: int) -> State:
    """Returns copies in which everything that no seat knows is drawn (S13.1).

    Drawn uniformly among what agrees with it: the removed tiles, equally many of each House
    (S2.6), the face-down ones, and with them the deck; and the seed, which decides all later
    chance. Finished games stay as they are.

    Args:
        config: what is played.
        state: N games.
        rng: source of randomness.
        num_samples: K, copies of each game.

    Returns:
        N * K games; those of game i are rows i * K to i * K + K - 1.

    Raises:
        OptionError: K is less than 1, or `rng` is not a generator.
    """
    check_rng(rng)
    check_num_samples(num_samples)
    samples = state.copy() if num_samples == 1 else state.repeat(num_samples)
    running = np.flatnonzero(~samples.finished)
    samples.seed[running] = rng.integers(2**64, size=len(running), dtype=np.uint64)
    samples.deck[running] = _draw_decks(config, samples.take(running), rng)
    return samples


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
