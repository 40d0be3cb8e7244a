"""Signatures of the environments: every argument is shown, and a wrong one is told."""

import inspect
import pydoc
import re
from typing import Any

import gymnasium
import pytest
from pettingzoo.test import max_cycles_test

import gonzaga_env
from gonzaga_env.kernel.errors import OptionError
from tests.envs.games import EVERY_GAME, EnvironmentsOfAGame

Game = EnvironmentsOfAGame
SEATED = ["num_players", "edition", "rules", "reward", "render_mode", "mask", "keys"]
SEATED += ["normalised", "mask_dtype"]
LEARNER = [*SEATED[:4], "opponents", "seat", *SEATED[4:]]
MANY = ["num_envs", *LEARNER, "autoreset_mode", "max_episode_steps"]


def names(make: Any) -> list[str]:
    """Returns the arguments that all games have."""
    own = "scenario", "observation"  # Gonzaga's
    return [name for name in inspect.signature(make).parameters if name not in own]


@EVERY_GAME
def test_signatures_show_every_argument(game: Game) -> None:
    for make in (game.seated.env, game.seated.raw_env, game.seated.parallel_env):
        assert names(make) == SEATED
    assert names(game.one) == LEARNER
    assert names(game.many) == MANY
    helped = " ".join(pydoc.plain(pydoc.render_doc(game.seated.env)).split())
    assert re.search(r"env\( ?num_players: 'int' = 4, ", helped)
    assert "kwargs" not in helped
    assert "Returns `raw_env` (same arguments)" in helped
    env = game.seated.env
    assert (env.__module__, env.__name__) == (game.seated.__name__, "env")


@EVERY_GAME
def test_a_wrong_argument_is_told_with_the_nearest(game: Game) -> None:
    makes: list[Any] = [game.seated.env, game.seated.raw_env, game.seated.parallel_env]
    makes += [game.one, game.many]
    makes += [lambda **given: gymnasium.make(game.id, **given)]
    makes += [lambda **given: gymnasium.make_vec(game.id, 2, **given)]
    for make in makes:
        with pytest.raises(OptionError, match=r"'num_player' \(did you mean num_players\?\)"):
            make(num_player=3)
        with pytest.raises(OptionError, match=r"'colour'; there are: .*reward, .*normalised"):
            make(colour="red")


@EVERY_GAME
def test_max_cycles_is_refused(game: Game) -> None:
    with pytest.raises(OptionError, match="'max_cycles'"):
        max_cycles_test(game.seated)


@EVERY_GAME
def test_scores_are_named_beside_them(game: Game) -> None:
    env = game.seated.env(num_players=2)
    env.reset(seed=0)
    assert env.metadata["sources"] == game.spec.sources
    assert len(env.infos["player_0"]["scores"]) == len(game.spec.sources)
    for learner in (game.one(num_players=2), game.many(2, num_players=2)):
        assert learner.metadata["sources"] == game.spec.sources


def test_the_first_sentence_of_the_package_names_all_games() -> None:
    first = (gonzaga_env.__doc__ or "").partition(".")[0]
    titles = {"Gonzaga", "The Castles of Tuscany", "Signorie"}
    assert all(title in first for title in titles)
