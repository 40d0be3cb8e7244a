"""Choosing among scores: the best, ties evenly and by position."""

import numpy as np
from gonzaga_agents.arrays import best_of_each
from scipy.stats import chisquare


def test_the_best_of_each_row_is_chosen() -> None:
    rng = np.random.default_rng(0)
    rows = np.repeat(np.arange(50), rng.integers(1, 9, size=50))
    scores = rng.permutation(len(rows)).astype(np.float32)  # no ties
    places = best_of_each(scores, rows, 50)
    np.testing.assert_array_equal(rows[places], np.arange(50))
    for row, place in enumerate(places):
        assert scores[place] == scores[rows == row].max()


def test_ties_are_broken_evenly_by_given_numbers() -> None:
    rng, num_rows = np.random.default_rng(7), 6000
    scores = np.tile(np.array([2, 5, 1, 5, 5 - 1e-6, 4.9], dtype=np.float32), num_rows)
    places = best_of_each(scores, np.arange(num_rows).repeat(6), num_rows, rng.random(num_rows))
    counts = np.bincount(places % 6, minlength=6)
    assert not counts[[0, 2, 5]].any()
    assert chisquare(counts[[1, 3, 4]]).pvalue > 0.001


def test_ties_are_broken_by_position() -> None:
    """Whatever else is in the batch, and about evenly over positions."""
    rng, num_rows = np.random.default_rng(3), 6000
    sizes = rng.integers(3, 60, num_rows)
    rows, starts = np.arange(num_rows).repeat(sizes), np.cumsum(sizes) - sizes
    scores = np.zeros(len(rows), dtype=np.float32)
    tied = starts[:, None] + np.stack([rng.permutation(size)[:3] for size in sizes])
    tied.sort(axis=1)
    scores[tied] = 5 - 1e-6 * rng.random(tied.shape, dtype=np.float32)
    places = best_of_each(scores, rows, num_rows)
    assert chisquare((places[:, None] == tied).sum(axis=0)).pvalue > 0.001
    for row in range(5):
        alone = best_of_each(scores[rows == row], np.zeros(sizes[row], np.int64), 1)
        assert alone[0] + starts[row] == places[row]


def test_rows_of_one_choose_it() -> None:
    scores = np.array([-100, 3], dtype=np.float32)
    assert best_of_each(scores, np.arange(2), 2).tolist() == [0, 1]
