"""The engine: batches, seeds, autoreset, derived arrays."""

import subprocess
import sys
from collections.abc import Callable

import numpy as np
import pytest

from gonzaga_env.core import Engine, Game, GameConfig
from tests.conftest import played


def history(engine: Engine, choices: np.ndarray) -> list[tuple[np.ndarray, ...]]:
    """Plays the legal action at a given share of each mask; returns all that is to be seen."""
    seen = []
    for share in choices:
        mask, observation = engine.legal_action_mask(), engine.observe()
        actions = [np.flatnonzero(m)[int(s * m.sum())] for m, s in zip(mask, share, strict=True)]
        result = engine.step(actions)
        seen.append((mask, observation, result.rewards, result.points, result.finished))
    return seen


@pytest.mark.parametrize("num_games", [7, 64, 1024])
def test_games_do_not_depend_on_their_batch_mates(num_games: int) -> None:
    choices = np.random.default_rng(0).random((100, num_games))
    batch = history(Engine(num_games, 4, seed=11), choices)
    for game in (0, num_games // 2, num_games - 1):
        alone = history(Engine(1, 4, seed=11 + game), choices[:, [game]])
        for together, single in zip(batch, alone, strict=True):
            for a, b in zip(together, single, strict=True):
                assert (a[game] == b[0]).all()


def test_seeds_give_one_number_a_game_or_count_up_from_one() -> None:
    counted, listed = Engine(3, 4, seed=7), Engine(3, 4, seed=[7, 8, 9])
    assert counted.state == listed.state
    assert (Engine(1, 4, seed=9).state.deck[0] == counted.state.deck[2]).all()
    assert counted.state != Engine(3, 4, seed=8).state


def test_deals_are_fair_and_complete() -> None:
    state = Engine(6000, 4, seed=0).state
    assert (np.sort(state.deck, axis=2) == np.arange(12)).all()
    first = np.bincount(state.deck[:, :, 0].ravel(), minlength=12) / 24000
    assert np.abs(first - 1 / 12).max() < 0.01
    objectives = np.sort(state.objective, axis=1)
    assert (objectives[:, 1:] > objectives[:, :-1]).all()  # without replacement (R2.2)
    dealt = np.bincount(state.objective.ravel(), minlength=16) / 24000
    assert np.abs(dealt - 1 / 16).max() < 0.01
    scenarios = np.bincount(state.scenario)
    assert np.abs(scenarios[scenarios > 0] / 6000 - 1 / 6).max() < 0.03  # six for four players


def test_resetting_some_games_leaves_the_others() -> None:
    engine, rows = played(Engine(4, 3, seed=4), 20), np.array([3, 1])
    before, others = engine.state.copy(), np.array([0, 2])
    engine.reset(rows=rows)
    assert engine.state.take(others) == before.take(others)
    next_games = Engine(4, 3, seed=4)
    next_games.reset()
    assert engine.state.take(rows) == next_games.state.take(rows)
    assert (engine.legal_action_mask(rows) == next_games.legal_action_mask(rows)).all()
    engine.reset(seed=[50, 60], rows=rows)
    assert engine.state.take(rows) == Engine(2, 3, seed=[50, 60]).state
    assert engine.state.take(others) == before.take(others)
    played(engine, 3)


def test_autoreset_deals_the_next_episode_and_returns_the_finished_game() -> None:
    engine, still = Engine(3, 2, seed=6), Engine(3, 2, seed=6, autoreset=False)
    rng = np.random.default_rng(3)
    while True:
        actions = engine.sample_legal(rng)
        result, ended = engine.step(actions), still.step(actions)
        if result.finished.any():
            break
    assert (result.finished == ended.finished).all()
    assert result.final == still.state.take(result.finished)
    assert (engine.state.episode[result.finished] == 1).all()
    assert (engine.state.round[result.finished] == 1).all()
    assert not engine.state.finished.any()
    assert (engine.seats >= 0).all()


def test_going_back_to_a_state_works_more_than_once() -> None:
    engine = played(Engine(3, 3, seed=2), 11)
    moment = engine.state.copy()
    ends = []
    for _ in range(2):
        engine.state = moment
        ends.append(played(engine, 9).state.copy())
    assert ends[0] == ends[1]
    assert moment != ends[0]


def test_a_state_put_together_by_hand_becomes_one_of_the_engine() -> None:
    game, state = Game(2, seed=1), Engine(1, 2, seed=1).state.copy()
    state.origin = None
    engine = Engine.from_state(game.config, state)
    assert engine.state.to_bytes() == game.state.to_bytes()
    assert state.origin is None


def test_queries_change_nothing() -> None:
    engine = played(Engine(4, 4, seed=8), 27)
    before = engine.state.to_bytes()
    for answer in (engine.legal_action_mask(), engine.num_legal(), engine.seats, engine.observe(2)):
        answer[:] = 0  # it is the asker's own
    engine.sample_legal(np.random.default_rng())
    assert engine.legal_action_mask().any(axis=1).all()
    assert engine.state.to_bytes() == before


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_random_choice_is_uniform_over_the_legal_actions(num_players: int) -> None:
    engine = played(Engine(1, num_players, seed=3), num_players * 3)
    mask = engine.legal_action_mask()[0]
    rng = np.random.default_rng(0)
    drawn = np.array([engine.sample_legal(rng)[0] for _ in range(200 * mask.sum())])
    counts = np.bincount(drawn, minlength=len(mask))
    assert not counts[~mask].any()
    assert counts[mask].min() > 120
    assert counts[mask].max() < 280


_DIGEST = """
import hashlib, numpy as np
from gonzaga_env.core import Engine
engine, rng, digest = Engine(5, 3, seed=12), np.random.default_rng(4), hashlib.sha256()
for _ in range(90):
    digest.update(engine.observe().tobytes() + engine.legal_action_mask().tobytes())
    engine.step(engine.sample_legal(rng))
print(digest.hexdigest(), hashlib.sha256(engine.state.to_bytes()).hexdigest())
"""


def test_processes_play_alike() -> None:
    runs = [
        subprocess.run([sys.executable, "-c", _DIGEST], capture_output=True, text=True, check=True)
        for _ in range(2)
    ]
    assert runs[0].stdout == runs[1].stdout
    assert len(runs[0].stdout) > 100


def test_tables_lie_in_one_piece() -> None:
    """Rows are taken from reshaped tables; of others each reshape would be a copy, step by step."""
    tables = Engine().tables
    arrays = {**vars(tables), **vars(tables.placements)}
    scattered = [
        name
        for name, array in arrays.items()
        if isinstance(array, np.ndarray) and not array.flags.c_contiguous
    ]
    assert not scattered


@pytest.mark.parametrize(
    "make",
    [
        lambda config: Engine(3, 2),
        lambda config: Engine.from_config(config, 3),
        lambda config: Engine.from_state(config, Engine(3, 2).state),
    ],
    ids=["constructor", "from_config", "from_state"],
)
def test_every_constructor_deals_finished_games_again_by_default(
    make: Callable[[GameConfig], Engine],
) -> None:
    engine, rng = make(GameConfig(2)), np.random.default_rng(0)
    while not engine.step(engine.sample_legal(rng)).finished.any():
        pass
    assert (engine.seats >= 0).all()
