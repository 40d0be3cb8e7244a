"""States from observations: they agree with the true game in all that the seat knows."""

from collections import Counter
from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest

from gonzaga_env.core import (
    Engine,
    Rules,
    State,
    StateError,
    states_from_observations,
)
from gonzaga_env.core.state import PLAN
from tests.conftest import finished, played

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


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("round", 13, "observation 1 has an impossible round"),
        ("phase", 7, "observation 1 has an impossible phase"),
        ("num_acted", 3, "observation 1 has an impossible num_a"),
        ("rings", 1, "observation 1 shows more than 6 rings"),
        ("flourishing", 1, "observation 1 is of another game"),
        ("symbols", 1, "no objective has these symbols"),
    ],
)
def test_observations_that_no_game_shows_are_refused(name: str, value: int, words: str) -> None:
    engine = Engine(2, 3)
    observations = engine.observe()
    engine.features.view(observations, name)[1] = value
    with pytest.raises(StateError, match=words):
        states_from_observations(engine.config, observations, np.random.default_rng(0))


def test_finished_games_are_refused() -> None:
    engine = finished(2)
    with pytest.raises(StateError, match="finished game"):
        states_from_observations(engine.config, engine.observe(0), np.random.default_rng(0))
