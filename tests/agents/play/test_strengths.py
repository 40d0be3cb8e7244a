"""The Davidson-Luce model: its special cases, and fits of results with known strengths."""

from collections.abc import Callable
from itertools import product

import numpy as np
import pytest
from gonzaga_agents.play.ratings import ChoiceModel
from gonzaga_agents.play.statistics import Ranking, choices_of


def test_a_ranking_is_a_sequence_of_choices() -> None:
    assert choices_of([(2, 1), (0, 0), (1, 2)]) == [((0, 1, 2), (0,)), ((1, 2), (2,))]
    assert choices_of([(0, 0), (1, 1), (1, 0), (2, 3)]) == [((0, 1, 1, 2), (0, 1)), ((1, 2), (1,))]
    assert choices_of([(0, 0), (1, 0)]) == [((0, 1), (0, 1))]


def probability(strengths: np.ndarray, ties: dict[int, float], ranking: Ranking) -> float:
    """Returns the probability of a ranking, from the formula and over sets of seats."""
    left, found = list(ranking), 1.0
    while len(left) > 1:
        best = min(place for _, place in left)
        subsets = [
            [seat for seat, chosen in zip(left, picks, strict=True) if chosen]
            for picks in product((False, True), repeat=len(left))
            if any(picks)
        ]

        def weight(seats: list[tuple[int, int]]) -> float:
            mean = np.prod([strengths[agent] for agent, _ in seats]) ** (1 / len(seats))
            return ties.get(len(seats), 0.0) * float(mean)

        found *= weight([seat for seat in left if seat[1] == best]) / sum(map(weight, subsets))
        left = [seat for seat in left if seat[1] != best]
    return found


def test_the_loss_is_that_of_the_formula() -> None:
    games: list[Ranking] = [
        [(0, 0), (1, 1), (2, 2)],
        [(1, 0), (1, 1), (2, 0)],
        [(2, 0), (0, 1), (1, 1)],
        [(0, 0), (0, 0), (2, 0)],
    ]
    model = ChoiceModel(3, list(enumerate(games)))
    strengths, ties = np.array([1.0, 2.0, 0.5]), {1: 1.0, 2: 0.3, 3: 0.1}
    parameters = np.log([*strengths, ties[2], ties[3]])
    base, others = np.zeros(model.counts.shape[1]), []
    for row in range(4):
        weights = model.counts[[row]].toarray()[0]
        others.append(model._loss(parameters, weights)[0] - model._loss(parameters, base)[0])
    expected = [-np.log(probability(strengths, ties, game)) for game in games]
    np.testing.assert_allclose(others, expected)


@pytest.mark.parametrize("loss", [ChoiceModel._loss, ChoiceModel._penalized_loss])
def test_gradients_are_derivatives(loss: Callable[..., tuple[float, np.ndarray]]) -> None:
    model, weights, at, steps = slopes()
    up, down = ([loss(model, at + s * step, weights)[0] for step in steps] for s in (1, -1))
    gradient = (np.array(up) - down) / 2e-5
    np.testing.assert_allclose(loss(model, at, weights)[1], gradient, atol=1e-6)


def test_the_hessian_is_the_derivative_of_the_gradient() -> None:
    model, weights, at, steps = slopes()
    up, down = ([model._loss(at + s * step, weights)[1] for step in steps] for s in (1, -1))
    np.testing.assert_allclose(model._hessian(at, weights), (np.array(up) - down) / 2e-5, atol=1e-6)


def slopes() -> tuple[ChoiceModel, np.ndarray, np.ndarray, np.ndarray]:
    """Returns a model, weights, parameters and small steps."""
    rng = np.random.default_rng(0)
    model = ChoiceModel(3, [(d, draw(rng, np.array([1, 2, 3.0]), 0.4)) for d in range(9)])
    weights, at = (
        rng.random(model.counts.shape[1]),
        rng.normal(size=3 + 2)[: model._chosen.shape[1]],
    )
    steps = 1e-5 * np.eye(len(at))
    return model, weights, at, steps


def draw(rng: np.random.Generator, strengths: np.ndarray, tie: float) -> Ranking:
    """Draws a ranking of all agents from the model, with ties of two."""
    left, places = list(range(len(strengths))), {}
    while left:
        options = [(i,) for i in left] + [(i, j) for i in left for j in left if i < j]
        weights = [
            np.prod(strengths[list(o)]) ** (1 / len(o)) * (tie if len(o) > 1 else 1)
            for o in options
        ]
        chosen = options[rng.choice(len(options), p=np.array(weights) / sum(weights))]
        places |= dict.fromkeys(chosen, len(strengths) - len(left))
        left = [i for i in left if i not in chosen]
    return list(places.items())


@pytest.mark.parametrize("num_agents", [2, 3, 4])
def test_known_strengths_and_ties_are_found(num_agents: int) -> None:
    rng = np.random.default_rng(num_agents)
    strengths = np.array([1.0, 2.0, 4.0, 0.5])[:num_agents]
    games = [(d, draw(rng, strengths, 0.25)) for d in range(3000)]
    found = ChoiceModel(num_agents, games).fit()
    np.testing.assert_allclose(found[1:num_agents] - found[0], np.log(strengths[1:]), atol=0.15)
    assert np.exp(found[num_agents]) == pytest.approx(0.25, abs=0.05)


def test_two_players_are_davidsons_model() -> None:
    """Its likelihood equations (1970): points won and ties are those that are expected."""
    games = (
        [(0, [(0, 0), (1, 1)])] * 60 + [(1, [(0, 1), (1, 0)])] * 25 + [(2, [(0, 0), (1, 0)])] * 15
    )
    model = ChoiceModel(2, games)
    one, two, log_tie = model.fit_weighted(np.ones(3), np.zeros((2, 2)))
    a, b, tie = np.exp([one, two, (one + two) / 2 + log_tie])
    np.testing.assert_allclose(np.array([a, b, tie]) / (a + b + tie), [0.6, 0.25, 0.15], atol=1e-3)


def test_a_half_is_added_to_victories_and_defeats() -> None:
    """Jeffreys' prior of two agents: also in Firth (1993), and finite for who lost every game."""
    for won, lost in ((7, 3), (10, 0)):
        games = [[(0, 0), (1, 1)], [(0, 1), (1, 0)]]
        model = ChoiceModel(2, list(enumerate(games)))
        one, two = model.fit(np.array([won, lost], dtype=float))
        assert one - two == pytest.approx(np.log((won + 0.5) / (lost + 0.5)), abs=1e-4)


def test_two_copies_of_an_agent_say_nothing_about_it() -> None:
    model = ChoiceModel(2, [(0, [(0, 0), (0, 1)])] * 50)
    found = model.fit()
    assert found[0] == pytest.approx(found[1], abs=1e-6)


def test_weights_stand_for_repetitions() -> None:
    rng = np.random.default_rng(1)
    games = [draw(rng, np.array([1.0, 3.0, 2.0]), 0.1) for _ in range(40)]
    model = ChoiceModel(3, list(enumerate(games)))
    twice = ChoiceModel(3, [*enumerate(games), *enumerate(games[:20])])
    weights = np.repeat([2.0, 1.0], 20)
    once, repeated = (
        m.fit_weighted(w, np.ones((3, 3))) for m, w in ((model, weights), (twice, np.ones(40)))
    )
    np.testing.assert_allclose(once, repeated, atol=1e-4)
