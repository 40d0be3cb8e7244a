"""What a network of places sees: planes, numbers, and what each choice covers and opens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.games import game_spec

from .. import arrays
from ..arrays import Floats, Indices, Masks, Observations
from .flat import legal_in
from .scene import Plane, Scene

if TYPE_CHECKING:
    from .agent import Forward
    from .parts import NetworkParts

_LANES = 8  # bytes of a word, in which neighbors are added up


class GeometrySizes(NamedTuple):
    """What the network is made for.

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


class GeometryReader:
    """Reads inputs of a game with a scene (see `agent.Reader`)."""

    inputs: ClassVar[Any] = GeometryInputs
    version: ClassVar[int] = 1
    reads_ahead: ClassVar[bool] = False

    def __init__(self, config: Any) -> None:
        self.config = config
        self._scene: Scene = game_spec(config.game).part("scene")(config)
        self.practice, features = self._scene.practice, config.features
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

    @classmethod
    def parts(cls) -> NetworkParts:
        """Returns what is trained (see `NetworkParts`); this needs torch."""
        from .places_torch import PARTS

        return PARTS

    def plain(self, weights: Mapping[str, Floats]) -> Forward:
        """Returns the network in numpy (see `Reader.plain`)."""
        from .places_plain import PlainForward

        return PlainForward(weights, self.sizes)

    def zeros(self) -> GeometryInputs:
        """Returns one decision whose inputs are all 0, to try a network with."""
        nothing = np.zeros((1, self.config.features.size), np.uint8)
        return self._read(nothing, np.zeros(1, np.int64), np.zeros(1, np.int64))

    def read_engine(self, engine: Any, games: Indices, seats: Indices) -> GeometryInputs:
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

        def listed(found: NDArray[np.integer[Any]]) -> NDArray[np.int16]:
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


def _columns(feature: Any, plane: Plane) -> list[Indices]:
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
