"""Registers the environments with PettingZoo and Gymnasium."""

from __future__ import annotations

import gymnasium
import pettingzoo

#: Of each game: its name, its name in ids of Gymnasium, its module, and where its learners'
#: environments are; without one for N games, Gymnasium makes it of N single ones.
_GAMES = (
    ("gonzaga", "Gonzaga", "gonzaga_v0", "single_agent:GonzagaEnv", "vector:GonzagaVectorEnv"),
    ("", "Generated", "gonzaga_generated_v0", "gonzaga_generated_v0:GeneratedEnv", None),
    (
        "tuscany",
        "CastlesOfTuscany",
        "castles_of_tuscany_v0",
        "castles_of_tuscany_v0:CastlesOfTuscanyEnv",
        "castles_of_tuscany_v0:CastlesOfTuscanyVectorEnv",
    ),
    (
        "signorie",
        "Signorie",
        "signorie_v0",
        "signorie_v0:SignorieEnv",
        "signorie_v0:SignorieVectorEnv",
    ),
)


def learner_id(game: str) -> str:
    """Returns the id of a game's learners' environments in Gymnasium's registry.

    Raises:
        OptionError: there is no such game.
    """
    from gonzaga_env.games import game_spec  # importing the package imports no game

    name = game_spec(game).name
    return next(f"gonzaga/{row[1]}-v0" for row in _GAMES if row[0] == name)


def register_all() -> None:
    """Registers the environments; a second call has no effect.

    Afterwards these calls work, and the same with "castles_of_tuscany" and "CastlesOfTuscany", and
    with "signorie" and "Signorie", and with "gonzaga_generated" and "Generated":

    - `pettingzoo.make("aec", "gonzaga/gonzaga-v0")`, from PettingZoo 1.27 on, and with "parallel"
    - `gymnasium.make("gonzaga/Gonzaga-v0")`, one game
    - `gymnasium.make_vec("gonzaga/Gonzaga-v0", num_envs=N)`, N games
    """
    for _, name, module, one, many in _GAMES:
        identity = f"gonzaga/{module.removesuffix('_v0')}-v0"
        for kind, make in (("aec", "env"), ("parallel", "parallel_env")):
            if identity not in getattr(pettingzoo, f"{kind}_registry", {identity}):
                pettingzoo.register(kind, identity, entry_point=f"gonzaga_env.envs.{module}:{make}")
        if f"gonzaga/{name}-v0" not in gymnasium.registry:
            gymnasium.register(
                f"gonzaga/{name}-v0",
                entry_point=f"gonzaga_env.envs.{one}",
                vector_entry_point=None if many is None else f"gonzaga_env.envs.{many}",
            )
