r"""# N games of Gonzaga for a learner, as one Gymnasium vector environment.

| Import | `import gymnasium`, `import gonzaga_env` |
|---|---|
| Make | `gymnasium.make_vec("gonzaga/Gonzaga-v0", num_envs=N)` |
| Actions | `MultiDiscrete` [N], each `Discrete(42 + 10 H + 1)` |
| Observations | `Box(0, 255, (N, D), uint8)` |
| Autoreset | `AutoresetMode.SAME_STEP` |

Game i is the game of `gonzaga_env.envs.single_agent` with seed `seed + i`; observations, actions,
rewards, illegal actions and infos are described there. One engine plays all games, without a Python
loop over them, and each opponent chooses for all games in one batch.

### Step and reset

`step` takes actions [N] and returns observations [N, D] uint8, rewards [N] float64, terminations
[N], truncations [N] (always False) and infos. When a game ends, the next one is dealt in the same
step: the row holds the first observation of the next game, and the final observation of the game
that ended is in the infos.

`action_masks()` returns the learner's legal actions [N, A] bool. If an opponent plays an illegal
action, `step` raises and the environment needs a reset.

### Infos

The same as from `gymnasium.vector.SyncVectorEnv` with this autoreset mode: arrays [N, ...] under
the keys of the single environment (`action_mask` int8 [N, A], `score`, `won`, `seat`, ...), each
with a mask `_key` [N], which is True everywhere. If games ended, also:

- `final_obs`: [N] objects, the final observation [D] of each game that ended, else None;
  `_final_obs` [N] is the mask;
- `final_info`: the final infos, a dictionary of arrays [N, ...], valid where `_final_info` [N] is
  True; `final_info["illegal"]` is 1 where an illegal action ended the game.

### Arguments

`gymnasium.make_vec("gonzaga/Gonzaga-v0", num_envs=1, num_players=4, scenario=None,
edition="europe", rules=Rules(), reward="outcome", opponents=None, seat=None, render_mode=None)`

- `num_envs`: N.
- `render_mode`: as for one game; `render()` returns a tuple of N frames. With "human", one window
  shows the first nine games.
- all others: as for one game. Unless it is fixed, the learner's seat rotates in every game. All
  games share an opponent's `rng`, so its random choices depend on the other games.

`reset(seed=s)` gives game i the seed `s + i`, `reset(seed=[...])` gives one seed per game, and
`reset()` deals the next game of each seed. `reset(options={"deal": deal})` plays given deals,
arrays [N, ...].

### Pictures

`gonzaga_env.draw(envs, game=i)` draws game i as its learner sees it, and `envs.unwrapped.view(i)`
describes it in plain values.

### Version history

- v0: first version
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from gonzaga_env.core.arguments import Integers, as_num_games, as_rows
from gonzaga_env.core.batch.engine import Engine
from gonzaga_env.core.board.notation import ActionCodec
from gonzaga_env.core.edition import Edition
from gonzaga_env.core.observation.features import FeatureTable
from gonzaga_env.core.options import Rules
from gonzaga_env.core.rules.rewards import Reward
from gonzaga_env.core.view.game_view import GameView, Viewer
from gonzaga_env.envs.infos import Infos
from gonzaga_env.envs.learner import FinishedGames, LearnerGames, given_deal
from gonzaga_env.envs.opponents import Opponents
from gonzaga_env.envs.rendering import (
    RENDER_FPS,
    RENDER_MODES,
    Frame,
    check_render_mode,
    frame,
    show_games,
    warn_of_no_mode,
)
from gonzaga_env.render.draw import draw
from gonzaga_env.render.window import GameWindow

__all__ = ["GonzagaVectorEnv"]

_MOST_SHOWN = 9  # games in the window: more would be too small to read

Observations = NDArray[np.uint8]


class GonzagaVectorEnv(VectorEnv[Observations, Integers, NDArray[Any]]):
    """N games with one learner each, described in the module's docstring.

    Attributes:
        engine: the games. `engine.state` is their full state, hidden information included.
    """

    metadata = {  # noqa: RUF012  Gymnasium's convention
        "render_modes": RENDER_MODES,
        "render_fps": RENDER_FPS,
        "autoreset_mode": AutoresetMode.SAME_STEP,
    }

    def __init__(
        self,
        num_envs: int = 1,
        num_players: int = 4,
        scenario: str | None = None,
        edition: str | Path | Edition = "europe",
        rules: Rules = Rules(),
        reward: Reward = "outcome",
        opponents: Opponents = None,
        seat: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        """Sets up the environment; `reset` deals the games.

        Raises:
            OptionError: an argument has an invalid value.
            EditionError: the edition cannot be found or has faults.
        """
        self._window = GameWindow()  # first, since `__del__` closes it
        check_render_mode(render_mode)
        self.engine = Engine(
            as_num_games(num_envs, "num_envs"),
            num_players,
            scenario=scenario,
            edition=edition,
            rules=rules,
            seed=secrets.randbits(63),
            reward=reward,
        )
        self.render_mode = render_mode
        self._games = LearnerGames(self.engine, opponents, seat=seat, forfeit=True)
        self.num_envs = int(num_envs)
        self.single_observation_space = spaces.Box(0, 255, (self.features.size,), np.uint8)
        self.single_action_space = spaces.Discrete(self.actions.size)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    @property
    def actions(self) -> ActionCodec:
        """The codec of actions: sizes, blocks and texts."""
        return self.engine.actions

    @property
    def features(self) -> FeatureTable:
        """The layout of the observations."""
        return self.engine.features

    def reset(
        self,
        *,
        seed: int | Sequence[int] | Integers | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Observations, dict[str, Any]]:
        """Deals all games and plays up to the learner's first turns.

        Args:
            seed: determines everything: one integer, which gives game i the seed `seed + i`, or
                one integer per game. None deals the next game of each seed.
            options: {"deal": Deal} plays these deals.

        Returns:
            The observations [N, D] and the infos.

        Raises:
            OptionError: invalid seeds or deals, or an unknown option.
        """
        self.engine.reset(seed, given_deal(options))
        seeds = self.engine.state.seed
        super().reset(seed=None if seed is None else int(seeds[0]))
        self._games.start(seeds, self.np_random)
        self._show(self.metadata["render_fps"])
        return self.engine.observe(), _with_masks(self._games.infos(), np.ones(self.num_envs, bool))

    def step(
        self, actions: Integers | Sequence[int]
    ) -> tuple[
        Observations, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]
    ]:
        """Plays the learner's actions, then opponents up to its next turn in every game.

        Args:
            actions: [N]; an illegal action loses its game.

        Returns:
            Observations [N, D], rewards [N], which games ended [N], truncations [N], infos.

        Raises:
            ResetNeededError: the games have not begun, or an opponent failed.
            ActionError: wrong shape or dtype, or an index outside the space.
        """
        step = self._games.step(actions)
        self._show(self.metadata["render_fps"])
        infos = _with_masks(self._games.infos(), np.ones(self.num_envs, bool))
        if step.finished:
            infos |= self._final(step.finished, step.done)
        return self.engine.observe(), step.rewards, step.done, np.zeros_like(step.done), infos

    def action_masks(self) -> NDArray[np.bool_]:
        """Returns which actions are legal for the learner, [N, A]."""
        return self._games.action_masks()

    @property
    def edition(self) -> Edition:
        """The edition."""
        return self.engine.edition

    def view(
        self, game: int = 0, viewer: Viewer | None = None, *, names: Sequence[str] = ()
    ) -> GameView:
        """Returns what a viewer knows of one game, in plain values (see `GameView`).

        Args:
            game: the game.
            viewer: a seat, "public" or "spectator"; None for the learner's seat.
            names: the players' names; none by default.

        Raises:
            OptionError: there is no such game or viewer, or the number of names is wrong.
        """
        row = int(as_rows(np.array([game]), self.num_envs)[0])
        learner = int(self._games.seats[row])
        return self.engine.view(row, learner if viewer is None else viewer, names=names)

    def _repr_svg_(self) -> str:
        return draw(self).svg

    def __repr__(self) -> str:
        return f"<GonzagaVectorEnv, {self.num_envs} games, {self.engine.config.summary}>"

    def render(self) -> tuple[Frame, ...] | None:
        """Returns all N games, as their learners know them, in the form of `render_mode`.

        With "human", the window is drawn again and None is returned.

        Raises:
            MissingPackageError: "rgb_array" or "human" without Pillow, or "human" without
                pygame-ce; the message says what to install.
            WindowError: "human" without a screen.
        """
        if self.render_mode is None:
            warn_of_no_mode()
            return None
        if self.render_mode == "human":
            self._show()
            return None
        config, games = self.engine.config, range(self.num_envs)
        return tuple(frame(self.render_mode, self.view(i), config) for i in games)

    def close_extras(self, **kwargs: Any) -> None:
        """Closes the window, if there is one; called by `close`."""
        self._window.close()

    def _show(self, fps: float | None = None) -> None:
        """Shows the first games in one window if that is the render mode."""
        if self.render_mode == "human":
            views = [self.view(i) for i in range(min(self.num_envs, _MOST_SHOWN))]
            title = f"Gonzaga: {len(views)} of {self.num_envs} games" if len(views) > 1 else None
            show_games(self._window, views, self.engine.config, fps, title)

    def _final(self, finished: list[FinishedGames], done: NDArray[np.bool_]) -> dict[str, Any]:
        """Returns the part of the infos about games that ended, as arrays over all games."""
        observations = np.full(self.num_envs, None, dtype=object)
        infos: Infos = {}
        for games in finished:
            for row, observation in zip(games.rows.tolist(), games.observations, strict=True):
                observations[row] = observation
            for key, values in games.infos.items():
                shape = self.num_envs, *values.shape[1:]
                infos.setdefault(key, np.zeros(shape, values.dtype))[games.rows] = values
        return _with_masks(
            {"final_obs": observations, "final_info": _with_masks(infos, done)}, done
        )


def _with_masks(infos: dict[str, Any], valid: NDArray[np.bool_]) -> dict[str, Any]:
    """Returns infos with Gymnasium's mask `_key` [N] beside each `key`."""
    return infos | {f"_{key}": valid.copy() for key in infos}
