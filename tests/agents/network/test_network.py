"""What the network looks up, against the engine's own legality."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from gonzaga_agents.baselines.greedy import GreedyAgent
from gonzaga_agents.network.agent import NetworkAgent
from gonzaga_agents.network.network import Network, sample
from gonzaga_agents.network.tables import none_spot, placement_spots

from gonzaga_env.core import Engine
from gonzaga_env.core.board.actions import NUM_PLANS, plan_action
from gonzaga_env.core.constants import ALLIANCE, NUM_ACTION_CARDS, NUM_REGION_CARDS
from gonzaga_env.core.state.state import PLACE


def after_rounds(num_games: int, num_players: int, rounds: int) -> Engine:
    """Returns games some rounds on, between greedy players, who marry too."""
    engine = Engine(num_games, num_players, seed=5)
    greedy = GreedyAgent(engine.config)
    rng = np.random.default_rng(0)
    for _ in range(2 * num_players * rounds):
        engine.step(greedy.act(engine.observe(), engine.legal_action_mask(), rng))
    return engine


def as_if_planned(engine: Engine, plan: int) -> np.ndarray:
    """Returns the placements [A] that the seats to act would have, were all others to wait."""
    planned, rows, seats = engine.copy(), np.arange(engine.num_games), engine.seats
    state = planned.state
    state.plan[rows, seats] = plan
    state.phase[:] = PLACE
    state.order[:] = (seats[:, None] + np.arange(state.num_players)) % state.num_players
    state.num_acted[:] = 0
    planned.state = state
    return planned.legal_action_mask()


def test_the_search_finds_the_best_action_that_each_plan_allows():
    engine = after_rounds(24, 3, rounds=4)
    tables = engine.tables
    torch.manual_seed(0)
    network = Network(tables, 3, width=16)
    observations = torch.as_tensor(engine.observe())
    with torch.no_grad():
        score = network._embed(observations)[2]
        best = network.search(observations, score).numpy()
    score, spots = score.numpy(), placement_spots(tables)
    site = np.append(tables.city_mask, True) | (tables.harbor_sea < 6)
    state, seats, num_weddings = engine.state, engine.seats, 0
    for region in range(NUM_REGION_CARDS):
        for action in range(NUM_ACTION_CARDS):
            legal = as_if_planned(engine, plan_action(region, action))
            for game in range(engine.num_games):
                if region < 6 and not tables.flourishing[state.scenario[game], region]:
                    continue
                actions = np.flatnonzero(legal[game, :-1])  # without the donation
                fief = state.deck[game, seats[game], state.round[game] - 1]
                rows = tables.placements.row(np.full(len(actions), fief), actions - NUM_PLANS)
                wedding = actions >= tables.actions.ring.start
                rows = rows[~wedding | site[tables.placements.cells[rows]].all(axis=1)]
                num_weddings += action == ALLIANCE and wedding.any()
                found = best[game, region, action]
                if len(rows):
                    most = score[game][spots[rows]].sum(axis=1).max()
                    assert score[game][found].sum() == pytest.approx(most, abs=1e-5)
                else:
                    assert (found == none_spot(tables)).all()
    assert num_weddings


def test_an_untrained_network_takes_points_like_greedy():
    """Learning starts from points: without its hidden layers an action scores its points."""
    engine = after_rounds(200, 2, rounds=2)
    network = Network(engine.tables, 2, width=16)
    with torch.no_grad():
        for layer in (network.hex_score.weight, *network.action_out[3].parameters()):
            layer.zero_()
    agent = NetworkAgent(network, "points", deterministic=True)
    greedy = GreedyAgent(engine.config)
    points = []
    for player in (agent, greedy):
        games, rng = engine.copy(), np.random.default_rng(0)
        games.step(player.act(games.observe(), games.legal_action_mask(), rng))
        games.step(player.act(games.observe(), games.legal_action_mask(), rng))
        actions = player.act(games.observe(), games.legal_action_mask(), rng)
        points.append(games.step(actions).points.mean())
    assert points[0] == pytest.approx(points[1], rel=0.1)


def test_only_legal_actions_are_weighed_and_rows_do_not_touch_each_other():
    engine = after_rounds(8, 4, rounds=1)
    rng = np.random.default_rng(1)
    for _ in range(3):  # mixed phases
        rows = np.flatnonzero(rng.random(8) < 0.5)
        engine.step(engine.sample_legal(rng, rows), rows)
    network = Network(engine.tables, 4, width=16)
    observations = torch.as_tensor(engine.observe())
    masks = torch.as_tensor(engine.legal_action_mask())
    with torch.no_grad():
        choices, values = network(observations, masks)
        torch.testing.assert_close(network.evaluate(observations), values)
        for row in range(8):
            legal = choices.actions[row] >= 0
            expected = masks[row].nonzero()[:, 0]
            torch.testing.assert_close(choices.actions[row][legal], expected)
            assert choices.logits[row][~legal].isneginf().all()
            alone, value = network(observations[row : row + 1], masks[row : row + 1])
            torch.testing.assert_close(alone.logits[0], choices.logits[row][legal])
            torch.testing.assert_close(value, values[row : row + 1])


def test_samples_follow_the_softmax():
    torch.manual_seed(0)
    logits = torch.tensor([[0.0, 1.0, 2.0, -torch.inf]]).expand(20_000, -1)
    shares = torch.bincount(sample(logits), minlength=4) / len(logits)
    torch.testing.assert_close(shares, logits[0].softmax(dim=0), atol=0.015, rtol=0)
    assert (sample(logits, deterministic=True) == 2).all()


def test_nothing_that_is_looked_up_is_saved():
    engine = Engine(1, 2)
    saved = Network(engine.tables, 2, width=16).state_dict()
    assert not [name for name in saved if "._" in name or name.startswith("_")]
