"""States from observations: they agree with the true game in all that the seat knows."""

from collections import Counter
from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest

from gonzaga_env.core import (
    Engine,
    GameConfig,
    OptionError,
    Rules,
    State,
    StateError,
    states_from_observations,
)
from gonzaga_env.core.state.state import PLACE, PLAN
from tests.conftest import played

CASES = list(product((2, 3, 4), ("each_player", "first_only")))


def busy_games(num_players: int, sea_league: str, num_games: int = 24) -> Iterator[Engine]:
    """Yields an engine before every step: games with weddings, privileges and donations."""
    rules = Rules(sea_league=sea_league)
    engine = Engine(num_games, num_players, rules=rules, seed=7 * num_players, autoreset=False)
    rng = np.random.default_rng(num_players)
    while (engine.seats >= 0).any():
        yield engine
        actions = engine.sample_legal(rng)
        rows, legal = engine.legal_actions()
        rings = (legal >= engine.actions.ring.start) & (legal < engine.actions.donate)
        for row in np.unique(rows[rings]):
            if rng.random() < 0.4:
                actions[row] = rng.choice(legal[rings & (rows == row)])
        engine.step(actions)


def drawn(engine: Engine, seat: int, rng: np.random.Generator, num_samples: int = 1) -> Engine:
    states = states_from_observations(engine.config, engine.observe(seat), rng, num_samples)
    return Engine.from_state(engine.config, states, copy=False)


@pytest.mark.parametrize(("num_players", "sea_league"), CASES)
def test_the_seat_sees_the_same_and_may_do_the_same(num_players: int, sea_league: str) -> None:
    rng = np.random.default_rng(0)
    phases = set()
    for step, engine in enumerate(busy_games(num_players, sea_league)):
        over = engine.state.finished
        if over.any() or (step % 5 and step > 4 * num_players):
            continue
        phases.add((int(engine.state.phase[0]), int(engine.state.num_acted[0])))
        for seat in range(num_players):
            twin = drawn(engine, seat, rng)
            assert np.array_equal(twin.observe(seat), engine.observe(seat))
            assert np.array_equal(twin.seats, engine.seats)
            own = np.flatnonzero(engine.seats == seat)
            mask = engine.legal_action_mask(own)
            assert np.array_equal(twin.legal_action_mask(own), mask)
    assert phases >= set(product((PLAN, PLACE), range(num_players)))


@pytest.mark.parametrize(("num_players", "sea_league"), CASES)
def test_with_the_hidden_rest_filled_in_the_game_goes_on_alike(
    num_players: int, sea_league: str
) -> None:
    """Every later mask, point and final score is the true game's, to the end."""
    rng = np.random.default_rng(1)
    for step, engine in enumerate(busy_games(num_players, sea_league, num_games=8)):
        if step % 11 or engine.state.finished.any():
            continue
        seat = step % num_players
        states = states_from_observations(engine.config, engine.observe(seat), rng)
        reveal(states, engine.state)
        twin, original = Engine.from_state(engine.config, states, autoreset=False), engine.copy()
        while (original.seats >= 0).any():
            assert np.array_equal(twin.legal_action_mask(), original.legal_action_mask())
            actions = original.sample_legal(rng)
            results = [e.step(actions) for e in (twin, original)]
            assert np.array_equal(results[0].points, results[1].points)
            assert np.array_equal(results[0].rewards, results[1].rewards)
        assert np.array_equal(twin.state.scores, original.state.scores)
        for other in range(num_players):
            assert np.array_equal(twin.observe(other), original.observe(other))


def reveal(states: State, truth: State) -> None:
    """Writes what was hidden: objectives, decks and sealed plans."""
    for name in ("objective", "deck", "plan"):
        getattr(states, name)[:] = getattr(truth, name)


def test_samples_of_an_observation_stand_together() -> None:
    engine, rng = played(Engine(3, 3, seed=5), 10), np.random.default_rng(0)
    twin = drawn(engine, 1, rng, num_samples=4)
    assert twin.num_games == 12
    assert np.array_equal(twin.observe(1), engine.observe(1).repeat(4, axis=0))
    assert len({tuple(row) for row in twin.state.objective.tolist()}) > 3


def test_observations_of_several_seats_and_phases_may_stand_together() -> None:
    engine = Engine(16, 4, seed=6)
    rng = np.random.default_rng(3)
    for _ in range(80):
        rows = np.flatnonzero(rng.random(16) < 0.5)
        engine.step(engine.sample_legal(rng, rows), rows)
    assert len(set(engine.state.phase.tolist())) == 2
    seats = engine.seats
    states = states_from_observations(engine.config, engine.observe(), rng)
    twin = Engine.from_state(engine.config, states)
    assert np.array_equal(twin.seats, seats)
    assert np.array_equal(twin.observe(), engine.observe())
    assert np.array_equal(twin.legal_action_mask(), engine.legal_action_mask())


def hidden(state: State) -> list[Counter[tuple[int, ...]]]:
    """Counts what is hidden from seat 0: the others' objectives, next fiefs and plans."""
    top = np.take_along_axis(state.deck, state.round[:, None, None].astype(np.int64), axis=2)
    values = (state.objective[:, 1], top[:, 0, 0], top[:, 1, 0], state.plan[:, 1])
    return [Counter(zip(value.tolist(), strict=True)) for value in values]


def test_both_ways_of_drawing_agree_in_distribution() -> None:
    """A chi-square test of homogeneity for each hidden thing, at one in ten thousand."""
    rng = np.random.default_rng(4)
    engine = played(Engine(1, 3, seed=8), 6 * 3 + 2)  # two sealed plans in the fourth round
    assert (engine.state.phase[0], engine.state.num_acted[0]) == (PLAN, 2)
    samples = 20_000
    from_observation = states_from_observations(engine.config, engine.observe(0), rng, samples)
    for one, other in zip(
        hidden(from_observation), hidden(engine.resample(0, rng, samples)), strict=True
    ):
        assert one.keys() == other.keys()
        assert len(one) > 5
        counts = np.array([[c[key] for key in one] for c in (one, other)], dtype=float)
        expected = counts.mean(axis=0)
        chi_square = ((counts - expected) ** 2 / expected).sum()
        degrees = len(one) - 1
        limit = degrees * (1 - 2 / (9 * degrees) + 3.72 * (2 / (9 * degrees)) ** 0.5) ** 3
        assert chi_square < limit  # Wilson and Hilferty's limit for 1e-4


def changed(observations: np.ndarray, name: str, value: int) -> np.ndarray:
    """Returns observations of which the second has another value of a feature."""
    changed = observations.copy()
    Engine(1, 3).features.view(changed, name)[1] = value
    return changed


@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        (lambda o: o[:, :-1], OptionError, r"observations are ndarray uint8 \[2, 3"),
        (lambda o: o[0], OptionError, "observations are ndarray uint8"),
        (lambda o: o.astype(np.float32), OptionError, "observations are ndarray float32"),
        (lambda o: None, OptionError, "observations are NoneType"),
        (lambda o: o.tolist(), OptionError, "observations are list"),
        (lambda o: o * 0, StateError, "observation 0 shows no seat, as those of finished games do"),
        (lambda o: changed(o, "round", 13), StateError, "observation 1 has an impossible round"),
        (lambda o: changed(o, "phase", 7), StateError, "observation 1 has an impossible phase"),
        (lambda o: changed(o, "num_acted", 3), StateError, "observation 1 has an impossible num_a"),
        (lambda o: changed(o, "rings", 1), StateError, "observation 1 shows more than 6 rings"),
        (lambda o: changed(o, "flourishing", 1), StateError, "observation 1 is of another game"),
        (lambda o: changed(o, "symbols", 1), StateError, "no objective has these symbols"),
    ],
)
def test_other_arrays_are_refused(change, error: type[Exception], words: str) -> None:
    config, rng = GameConfig(3), np.random.default_rng(0)
    observations = Engine.from_config(config, 2).observe()
    with pytest.raises(error, match=words):
        states_from_observations(config, change(observations), rng)
    with pytest.raises(OptionError, match="num_samples is 0"):
        states_from_observations(config, observations, rng, 0)


def test_finished_games_are_refused() -> None:
    *_, engine = busy_games(2, "each_player", num_games=2)
    rng = np.random.default_rng(0)
    while (engine.seats >= 0).any():
        engine.step(engine.sample_legal(rng))
    with pytest.raises(StateError, match="finished game"):
        states_from_observations(engine.config, engine.observe(0), rng)
