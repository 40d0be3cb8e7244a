"""N games for Stable-Baselines3, on one engine, and its models as agents.

    from sb3_contrib import MaskablePPO
    from gonzaga_env.envs.sb3 import make_sb3_vec

    envs = make_sb3_vec(256, num_players=3, opponents="planner", seed=0, normalised=True)
    model = MaskablePPO("MlpPolicy", envs, n_steps=32, batch_size=1024)
    model.learn(100_000)

This is a `VecEnv`, so `DummyVecEnv`, `SubprocVecEnv` and `VecMonitor` are not needed around it. A
game that ends is reset in the same step. Infos are empty except where a game ended:
`terminal_observation`, `TimeLimit.truncated`, `episode` (return "r", length "l", seconds "t"), and
`score`, `won`, `seat`, `illegal`. `action_masks` of all games are what
`sb3_contrib.common.maskable.utils.get_action_masks` returns, [N, A].

MaskablePPO's buffer takes 4 bytes for each action and 1 (normalised: 4) for each feature, for
`n_steps` turns of every game: with four players 17 (28) kB a turn, so keep `n_steps` near 32 with
256 games.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gymnasium
from gymnasium.vector import AutoresetMode

from gonzaga_env.envs.opponents import Opponents
from gonzaga_env.envs.registration import learner_id
from gonzaga_env.envs.sb3_agent import SB3Agent
from gonzaga_env.games import DEFAULT_GAME
from gonzaga_env.kernel.arguments import is_integer
from gonzaga_env.kernel.errors import MissingPackageError, OptionError

if TYPE_CHECKING:
    from gonzaga_env.envs.sb3_games import SB3Games

__all__ = ["SB3Agent", "make_sb3_vec"]

_HINT = 'stable-baselines3 is not installed; run: pip install "gonzaga-env[train]"'


def make_sb3_vec(
    num_envs: int,
    num_players: int = 4,
    opponents: Opponents = None,
    seed: int | None = None,
    game: str = DEFAULT_GAME,
    **options: Any,
) -> SB3Games:
    """Returns N games with one learner each, a `VecEnv`.

    Args:
        num_envs: N; from 48 on (96 of Signorie against random opponents), one engine plays them on
            arrays.
        num_players: P.
        opponents: one opponent for all seats, or several to draw from: names ("planner"), agents,
            functions, or models of Stable-Baselines3 (see `gonzaga_env.envs.single_agent`).
        seed: decides the deals, the learner's seats and the opponents' choices; None draws it.
        game: the game's name.
        options: the other arguments of the game's `gymnasium.make_vec`, such as reward,
            normalised, scenario, seat or max_episode_steps.

    Raises:
        MissingPackageError: stable-baselines3 is missing; the message says what to install.
        GameError: an argument has an invalid value.
    """
    try:
        from gonzaga_env.envs.sb3_games import SB3Games
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("gonzaga_env"):
            raise
        raise MissingPackageError(_HINT, name="stable_baselines3") from error
    if "autoreset_mode" in options:
        raise OptionError("autoreset_mode is given; games for Stable-Baselines3 reset at once")
    if seed is not None and not is_integer(seed):
        raise OptionError(f"seed is {seed!r}; it takes an integer or None")
    given = {"num_players": num_players, "opponents": opponents, **options}
    given["autoreset_mode"] = AutoresetMode.SAME_STEP
    envs: Any = gymnasium.make_vec(learner_id(game), num_envs, **given)
    games = SB3Games(envs.unwrapped)
    if seed is not None:
        games.seed(seed)
    return games
