r"""# Gonzaga for a single learner.

| Import | `import gymnasium`, `import gonzaga_env` |
|---|---|
| One game | `gymnasium.make("gonzaga/Gonzaga-v0")` |
| N games | `gymnasium.make_vec("gonzaga/Gonzaga-v0", num_envs=N)`: see `gonzaga_env.envs.vector` |
| Actions | `Discrete(42 + 10 H + 1)`: 3,203 on the edition "europe" |
| Observations | `Box(0, 255, (D,), uint8)`: D = 3,431 with four players |
| Players | 4 (2 to 4), one of them the learner |

The game of `gonzaga_env.envs.gonzaga_v0`, as a Gymnasium environment: the learner has one seat, and
opponents, given as callables, move within `step`. Without an import of this package, the id is
"gonzaga_env:gonzaga/Gonzaga-v0".

### Observation space

What the learner's seat may know of the position at its turn, flat uint8, and after the last step
the end of the game. `env.unwrapped.features` is the table of features (name, slice, shape, scale,
meaning), and `features.normalise(observation)` a float32 array for networks.

### Action space

The one of `gonzaga_v0`. `env.unwrapped.actions.to_text(action)` names an action.

### Legal actions

`env.get_wrapper_attr("action_masks")()` returns them as bool [A], the way sb3-contrib's MaskablePPO
asks; `info["action_mask"]` as int8 [A], the way `action_space.sample` takes them. Until the game is
over there is always one.

An illegal action ends the episode as lost: reward -1 (whatever the kind of reward), terminated,
`info["illegal"]` 1. It does not raise, since Gymnasium's own checker, and others after it, play
whatever `action_space.sample()` gives. With "score" and "margin" -1 can be more than what playing
on brings, so keep to the mask.

### Rewards

The learner's, since its last action: what opponents do before its next turn is in it, and so is the
end of the game, whoever moved last.

- `reward="outcome"` (default): at the end +1 for a sole winner and -1 / (P - 1) for the others; k
  winners get what a fair lot among them would give.
- `reward="score"`: own points as they come, final scoring at the end.
- `reward="margin"`: own points less the mean of the others'.

### End of an episode

An episode is a game, 7 to 12 rounds of two actions of the learner's; it is terminated at the end
and never truncated. `step` before the next `reset` raises `ResetNeededError`, which is a
`gymnasium.error.ResetNeeded`.

### Infos

With the same keys at all times: `action_mask`, `score`, `scores` (own points by source: cities,
harbors, leagues, donations, group, objective), `round`, `last_round`, `open_sites`, `rings` (own
stock), `won` (own share of the victory, 0 before the end), `seat` and `illegal`.

### Arguments

`gymnasium.make("gonzaga/Gonzaga-v0", num_players=4, scenario=None, edition="europe", rules=Rules(),
reward="outcome", opponents=None, seat=None, render_mode=None)`

- `num_players`, `scenario`, `edition`, `rules`, `reward`: as in `gonzaga_v0`.
- `opponents`: a callable `(observations [M, D], masks [M, A], rng) -> actions [M]`, such as the
  `act` of an agent; or several, of which one is drawn for every seat in every game. None, alone or
  among several, plays any legal action with the same chance. `rng` is the environment's.
- `seat`: the learner's, from 0. None lets it move on by one from game to game, starting at the seed
  modulo P.
- `render_mode`: None or "ansi" (text of what everybody may see).

`reset(seed=...)` decides the deal, the learner's seat and what opponents draw; without a seed the
next game of the same seed is dealt, which is drawn from the system where none was ever given.
`reset(options={"deal": deal})` plays a given `gonzaga_env.core.deals.Deal`, as in `gonzaga_v0`.

### Version history

- v0: first version
"""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Any, SupportsIndex

import gymnasium
import numpy as np
from gymnasium import logger, spaces
from numpy.typing import NDArray

from gonzaga_env.core.board.notation import ActionCodec
from gonzaga_env.core.edition import Edition
from gonzaga_env.core.errors import IllegalActionError, OptionError
from gonzaga_env.core.observation.features import FeatureTable
from gonzaga_env.core.options import Rules
from gonzaga_env.core.rules.legal import NO_SEAT
from gonzaga_env.core.rules.rewards import Reward
from gonzaga_env.core.single.game import Game
from gonzaga_env.envs.infos import info
from gonzaga_env.envs.learner import ILLEGAL_REWARD, ResetNeededError, check_seat, given_deal
from gonzaga_env.envs.opponents import Opponents, as_opponents, choose_one
from gonzaga_env.render.ansi import render_text

__all__ = ["GonzagaEnv"]

Observation = NDArray[np.uint8]
Info = dict[str, Any]


class GonzagaEnv(gymnasium.Env[Observation, SupportsIndex]):
    """One game with one learner; the module's text describes all of it.

    Attributes:
        game: the game; `game.state` is a snapshot of the full truth.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 2}  # noqa: RUF012  Gymnasium's convention

    def __init__(
        self,
        num_players: int = 4,
        scenario: str | None = None,
        edition: str | Path | Edition = "europe",
        rules: Rules = Rules(),
        reward: Reward = "outcome",
        opponents: Opponents = None,
        seat: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        """Prepares the environment; `reset` deals.

        Raises:
            OptionError: an argument has a value that it does not take.
            EditionError: the edition can't be found or has faults.
        """
        if render_mode not in (None, "ansi"):
            raise OptionError(f"render_mode is {render_mode!r}; it takes None or 'ansi'")
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
        self.render_mode = render_mode
        self.observation_space = spaces.Box(0, 255, (self.features.size,), np.uint8)
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
            seed: decides everything; None deals the next game of the last seed.
            options: {"deal": Deal} plays that deal.

        Returns:
            The observation [D] and the info.

        Raises:
            OptionError: a seed or a deal that is none, or another option.
        """
        self.game.reset(seed, given_deal(options))
        position, num_players = self.game.position, self.game.num_players
        super().reset(seed=None if seed is None else position.seed)
        moving = (position.seed + position.episode) % num_players
        self._seat = moving if self._fixed_seat is None else int(self._fixed_seat)
        drawn = self.np_random.integers(len(self._opponents), size=num_players)
        self._players = [self._opponents[i] for i in drawn]  # the learner's seat has one too
        self._play_opponents()
        return self.game.observation(self._seat), self._info()

    def step(self, action: SupportsIndex) -> tuple[Observation, float, bool, bool, Info]:
        """Plays an action of the learner's, then the opponents up to its next turn.

        Args:
            action: index in the action space; an illegal one loses the game.

        Returns:
            Observation [D], reward, whether the game is over, False (never truncated) and the info.

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
        return self.game.observation(seat), reward, not self._waiting, False, self._info(illegal)

    def action_masks(self) -> NDArray[np.bool_]:
        """Returns which actions are legal for the learner, [A]; none where the game is over."""
        if not self._waiting:
            return np.zeros(self.actions.size, dtype=np.bool_)
        return self.game.mask().view(np.bool_)

    def render(self) -> str | None:
        """Returns the public side of the game as text, where `render_mode` is "ansi"."""
        if self.render_mode is None:
            logger.warn("render() does nothing without a render mode; there is 'ansi'")
            return None
        return render_text(self.game.tables, self.game.state)

    def _play_opponents(self) -> float:
        """Plays opponents up to the learner's next turn; returns what that brings to it."""
        game, reward = self.game, 0.0
        self._waiting = False  # should an opponent fail
        while game.seat not in (self._seat, NO_SEAT):
            action = choose_one(self._players[game.seat], game, self.np_random)
            reward += game.play(action)[self._seat]
        self._waiting = not game.finished
        return reward

    def _info(self, illegal: bool = False) -> Info:
        return {
            "action_mask": self.action_masks().view(np.int8),
            **info(self.game.position, self._seat),
            "seat": self._seat,
            "illegal": int(illegal),
        }
