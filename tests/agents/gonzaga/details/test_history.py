"""The history of a match against its records, and against steps that try every action."""

from typing import Any

import numpy as np
import pytest
from gonzaga_agents import GreedyAgent, RandomAgent
from gonzaga_agents.evaluation import match as match_module
from gonzaga_agents.evaluation.match import play_match
from gonzaga_agents.gonzaga.details.history import DONATION, MOVES, NO_MOVE, NOTHING, Historian
from gonzaga_agents.units.games import play_out

from gonzaga_env.core import Engine, GameConfig, Rules
from gonzaga_env.core.board.actions import NO_PLAN
from gonzaga_env.core.state.state import PLACE, State


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
