"""The network of places, in numpy: planes, numbers, and what each choice covers and opens."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, NamedTuple, Self, cast

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.games import game_spec
from gonzaga_env.kernel.spaces import Feature
from gonzaga_env.kernel.spec import Config, Engine, GameSpec

from .. import arrays
from ..arrays import Floats, Indices, Masks, Observations
from . import gonzaga_scene, signorie, tuscany
from .agent import Forward, Reader
from .flat import legal_in
from .layers import PADDING, Layers, Shapes, check_weights, linear, relu
from .scene import Openings, Plane, Scene

CLOSED = -1e6
"""The worth of a place that is closed to an opening."""
LOOKED_AT = 4
"""Openings of each group that are scored in full."""
_SCENES: dict[str, Callable[[Any], Scene]] = {
    "gonzaga": gonzaga_scene.scene,
    "tuscany": tuscany.scene,
    "signorie": signorie.scene,
}
_LANES = 8  # bytes of a word, in which neighbors are added up


class GeometrySizes(NamedTuple):
    """The sizes of the network, and its scene.

    Attributes:
        scene: the places, and what actions are about.
        scales: what each channel of `GeometryInputs.seen` is divided by, F numbers.
        channels: those of them that are of the place itself, and come first.
        numbers: C.
    """

    scene: Scene
    scales: tuple[float, ...]
    channels: int
    numbers: int


@dataclass(frozen=True)
class GeometryInputs(arrays.Inputs):
    """M decisions at H places whose choices are all legal actions, K at most.

    Attributes:
        seen: what each place and its neighbors are like, [M, H, F] uint8.
        numbers: all else that is observed, and sums over places, [M, C].
        actions: the legal actions in ascending order, [M, K] int16; -1 for padding.
        covers: the places that each is about, [M, K, c] int16; H for none.
        opened: the groups of later actions that each opens, [M, K, U] int16; G for none.
        situation: which of the lists of openings counts, [M] int64.
        closed: what is closed to later actions, [M, S, H + 1].
    """

    seen: NDArray[np.uint8]
    numbers: Floats
    actions: NDArray[np.int16]
    covers: NDArray[np.int16]
    opened: NDArray[np.int16]
    situation: Indices
    closed: Masks

    @classmethod
    def concatenate(cls, parts: Sequence[Self]) -> Self:
        """Returns one part or more as one, in their order, padded to the longest list."""
        most = max(part.actions.shape[1] for part in parts)
        return super().concatenate([part.padded(most) for part in parts])

    def padded(self, most: int) -> Self:
        """Returns the same with lists of a length; what pads them is never looked at."""
        more = most - self.actions.shape[1]
        if not more:
            return self
        columns = {field.name: getattr(self, field.name) for field in fields(self)}
        for name in ("actions", "covers", "opened"):
            array = columns[name]
            shape = array.shape[0], more, *array.shape[2:]
            columns[name] = np.concatenate([array, np.full(shape, -1, np.int16)], axis=1)
        return type(self)(**columns)


def scene_maker(spec: GameSpec) -> Callable[[Any], Scene] | None:
    """Returns what makes the scene of a game from a configuration; None for a game without one."""
    return _SCENES.get(spec.name) or cast(Callable[[Any], Scene] | None, spec.scene)


class GeometryReader(Reader):
    """Reads inputs of a game with a scene."""

    inputs = GeometryInputs
    reads_ahead = False

    def __init__(self, config: Config) -> None:
        super().__init__(config)
        make = scene_maker(game_spec(config.game))
        assert make is not None  # `input_reader` has checked it
        self._scene = make(config)
        self.training, features = self._scene.training, config.features
        self._planes = [_columns(features[plane.feature], plane) for plane in self._scene.planes]
        shown = () if self._scene.all_numbers else {plane.feature for plane in self._scene.planes}
        listed = [feature.slice for feature in features if feature.name not in shown]
        self._rest = np.concatenate([np.arange(part.start, part.stop) for part in listed])
        self._scales = (1 / features.scales[self._rest]).astype(np.float32)
        scales = [
            float(features[plane.feature].scale)
            for plane, groups in zip(self._scene.planes, self._planes, strict=True)
            for group in groups
            for _ in range(group.shape[1])
        ]
        scales = _padded(scales, _LANES)
        self._lanes = len(scales) // _LANES  # words of what neighbors are added up of
        around = len(self._scene.near) * [2 * scale for scale in scales]
        scales = _padded([*scales, *self._scene.more_scales], _LANES)
        self._width = len(scales)
        self.sizes = GeometrySizes(
            self._scene, (*scales, *around), self._width, len(self._rest) + self._width
        )

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
        scene, openings = self._scene, self._scene.openings
        place = np.arange(len(rows)) - np.searchsorted(rows, rows)
        shape = len(observations), int(place.max(initial=0)) + 1

        def listed(found: NDArray[np.integer]) -> NDArray[np.int16]:
            out = np.full((*shape, *found.shape[1:]), -1, np.int16)
            out[rows, place] = found
            return out

        if openings is None:
            situation = np.zeros(len(observations), np.int64)
            closed = np.zeros((len(observations), 0, 0), np.bool_)
            opened = np.zeros((len(rows), 0), np.int64)
        else:
            situation, closed = openings.read(observations)
            opened = openings.opened(observations, rows, actions)
        own = self._own(observations)
        numbers = observations[:, self._rest] * self._scales
        sums = own.sum(axis=1, dtype=np.float32) / 8
        return GeometryInputs(
            self._with_neighbors(observations, own),
            np.hstack([numbers, sums]),
            listed(actions),
            listed(scene.covers(observations, rows, actions)),
            listed(opened),
            situation,
            closed,
        )

    def _own(self, observations: Observations) -> NDArray[np.uint8]:
        """Returns what each place is like, and zeros for no place, [M, H + 1, lanes]."""
        scene = self._scene
        found = np.zeros((len(observations), len(scene.static) + 1, self._width), np.uint8)
        channel = 0
        for plane, groups in zip(scene.planes, self._planes, strict=True):
            at = slice(plane.first, plane.first + plane.places)
            for group in groups:
                for columns in group.swapaxes(0, 1):  # of one channel, [seats, places]
                    total = found[:, at, channel]
                    for seat in columns:
                        total += observations[:, seat]
                    channel += 1
        if scene.more is not None:
            for place, more in enumerate(scene.more(observations), self._lanes * _LANES):
                found[:, :-1, place] = more
        return found

    def _with_neighbors(
        self, observations: Observations, own: NDArray[np.uint8]
    ) -> NDArray[np.uint8]:
        """Returns what each place is like and the sums over its neighbors, [M, H, F]."""
        scene, words = self._scene, own.view(np.uint64)  # several channels at once
        found = [words[:, :-1]]
        for near in scene.near:
            total = np.zeros_like(found[0][:, :, : self._lanes])
            if scene.variant is None:
                for neighbors in near[0].T:
                    total += words[:, neighbors, : self._lanes]
            else:
                ways = scene.variant(observations)
                for way in np.unique(ways):
                    rows = (ways == way).nonzero()[0]
                    for neighbors in near[way].T:
                        total[rows] += words[rows[:, None], neighbors, : self._lanes]
            found.append(total)
        return np.concatenate(found, axis=2).view(np.uint8)


def _padded(scales: list[float], size: int) -> list[float]:
    return scales + -len(scales) % size * [1.0]


def _columns(feature: Feature, plane: Plane) -> list[Indices]:
    """Returns the bytes of a plane: [seats, channels, places], of the own seat and of the others.

    Without an axis of seats there is one group of one seat.
    """
    columns = np.arange(feature.slice.start, feature.slice.stop).reshape(feature.shape)
    columns = columns if plane.seats else columns[None]
    if plane.last:
        columns = columns.reshape(len(columns), -1, plane.places)
    else:
        columns = columns.reshape(len(columns), plane.places, -1).swapaxes(1, 2)
    return [columns[:1], columns[1:]] if plane.seats and plane.others else [columns[:1]]


class GeometryForward:
    """Calls the network on inputs: what `NetworkAgent` takes (see `geometry_network`)."""

    def __init__(self, arrays: Mapping[str, Floats], sizes: GeometrySizes) -> None:
        """Takes the weights by their names in the network; ValueError for another one's."""
        check_weights(arrays, lambda width: _shapes(sizes, width))
        self._layers, scene = Layers(arrays), sizes.scene
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
        layers = self._layers
        context = relu(layers("context.2", relu(layers("context.0", inputs.numbers))))
        places = self._places(inputs.seen, context)
        ahead = layers("choice_context", context)
        row, choice = (inputs.actions >= 0).nonzero()
        actions = inputs.actions[row, choice]
        covered = _covered(places, row, inputs.covers[row, choice].T)
        hidden = layers("choice_places", covered) + self._action_word[actions] + ahead[row]
        worth = layers("place_worth", covered)[:, 0] + self._action_worth[actions]
        if (openings := self._openings) is not None:
            groups = inputs.opened[row, choice]
            opens = (groups < openings.cells.shape[1]).any(axis=1).nonzero()[0]
            if len(opens):
                later, best = self._open(openings, places, ahead, inputs, row[opens], groups[opens])
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
        situation, layers = inputs.situation[rows], self._layers
        best, is_open = self._look_at(openings, places[rows], situation, inputs.closed[rows])
        shape = is_open.shape  # [R, G, k]
        group = np.arange(shape[1])[:, None]
        cells = openings.cells[situation[:, None, None], group, best] % places.shape[1]
        words = openings.words[situation[:, None, None], group, best].reshape(-1)
        each = rows.repeat(shape[1] * shape[2])
        covered = _covered(places, each, cells.reshape(-1, cells.shape[-1]).T)
        hidden = relu(layers("choice_places", covered) + self._word[words] + ahead[each])
        worth = layers("place_worth", covered)[:, 0] + self._word_worth[words]
        worth = (worth + layers("choice_out", hidden)[:, 0]).reshape(shape)
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
        worth = self._layers("place_worth", places)[..., 0]
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


def _covered(places: Floats, row: Indices, covers: NDArray[np.integer]) -> Floats:
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
    return (
        linear("context.0", sizes.numbers, width)
        | linear("context.2", width, width)
        | linear("place_seen", len(sizes.scales), half)
        | linear("place_static", scene.static.shape[1], half, bias=False)
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
