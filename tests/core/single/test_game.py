"""`Game` against `Engine`: both return the same."""

import copy
import pickle
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import numpy as np
import pytest

from gonzaga_env.core import Engine, Game, GameConfig, StepResult
from gonzaga_env.core.board.actions import NUM_PLANS, plan_action
from gonzaga_env.core.constants import CITIES, INACTIVE_CARD
from gonzaga_env.core.options import Rules
from gonzaga_env.core.single.transitions import share_victory
from gonzaga_env.core.state.deals import Deal
from gonzaga_env.core.state.scoring import winners
from gonzaga_env.core.state.state import PLACE, State, current_fiefs
from gonzaga_env.tabletop.errors import ActionError, IllegalActionError, OptionError
from gonzaga_env.tabletop.rewards import win_shares
from tests.conftest import played
from tests.core.game_batch import GameBatch
from tests.core.histories import turn_order

PLAYERS = [2, 3, 4]
REWARDS = ("outcome", "score", "margin")
CASES = list(product(PLAYERS, ("each_player", "first_only"), (6, 1)))
GAMES = 8  # a case


def both(num_players: int = 4, **options: object) -> tuple[Engine, GameBatch]:
    return Engine(1, num_players, **options), GameBatch(1, num_players, **options)


def assert_states_equal(state: State, other: State) -> None:
    for name, array in state.arrays().items():
        theirs = getattr(other, name)
        assert (array.dtype, array.shape) == (theirs.dtype, theirs.shape), name
        assert np.array_equal(array, theirs), name


def assert_alike(engine: Engine, games: GameBatch | Game) -> None:
    """Compares all outputs of both."""
    game = games.games[0] if isinstance(games, GameBatch) else games
    assert_states_equal(engine.state, game.state)
    assert engine.seats.tolist() == [game.seat]
    assert engine.state.finished.tolist() == [game.finished]
    mask = engine.legal_action_mask()
    assert np.array_equal(mask[0], game.mask())
    assert mask[0].nonzero()[0].tolist() == engine.legal_actions()[1].tolist()
    assert engine.num_legal().tolist() == [game.num_legal()]
    assert np.array_equal(engine.observe()[0], game.observation())
    for seat in range(engine.num_players):
        assert np.array_equal(engine.observe(seat)[0], game.observation(seat)), seat


def assert_results_equal(result: StepResult, other: StepResult) -> None:
    for name in ("seats", "points", "rewards", "finished"):
        array, theirs = getattr(result, name), getattr(other, name)
        assert (array.dtype, array.shape) == (theirs.dtype, theirs.shape), name
        assert np.array_equal(array, theirs), name
    assert_states_equal(result.final, other.final)


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


def random_moments(num_players: int, autoreset: bool = False) -> Iterator[Engine]:
    """Yields an engine at every step of a game."""
    engine = Engine(1, num_players, seed=num_players, autoreset=autoreset)
    rng = np.random.default_rng(num_players)
    while not engine.state.finished[0]:
        yield engine
        engine.step([choose(engine, rng, greedy=True)])
    yield engine


@pytest.mark.parametrize(("num_players", "sea_league", "first_check_round"), CASES)
def test_a_game_equals_a_batch_of_one(
    num_players: int, sea_league: str, first_check_round: int
) -> None:
    rules, seen = Rules(sea_league, first_check_round), Counter[str]()
    for i, seed in enumerate(seeds(num_players, sea_league, first_check_round)):
        options = {"rules": rules, "seed": seed, "reward": REWARDS[i % 3]}
        engine, single = both(num_players, **options)
        rng, finished = np.random.default_rng(seed), False
        while not finished:
            assert_alike(engine, single)
            action = choose(engine, rng, greedy=bool(i % 2))
            result = engine.step([action])
            assert_results_equal(result, single.step([action]))
            finished = bool(result.finished[0])
        assert_alike(engine, single)  # the next game
        note(seen, engine, result.final)
    assert seen["rings"] > 30
    assert seen["leagues"] > 3
    assert seen["ended early"] or num_players == 4  # whose maps are rarely full in time


def seeds(*case: object) -> range:
    """Returns the seeds of a case's games."""
    first = 200 + GAMES * CASES.index(case)  # seeds of games that hold what is counted above
    return range(first, first + GAMES)


def note(seen: Counter[str], engine: Engine, final: State) -> None:
    seen["ended early"] += int(final.round[0] < 12)
    seen["leagues"] += int(final.leagues.sum())
    seen["rings"] += int((final.ring_cells < engine.tables.num_hexes).sum())


def test_the_games_that_are_compared_are_of_every_scenario() -> None:
    names = set()
    for case in CASES:
        engine = Engine(GAMES, case[0], seed=list(seeds(*case)))
        names |= {engine.tables.edition.scenarios[i].name for i in engine.state.scenario}
    assert names == {scenario.name for scenario in engine.tables.edition.scenarios}
    assert len(names) == 16


@pytest.mark.parametrize("num_players", PLAYERS)
def test_a_game_that_is_over_waits(num_players: int) -> None:
    engine, single = both(num_players, seed=5, autoreset=False)
    rng = np.random.default_rng(0)
    while engine.seats[0] >= 0:
        action = engine.sample_legal(rng)
        assert_results_equal(engine.step(action), single.step(action))
    assert_alike(engine, single)
    for anything in ([0], [10**9]):
        assert_results_equal(engine.step(anything), single.step(anything))
    assert_alike(engine, single)


@pytest.mark.parametrize("reward", REWARDS)
def test_scalars_equal_the_arrays(reward: str) -> None:
    engine = Engine(1, 3, seed=8, reward=reward, autoreset=False)
    game = Game(3, seed=8, reward=reward)
    rng = np.random.default_rng(1)
    while not game.finished:
        action = choose(engine, rng, greedy=True)
        assert game.is_legal(action)
        result = engine.step([action])
        assert game.play(action) == result.rewards[0].tolist()
        assert game.position.points == result.points[0]
        assert game.position.totals == engine.state.totals[0].tolist()
    won = winners(engine.tables, engine.state)
    assert game.position.win_shares == win_shares(won)[0].tolist()
    assert game.winners() == won[0].tolist()
    assert game.play(10**9) == [0.0] * 3
    assert not game.is_legal(0)


def test_a_snapshot_stays_as_it_is() -> None:
    game = played(Game(2, seed=3), 30)
    snapshot = game.state
    content, seen = snapshot.to_bytes(), [game.observation(seat) for seat in range(2)]
    played(game, 5).reset()
    assert snapshot.to_bytes() == content
    game.state = snapshot
    assert game.state == snapshot
    assert all(np.array_equal(game.observation(seat), seen[seat]) for seat in range(2))


def test_edits_of_a_snapshot_take_effect_when_it_is_assigned() -> None:
    game = played(Game(3, seed=4), 3)
    state, seat = game.state, game.seat
    assert state.phase[0] == PLACE
    state.plan[0] = plan_action(INACTIVE_CARD, CITIES)
    state.ring_stock[0] = 6
    state.order[0] = turn_order(state)
    assert game.state.ring_stock[0, seat] == 5
    game.state = state
    assert_alike(Engine.from_state(game.config, state, autoreset=False), game)
    assert game.state.ring_stock[0, seat] == 6
    assert game.seat == state.order[0, 0]


@pytest.mark.parametrize("num_players", PLAYERS)
def test_illegal_actions_get_the_same_answer_and_change_nothing(num_players: int) -> None:
    rng = np.random.default_rng(num_players)
    rules = set()
    for i, engine in enumerate(random_moments(num_players)):
        if i % 3 or engine.state.finished[0]:
            continue
        game = Game(num_players)
        game.state = engine.state
        illegal = rng.permutation(np.flatnonzero(~engine.legal_action_mask()[0])).tolist()
        for action in illegal[:4] + [action for action in illegal if action < NUM_PLANS][:4]:
            expected = answer(engine.step, [action])
            assert answer(game.play, action) == expected
            rules.add(expected[2])
        assert_states_equal(engine.state, game.state)
    assert rules >= {"R3.2", "R3.3", "R3.6", "R4.2", "R4.3", "R5.1"}


def answer(play: Callable[[Any], object], action: object) -> tuple[type, str, str | None]:
    with pytest.raises(ActionError) as caught:
        play(action)
    error = caught.value
    return type(error), str(error), error.rule if isinstance(error, IllegalActionError) else None


@pytest.mark.parametrize("action", [np.int64(3), np.uint8(3), np.array(3), 3])
def test_integers_of_any_kind_are_actions(action: object) -> None:
    game = Game(2, seed=1)
    assert game.mask()[3]
    game.play(action)
    assert game.state.plan[0, 0] == 3


@pytest.mark.parametrize(
    "action", [-1, 3203, 10**30, [[1], [2, 3]], [1], np.array([1]), "1", None, 1.5, True]
)
def test_what_is_not_an_action_is_named(action: object) -> None:
    game = Game()
    before = game.state
    for refuse in (game.play, game.is_legal):
        with pytest.raises(ActionError, match="takes one integer from 0 to 3202") as caught:
            refuse(action)
        assert repr(action) in str(caught.value)
    assert game.state == before


@pytest.mark.parametrize("seat", [-1, 3, 1.0, "0", True, [0]])
def test_what_is_not_a_seat_is_named(seat: object) -> None:
    with pytest.raises(OptionError, match="seats are 0 to 2"):
        Game(3).observation(seat)


def test_results_belong_to_the_caller() -> None:
    game = played(Game(4, seed=2), 6)
    for ask in (game.mask, lambda: game.observation(1)):
        first = ask()
        kept = first.copy()
        first[...] = 7
        assert np.array_equal(ask(), kept)
    game.reset(2)
    game.mask()[...] = 7  # masks of plans are cached
    assert set(game.mask().tolist()) == {0, 1}


def test_resets_deal_like_the_batch() -> None:
    engine, game = Engine(1, 4, seed=11), Game(4, seed=11)
    for options in ({}, {"seed": 2**64 + 5}, {"seed": np.array([7])}, {}):
        engine.reset(**options)
        game.reset(**options)
        assert_alike(engine, game)
    source = Engine(1, 4, seed=90).state
    deal = Deal(source.scenario, source.deck, source.objective)
    engine.reset(deal=deal)
    game.reset(deal=deal)
    assert_alike(engine, game)
    with pytest.raises(OptionError, match="seed"):
        game.reset(seed=[1, 2])
    with pytest.raises(OptionError, match="deal"):
        game.reset(deal=3)
    assert_alike(engine, game)


def test_samples_equal_the_batchs() -> None:
    engine, game = Engine(1, 3, seed=1), Game(3, seed=1)
    rngs = np.random.default_rng(3), np.random.default_rng(3)
    for _ in range(60):
        seat = int(engine.seats[0])
        drawn = [e.resample(seat, rng, 3) for e, rng in zip((engine, game), rngs, strict=True)]
        assert drawn[0] == drawn[1]
        action = int(engine.sample_legal(rngs[0])[0])
        assert game.sample_legal(rngs[1]) == action
        engine.step([action])
        game.play(action)


def test_a_finished_game_that_is_restored_knows_who_won() -> None:
    game, rng = Game(3, seed=2), np.random.default_rng(0)
    while not game.finished:
        game.play(game.sample_legal(rng))
    assert sum(game.position.win_shares) == pytest.approx(1)
    assert not game.observation().any()
    for twin in (copy.deepcopy(game), pickle.loads(pickle.dumps(game))):
        assert twin.position.win_shares == game.position.win_shares


def test_a_game_plays_what_a_configuration_says() -> None:
    config = GameConfig(3, "Colombo", rules=Rules("first_only", 2))
    game = Game.from_config(config, seed=4, reward="score")
    assert (game.num_players, game.rules, game.reward) == (3, config.rules, "score")
    assert game.edition.scenarios[game.position.scenario].name == "Colombo"


@pytest.mark.parametrize("num_players", PLAYERS)
def test_r8_3_players_who_tie_share_the_victory(num_players: int) -> None:
    position = Game(num_players).position  # nobody has anything yet
    share_victory(position)
    assert position.win_shares == [1 / num_players] * num_players


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


def test_a_resampled_copy_equals_what_resample_returns() -> None:
    game, rng = Game(num_players=3, seed=4), np.random.default_rng(0)
    for _ in range(14):
        game.play(game.sample_legal(rng))
    before = game.state
    twin = game.resampled(1, np.random.default_rng(7))
    assert twin.state == game.resample(1, np.random.default_rng(7))
    assert game.state == before
    assert (twin.observation(1) == game.observation(1)).all()
    assert twin.view(1) == game.view(1), "the last move too"
