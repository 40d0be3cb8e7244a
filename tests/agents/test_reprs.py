"""What a prompt or a notebook shows of agents and of their results."""

import re

import numpy as np
import pytest
from gonzaga_agents import Evaluation, evaluate, make_agent

from gonzaga_env import Engine


@pytest.mark.parametrize("spec", ["random", "greedy", "planner", "search@8", "learned"])
def test_agents_are_shown_by_name_and_players(spec: str) -> None:
    agent = make_agent(spec, Engine(1, 3).config)
    assert repr(agent) == f"<{type(agent).__name__} {spec!r}, 3 players>"


def test_answers_of_agents_are_short() -> None:
    engine = Engine(1, 3, seed=1)
    seen = engine.observe()[0], engine.legal_action_mask()[0]
    found = make_agent("random", engine.config).consider(*seen, np.random.default_rng(0))
    assert repr(found) == f"<Considered, {seen[1].sum()} choices, probability>"
    evaluation = Evaluation(np.zeros((4, 9), np.float32), np.zeros(4, np.float32), "victories")
    assert repr(evaluation) == "<Evaluation of 4 observations, victories>"


def test_results_are_short_and_notebooks_show_tables() -> None:
    summary = evaluate(["greedy", "random"], deals=2, players=2)
    assert repr(summary) == "<MatchSummary of 4 games, win shares: greedy 100.0%, random 0.0%>"
    assert re.fullmatch(r"<AgentSummary of 'greedy': score \d+\.\d, .*>", repr(summary.agents[0]))
    html = summary._repr_html_()
    assert html.startswith("<pre")
    text = re.sub("<.*?>", "", html)
    for word in ("agent", "score ± 95%", "greedy", "random", "100.0%", "objective", "4 games"):
        assert word in text
    assert max(map(len, text.splitlines())) <= 80


def test_names_are_escaped_in_html() -> None:
    summary = evaluate(["greedy", "random"], deals=1, players=2)
    agents = [type(a)(**{**vars(a), "name": "<b>[red]x"}) for a in summary.agents]
    html = type(summary)(**{**vars(summary), "agents": tuple(agents)})._repr_html_()
    assert "&lt;b&gt;[red]x" in html
    assert "<b>" not in html
