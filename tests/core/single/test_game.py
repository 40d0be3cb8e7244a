"""`Game` against `Engine` in games of every kind, and the fiefs that are turned up by hand."""

from collections import Counter
from itertools import product

import numpy as np
import pytest

from gonzaga_env.core import Engine, Game
from gonzaga_env.core.board.actions import NUM_PLANS
from gonzaga_env.core.options import Rules
from gonzaga_env.core.state.state import PLACE, current_fiefs
from gonzaga_env.tabletop.errors import OptionError
from tests.beside import Beside

REWARDS = ("outcome", "score", "margin")
CASES = list(product((2, 3, 4), ("each_player", "first_only"), (6, 1)))
GAMES = 8  # a case


def choose(engine: Engine, rng: np.random.Generator, greedy: bool) -> int:
    """Returns a legal action; games get weddings, donations and full maps."""
    legal = np.flatnonzero(engine.legal_action_mask()[0])
    weddings = legal[(legal >= engine.actions.ring.start) & (legal < engine.actions.donate)]
    if engine.state.phase[0] != PLACE:
        pass
    elif not greedy and rng.random() < 0.1:
        return engine.actions.donate
    elif not greedy and len(weddings) and rng.random() < 0.4:
        legal = weddings
    elif greedy:
        fief = current_fiefs(engine.state)[0, engine.seats[0]]
        rows = engine.tables.placements.row(np.full(len(legal), fief), legal - NUM_PLANS)
        worth = engine.tables.points[engine.state.scenario[0], rows].sum(axis=1)
        legal = legal[worth == worth.max()]
    return int(rng.choice(legal))


@pytest.mark.parametrize(("num_players", "sea_league", "first_check_round"), CASES)
def test_a_game_equals_a_batch_of_one(
    num_players: int, sea_league: str, first_check_round: int
) -> None:
    rules, seen = Rules(sea_league, first_check_round), Counter[str]()
    for i, seed in enumerate(seeds(num_players, sea_league, first_check_round)):
        options = {"rules": rules, "seed": seed, "reward": REWARDS[i % 3]}
        both = Beside(Engine(1, num_players, autoreset=False, **options))
        rng = np.random.default_rng(seed)
        while not both.state.finished[0]:
            result = both.step([choose(both.engine, rng, greedy=bool(i % 2))])
            assert both.games[0].position.points == result.points[0]
        seen["ended early"] += int(both.state.round[0] < 12)
        seen["leagues"] += int(both.state.leagues.sum())
        seen["rings"] += int((both.state.ring_cells < both.tables.num_hexes).sum())
    assert seen["rings"] > 30
    assert seen["leagues"] > 3
    assert seen["ended early"] or num_players == 4  # whose maps are rarely full in time


def seeds(*case: object) -> range:
    """Returns the seeds of a case's games."""
    first = 200 + GAMES * CASES.index(case)  # seeds of games that hold what is counted above
    return range(first, first + GAMES)


def test_the_games_that_are_compared_are_of_every_scenario() -> None:
    names = set()
    for case in CASES:
        engine = Engine(GAMES, case[0], seed=list(seeds(*case)))
        names |= {engine.tables.edition.scenarios[i].name for i in engine.state.scenario}
    assert names == {scenario.name for scenario in engine.tables.edition.scenarios}
    assert len(names) == 16


def test_r3_1_the_next_round_turns_up_the_fiefs_that_are_chosen() -> None:
    """As in a game dealt with them on top, and not before the round has come."""
    game, rng = Game(num_players=2, seed=4), np.random.default_rng(0)
    state = game.state
    for _ in range(3):
        game.play(game.sample_legal(rng))
    deck, chosen = state.deck.copy(), [int(own[7]) for own in state.deck[0]]
    deck[0, :, 1:8] = np.concatenate([deck[0, :, 7:8], deck[0, :, 1:7]], axis=1)
    seen = game.observation(0)
    game.turn_up_next(chosen)
    assert (game.observation(0) == seen).all()
    assert (game.state.deck == deck).all()
    game.play(game.sample_legal(rng))
    assert [*game.position.fief] == chosen
    twin = Game(num_players=2, seed=4)
    twin.state = game.state
    assert (twin.observation(0) == game.observation(0)).all()


@pytest.mark.parametrize("fief", [12, -1])
def test_r3_1_only_fiefs_to_come_are_turned_up(fief: int) -> None:
    game = Game(num_players=2, seed=4)
    before = game.state
    for wrong in ([int(before.deck[0, 0, 3]), int(before.deck[0, 1, 0])], [fief, 3]):
        with pytest.raises(OptionError, match=r"is not to come \(R3\.1\)"):
            game.turn_up_next(wrong)
        assert game.state == before
