"""A game's places, as a network sees them.

A scene says nothing of good play: it says where the bytes of an observation lie on the board, which
places touch, and which places an action is about.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..arrays import Floats, Indices, Masks, Observations


@dataclass(frozen=True)
class Openings:
    """Groups of later placements that choices open, such as those of a tile that is taken.

    Places of several sheets may be closed to different tiles: place p of sheet s is number
    p + s * (H + 1).

    Attributes:
        places: the numbers of the T placements of each of G groups, [G, T].
        closed: returns what is closed to observations [M, D], [M, S, H + 1].
        opened: returns the group that actions [L] open; G for none.
    """

    places: Indices
    closed: Callable[[Observations], Masks]
    opened: Callable[[Indices], Indices]


@dataclass(frozen=True)
class Scene:
    """The places of a game, H in all, for a configuration.

    Attributes:
        planes: features of observations that say something of each place, and whether their first
            axis is seats, of which the own one is seen.
        more: returns further planes that follow from observations [M, D], each [M, H].
        more_scales: about the largest value of each of these.
        near: the places beside each, [V, H, n], for V ways in which places lie; H for none.
        words: what the name of each action says besides places, [A, W], from 0.
        covers: returns the place that actions [L] are about; H for none.
        variant: returns which of the V ways observations show, [M].
        openings: what choices open.
    """

    planes: tuple[tuple[str, bool], ...]
    near: Indices
    words: Indices
    covers: Callable[[Indices], Indices]
    variant: Callable[[Observations], Indices]
    openings: Openings
    more: Callable[[Observations], Sequence[NDArray[np.generic]]]
    more_scales: tuple[float, ...]

    @property
    def static(self) -> Floats:
        """What tells places apart, [H, H]."""
        return np.eye(self.near.shape[1], dtype=np.float32)


def words_of(texts: Sequence[str], is_place: Callable[[str], bool]) -> Indices:
    """Returns the words of actions' texts, [A, W], each by its place in its text; 0 for none.

    Words that only name a place are left out.
    """
    split = [re.findall(r"[^\s+]+|[+-]+$", text) for text in texts]
    known: dict[tuple[int, str], int] = {}
    found = np.zeros((len(texts), max(map(len, split))), np.int64)
    for action, words in enumerate(split):
        for place, word in enumerate(words):
            if not is_place(word):
                found[action, place] = known.setdefault((place, word), len(known) + 1)
    return found
