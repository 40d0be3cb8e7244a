"""One game with one learner, as a Gymnasium environment.

Plain Python throughout: with numpy's axes of a vector environment of one game it would be half as
fast.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import SupportsIndex

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from gonzaga_env.envs.environment import (
    ILLEGAL_REWARD,
    KEYS,
    Form,
    GameEnvironment,
    MaskDtype,
    MaskPlace,
    Observation,
    ResetNeededError,
    ResetOptions,
    as_options,
    check_seat,
    check_seed,
)
from gonzaga_env.envs.opponents import Opponents, as_opponents, choose_one
from gonzaga_env.kernel.chance import agent_generators
from gonzaga_env.kernel.errors import IllegalActionError
from gonzaga_env.kernel.result import Reward
from gonzaga_env.kernel.single import AnyGame
from gonzaga_env.kernel.spec import Config, GameSpec, Info
from gonzaga_env.kernel.view import View, Viewer


class LearnerEnv(GameEnvironment, gymnasium.Env[Observation, SupportsIndex]):
    """One game, in which the learner plays one seat and opponents act within `step`.

    Attributes:
        game: the game. `game.state` is a snapshot of the full state, hidden information included.
    """

    def __init__(
        self,
        spec: GameSpec,
        config: Config,
        reward: Reward = "outcome",
        opponents: Opponents = None,
        seat: int | None = None,
        render_mode: str | None = None,
        mask: MaskPlace = "info",
        keys: Sequence[str] = KEYS,
        normalised: bool = False,
        mask_dtype: MaskDtype = "int8",
        form: Form = "features",
    ) -> None:
        super().__init__(spec, config, render_mode, mask, keys, normalised, mask_dtype, form)
        self.game: AnyGame = spec.game.from_config(config, 0, reward)
        check_seat(seat, config.num_players)
        self._fixed_seat, self._opponents = seat, as_opponents(opponents, config)
        self._waiting = False  # whether the game waits for the learner
        self._seeded = False
        self._source: np.random.Generator  # the generators below are derived from it
        self._rngs: list[np.random.Generator] = []  # each opponent's own
        self._drawn: NDArray[np.int64]  # opponent by seat; the learner's is unused
        self.observation_space = self._packer.space
        self.action_space = spaces.Discrete(self.actions.size)

    def reset(
        self, *, seed: int | None = None, options: ResetOptions = None
    ) -> tuple[Observation, Info]:
        """Deals a game and plays up to the learner's first turn.

        Args:
            seed: determines everything; None deals the next game of the last seed.
            options: {"deal": Deal} plays that deal.

        Returns:
            The observation [D] and the info.

        Raises:
            OptionError: invalid seed or deal, or an unknown option.
        """
        check_seed(seed)
        deal = as_options(options, ("deal",)).get("deal")
        # The first seed is drawn here, so that copies of an environment differ.
        drawn = secrets.randbits(63) if seed is None and not self._seeded else seed
        self.game.reset(drawn, deal)
        self._seeded = True
        game, num_players = self.game, self.game.num_players
        super().reset(seed=None if seed is None else game.seed)
        moving = (game.seed + game.episode) % num_players
        self._seat = moving if self._fixed_seat is None else int(self._fixed_seat)
        if not self._rngs or self.np_random is not self._source:
            self._source = self.np_random
            self._rngs = agent_generators(self.np_random.bytes(32), len(self._opponents))
        self._drawn = self.np_random.integers(len(self._opponents), size=num_players)
        self._play_opponents()
        self._show()
        return self._outputs()

    def step(self, action: SupportsIndex) -> tuple[Observation, float, bool, bool, Info]:
        """Plays the learner's action, then opponents up to its next turn.

        Args:
            action: index in the action space; an illegal action loses the game.

        Returns:
            Observation [D], reward, whether the game ended, False (never truncated) and the info.

        Raises:
            ResetNeededError: the game has not begun or is over.
            ActionError: the action is not in the space.
        """
        if not self._waiting:
            raise ResetNeededError("no game waits for an action; call reset() first")
        seat, illegal = self._seat, False
        try:
            reward = self.game.play(action)[seat]
        except IllegalActionError:
            reward, illegal, self._waiting = ILLEGAL_REWARD, True, False
        else:
            reward += self._play_opponents()
        self._show()
        observation, info = self._outputs(illegal)
        return observation, reward, not self._waiting, False, info

    def action_masks(self) -> NDArray[np.bool_]:
        """Returns which actions are legal for the learner, [A]; all False if the game is over."""
        if not self._waiting:
            return np.zeros(self.actions.size, dtype=np.bool_)
        return self.game.mask().view(np.bool_)

    def view(self, viewer: Viewer | None = None, *, names: Sequence[str] = ()) -> View:
        """Returns what a viewer knows of the game, in plain values (see `Game.view`).

        Args:
            viewer: a seat, "public" or "spectator"; None for the learner's seat, and for "public"
                before the first `reset`.
            names: the players' names; none by default.

        Raises:
            OptionError: there is no such viewer, or the number of names is wrong.
        """
        learner: Viewer = getattr(self, "_seat", "public")
        return self.game.view(learner if viewer is None else viewer, names=names)

    def _views(self, most: int | None = None) -> list[View]:
        return [self.view()]

    def _play_opponents(self) -> float:
        """Plays opponents up to the learner's next turn; returns its rewards from that."""
        game, reward = self.game, 0.0
        self._waiting = False  # stays so if an opponent fails
        while (seat := game.seat) not in (self._seat, -1):
            i = self._drawn[seat]
            action = choose_one(self._opponents[i], game, self._rngs[i])
            reward += game.play(action)[self._seat]
        self._waiting = not game.finished
        return reward

    def _outputs(self, illegal: bool = False) -> tuple[Observation, Info]:
        own = {"seat": np.int64(self._seat), "illegal": np.int64(illegal)}
        values = self.game_spec.infos.of_seat(self.game, self._seat) | own
        observation = self.game.observation(self._seat)
        return self._packer.pack(observation, self.action_masks(), values)
