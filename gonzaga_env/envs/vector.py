r"""# N games of Gonzaga for a learner, as one Gymnasium vector environment.

| Import | `import gymnasium`, `import gonzaga_env` |
|---|---|
| Make | `gymnasium.make_vec("gonzaga/Gonzaga-v0", num_envs=N)` |
| Actions | `MultiDiscrete` [N], each `Discrete(42 + 10 H + 1)` |
| Observations | `Box(0, 255, (N, D), uint8)` |
| Autoreset | `AutoresetMode.SAME_STEP`; or `NEXT_STEP`, `DISABLED` |

Game i is the game of `gonzaga_env.envs.single_agent` with seed `seed + i`; observations, actions,
rewards, illegal actions and infos are described there. One engine plays all games, without a Python
loop over them, and each opponent chooses for all games in one batch. Fewer than 48 games are played
one by one in plain Python, which is faster; the outputs are the same.

### Step and reset

`step` takes actions [N] and returns observations [N, D] uint8, rewards [N] float64, terminations
[N], truncations [N] (always False) and infos. What happens when a game ends is up to
`autoreset_mode`, as in `gymnasium.vector.SyncVectorEnv`:

- `AutoresetMode.SAME_STEP` (default): the next game is dealt in the same step. The row holds the
  first observation of the next game, and the final observation of the game that ended is in the
  infos.
- `AutoresetMode.NEXT_STEP`: the row holds the final observation. The next step ignores the action
  of that game, deals the next one and returns reward 0.
- `AutoresetMode.DISABLED`: the row holds the final observation, and
  `reset(options={"reset_mask": ended})` deals the next game; a step before it raises
  `ResetNeededError`.

`action_masks()` returns the learner's legal actions [N, A] bool. If an opponent plays an illegal
action, `step` raises and the environment needs a reset.

### Infos

The same as from `gymnasium.vector.SyncVectorEnv` with this autoreset mode: arrays [N, ...] under
the keys of the single environment (`action_mask` int8 [N, A], `score`, `won`, `seat`, ...), each
with a mask `_key` [N], which is True everywhere. (After a reset with "reset_mask" both hold the
games that were reset, and zeros elsewhere.) If games ended, in the mode SAME_STEP also:

- `final_obs`: [N] objects, the final observation [D] of each game that ended, else None;
  `_final_obs` [N] is the mask;
- `final_info`: the final infos, a dictionary of arrays [N, ...], valid where `_final_info` [N] is
  True; `final_info["illegal"]` is 1 where an illegal action ended the game.

### Arguments

`gymnasium.make_vec("gonzaga/Gonzaga-v0", num_envs=1, num_players=4, scenario=None,
edition="europe", rules=Rules(), reward="outcome", opponents=None, seat=None, render_mode=None,
mask="info", keys=("observation", "action_mask"), normalised=False, autoreset_mode="SameStep")`

- `num_envs`: N.
- `autoreset_mode`: an `AutoresetMode` or its value, "SameStep", "NextStep" or "Disabled".
- `render_mode`: as for one game; `render()` returns a tuple of N frames. With "human", one window
  shows the first nine games.
- all others: as for one game. Unless it is fixed, the learner's seat rotates in every game. All
  games share an opponent's `rng`, so its random choices depend on the other games.

`reset(seed=s)` gives game i the seed `s + i`, `reset(seed=[...])` gives one seed per game, and
`reset()` deals the next game of each seed. `reset(options={"deal": deal})` plays given deals,
arrays [N, ...]. `reset(options={"reset_mask": mask})` resets the games where mask [N] bool is True,
and leaves the others as they are; seeds and deals are given for all N.

### Pictures

`gonzaga_env.draw(envs, game=i)` draws game i as its learner sees it, and `envs.unwrapped.view(i)`
describes it in plain values.

### Version history

- v0: first version
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from gonzaga_env.core.batch.engine import Engine
from gonzaga_env.core.board.notation import ActionCodec
from gonzaga_env.core.config import GameConfig
from gonzaga_env.core.editions.edition import Edition
from gonzaga_env.core.options import Rules
from gonzaga_env.core.state.deals import check_deal
from gonzaga_env.core.view.game_view import GameView, Viewer
from gonzaga_env.envs.autoreset import as_mode, one_row, reset_mask, spread, with_masks
from gonzaga_env.envs.layout import KEYS, Layout, MaskPlace
from gonzaga_env.envs.learner import LearnerGames, as_options
from gonzaga_env.envs.learner_batch import BatchGames
from gonzaga_env.envs.learner_few import FewGames
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
from gonzaga_env.tabletop.arguments import Indices, Integers, as_num_games, as_rows
from gonzaga_env.tabletop.chance import game_seeds
from gonzaga_env.tabletop.features import FeatureTable
from gonzaga_env.tabletop.rewards import Reward

__all__ = ["GonzagaVectorEnv"]

MIN_BATCH = 48  # games; fewer are faster in plain Python (benchmarks/README.md)
_MOST_SHOWN = 9  # games in the window: more would be too small to read

Observations = Any  # an array [N, D], or with mask="observation" a dictionary


class GonzagaVectorEnv(VectorEnv[Observations, Integers, NDArray[Any]]):
    """N games with one learner each, described in the module's docstring.

    Attributes:
        autoreset_mode: when the game after one that ended is dealt.
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
        rules: Rules | Mapping[str, Any] = Rules(),
        reward: Reward = "outcome",
        opponents: Opponents = None,
        seat: int | None = None,
        render_mode: str | None = None,
        mask: MaskPlace = "info",
        keys: Sequence[str] = KEYS,
        normalised: bool = False,
        autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
    ) -> None:
        """Sets up the environment; `reset` deals the games.

        Raises:
            OptionError: an argument has an invalid value.
            EditionError: the edition cannot be found or has faults.
        """
        self._window = GameWindow()  # first, since `__del__` closes it
        check_render_mode(render_mode)
        num_envs = as_num_games(num_envs, "num_envs")
        self.autoreset_mode = as_mode(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode}
        config = GameConfig(num_players, scenario, edition, rules)
        kind = FewGames if num_envs < MIN_BATCH else BatchGames
        self._games: LearnerGames = kind(config, num_envs, opponents, seat, reward)
        self._layout = Layout(self.features, self.actions.size, mask, keys, normalised)
        self.render_mode = render_mode
        self.num_envs = num_envs
        self.single_observation_space = self._layout.space
        self.single_action_space = spaces.Discrete(self.actions.size)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    @property
    def engine(self) -> Engine:
        """The games as an engine, for reading; `engine.state` holds hidden information too."""
        return self._games.engine

    @property
    def actions(self) -> ActionCodec:
        """The codec of actions: sizes, blocks and texts."""
        return self._games.config.tables.actions

    @property
    def features(self) -> FeatureTable:
        """The layout of the observations."""
        return self._games.features

    def reset(
        self,
        *,
        seed: int | Sequence[int] | Integers | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Observations, dict[str, Any]]:
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
        chosen = reset_mask(given, self.num_envs)
        rows, deal = np.flatnonzero(chosen), given.get("deal")
        if deal is not None:
            check_deal(
                self._games.config.tables, deal, self.num_envs, self._games.config.num_players
            )
            deal = deal.take(rows)
        seeds = None if seed is None else game_seeds(seed, self.num_envs)[rows]
        self._games.deal(seeds, deal, rows)
        super().reset(seed=None if seed is None else int(self._games.seeds[rows[0]]))
        self._games.start(self.np_random, rows)
        self._show(self.metadata["render_fps"])
        observations, infos = self._outputs()
        if len(rows) < self.num_envs:
            infos = {key: spread(values[rows], chosen) for key, values in infos.items()}
        return observations, with_masks(infos, chosen)

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
            ResetNeededError: the games have not begun, one is over (in the mode DISABLED), or an
                opponent failed.
            ActionError: wrong shape or dtype, or an index outside the space.
        """
        games, next_step = self._games, self.autoreset_mode == AutoresetMode.NEXT_STEP
        dealt = games.over.copy() if next_step and games.over.any() else None
        rewards = games.step(actions, dealt)
        if dealt is not None:
            self._deal_next(dealt)
        ended, final = games.over.copy(), {}
        if self.autoreset_mode == AutoresetMode.SAME_STEP and ended.any():
            final = self._final(ended)
            self._deal_next(ended)
        self._show(self.metadata["render_fps"])
        observations, infos = self._outputs()
        infos = with_masks(infos, np.ones(self.num_envs, bool)) | final
        return observations, rewards, ended, np.zeros(self.num_envs, bool), infos

    def action_masks(self) -> NDArray[np.bool_]:
        """Returns which actions are legal for the learner, [N, A]."""
        return self._games.action_masks(np.arange(self.num_envs))

    @property
    def edition(self) -> Edition:
        """The edition."""
        return self._games.config.edition

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
        return self._games.view(row, learner if viewer is None else viewer, names)

    def _repr_svg_(self) -> str:
        return draw(self).svg

    def __repr__(self) -> str:
        return f"<GonzagaVectorEnv, {self.num_envs} games, {self._games.config.summary}>"

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
        config, games = self._games.config, range(self.num_envs)
        return tuple(frame(self.render_mode, self.view(i), config) for i in games)

    def close_extras(self, **kwargs: Any) -> None:
        """Closes the window, if there is one; called by `close`."""
        self._window.close()

    def _show(self, fps: float | None = None) -> None:
        """Shows the first games in one window if that is the render mode."""
        if self.render_mode == "human":
            views = [self.view(i) for i in range(min(self.num_envs, _MOST_SHOWN))]
            title = f"Gonzaga: {len(views)} of {self.num_envs} games" if len(views) > 1 else None
            show_games(self._window, views, self._games.config, fps, title)

    def _deal_next(self, chosen: NDArray[np.bool_]) -> None:
        """Deals the next games in some rows."""
        rows = np.flatnonzero(chosen)
        self._games.deal(rows=rows)
        self._games.start(self.np_random, rows)

    def _outputs(self, rows: Indices | None = None) -> tuple[Observations, dict[str, Any]]:
        """Returns observations and infos of some games."""
        games, rows = self._games, np.arange(self.num_envs) if rows is None else rows
        return self._layout.pack(games.observe(rows), games.action_masks(rows), games.infos(rows))

    def _final(self, ended: NDArray[np.bool_]) -> dict[str, Any]:
        """Returns the part of the infos about games that ended, as arrays over all games."""
        rows = np.flatnonzero(ended)
        packed, infos = self._outputs(rows)
        observations = np.full(self.num_envs, None, dtype=object)
        for i, row in enumerate(rows.tolist()):
            observations[row] = one_row(packed, i)
        values = {key: spread(array, ended) for key, array in infos.items()}
        final = {"final_obs": observations, "final_info": with_masks(values, ended)}
        return with_masks(final, ended)
