"""Learning the value of search: positions, the fit, and going on after an interruption."""

import pickle
from pathlib import Path

import numpy as np
import pytest
import torch
from gonzaga_agents.gonzaga.features import NUM_OWN, NUM_SHARED
from gonzaga_agents.gonzaga.value import Value
from gonzaga_agents.training import value_learning
from gonzaga_agents.training.value_learning import (
    Arguments,
    Part,
    Positions,
    fit,
    learn,
    play,
)
from gonzaga_agents.units import Executor

from gonzaga_env.core import GameConfig


def tiny(out: Path) -> Arguments:
    return Arguments(2, out, planner_parts=2, search_parts=1, playouts=2, epochs=1)


@pytest.fixture
def few_games(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Cuts parts to 12 games and counts them."""
    played: list[int] = []

    def play_few(
        config: GameConfig, policies: list, chances: list, games: int, seed: int
    ) -> Positions:
        played.append(seed)
        return play(config, policies, chances, 12, seed)

    monkeypatch.setattr(value_learning, "play", play_few)
    monkeypatch.setattr(value_learning, "_BATCH", 32)
    return played


def test_positions_come_from_every_round_and_know_their_winners(few_games: list[int]) -> None:
    positions = Part("planner", 0, Arguments(3)).play()
    assert positions.own.shape == (len(positions.own), 3, NUM_OWN)
    assert positions.shared.shape == (len(positions.own), NUM_SHARED)
    np.testing.assert_allclose(positions.shares.sum(axis=1), 1, rtol=1e-6)
    rounds = np.round(positions.shared[:, 0] * 12)
    assert {*range(1, 8)} <= {*rounds.astype(int).tolist()}
    assert (rounds == 1).sum() == 12


def test_numpy_computes_what_torch_learned() -> None:
    rng = np.random.default_rng(0)
    own = rng.normal(size=(50, 3, NUM_OWN)).astype(np.float32)
    shared = rng.normal(size=(50, NUM_SHARED)).astype(np.float32)
    inputs = value_learning._inputs(torch.as_tensor(own), torch.as_tensor(shared))
    linear, network = value_learning._new_network(inputs.shape[2])
    mean, scale = inputs.mean(dim=(0, 1)), inputs.std(dim=(0, 1))
    arrays = value_learning._arrays(linear, mean, scale)
    logits = Value(GameConfig(3), arrays)._forward(own, shared)
    with torch.no_grad():
        wanted = network((inputs - mean) / scale)[..., 0]
    np.testing.assert_allclose(logits, wanted.numpy(), atol=1e-4)


def test_the_fit_learns_who_is_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(value_learning, "_BATCH", 64)
    rng = np.random.default_rng(0)
    own = rng.normal(size=(1280, 2, NUM_OWN)).astype(np.float32)
    shares = np.eye(2, dtype=np.float32)[own[:, :, 0].argmax(axis=1)]
    positions = Positions(own, np.zeros((1280, NUM_SHARED), np.float32), shares)
    value = Value(GameConfig(2), fit([positions, positions], epochs=6, seed=0))
    logits = value._forward(own, positions.shared)
    assert (logits.argmax(axis=1) == own[:, :, 0].argmax(axis=1)).mean() > 0.9


def test_learning_goes_on_where_it_was(tmp_path: Path, few_games: list[int]) -> None:
    whole = learn(tiny(tmp_path / "whole"))
    assert len(few_games) == 3
    interrupted = tmp_path / "interrupted"
    learn(tiny(interrupted))
    for name in ("search_000.npz", "players_2.npz"):
        (interrupted / name).unlink()
    few_games.clear()
    again = learn(tiny(interrupted))
    assert len(few_games) == 1  # only what was missing
    assert_same(whole, again)


def assert_same(first: Path, second: Path) -> None:
    with np.load(first) as one, np.load(second) as other:
        assert {*one} == {*other}
        for name in one:
            np.testing.assert_array_equal(one[name], other[name])


class Reversed(Executor):
    """Stands for workers: what they are sent arrives in another order."""

    workers = 2

    def run(self, work, units, on_progress=None):  # type: ignore[no-untyped-def]
        for unit in pickle.loads(pickle.dumps(units[::-1])):
            yield unit, pickle.loads(pickle.dumps(work.function))(unit, lambda done: None)


def test_workers_learn_the_same_value(
    tmp_path: Path, few_games: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    here = learn(tiny(tmp_path / "here"))
    monkeypatch.setattr(Arguments, "open_other", lambda arguments: Reversed())
    there = learn(tiny(tmp_path / "there"))
    assert len(few_games) == 6
    assert_same(here, there)
