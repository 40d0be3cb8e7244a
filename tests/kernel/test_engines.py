"""What both engines of every game do, beside what the conformance suite checks."""

import copy
import pickle
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from gonzaga_env.games import game_spec
from gonzaga_env.kernel.cache import memory_of
from gonzaga_env.kernel.chance import MOST_EVENTS
from gonzaga_env.kernel.errors import ActionError, IllegalActionError, OptionError, StateError
from tests.beside import EVERY_GAME, GAMES, Beside
from tests.conftest import played
from tests.marks import nightly

EVERY_TABLE = pytest.mark.parametrize("num_players", [3, *nightly(2, 4)])


@EVERY_GAME
@EVERY_TABLE
def test_a_game_that_is_over_waits(game: Any, num_players: int) -> None:
    rng = np.random.default_rng(0)
    both = Beside(game.Engine(2, num_players, seed=5, autoreset=False)).play(rng)
    alone, before = both.games[0], both.state.copy()
    for anything in (0, -7, 10**9):
        both.step([anything] * 2)
    assert both.state == before
    assert (alone.seat, alone.kind, alone.sample_legal(rng)) == (-1, -1, 0)
    assert not alone.is_legal(0)
    assert both.step([0, 0]).seats.tolist() == [-1, -1]
    infos = game_spec(both.config.game).infos
    for seat in range(num_players):  # they tell shares of the victory
        of_rows = infos.of_rows(both.engine, np.full(2, seat))
        for name, value in infos.of_seat(alone, seat).items():
            assert np.array_equal(value, of_rows[name][0]), name


#: Rules that a few random games make somebody break.
BROKEN = {
    "gonzaga": {"R2.1", "R3.2", "R3.3", "R3.6", "R4.1", "R4.2", "R4.3", "R5.1"},
    "tuscany": {"T2.4", "T3.1", "T5.1", "T6.1", "T6.2", "T6.3"},
    "signorie": {"S5.4", "S6.3", "S7.2", "S8.2", "S8.5", "S9.1", "S10.3", "S11.4"},
}


@EVERY_GAME
@EVERY_TABLE
def test_illegal_actions_get_the_same_answer_and_move_no_game(game: Any, num_players: int) -> None:
    both = Beside(game.Engine(3, num_players, seed=num_players, autoreset=False))
    rng, rules = np.random.default_rng(num_players), set()
    while (both.seats >= 0).any():
        for row in np.flatnonzero(both.seats >= 0):
            legal, before = both.sample_legal(rng), both.state.copy()
            illegal = np.flatnonzero(~both.legal_action_mask()[row])
            legal[row] = action = rng.choice(illegal[: rng.choice([20, len(illegal)])])
            for actions, rows in ((legal, None), ([action], [row])):
                with pytest.raises(IllegalActionError, match=rf"^game {row}, seat ") as caught:
                    both.step(actions, rows)
                error = caught.value
                assert (error.game, error.seat, error.action) == (row, both.seats[row], action)
            assert not both.games[row].is_legal(int(action))
            assert both.state == before
            rules.add(error.rule)
        both.step(both.sample_legal(rng))
    assert rules >= BROKEN[both.config.game]


@EVERY_GAME
def test_actions_are_integers_of_the_space(game: Any) -> None:
    alone, engine = game.Game(2, seed=1), game.Engine(1, 2, seed=1)
    before, size = alone.state, alone.actions.size
    for wrong in (-1, size, 10**30, [[1], [2, 3]], [1], np.array([1]), "1", None, 1.5, True):
        for refuse in (alone.play, alone.is_legal, alone.describe, engine.describe):
            with pytest.raises(ActionError, match=f"takes one integer from 0 to {size - 1}"):
                refuse(wrong)
    for wrong in ([-1], [size], [2**62], [2**64 - 1], [None], [1.0], ["1"], [True], [], 1, [1, 1]):
        for refuse in (engine.step, engine.is_legal):
            with pytest.raises(
                ActionError, match=r"they take 1 integer|not in the space"
            ) as caught:
                refuse(wrong)
            assert not isinstance(caught.value, IllegalActionError)
    assert alone.state == engine.state == before
    action = alone.sample_legal(np.random.default_rng(0))
    for right in (np.int64(action), np.array(action), action):
        twin = alone.copy()
        twin.play(right)
        assert twin.state != before


@EVERY_GAME
def test_is_legal_asks_without_playing(game: Any) -> None:
    both = Beside(game.Engine(3, 2, seed=4, autoreset=False)).play(np.random.default_rng(0), 40)
    mask, before = both.legal_action_mask(), both.state.copy()
    for action in range(both.actions.size):
        legal = mask[:, action].tolist()
        assert both.is_legal([action] * 3).tolist() == legal
        assert both.is_legal([action], [2]).tolist() == legal[2:]
        assert both.games[1].is_legal(action) == legal[1]
    assert both.state == before


@EVERY_GAME
def test_rows_seats_and_seeds_of_other_kinds_are_refused(game: Any) -> None:
    engine, alone = game.Engine(3, 2), game.Game(2)
    before = engine.state.to_bytes()
    for rows in ([0.7], [[0]], [-1], [3], [1, 1], [True, False, True], "0", 0):
        for ask in (engine.observe, engine.legal_action_mask, engine.num_legal):
            with pytest.raises(OptionError, match="row"):
                ask(rows=rows)
        with pytest.raises(OptionError, match="row"):
            engine.step([0], rows)
    for seat in (-1, 2, [0, 1], [0], 1.0, "0", [0, 1, 2], True):
        for ask in (engine.observe, alone.observation):
            with pytest.raises(OptionError, match=r"seat is |seats are 0 to 1"):
                ask(seat)
        with pytest.raises(OptionError, match="seat is "):
            engine.resample(seat, np.random.default_rng(0))
    for seed in (1.5, "7", True, [1, 2], [[1]], float("nan")):
        for deal in (engine.reset, alone.reset, alone.reseeded):
            with pytest.raises(OptionError, match="seed is "):
                deal(seed)
    assert alone.reseeded(-1).state.seed.tolist() == [2**64 - 1]
    for deal in (engine.reset, alone.reset):
        with pytest.raises(OptionError, match="deal"):
            deal(deal=3)
    assert engine.state.to_bytes() == before
    assert engine.num_legal((2, 0)).tolist() == engine.num_legal()[[2, 0]].tolist()


@EVERY_GAME
def test_resets_deal_alike(game: Any) -> None:
    engine, alone = game.Engine(1, 4, seed=11), game.Game(4, seed=11)
    for options in ({}, {"seed": 2**64 + 5}, {"seed": np.array([7])}, {"seed": [-1]}, {}):
        engine.reset(**options)
        alone.reset(**options)
        assert alone.state == engine.state
    assert game.Engine(2, 3, seed=[2**63, -1]).state.seed.tolist() == [2**63, 2**64 - 1]
    assert (
        game.Engine(np.int64(2), np.int8(3), seed=2**64 + 5).state
        == game.Engine(2, 3, seed=5).state
    )


@EVERY_GAME
def test_games_are_drawn_alike(game: Any) -> None:
    both = Beside(game.Engine(1, 3, seed=1, autoreset=False))
    alone, rngs = both.games[0], [np.random.default_rng(3) for _ in range(2)]
    for step in range(60):
        for number in (1, 3):
            seat = (step + number) % 3
            drawn = [
                it.resample(seat, rng, number) for it, rng in zip((both, alone), rngs, strict=True)
            ]
            assert drawn[0] == drawn[1]
        twin = alone.resampled(0, np.random.default_rng(step))
        assert twin.state == alone.resample(0, np.random.default_rng(step))
        assert twin.view(0) == alone.view(0), "the last move too"
        action = alone.sample_legal(rngs[1])
        assert both.sample_legal(rngs[0]).tolist() == [action]
        both.step([action])


@EVERY_GAME
@pytest.mark.parametrize("num_samples", [1, 5])
def test_resampled_games_stand_together(game: Any, num_samples: int) -> None:
    engine, rng = played(game.Engine(3, 3, seed=5), 22), np.random.default_rng(0)
    samples = engine.resample([0, 1, 2], rng, num_samples)
    twin = game.Engine.from_state(engine.config, samples)
    seen = engine.observe([0, 1, 2]).repeat(num_samples, axis=0)
    assert np.array_equal(twin.observe(np.repeat([0, 1, 2], num_samples)), seen)
    seeds = {*samples.seed.tolist(), *engine.state.seed.tolist()}
    assert len(seeds) == 3 * num_samples + 3
    assert num_samples == 1 or max(seeds) >= 2**63


@EVERY_GAME
@EVERY_TABLE
def test_random_actions_are_uniform_over_the_legal_ones(game: Any, num_players: int) -> None:
    engine, rng = (
        played(game.Engine(1, num_players, seed=3), 3 * num_players),
        np.random.default_rng(0),
    )
    mask = engine.legal_action_mask()[0]
    drawn = [engine.sample_legal(rng)[0] for _ in range(200 * mask.sum())]
    counts = np.bincount(drawn, minlength=len(mask))
    assert not counts[~mask].any()
    assert counts[mask].min() > 120
    assert counts[mask].max() < 280


@EVERY_GAME
def test_every_constructor_deals_finished_games_again_by_default(game: Any) -> None:
    config = game.GameConfig(2)
    makes: list[Callable[[], Any]] = [
        lambda: game.Engine(2, 2),
        lambda: game.Engine.from_config(config, 2),
        lambda: game.Engine.from_state(config, game.Engine(2, 2).state),
    ]
    for make in makes:
        engine, rng = make(), np.random.default_rng(0)
        while not engine.step(engine.sample_legal(rng)).finished.any():
            pass
        assert (engine.seats >= 0).all()


@EVERY_GAME
@pytest.mark.parametrize("looks", [0, 9])
def test_what_is_answered_belongs_to_the_caller(game: Any, looks: int) -> None:
    """Also where an engine has begun to keep what it is asked for again and again."""
    both = Beside(game.Engine(4, 2, seed=8))
    for _ in range(looks):
        both.observe()
    for _ in range(30):
        alone, of_many = both.games[0], (both.legal_action_mask(), both.num_legal(), both.seats)
        for answer in (*of_many, both.observe(1), alone.mask(), alone.observation(1)):
            if answer.flags.writeable:
                answer[:] = 7
        result = both.step(both.sample_legal(np.random.default_rng()))
        seats = result.seats.copy()
        both.step(both.sample_legal(np.random.default_rng()))
        assert (result.seats == seats).all()


@EVERY_GAME
@pytest.mark.parametrize("looks", [0, 9])
def test_outputs_may_be_parts_of_other_arrays_and_of_other_dtypes(game: Any, looks: int) -> None:
    engine = played(game.Engine(5, 2, seed=4), 6)
    for _ in range(looks):
        engine.observe()
    for ask in (engine.legal_action_mask, engine.observe):
        asked = ask()
        for dtype in (np.uint8, np.bool_ if asked.dtype == np.bool_ else np.float32):
            wide = np.full((5, asked.shape[1] + 3), 1, dtype=dtype)
            part = wide[:, 1:-2]
            assert ask(out=part) is part
            assert (part == asked).all()
            assert wide[:, [0, -2, -1]].all()
        for shape in ((5, asked.shape[1] + 1), (4, asked.shape[1]), (asked.shape[1],)):
            with pytest.raises(OptionError, match="out has shape"):
                ask(out=np.zeros(shape, dtype=asked.dtype))


@EVERY_GAME
def test_views_and_copies_know_the_last_move(game: Any) -> None:
    both, rng = Beside(game.Engine(2, 3, seed=4, autoreset=False)), np.random.default_rng(0)
    twins = (copy.copy, copy.deepcopy, lambda it: pickle.loads(pickle.dumps(it)))
    while (both.seats >= 0).all():
        both.step(both.sample_legal(rng))
        alone = both.games[1]
        for viewer in (0, 2, "public", "spectator"):
            view = both.view(1, viewer)
            assert view == alone.view(viewer)
            if both.state.round[1] == 2:
                assert [twin(both.engine).view(1, viewer) for twin in twins] == [view] * 3
                assert [twin(alone).view(viewer) for twin in twins] == [view] * 3
    assert both.view(1).last is not None
    both.reset()
    assert both.view(1).last is None


@EVERY_GAME
def test_events_near_the_bound_are_alike(game: Any) -> None:
    both = Beside(game.Engine(6, 3, seed=4, autoreset=False))
    if "event" not in both.state.arrays():
        return  # all is decided by the deal
    state = both.state.copy()
    state.event[:] = MOST_EVENTS - np.arange(1, 7) ** 2  # all go beyond it
    both.state = state
    both.play(np.random.default_rng(0))
    assert (both.state.event > MOST_EVENTS).all()


#: Bytes of a game with four players.
MEMORY = {"gonzaga": 16_000, "tuscany": 2000, "signorie": 4000}


@EVERY_GAME
def test_a_game_takes_little_memory(game: Any) -> None:
    few, many = game.Engine(100, 4), game.Engine(300, 4)
    assert memory_of(many) - memory_of(few) < 200 * MEMORY[many.config.game]


_DIGEST = """
import hashlib, sys, numpy as np
from importlib import import_module
game = import_module(f"gonzaga_env.{sys.argv[1]}")
engine, rng, digest = game.Engine(5, 3, seed=12), np.random.default_rng(4), hashlib.sha256()
for _ in range(90):
    digest.update(engine.observe().tobytes() + engine.legal_action_mask().tobytes())
    engine.step(engine.sample_legal(rng))
print(digest.hexdigest(), hashlib.sha256(engine.state.to_bytes()).hexdigest())
"""


@pytest.mark.parametrize("name", GAMES)
def test_processes_play_alike(name: str) -> None:
    command = [sys.executable, "-c", _DIGEST, name]
    runs = [subprocess.run(command, capture_output=True, check=True).stdout for _ in range(2)]
    assert runs[0] == runs[1]
    assert len(runs[0]) > 100


@EVERY_GAME
@pytest.mark.parametrize("spoil", [np.asfortranarray, lambda a: a[::-1].copy()[::-1]])
def test_arrays_that_are_handed_over_are_played_on(game: Any, spoil: Callable[[Any], Any]) -> None:
    """Those that cannot be written in place are copied."""
    engine, rng = played(game.Engine(4, 3, seed=3), 30), np.random.default_rng(0)
    state = engine.state.copy()
    state.seed.flags.writeable = False
    other = type(state)(**{name: spoil(array) for name, array in state.arrays().items()})
    twins = [
        game.Engine.from_state(engine.config, it, copy=False, check=False) for it in (state, other)
    ]
    for _ in range(90):
        actions = engine.sample_legal(rng)
        rewards = engine.step(actions).rewards
        for twin in twins:
            assert np.array_equal(twin.step(actions).rewards, rewards)
            assert twin.state == engine.state


@EVERY_GAME
def test_what_follows_from_states_of_one_engine_is_computed_anew(game: Any) -> None:
    """Whatever an engine keeps beside the state, another one finds in the state."""
    engine, rng = game.Engine(16, 3, seed=5), np.random.default_rng(0)
    for _ in range(12):
        for _ in range(17):
            engine.step(engine.sample_legal(rng))
        other = game.Engine.from_state(engine.config, engine.state)
        assert np.array_equal(other.legal_action_mask(), engine.legal_action_mask())
        for seat in range(3):
            assert np.array_equal(other.observe(seat), engine.observe(seat))


@EVERY_GAME
def test_states_of_other_games_are_refused(game: Any) -> None:
    engine, alone = game.Engine(2, 2), game.Game(2)
    before = engine.state.copy()
    for wrong in (None, game.Game(3).state, *_others(game)):
        for take in (engine.set_state, lambda state: setattr(alone, "state", state)):
            with pytest.raises(StateError):
                take(wrong)
        with pytest.raises(StateError):
            engine.set_state(wrong, check=False)
    with pytest.raises(StateError, match="holds 2 games"):
        alone.state = before
    broken = before.copy()
    broken.round[1] = 200
    with pytest.raises(StateError, match=r"^game 1: "):
        engine.state = broken
    assert engine.state == before


def _others(game: Any) -> list[Any]:
    """Returns a state of another game, and one with other options where there are any."""
    names = game.Options().as_dict()
    other = next(one for one in GAMES.values() if one is not game)
    rules = {"sea_league": "first_only", "draw_base": 3}
    chosen = {name: value for name, value in rules.items() if name in names}
    return [other.Game(2).state, *([game.Game(2, rules=chosen).state] if chosen else [])]
