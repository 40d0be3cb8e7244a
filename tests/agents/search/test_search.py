"""Search: of any game, legal, reproducible, within its budget, and better than its policy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from gonzaga_agents import make_agent
from gonzaga_agents.search import search as library
from gonzaga_agents.search.agent import AgentPolicy, Budget, EnginePositions, SearchAgent, SpecGame
from gonzaga_agents.search.search import NUM_CANDIDATES, Search, search

from gonzaga_env.core import Engine, GameConfig
from gonzaga_env.games import game_names, game_spec
from gonzaga_env.kernel.agent import WINNING_CHANCE, AgentError
from tests.agents.mixed import decisions, seen
from tests.agents.networks import network_agent


class Race:
    """N positions of a toy game: two seats take turns, and who adds up to more in all wins.

    A third of the sum is luck that only the positions know.
    """

    def __init__(self, sums: np.ndarray, luck: np.ndarray, seats: np.ndarray) -> None:
        self.sums, self.luck, self.seats = sums, luck, seats

    def take(self, rows: np.ndarray) -> Race:
        return Race(self.sums[rows], self.luck[rows], self.seats[rows])

    def step(self, actions: np.ndarray, rows: np.ndarray) -> None:
        self.sums[rows, self.seats[rows]] += actions + self.luck[rows, self.seats[rows]]
        self.seats[rows] = np.where(self.seats[rows] == 0, 1, -1)


class RaceGame:
    """What seats see is only which of them acts."""

    dealt = 0

    def deal(self, seen: np.ndarray, rng: np.random.Generator, num_deals: int) -> Race:
        size = len(seen) * num_deals
        self.dealt += size
        luck = rng.normal(scale=2.0, size=(size, 2))
        return Race(np.zeros((size, 2)), luck, np.repeat(seen, num_deals))

    def unseal(self, positions: Race) -> np.ndarray:
        return np.zeros(len(positions.seats), np.bool_)

    def is_open(self, positions: Race, seats: np.ndarray) -> np.ndarray:
        return np.zeros(len(positions.seats), np.bool_)


class RacePolicy:
    """Knows nothing, and plays 2."""

    def score(self, seen: Any, masks: np.ndarray, rng: Any) -> Any:
        rows, actions = masks.nonzero()
        return rows, actions, np.zeros(len(rows))

    def choose(self, positions: Race, rows: np.ndarray, rng: Any) -> np.ndarray:
        return np.full(len(rows), 2)

    def seal(self, positions: Race, rows: np.ndarray, rng: Any) -> np.ndarray:
        raise NotImplementedError


def race_value(positions: Race) -> np.ndarray:
    first = 1 / (1 + np.exp(positions.sums[:, 1] - positions.sums[:, 0]))
    return np.stack([first, 1 - first], axis=1)


def test_any_game_can_be_searched() -> None:
    masks = np.ones((6, 5), np.bool_)
    masks[3, 4] = False
    seats = np.array([0, 1, 0, 0, 1, 1])
    rng = np.random.default_rng(0)
    found = search(RaceGame(), seats, masks, RacePolicy(), race_value, simulations=48, rng=rng)
    assert found.actions.tolist() == [4, 4, 4, 3, 4, 4]
    assert found.candidates.shape == found.weights.shape == found.visits.shape
    assert found.values.shape == (*found.candidates.shape, 2)
    np.testing.assert_allclose(found.values.sum(axis=2)[found.visits > 0], 1)
    np.testing.assert_allclose(found.weights.sum(axis=1), 1)
    assert (found.weights[found.candidates < 0] == 0).all()
    assert (found.weights.argmax(axis=1) == 0).all()
    assert found.seats.tolist() == seats.tolist()


def test_candidates_of_a_decision_share_deals_and_luck() -> None:
    """What differs between them is then the same number on every deal."""
    finder = Search(RaceGame(), RacePolicy(), lambda one: one.sums, simulations=8)
    rows, actions = np.array([0, 0, 1]), np.array([1, 4, 3])
    values, seats = finder.play(np.zeros(2, int), rows, actions, 5, np.random.default_rng(0))
    assert values.shape == (3, 5, 2)
    assert seats.tolist() == [0, 0, 0]
    np.testing.assert_allclose(values[1] - values[0], np.array([[3.0, 0]] * 5))
    assert len(np.unique(values[0, :, 0])) == 5


def test_noise_draws_other_candidates() -> None:
    masks, rng = np.ones((300, 20), np.bool_), np.random.default_rng(0)
    finder = Search(RaceGame(), RacePolicy(), race_value, simulations=6)
    drawn = finder(np.zeros(300, int), masks, rng, noise=1.0).candidates
    assert drawn.shape == (300, 4)
    assert {*drawn.ravel().tolist()} == {*range(20)}


def test_memory_is_bounded_by_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "CHUNK_PLAYOUTS", 16)
    sizes: list[int] = []

    def take(race: Race, rows: np.ndarray) -> Race:
        sizes.append(len(rows))
        return Race(race.sums[rows], race.luck[rows], race.seats[rows])

    monkeypatch.setattr(Race, "take", take)
    masks, rng = np.ones((9, 4), np.bool_), np.random.default_rng(0)
    finder = Search(RaceGame(), RacePolicy(), race_value, simulations=64)
    assert (finder(np.zeros(9, int), masks, rng).visits.sum(axis=1) > 50).all()
    assert 8 < max(sizes) <= 16


def test_a_budget_of_time_plans_by_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine on which a playout takes ten times as long plays a tenth as many."""
    visits = {}
    for seconds in (1e-4, 1e-3):
        now = [0.0]
        finder = Search(RaceGame(), RacePolicy(), race_value, milliseconds=100)
        finder._seconds, tried = seconds, finder._try

        def slow_try(
            root: Any, *rest: Any, tried: Any = tried, now: Any = now, seconds: float = seconds
        ) -> None:
            before = root.visits.sum()
            tried(root, *rest)
            now[0] += seconds * (root.visits.sum() - before)

        monkeypatch.setattr(finder, "_try", slow_try)
        monkeypatch.setattr(library, "perf_counter", lambda now=now: now[0])
        found = finder(np.zeros(1, int), np.ones((1, 8), np.bool_), np.random.default_rng(0))
        visits[seconds] = found.visits.sum()
        assert now[0] == pytest.approx(0.1, rel=0.3)
    assert visits[1e-4] == pytest.approx(10 * visits[1e-3], rel=0.3)


@pytest.mark.parametrize("game", game_names())
@pytest.mark.parametrize("num_players", [2, 4])
def test_it_plays_legal_actions_by_its_seed(game: str, num_players: int) -> None:
    whole = decisions(game, num_players)
    engine = whole.from_state(whole.config, whole.state.take(np.arange(0, 256, 4)))
    observations, masks = seen(engine)
    agent = SearchAgent(engine.config, Budget(24))
    found = [agent.act(observations, masks, np.random.default_rng(seed)) for seed in (1, 1)]
    np.testing.assert_array_equal(*found)
    assert engine.is_legal(found[0]).all()


@pytest.mark.parametrize("playouts", [1, 2, 5, 14, 48])
def test_playouts_stay_within_the_budget(playouts: int) -> None:
    engine = decisions("gonzaga", 3)
    agent, (observations, masks) = SearchAgent(engine.config, Budget(playouts)), seen(engine)
    for row in range(0, 256, 40):
        found = agent.consider(observations[row], masks[row], np.random.default_rng(0))
        assert found.playouts is not None
        assert len(found.actions) == len(found.playouts) <= NUM_CANDIDATES
        assert masks[row][found.actions].all()
        assert found.unit == WINNING_CHANCE
        assert found.playouts.sum() <= playouts
        if len(found.actions) == NUM_CANDIDATES:
            assert found.playouts.sum() >= 0.8 * playouts
        assert (np.diff(found.playouts) <= 0).all()  # better candidates get more
        assert (np.diff(found.values) <= 0).all()  # the numbers agree with the order


def test_a_single_legal_action_is_valued_but_not_searched() -> None:
    engine = decisions("gonzaga", 2)
    (row, *_) = np.flatnonzero(engine.num_legal() == 1)
    agent = SearchAgent(engine.config, Budget(64))
    observations, masks = seen(engine)
    found = agent.consider(observations[row], masks[row], np.random.default_rng(0))
    assert found.actions.tolist() == np.flatnonzero(masks[row]).tolist()
    assert found.playouts is not None
    assert found.playouts.tolist() == [32]
    assert 0 < found.values[0] < 1
    assert not agent.search(
        observations[[row]], masks[[row]], np.random.default_rng(0)
    ).visits.any()


@pytest.mark.parametrize("spec", ["linear", "planner", "learned"])
def test_sealed_plans_are_taken_back_and_made_by_the_policy(spec: str) -> None:
    """A seat that plans last expects plans for others' objectives, and not those of its deal."""
    config = GameConfig(3)
    engine, rng = Engine.from_config(config, 1, seed=5), np.random.default_rng(0)
    agent = make_agent(spec, config)
    for _ in range(2):
        engine.step(engine.sample_legal(rng))
    policy, game = AgentPolicy(agent), SpecGame(config)
    deals = game.deal(engine.observe(), rng, 200)
    assert (deals.seats == 2).all()
    assert game.unseal(deals).all()
    assert (deals.seats == 0).all()
    plans = policy.seal(deals, np.arange(200), rng)
    own = agent.act(engine.observe(), engine.legal_action_mask(), rng)
    assert (plans[:, 2] == own).all()
    first = agent.act(deals.engine.observe(), deals.engine.legal_action_mask(), rng)
    assert (plans[:, 0] == first).all()
    assert len({*plans[:, 0].tolist()}) > 1


def test_with_its_opponent_as_its_model_it_exploits_it() -> None:
    """It beats the planner by more than the optimal strategy does."""
    config = GameConfig(2, edition="mini-a2")
    planner, margins = make_agent("planner", config), []
    for spec in ("search@32:planner", "equilibrium"):
        agents = [make_agent(spec, config), planner]
        engine = Engine.from_config(config, 32, seed=1, autoreset=False)
        rng = np.random.default_rng(0)
        while (engine.seats >= 0).any():
            for seat in (0, 1):
                rows = np.flatnonzero(engine.seats == seat)
                if len(rows):
                    engine.step(agents[seat].act(*seen(engine, rows), rng), rows)
        totals = engine.totals.astype(int)
        margins.append((totals[:, 0] - totals[:, 1]).mean())
    assert margins[0] > margins[1] + 0.5


def test_chances_of_positions_end_with_the_winners() -> None:
    for game in game_names():
        config = game_spec(game).config(num_players=2)
        agent, rng = SearchAgent(config, Budget(8)), np.random.default_rng(0)
        engine = game_spec(game).engine.from_config(config, 6, seed=2, autoreset=False)
        while not engine.state.finished.all():
            live = np.flatnonzero(engine.seats >= 0)
            if rng.random() < 0.1:
                chances = agent.chances(engine.state, 3, rng)
                np.testing.assert_allclose(chances.sum(axis=1), 1, atol=1e-5)
            engine.step(engine.sample_legal(rng, live), live)
        won = engine.winners()
        shares = won / won.sum(axis=1, keepdims=True)
        np.testing.assert_allclose(agent.chances(engine.state, 2, rng), shares)


def test_a_network_picks_the_candidates() -> None:
    config = GameConfig(3)
    agent = network_agent(config, trained=False)
    engine, rng = Engine.from_config(config, 4, seed=2), np.random.default_rng(2)
    observations, masks = seen(engine)
    best = agent.evaluate(observations, masks).probabilities.argsort(axis=1, kind="stable")
    found = SearchAgent(config, Budget(16), policy=agent).search(observations, masks, rng)
    for row in range(4):
        candidates = found.candidates[row][found.candidates[row] >= 0]
        assert {*candidates.tolist()} == {*best[row, ::-1][: len(candidates)].tolist()}


def test_an_agent_without_scores_is_refused() -> None:
    config = GameConfig(2)
    with pytest.raises(AgentError, match="random has neither scores nor probabilities"):
        make_agent("search:random", config)
    assert make_agent("search@8:planner", config).name == "search@8:planner"


def test_positions_are_copies_with_the_same_luck() -> None:
    engine = decisions("signorie", 2)
    positions = EnginePositions(engine).take(np.zeros(2, np.int64))
    before = engine.state.to_bytes()
    rng = np.random.default_rng(0)
    for _ in range(30):
        live = np.flatnonzero(positions.seats >= 0)
        actions = positions.engine.sample_legal(rng, live)
        positions.step(np.full(len(live), actions[0]), live)
    first, second = (positions.engine.state.take(np.array([row])).to_bytes() for row in (0, 1))
    assert first == second
    assert engine.state.to_bytes() == before
