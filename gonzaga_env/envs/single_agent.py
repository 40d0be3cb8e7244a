r"""# Gonzaga for a single learner.

| Import | `import gymnasium`, `import gonzaga_env` |
|---|---|
| One game | `gymnasium.make("gonzaga/Gonzaga-v0")` |
| N games | `gymnasium.make_vec("gonzaga/Gonzaga-v0", num_envs=N)`: see `gonzaga_env.envs.vector` |
| Actions | `Discrete(42 + 10 H + 1)`: 3,203 on the edition "europe" |
| Observations | `Box(0, 255, (D,), uint8)`: D = 3,748 with four players |
| Players | 4 (2 to 4), one of them the learner |

The game of `gonzaga_env.envs.gonzaga_v0` as a Gymnasium environment: the learner plays one seat,
and opponents act within `step`. The id "gonzaga_env:gonzaga/Gonzaga-v0" also imports this package.

### Observation space

Everything that the learner's seat may know of the position at its turn, flat uint8; after the last
step, the end of the game. `env.unwrapped.features` is the table of features (name, slice, shape,
scale, meaning), and `features.normalise(observation)` returns float32 for networks.

### Action space

That of `gonzaga_v0`. `env.unwrapped.actions.to_text(action)` names an action.

### Legal actions

`env.get_wrapper_attr("action_masks")()` returns them as bool [A], as sb3-contrib's MaskablePPO
expects; `info["action_mask"]` holds them as int8 [A], as `action_space.sample` expects. Until the
game is over there is always a legal action.

An illegal action loses the game: reward -1 (whatever the kind of reward), terminated,
`info["illegal"]` 1. It does not raise, because Gymnasium's checker and similar tools play
unmasked samples of `action_space`. With "score" and "margin", -1 can be better than playing on, so
use the mask.

### Rewards

The sum of the learner's rewards from its action to its next turn: it includes the effect of the
opponents' actions in between and the end of the game, whoever moved last.

- `reward="outcome"` (default): at the end +1 for a sole winner and -1 / (P - 1) for the others; k
  winners share equally what one would have got.
- `reward="score"`: own points as they are scored, with final scoring at the end.
- `reward="margin"`: own points minus the mean of the others'.

### End of an episode

An episode is a game of 7 to 12 rounds, in each of which the learner acts twice. It is terminated at
the end and never truncated. Calling `step` before the next `reset` raises `ResetNeededError`, a
subclass of `gymnasium.error.ResetNeeded`.

### Infos

Every info has the same keys, of numbers and arrays of numpy: `action_mask`, `score`, `scores` (own
points by source: cities, harbors, leagues, donations, group, objective), `round`, `last_round`,
`open_sites`, `rings` (own rings left), `won` (own share of the victory, 0 before the end), `seat`
and `illegal`.

### Arguments

`gymnasium.make("gonzaga/Gonzaga-v0", num_players=4, scenario=None, edition="europe", rules=Rules(),
reward="outcome", opponents=None, seat=None, render_mode=None, mask="info",
keys=("observation", "action_mask"), normalised=False)`

- `num_players`, `scenario`, `edition`, `rules`, `reward`: as in `gonzaga_v0`.
- `opponents`: an agent's name (as `gonzaga_agents.make_agent` takes it), an agent, or a callable
  `(observations [M, D], masks [M, A], rng) -> actions [M]`; or a sequence of these, from which one
  is drawn for every seat in every game. None, alone or in the sequence, plays uniformly random
  legal actions. Each opponent has an `rng` of its own, from which it cannot compute the deal.
- `seat`: the learner's seat, from 0. None rotates it by one each episode, starting at the seed
  modulo P.
- `render_mode`: None, "ansi" (text), "ansi_color" (text for terminals, with coordinates), "human"
  (a window, drawn at every reset and step; it takes the extra `window`), "rgb_array" (an array
  [height, 900, 3] uint8; it takes the extra `render`) or "svg". All show what the learner knows.
- `mask`: where the legal actions are. "info": in `info["action_mask"]`, and an observation is an
  array. "observation": an observation is a dictionary of that array and the mask, int8 [A], and the
  infos hold no mask. `action_masks()` works with both.
- `keys`: the names of the observation and the mask, such as ("observations", "action_mask") for
  RLlib and ("obs", "mask") for Tianshou; see docs/clients.md.
- `normalised`: True returns observations as float32, each feature about 0 to 1
  (`features.normalise`).

`reset(seed=...)` determines the deal, the learner's seat and the opponents' randomness. Where
agents compete, keep the seed secret, and draw it at random: a small one can be found by trying.
`reset()` deals the next game of the same seed; if no seed was ever given, it is drawn from the
operating system. `reset(options={"deal": deal})` plays a given `gonzaga_env.core.Deal`, as in
`gonzaga_v0`.

### Pictures

`gonzaga_env.draw(env)` draws the game as the learner sees it, and `env.unwrapped.view()` describes
it in plain values.

### Version history

- v0: first version
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, SupportsIndex

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from gonzaga_env.core.batch.legal import NO_SEAT
from gonzaga_env.core.board.notation import ActionCodec
from gonzaga_env.core.editions.edition import Edition
from gonzaga_env.core.options import Rules
from gonzaga_env.core.single.game import Game
from gonzaga_env.core.view.game_view import GameView, Viewer
from gonzaga_env.envs.infos import info
from gonzaga_env.envs.layout import KEYS, Layout, MaskPlace
from gonzaga_env.envs.learner import ILLEGAL_REWARD, ResetNeededError, as_options, check_seat
from gonzaga_env.envs.opponents import Opponents, as_opponents, choose_one
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
from gonzaga_env.tabletop.chance import agent_generators
from gonzaga_env.tabletop.errors import IllegalActionError
from gonzaga_env.tabletop.features import FeatureTable
from gonzaga_env.tabletop.rewards import Reward

__all__ = ["GonzagaEnv"]

Observation = Any  # an array [D], or with mask="observation" a dictionary
Info = dict[str, Any]


class GonzagaEnv(gymnasium.Env[Observation, SupportsIndex]):
    """One game with one learner, described in the module's docstring.

    Attributes:
        game: the game. `game.state` is a snapshot of the full state, hidden information included.
    """

    metadata = {  # noqa: RUF012  Gymnasium's convention
        "render_modes": RENDER_MODES,
        "render_fps": RENDER_FPS,
    }

    def __init__(
        self,
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
    ) -> None:
        """Sets up the environment; `reset` deals a game.

        Raises:
            OptionError: an argument has an invalid value.
            EditionError: the edition cannot be found or has faults.
        """
        check_render_mode(render_mode)
        self._window = GameWindow()
        self.game = Game(
            num_players=num_players,
            scenario=scenario,
            edition=edition,
            rules=rules,
            seed=secrets.randbits(63),
            reward=reward,
        )
        check_seat(seat, num_players)
        self._fixed_seat, self._opponents = seat, as_opponents(opponents, self.game.config)
        self._waiting = False  # whether the game waits for the learner
        self._source: np.random.Generator  # the generators below are derived from it
        self._rngs: list[np.random.Generator] = []  # each opponent's own
        self._drawn: NDArray[np.int64]  # opponent by seat; the learner's is unused
        self.render_mode = render_mode
        self._layout = Layout(self.features, self.actions.size, mask, keys, normalised)
        self.observation_space = self._layout.space
        self.action_space = spaces.Discrete(self.actions.size)

    @property
    def actions(self) -> ActionCodec:
        """The codec of actions: sizes, blocks and texts."""
        return self.game.actions

    @property
    def features(self) -> FeatureTable:
        """The layout of the observations."""
        return self.game.features

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
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
        self.game.reset(seed, as_options(options, ("deal",)).get("deal"))
        position, num_players = self.game.position, self.game.num_players
        super().reset(seed=None if seed is None else position.seed)
        moving = (position.seed + position.episode) % num_players
        self._seat = moving if self._fixed_seat is None else int(self._fixed_seat)
        if not self._rngs or self.np_random is not self._source:
            self._source = self.np_random
            self._rngs = agent_generators(self.np_random.bytes(32), len(self._opponents))
        self._drawn = self.np_random.integers(len(self._opponents), size=num_players)
        self._play_opponents()
        self._show(self.metadata["render_fps"])
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
        self._show(self.metadata["render_fps"])
        observation, info = self._outputs(illegal)
        return observation, reward, not self._waiting, False, info

    def action_masks(self) -> NDArray[np.bool_]:
        """Returns which actions are legal for the learner, [A]; all False if the game is over."""
        if not self._waiting:
            return np.zeros(self.actions.size, dtype=np.bool_)
        return self.game.mask().view(np.bool_)

    @property
    def edition(self) -> Edition:
        """The edition."""
        return self.game.edition

    def view(self, viewer: Viewer | None = None, *, names: Sequence[str] = ()) -> GameView:
        """Returns what a viewer knows of the game, in plain values (see `GameView`).

        Args:
            viewer: a seat, "public" or "spectator"; None for the learner's seat, and for "public"
                before the first `reset`.
            names: the players' names; none by default.

        Raises:
            OptionError: there is no such viewer, or the number of names is wrong.
        """
        learner: Viewer = getattr(self, "_seat", "public")
        return self.game.view(learner if viewer is None else viewer, names=names)

    def _repr_svg_(self) -> str:
        return draw(self).svg

    def __repr__(self) -> str:
        return f"<GonzagaEnv, {self.game.config.summary}>"

    def render(self) -> Frame | None:
        """Returns what the learner knows of the game in the form that `render_mode` asks for.

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
        return frame(self.render_mode, self.view(), self.game.config)

    def close(self) -> None:
        """Closes the window, if there is one."""
        self._window.close()

    def _show(self, fps: float | None = None) -> None:
        """Shows the game in its window if that is the render mode."""
        if self.render_mode == "human":
            show_games(self._window, [self.view()], self.game.config, fps)

    def _play_opponents(self) -> float:
        """Plays opponents up to the learner's next turn; returns its rewards from that."""
        game, reward = self.game, 0.0
        self._waiting = False  # stays so if an opponent fails
        while game.seat not in (self._seat, NO_SEAT):
            i = self._drawn[game.seat]
            action = choose_one(self._opponents[i], game, self._rngs[i])
            reward += game.play(action)[self._seat]
        self._waiting = not game.finished
        return reward

    def _outputs(self, illegal: bool = False) -> tuple[Observation, Info]:
        """Returns observation and info."""
        own = {"seat": np.int64(self._seat), "illegal": np.int64(illegal)}
        values = info(self.game.position, self._seat) | own
        observation = self.game.observation(self._seat)
        return self._layout.pack(observation, self.action_masks(), values)
