"""The spaces of a game: a codec of its actions, and a layout of its observations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.kernel.arguments import as_action
from gonzaga_env.kernel.errors import ActionError, OptionError, StateError
from gonzaga_env.kernel.messages import short_repr


class Codec(Protocol):
    """An action space: A = `size` actions, with a text for each."""

    size: int

    def to_text(self, action: int) -> str:
        """Returns the text of an action; ActionError if the index is not in the space."""

    def parse(self, text: str) -> int:
        """Returns the index of an action's text; ActionError if the text is not an action."""


class ActionTexts:
    """An action space as the texts of its actions; a game may derive a codec with blocks from it.

    Attributes:
        size: A, the number of actions.
    """

    def __init__(self, texts: Iterable[str], examples: Sequence[str] = ()) -> None:
        """Takes the texts, all different, in the order of the actions.

        Args:
            texts: a text for each action, [A].
            examples: some of them, for messages; the first and the last by default.
        """
        self._texts = tuple(texts)
        self._actions = {text: action for action, text in enumerate(self._texts)}
        self._examples = tuple(examples) or (self._texts[0], self._texts[-1])
        self.size = len(self._texts)

    def to_text(self, action: int) -> str:
        """Returns the text of an action.

        Raises:
            ActionError: the index is not in the space.
        """
        return self._texts[as_action(action, self.size)]

    def parse(self, text: str) -> int:
        """Returns the index of an action's text; the inverse of `to_text`.

        Raises:
            ActionError: the text is not an action.
        """
        if isinstance(text, str) and text in self._actions:
            return self._actions[text]
        examples = ", ".join(map(repr, self._examples))
        raise ActionError(f"{short_repr(text)} is not an action; actions look like {examples}")

    def __repr__(self) -> str:
        return f"<{type(self).__name__}, {self.size} actions>"


#: Name, shape, scale and meaning of a feature.
FeatureRow = tuple[str, tuple[int, ...], int, str]


@dataclass(frozen=True)
class Feature:
    """A part of the observation."""

    name: str  #: how it is asked for
    start: int  #: where it starts in the flat array
    shape: tuple[int, ...]  #: its own shape; "player" axes run from the seat itself clockwise
    scale: int  #: what `normalise` divides by, about the largest value
    meaning: str  #: one line

    @cached_property
    def slice(self) -> slice:
        """Where it lies in the flat array."""
        return slice(self.start, self.start + prod(self.shape))


class FeatureTable:
    """The layout of observations: features one after the other, D bytes in all."""

    def __init__(self, rows: Iterable[FeatureRow]) -> None:
        """Lays out features given by name, shape, scale and meaning."""
        features, start = [], 0
        for name, shape, scale, meaning in rows:
            features.append(Feature(name, start, shape, scale, meaning))
            start = features[-1].slice.stop
        self.features: tuple[Feature, ...] = tuple(features)  #: in the order of the array
        self.size = start  #: D
        self._by_name = {feature.name: feature for feature in features}
        #: where each feature lies in the flat array, by name
        self.slices = {feature.name: feature.slice for feature in features}

    def __repr__(self) -> str:
        return f"<FeatureTable, {len(self.features)} features, {self.size} bytes>"

    def __getitem__(self, name: str) -> Feature:
        if name not in self._by_name:
            raise OptionError(f"no feature {name!r}; there are: {', '.join(self._by_name)}")
        return self._by_name[name]

    def __iter__(self) -> Iterator[Feature]:
        return iter(self.features)

    def view(self, observations: NDArray[np.uint8], name: str) -> NDArray[np.uint8]:
        """Returns one feature `[..., *shape]` of observations `[..., D]`, without a copy."""
        feature = self[name]
        return observations[..., feature.slice].reshape(*observations.shape[:-1], *feature.shape)

    def views(self, observations: NDArray[np.uint8]) -> dict[str, NDArray[np.uint8]]:
        """Returns all features of observations by name (see `view`)."""
        shape = observations.shape[:-1]
        return {
            feature.name: observations[..., feature.slice].reshape(*shape, *feature.shape)
            for feature in self.features
        }

    def check_shape(self, observations: NDArray[np.uint8]) -> None:
        """Raises OptionError unless observations are a uint8 array [M, D]."""
        shape, dtype = (getattr(observations, name, None) for name in ("shape", "dtype"))
        right = isinstance(observations, np.ndarray) and dtype == np.uint8
        if not right or observations.shape[1:] != (self.size,):
            raise OptionError(
                f"observations are {type(observations).__name__} {dtype} {list(shape or ())}; "
                f"this game takes a uint8 array [M, {self.size}]"
            )

    def check(self, observations: NDArray[np.uint8]) -> None:
        """Checks observations that a state is to be read from.

        The features "to_act", by player, and "finished" say whether a game goes on.

        Raises:
            OptionError: they are not a uint8 array [M, D].
            StateError: one is of a finished game.
        """
        self.check_shape(observations)
        acting = self.view(observations, "to_act").any(axis=1)
        over = self.view(observations, "finished")[:, 0] | ~acting
        if over.any():
            raise StateError(
                f"observation {int(over.argmax())} shows a finished game, which cannot continue"
            )

    @cached_property
    def scales(self) -> NDArray[np.float32]:
        """The scale of every byte, [D]."""
        return np.concatenate(
            [np.full(prod(f.shape), f.scale, dtype=np.float32) for f in self.features]
        )

    def normalise(self, observations: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Returns observations [..., D] as float32, each feature about 0 to 1."""
        return np.true_divide(observations, self.scales, dtype=np.float32)


class PlaneTable:
    """The layout of observations as channels over a map, [C, rows, columns]."""

    def __init__(
        self,
        names: Sequence[str],
        index: NDArray[np.integer],
        fixed: NDArray[np.uint8],
        scales: NDArray[np.float32],
        cells: NDArray[np.int64],
        numbers: FeatureTable,
    ) -> None:
        """Lays out channels.

        Args:
            names: what each channel is, [C].
            index: which byte of an observation each place shows, -1 for none, [C, rows, columns].
            fixed: what places show that show none.
            scales: of the bytes of an observation, [D].
            cells: the place of each hex, [H] (see `cells`).
            numbers: the layout of what is not of hexes (see `numbers`).
        """
        self.names = tuple(names)  #: what each channel is, [C]
        self.shape = index.shape  #: C, rows, columns
        #: The place of each hex in a channel, row * columns + column, [H]. Of logits
        #: [K, rows * columns], `logits[:, cells]` are those of K blocks of actions by hex.
        self.cells = cells
        self.numbers = numbers  #: the layout of the bytes that `numbers_of` returns
        #: What `normalise` divides each place by.
        self.scales = np.where(index < 0, np.float32(1), scales[index])
        self._index, self._fixed, self._is_fixed = index, fixed, index < 0

    def __repr__(self) -> str:
        return f"<PlaneTable, {self.shape[0]} channels of {self.shape[1]} x {self.shape[2]}>"

    def read(self, observations: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Returns observations [..., D] as planes, [..., C, rows, columns]."""
        return np.where(self._is_fixed, self._fixed, observations.take(self._index, axis=-1))

    def normalise(self, planes: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Returns planes as float32, each place about 0 to 1."""
        return np.true_divide(planes, self.scales, dtype=np.float32)

    def numbers_of(self, planes: NDArray[np.generic]) -> NDArray[np.generic]:
        """Returns what planes [..., C, rows, columns] hold besides hexes, flat (see `numbers`)."""
        size = self.shape[1] * self.shape[2]
        first = self.shape[0] - -(-self.numbers.size // size)
        flat = planes[..., first:, :, :].reshape(*planes.shape[:-3], -1)
        return flat[..., : self.numbers.size]
