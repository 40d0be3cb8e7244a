"""Reports about Signorie: points by source and round, situations in words."""

import numpy as np
import pytest
from gonzaga_agents.evaluation.match import play_match
from gonzaga_agents.evaluation.summary import summarise
from gonzaga_agents.registry import make_agent
from gonzaga_agents.signorie import details

from gonzaga_env.signorie import Engine, GameConfig
from gonzaga_env.signorie.constants import KINDS, SOURCES


def test_points_by_round_add_up_to_the_points_by_source() -> None:
    config = GameConfig(3)
    agents = [make_agent(name, config) for name in ("greedy", "random")]
    match = play_match(config, agents, [0, 1, 1], num_deals=2, seed=2, history=True)
    history = match.history
    assert (history.points.sum(axis=3) == match.scores).all()
    assert (history.moves.sum(axis=(2, 3, 4)) > 0).all()
    for agent in summarise(match, ["greedy", "random"], 2).agents:
        assert tuple(agent.details.points) == SOURCES
        for source, rounds in agent.details.points.items():
            assert sum(estimate.mean for estimate in rounds) == pytest.approx(agent.sources[source])


def test_the_history_counts_what_dice_are_taken_for() -> None:
    engine = Engine(2, 2, seed=3, autoreset=False)
    historian, rng = details.Historian(engine, engine.step), np.random.default_rng(3)
    counted = np.zeros(len(historian.kinds), int)
    while not engine.state.finished.all():
        actions = engine.sample_legal(rng)
        for game in np.flatnonzero(engine.kinds == KINDS.index("main")):
            *_, what = text = engine.actions.to_text(actions[game]).split()[2:3] or ["pass"]
            counted[historian.kinds.index(what.replace("assign", "assignment"))] += len(text)
        historian.step(actions)
    assert historian.history(1).moves.sum(axis=(0, 1, 2, 3)).tolist() == counted.tolist()
    assert counted.all()


def test_situations_are_told() -> None:
    engine, rng, said = Engine(1, 2, seed=1, autoreset=False), np.random.default_rng(1), set()
    while not engine.state.finished.all():
        decides, order = details.situation(engine)
        said.add(decides)
        assert order.startswith("turn order: player ")
        assert details.is_last_round(engine) == (engine.state.round[0] == 7)
        engine.step(engine.sample_legal(rng))
    assert {"decides: a die or pass", "decides: bonus or Florins"} <= said
