"""Search of Signorie: its candidates, the chance of its playouts, and the value that ends them."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
import torch
from gonzaga_agents import make_agent
from gonzaga_agents.network.agent import NetworkAgent
from gonzaga_agents.network.parts import TorchForward, network_parts
from gonzaga_agents.policies.learned import load_plain
from gonzaga_agents.policies.shipped import policy_folder, shipped_players
from gonzaga_agents.search.budget import Budget
from gonzaga_agents.search.promise import Promise
from gonzaga_agents.search.turns import _PromiseGuide
from gonzaga_agents.signorie.agents import PlannerAgent
from gonzaga_agents.signorie.search import SearchAgent

from gonzaga_env.signorie.batch.engine import Engine
from gonzaga_env.signorie.config import GameConfig
from gonzaga_env.signorie.constants import MALE
from gonzaga_env.signorie.editions.edition import read_edition
from tests.agents.signorie.test_heuristics import all_scores, positions

GAME = SearchAgent.game


def shipped_value(config: GameConfig) -> Promise:
    return Promise.load(config, GAME.features, GAME.weights)


def few(num_players: int) -> Engine:
    """Returns games at all kinds of decisions."""
    whole = positions(num_players)
    return Engine.from_state(whole.config, whole.state.take(np.arange(0, 256, 3)))


@cache
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
        visited = root.visits > 0
        assert (root.totals[visited] >= 0).all()
        assert (root.totals[visited] <= root.visits[visited]).all()
        tried += visited.sum()
    assert tried > 50
    assert len(kinds) > 5


@pytest.mark.parametrize("guide", ["value", "policy"])
def test_neither_tiles_nor_dice_to_come_are_known(guide: str) -> None:
    engine, agent = few(3), searches(3)[guide]
    drawn = engine.resample(engine.seats, np.random.default_rng(5))
    other, masks = Engine.from_state(engine.config, drawn), engine.legal_action_mask()
    assert (other.state.seed != engine.state.seed).all()
    assert (other.state.deck != engine.state.deck).any()
    found = [agent.act(e.observe(), masks, np.random.default_rng(1)) for e in (engine, other)]
    np.testing.assert_array_equal(*found)


def test_every_playout_rolls_dice_of_its_own() -> None:
    """So that a search takes the expectation over rolls, and not one lucky roll."""
    config = GameConfig(2)
    engine = Engine.from_config(config, 1, seed=3)  # its first seat has no bride: one die
    action = next(
        action
        for action in np.flatnonzero(engine.legal_action_mask()[0])
        if config.actions.to_text(action).split()[::2] == ["violet", "signoria"]
    )
    drawn = GAME.draw(config, engine.observe(), np.random.default_rng(0), 400)
    playouts = Engine.from_state(config, drawn, autoreset=False)
    males = playouts.state.supply[:, 0, MALE].copy()
    playouts.step(np.full(400, action))
    sons = playouts.state.supply[:, 0, MALE] - males
    assert set(sons.tolist()) == {0, 1}
    assert abs(sons.mean() - 0.5) < 0.1  # 4 standard errors
    while (playouts.state.round == 1).any():
        rows = np.flatnonzero(playouts.state.round == 1)
        playouts.step(_last(playouts, rows), rows)
    assert len(np.unique(playouts.state.pool.reshape(400, -1), axis=0)) > 390


def _last(engine: Engine, rows: np.ndarray) -> np.ndarray:
    """Returns the last legal action of some games; at a die, that is to pass."""
    masks = engine.legal_action_mask(rows)
    return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_shares_of_the_victory_add_up_and_end_with_the_winners(num_players: int) -> None:
    config = GameConfig(num_players)
    engine, rng = Engine(8, num_players, seed=1, autoreset=False), np.random.default_rng(0)
    value, step = shipped_value(config), 0
    while not engine.state.finished.all():
        if step % 5 == 0:
            np.testing.assert_allclose(value.shares(engine).sum(axis=1), 1, atol=1e-5)
        live, step = (engine.seats >= 0).nonzero()[0], step + 1
        engine.step(engine.sample_legal(rng, live), live)
    np.testing.assert_allclose(value.shares(engine), engine.winners())


def test_the_value_knows_what_is_better() -> None:
    engine = few(2)
    value, state = shipped_value(engine.config), engine.state.copy()
    state.scores[:, 0, 0] += 20
    state.florins[:, 0] += 5
    richer = Engine.from_state(engine.config, state)
    assert (value.shares(richer)[:, 0] >= value.shares(engine)[:, 0]).all()


def test_a_search_takes_the_policy_that_ships_in_numpy() -> None:
    for number in shipped_players(policy_folder("signorie")):
        engine = few(number)
        seen = engine.observe(), engine.legal_action_mask()
        policy, learned = load_plain(engine.config), make_agent("learned", engine.config)
        assert policy is not None
        found, wanted = policy.evaluate(*seen), learned.evaluate(*seen)
        np.testing.assert_allclose(found.probabilities, wanted.probabilities, atol=1e-4)
        np.testing.assert_allclose(found.values, wanted.values, atol=1e-3)  # points
        search = make_agent("search@8", engine.config)
        assert type(search._guide) is _PromiseGuide  # playouts are short
        assert type(search._guide.agent) is NetworkAgent
    shipped = GameConfig(2).edition.source
    content = shipped.read_bytes().replace(b'"reconstruction"', b'"another"')
    other = read_edition(content, shipped)
    assert load_plain(GameConfig(2, edition=other)) is None
    assert type(SearchAgent(GameConfig(2, edition=other))._guide.agent) is PlannerAgent


@pytest.mark.parametrize("guide", ["value", "policy"])
def test_what_is_not_searched_shows_what_the_guide_thinks(guide: str) -> None:
    engine, agent = few(2), searches(2)[guide]
    rng = np.random.default_rng(0)
    for row, kind in enumerate(engine.kinds[:40]):
        seen, mask = engine.observe()[row], engine.legal_action_mask()[row]
        found = agent.consider(seen, mask, rng)
        assert found.actions[0] in np.flatnonzero(mask)
        assert (found.playouts is None) == (kind not in GAME.searched)
