"""N games with one learner each, as one Gymnasium vector environment."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from gonzaga_env.envs.environment import (
    KEYS,
    Form,
    Frame,
    GameEnvironment,
    MaskDtype,
    MaskPlace,
    Observation,
    ResetOptions,
    as_options,
    check_seed,
)
from gonzaga_env.envs.learner_games import BatchGames, LearnerGames, SingleGames
from gonzaga_env.envs.opponents import Opponents, as_opponents
from gonzaga_env.kernel.agent import is_uniform
from gonzaga_env.kernel.arguments import Indices, Integers, as_num_games, as_rows, is_integer
from gonzaga_env.kernel.chance import game_seeds
from gonzaga_env.kernel.errors import OptionError
from gonzaga_env.kernel.messages import short_repr
from gonzaga_env.kernel.result import Reward
from gonzaga_env.kernel.rows import ScalarT
from gonzaga_env.kernel.spec import Config, Engine, GameSpec, Info
from gonzaga_env.kernel.view import View, Viewer

MIN_BATCH = 48  # games; fewer are faster in plain Python


class LearnerVectorEnv(GameEnvironment, VectorEnv[Observation, Integers, NDArray[np.generic]]):
    """N games with one learner each.

    Attributes:
        autoreset_mode: when the game after one that ended is dealt.
    """

    metadata = GameEnvironment.metadata | {"autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        spec: GameSpec,
        config: Config,
        num_envs: int = 1,
        reward: Reward = "outcome",
        opponents: Opponents = None,
        seat: int | None = None,
        render_mode: str | None = None,
        mask: MaskPlace = "info",
        keys: Sequence[str] = KEYS,
        normalised: bool = False,
        mask_dtype: MaskDtype = "int8",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        max_episode_steps: int | None = None,
        form: Form = "features",
    ) -> None:
        super().__init__(spec, config, render_mode, mask, keys, normalised, mask_dtype, form)
        self.num_envs = as_num_games(num_envs, "num_envs")
        self.autoreset_mode = _as_mode(autoreset_mode)
        if not (
            max_episode_steps is None or (is_integer(max_episode_steps) and max_episode_steps > 0)
        ):
            raise OptionError(
                f"max_episode_steps is {max_episode_steps!r}; it takes None or 1 or more"
            )
        self._most_turns = max_episode_steps
        self._turns = np.zeros(self.num_envs, dtype=np.int64)  # of the learner in each game
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode}
        acts = as_opponents(opponents, config)
        most = MIN_BATCH * spec.slow_batch if all(map(is_uniform, acts)) else MIN_BATCH
        kind = SingleGames if self.num_envs < most else BatchGames
        self._games: LearnerGames = kind(spec, config, self.num_envs, acts, seat, reward)
        self.single_observation_space = self._packer.space
        self.single_action_space = spaces.Discrete(self.actions.size)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    @property
    def engine(self) -> Engine:
        """The games as an engine, for reading; `engine.state` holds hidden information too."""
        return self._games.engine

    def reset(
        self, *, seed: int | Sequence[int] | Integers | None = None, options: ResetOptions = None
    ) -> tuple[Observation, Info]:
        """Deals games and plays up to the learner's first turns.

        Args:
            seed: determines everything: one integer, which gives game i the seed `seed + i`, or
                one integer per game. None deals the next game of each seed.
            options: {"deal": Deal} plays these deals; {"reset_mask": [N] bool} resets the games
                where it is True and leaves the others as they are.

        Returns:
            The observations [N, D] and the infos.

        Raises:
            OptionError: invalid seeds or deals, or an unknown option.
        """
        given = as_options(options, ("deal", "reset_mask"))
        check_seed(seed)
        chosen = _reset_mask(given, self.num_envs)
        rows, deal = np.flatnonzero(chosen), given.get("deal")
        if deal is not None:
            self.game_spec.check_deal(self.config, deal, self.num_envs)
            deal = deal.take(rows)
        seeds = None if seed is None else game_seeds(seed, self.num_envs)[rows]
        self._games.deal(seeds, deal, rows)
        self._turns[rows] = 0
        super().reset(seed=None if seed is None else int(self._games.seeds[rows[0]]))
        self._games.start(self.np_random, rows)
        self._show()
        observations, infos = self._outputs()
        if len(rows) < self.num_envs:
            infos = {key: _spread(values[rows], chosen) for key, values in infos.items()}
        return observations, _with_masks(infos, chosen)

    def step(
        self, actions: Integers | Sequence[int]
    ) -> tuple[Observation, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], Info]:
        """Plays the learner's actions, then opponents up to its next turn in every game.

        Args:
            actions: [N]; an illegal action loses its game.

        Returns:
            Observations [N, D], rewards [N], which games ended [N], which were cut off by
            `max_episode_steps` [N], infos.

        Raises:
            ResetNeededError: the games have not begun, one is over (in the mode DISABLED), or an
                opponent failed.
            ActionError: wrong shape or dtype, or an index outside the space.
        """
        games, next_step = self._games, self.autoreset_mode == AutoresetMode.NEXT_STEP
        dealt = games.over.copy() if next_step and games.over.any() else None
        rewards = games.step(actions, dealt)
        truncated = self._truncate()
        if dealt is not None:
            self._deal_next(dealt)
        ended, final = games.over.copy(), {}
        if self.autoreset_mode == AutoresetMode.SAME_STEP and ended.any():
            final = self._final(ended)
            self._deal_next(ended)
        self._show()
        observations, infos = self._outputs()
        infos = _with_masks(infos, np.ones(self.num_envs, bool)) | final
        return observations, rewards, ended & ~truncated, truncated, infos

    def action_masks(self) -> NDArray[np.bool_]:
        """Returns which actions are legal for the learner, [N, A]."""
        return self._games.action_masks(np.arange(self.num_envs))

    def view(
        self, game: int = 0, viewer: Viewer | None = None, *, names: Sequence[str] = ()
    ) -> View:
        """Returns what a viewer knows of one game, in plain values (see `Engine.view`).

        Args:
            game: the game.
            viewer: a seat, "public" or "spectator"; None for the learner's seat.
            names: the players' names; none by default.

        Raises:
            OptionError: there is no such game or viewer, or the number of names is wrong.
        """
        row = int(as_rows(np.array([game]), self.num_envs)[0])
        learner = int(self._games.seats[row])
        return self._games.view(row, learner if viewer is None else viewer, names)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}, {self.num_envs} games, {self.config.summary}>"

    def _views(self, most: int | None = None) -> list[View]:
        return [self.view(game) for game in range(self.num_envs)[:most]]

    def _frames(self, frames: list[Frame]) -> tuple[Frame, ...]:
        return tuple(frames)

    def _title(self, shown: int) -> str | None:
        return f"{self.game_spec.title}: {shown} of {self.num_envs} games" if shown > 1 else None

    def _truncate(self) -> NDArray[np.bool_]:
        """Counts the learner's turns; ends the games that are too long and returns which, [N]."""
        self._turns += 1
        if self._most_turns is None:
            return np.zeros(self.num_envs, dtype=np.bool_)
        truncated = (self._turns >= self._most_turns) & ~self._games.over
        self._games.over |= truncated
        return truncated

    def _deal_next(self, chosen: NDArray[np.bool_]) -> None:
        rows = np.flatnonzero(chosen)
        self._games.deal(rows=rows)
        self._turns[rows] = 0
        self._games.start(self.np_random, rows)

    def _outputs(self, rows: Indices | None = None) -> tuple[Observation, Info]:
        games, rows = self._games, np.arange(self.num_envs) if rows is None else rows
        return self._packer.pack(games.observe(rows), games.action_masks(rows), games.infos(rows))

    def _final(self, ended: NDArray[np.bool_]) -> Info:
        """Returns the part of the infos about games that ended, as arrays over all games."""
        rows = np.flatnonzero(ended)
        packed, infos = self._outputs(rows)
        observations = np.full(self.num_envs, None, dtype=object)
        for i, row in enumerate(rows.tolist()):
            observations[row] = _one_row(packed, i)
        values = {key: _spread(array, ended) for key, array in infos.items()}
        final = {"final_obs": observations, "final_info": _with_masks(values, ended)}
        return _with_masks(final, ended)


def _as_mode(mode: object) -> AutoresetMode:
    """Returns an autoreset mode given as such or as its value; OptionError for anything else."""
    try:
        return AutoresetMode(mode)
    except ValueError:
        modes = ", ".join(repr(each.value) for each in AutoresetMode)
        raise OptionError(f"autoreset_mode is {mode!r}; it takes {modes}") from None


def _reset_mask(options: dict[str, object], num_envs: int) -> NDArray[np.bool_]:
    """Returns which games a reset deals, [N]; OptionError for a wrong "reset_mask"."""
    if "reset_mask" not in options:
        return np.ones(num_envs, dtype=np.bool_)
    mask = options["reset_mask"]
    if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_ or mask.shape != (num_envs,):
        raise OptionError(f"reset_mask is {short_repr(mask)}; it takes an array of {num_envs} bool")
    if not mask.any():
        raise OptionError("reset_mask is False for all games; it takes one True or more")
    return mask


def _one_row(observations: Observation, row: int) -> Observation:
    if isinstance(observations, dict):
        return {key: values[row].copy() for key, values in observations.items()}
    return observations[row].copy()


def _spread(values: NDArray[ScalarT], chosen: NDArray[np.bool_]) -> NDArray[ScalarT]:
    """Returns values [M, ...] of the M chosen games as [N, ...], with zeros for the others."""
    spread = np.zeros((len(chosen), *values.shape[1:]), values.dtype)
    spread[chosen] = values
    return spread


def _with_masks(infos: Info, valid: NDArray[np.bool_]) -> Info:
    """Returns infos with Gymnasium's mask `_key` [N] for each `key`."""
    copies = np.empty((len(infos), len(valid)), dtype=np.bool_)
    copies[:] = valid
    return infos | dict(zip([f"_{key}" for key in infos], copies, strict=True))
