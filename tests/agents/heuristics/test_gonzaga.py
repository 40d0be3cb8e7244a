"""Scores: what the engine pays at once, and for plans the best of what they allow."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from gonzaga_agents.heuristics.gonzaga import GreedyAgent
from gonzaga_agents.heuristics.gonzaga_scores import IMMEDIATE, Heuristic, Weights

from gonzaga_env.core import Engine, GameConfig, Rules
from gonzaga_env.core.batch.transitions import legal_placements
from gonzaga_env.core.board import bits
from gonzaga_env.core.board.actions import NUM_PLANS, PLAN_CARDS
from gonzaga_env.core.constants import DONATION_POINTS, NUM_SEAS, OBJECTIVE_POINTS
from gonzaga_env.core.state import PLACE, PLAN, State, current_fiefs
from tests.marks import nightly

FORWARD = Weights(
    objective=(0, 3, 7, 12, 20, 26, 35),
    league=(0, 0.5, 2),
    group=(0, 0.25, 1, 1.5),
    ring=0.75,
    privilege=2.0,
)
OBJECTIVE_STEPS = np.diff(OBJECTIVE_POINTS, append=OBJECTIVE_POINTS[-1])
SEA_LEAGUES = ["each_player", "first_only"]


def played(num_players: int, sea_league: Any, num_rounds: int, num_steps: int = 0) -> Engine:
    """Returns games of greedy agents, who fill the map; every other one is in its last round."""
    config = GameConfig(num_players, rules=Rules(sea_league, 12))
    engine = Engine.from_config(config, 8, seed=15, autoreset=False)
    agent, rng = GreedyAgent(config), np.random.default_rng(11)
    for _ in range(2 * num_players * num_rounds + num_steps):
        actions = agent.act(engine.observe(), engine.legal_action_mask(), rng)
        random = engine.sample_legal(rng)  # brings weddings
        engine.step(np.where(rng.random(8) < 0.2, random, actions))
    state = engine.state
    state.last_round[::2] = True  # too early for a game
    return Engine.from_state(config, state, check=False)


def held(engine: Engine, games: np.ndarray, seats: np.ndarray) -> np.ndarray:
    """Returns how many cities of its objective each seat holds, [L]."""
    state, tables = engine.state, engine.tables
    hexes = bits.unpack(state.fiefs | state.rings, tables.num_hexes)[games, seats] == 1
    return (hexes & tables.objective_planes[state.objective[games, seats]]).sum(axis=1)


@pytest.mark.parametrize("num_players", [3, *nightly(2, 4)])
@pytest.mark.parametrize("sea_league", SEA_LEAGUES)
def test_immediate_scores_are_what_a_step_brings(num_players: int, sea_league: Any) -> None:
    found_rings = found_leagues = 0
    for num_rounds in (3, 5, 7):
        engine = played(num_players, sea_league, num_rounds, num_players + num_rounds % num_players)
        assert (engine.state.phase == PLACE).all()
        seats, (rows, actions, scores) = engine.seats, placing_scores(engine, IMMEDIATE)
        state = engine.state.take(rows)
        after = Engine.from_state(engine.config, state, autoreset=False, check=False)
        result = after.step(actions)
        before = held(engine, rows, seats[rows])
        new = held(after, np.arange(len(rows)), seats[rows]) - before
        step = OBJECTIVE_STEPS[before]  # the score takes it for a second city too
        spent = engine.state.ring_stock[rows] - after.state.ring_stock
        rings = spent.sum(axis=1, dtype=np.int64)
        wanted = result.points + step * new - 0.1 * rings
        donated = actions == engine.actions.donate
        assert (result.points[donated] == DONATION_POINTS).all()
        wanted[donated] -= 0.5  # an equal placement is preferred
        np.testing.assert_allclose(scores, wanted, atol=1e-4)
        found_rings += (rings > 0).sum()
        found_leagues += (after.state.leagues.sum() > engine.state.leagues[rows].sum()).sum()
    assert found_rings
    assert found_leagues


def placing_scores(engine: Engine, weights: Weights) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Returns row, action and score of all legal actions of the seats to act, [L]."""
    heuristic, games = Heuristic(engine.tables, engine.rules, weights), np.arange(engine.num_games)
    rows, actions = engine.legal_actions()
    values = heuristic.values(engine.state, games, engine.seats)
    return rows, actions, heuristic.placements(values, rows, actions)


def test_groups_count_by_what_a_placement_touches() -> None:
    engine, worth = played(3, "each_player", 6, 3), (0, 1, 2, 4)
    rows, actions, plain = placing_scores(engine, IMMEDIATE)
    scores = placing_scores(engine, replace(IMMEDIATE, group=worth))[2]
    wanted = [
        worth[touched(engine, row, action)] if action != engine.actions.donate else 0
        for row, action in zip(rows.tolist(), actions.tolist(), strict=True)
    ]
    assert {*wanted} == {*worth}
    np.testing.assert_allclose(scores - plain, wanted, atol=1e-4)


def touched(engine: Engine, game: int, action: int) -> int:
    """Returns 1 if a placement touches an own group that is not the largest, 2 for the largest."""
    state, seat, found = engine.state, int(engine.seats[game]), set()
    for cell in covered(engine, game, action):
        for neighbor in engine.edition.grid.neighbors[cell]:
            if piece := int(state.piece[game, seat, neighbor]):
                size = int(state.group[game, seat, piece - 1]).bit_count()
                found.add(2 if size == state.largest_group[game, seat] else 1)
    return sum(found)


def covered(engine: Engine, game: int, action: int) -> list[int]:
    """Returns the hexes that a placement or wedding covers."""
    fief = current_fiefs(engine.state, np.array([game]))[0, engine.seats[game]]
    placements = engine.tables.placements
    cells = placements.cells[placements.row(fief, action - NUM_PLANS)]
    return [cell for cell in cells.tolist() if cell < engine.tables.num_hexes]


@pytest.mark.parametrize("sea_league", SEA_LEAGUES)
def test_harbors_count_where_a_league_can_be_founded(sea_league: Any) -> None:
    engine, worth = played(3, sea_league, 4, 3), np.array([0, 1, 3, 0, 0, 0, 0, 0])
    state, harbor_sea = engine.state, engine.tables.harbor_sea
    rows, actions, plain = placing_scores(engine, IMMEDIATE)
    scores = placing_scores(engine, replace(IMMEDIATE, league=(0.0, 1.0, 3.0)))[2]
    wanted = np.zeros(len(rows))
    for index, (row, action) in enumerate(zip(rows.tolist(), actions.tolist(), strict=True)):
        if state.last_round[row] or action == engine.actions.donate:
            continue
        own, seat = covered(engine, row, action), engine.seats[row]
        for sea in range(NUM_SEAS):
            league = state.leagues[row, :, sea]
            if league[seat] if sea_league == "each_player" else league.any():
                continue
            before = int(state.sea_harbors[row, seat, sea])
            after = before + sum(harbor_sea[cell] == sea for cell in own)
            wanted[index] += worth[after] - worth[before]
    assert {-3, 0, 1} <= {*wanted.tolist()}  # a founded league is paid by the rules instead
    np.testing.assert_allclose(scores - plain, wanted, atol=1e-4)


@pytest.mark.parametrize("num_players", [3, *nightly(2, 4)])
@pytest.mark.parametrize("sea_league", SEA_LEAGUES)
@pytest.mark.parametrize("weights", [IMMEDIATE, FORWARD], ids=["immediate", "forward"])
def test_plans_score_the_best_that_they_allow(
    num_players: int, sea_league: Any, weights: Weights
) -> None:
    for num_rounds in (0, 4, 6):
        engine = played(num_players, sea_league, num_rounds)
        assert (engine.state.phase == PLAN).all()
        heuristic = Heuristic(engine.tables, engine.rules, weights)
        games, seats = np.arange(8), np.arange(8) % num_players
        values = heuristic.values(engine.state, games, seats)
        scores = heuristic.plans(engine.state, values)
        for game, seat in zip(games, seats, strict=True):
            flourishing = engine.tables.flourishing[engine.state.scenario[game]]
            can_be_had = np.append(flourishing, True)  # region cards, and the inactive one (R2.1)
            plans = can_be_had[PLAN_CARDS[:, 0]].nonzero()[0]
            wanted = [best_score(engine, heuristic, game, seat, plan) for plan in plans]
            np.testing.assert_allclose(scores[game, plans], wanted, atol=1e-3)


def best_score(engine: Engine, heuristic: Heuristic, game: int, seat: int, plan: int) -> float:
    """Returns the best score that a plan allows on this map, trying every placement."""
    region, action, privilege = PLAN_CARDS[plan]
    without = next(
        p for p, cards in enumerate(PLAN_CARDS) if cards.tolist() == [region, action, 0]
    )  # the ring that a privilege takes is not looked at
    state: State = engine.state.take(np.array([game]))
    state.plan[0, seat] = without
    only, seats = np.zeros(1, dtype=np.int64), np.array([seat])
    legal = legal_placements(engine.tables, state, only, seats)
    fiefs = current_fiefs(state, only)[only, seats]
    actions = engine.tables.legal_sets.list_actions(legal, fiefs)[1]
    actions = actions[covers_site(engine, int(fiefs[0]), actions)]
    actions = np.append(actions, engine.actions.donate)
    values = heuristic.values(state, only, seats)
    scores = heuristic.placements(values, np.zeros_like(actions), actions)
    return float(scores.max()) - heuristic.weights.privilege * privilege


def covers_site(engine: Engine, fief: int, actions: np.ndarray) -> np.ndarray:
    """Returns whether each placement or wedding covers a city or harbor, [L]."""
    placements = engine.tables.placements
    rows = placements.row(fief, actions - NUM_PLANS)
    return site_mask(engine)[placements.cells[rows]].any(axis=1)


def site_mask(engine: Engine) -> np.ndarray:
    """Returns which hexes hold a city or harbor, [H + 1]."""
    edition = engine.edition
    sites = np.zeros(len(edition.grid) + 1, dtype=np.bool_)
    for site in (*edition.cities, *edition.harbors):
        sites[edition.grid.index[site.at]] = True
    return sites


@pytest.mark.parametrize("num_players", [2, 4])
@pytest.mark.parametrize("sea_league", SEA_LEAGUES)
def test_best_placements_are_worth_what_plans_open(num_players: int, sea_league: Any) -> None:
    nothing = set()
    for num_rounds in (0, 4, 8):
        engine = played(num_players, sea_league, num_rounds)
        heuristic, games = Heuristic(engine.tables, engine.rules, FORWARD), np.arange(8)
        values = heuristic.values(engine.state, games, engine.seats)
        plans = heuristic.plans(engine.state, values)
        scores, rows = heuristic.best_placements(engine.state, values)
        region, action, privilege = PLAN_CARDS.T
        np.testing.assert_array_equal(scores[:, region, action][:, privilege == 0], plans[:, ::2])
        donation = len(engine.tables.placements.cells) - 1
        np.testing.assert_array_equal(rows == donation, scores <= FORWARD.donation)
        nothing |= {*(rows == donation).flat}
    assert nothing == {False, True}
