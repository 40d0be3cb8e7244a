"""`evaluate` in Python: what it takes as agents, and what it returns."""

from pathlib import Path

import pytest
from gonzaga_agents import GreedyAgent, MatchSummary, RandomAgent, evaluate
from gonzaga_agents.play.evaluate import distinct_names, players_for

from gonzaga_env.core import GameConfig, Rules, read_records, replay
from gonzaga_env.kernel.errors import OptionError
from tests.agents.own import First


def test_it_returns_a_summary() -> None:
    summary = evaluate(["greedy", "random"], players=3, deals=4, seed=2)
    assert isinstance(summary, MatchSummary)
    assert (summary.num_players, summary.deals, summary.games) == (3, 4, 12)
    assert [(agent.name, agent.seats) for agent in summary.agents] == [("greedy", 1), ("random", 2)]
    assert summary == evaluate(["greedy", "random"], players=3, deals=4, seed=2)
    assert summary != evaluate(["greedy", "random"], players=3, deals=4, seed=3)


def test_objects_and_classes_are_agents() -> None:
    summary = evaluate([First(), RandomAgent, GreedyAgent(GameConfig(3))], deals=2)
    assert [agent.name for agent in summary.agents] == ["First", "random", "greedy"]


def test_one_agent_alone_plays_itself() -> None:
    for agents in ("random", ["random"], RandomAgent(GameConfig(2))):
        summary = evaluate(agents, players=2, deals=1)
        assert [agent.seats for agent in summary.agents] == [2]


def test_scenario_rules_and_records(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    rules, told = Rules("first_only", 1), []
    evaluate(
        ["random"] * 3,
        deals=2,
        scenario="Colombo",
        rules=rules,
        records=path,
        on_progress=told.append,
    )
    records = list(read_records(path))
    assert len(records) == 6
    for record in records:
        assert (record["scenario"], record["rules"]) == ("Colombo", rules.as_dict())
        replay(record)
    assert told[-1] <= 1


def test_players_are_those_named_or_asked_for() -> None:
    assert players_for(["random"] * 3, None) == 3
    assert players_for(["random"], None) == 4
    assert players_for(["random", First()], 4) == 4
    for specs, players in (([], None), (["random", "greedy"], 1), (["random"] * 5, None)):
        with pytest.raises(OptionError):
            players_for(specs, players)


def test_names_tell_agents_apart() -> None:
    assert distinct_names(["a", "b"], ["x", "y"]) == ["a", "b"]
    specs = ["runs/a", "runs/b", "z"]
    assert distinct_names(["ppo", "ppo", "c"], specs) == ["runs/a", "runs/b", "c"]
    assert distinct_names(["random"] * 3, ["random"] * 3) == ["random", "random #2", "random #3"]
    assert distinct_names(["First", "First"], [First(), First()]) == ["First", "First #2"]
