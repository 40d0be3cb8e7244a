"""What opponents get and how they are called; the environments' tests cover the rest."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gonzaga_env.core import GameConfig
from gonzaga_env.core.spec import SPEC
from gonzaga_env.envs.environment import ResetNeededError
from gonzaga_env.envs.gonzaga_v0 import GonzagaEnv
from gonzaga_env.envs.learner_games import BatchGames, LearnerGames, SingleGames
from gonzaga_env.kernel.errors import ActionError, IllegalActionError
from tests.envs.opponents import Given, Witness, canny
from tests.marks import nightly

NUM_GAMES = 32
KINDS: list[type[LearnerGames]] = [BatchGames, SingleGames]


def new_games(kind: Any, num_games: int, num_players: int, *rest: Any) -> LearnerGames:
    """Returns games that have begun."""
    games = kind(SPEC, GameConfig(num_players), num_games, *rest)
    games.deal(1)
    games.start(np.random.default_rng(0))
    return games


def play(games: LearnerGames) -> np.ndarray:
    """Plays the first legal actions, deals games that ended, and returns which did."""
    every = np.arange(games.num_games)
    games.step(games.action_masks(every).argmax(axis=1))
    ended = games.over.copy()
    if ended.any():
        games.deal(rows=every[ended])
        games.start(games._rng, every[ended])
    return ended


@pytest.mark.parametrize("num_players", [3, *nightly(2, 4)])
@pytest.mark.parametrize("kind", KINDS)
def test_opponents_get_batches_of_their_own_seats_observations(kind: Any, num_players: int) -> None:
    seen: list[Given] = []
    num_calls = [0]

    def opponent(observations: np.ndarray, masks: np.ndarray, rng: object) -> np.ndarray:
        engine = games.engine
        rows = np.flatnonzero((engine.seats != games.seats) & ~games.over)
        seen.append((observations, masks))
        assert (observations == engine.observe(rows=rows)).all()
        assert (masks == engine.legal_action_mask(rows)).all()
        return canny(observations, masks, rng)

    games = kind(SPEC, GameConfig(num_players), NUM_GAMES, opponent)
    games.deal(1)
    games.start(np.random.default_rng(0))
    for _ in range(30):
        before = len(seen)
        games.step(games.action_masks(np.arange(NUM_GAMES)).argmax(axis=1))
        num_calls.append(len(seen) - before)
        ended = np.flatnonzero(games.over)
        if len(ended):
            games.deal(rows=ended)
            games.start(games._rng, ended)
    # From one turn of the learner to its next, others move twice each at most.
    assert 0 < max(num_calls) <= 2 * (num_players - 1)
    assert (games.engine.state.episode > 0).all()


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


@pytest.mark.parametrize("kind", KINDS)
def test_opponents_are_drawn_for_every_game(kind: Any) -> None:
    one, other = Witness(), Witness()
    games = new_games(kind, NUM_GAMES, 2, [one.act, None, other.act])
    drawn = [games._drawn.tobytes() for _ in range(60) if play(games).any()]
    assert len(set(drawn)) == len(drawn) > 1
    counts = [sum(len(masks) for _, masks in witness.given) for witness in (one, other)]
    assert all(0.2 < count / (60 * NUM_GAMES) < 0.5 for count in counts)


def illegal(observations: np.ndarray, masks: np.ndarray, rng: object) -> np.ndarray:
    return masks.argmin(axis=1)


def halves(observations: np.ndarray, masks: np.ndarray, rng: object) -> np.ndarray:
    return masks.argmax(axis=1) / 2


def too_few(observations: np.ndarray, masks: np.ndarray, rng: object) -> np.ndarray:
    return masks.argmax(axis=1)[1:]


def outside(observations: np.ndarray, masks: np.ndarray, rng: object) -> np.ndarray:
    return masks.argmax(axis=1) + masks.shape[1]


@pytest.mark.parametrize("kind", KINDS)
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
    kind: Any, opponent: Any, error: type[Exception]
) -> None:
    games, every = new_games(kind, 3, 2, opponent, 0), np.arange(3)
    with pytest.raises(error, match="action"):
        games.step(games.action_masks(every).argmax(axis=1))
    with pytest.raises(ResetNeededError):
        games.step([0, 0, 0])
    assert not games.action_masks(every).any()
    games.deal()
    games.start(np.random.default_rng(0))
    assert games.action_masks(every).any(axis=1).all()


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


def test_an_opponent_that_needs_an_extra_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    # It may have been imported, with torch, by another test.
    monkeypatch.delitem(sys.modules, "gonzaga_agents.network.checkpoint", raising=False)
    (tmp_path / "checkpoint.zip").touch()
    hint = r'^torch is not installed; run: pip install "gonzaga-env\[train\]"$'
    with pytest.raises(ModuleNotFoundError, match=hint):
        GonzagaEnv(2, opponents=str(tmp_path))
