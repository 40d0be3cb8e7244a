"""The expert's demonstrations, held to the games it played, and learning from them."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
import pytest
import torch
from gonzaga_agents.search.gonzaga import SearchAgent
from gonzaga_agents.search.sequential_halving import Root
from gonzaga_agents.training import expert as expert_module
from gonzaga_agents.training.expert import Demonstrations, Expert, Imitation

from gonzaga_env.core import Engine, GameConfig
from gonzaga_env.kernel.result import Reward
from tests.agents.networks import network_agent
from tests.agents.training.toys import inputs_of_play, setup_for, small_ppo

SCALE = 1 / 30  # of margins


class WatchedEngine(Engine):
    """Remembers, for the seats to act before each step, what they had and what they did."""

    seen: ClassVar[list[tuple[int, int, np.ndarray, int]]] = []
    finals: np.ndarray

    def step(self, actions: Any, rows: Any = None) -> Any:
        for game, seat in enumerate(self.seats.tolist()):
            if seat >= 0:
                totals = self.state.totals[game].copy()
                self.seen.append((game, seat, totals, int(actions[game])))
        result = super().step(actions, rows)
        type(self).finals = self.state.totals.copy()
        return result


def margin_of(totals: np.ndarray, seat: int) -> float:
    others = [points for other, points in enumerate(totals.tolist()) if other != seat]
    return float(totals[seat] - np.mean(others))


def play(
    monkeypatch: pytest.MonkeyPatch, num_players: int, reward: Reward = "margin"
) -> tuple[Demonstrations, list[Root]]:
    """Returns the demonstrations of two games, and the searches that made them."""
    monkeypatch.setattr(WatchedEngine, "seen", [])
    roots, search = list[Root](), SearchAgent.search

    def watched(self: SearchAgent, *args: Any) -> Iterator[tuple[Any, Root]]:
        for rows, root in search(self, *args):
            roots.append(root)
            yield rows, root

    monkeypatch.setattr(SearchAgent, "search", watched)
    monkeypatch.setattr(expert_module, "_NUM_GAMES", 2)
    monkeypatch.setattr(expert_module, "_PLAYOUTS", 6)
    expert = new_expert(num_players, reward)
    expert._spec = replace(expert._spec, engine=WatchedEngine)
    return expert.play(), roots


def new_expert(num_players: int, reward: Reward = "margin") -> Expert:
    config = GameConfig(num_players)
    return Expert(setup_for(config, reward=reward), network_agent(config, width=8), seed=5)


@pytest.mark.parametrize("num_players", [2, 3])
def test_demonstrations_equal_the_games_that_were_played(
    monkeypatch: pytest.MonkeyPatch, num_players: int
) -> None:
    demonstrations, roots = play(monkeypatch, num_players)
    assert len(demonstrations) == len(demonstrations.inputs) == len(WatchedEngine.seen)
    for row, (game, seat, totals, action) in enumerate(WatchedEngine.seen):
        gain = margin_of(WatchedEngine.finals[game], seat) - margin_of(totals, seat)
        assert demonstrations.returns[row] == pytest.approx(gain * SCALE, abs=1e-4)
        assert action in demonstrations.inputs.actions[row]
    np.testing.assert_allclose(demonstrations.targets.sum(axis=1), 1, rtol=1e-5)
    assert (demonstrations.targets[demonstrations.inputs.actions < 0] == 0).all()
    row = 0
    for root in roots:
        best, estimates = root.ranking()[:, 0], root.estimates()
        for place, actions in enumerate(root.actions.tolist()):
            wanted = dict.fromkeys(demonstrations.inputs.actions[row].tolist(), 0.0)
            odds = np.exp((estimates[place] - estimates[place].max()) / 0.02)
            for action, share in zip(actions, odds / odds.sum(), strict=True):
                if action >= 0:
                    wanted[action] += share / 2
            wanted[actions[best[place]]] += 0.5
            found = dict(
                zip(
                    demonstrations.inputs.actions[row].tolist(),
                    demonstrations.targets[row],
                    strict=True,
                )
            )
            assert found == pytest.approx(wanted, abs=1e-4)
            row += 1
    assert row == len(demonstrations)


def test_outcomes_may_be_learned(monkeypatch: pytest.MonkeyPatch) -> None:
    demonstrations, _ = play(monkeypatch, 2, "outcome")
    for (game, seat, *_), found in zip(WatchedEngine.seen, demonstrations.returns, strict=True):
        margin = margin_of(WatchedEngine.finals[game], seat)
        if margin:
            assert found == pytest.approx(np.sign(margin))


def test_the_seed_decides_and_parts_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expert_module, "_NUM_GAMES", 1)
    monkeypatch.setattr(expert_module, "_PLAYOUTS", 2)
    experts = [new_expert(2) for _ in range(2)]
    first, same, second = experts[0].play(), experts[1].play(), experts[0].play()
    np.testing.assert_array_equal(first.inputs.actions, same.inputs.actions)
    np.testing.assert_array_equal(first.targets, same.targets)
    assert not np.array_equal(first.inputs.actions[:4], second.inputs.actions[:4])


def fixed_demonstrations(config: GameConfig) -> Demonstrations:
    """Returns demonstrations that want the planner's worst choice, and returns that can be seen."""
    inputs = inputs_of_play(config, 8)
    targets = np.zeros(inputs.actions.shape, dtype=np.float32)
    last = (inputs.actions >= 0).sum(axis=1) - 1
    targets[np.arange(len(inputs)), last] = 1
    return Demonstrations(inputs, targets, inputs.choices[:, 0, 0])


def test_imitation_learns_a_small_set() -> None:
    config = GameConfig(2)
    ppo, demonstrations = small_ppo(config), fixed_demonstrations(config)
    imitation = Imitation(ppo.policy, ppo.optimizer, 0.01)
    history = [imitation.learn(demonstrations, 0) for _ in range(80)]
    assert {*history[0]} == {"imitation/loss", "imitation/agreement", "imitation/value_loss"}
    assert history[-1]["imitation/loss"] < 0.5 * history[0]["imitation/loss"]
    assert history[-1]["imitation/value_loss"] < 0.5 * history[0]["imitation/value_loss"]
    assert history[-1]["imitation/agreement"] > 0.5 > history[0]["imitation/agreement"]
    (group,) = ppo.optimizer.param_groups
    assert group["lr"] == pytest.approx(0.01)


def test_imitation_remembers_recent_parts_only(monkeypatch: pytest.MonkeyPatch) -> None:
    config = GameConfig(2)
    ppo, demonstrations = small_ppo(config), fixed_demonstrations(config)
    imitation = Imitation(ppo.policy, ppo.optimizer, 0.001)
    sizes, draw = list[int](), torch.randint
    monkeypatch.setattr(torch, "randint", lambda n, shape: (sizes.append(n), draw(n, shape))[1])
    few = Demonstrations(
        demonstrations.inputs.take(slice(0, 2)),
        demonstrations.targets[:2],
        demonstrations.returns[:2],
    )
    for _ in range(42):
        imitation.learn(few, 0)
    assert sizes == [2 * min(number, 40) for number in range(1, 43)]
