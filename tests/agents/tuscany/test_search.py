"""Search of The Castles of Tuscany: its candidates, its playouts, and the value that ends them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from gonzaga_agents import make_agent
from gonzaga_agents.network.agent import NetworkAgent
from gonzaga_agents.network.parts import TorchForward, network_parts
from gonzaga_agents.policies.learned import load_plain
from gonzaga_agents.policies.shipped import policy_folder, shipped_players
from gonzaga_agents.search import fit_value
from gonzaga_agents.search.budget import Budget
from gonzaga_agents.search.learning import log_softmax
from gonzaga_agents.search.promise import Promise
from gonzaga_agents.search.turns import _PolicyGuide, _PromiseGuide
from gonzaga_agents.tuscany.agents import PlannerAgent
from gonzaga_agents.tuscany.search import SearchAgent

from gonzaga_env.tabletop.agent import AgentError
from gonzaga_env.tabletop.errors import OptionError
from gonzaga_env.tuscany.batch.engine import Engine
from gonzaga_env.tuscany.config import GameConfig
from tests.agents.tuscany.test_heuristics import all_scores, positions

GAME = SearchAgent.game


def shipped_value(config: GameConfig) -> Promise:
    return Promise.load(config, GAME.features, GAME.weights)


def few(num_players: int) -> Engine:
    """Returns games at all kinds of decisions."""
    whole = positions(num_players)
    return Engine.from_state(whole.config, whole.state.take(np.arange(0, 256, 3)))


def searches(num_players: int) -> dict[str, SearchAgent]:
    """Returns a search with the value, and one with a policy."""
    config = GameConfig(num_players)
    parts = network_parts(config)
    reader = parts.reader(config)
    torch.manual_seed(0)
    policy = NetworkAgent(reader, TorchForward(parts.network(reader.sizes, 16)), "untrained")
    return {
        "value": SearchAgent(config, Budget(8), value=shipped_value(config)),
        "policy": SearchAgent(config, Budget(8), policy=policy),
    }


@pytest.mark.parametrize("guide", ["value", "policy"])
@pytest.mark.parametrize("num_players", [2, 4])
def test_search_compares_candidates_from_the_best_on(guide: str, num_players: int) -> None:
    engine, agent = few(num_players), searches(num_players)[guide]
    seen, masks = engine.observe(), engine.legal_action_mask()
    scores = all_scores(make_agent("planner", engine.config), seen, masks)
    kinds, tried = set(), 0
    for rows, root in agent.search(seen, masks, np.random.default_rng(0)):
        kinds.add(root.kind)
        for row, actions in zip(rows, root.actions, strict=True):
            assert masks[row, actions[actions >= 0]].all()
            assert scores[row, actions[0]] == pytest.approx(scores[row].max(), abs=1e-3)
        searched = root.kind in GAME.searched
        assert (root.visits.sum() > 0) == (searched and root.actions.shape[1] > 1)
        assert searched or root.actions.shape[1] == 1
        visited = root.visits > 0
        assert (root.totals[visited] >= 0).all()
        assert (root.totals[visited] <= root.visits[visited]).all()
        tried += visited.sum()
    assert tried > 50
    assert len(kinds) > 5


@pytest.mark.parametrize("guide", ["value", "policy"])
def test_what_is_hidden_changes_nothing(guide: str) -> None:
    engine, agent = few(3), searches(3)[guide]
    other = Engine.from_state(
        engine.config, engine.resample(engine.seats, np.random.default_rng(5))
    )
    masks = engine.legal_action_mask()
    found = [agent.act(e.observe(), masks, np.random.default_rng(1)) for e in (engine, other)]
    assert (other.state.hand != engine.state.hand).any()
    np.testing.assert_array_equal(*found)


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_shares_of_the_victory_add_up_and_end_with_the_winners(num_players: int) -> None:
    config = GameConfig(num_players)
    engine, rng = Engine(16, num_players, seed=1, autoreset=False), np.random.default_rng(0)
    value = shipped_value(config)
    while not engine.state.finished.all():
        np.testing.assert_allclose(value.shares(engine).sum(axis=1), 1, atol=1e-5)
        live = (engine.seats >= 0).nonzero()[0]
        engine.step(engine.sample_legal(rng, live), live)
    won = engine.winners()
    np.testing.assert_allclose(value.shares(engine), won / won.sum(axis=1, keepdims=True))


def test_a_search_takes_the_policy_that_ships_in_numpy() -> None:
    for number in shipped_players(policy_folder("tuscany")):
        engine = few(number)
        seen = engine.observe(), engine.legal_action_mask()
        policy, learned = load_plain(engine.config), make_agent("learned", engine.config)
        assert policy is not None
        found, wanted = policy.evaluate(*seen), learned.evaluate(*seen)
        np.testing.assert_allclose(found.probabilities, wanted.probabilities, atol=1e-4)
        np.testing.assert_allclose(found.values, wanted.values, atol=1e-3)  # points
        search = make_agent("search@8", engine.config)
        assert search.name == "search@8"
        assert type(search._guide) is _PolicyGuide
    other = replace(GameConfig(2).edition, digest="0")
    assert load_plain(GameConfig(2, edition=other)) is None
    assert type(SearchAgent(GameConfig(2, edition=other))._guide) is _PromiseGuide


def test_a_value_that_is_fitted_tells_who_has_more() -> None:
    rng = np.random.default_rng(0)
    inputs = rng.normal(size=(2000, 3, 4)).astype(np.float32)
    promise = inputs @ np.array([2, -1, 0, 0], np.float32)
    shares = (promise == promise.max(axis=1, keepdims=True)).astype(np.float32)
    weights = fit_value.fit(inputs, shares)
    assert weights[0] > 1 > -0.5 > weights[1]
    assert np.abs(weights[2:]).max() < 0.5
    np.testing.assert_allclose(np.exp(log_softmax(promise)).sum(axis=1), 1, atol=1e-5)


def test_the_command_adds_a_value_to_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "value.npz"
    np.savez(out, players_3=np.zeros((3, 2)))
    words = ["--game=tuscany", "--players=2", "--games=12", f"--out={out}"]
    assert fit_value.main(words) == 0
    assert "cross-entropy" in capsys.readouterr().out
    assert [path.name for path in tmp_path.iterdir()] == [out.name]
    with np.load(out) as arrays:
        assert sorted(arrays) == ["players_2", "players_3"]
        assert not arrays["players_3"].any()
    value = Promise.load(GameConfig(2), GAME.features, out)
    assert np.isfinite(value.shares(few(2))).all()


def test_a_broken_file_stays_as_it_is(tmp_path: Path) -> None:
    out = tmp_path / "value.npz"
    out.write_bytes(b"broken")
    with pytest.raises(AgentError, match=r"value.npz: "):
        fit_value.main(["--players=2", "--games=10", f"--out={out}"])
    assert out.read_bytes() == b"broken"
    np.savez(out, players_3=np.zeros((3, 2)))
    with pytest.raises(AgentError, match="players_2 is missing"):
        Promise.load(GameConfig(2), GAME.features, out)
    with pytest.raises(OptionError, match="games is 9; it takes 10 or more"):
        fit_value.main(["--games=9", f"--out={out}"])


def test_only_games_with_such_a_search_fit_a_value(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="this fits the value of an agent 'search'"):
        fit_value.main(["--game=gonzaga", f"--out={tmp_path / 'value.npz'}"])
    assert not [*tmp_path.iterdir()]


def test_a_wrong_option_of_fit_value_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        fit_value.main(["--playres", "2"])
    command = "python -m gonzaga_agents.search.fit_value"
    told = f"{command}: unrecognized arguments: --playres 2 (see {command} --help)\n"
    assert capsys.readouterr() == ("", told)


@pytest.mark.parametrize("guide", ["value", "policy"])
def test_what_is_not_searched_shows_what_the_guide_thinks(guide: str) -> None:
    engine, agent = few(2), searches(2)[guide]
    rng = np.random.default_rng(0)
    for row, kind in enumerate(engine.kinds):
        seen, mask = engine.observe()[row], engine.legal_action_mask()[row]
        found = agent.consider(seen, mask, rng)
        assert found.actions[0] in np.flatnonzero(mask)
        if kind in GAME.searched:
            assert found.playouts is not None
            continue
        assert found.playouts is None
        assert sorted(found.actions) == np.flatnonzero(mask).tolist()
        assert found.unit == {"value": PlannerAgent.unit, "policy": "probability"}[guide]
