"""The greedy agent: legal, deterministic up to ties, and better than random."""

import numpy as np
import pytest
from gonzaga_agents.evaluation.match import play_match
from gonzaga_agents.gonzaga.greedy import GreedyAgent
from gonzaga_agents.random_agent import RandomAgent

from gonzaga_env.core import Engine, GameConfig
from gonzaga_env.core.state.state import PLACE


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_its_actions_are_legal_and_no_legal_placement_scores_more(num_players: int) -> None:
    engine = Engine(12, num_players, seed=3)
    agent, rng = GreedyAgent(engine.config), np.random.default_rng(0)
    best_found = 0
    for _ in range(10 * num_players):
        masks = engine.legal_action_mask()
        actions = agent.act(engine.observe(), masks, rng)
        assert masks[np.arange(12), actions].all()
        if engine.state.phase[0] == PLACE:
            twin, others = engine.copy(), engine.sample_legal(rng)
            chosen = engine.step(actions).points
            alternative = twin.step(others).points
            # An objective's cities count when they are covered; 35 is what they bring at most.
            assert (chosen >= alternative - 35).all()
            best_found += (chosen >= alternative).sum()
        else:
            engine.step(actions)
    assert best_found > 0.9 * 12 * 5 * num_players


def test_it_beats_the_random_agent() -> None:
    config = GameConfig(2)
    agents = [GreedyAgent(config), RandomAgent(config)]
    match = play_match(config, agents, [0, 1], num_deals=20, seed=0)
    assert match.win_shares[:, match.seating == 0].mean() > 0.95
