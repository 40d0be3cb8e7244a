"""Chance: a hash of seed, episode and event; no game depends on the other games of its batch.

The words of a game's stream, one an event, are those of splitmix64 started at a hash of its seed
and episode. A deal takes the first ones; chance within the game takes one for each later event.
A state from outside has an event below `MOST_EVENTS`, which leaves room for 2^31 more.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256, sha512
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.kernel.arguments import Integers, as_array, is_integer
from gonzaga_env.kernel.errors import OptionError
from gonzaga_env.kernel.messages import short_repr

T = TypeVar("T")

MOST_EVENTS = 2**31
_WORD = 2**64 - 1
_STEP = 0x9E3779B97F4A7C15
_FACTORS = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
_GOLDEN, _ONE = np.uint64(_STEP), np.uint64(1)
_FIRST, _SECOND = map(np.uint64, _FACTORS)
_SHIFTS = np.uint64(30), np.uint64(27), np.uint64(31)


def _mix(keys: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Returns scrambled keys: the finaliser of splitmix64 (Steele, Lea and Flood 2014)."""
    keys = keys ^ (keys >> _SHIFTS[0])
    keys *= _FIRST
    keys ^= keys >> _SHIFTS[1]
    keys *= _SECOND
    keys ^= keys >> _SHIFTS[2]
    return keys


def stream_starts(seeds: NDArray[np.uint64], episodes: NDArray[np.uint32]) -> NDArray[np.uint64]:
    """Returns what the words of each game's stream are computed from, [M]."""
    return _mix(_mix(seeds + _GOLDEN) + (episodes.astype(np.uint64) + _ONE) * _GOLDEN)


def event_words(starts: NDArray[np.uint64], events: NDArray[np.integer]) -> NDArray[np.uint64]:
    """Returns the word of one event of each game, [M]; events count from 0."""
    return _mix(starts + (events.astype(np.uint64) + _ONE) * _GOLDEN)


def event_word(start: int, event: int) -> int:
    """Returns the word of one event of one game; `event_words` for many."""
    key = (start + (event + 1) * _STEP) & _WORD
    key = (key ^ key >> 30) * _FACTORS[0] & _WORD
    key = (key ^ key >> 27) * _FACTORS[1] & _WORD
    return key ^ key >> 31


def random_keys(
    seeds: NDArray[np.uint64], episodes: NDArray[np.uint32], count: int
) -> NDArray[np.uint64]:
    """Returns the words of the first `count` events of each game, [M, count]."""
    steps = np.arange(1, count + 1, dtype=np.uint64) * _GOLDEN
    return _mix(stream_starts(seeds, episodes)[:, None] + steps)


def game_seeds(seed: int | Sequence[int] | Integers, num_games: int) -> NDArray[np.uint64]:
    """Returns the seed of every game, [N], modulo 2^64; one integer gives game i `seed + i`."""
    seeds: Integers
    if isinstance(seed, list | tuple) and all(map(is_integer, seed)):
        # As an array they could be floats: no integers of numpy hold both 2^63 and a negative one.
        seeds = np.array([int(one) % 2**64 for one in seed], np.uint64)
    else:
        seeds = as_array(seed % 2**64 if type(seed) is int else seed)
    if seeds.dtype.kind not in "iu" or seeds.shape not in ((), (num_games,)):
        raise OptionError(
            f"seed is {short_repr(seed)}; it takes one integer, or {num_games}, one per game"
        )
    offset = np.arange(num_games, dtype=np.uint64) if seeds.shape == () else np.uint64(0)
    return seeds.astype(np.uint64) + offset


def agent_generators(secret: bytes, count: int) -> list[np.random.Generator]:
    """Returns a generator for each of some agents; the same secret gives the same generators.

    A generator shows its whole seed (`bit_generator.seed_seq.entropy`), and one made by numpy's
    `spawn` shows its parent's. These show a SHA-256 of the secret and the agent's number instead,
    which leads neither to the secret nor to the other agents' generators.
    """
    # Another salt would change every match that was played with a seed.
    digests = [sha256(b"gonzaga agent %d\n" % i + secret).digest() for i in range(count)]
    return [np.random.default_rng(int.from_bytes(digest, "little")) for digest in digests]


class Draws:
    """Draws from a text.

    numpy promises that the numbers of a `RandomState` never change, unlike those of a `Generator`.
    The text is hashed as Python's `random.Random` does, so both draw the same.
    """

    def __init__(self, text: str) -> None:
        content = text.encode()
        number = int.from_bytes(content + sha512(content).digest(), "big")
        words = [number >> i & 0xFFFFFFFF for i in range(0, number.bit_length(), 32)]
        self._random = np.random.RandomState(words)

    def below(self, most: int) -> int:
        """Returns an integer from 0 to below `most`."""
        return int(self._random.random_sample() * most)

    def between(self, low: int, high: int) -> int:
        """Returns an integer from `low` to `high`."""
        return low + self.below(high - low + 1)

    def choice(self, given: Sequence[T]) -> T:
        return given[self.below(len(given))]

    def shuffled(self, given: Sequence[T]) -> list[T]:
        left = list(given)
        for last in range(len(left) - 1, 0, -1):
            other = self.below(last + 1)
            left[last], left[other] = left[other], left[last]
        return left
