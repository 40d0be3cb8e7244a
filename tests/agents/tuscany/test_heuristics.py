"""Greedy and planner play The Castles of Tuscany by what a seat sees."""

from __future__ import annotations

import numpy as np
import pytest
from gonzaga_agents import make_agent
from gonzaga_agents.evaluation.match import play_match
from gonzaga_agents.heuristic_agent import HeuristicAgent
from gonzaga_agents.registry import agent_names
from gonzaga_agents.tuscany.heuristic import Values, Weights, score_actions
from gonzaga_agents.tuscany.seen import Seen

from gonzaga_env.tabletop.errors import OptionError
from gonzaga_env.tuscany.batch.engine import Engine
from gonzaga_env.tuscany.config import GameConfig
from gonzaga_env.tuscany.constants import (
    BONUS_MARBLE,
    BONUS_STORAGE,
    BONUS_WORKER,
    CASTLE_CROP,
    CROP,
    CROPS,
    PAYMENT,
    STARTING_BONUS,
    TILE_KINDS,
    WAGON,
)

NAMES = ("greedy", "planner")


def all_scores(agent: HeuristicAgent, seen: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """Returns the score of every legal action, [M, A]; -inf for the others."""
    found = np.full(masks.shape, -np.inf, np.float32)
    rows, actions, scores = agent.score(seen, masks, np.random.default_rng(0))
    found[rows, actions] = scores
    return found


#: The crops that each kind of agriculture shows, [10, 4].
SHOWN = np.array([[crop in kind[1:] for crop in CROPS] for kind in TILE_KINDS if kind[0] == "A"])


def positions(num_players: int, num_steps: int = 160) -> Engine:
    """Returns games that random play has brought to all kinds of decisions."""
    engine, rng = Engine(256, num_players, seed=5), np.random.default_rng(0)
    for step in range(num_steps):
        engine.step(engine.sample_legal(rng))
        if step > 100 and step % 5 == 0:  # so that turns differ
            engine.reset(rows=np.arange(step % 7, 256, 31))
    return engine


def test_both_are_agents_of_this_game() -> None:
    assert agent_names("tuscany")[:3] == ("random", *NAMES)


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
    assert np.allclose(all_scores(agent, seen[part], masks[part]), scores[part], atol=1e-4)
    actions = agent.act(seen, masks, np.random.default_rng(1))
    assert masks[np.arange(256), actions].all()
    assert (scores[np.arange(256), actions] >= scores.max(axis=1) - 1e-3).all()


def test_payments_cost_more_the_more_they_take() -> None:
    engine = positions(3)
    seat = Seen(engine.config, engine.observe())
    scores = score_actions(seat, Weights())
    paying = (seat.kind == PAYMENT) & (engine.num_legal() > 1)
    assert paying.any()
    own, pairs = (
        engine.actions.parse(f"pay {units}") for units in ("own+own", "VV+VV")
    )  # two cards, or four
    hold = paying & engine.legal_action_mask()[:, [own, pairs]].all(axis=1)
    assert (scores[hold, own] > scores[hold, pairs]).all()


def test_bonus_tiles_are_worth_what_the_options_let_them_bring() -> None:
    """T8.6, T9.3, B4, B5, T7.2."""
    engine = positions(3)
    usual, tiles, setup = (
        Values(Seen(GameConfig(3, rules=rules), engine.observe()), Weights())
        for rules in ("rulebook", "bonus_gains=tiles", "storage_points=setup")
    )
    wagons = usual.seat.to_cover[:, WAGON] > 0
    held = usual.seat.bonus[:, [BONUS_MARBLE, BONUS_WORKER]].any(axis=1)
    assert 0 < held.sum() < wagons.sum() < 256
    for kind in (BONUS_MARBLE, BONUS_WORKER):
        assert ((usual.bonus[:, kind] > tiles.bonus[:, kind]) == wagons).all()
    assert ((usual.yield_card > tiles.yield_card) == held).all()
    lost = (usual.bonus - setup.bonus)[:, BONUS_STORAGE]
    assert np.allclose(lost, 2 * usual.seat.left)
    start = Seen(setup.seat.config, positions(3, num_steps=6).observe())
    assert (start.kind == STARTING_BONUS).all()
    assert (Values(start, Weights()).bonus[:, BONUS_STORAGE] > 6).all()


def test_greedy_places_the_crops_that_score_most() -> None:
    config = GameConfig(2)
    agent = make_agent("greedy", config)
    engine, rng, found = Engine(512, 2, seed=9), np.random.default_rng(3), 0
    for _ in range(170):
        rows = np.flatnonzero(np.isin(engine.kinds, (CROP, CASTLE_CROP)))
        if len(rows):
            seen, masks = engine.observe(rows=rows), engine.legal_action_mask(rows)
            seat = Seen(config, seen)
            chosen = agent.act(seen, masks, rng) - engine.actions.crop.start
            new = ~seat.zone_crops[np.arange(len(rows)), seat.cell]  # [M, 4]
            gains = new.astype(int) @ SHOWN.T
            best = np.where(masks[:, engine.actions.crop], gains, -1).max(axis=1)
            assert (gains[np.arange(len(rows)), chosen] == best).all()
            found += len(rows)
        engine.step(engine.sample_legal(rng))
    assert found > 20


def test_greedy_replaces_what_it_cannot_place() -> None:
    config = GameConfig(4)
    match = play_match(config, [make_agent("greedy", config)], [0] * 4, num_deals=6, seed=3)
    assert (match.rounds == 3).all()  # nobody runs into the limit of laps
    assert match.totals.mean() > 50


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_planner_beats_greedy_and_greedy_random(num_players: int) -> None:
    config = GameConfig(num_players)
    for stronger, weaker in (("planner", "greedy"), ("greedy", "random")):
        agents = [make_agent(name, config) for name in (stronger, weaker)]
        lineup = [0] + [1] * (num_players - 1)
        match = play_match(config, agents, lineup, num_deals=12, seed=4)
        won = match.won / match.won.sum(axis=2, keepdims=True)
        share = won[:, match.seating == 0].mean()
        assert share > 1.4 / num_players


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
            np.zeros((1, 3), np.uint8), np.zeros((1, 264), np.bool_), np.random.default_rng(0)
        )
