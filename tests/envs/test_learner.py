"""What opponents get and how they are called; the environments' tests cover the rest."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gonzaga_env.core import Engine
from gonzaga_env.core.batch.engine import StepResult
from gonzaga_env.core.errors import ActionError, IllegalActionError
from gonzaga_env.envs.learner import LearnerGames, ResetNeededError
from gonzaga_env.envs.single_agent import GonzagaEnv
from tests.envs.opponents import Witness, canny

NUM_GAMES = 32


class Observed(Engine):
    """Stores what opponents' seats see before they move; the test sets `games`."""

    def step(self, actions: Any, rows: Any = None) -> StepResult:
        learners = self.seats[rows] == self.games.seats[rows]
        assert learners.all() or not learners.any()
        if not learners.any():
            self.seen.append((self.observe(rows=rows), self.legal_action_mask(rows)))
        return super().step(actions, rows)


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_opponents_get_batches_of_their_own_seats_observations(
    num_players: int,
) -> None:
    engine, witness = Observed(NUM_GAMES, num_players, seed=1), Witness()
    engine.seen, rng = [], np.random.default_rng(0)
    games = engine.games = LearnerGames(engine, witness.act)
    games.start(np.arange(NUM_GAMES), rng)
    num_calls = [len(witness.given)]
    for _ in range(40):
        games.step(engine.sample_legal(rng))
        num_calls.append(len(witness.given))
    for given, seen in zip(witness.given, engine.seen, strict=True):
        np.testing.assert_array_equal(given[0], seen[0])
        np.testing.assert_array_equal(given[1], seen[1])
    # From one turn of the learner to its next, others move twice each at most.
    assert max(np.diff(num_calls)) <= 2 * (num_players - 1)
    assert (engine.state.episode > 0).all()


def test_opponents_do_not_see_the_learners_sealed_plan() -> None:
    seen = set()
    for i in range(4):
        witness = Witness()
        env = GonzagaEnv(4, seat=0, opponents=witness.act)
        env.reset(seed=3)
        env.step(int(np.flatnonzero(env.action_masks())[i]))
        plans = witness.given[:3]
        assert all(not env.features.view(view, "phase").any() for view, _ in plans)
        seen.add(b"".join(view.tobytes() + masks.tobytes() for view, masks in plans))
    assert len(seen) == 1


def test_opponents_are_drawn_for_every_game() -> None:
    one, other = Witness(), Witness()
    engine, rng = Engine(NUM_GAMES, 2, seed=1), np.random.default_rng(0)
    games = LearnerGames(engine, [one.act, None, other.act])
    games.start(np.zeros(NUM_GAMES, dtype=np.int64), rng)
    per_episode = []
    for _ in range(4):
        counts = [sum(len(masks) for _, masks in w.given) for w in (one, other)]
        while not games.step(engine.sample_legal(rng)).finished:
            pass
        per_episode.append(counts)
    shares = np.diff(per_episode, axis=0)
    assert (shares > 0).all()
    assert len({tuple(counts) for counts in shares}) > 1


def illegal(observations: np.ndarray, masks: np.ndarray, rng: object) -> np.ndarray:
    return masks.argmin(axis=1)


def halves(observations: np.ndarray, masks: np.ndarray, rng: object) -> np.ndarray:
    return masks.argmax(axis=1) / 2


def too_few(observations: np.ndarray, masks: np.ndarray, rng: object) -> np.ndarray:
    return masks.argmax(axis=1)[1:]


def outside(observations: np.ndarray, masks: np.ndarray, rng: object) -> np.ndarray:
    return masks.argmax(axis=1) + masks.shape[1]


@pytest.mark.parametrize(
    ("opponent", "error"),
    [
        (illegal, IllegalActionError),
        (halves, ActionError),
        (too_few, ActionError),
        (outside, ActionError),
    ],
)
def test_an_opponents_mistake_is_named_and_the_games_need_a_restart(
    opponent: Any, error: type[Exception]
) -> None:
    engine, offsets, rng = Engine(3, 2), np.zeros(3, dtype=np.int64), np.random.default_rng(0)
    games = LearnerGames(engine, opponent, seat=0)
    games.start(offsets, rng)
    with pytest.raises(error, match="action"):
        games.step(engine.sample_legal(rng))
    with pytest.raises(ResetNeededError):
        games.step(engine.sample_legal(rng))
    assert not games.action_masks().any()
    engine.reset()
    games.start(offsets, rng)
    assert games.action_masks().any(axis=1).all()


@pytest.mark.parametrize(
    ("opponent", "error"), [(illegal, IllegalActionError), (halves, ActionError)]
)
def test_an_opponents_mistake_does_not_lose_the_learners_only_game(
    opponent: Any, error: type[Exception]
) -> None:
    env = GonzagaEnv(2, opponents=opponent, seat=0)
    env.reset(seed=0)
    with pytest.raises(error, match="action"):
        env.step(int(env.action_masks().argmax()))
    assert not env.action_masks().any()
    with pytest.raises(ResetNeededError):
        env.step(0)
    env.reset()
    assert env.action_masks().any()


def test_a_refused_action_does_not_count_as_a_turn() -> None:
    engine = Engine(2, 2, seed=1)
    games = LearnerGames(engine, canny)
    games.start(np.arange(2), np.random.default_rng(0))
    step = None
    while step is None or not step.finished:
        with pytest.raises(IllegalActionError):
            games.step(games.action_masks().argmin(axis=1))
        step = games.step(games.action_masks().argmax(axis=1))
    for ended in step.finished:
        assert (ended.num_turns == 2 * ended.infos["round"]).all()
