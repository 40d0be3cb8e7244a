"""Registers the environments with PettingZoo and Gymnasium."""

from __future__ import annotations

import gymnasium
import pettingzoo

AEC_ID = "gonzaga/gonzaga-v0"
GYMNASIUM_ID = "gonzaga/Gonzaga-v0"


def register_all() -> None:
    """Registers the environments; a second call has no effect.

    Afterwards these calls work:

    - `pettingzoo.make("aec", "gonzaga/gonzaga-v0")`, from PettingZoo 1.27 on
    - `gymnasium.make("gonzaga/Gonzaga-v0")`, one game
    - `gymnasium.make_vec("gonzaga/Gonzaga-v0", num_envs=N)`, N games
    """
    if AEC_ID not in getattr(pettingzoo, "aec_registry", {AEC_ID}):
        pettingzoo.register("aec", AEC_ID, entry_point="gonzaga_env.envs.gonzaga_v0:env")
    if GYMNASIUM_ID not in gymnasium.registry:
        gymnasium.register(
            GYMNASIUM_ID,
            entry_point="gonzaga_env.envs.single_agent:GonzagaEnv",
            vector_entry_point="gonzaga_env.envs.vector:GonzagaVectorEnv",
        )
