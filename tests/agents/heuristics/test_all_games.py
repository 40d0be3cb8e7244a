"""Greedy and planner of every game: a row at a time, what they consider, and who is stronger."""

import numpy as np
import pytest
from gonzaga_agents import make_agent
from gonzaga_agents.play.evaluate import play_match

from gonzaga_env.games import game_names, game_spec
from tests.agents.mixed import all_scores, decisions, seen
from tests.marks import nightly


@pytest.mark.parametrize("game", game_names())
@pytest.mark.parametrize("name", ["greedy", "planner"])
@pytest.mark.parametrize("num_players", [2, 4])
def test_a_choice_depends_on_its_own_row(game: str, name: str, num_players: int) -> None:
    engine = decisions(game, num_players)
    agent, (observations, masks) = make_agent(name, engine.config), seen(engine)
    scores = all_scores(agent, observations, masks)
    assert (np.isfinite(scores) == masks).all()
    part = np.arange(0, 256, 17)
    alone = all_scores(agent, observations[part], masks[part])
    assert np.allclose(alone, scores[part], atol=1e-3)
    actions = agent.act(observations, masks, np.random.default_rng(1))
    assert masks[np.arange(256), actions].all()
    assert (scores[np.arange(256), actions] >= scores.max(axis=1) - 1e-3).all()


@pytest.mark.parametrize(
    ("game", "stronger", "weaker", "num_players", "num_deals", "least"),
    [
        ("gonzaga", "greedy", "random", 2, 20, 0.95),
        ("gonzaga", "planner", "greedy", 2, 60, 0.55),
        ("tuscany", "greedy", "random", 2, 12, 0.7),
        ("tuscany", "planner", "greedy", 3, 12, 0.46),
        ("signorie", "greedy", "random", 2, 2, 0.8),
        ("signorie", "planner", "greedy", 2, 2, 0.8),
        *nightly(
            ("gonzaga", "search@16", "greedy", 2, 20, 0.65),
            ("tuscany", "planner", "greedy", 4, 12, 0.35),
            ("signorie", "planner", "greedy", 4, 2, 0.4),
        ),
    ],
)
def test_the_stronger_wins(
    game: str, stronger: str, weaker: str, num_players: int, num_deals: int, least: float
) -> None:
    config = game_spec(game).config(num_players=num_players)
    agents = [make_agent(name, config) for name in (stronger, weaker)]
    lineup = [0] + [1] * (num_players - 1)
    match = play_match(config, agents, lineup, num_deals=num_deals, seed=4)
    assert match.win_shares[:, match.seating == 0].mean() > least
