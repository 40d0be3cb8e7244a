"""N games for TorchRL, on one engine.

    from gonzaga_env.envs.torchrl import make_torchrl

    env = make_torchrl(64, num_players=3, opponents="greedy")
    played = env.rollout(100, break_when_any_done=False)

What TorchRL 0.14 takes of vector environments: resets by TorchRL (autoreset mode "Disabled"; with
"SameStep" it registers a reader of infos of its own, with which `auto_register_info_dict` collides,
and fails on dictionaries), and masks as bool in the observation, as `MaskedCategorical` needs.
"""

from __future__ import annotations

from typing import Any

import gymnasium

from gonzaga_env.envs.opponents import Opponents
from gonzaga_env.envs.registration import learner_id
from gonzaga_env.games import DEFAULT_GAME
from gonzaga_env.kernel.errors import MissingPackageError

__all__ = ["make_torchrl"]


def make_torchrl(
    num_envs: int,
    num_players: int = 4,
    opponents: Opponents = None,
    game: str = DEFAULT_GAME,
    **options: Any,
) -> Any:
    """Returns N games with one learner each, a `TransformedEnv` of TorchRL; `set_seed` seeds them.

    Its keys are "observation" [N, D] float32 and "action_mask" [N, A] bool, which `ActionMask` also
    takes for random actions.

    Args:
        num_envs: N.
        num_players: P.
        opponents: see `gonzaga_v0`.
        game: the game's name.
        options: the other arguments of the game's `gymnasium.make_vec`, such as reward.

    Raises:
        MissingPackageError: torchrl is missing; the message says what to install.
        GameError: an argument has an invalid value.
    """
    try:
        from torchrl.envs import ActionMask, GymWrapper, TransformedEnv
    except ModuleNotFoundError as error:
        hint = "torchrl is not installed; run: pip install torchrl"
        raise MissingPackageError(hint, name="torchrl") from error
    usual = {"mask": "observation", "mask_dtype": "bool", "normalised": True}
    given = {"num_players": num_players, "opponents": opponents, **usual, **options}
    envs = gymnasium.make_vec(learner_id(game), num_envs, autoreset_mode="Disabled", **given)
    return TransformedEnv(GymWrapper(envs, categorical_action_encoding=True), ActionMask())
