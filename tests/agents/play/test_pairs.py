"""Win shares of pairs, and cycles."""

import pytest
from gonzaga_agents.play.pairs import PairShares, cycles, pair_shares
from gonzaga_agents.play.statistics import Estimate


def test_shares_count_victories_and_half_of_ties() -> None:
    games = [(0, [(0, 0), (1, 1)]), (0, [(0, 0), (1, 0)]), (1, [(0, 1), (1, 0)])]
    shares = pair_shares(3, games)
    assert shares[0][1] is not None
    assert shares[1][0] is not None
    assert shares[0][1].mean == pytest.approx((0.75 + 0) / 2)  # the mean over deals
    assert shares[1][0].mean == pytest.approx(1 - shares[0][1].mean)
    assert shares[0][0] is None
    assert shares[0][2] is None


def test_at_a_table_every_seat_meets_every_other_agents_seats() -> None:
    games = [(deal, [(0, 0), (1, 1), (1, 2), (2, 1)]) for deal in range(5)]
    shares = pair_shares(3, games)
    means = [[None if share is None else share.mean for share in row] for row in shares]
    assert means == [[None, 1, 1], [0, None, 0.25], [0, 0.75, None]]


def beaten(size: int, *victories: tuple[int, int], low: float = 0.6) -> PairShares:
    """Returns shares in which some agents beat others and the rest is even."""
    even, won, lost = Estimate(0.5, 0.4, 0.6), Estimate(0.7, low, 0.8), Estimate(0.3, 0.2, 1 - low)
    return tuple(
        tuple(
            None
            if i == j
            else won
            if (i, j) in victories
            else lost
            if (j, i) in victories
            else even
            for j in range(size)
        )
        for i in range(size)
    )


def test_cycles_are_found_and_orders_are_not() -> None:
    assert cycles(beaten(3, (0, 1), (1, 2), (2, 0))) == ((0, 1, 2),)
    assert cycles(beaten(3, (0, 1), (1, 2), (0, 2))) == ()
    assert cycles(beaten(4, (0, 1), (1, 2), (2, 3), (3, 0))) == ((0, 1, 2, 3),)


def test_all_triples_of_a_group_are_listed() -> None:
    victories = [(0, 1), (1, 2), (2, 3), (3, 0), (1, 3)]
    assert cycles(beaten(4, *victories)) == ((0, 1, 3),)
    assert cycles(beaten(4, *victories, (2, 0))) == ((0, 1, 2), (0, 1, 3))
    two = [(0, 2), (2, 4), (4, 0), (1, 3), (3, 5), (5, 1)]
    assert cycles(beaten(6, *two)) == ((0, 2, 4), (1, 3, 5))


def test_a_victory_within_its_interval_makes_no_cycle() -> None:
    assert cycles(beaten(3, (0, 1), (1, 2), (2, 0), low=0.45)) == ()
