"""A game's places, as a network sees them: hexes, cells, spaces and slots.

A scene says nothing of good play: it says where the bytes of an observation lie on the board, which
places touch, and which places an action or a plan is about.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..arrays import Floats, Indices, Masks, Observations
from .agent import TrainingDefaults

_TRAINING = TrainingDefaults(gae_lambda=0.95, chunk=128)


@dataclass(frozen=True)
class Plane:
    """A feature of observations that says something of each of some places.

    Attributes:
        feature: its name.
        first: the first of its places, which follow each other.
        places: how many there are.
        seats: whether its first axis is seats: the own one is seen apart from all others, which
            are added up.
        others: whether others are seen at all.
        last: whether places are the last of its axes, or the first one after that of seats.
    """

    feature: str
    places: int
    first: int = 0
    seats: bool = False
    others: bool = True
    last: bool = True


@dataclass(frozen=True)
class Openings:
    """Groups of later actions that choices open, such as the placements that a plan allows.

    Places of several sheets may be closed to different actions (a fief, a ring): what needs place p
    of sheet s has p + s * (H + 1) in its list.

    Attributes:
        cells: needed by the T actions of each of G groups, by situation, [F, G, T, C]; the places
            that they cover, and H for none. Where a group has fewer than T, the rest are `missing`.
        words: what each action is, [F, G, T], numbers of `Scene.words`.
        missing: where there is no action, [F, G, T].
        read: returns the situation [M] of observations [M, D] and what is closed, [M, S, H + 1].
        opened: returns the groups that actions [L] open to observations [M, D] whose rows are
            [L], [L, U]; G for none.
    """

    cells: Indices
    words: Indices
    missing: Masks
    read: Callable[[Observations], tuple[Indices, Masks]]
    opened: Callable[[Observations, Indices, Indices], Indices]


@dataclass(frozen=True)
class Scene:
    """The places of a game, H in all, for a configuration.

    Attributes:
        planes: what observations say of places.
        static: what is always so, [H, F].
        more: returns further planes that follow from observations [M, D], each [M, H].
        more_scales: about the largest value of each of these.
        near: the places at each distance, one array [V, H, n] each, for V ways in which places lie
            beside one another; H for none.
        landmarks: places that the value sees one by one.
        words: what the name of each action says besides places, [A, W], from 0.
        covers: returns the places that actions [L] are about, [L, C], from observations [M, D] and
            their rows [L]; H for none.
        variant: returns which of the V ways observations show, [M]; None where there is one.
        openings: what choices open; None for nothing.
        all_numbers: whether what planes show is seen as numbers, too.
        training: how its networks are trained.
    """

    planes: tuple[Plane, ...]
    static: Floats
    near: tuple[Indices, ...]
    landmarks: Indices
    words: Indices
    covers: Callable[[Observations, Indices, Indices], Indices]
    variant: Callable[[Observations], Indices] | None = None
    openings: Openings | None = None
    more: Callable[[Observations], Sequence[NDArray[np.generic]]] | None = None
    more_scales: tuple[float, ...] = ()
    all_numbers: bool = False
    training: TrainingDefaults = _TRAINING


def words_of(texts: Sequence[str], is_place: Callable[[str], bool] = lambda word: False) -> Indices:
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
