"""What the environments of all games have in common: layouts, spaces and pictures.

How observations and masks are handed out: `mask`, `keys`, `mask_dtype` and `normalised`.

Libraries that learn look for the mask in different places. By default the environments for one
learner keep it in the infos, and PettingZoo's keeps it in the observations; each can do either.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Literal, get_args

import numpy as np
from gymnasium import logger, spaces
from numpy.typing import NDArray

from gonzaga_env.kernel.arguments import is_integer
from gonzaga_env.kernel.bounded import short_repr
from gonzaga_env.kernel.editions import EditionBase
from gonzaga_env.kernel.errors import OptionError
from gonzaga_env.kernel.result import Infos
from gonzaga_env.kernel.spaces import Codec, FeatureTable
from gonzaga_env.kernel.spec import Config, GameSpec
from gonzaga_env.kernel.view import View
from gonzaga_env.render.draw import draw, view_text
from gonzaga_env.render.window import GameWindow

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


RENDER_MODES = ["ansi", "ansi_color", "human", "rgb_array", "svg"]
RENDER_FPS = 2
RENDER_WIDTH = 900  # of "rgb_array", in pixels

Frame = str | NDArray[np.uint8]
Observation = Any  # an array [..., D], or a dictionary of it and the mask


def _frame(mode: str, view: View, config: Config) -> Frame:
    """Returns a view as text or as a picture.

    Args:
        mode: "ansi" for plain text; "ansi_color" for text with a terminal's colours and with
            coordinates; "svg" for SVG text; "rgb_array" for an array [height, `RENDER_WIDTH`,
            3] uint8.
        view: the game.
        config: what is played.

    Raises:
        MissingPackageError: Pillow is missing; the message says what to install.
    """
    if mode.startswith("ansi"):
        full = mode == "ansi_color"
        return view_text(config.edition, view, color=full, coordinates=full)
    picture = draw(view, config=config)
    return picture.svg if mode == "svg" else picture.to_array(RENDER_WIDTH)


def environment_metadata(**values: object) -> dict[str, Any]:
    """Returns the metadata of an environment."""
    return {"render_modes": [*RENDER_MODES], "render_fps": RENDER_FPS, **values}


def check_seed(seed: Any) -> None:
    """Raises OptionError if a seed, or one of some, is negative, which gymnasium does not take."""
    for one in seed if isinstance(seed, list | tuple) else np.ravel(seed):
        if is_integer(one) and one < 0:
            raise OptionError(f"seed is {short_repr(int(one))}; it takes an integer from 0")


def as_options(options: object, known: Sequence[str] | None = None) -> dict[str, Any]:
    """Returns the options of `reset`, none for None.

    Args:
        options: as `reset` got them.
        known: the options that there are; None accepts all names.

    Raises:
        OptionError: the options are not a dictionary, or hold another name.
    """
    if options is not None and not isinstance(options, dict):
        raise OptionError(f"options is {options!r}; it takes None or {{'deal': deal}}")
    given = options or {}
    unknown = [] if known is None else sorted(map(str, given.keys() - set(known)))
    if unknown and known:
        names = " and ".join(map(repr, known))
        raise OptionError(f"options hold {unknown}; they take {names} only")
    return given


class ActionSpace(spaces.Discrete):
    """`Discrete`, which samples from a mask in a third of the time and draws the same."""

    def sample(self, mask: Any = None, *args: Any, **kwargs: Any) -> Any:
        """Returns a random action (see `Discrete.sample`); with a mask, one where it is 1."""
        right = isinstance(mask, np.ndarray) and mask.dtype == np.int8 and mask.shape == (self.n,)
        if right and not args and not kwargs:
            values = mask.view(np.uint8)
            if values[values.argmax()] == 1:  # argmax is a quarter of max
                legal = mask.view(np.bool_).nonzero()[0]
                return self.start + legal[self.np_random.integers(len(legal))]
        return super().sample(mask, *args, **kwargs)


class GameEnvironment(ABC):
    """One or more games with spaces and pictures.

    Attributes:
        game_spec: the game; `spec` is Gymnasium's.
        config: what is played.
        render_mode: what `render` returns.
    """

    game_spec: GameSpec
    metadata: dict[str, Any] = environment_metadata()

    def __init__(
        self,
        spec: GameSpec,
        config: Config,
        render_mode: str | None,
        mask: MaskPlace,
        keys: Sequence[str] = KEYS,
        normalised: bool = False,
        mask_dtype: MaskDtype = "int8",
    ) -> None:
        """Checks the arguments that all environments have.

        Args:
            spec: the game.
            config: what is played.
            render_mode: None or one of the metadata's "render_modes".
            mask: where the legal actions are: "observation" or "info".
            keys: the names of observation and mask.
            normalised: whether observations are float32, each feature about 0 to 1.
            mask_dtype: of the mask, "int8" or "bool".

        Raises:
            OptionError: an argument has an invalid value.
        """
        self._window = GameWindow()
        modes = ", ".join(map(repr, self.metadata["render_modes"]))
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise OptionError(f"render_mode is {render_mode!r}; it takes None, {modes}")
        self.game_spec, self.config, self.render_mode = spec, config, render_mode
        self._layout = Layout(self.features, self.actions.size, mask, keys, normalised, mask_dtype)

    @property
    def actions(self) -> Codec:
        """The codec of actions, with sizes, blocks and texts."""
        return self.config.actions

    @property
    def features(self) -> FeatureTable:
        """The layout of the observations."""
        return self.config.features

    @property
    def edition(self) -> EditionBase:
        """The edition."""
        return self.config.edition

    def _new_action_space(self) -> spaces.Discrete:
        return spaces.Discrete(self.actions.size)

    @abstractmethod
    def _views(self, most: int | None = None) -> list[View]:
        """Returns the picture of each game that is shown: the first ones, up to a maximum."""

    def _frames(self, frames: list[Frame]) -> Any:
        """Returns frames as `render` does: the only one of one game."""
        return frames[0]

    def _title(self, shown: int) -> str | None:
        """Returns the title of a window; None for that of the picture."""
        return None

    def _repr_svg_(self) -> str:
        return draw(self).svg

    def __repr__(self) -> str:
        return f"<{type(self).__name__}, {self.config.summary}>"

    def render(self) -> Any:
        """Returns what is shown of the game in the form that `render_mode` asks for.

        Learners' environments show what the learner knows, the others the public side. With
        "human", the window is drawn again and None is returned. Vector environments return a tuple
        of all games.

        Raises:
            MissingPackageError: "rgb_array" or "human" without Pillow, or "human" without
                pygame-ce; the message says what to install.
            OptionError: "human" without a screen.
        """
        if self.render_mode is None:
            modes = ", ".join(map(repr, self.metadata["render_modes"]))
            logger.warn(f"render() needs a render mode: pass render_mode={modes}")
            return None
        if self.render_mode == "human":
            self._show()
            return None
        mode, config = self.render_mode, self.config
        return self._frames([_frame(mode, view, config) for view in self._views()])

    def close(self, **kwargs: object) -> None:
        """Closes the window, if there is one."""
        # `VectorEnv.__del__` of Gymnasium 1.1 closes what a constructor has refused, too.
        if hasattr(self, "_window"):
            self._window.close()

    def _show(self, fps: float | None = None) -> None:
        """Shows the first games in one window if that is the render mode."""
        if self.render_mode == "human" and not self._window.closed:
            views = self._views(_MOST_SHOWN)
            pictures = [draw(view, config=self.config) for view in views]
            self._window.show(pictures, self._title(len(views)), fps)


_MOST_SHOWN = 9  # games in the window: more would be too small to read
