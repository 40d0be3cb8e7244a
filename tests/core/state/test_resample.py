"""Resampling: uniform over what a seat cannot know, and with a past that could have happened.

`GONZAGA_FUZZ=50000 python -m pytest tests/core/state/test_resample.py` draws and plays more.
"""

import os
from collections.abc import Iterator

import numpy as np
import pytest

from gonzaga_env.core import Engine, GameConfig, State
from gonzaga_env.core.board import bits
from gonzaga_env.core.state import PLAN, Deal, legal_plans
from tests.marks import some_nightly
from tests.twins import History, random_history
from tests.uniform import assert_uniform

FUZZ = int(os.environ.get("GONZAGA_FUZZ", "600"))
SAMPLES = 10 * FUZZ
#: Number of players, steps: the deal, sealed plans, and placements, early and late.
POSITIONS = [(p, steps) for p in (2, 3, 4) for steps in (0, p - 1, p + 1, 9 * p - 1, 15 * p)]


def hidden_parts(
    engine: Engine, states: State, seat: int
) -> Iterator[tuple[str, np.ndarray, set[tuple[int, ...]]]]:
    """Yields what was drawn [M, n] in the first game's samples, and all that is possible."""
    true, num_players = engine.state, engine.num_players
    others = [other for other in range(num_players) if other != seat]
    free = set(range(16)) - {int(true.objective[0, seat])}
    if len(others) > 1:
        pairs = {(one, two) for one in free for two in free - {one}}
        yield "objectives of two", states.objective[:, others[:2]], pairs
    for other in others:
        yield "objective", states.objective[:, [other]], {(a,) for a in free}
    left = 12 - int(true.round[0])
    for owner in range(num_players):
        fiefs = [int(fief) for fief in true.deck[0, owner, 12 - left :]]
        for place in {0, left // 2, left - 1} if left else ():
            drawn = states.deck[:, owner, 12 - left + place, None]
            yield f"fief {place} of player {owner}", drawn, {(fief,) for fief in fiefs}
        ends = {(a, b) for a in fiefs for b in fiefs if a != b}
        if left > 1:
            yield "first and last fief", states.deck[:, owner][:, [12 - left, 11]], ends
    for other in others:
        if true.phase[0] == PLAN and other < true.num_acted[0]:
            legal = legal_plans(engine.tables, true, np.array([0]), np.array([other]))
            plans = np.flatnonzero(bits.unpack(legal[:, None], 42)[0]).tolist()
            yield f"plan of player {other}", states.plan[:, [other]], {(a,) for a in plans}


@pytest.mark.parametrize(
    ("num_players", "steps"), some_nightly(POSITIONS, often=lambda case: case[1] == case[0] - 1)
)
def test_what_is_hidden_is_drawn_uniformly(num_players: int, steps: int) -> None:
    history = random_history(GameConfig(num_players), 40 + steps, steps)
    engine, rng = history.engine(), np.random.default_rng(steps)
    for seat in range(num_players):
        states = engine.resample(seat, rng, SAMPLES)
        for what, drawn, possible in hidden_parts(engine, states, seat):
            assert_uniform(drawn, possible, f"{what}, as seat {seat} draws")
        again = history.game().resample(seat, rng, 3)
        assert again.num_games == 3


def test_the_test_of_uniformity_finds_what_is_not() -> None:
    rng, possible = np.random.default_rng(0), {(i,) for i in range(12)}
    assert_uniform(rng.integers(12, size=(6000, 1)), possible, "fair")
    biased = np.minimum(rng.integers(13, size=(6000, 1)), 11)
    with pytest.raises(AssertionError, match="biased"):
        assert_uniform(biased, possible, "biased")
    with pytest.raises(AssertionError, match="impossible"):
        assert_uniform(rng.integers(13, size=(6000, 1)), possible, "impossible")


def with_secrets_of(history: History, state: State) -> History:
    """Returns the history that leads to a resampled state: its deal, and its sealed plans."""
    deal = Deal(state.scenario, state.deck, state.objective)
    actions = list(history.actions)
    if state.phase[0] == PLAN and state.num_acted[0] and not state.finished[0]:
        num_sealed = int(state.num_acted[0])
        actions[-num_sealed:] = state.plan[0, :num_sealed].tolist()
    return History(history.config, deal, tuple(actions))


def seen_by(history: History, seat: int) -> list[bytes]:
    """Returns all that a seat has observed from the deal on, with its masks at its decisions."""
    game = history.game(0)
    seen = [game.observation(seat).tobytes()]
    for action in history.actions:
        if game.seat == seat:
            seen.append(game.mask().tobytes())
        game.play(action)  # refuses what is illegal
        seen.append(game.observation(seat).tobytes())
    return seen


@pytest.mark.parametrize("number", range(FUZZ // 30))
def test_all_past_observations_of_the_seat_could_have_happened(number: int) -> None:
    """The game is played again from the resampled deal; the seat sees the same all the way."""
    num_players, rng = 2 + number % 3, np.random.default_rng(number)
    steps = int(rng.integers(2 * num_players, 20 * num_players))
    history = random_history(GameConfig(num_players), number, steps)
    for seat in range(num_players):
        state = (history.engine() if number % 2 else history.game()).resample(seat, rng)
        past = with_secrets_of(history, state)
        assert seen_by(past, seat) == seen_by(history, seat)
        played = past.game().state
        played.seed[:], played.episode[:] = state.seed, state.episode  # of later deals
        assert played == state
        assert state != history.game().state
