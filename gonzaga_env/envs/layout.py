"""How observations and masks are handed out: `mask`, `keys`, `mask_dtype` and `normalised`.

Libraries that learn look for the mask in different places. By default the environments for one
learner keep it in the infos, and PettingZoo's keeps it in the observations; each can do either.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, get_args

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from gonzaga_env.tabletop.errors import OptionError
from gonzaga_env.tabletop.features import FeatureTable
from gonzaga_env.tabletop.result import Infos

MaskPlace = Literal["info", "observation"]
MaskDtype = Literal["int8", "bool"]
Mask = NDArray[np.int8] | NDArray[np.bool_]

#: The keys of observation and mask, as PettingZoo's environments name them.
KEYS = ("observation", "action_mask")


class Layout:
    """Packs observations and masks, of one game or of a batch.

    Attributes:
        in_observation: whether the mask is part of the observation.
        mask_key: the name of the mask.
        normalised: whether observations are float32.
        space: the space of one observation.
    """

    def __init__(
        self,
        features: FeatureTable,
        num_actions: int,
        mask: MaskPlace,
        keys: Sequence[str] = KEYS,
        normalised: bool = False,
        mask_dtype: MaskDtype = "int8",
    ) -> None:
        """Checks the arguments of an environment.

        Args:
            features: the layout of the observations.
            num_actions: A.
            mask: "observation" makes observations dictionaries of observation and mask; with
                "info" an observation is an array, and the mask is in the infos.
            keys: the names of observation and mask.
            normalised: whether observations are float32, each feature about 0 to 1.
            mask_dtype: of the mask in observations and infos.

        Raises:
            OptionError: an argument has an invalid value.
        """
        if mask not in get_args(MaskPlace):
            raise OptionError(f"mask is {mask!r}; it takes 'info' or 'observation'")
        if isinstance(keys, str) or len({*keys}) != 2 or len(keys) != 2:
            raise OptionError(f"keys are {keys!r}; they take two names, such as {KEYS}")
        if not all(isinstance(key, str) for key in keys):
            raise OptionError(f"keys are {keys!r}; names are strings, such as {KEYS}")
        if not isinstance(normalised, bool):
            raise OptionError(f"normalised is {normalised!r}; it takes True or False")
        if mask_dtype not in get_args(MaskDtype):
            raise OptionError(f"mask_dtype is {mask_dtype!r}; it takes 'int8' or 'bool'")
        self._mask_dtype = np.dtype(mask_dtype)
        self.in_observation, self._features = mask == "observation", features
        self._key, self.mask_key = keys
        self.normalised = normalised
        self._num_actions = num_actions
        self.space = self.new_space()

    @property
    def highs(self) -> NDArray[Any]:
        """The upper bounds of an observation, [D]."""
        bytes_ = np.full(self._features.size, 255, dtype=np.uint8)
        return self._features.normalise(bytes_) if self.normalised else bytes_

    def new_space(self) -> spaces.Space[Any]:
        """Returns another space like `space`."""
        highs = self.highs
        box = spaces.Box(np.zeros_like(highs), highs, dtype=highs.dtype.type)
        if not self.in_observation:
            return box
        mask = spaces.Box(0, 1, (self._num_actions,), self._mask_dtype.type)
        return spaces.Dict({self._key: box, self.mask_key: mask})

    def pack(
        self, observation: NDArray[np.uint8], mask: Mask, infos: dict[str, Any]
    ) -> tuple[Any, dict[str, Any]]:
        """Returns observation and infos as the environment hands them out.

        Args:
            observation: [..., D].
            mask: the legal actions, [..., A] bool or int8.
            infos: without the mask.
        """
        packed = self.observation(observation, mask)
        return packed, infos if self.in_observation else {**self.mask_info(mask), **infos}

    def observation(self, observation: NDArray[np.uint8], mask: Mask) -> Any:
        """Returns an observation as the environment hands it out (arguments: `pack`)."""
        given = self._features.normalise(observation) if self.normalised else observation
        if not self.in_observation:
            return given
        return {self._key: given, self.mask_key: mask.view(self._mask_dtype)}

    def mask_info(self, mask: Mask) -> Infos:
        """Returns the part of the infos that holds the mask; empty if it lies in observations."""
        return {} if self.in_observation else {self.mask_key: mask.view(self._mask_dtype)}
