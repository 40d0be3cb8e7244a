"""Registers the environments with PettingZoo and Gymnasium."""

from __future__ import annotations

import gymnasium
import pettingzoo

#: Of each game: its name, its module, and what its learners' classes and ids are called.
_GAMES = (
    ("gonzaga", "gonzaga_v0", "Gonzaga"),
    ("tuscany", "castles_of_tuscany_v0", "CastlesOfTuscany"),
    ("signorie", "signorie_v0", "Signorie"),
    ("", "gonzaga_generated_v0", "Generated"),
)


def learner_id(game: str) -> str:
    """Returns the id of a game's learners' environments in Gymnasium's registry."""
    from gonzaga_env.games import game_spec  # importing the package imports no game

    chosen = game_spec(game).name
    return next(f"gonzaga/{name}-v0" for one, _, name in _GAMES if one == chosen)


def register_all() -> None:
    """Registers the environments; a second call has no effect.

    Afterwards these calls work, and the same with "castles_of_tuscany" and "CastlesOfTuscany", and
    with "signorie" and "Signorie", and with "gonzaga_generated" and "Generated":

    - `pettingzoo.make("aec", "gonzaga/gonzaga-v0")`, from PettingZoo 1.27 on, and with "parallel"
    - `gymnasium.make("gonzaga/Gonzaga-v0")`, one game
    - `gymnasium.make_vec("gonzaga/Gonzaga-v0", num_envs=N)`, N games
    """
    for game, module, name in _GAMES:
        identity, place = f"gonzaga/{module.removesuffix('_v0')}-v0", f"gonzaga_env.envs.{module}"
        for kind, make in (("aec", "env"), ("parallel", "parallel_env")):
            if identity not in getattr(pettingzoo, f"{kind}_registry", {identity}):
                pettingzoo.register(kind, identity, entry_point=f"{place}:{make}")
        if f"gonzaga/{name}-v0" not in gymnasium.registry:
            gymnasium.register(
                f"gonzaga/{name}-v0",
                entry_point=f"{place}:{name}Env",
                # Without one for N games, Gymnasium makes it of N single ones.
                vector_entry_point=f"{place}:{name}VectorEnv" if game else None,
            )
