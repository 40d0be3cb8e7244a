"""The engine for one game beside the engine for batches: they show and do the same."""

from __future__ import annotations

import copy
import pickle
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import numpy as np
import pytest

from gonzaga_env.core import Engine, SingleEngine, StepResult
from gonzaga_env.core.actions import NUM_PLANS, plan_action
from gonzaga_env.core.deals import Deal
from gonzaga_env.core.errors import ActionError, IllegalActionError, OptionError, StateError
from gonzaga_env.core.rules import CITIES, INACTIVE_CARD, Rules
from gonzaga_env.core.state import PLACE, State, fiefs_at_hand
from tests.conftest import played

PLAYERS = [2, 3, 4]
REWARDS = ("outcome", "score", "margin")
CASES = list(product(PLAYERS, ("each_player", "first_only"), (6, 1)))
GAMES = 8  # a case


def both(num_players: int = 4, **options: object) -> tuple[Engine, SingleEngine]:
    return Engine(1, num_players, **options), SingleEngine(num_players, **options)


def assert_states_equal(state: State, other: State) -> None:
    for name, array in state.arrays().items():
        theirs = getattr(other, name)
        assert (array.dtype, array.shape) == (theirs.dtype, theirs.shape), name
        assert np.array_equal(array, theirs), name


def assert_alike(engine: Engine, single: SingleEngine) -> None:
    """Compares all that both show."""
    assert_states_equal(engine.state, single.state)
    assert engine.seats.tolist() == single.seats.tolist() == [single.seat]
    mask = engine.legal_action_mask()
    assert np.array_equal(mask, single.legal_action_mask())
    assert np.array_equal(mask[0], single.mask())
    assert engine.num_legal() == single.num_legal()
    assert np.array_equal(engine.num_legal(), single.num_legal())
    assert np.array_equal(engine.observe(), single.observe())
    for seat in range(engine.num_players):
        assert np.array_equal(engine.observe(seat)[0], single.observation(seat)), seat


def assert_results_equal(result: StepResult, other: StepResult) -> None:
    for name in ("seats", "points", "rewards", "finished"):
        array, theirs = getattr(result, name), getattr(other, name)
        assert (array.dtype, array.shape) == (theirs.dtype, theirs.shape), name
        assert np.array_equal(array, theirs), name
    assert_states_equal(result.final, other.final)


def choose(engine: Engine, rng: np.random.Generator, greedy: bool) -> int:
    """Returns a legal action, so that weddings, donations and full maps come about."""
    legal = np.flatnonzero(engine.legal_action_mask()[0])
    weddings = legal[(legal >= engine.actions.ring.start) & (legal < engine.actions.donate)]
    if engine.state.phase[0] != PLACE:
        pass
    elif not greedy and rng.random() < 0.1:
        return engine.actions.donate
    elif not greedy and len(weddings) and rng.random() < 0.4:
        legal = weddings
    elif greedy:
        fief = fiefs_at_hand(engine.state)[0, engine.seats[0]]
        rows = engine.tables.placements.row(np.full(len(legal), fief), legal - NUM_PLANS)
        worth = engine.tables.points[engine.state.scenario[0], rows].sum(axis=1)
        legal = legal[worth == worth.max()]
    return int(rng.choice(legal))


def random_moments(num_players: int, autoreset: bool = False) -> Iterator[Engine]:
    """Yields an engine for batches on its way, from the first step to the last."""
    engine = Engine(1, num_players, seed=num_players, autoreset=autoreset)
    rng = np.random.default_rng(num_players)
    while not engine.state.finished[0]:
        yield engine
        engine.step([choose(engine, rng, greedy=True)])
    yield engine


@pytest.fixture(scope="module")
def seen() -> Iterator[Counter[str]]:
    """What all games together met; looked at when the last one is over."""
    counter: Counter[str] = Counter()
    yield counter
    if counter["games"] == len(CASES) * GAMES:  # not when a part of the tests was asked for
        assert counter["ended early"] > 5
        assert counter["leagues"] > 20
        assert counter["rings"] > 200
        assert len(counter) == 4 + 16  # every scenario


@pytest.mark.parametrize(("num_players", "sea_league", "first_check_round"), CASES)
def test_one_game_goes_as_a_batch_of_one(
    seen: Counter[str], num_players: int, sea_league: str, first_check_round: int
) -> None:
    rules = Rules(sea_league=sea_league, first_check_round=first_check_round)
    for i in range(GAMES):
        seed = CASES.index((num_players, sea_league, first_check_round)) * GAMES + i
        options = {"rules": rules, "seed": seed, "reward": REWARDS[i % 3]}
        engine, single = both(num_players, **options)
        rng, finished = np.random.default_rng(seed), False
        while not finished:
            assert_alike(engine, single)
            action = choose(engine, rng, greedy=bool(i % 2))
            result = engine.step([action])
            assert_results_equal(result, single.step([action]))
            finished = bool(result.finished[0])
        assert_alike(engine, single)  # dealt anew
        note(seen, engine, result.final)


def note(seen: Counter[str], engine: Engine, final: State) -> None:
    seen["games"] += 1
    seen["ended early"] += int(final.round[0] < 12)
    seen["leagues"] += int(final.leagues.sum())
    seen["rings"] += int((final.ring_cells < engine.tables.num_hexes).sum())
    seen[engine.tables.edition.scenarios[final.scenario[0]].name] += 1


@pytest.mark.parametrize("num_players", PLAYERS)
def test_a_game_that_is_over_waits(num_players: int) -> None:
    engine, single = both(num_players, seed=5, autoreset=False)
    rng = np.random.default_rng(0)
    while single.seat >= 0:
        action = engine.sample_legal(rng)
        assert_results_equal(engine.step(action), single.step(action))
    assert_alike(engine, single)
    for anything in ([0], [10**9]):
        assert_results_equal(engine.step(anything), single.step(anything))
    assert single.play(10**9) == [0.0] * num_players
    assert_alike(engine, single)


@pytest.mark.parametrize("reward", REWARDS)
def test_scalars_are_the_arrays_without_their_axes(reward: str) -> None:
    engine, single = both(3, seed=8, reward=reward, autoreset=False)
    rng = np.random.default_rng(1)
    while single.seat >= 0:
        action = choose(engine, rng, greedy=True)
        result = engine.step([action])
        assert single.play(action) == result.rewards[0].tolist()
        assert single.game.points == result.points[0]
        assert single.game.totals == engine.state.totals[0].tolist()
    assert single.game.finished
    assert sum(single.game.shares) == 1


@pytest.mark.parametrize("num_players", PLAYERS)
def test_states_of_a_batch_go_on_alike(num_players: int) -> None:
    for i, source in enumerate(random_moments(num_players)):
        if i % 7 and not source.state.finished[0]:
            continue
        engine, single = both(num_players, seed=99)
        engine.state = single.state = source.state
        assert_alike(engine, single)
        single.state = State.from_bytes(single.state.to_bytes())
        rng = np.random.default_rng(i)
        for _ in range(3 * num_players):
            action = engine.sample_legal(rng)
            assert_results_equal(engine.step(action), single.step(action))
        assert_alike(engine, single)


def test_whoever_keeps_the_state_or_a_part_of_it_sees_it_go_on() -> None:
    engine, single = both(2, seed=3)
    rng = np.random.default_rng(0)
    state, deck = single.state, single.state.deck
    fiefs = single.state.fiefs[0, 1]
    episodes = set()
    for _ in range(120):
        action = engine.sample_legal(rng)
        engine.step(action)
        single.step(action)
        assert_states_equal(engine.state, state)
        episodes.add(int(state.episode[0]))
    assert episodes >= {0, 1, 2}
    del state
    played(engine, 5)
    played(single, 5)
    assert np.array_equal(deck, engine.state.deck)
    assert np.array_equal(fiefs, engine.state.fiefs[0, 1])


def test_edits_of_the_state_hold_once_it_is_assigned() -> None:
    single = played(SingleEngine(3, seed=4), 3)
    assert single.state.phase[0] == PLACE
    seat = single.seat
    single.state.plan[0, seat] = plan_action(INACTIVE_CARD, CITIES)
    single.state.ring_stock[0, seat] = 0
    single.state = single.state
    engine = Engine(1, 3)
    engine.state = single.state
    assert_alike(engine, single)
    assert single.state.ring_stock[0, seat] == 0


def test_states_of_other_games_are_refused() -> None:
    single = SingleEngine(3)
    before = single.state.copy()
    for state in (Engine(1, 2).state, Engine(2, 3).state):
        with pytest.raises(StateError):
            single.state = state
    assert single.state == before


@pytest.mark.parametrize("num_players", PLAYERS)
def test_illegal_actions_get_the_same_answer_and_change_nothing(num_players: int) -> None:
    rng = np.random.default_rng(num_players)
    rules = set()
    for i, engine in enumerate(random_moments(num_players)):
        if i % 3 or engine.state.finished[0]:
            continue
        single = SingleEngine(num_players)
        single.state = engine.state
        illegal = rng.permutation(np.flatnonzero(~engine.legal_action_mask()[0])).tolist()
        some = illegal[:4] + [action for action in illegal if action < NUM_PLANS][:4]
        for action in [*some, -1, engine.actions.size, 1.5, True, None, "a"]:
            expected = answer(engine.step, [action])
            assert answer(single.step, [action]) == expected
            assert answer(single.play, action) == expected
            rules.add(expected[2])
        assert_states_equal(engine.state, single.state)
    assert rules >= {"R3.2", "R3.3", "R3.6", "R4.2", "R4.3", "R5.1", None}


def answer(play: Callable[[Any], object], action: object) -> tuple[type, str, str | None]:
    with pytest.raises(ActionError) as caught:
        play(action)
    error = caught.value
    return type(error), str(error), error.rule if isinstance(error, IllegalActionError) else None


@pytest.mark.parametrize("action", [np.int64(3), np.uint8(3), np.array(3), 3])
def test_integers_of_any_kind_are_actions(action: object) -> None:
    single = SingleEngine(2, seed=1)
    assert single.mask()[3]
    single.play(action)
    assert single.state.plan[0, 0] == 3


@pytest.mark.parametrize(
    "twin",
    [SingleEngine.copy, copy.copy, copy.deepcopy, lambda e: pickle.loads(pickle.dumps(e))],
    ids=["copy", "copy.copy", "deepcopy", "pickle"],
)
@pytest.mark.parametrize("num_steps", [0, 5, 41, 500])
def test_copies_go_on_alike_and_apart(
    twin: Callable[[SingleEngine], SingleEngine], num_steps: int
) -> None:
    single = played(SingleEngine(3, seed=6, autoreset=num_steps < 500), num_steps)
    single.mask()
    other, before = twin(single), single.state.copy()
    seen = [single.observation(seat) for seat in range(3)]
    ahead = played(other, 25).state
    assert single.state == before
    for seat in range(3):
        assert np.array_equal(single.observation(seat), seen[seat])
    assert_states_equal(played(single, 25).state, ahead)
    assert_alike_after(single, other)


def assert_alike_after(single: SingleEngine, other: SingleEngine) -> None:
    engine = Engine(1, 3)
    engine.state = single.state
    assert_alike(engine, single)
    assert_alike(engine, other)


def test_what_is_handed_out_is_the_callers_own() -> None:
    single = played(SingleEngine(4, seed=2), 6)
    for ask in (single.mask, lambda: single.observation(1), single.num_legal):
        first = ask()
        kept = first.copy()
        first[...] = 7
        assert np.array_equal(ask(), kept)
    single.state = Engine(1, 4, seed=2).state
    single.mask()[...] = 7  # of plans, too
    assert set(single.mask().tolist()) == {0, 1}


def test_resets_deal_as_the_batch_does() -> None:
    engine, single = both(4, seed=11)
    for options in ({}, {"seed": 2**64 + 5}, {"seed": np.array([7])}, {}):
        engine.reset(**options)
        single.reset(**options)
        assert_alike(engine, single)
    source = Engine(1, 4, seed=90).state
    deal = Deal(source.scenario, source.deck, source.objective)
    engine.reset(deal=deal)
    single.reset(deal=deal)
    assert_alike(engine, single)
    with pytest.raises(OptionError, match="seed"):
        single.reset(seed=[1, 2])
    with pytest.raises(OptionError, match="deal"):
        single.reset(deal=3)
    assert_alike(engine, single)


def test_chance_falls_as_in_the_batch() -> None:
    engine, single = both(3, seed=1)
    rngs = np.random.default_rng(3), np.random.default_rng(3)
    for _ in range(60):
        seat = int(engine.seats[0])
        drawn = [e.resample(seat, rng) for e, rng in zip((engine, single), rngs, strict=True)]
        assert drawn[0] == drawn[1]
        actions = [e.sample_legal(rng) for e, rng in zip((engine, single), rngs, strict=True)]
        assert actions[0] == actions[1]
        engine.step(actions[0])
        single.step(actions[1])


def test_rows_name_the_game_or_none() -> None:
    engine, single = both(2, seed=1)
    none = np.array([], dtype=np.int64)
    for e in (engine, single):
        assert e.legal_action_mask(none).shape == (0, e.actions.size)
        assert e.observe(rows=none).shape == (0, e.features.size)
        assert e.sample_legal(np.random.default_rng(), none).shape == (0,)
        with pytest.raises(OptionError, match="row 1"):
            e.observe(rows=np.array([1]))
    assert_results_equal(engine.step([], none), single.step([], none))
    one = np.array([0])
    assert_results_equal(engine.step([3], one), single.step([3], one))
    assert_alike(engine, single)
    mask, seen = engine.legal_action_mask() & False, engine.observe() * 0
    assert single.legal_action_mask(out=mask) is mask
    assert single.observe(1, out=seen) is seen
    assert np.array_equal(mask, engine.legal_action_mask())
    assert np.array_equal(seen, engine.observe(1))
    with pytest.raises(OptionError, match="seat is 2"):
        single.observe(2)


def test_a_finished_game_that_is_restored_knows_who_won() -> None:
    single, rng = SingleEngine(3, seed=2, autoreset=False), np.random.default_rng(0)
    while single.seat >= 0:
        single.play(int(single.sample_legal(rng)[0]))
    assert sum(single.game.shares) == 1
    for twin in (copy.deepcopy(single), pickle.loads(pickle.dumps(single))):
        assert twin.game.shares == single.game.shares


def test_a_state_that_is_kept_sees_a_reset_too() -> None:
    single, engine = SingleEngine(3, seed=2), Engine(1, 3, seed=2)
    kept, also = single.state, engine.state
    single.reset(9)
    engine.reset(9)
    assert kept == also == Engine(1, 3, seed=9).state


@pytest.mark.parametrize("action", [[[1], [2, 3]], [1], "1", None, 1.5, True])
def test_what_is_no_action_is_named(action: object) -> None:
    with pytest.raises(ActionError):
        SingleEngine().play(action)
