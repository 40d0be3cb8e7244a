"""Chance: one event for each piece drawn, keyed by (seed, episode, event).

Piles are counts by kind, not orders: which piece lies on top is drawn when it is turned up, with
the same odds. So shuffling is adding the discards, nothing about an order is there to be hidden,
and a seat's ignorance is of hands alone. Event e of a game is word e of its stream, a hash: game i
never depends on its batch mates, and `random_keys(seeds, episodes, count)[:, e]` is that word.

| event | draws |
|---|---|
| 0 to 134 | the deal (`deals.draw_deals`) |
| from 135 | one piece each, in the order in which they are turned up |

The display takes the first eight of those, after the last starting bonus tile (T2.4).

To draw from a pile of n pieces, take the word modulo n: the piece is the one with that place when
the pile lies sorted by kind. An empty pile is renewed first, which takes no event; where there is
nothing to renew it with, nothing is drawn and no event is used.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.state.deals import _GOLDEN, _mix

_WORD = 2**64 - 1
_STEP = int(_GOLDEN)


def stream_starts(seeds: NDArray[np.uint64], episodes: NDArray[np.uint32]) -> NDArray[np.uint64]:
    """Returns what the words of each game's stream are computed from, [M]."""
    return _mix(_mix(seeds + _GOLDEN) + (episodes.astype(np.uint64) + np.uint64(1)) * _GOLDEN)


def event_words(starts: NDArray[np.uint64], events: NDArray[np.integer]) -> NDArray[np.uint64]:
    """Returns the word of one event of each game, [M]."""
    return _mix(starts + (events.astype(np.uint64) + np.uint64(1)) * _GOLDEN)


def event_word(start: int, event: int) -> int:
    """Returns the word of one event of one game; `event_words` for many."""
    key = (start + (event + 1) * _STEP) & _WORD
    key = (key ^ key >> 30) * 0xBF58476D1CE4E5B9 & _WORD
    key = (key ^ key >> 27) * 0x94D049BB133111EB & _WORD
    return key ^ key >> 31
