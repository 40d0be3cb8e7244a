"""What every agent of every game does: it considers, plays and refuses alike."""

import re
from typing import Any

import numpy as np
import pytest
from gonzaga_agents import Considered, Evaluation, evaluate, make_agent
from gonzaga_agents.agent import RandomAgent, choose_among

from gonzaga_env.core import Engine, GameConfig
from gonzaga_env.games import game_names, game_spec
from gonzaga_env.kernel.agent import ConsideringAgent, agent_name
from gonzaga_env.kernel.errors import OptionError
from tests.agents.mixed import decisions, seen
from tests.marks import nightly

AGENTS = ("random", "greedy", "planner", "search@8", "learned")


@pytest.mark.parametrize("game", game_names())
@pytest.mark.parametrize("name", AGENTS)
@pytest.mark.parametrize("num_players", [3, *nightly(2)])
def test_actions_are_considered_best_first_and_the_best_is_played(
    game: str, name: str, num_players: int
) -> None:
    engine = decisions(game, num_players)
    agent: Any = make_agent(name, engine.config)
    assert isinstance(agent, ConsideringAgent)
    for observation, mask in zip(*seen(engine, np.arange(0, 256, 17)), strict=True):
        found = agent.consider(observation, mask, np.random.default_rng(3))
        assert (np.diff(found.values) <= 0).all()
        assert (found.actions.dtype, found.values.dtype) == (np.int64, np.float64)
        assert type(found.unit) is str
        legal = np.flatnonzero(mask).tolist()
        if found.playouts is None:
            assert sorted(found.actions) == legal
        else:
            assert {*found.actions.tolist()} <= {*legal}
        (action,) = agent.act(observation[None], mask[None], np.random.default_rng(3))
        assert found.values[found.actions == action] == pytest.approx(found.values[0], abs=1e-3)
        if found.unit == "probability":
            assert found.values.sum() == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize("game", game_names())
@pytest.mark.parametrize("name", AGENTS)
def test_what_another_game_shows_is_refused(game: str, name: str) -> None:
    agent: Any = make_agent(name, game_spec(game).config(num_players=2))
    observations, masks = seen(decisions(game, 3), np.arange(5))
    words, rng = r"made for 2 players and takes shape \[M, ", np.random.default_rng(0)
    with pytest.raises(OptionError, match=words):
        agent.act(observations, masks, rng)
    with pytest.raises(OptionError, match="made for 2 players"):
        agent.consider(observations[0], masks[0], rng)


@pytest.mark.parametrize("name", ["random", "greedy", "learned"])
def test_wrong_arrays_are_refused(name: str) -> None:
    agent, rng = make_agent(name, GameConfig(2)), np.random.default_rng(0)
    observations, masks = seen(decisions("gonzaga", 2), np.arange(5))
    wrong = [
        (observations.astype(np.float32), masks, "observations have .* dtype float32"),
        (observations, masks.astype(np.int8), "masks have .* dtype int8"),
        (observations[0], masks[0], "observations have shape"),
        (observations, masks[:, :-1], "masks have shape"),
        (observations[:2], masks, "2 observations and 5 masks"),
    ]
    for given, mask, words in wrong:
        with pytest.raises(OptionError, match=words):
            agent.act(given, mask, rng)


def test_a_name_does_not_command_the_terminal() -> None:
    """F9: tables and records take the name as it is here."""
    agent = RandomAgent(GameConfig(2))
    agent.name = "\x1b[2Jmine\n"
    assert agent_name(agent) == "\ufffd[2Jmine\ufffd"


def test_ranked_sorts_by_value_and_then_by_index() -> None:
    mask = np.array([True, False, True, True, True])
    found = Considered.ranked(mask, np.array([1.0, 9.0, 3.0, 1.0, 3.0]), "points")
    assert found.actions.tolist() == [2, 4, 0, 3]
    assert found.values.tolist() == [3, 3, 1, 1]


def test_only_legal_actions_are_chosen_in_every_row() -> None:
    rng = np.random.default_rng(0)
    masks = rng.random((500, 40)) < 0.1
    masks[np.arange(500), rng.integers(40, size=500)] = True
    masks[0], masks[1] = False, True
    masks[0, 39] = True
    chosen = choose_among(masks, rng)
    assert chosen.shape == (500,)
    assert masks[np.arange(500), chosen].all()


def test_all_legal_actions_have_the_same_chance() -> None:
    masks = np.zeros((12_000, 9), dtype=np.bool_)
    masks[:, [1, 4, 8]] = True
    counts = np.bincount(choose_among(masks, np.random.default_rng(0)), minlength=9)
    assert counts.sum() == 12_000
    assert (abs(counts[[1, 4, 8]] - 4000) < 258).all()  # 5 standard deviations


def test_the_generator_decides() -> None:
    engine = Engine(20, 2)
    agent = RandomAgent(GameConfig(2))
    observations, masks = engine.observe(), engine.legal_action_mask()

    def act(seed: int) -> list[int]:
        return agent.act(observations, masks, np.random.default_rng(seed)).tolist()

    assert act(3) == act(3)
    assert act(3) != act(4)


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
