"""The details of an agent: histories against records and steps, sums by hand and in any match."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from gonzaga_agents import GreedyAgent, RandomAgent, evaluate
from gonzaga_agents.evaluation import match as match_module
from gonzaga_agents.evaluation.match import Match, play_match
from gonzaga_agents.gonzaga.details.details import Details, details_of
from gonzaga_agents.gonzaga.details.history import (
    DONATION,
    FIEF,
    MOVES,
    NO_MOVE,
    NOTHING,
    Historian,
    History,
)
from gonzaga_agents.units.games import play_out, rotations

from gonzaga_env.core import Engine, GameConfig, Rules
from gonzaga_env.core.board.actions import NO_PLAN, plan_action
from gonzaga_env.core.constants import ALLIANCE, CITIES
from gonzaga_env.core.state.state import PLACE, SOURCES, State


def kind(text: str) -> int:
    """Returns the index in `MOVES` of a move in a record."""
    kinds = {"ring": "one ring", "rings": "two rings", "donate": "donation"}
    return MOVES.index(kinds.get(text.split()[0], "fief"))


def recorded(record: dict[str, Any], config: GameConfig) -> list[list[list[int]]]:
    """Returns plans, kinds of moves and points by round and seat, as a record has them."""
    num_players, arrays = config.num_players, [NO_PLAN, NO_MOVE, 0]
    plans, moves, points = ([[fill] * num_players for _ in range(12)] for fill in arrays)
    for number, move in enumerate(record["moves"]):
        when, seat = number // (2 * num_players), move["seat"]
        if "points" in move:
            moves[when][seat], points[when][seat] = kind(move["action"]), move["points"]
        else:
            plans[when][seat] = config.tables.actions.parse(move["action"])
    return [plans, moves, points]


@pytest.mark.parametrize("num_players", [2, 3])
def test_it_agrees_with_the_records(num_players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match_module, "CHUNK_GAMES", 2 * num_players)  # two chunks
    config, records = GameConfig(num_players, rules=Rules(first_check_round=1)), []
    agents: list[Any] = [GreedyAgent(config), RandomAgent(config)]
    lineup = [0] + [1] * (num_players - 1)
    arguments = {"num_deals": 3, "seed": 4, "history": True, "on_records": records.extend}
    match = play_match(config, agents, lineup, **arguments)
    history = match.history
    assert history.plans.shape == (3, num_players, 12, num_players)
    arrays = (history.plans, history.moves, history.points)
    games = zip(*(array.reshape(-1, 12, num_players).tolist() for array in arrays), strict=True)
    # Records come in the order in which games end.
    assert sorted(map(list, games)) == sorted(recorded(record, config) for record in records)


def most_points(config: GameConfig, state: State, seat: int) -> int:
    """Returns the most points that a seat could place for if it were first; tries every action."""
    state.num_acted[:] = 0
    others = [other for other in state.order[0] if other != seat]
    state.order[0] = [seat, *others]
    engine = Engine.from_state(config, state, check=False)  # not the order of their plans
    actions = np.flatnonzero(engine.legal_action_mask()[0, :-1])
    if not len(actions):
        return NOTHING
    twins = Engine.from_state(config, state.repeat(len(actions)), check=False)
    return int(twins.step(actions).points.max())


@pytest.mark.parametrize("sea_league", ["each_player", "first_only"])
def test_the_best_points_are_those_of_steps_that_try_every_action(sea_league: Any) -> None:
    config = GameConfig(3, rules=Rules(sea_league))
    engine = Engine.from_config(config, 3, seed=5, autoreset=False)
    historian, expected = Historian(engine, engine.step), {}

    def step(actions: np.ndarray) -> Any:
        state = engine.state
        for game in np.flatnonzero(~state.finished & (state.phase == PLACE)):
            number, seat = state.round[game] - 1, engine.seats[game]
            best = most_points(config, state.take([game]), seat)
            expected["left", game, number, seat] = best
            for other in range(3) if state.num_acted[game] == 0 else ():
                best = most_points(config, state.take([game]), other)
                expected["revealed", game, number, other] = best
        return historian.step(actions)

    play_out(engine, [GreedyAgent(config)], np.zeros((3, 3), int), [np.random.default_rng(0)], step)
    history = historian.history(num_rotations=1)
    for (when, game, number, seat), best in expected.items():
        found = history.best_left if when == "left" else history.best_revealed
        assert found[game, 0, number, seat] == best, (when, game, number, seat)
    blocked, moves = history.blocked, history.moves
    assert (moves[blocked] == DONATION).all()
    assert (history.points[~blocked] <= np.maximum(history.best_left[~blocked], 3)).all()
    assert history.best_taken.sum() > 0


def test_no_history_is_kept_unless_it_is_asked_for() -> None:
    agents = [RandomAgent(GameConfig(2))]
    assert play_match(GameConfig(2), agents, [0, 0], num_deals=1, seed=0).history is None


def test_keeping_the_history_changes_no_game() -> None:
    agents = [RandomAgent(GameConfig(2))]
    one, other = (
        play_match(GameConfig(2), agents, [0, 0], num_deals=2, seed=0, history=history)
        for history in (False, True)
    )
    np.testing.assert_array_equal(one.scores, other.scores)


REGIONS = (*"abcdef", "inactive")
SHAPE = (2, 2, 12, 2)  # two deals of two players; nothing happens unless a test says so
BEFORE_END = SOURCES[:4]


def history(**changes: dict[tuple[int, ...], int]) -> History:
    """Returns a history in which nothing was played, but for the changes."""
    arrays = {
        "plans": np.full(SHAPE, NO_PLAN, np.uint8),
        "moves": np.full(SHAPE, NO_MOVE, np.uint8),
        "points": np.zeros(SHAPE, np.int16),
        "best_revealed": np.full(SHAPE, NOTHING, np.int16),
        "best_left": np.full(SHAPE, NOTHING, np.int16),
    }
    for name, values in changes.items():
        for index, value in values.items():
            arrays[name][index] = value
    return History(**arrays, region_names=REGIONS)


def match(scores: np.ndarray | None = None, won: np.ndarray | None = None) -> Match:
    """Returns two deals of agent 0 against agent 1."""
    scores = np.zeros((2, 2, 2, 6), np.int64) if scores is None else scores
    won = np.ones((2, 2, 2), np.bool_) if won is None else won
    return Match(rotations([0, 1]), scores, won, np.full((2, 2), 12))


def details(history: History, of: Match | None = None, agent: int = 0) -> Details:
    return details_of(replace(of or match(), history=history), rotations([0, 1]) == agent)


def test_usages_are_means_over_games_and_seats() -> None:
    # Agent 0 sits on seat 0 in rotation 0 and on seat 1 in rotation 1.
    plan = plan_action(2, ALLIANCE, privilege=1)
    first, second, other = (0, 0, 3, 0), (1, 1, 4, 1), (0, 0, 3, 1)
    found = details(
        history(
            plans={first: plan, second: plan, other: plan_action(1, CITIES)},
            moves={first: FIEF, second: DONATION},
            points={first: 9, second: 3, other: 50},
        )
    )
    usages = (found.regions["c"], found.actions["C"], found.plans["c C"], found.privilege)
    for usage in usages:
        assert (usage.times.mean, usage.points.mean) == (2 / 4, 12 / 4)
        assert usage.points_each.mean == 6
    for unused in (found.regions["b"], found.actions["B"], found.plans["b C"], found.rounds[0]):
        assert (unused.times.mean, unused.points.mean, unused.points_each) == (0, 0, None)
    assert (found.rounds[3].points.mean, found.rounds[4].points.mean) == (9 / 4, 3 / 4)
    assert (found.moves["fief"].points.mean, found.moves["donation"].times.mean) == (9 / 4, 1 / 4)


def test_donations_are_told_apart() -> None:
    at = [(0, 0, number, 0) for number in range(5)]
    found = details(
        history(
            plans=dict.fromkeys(at, 0),
            moves=dict.fromkeys(at[:4], DONATION) | {at[4]: FIEF},
            #                 blocked   no place        by choice  blocked  best taken
            best_revealed={at[0]: 9, at[1]: NOTHING, at[2]: 1, at[3]: 2, at[4]: 9},
            best_left={at[0]: NOTHING, at[1]: NOTHING, at[2]: 1, at[3]: NOTHING, at[4]: 4},
        )
    )
    counts = (found.blocked, found.no_place, found.by_choice, found.best_taken)
    assert [count.mean * 4 for count in counts] == [2, 1, 1, 3]
    # A donation scores 3 in any case, so losing 2 points to others costs nothing.
    assert found.points_taken.mean * 4 == (9 - 3) + (9 - 4)


def test_losses_compare_with_the_winner() -> None:
    scores = np.zeros((2, 2, 2, 6), np.int64)
    cities, group, objective = (SOURCES.index(name) for name in ("cities", "group", "objective"))
    won = np.array([[[0, 1], [1, 0]], [[1, 0], [1, 1]]], np.bool_)
    # Agent 0 loses both games of deal 0: in rotation 0 on seat 0, in rotation 1 on seat 1.
    scores[0, 0, 0, cities], scores[0, 0, 1, group] = 4, 15
    scores[0, 1, 0, [cities, objective]] = 10
    scores[0, 1, 1, group] = 15
    losses = details(history(), match(scores, won)).losses
    assert losses.games == 2
    assert losses.points.mean == ((15 - 4) + (20 - 15)) / 2
    means = {name: deficit.points.mean for name, deficit in losses.sources.items()}
    assert means == dict.fromkeys(SOURCES, 0) | {"cities": 3, "group": 0, "objective": 5}
    largest = {name: deficit.largest.mean for name, deficit in losses.sources.items()}
    # The group decides one game; cities and objective share the other.
    assert largest == dict.fromkeys(SOURCES, 0) | {"cities": 0.25, "group": 0.5, "objective": 0.25}


def test_an_agent_that_loses_nothing_has_no_deficits() -> None:
    losses = details(history()).losses
    assert (losses.games, losses.points, losses.sources) == (0, None, {})


@pytest.mark.parametrize("players", [2, 4])
def test_every_breakdown_adds_up_to_the_points_before_final_scoring(players: int) -> None:
    summary = evaluate(["greedy", "random"], players=players, deals=3, seed=1)
    for agent in summary.agents:
        found = agent.details
        points = sum(agent.sources[source] for source in BEFORE_END)
        breakdowns = [found.regions, found.actions, found.plans, found.moves]
        for usages in [*(usage.values() for usage in breakdowns), found.rounds]:
            assert sum(usage.points.mean for usage in usages) == pytest.approx(points)
            assert sum(usage.times.mean for usage in usages) == pytest.approx(summary.rounds.mean)
        donated = found.blocked.mean + found.no_place.mean + found.by_choice.mean
        assert donated == pytest.approx(found.moves["donation"].times.mean)
        assert donated * 3 == pytest.approx(agent.sources["donations"])
        shares = [deficit.largest.mean for deficit in found.losses.sources.values()]
        assert sum(shares) == pytest.approx(int(found.losses.games > 0))
        lost = sum(deficit.points.mean for deficit in found.losses.sources.values())
        assert lost == pytest.approx(found.losses.points.mean if found.losses.points else 0)


def test_the_greedy_agent_donates_only_where_it_must_or_gains_by_it() -> None:
    summary = evaluate(["greedy", "random"], deals=10, seed=0)
    greedy, random = (agent.details for agent in summary.agents)
    assert greedy.privilege.times.mean == 0
    assert random.privilege.times.mean > 1
    assert greedy.no_place.mean < random.no_place.mean
