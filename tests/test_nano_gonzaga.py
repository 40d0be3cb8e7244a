"""examples/nano_gonzaga.py plays by the rules: as the engine does, decision by decision."""

import importlib.util
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gonzaga_agents import make_agent

from gonzaga_env import Engine, GameConfig
from gonzaga_env.core.board.actions import NUM_PLANS

PATH = Path(__file__).parent.parent / "examples" / "nano_gonzaga.py"


@pytest.fixture(scope="module")
def nano() -> Any:
    spec = importlib.util.spec_from_file_location("nano_gonzaga", PATH)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def games_on_the_deals_of(nano: Any, engine: Engine) -> Any:
    deal = engine.state.scenario, engine.state.objective, engine.state.deck
    return nano.Games(*(part.astype(np.int64) for part in deal))


def spots_of(nano: Any, games: Any, seats: Any, rng: np.random.Generator) -> Any:
    """Returns random spots; in every other game those with the most points, to end it early."""
    at, spots = games.legal_spots(games.rows, seats)
    points, _ = games.points(games.rows[at], seats[at], spots)
    return spots[nano.best_of_each(points * (games.rows[at] % 2) + rng.random(len(at)), at)]


@pytest.mark.parametrize(
    "num_games", [100, pytest.param(3334, marks=pytest.mark.nightly)], ids=["short", "long"]
)
@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_masks_and_scores_are_those_of_the_engine(
    nano: Any, num_players: int, num_games: int
) -> None:
    engine = Engine(num_games, num_players, seed=num_players, autoreset=False)
    games, rng = games_on_the_deals_of(nano, engine), np.random.default_rng(num_players)
    last_rounds = set()
    while len(rows := games.rows):
        last_rounds |= {games.round} if games.is_last[rows].any() else set()
        plans = np.zeros((len(rows), num_players), np.int64)
        for seat in range(num_players):
            mask = engine.legal_action_mask()
            assert np.array_equal(engine.seats[rows], np.full(len(rows), seat))
            assert np.array_equal(mask.any(axis=1).nonzero()[0], rows)
            assert not mask[:, NUM_PLANS:].any()
            legal = games.legal_plans(rows, np.full(len(rows), seat))
            assert np.array_equal(mask[rows, :NUM_PLANS], legal)
            plans[:, seat] = engine.sample_legal(rng, rows)
            engine.step(plans[:, seat], rows)
        games.make_plans(plans)
        for turn in range(num_players):
            seats = games.order[rows, turn]
            assert np.array_equal(engine.seats[rows], seats)
            mask = np.zeros((len(rows), NUM_PLANS + nano.DONATE + 1), np.bool_)
            at, spots = games.legal_spots(rows, seats)
            mask[at, NUM_PLANS + spots] = True
            assert np.array_equal(mask, engine.legal_action_mask(rows))
            spots = spots_of(nano, games, seats, rng)
            games.place(spots)
            engine.step(NUM_PLANS + spots, rows)
            assert np.array_equal(engine.totals, games.score)
            assert np.array_equal(engine.state.ring_stock, games.stock)
            assert np.array_equal(engine.state.largest_group, games.largest)
    assert (engine.seats == -1).all()
    assert np.array_equal(engine.winners(), games.winners())
    assert len(last_rounds) > 1, "not all games should last for 12 rounds (R7)"


def test_its_greedy_values_spots_as_the_packages_does(nano: Any) -> None:
    config, rng = GameConfig(3), np.random.default_rng(1)
    engine = Engine.from_config(config, 40, seed=1, autoreset=False)
    games, greedy, num_compared = (
        games_on_the_deals_of(nano, engine),
        make_agent("greedy", config),
        0,
    )
    while len(rows := games.rows):
        plans = []
        for _ in range(3):
            plans.append(engine.sample_legal(rng, rows))
            engine.step(plans[-1], rows)
        games.make_plans(np.stack(plans, axis=1))
        for turn in range(3):
            seats = games.order[rows, turn]
            decisions = nano.decide_spots(games, rows, seats)
            masks, observations = engine.legal_action_mask(rows), engine.observe(rows=rows)
            at, actions, scores = greedy.score(observations, masks, rng)
            values = np.zeros(masks.shape)
            values[at, actions] = scores
            # Of two cities of an objective, the package's greedy values both as the next one.
            same = decisions.facts[:, 3] < 2
            theirs = values[decisions.at, NUM_PLANS + decisions.actions]
            np.testing.assert_allclose(10 * decisions.facts[same, 0], theirs[same], atol=1e-4)
            num_compared += int(same.sum())
            spots = spots_of(nano, games, seats, rng)
            games.place(spots)
            engine.step(NUM_PLANS + spots, rows)
    assert num_compared > 10_000


def test_it_learns_from_its_own_games_only(nano: Any) -> None:
    """All choices have the same score at first, and an update moves them."""
    nano.torch.set_num_threads(1)
    nano.torch.manual_seed(0)
    rng, model = np.random.default_rng(0), nano.Model()
    optimizer = nano.torch.optim.Adam(model.parameters(), lr=3e-3)
    games, played = nano.play(model, 8, 2, rng)
    facts = played[0][0].facts, played[0][0].at, played[0][0].situation
    assert not model.scores(*facts).any()
    nano.learn(model, optimizer, games, played, entropy_weight=0.01)
    after = model.scores(*facts)
    assert np.isfinite(after).all()
    assert after.std() > 0
    share, error = nano.evaluate(model, 20, 2, rng)
    assert 0 <= share <= 1
    assert error >= 0


@pytest.mark.nightly
def test_it_beats_its_greedy_in_a_minute(nano: Any) -> None:
    share, error = nano.train(players=2, seconds=60.0, seed=0)
    assert share - error > 0.5
