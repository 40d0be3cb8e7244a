"""Games that are played again in a batch: what every seat saw and gained, in every game."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gonzaga_env.games import game_spec
from gonzaga_env.kernel.errors import RecordError
from gonzaga_env.kernel.records import pack_masks, replay_games, unpack_masks
from gonzaga_env.kernel.result import Reward

GAMES = 5


def deal(name: str, reward: Reward = "outcome", num_games: int = GAMES) -> Any:
    spec = game_spec(name)
    config = spec.config(num_players=3)
    return spec.engine.from_config(
        config, num_games, seed=np.arange(num_games), autoreset=False, reward=reward
    )


def play(name: str) -> list[list[int]]:
    """Returns the actions of random games."""
    engine, rng = deal(name), np.random.default_rng(0)
    actions: list[list[int]] = [[] for _ in range(GAMES)]
    while (engine.seats >= 0).any():
        chosen = engine.sample_legal(rng)
        for game in np.flatnonzero(engine.seats >= 0):
            actions[game].append(int(chosen[game]))
        engine.step(chosen)
    return actions


def again(name: str, actions: list[list[int]], **options: Any) -> Any:
    flat = np.array([action for game in actions for action in game])
    engine = deal(name, options.pop("reward", "outcome"), len(actions))
    return replay_games(engine, flat, np.array([len(game) for game in actions]), **options)


@pytest.mark.parametrize("name", ["gonzaga", "tuscany"])
@pytest.mark.parametrize("reward", ["outcome", "score", "margin"])
def test_each_decision_is_what_one_game_shows(name: str, reward: Reward) -> None:
    actions = play(name)
    played = again(name, actions, reward=reward)
    masks = unpack_masks(played.mask_bits, deal(name).config.actions.size)
    row = 0
    for game, chosen in enumerate(actions):
        gains, own, engine = [], [], deal(name, reward)
        engine.state = engine.state.take(np.array([game]))
        for step, action in enumerate(chosen):
            assert (played.games[row], played.steps[row]) == (game, step)
            assert played.seats[row] == engine.seats[0]
            assert played.kinds[row] == engine.kinds[0]
            assert played.actions[row] == action
            assert (played.observations[row] == engine.observe()[0]).all()
            assert (masks[row] == engine.legal_action_mask()[0]).all()
            own.append(int(engine.seats[0]))
            gains.append(engine.step(np.array([action])).rewards[0])
            row += 1
        for step, seat in enumerate(own):
            later = [i for i in range(step + 1, len(own)) if own[i] == seat]
            until = later[0] if later else len(own)
            at = row - len(own) + step
            assert played.rewards[at] == sum(gain[seat] for gain in gains[step:until])
            assert played.returns[at] == sum(gain[seat] for gain in gains[step:])
    assert row == len(played)


def test_what_is_not_asked_for_is_not_kept() -> None:
    actions = play("gonzaga")
    played = again("gonzaga", actions, observations=False, masks=False)
    assert played.observations is None
    assert played.mask_bits is None
    assert (played.returns == again("gonzaga", actions).returns).all()


def test_games_that_are_not_games_are_refused() -> None:
    actions = play("gonzaga")
    short = [*actions[:2], actions[2][:-1], *actions[3:]]
    with pytest.raises(RecordError, match=r"game 2 is not over after its \d+ actions"):
        again("gonzaga", short)
    with pytest.raises(RecordError, match=r"game 1 is over after \d+ of its \d+ actions"):
        again("gonzaga", [actions[0], [*actions[1], *[0] * 100], *actions[2:]])
    with pytest.raises(RecordError, match=r"game 0, action 3: "):
        again("gonzaga", [[*actions[0][:3], 0, *actions[0][4:]], *actions[1:]])
    with pytest.raises(RecordError, match="action 0: "):
        again("gonzaga", [[99_999, *actions[0][1:]], *actions[1:]])


def test_masks_survive_as_bits() -> None:
    masks = np.random.default_rng(0).random((7, 21)) < 0.5
    bits = pack_masks(masks)
    assert bits.shape == (7, 3)
    assert (unpack_masks(bits, 21) == masks).all()
