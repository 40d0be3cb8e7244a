"""Arguments that are wrong end in typed errors, at every entry point that takes them."""

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest

from gonzaga_env import gonzaga_v0
from gonzaga_env.core import Engine
from gonzaga_env.core.single.game import Game
from gonzaga_env.kernel.arguments import MOST_GAMES
from gonzaga_env.kernel.errors import ActionError, GameError, OptionError, StateError

ID = "gonzaga/Gonzaga-v0"
RNG = np.random.default_rng(0)
ENGINE, GAME = Engine(4, 3), Game(3)

#: What the conformance suite does not call.
WRONG: list[tuple[type[GameError], Callable[[], object]]] = [
    (OptionError, lambda: gymnasium.make_vec(ID, num_envs=10**9)),
    (OptionError, lambda: ENGINE.resample(0, RNG, 10**12)),
    (OptionError, lambda: GAME.resample(0, RNG, 2**70)),
    (ActionError, lambda: ENGINE.actions.parse(["donate"])),  # type: ignore[arg-type]
    (ActionError, lambda: ENGINE.actions.parse(f"fief {'9' * 5000} r0 @ 1,1")),
    (OptionError, lambda: GAME.sample_legal(0)),  # type: ignore[arg-type]
    (OptionError, lambda: ENGINE.view(names=3)),  # type: ignore[arg-type]
    (StateError, lambda: ENGINE.state.take("x")),  # type: ignore[arg-type]
    (StateError, lambda: ENGINE.state.put(np.array([0]), Engine(1, 2).state)),
]


@pytest.mark.parametrize(("kind", "call"), WRONG)
def test_wrong_arguments_are_typed_errors_in_one_line(
    kind: type[GameError], call: Callable[[], object]
) -> None:
    before = ENGINE.state.to_bytes()
    with pytest.raises(kind) as found:
        call()
    assert "\n" not in str(found.value)
    assert len(str(found.value)) < 300
    assert ENGINE.state.to_bytes() == before


def test_too_many_games_say_what_they_would_need() -> None:
    with pytest.raises(OptionError, match="num_games is 1,000,000,000, which would need 3,815 GiB"):
        Engine(10**9, 2)
    assert MOST_GAMES >= 2**20


@pytest.mark.parametrize("options", ["x", 3, [1], object()])
def test_options_that_are_no_dictionary_are_refused(options: Any) -> None:
    environments = (
        gymnasium.make(ID).unwrapped,
        gymnasium.make_vec(ID, num_envs=2).unwrapped,
        gonzaga_v0.raw_env(),
    )
    for environment in environments:
        with pytest.raises(OptionError, match="options is"):
            environment.reset(options=options)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_narrow_integers_do_not_overflow(players: int) -> None:
    narrow: Any = np.int8(players)
    games: Any = np.int8(100)
    np.testing.assert_array_equal(
        Engine(games, narrow).observe(), Engine(100, players).observe(), strict=True
    )
    one = gymnasium.make(ID, num_players=narrow).reset(seed=200)[0]
    np.testing.assert_array_equal(one, gymnasium.make(ID, num_players=players).reset(seed=200)[0])
