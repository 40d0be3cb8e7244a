"""Sequential halving of candidates."""

import numpy as np
from gonzaga_agents.search.sequential_halving import Root, best_candidates


def root_of(values: list[list[float]], actions: list[list[int]]) -> Root:
    """Returns decisions whose candidates have been tried once."""
    num = len(actions)
    root = Root.of(np.zeros((num, 1), np.uint8), 0, np.array(actions), np.zeros((num, 4)), 1)
    root.totals[:] = values
    root.visits[:] = 1
    return root


def test_the_better_half_stays_in_each_decision() -> None:
    root = root_of([[1, 4, 2, 3], [9, 8, 7, 0]], [[10, 11, 12, 13], [20, 21, 22, -1]])
    root.halve()
    assert root.alive.tolist() == [[False, True, False, True], [True, True, False, False]]
    root.halve()
    assert root.alive.tolist() == [[False, True, False, False], [True, False, False, False]]
    root.halve()  # one candidate always stays
    assert root.alive.sum(axis=1).tolist() == [1, 1]


def test_candidates_that_were_dropped_rank_behind_those_that_stayed() -> None:
    root = root_of([[1, 4, 2, 3]], [[10, 11, 12, 13]])
    root.halve()
    root.totals[0] = [100, 4, 50, 3]  # luck of few playouts does not bring them back
    assert root.ranking().tolist() == [[1, 3, 0, 2]]


def test_estimates_are_means_less_handicaps() -> None:
    root = root_of([[2, 4, 0, 0]], [[10, 11, 12, -1]])
    root.visits[0] = [4, 4, 0, 0]
    root.handicaps[0] = [0, -0.25, -0.125, 7]
    assert root.estimates().tolist() == [[0.5, 0.75, -0.125, -np.inf]]


def test_chances_never_rise_in_the_ranking() -> None:
    root = root_of([[24, 3, 1, 0]], [[10, 11, 12, -1]])
    root.visits[0] = [100, 10, 2, 0]  # 0.24; then 0.3 and 0.5 by the luck of few playouts
    chances = root.chances(0, np.array([0, 1, 2]))
    np.testing.assert_allclose(chances, [28 / 112] * 3)
    np.testing.assert_allclose(root.chances(0, np.array([2, 0])), [0.5, 0.24])
    assert root.chances(0, np.array([3])).tolist() == [0]


def test_handicaps_are_the_distance_to_the_best_prior() -> None:
    actions = np.array([[5, 6, -1]])
    root = Root.of(np.zeros((1, 1), np.uint8), 0, actions, np.array([[-2.0, -3.0, 0.0]]), 1)
    assert root.handicaps[0, :2].tolist() == [0, -1]


def test_a_decision_with_one_candidate_left_is_not_tried_again() -> None:
    root = root_of([[1, 4, 0, 0], [9, 0, 0, 0]], [[10, 11, -1, -1], [20, -1, -1, -1]])
    assert root.contested().tolist() == [[True, True, False, False], [False] * 4]
    root.halve()
    assert not root.contested().any()


def test_best_candidates_are_sorted_and_padded() -> None:
    rows, actions = np.array([0, 0, 0, 1, 2, 2]), np.array([5, 6, 7, 8, 9, 10])
    scores = np.array([1.0, 3.0, 2.0, -1.0, 0.5, 0.25])
    best, priors = best_candidates(rows, actions, scores, 3, 2, 0.1)
    assert best.tolist() == [[6, 7], [8, -1], [9, 10]]
    np.testing.assert_allclose(priors, [[0.3, 0.2], [-0.1, 0], [0.05, 0.025]])
