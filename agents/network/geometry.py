"""The network of places, in numpy: what is seen of each, and what each choice covers and opens.

The shipped policy of The Castles of Tuscany for three players is one. Its training was left out in
version 2.0: the weights of facts learn more in a tenth of the time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.kernel.spec import Config, Engine
from gonzaga_env.tuscany.config import GameConfig

from .. import arrays
from ..arrays import Floats, Indices, Masks, Observations
from . import tuscany
from .agent import Forward, Reader
from .flat import legal_in
from .layers import PADDING, Layers, Shapes, check_weights, linear, relu
from .scene import Scene

CLOSED = -1e6
"""The worth of a place that is closed to an opening."""
LOOKED_AT = 4
"""Openings of each group that are scored in full."""
_LANES = 8  # bytes of a word, in which neighbors are added up


class GeometrySizes(NamedTuple):
    """The sizes of the network, and its scene.

    Attributes:
        scene: the places, and what actions are about.
        scales: what each channel of `GeometryInputs.seen` is divided by, F numbers.
        numbers: C.
    """

    scene: Scene
    scales: tuple[float, ...]
    numbers: int


@dataclass(frozen=True)
class GeometryInputs(arrays.Inputs):
    """M decisions at H places whose choices are all legal actions, K at most.

    Attributes:
        seen: what each place and its neighbors are like, [M, H, F] uint8.
        numbers: all else that is observed, and sums over places, [M, C].
        actions: the legal actions in ascending order, [M, K] int16; -1 for padding.
        covers: the place that each is about, [M, K] int16; H for none.
        opened: the group of later placements that each opens, [M, K] int16; G for none.
        closed: what is closed to later placements, [M, S, H + 1].
    """

    seen: NDArray[np.uint8]
    numbers: Floats
    actions: NDArray[np.int16]
    covers: NDArray[np.int16]
    opened: NDArray[np.int16]
    closed: Masks

    @classmethod
    def concatenate(cls, parts: Sequence[Self]) -> Self:
        """Returns one part or more as one, in their order, padded to the longest list."""
        most = max(part.actions.shape[1] for part in parts)
        return super().concatenate([part.padded(most) for part in parts])

    def padded(self, most: int) -> Self:
        """Returns the same with lists of a length; what pads them is never looked at."""
        columns = {field.name: getattr(self, field.name) for field in fields(self)}
        more = ((0, 0), (0, most - self.actions.shape[1]))
        for name in ("actions", "covers", "opened"):
            columns[name] = np.pad(columns[name], more, constant_values=-1)
        return type(self)(**columns)


class GeometryReader(Reader):
    """Reads what a network of places sees of The Castles of Tuscany."""

    config: GameConfig
    inputs = GeometryInputs
    reads_ahead = False

    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self._scene, features = tuscany.scene(self.config), config.features
        places, self._planes, scales = self._scene.near.shape[1], [], []
        for name, has_seats in self._scene.planes:
            feature = features[name]
            columns = np.arange(feature.slice.start, feature.slice.stop).reshape(feature.shape)
            columns = columns[0] if has_seats else columns
            self._planes += [*columns.reshape(-1, places)]
            scales += columns.size // places * [float(feature.scale)]
        shown = {name for name, _ in self._scene.planes}
        listed = [feature.slice for feature in features if feature.name not in shown]
        self._rest = np.concatenate([np.arange(part.start, part.stop) for part in listed])
        self._scales = (1 / features.scales[self._rest]).astype(np.float32)
        scales = _padded(scales)
        self._lanes = len(scales) // _LANES  # words of what neighbors are added up of
        around = [2 * scale for scale in scales]
        scales = _padded([*scales, *self._scene.more_scales])
        self._width = len(scales)
        self.sizes = GeometrySizes(self._scene, (*scales, *around), len(self._rest) + self._width)

    def numpy_forward(self, weights: Mapping[str, Floats]) -> Forward:
        """Returns the network in numpy (see `Reader.numpy_forward`)."""
        return GeometryForward(weights, self.sizes)

    def zeros(self) -> GeometryInputs:
        """Returns one decision whose inputs are all 0, to try a network with."""
        nothing = np.zeros((1, self.config.features.size), np.uint8)
        return self._read(nothing, np.zeros(1, np.int64), np.zeros(1, np.int64))

    def read_engine(self, engine: Engine, games: Indices, seats: Indices) -> GeometryInputs:
        """Returns the inputs of M decisions (see `Reader.read_engine`)."""
        return self._read(*legal_in(engine, games, seats))

    def read_observations(self, observations: Observations, masks: Masks) -> GeometryInputs:
        """Returns the inputs of M decisions from observations [M, D] and masks [M, A]."""
        return self._read(observations, *masks.nonzero())

    def _read(self, observations: Observations, rows: Indices, actions: Indices) -> GeometryInputs:
        """Returns the inputs of M decisions (see `FlatInputs.of`)."""
        scene = self._scene
        place = np.arange(len(rows)) - np.searchsorted(rows, rows)
        shape = len(observations), int(place.max(initial=0)) + 1

        def listed(found: Indices) -> NDArray[np.int16]:
            out = np.full(shape, -1, np.int16)
            out[rows, place] = found
            return out

        own = self._own(observations)
        numbers = observations[:, self._rest] * self._scales
        sums = own.sum(axis=1, dtype=np.float32) / 8
        return GeometryInputs(
            self._with_neighbors(observations, own),
            np.hstack([numbers, sums]),
            listed(actions),
            listed(scene.covers(actions)),
            listed(scene.openings.opened(actions)),
            scene.openings.closed(observations),
        )

    def _own(self, observations: Observations) -> NDArray[np.uint8]:
        """Returns what each place is like, and zeros for no place, [M, H + 1, lanes]."""
        scene = self._scene
        shape = len(observations), scene.near.shape[1] + 1, self._width
        found = np.zeros(shape, np.uint8)
        for channel, columns in enumerate(self._planes):
            found[:, :-1, channel] = observations[:, columns]
        for channel, more in enumerate(scene.more(observations), self._lanes * _LANES):
            found[:, :-1, channel] = more
        return found

    def _with_neighbors(
        self, observations: Observations, own: NDArray[np.uint8]
    ) -> NDArray[np.uint8]:
        """Returns what each place is like and the sums over its neighbors, [M, H, F]."""
        words = own.view(np.uint64)  # several channels at once
        total = np.zeros_like(words[:, :-1, : self._lanes])
        ways = self._scene.variant(observations)
        for way in np.unique(ways):
            rows = (ways == way).nonzero()[0]
            for neighbors in self._scene.near[way].T:
                total[rows] += words[rows[:, None], neighbors, : self._lanes]
        return np.concatenate([words[:, :-1], total], axis=2).view(np.uint8)


def _padded(scales: list[float]) -> list[float]:
    return scales + -len(scales) % _LANES * [1.0]


class GeometryForward:
    """Calls the network on inputs: what `NetworkAgent` takes."""

    def __init__(self, arrays: Mapping[str, Floats], sizes: GeometrySizes) -> None:
        """Takes the weights by their names in the network; ValueError for another one's."""
        check_weights(arrays, lambda width: _shapes(sizes, width))
        self._layers, scene = Layers(arrays), sizes.scene
        self._seen = (arrays["place_seen.weight"] / np.array(sizes.scales, np.float32)).T.copy()
        static = scene.static @ arrays["place_static.weight"].T
        self._static = static + arrays["place_seen.bias"]
        word, worth = arrays["word.weight"].T.copy(), arrays["word_worth.weight"].T.copy()
        word[0] = worth[0] = 0  # no word
        self._action_word = word[scene.words].sum(axis=1)
        self._action_worth = worth[:, 0][scene.words].sum(axis=1)
        self._opened_weight, self._openings = arrays["opened_weight"], scene.openings.places

    def __call__(self, inputs: GeometryInputs) -> tuple[Floats, Floats]:
        """Returns logits [M, K] and values [M]."""
        layers = self._layers
        context = relu(layers("context.2", relu(layers("context.0", inputs.numbers))))
        places = self._places(inputs.seen, context)
        ahead = layers("choice_context", context)
        row, choice = (inputs.actions >= 0).nonzero()
        actions = inputs.actions[row, choice]
        covered = places[row, inputs.covers[row, choice]]
        hidden = layers("choice_places", covered) + self._action_word[actions] + ahead[row]
        worth = layers("place_worth", covered)[:, 0] + self._action_worth[actions]
        groups = inputs.opened[row, choice]
        opens = (groups < len(self._openings)).nonzero()[0]
        if len(opens):
            later, best = self._open(places, ahead, inputs, row[opens], groups[opens])
            hidden[opens] += layers("choice_opened", later)
            worth[opens] += self._opened_weight[0] * best
        logits = np.full(inputs.actions.shape, PADDING, np.float32)
        logits[row, choice] = layers("choice_out", relu(hidden))[:, 0] + worth
        seen = np.hstack([context, places[:, :-1].mean(axis=1)])
        return logits, layers("value.2", relu(layers("value.0", seen)))[:, 0]

    def _places(self, seen: NDArray[np.uint8], context: Floats) -> Floats:
        """Returns the units of places, and zeros for no place, [M, H + 1, E]."""
        num_rows, num_places, width = seen.shape
        flat = seen.reshape(-1, width).astype(np.float32) @ self._seen
        found = flat.reshape(num_rows, num_places, -1)
        found += self._static
        found += self._layers("place_context", context)[:, None]
        places = np.zeros((num_rows, num_places + 1, found.shape[2]), np.float32)
        np.maximum(found, 0, out=places[:, :-1])
        return places

    @np.errstate(under="ignore")  # the shares of what is worth little become 0
    def _open(
        self,
        places: Floats,
        ahead: Floats,
        inputs: GeometryInputs,
        row: Indices,
        groups: NDArray[np.int16],
    ) -> tuple[Floats, Floats]:
        """Returns what Q choices open: hidden units [Q, E], and how much it is worth, [Q].

        Args:
            places: [M, H + 1, E].
            ahead: of the positions, [M, E].
            inputs: the positions.
            row: of each choice, [Q].
            groups: that it opens, [Q].
        """
        rows, at = np.unique(row, return_inverse=True)
        layers = self._layers
        best, is_open = self._look_at(places[rows], inputs.closed[rows])
        shape = is_open.shape  # [R, G, k]
        cells = self._openings[np.arange(shape[1])[:, None], best] % places.shape[1]
        each = rows.repeat(shape[1] * shape[2])
        covered = places[each, cells.reshape(-1)]
        hidden = relu(layers("choice_places", covered) + ahead[each])
        worth = layers("place_worth", covered)[:, 0]
        worth = (worth + layers("choice_out", hidden)[:, 0]).reshape(shape)
        share = _shares(np.where(is_open, self._opened_weight[1] * worth, PADDING))
        share = np.where(is_open, share, 0).astype(np.float32)
        hidden = np.einsum("rgk,rgke->rge", share, hidden.reshape(*shape, -1))
        return hidden[at, groups], (share * worth).sum(axis=2)[at, groups]

    def _look_at(self, places: Floats, closed: Masks) -> tuple[Indices, Masks]:
        """Returns the openings of R positions that are worth most at first sight, [R, G, k].

        Also returns whether each of them is open.
        """
        worth = self._layers("place_worth", places)[..., 0]
        sheets = np.where(closed, np.float32(CLOSED), worth[:, None]).reshape(len(places), -1)
        scores = sheets[:, self._openings]
        size = min(LOOKED_AT, scores.shape[2])
        best = np.argpartition(scores, scores.shape[2] - size, axis=2)[:, :, -size:]
        return best, np.take_along_axis(scores, best, axis=2) > CLOSED / 2


def _shares(logits: Floats) -> Floats:
    """Returns the softmax, [..., k]."""
    odds = np.exp(logits - logits.max(axis=-1, keepdims=True))
    found: Floats = odds / odds.sum(axis=-1, keepdims=True)
    return found


def _shapes(sizes: GeometrySizes, width: int) -> Shapes:
    scene, half = sizes.scene, width // 2
    words = int(scene.words.max()) + 1
    return (
        linear("context.0", sizes.numbers, width)
        | linear("context.2", width, width)
        | linear("place_seen", len(sizes.scales), half)
        | linear("place_static", len(scene.static), half, bias=False)
        | linear("place_context", width, half, bias=False)
        | linear("place_worth", half, 1, bias=False)
        | linear("word", words, half, bias=False)
        | linear("word_worth", words, 1, bias=False)
        | linear("choice_places", half, half)
        | linear("choice_context", width, half, bias=False)
        | linear("choice_opened", half, half, bias=False)
        | linear("choice_out", half, 1)
        | {"opened_weight": (2,)}
        | linear("value.0", width + half, half)
        | linear("value.2", half, 1)
    )
