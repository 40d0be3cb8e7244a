"""The base of all environments: how observations and masks are handed out, and pictures.

Libraries that learn look for the mask in different places. By default the environments for one
learner keep it in the infos, and PettingZoo's keep it in the observations; each can do either.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Literal, get_args

import gymnasium
import numpy as np
from gymnasium import logger, spaces
from numpy.typing import NDArray

from gonzaga_env.kernel.arguments import is_integer
from gonzaga_env.kernel.editions import EditionBase
from gonzaga_env.kernel.errors import GameError, OptionError
from gonzaga_env.kernel.messages import short_repr
from gonzaga_env.kernel.spaces import Codec, FeatureTable
from gonzaga_env.kernel.spec import Config, GameSpec, Info
from gonzaga_env.kernel.view import View
from gonzaga_env.render.draw import draw, draw_text
from gonzaga_env.render.window import GameWindow

MaskPlace = Literal["info", "observation"]
MaskDtype = Literal["int8", "bool"]
Form = Literal["features", "planes"]
Mask = NDArray[np.int8] | NDArray[np.bool_]
Observation = Any  # an array [..., D], or a dictionary of it and the mask
Frame = str | NDArray[np.uint8]
ResetOptions = dict[str, Any] | None

#: The keys of observation and mask, as PettingZoo's environments name them.
KEYS = ("observation", "action_mask")
RENDER_MODES = ["ansi", "ansi_color", "human", "rgb_array", "svg"]
RENDER_WIDTH = 900  # of "rgb_array", in pixels
ILLEGAL_REWARD = -1.0  # the same as in PettingZoo's `TerminateIllegalWrapper`
_MOST_SHOWN = 9  # games in the window: more would be too small to read


class ResetNeededError(GameError, gymnasium.error.ResetNeeded, AttributeError):
    """A game has not begun or is over, so it has no agent that acts.

    It is an AttributeError, too: before the first `reset`, `hasattr(env, "agent_selection")` is
    False.
    """


class ObservationPacker:
    """Packs observations and masks, of one game or of a batch."""

    def __init__(
        self,
        config: Config,
        mask: MaskPlace,
        keys: Sequence[str] = KEYS,
        normalised: bool = False,
        mask_dtype: MaskDtype = "int8",
        form: Form = "features",
    ) -> None:
        if mask not in get_args(MaskPlace):
            raise OptionError(f"mask is {mask!r}; it takes 'info' or 'observation'")
        given = [*keys] if isinstance(keys, list | tuple) else []
        if [*map(type, given)] != [str, str] or given[0] == given[1]:
            raise OptionError(f"keys are {short_repr(keys)}; they take two names, such as {KEYS}")
        if not isinstance(normalised, bool):
            raise OptionError(f"normalised is {normalised!r}; it takes True or False")
        if mask_dtype not in get_args(MaskDtype):
            raise OptionError(f"mask_dtype is {mask_dtype!r}; it takes 'int8' or 'bool'")
        if form not in get_args(Form):
            raise OptionError(f"observation is {form!r}; it takes 'features' or 'planes'")
        self.mask_dtype = np.dtype(mask_dtype)
        self.in_observation, self._features = mask == "observation", config.features
        self._planes = config.planes if form == "planes" else None
        self.key, self.mask_key = keys
        self.normalised = normalised
        self._num_actions = config.actions.size
        self.space = self.new_space()

    @property
    def highs(self) -> NDArray[Any]:
        """The upper bounds of an observation, [D]."""
        bytes_ = np.full(self._features.size, 255, dtype=np.uint8)
        return self._features.normalise(bytes_) if self.normalised else bytes_

    def new_space(self) -> spaces.Space[Observation]:
        """Returns another space like `space`."""
        highs = self.given(np.full(self._features.size, 255, dtype=np.uint8))
        highs = np.maximum(highs, 1)  # Gymnasium warns of bounds that are equal
        box = spaces.Box(np.zeros_like(highs), highs, dtype=highs.dtype.type)
        if not self.in_observation:
            return box
        mask = spaces.Box(0, 1, (self._num_actions,), self.mask_dtype.type)
        return spaces.Dict({self.key: box, self.mask_key: mask})

    def pack(
        self, observation: NDArray[np.uint8], mask: Mask, infos: Info
    ) -> tuple[Observation, Info]:
        """Returns an observation [..., D] with its mask [..., A], and infos, as handed out."""
        packed = self.observation(observation, mask)
        return packed, infos if self.in_observation else {**self.mask_info(mask), **infos}

    def observation(self, observation: NDArray[np.uint8], mask: Mask) -> Observation:
        """Returns an observation [..., D] with its mask [..., A], as handed out."""
        given = self.given(observation)
        if not self.in_observation:
            return given
        return {self.key: given, self.mask_key: mask.view(self.mask_dtype)}

    def given(self, observation: NDArray[np.uint8]) -> NDArray[Any]:
        """Returns an observation [..., D] in its form, without a mask."""
        table = self._planes or self._features
        given = self._planes.read(observation) if self._planes else observation
        return table.normalise(given) if self.normalised else given

    def mask_info(self, mask: Mask) -> Info:
        """Returns the part of the infos that holds the mask; empty if it lies in observations."""
        return {} if self.in_observation else {self.mask_key: mask.view(self.mask_dtype)}


class GameEnvironment(ABC):
    """One or more games with spaces and pictures.

    Attributes:
        game_spec: the game; `spec` is Gymnasium's.
        config: what is played.
        render_mode: what `render` returns.
    """

    game_spec: GameSpec
    metadata: dict[str, Any] = {"render_modes": RENDER_MODES, "render_fps": 2}  # noqa: RUF012  Gymnasium's

    def __init__(
        self,
        spec: GameSpec,
        config: Config,
        render_mode: str | None,
        mask: MaskPlace,
        keys: Sequence[str],
        normalised: bool,
        mask_dtype: MaskDtype,
        form: Form = "features",
    ) -> None:
        """Checks the arguments that all environments have.

        Args:
            spec: the game.
            config: what is played.
            render_mode: None or one of the metadata's "render_modes".
            mask: "observation" makes observations dictionaries of observation and mask; with
                "info" an observation is an array, and the mask is in the infos.
            keys: the names of observation and mask.
            normalised: whether observations are float32, each feature about 0 to 1.
            mask_dtype: of the mask, "int8" or "bool".
            form: "features", flat, or "planes", over the map (`Config.planes`).

        Raises:
            OptionError: an argument has an invalid value.
        """
        self._window = GameWindow()
        if render_mode is not None and render_mode not in RENDER_MODES:
            modes = ", ".join(map(repr, RENDER_MODES))
            raise OptionError(f"render_mode is {render_mode!r}; it takes None, {modes}")
        self.metadata = self.metadata | {"versions": spec.versions, "sources": spec.sources}
        self.game_spec, self.config, self.render_mode = spec, config, render_mode
        self._packer = ObservationPacker(config, mask, keys, normalised, mask_dtype, form)

    @property
    def features(self) -> FeatureTable:
        return self.config.features

    @property
    def actions(self) -> Codec:
        return self.config.actions

    @property
    def edition(self) -> EditionBase:
        return self.config.edition

    @abstractmethod
    def _views(self, most: int | None = None) -> list[View]:
        """Returns the picture of each game that is shown: the first ones, up to a maximum."""

    def _frames(self, frames: list[Frame]) -> Frame | tuple[Frame, ...]:
        """Returns frames as `render` does: the only one of one game."""
        return frames[0]

    def _title(self, shown: int) -> str | None:
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
            modes = ", ".join(map(repr, RENDER_MODES))
            logger.warn(f"render() needs a render mode: pass render_mode={modes}")
            return None
        if self.render_mode == "human":
            self._show(wait=False)
            return None
        return self._frames([*map(self._frame, self._views())])

    def _frame(self, view: View) -> Frame:
        """Returns a view as text or as a picture, [height, `RENDER_WIDTH`, 3] for "rgb_array"."""
        if self.render_mode in ("ansi", "ansi_color"):
            full = self.render_mode == "ansi_color"
            return draw_text(self.edition, view, color=full, coordinates=full)
        picture = draw(view, config=self.config)
        return picture.svg if self.render_mode == "svg" else picture.to_array(RENDER_WIDTH)

    def close(self, **kwargs: object) -> None:
        """Closes the window, if there is one."""
        # `VectorEnv.__del__` of Gymnasium 1.1 closes what a constructor has refused, too.
        if hasattr(self, "_window"):
            self._window.close()

    def _show(self, wait: bool = True) -> None:
        """Shows the first games in one window if that is the render mode, "render_fps" at most."""
        if self.render_mode == "human" and not self._window.closed:
            views = self._views(_MOST_SHOWN)
            pictures = [draw(view, config=self.config) for view in views]
            fps = self.metadata["render_fps"] if wait else None
            self._window.show(pictures, self._title(len(views)), fps)


class ActionSpace(spaces.Discrete):
    """`Discrete`, which samples from a mask in a third of the time and draws the same."""

    def sample(self, mask: NDArray[np.int8] | None = None, *args: Any, **kwargs: Any) -> np.int64:
        """Returns a random action (see `Discrete.sample`); with a mask, one where it is 1."""
        if isinstance(mask, np.ndarray) and mask.dtype == np.int8 and not (args or kwargs):
            values = mask.view(np.uint8)
            if mask.shape == (self.n,) and values[values.argmax()] == 1:  # a quarter of max
                legal = mask.view(np.bool_).nonzero()[0]
                return self.start + legal[self.np_random.integers(len(legal))]
        return super().sample(mask, *args, **kwargs)


def check_seed(seed: Any) -> None:
    """Raises OptionError if a seed, or one of some, is negative, which gymnasium does not take."""
    for one in seed if isinstance(seed, list | tuple) else np.ravel(seed):
        if is_integer(one) and one < 0:
            raise OptionError(f"seed is {short_repr(int(one))}; it takes an integer from 0")


def check_seat(seat: int | None, num_players: int) -> None:
    """Raises OptionError unless `seat` is None (rotate each episode) or a seat of the game."""
    if seat is not None and not (is_integer(seat) and 0 <= seat < num_players):
        raise OptionError(f"seat is {seat!r}; it takes None or 0 to {num_players - 1}")


def as_options(options: object, known: Sequence[str] | None = None) -> dict[str, Any]:
    """Returns the options of `reset`; OptionError for other names than those known."""
    if options is not None and not isinstance(options, dict):
        raise OptionError(f"options is {options!r}; it takes None or {{'deal': deal}}")
    given = options or {}
    unknown = [] if known is None else sorted(map(str, given.keys() - set(known)))
    if unknown and known:
        names = " and ".join(map(repr, known))
        raise OptionError(f"options hold {unknown}; they take {names} only")
    return given
