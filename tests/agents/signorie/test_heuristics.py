"""Greedy and planner play Signorie by what a seat sees."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from gonzaga_agents import make_agent
from gonzaga_agents.evaluation.match import play_match
from gonzaga_agents.heuristic_agent import HeuristicAgent
from gonzaga_agents.registry import agent_names
from gonzaga_agents.signorie.heuristic import Values, Weights
from gonzaga_agents.signorie.seen import Seen

from gonzaga_env.signorie.batch.engine import Engine
from gonzaga_env.signorie.config import GameConfig
from gonzaga_env.signorie.constants import MAIN, MARRIAGE, MISSION, PAY, WED
from gonzaga_env.tabletop.errors import OptionError

NAMES = ("greedy", "planner")


def all_scores(agent: HeuristicAgent, seen: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """Returns the score of every legal action, [M, A]; -inf for the others."""
    found = np.full(masks.shape, -np.inf, np.float32)
    rows, actions, scores = agent.score(seen, masks, np.random.default_rng(0))
    found[rows, actions] = scores
    return found


@cache
def positions(num_players: int) -> Engine:
    """Returns games that random play has brought to all kinds of decisions."""
    engine, rng = Engine(256, num_players, seed=5), np.random.default_rng(0)
    for step in range(240):
        engine.step(engine.sample_legal(rng))
        if step % 7 == 0:  # so that rounds differ
            engine.reset(rows=np.arange(step % 31, 256, 31))
    return engine


def played(name: str, num_players: int) -> tuple[Engine, np.ndarray, np.ndarray]:
    """Returns positions, what seats see there, and the texts of what an agent plays."""
    engine = positions(num_players)
    agent, seen = make_agent(name, engine.config), engine.observe()
    actions = agent.act(seen, engine.legal_action_mask(), np.random.default_rng(0))
    return engine, seen, np.array([engine.actions.to_text(action) for action in actions])


def test_both_are_agents_of_this_game() -> None:
    assert agent_names("signorie")[:3] == ("random", *NAMES)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("num_players", [2, 4])
def test_a_choice_depends_on_its_own_row(name: str, num_players: int) -> None:
    engine = positions(num_players)
    assert len(set(engine.kinds.tolist())) > 6
    agent, seen, masks = make_agent(name, engine.config), engine.observe(), None
    masks = engine.legal_action_mask()
    scores = all_scores(agent, seen, masks)
    assert (np.isfinite(scores) == masks).all()
    part = np.arange(0, 256, 17)
    assert np.allclose(all_scores(agent, seen[part], masks[part]), scores[part], atol=1e-3)
    actions = agent.act(seen, masks, np.random.default_rng(1))
    assert masks[np.arange(256), actions].all()
    assert (scores[np.arange(256), actions] >= scores.max(axis=1) - 1e-3).all()


def test_what_is_hidden_changes_nothing() -> None:
    engine, masks = positions(3), positions(3).legal_action_mask()
    other = Engine.from_state(
        engine.config, engine.resample(engine.seats, np.random.default_rng(5))
    )
    agent = make_agent("planner", engine.config)
    assert (other.state.deck != engine.state.deck).any()
    np.testing.assert_array_equal(*(all_scores(agent, e.observe(), masks) for e in (engine, other)))


def test_greedy_takes_the_points_there_are() -> None:
    engine, _, texts = played("greedy", 2)
    masks = engine.legal_action_mask()
    vp, codec = np.array(engine.config.edition.slot_vp), engine.actions
    missions = np.flatnonzero(engine.kinds == MISSION)
    for row in missions:
        slots = np.flatnonzero(masks[row, codec.mission]) // 5 % len(vp)
        assert vp[int(texts[row].split()[2]) - 1] >= vp[slots].max() - 5  # a tile is worth some
    for row in np.flatnonzero(engine.kinds == MARRIAGE):
        dowries = np.flatnonzero(masks[row, codec.marry]) % 4 + 1
        assert int(texts[row].split()[2]) == dowries.max()
    assert set(texts[engine.kinds == WED]) == {"wed"}
    assert len(missions) > 3


@pytest.mark.parametrize("name", NAMES)
def test_the_last_florins_are_paid_for_points(name: str) -> None:
    engine, _, texts = played(name, 2)
    paying = (engine.kinds == PAY) & (engine.state.round == 7)
    assert set(texts[paying]) <= {"pay"}


def test_nothing_that_comes_too_late_is_worth_anything() -> None:
    engine = positions(2)
    seat = Seen(engine.config, engine.observe())
    values = Values(seat, Weights(criterion=0.0))
    last = (seat.kind == MAIN) & (seat.round == 7) & (seat.dice_left == 1)
    assert last.any()
    assert not values.meeples[last].any()
    assert (values.future[last] <= 0).all()
    early = (seat.kind == MAIN) & (seat.round == 1)
    assert (values.future[early].max(axis=(1, 2)) > 3).all()


def test_dice_above_the_threshold_cost_the_reward() -> None:
    engine = positions(2)
    seat = Seen(engine.config, engine.observe())
    values = Values(seat, Weights())
    dice = np.arange(1, 7)
    assert (np.diff(values.prizes, axis=1) <= 0).all()
    assert not values.prizes[dice > seat.slack[:, None]].any()
    early = (seat.kind == MAIN) & (seat.round <= 5) & (seat.slack >= 6)
    assert (values.prizes[early, 0] > 0).all()


def test_missing_shields_say_which_tiles_rows_take() -> None:
    engine = positions(3)
    state, rows = engine.state, np.arange(256)
    offered = Seen(engine.config, engine.observe()).offered
    shields = np.array(engine.config.edition.shields)[state.boards[rows, engine.seats]]
    missing = shields - state.held[rows, engine.seats]
    for row, line, city in np.ndindex(256, 4, 5):
        tile = state.city_tiles[row, city, int(line < 3)]
        wanted = tile < 24 and missing[row, line, tile // 4] > 0
        assert offered[row, line, city] == (tile % 4 + 2 if wanted else 0)


@pytest.mark.parametrize("num_players", [2, 4])
def test_planner_beats_greedy_and_greedy_random(num_players: int) -> None:
    config = GameConfig(num_players)
    for stronger, weaker in (("planner", "greedy"), ("greedy", "random")):
        agents = [make_agent(name, config) for name in (stronger, weaker)]
        lineup = [0] + [1] * (num_players - 1)
        match = play_match(config, agents, lineup, num_deals=2, seed=4)
        assert match.won[:, match.seating == 0].mean() > 1.6 / num_players


def test_what_is_considered_is_what_is_played() -> None:
    engine = positions(2)
    agent = make_agent("planner", engine.config)
    for row in range(20):
        seen, mask = engine.observe()[row], engine.legal_action_mask()[row]
        found = agent.consider(seen, mask, np.random.default_rng(0))
        assert sorted(found.actions.tolist()) == np.flatnonzero(mask).tolist()
        assert (np.diff(found.values) <= 0).all()
        action = agent.act(seen[None], mask[None], np.random.default_rng(0))[0]
        assert found.values[found.actions.tolist().index(action)] >= found.values[0] - 1e-3


def test_observations_of_another_game_are_refused() -> None:
    with pytest.raises(OptionError, match="made for 2 players"):
        make_agent("greedy", GameConfig(2)).act(
            np.zeros((1, 3), np.uint8), np.zeros((1, 359), np.bool_), np.random.default_rng(0)
        )
