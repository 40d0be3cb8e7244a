"""Arguments that are wrong end in typed errors, at every entry point that takes them."""

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest

from gonzaga_env import gonzaga_v0
from gonzaga_env.core import Engine, Recorder
from gonzaga_env.core.single.game import Game
from gonzaga_env.tabletop.arguments import MOST_GAMES
from gonzaga_env.tabletop.errors import ActionError, GameError, OptionError, RecordError, StateError

ID = "gonzaga/Gonzaga-v0"
RAGGED: Any = [[1], [2, 3]]
RNG = np.random.default_rng(0)
ENGINE, GAME = Engine(4, 3), Game(3)

WRONG: dict[str, tuple[type[GameError], Callable[[], object]]] = {
    "a billion environments": (OptionError, lambda: gymnasium.make_vec(ID, num_envs=10**9)),
    "too many samples": (OptionError, lambda: ENGINE.resample(0, RNG, 10**12)),
    "more samples than an integer holds": (OptionError, lambda: GAME.resample(0, RNG, 2**70)),
    "ragged rows of a reset": (OptionError, lambda: ENGINE.reset(rows=RAGGED)),
    "ragged seats": (OptionError, lambda: ENGINE.observe(RAGGED)),
    "game -1": (OptionError, lambda: ENGINE.view(-1)),
    "a list for a text": (ActionError, lambda: ENGINE.actions.parse(["donate"])),  # type: ignore[arg-type]
    "a number of 5,000 digits": (
        ActionError,
        lambda: ENGINE.actions.parse(f"fief {'9' * 5000} r0 @ 1,1"),
    ),
    "no generator for a game": (OptionError, lambda: GAME.sample_legal(0)),  # type: ignore[arg-type]
    "names that are a number": (OptionError, lambda: ENGINE.view(names=3)),  # type: ignore[arg-type]
    "nobody to record": (RecordError, lambda: Recorder(ENGINE, [])),
    "None to record": (RecordError, lambda: Recorder(ENGINE, None)),  # type: ignore[arg-type]
    "numbers to record": (RecordError, lambda: Recorder(ENGINE, [1, 2, 3])),  # type: ignore[list-item]
    "rows that are a text": (StateError, lambda: ENGINE.state.take("x")),  # type: ignore[arg-type]
    "other players to put": (
        StateError,
        lambda: ENGINE.state.put(np.array([0]), Engine(1, 2).state),
    ),
}


@pytest.mark.parametrize("what", WRONG)
def test_wrong_arguments_are_typed_errors_in_one_line(what: str) -> None:
    kind, call = WRONG[what]
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
