"""The network of places in numpy, for play and searches without torch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arrays import Floats, Indices, Masks
from .places import GeometryInputs, GeometrySizes
from .plain import PADDING, Layers, Shapes, check_weights, relu
from .scene import Openings

CLOSED = -1e6
"""The worth of a place that is closed to an opening."""
LOOKED_AT = 4
"""Openings of each group that are scored in full."""


class PlainForward:
    """Calls the network on inputs: what `NetworkAgent` takes (see `network.GeometryNetwork`)."""

    def __init__(self, arrays: Mapping[str, NDArray[Any]], sizes: GeometrySizes) -> None:
        """Takes the weights of a network by their names in it.

        Args:
            arrays: the weights.
            sizes: what the network was made for.

        Raises:
            ValueError: they are of another network.
        """
        check_weights(arrays, lambda width: _shapes(sizes, width))
        self._linear, scene = Layers(arrays), sizes.scene
        self._seen = (arrays["place_seen.weight"] / np.array(sizes.scales, np.float32)).T.copy()
        static = scene.static @ arrays["place_static.weight"].T
        self._static = static + arrays["place_seen.bias"]
        words = arrays["word.weight"].T.copy(), arrays["word_worth.weight"].T.copy()
        for table in words:
            table[0] = 0  # no word
        self._word, self._word_worth = words[0], words[1][:, 0]
        self._action_word = self._word[scene.words].sum(axis=1)
        self._action_worth = self._word_worth[scene.words].sum(axis=1)
        self._opened_weight, self._openings = arrays["opened_weight"], scene.openings
        if scene.openings is not None:
            first_worth = self._word_worth[scene.openings.words]
            self._first_worth = first_worth + np.float32(CLOSED) * scene.openings.missing

    def __call__(self, inputs: GeometryInputs) -> tuple[Floats, Floats]:
        """Returns logits [M, K] and values [M]."""
        linear = self._linear
        context = relu(linear("context.2", relu(linear("context.0", inputs.numbers))))
        places = self._places(inputs.seen, context)
        ahead = linear("choice_context", context)
        row, choice = (inputs.actions >= 0).nonzero()
        actions = inputs.actions[row, choice]
        covered = _covered(places, row, inputs.covers[row, choice].T)
        hidden = linear("choice_places", covered) + self._action_word[actions] + ahead[row]
        worth = linear("place_worth", covered)[:, 0] + self._action_worth[actions]
        if (openings := self._openings) is not None:
            groups = inputs.opened[row, choice]
            opens = (groups < openings.cells.shape[1]).any(axis=1).nonzero()[0]
            if len(opens):
                later, best = self._open(openings, places, ahead, inputs, row[opens], groups[opens])
                hidden[opens] += linear("choice_opened", later)
                worth[opens] += self._opened_weight[0] * best
        logits = np.full(inputs.actions.shape, PADDING, np.float32)
        logits[row, choice] = linear("choice_out", relu(hidden))[:, 0] + worth
        seen = np.hstack([context, places[:, :-1].mean(axis=1)])
        return logits, linear("value.2", relu(linear("value.0", seen)))[:, 0]

    def _places(self, seen: NDArray[np.uint8], context: Floats) -> Floats:
        """Returns the units of places, and zeros for no place, [M, H + 1, E]."""
        num_rows, num_places, width = seen.shape
        flat = seen.reshape(-1, width).astype(np.float32) @ self._seen
        found = flat.reshape(num_rows, num_places, -1)
        found += self._static
        found += self._linear("place_context", context)[:, None]
        places = np.zeros((num_rows, num_places + 1, found.shape[2]), np.float32)
        np.maximum(found, 0, out=places[:, :-1])
        return places

    @np.errstate(under="ignore")  # the shares of what is worth little become 0
    def _open(
        self,
        openings: Openings,
        places: Floats,
        ahead: Floats,
        inputs: GeometryInputs,
        row: Indices,
        groups: Indices,
    ) -> tuple[Floats, Floats]:
        """Returns what Q choices open: hidden units [Q, E], and how much it is worth, [Q].

        Args:
            openings: of the scene.
            places: [M, H + 1, E].
            ahead: of the positions, [M, E].
            inputs: the positions.
            row: of each choice, [Q].
            groups: that it opens, [Q, U].
        """
        rows, at = np.unique(row, return_inverse=True)
        situation, linear = inputs.situation[rows], self._linear
        best, is_open = self._look_at(openings, places[rows], situation, inputs.closed[rows])
        shape = is_open.shape  # [R, G, k]
        group = np.arange(shape[1])[:, None]
        cells = openings.cells[situation[:, None, None], group, best] % places.shape[1]
        words = openings.words[situation[:, None, None], group, best].reshape(-1)
        each = rows.repeat(shape[1] * shape[2])
        covered = _covered(places, each, cells.reshape(-1, cells.shape[-1]).T)
        hidden = relu(linear("choice_places", covered) + self._word[words] + ahead[each])
        worth = linear("place_worth", covered)[:, 0] + self._word_worth[words]
        worth = (worth + linear("choice_out", hidden)[:, 0]).reshape(shape)
        total, share = _shares(np.where(is_open, self._opened_weight[1] * worth, PADDING))
        share = np.where(is_open, share, 0).astype(np.float32)
        hidden = np.einsum("rgk,rgke->rge", share, hidden.reshape(*shape, -1))
        worth = (share * worth).sum(axis=2)
        # Of the groups that a choice opens, and none of those that it does not.
        none = np.full((len(rows), 1), PADDING, np.float32)
        chosen = at[:, None], groups
        _, share = _shares(np.hstack([total, none])[chosen])
        worth = np.hstack([worth, np.zeros_like(none)])[chosen]
        hidden = np.concatenate([hidden, np.zeros_like(hidden[:, :1])], axis=1)[chosen]
        return np.einsum("qu,que->qe", share, hidden), (share * worth).sum(axis=1)

    def _look_at(
        self, openings: Openings, places: Floats, situation: Indices, closed: Masks
    ) -> tuple[Indices, Masks]:
        """Returns the openings of R positions that are worth most at first sight, [R, G, k].

        Also returns whether each of them is open.
        """
        worth = self._linear("place_worth", places)[..., 0]
        sheets = np.where(closed, np.float32(CLOSED), worth[:, None]).reshape(len(places), -1)
        num_groups, most = openings.cells.shape[1:3]
        size = min(LOOKED_AT, most)
        found = np.empty((len(places), num_groups, size), np.int64)
        is_open = np.empty(found.shape, np.bool_)
        for which in np.unique(situation):
            rows = (situation == which).nonzero()[0]
            scores = np.broadcast_to(self._first_worth[which], (len(rows), num_groups, most)).copy()
            for cells in np.moveaxis(openings.cells[which], -1, 0):
                scores += sheets[rows[:, None, None], cells]
            best = np.argpartition(scores, most - size, axis=2)[:, :, most - size :]
            found[rows] = best
            is_open[rows] = np.take_along_axis(scores, best, axis=2) > CLOSED / 2
        return found, is_open


def _covered(places: Floats, row: Indices, covers: NDArray[np.integer[Any]]) -> Floats:
    """Returns sums [L, E] of the places [M, H + 1, E] that things of rows [L] cover, [c, L]."""
    flat = places.reshape(-1, places.shape[2])
    total: Floats = np.zeros((len(row), places.shape[2]), np.float32)
    for place in covers:
        total += flat[row * places.shape[1] + place]
    return total


def _shares(logits: Floats) -> tuple[Floats, Floats]:
    """Returns the logarithm of the sum of exponentials [...], and the softmax, [..., k]."""
    most = logits.max(axis=-1, keepdims=True)
    odds = np.exp(logits - most)
    total = odds.sum(axis=-1, keepdims=True)
    return (most + np.log(total))[..., 0], odds / total


def _shapes(sizes: GeometrySizes, width: int) -> Shapes:
    scene, half = sizes.scene, width // 2
    words = int(scene.words.max()) + 1
    return {
        "context.0.weight": (width, sizes.numbers),
        "context.0.bias": (width,),
        "context.2.weight": (width, width),
        "context.2.bias": (width,),
        "place_seen.weight": (half, len(sizes.scales)),
        "place_seen.bias": (half,),
        "place_static.weight": (half, scene.static.shape[1]),
        "place_context.weight": (half, width),
        "place_worth.weight": (1, half),
        "word.weight": (half, words),
        "word_worth.weight": (1, words),
        "choice_places.weight": (half, half),
        "choice_places.bias": (half,),
        "choice_context.weight": (half, width),
        "choice_opened.weight": (half, half),
        "choice_out.weight": (1, half),
        "choice_out.bias": (1,),
        "opened_weight": (2,),
        "value.0.weight": (half, width + half),
        "value.0.bias": (half,),
        "value.2.weight": (1, half),
        "value.2.bias": (1,),
    }
