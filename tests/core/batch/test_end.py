"""R7: when a game ends."""

from functools import cache
from typing import Any

import pytest

from gonzaga_env.core.config import Rules
from gonzaga_env.core.state import open_sites
from tests.core.positions import BOARD, SITES, Placement, Position, fitting
from tests.oracle_editions import Hex


def num_open_sites(position: Position) -> int:
    return int(open_sites(position.engine.tables, position.state)[0])


def flourishing_sites(position: Position) -> list[Hex]:
    return sorted(cell for cell in SITES if BOARD.region_of[cell] in position.flourishing)


@cache
def only_on(site: Hex) -> list[Placement]:
    """Returns the placements that cover this site and no other."""
    return [placement for placement in fitting() if placement.hexes & SITES == {site}]


def cover_all_but(num_open: int, **options: Any) -> Position:
    """Returns a two-player game with a number of open flourishing sites.

    The seats take turns to place a fief, each fief once, or a ring where none fits.
    """
    position = Position(2, None, **options)
    taken: set[Hex] = set()
    used: set[tuple[int, int]] = set()
    for number, site in enumerate(flourishing_sites(position)[num_open:]):
        seat = number % 2
        free = (p for p in only_on(site) if not p.hexes & taken and (seat, p.fief) not in used)
        if (placement := next(free, None)) is None:
            position.wed(seat, site)
        else:
            position.place(seat, placement)
            taken |= placement.hexes
            used.add((seat, placement.fief))
    assert num_open_sites(position) == num_open
    return position


@pytest.mark.parametrize("num_open", [0, 2, 3, 4, 5])
def test_r7_1_three_open_sites_or_fewer_make_the_next_round_the_last(num_open: int) -> None:
    position = cover_all_but(num_open)
    position.begin_round(6)
    assert not position.donate_round().finished[0]
    assert position.state.round[0] == 7
    assert position.state.last_round[0] == (num_open <= 3)
    assert position.donate_round().finished[0] == (num_open <= 3)


def test_r7_1_nobody_acts_after_the_last_round() -> None:
    position = cover_all_but(3)
    position.begin_round(6)
    position.donate_round()
    position.donate_round()
    assert position.engine.seats[0] == -1
    assert position.legal() == set()


@pytest.mark.parametrize("ring", [True, False])
def test_r7_1_a_ring_covers(ring: bool) -> None:
    position = cover_all_but(4)
    position.begin_round(6)
    row, col = flourishing_sites(position)[0]
    position.plans(f"{BOARD.region_of[row, col]} C", "inactive A")
    position.play("donate")  # seat 1, which plays A
    position.play(f"ring {row},{col}" if ring else "donate")
    assert position.state.last_round[0] == ring


def test_r7_1_sites_of_inactive_regions_do_not_count() -> None:
    position = Position(2, None)
    flourishing = flourishing_sites(position)
    assert num_open_sites(position) == len(flourishing) == 24
    position.wed(0, min(SITES - {*flourishing}))
    assert num_open_sites(position) == 24
    position.wed(0, flourishing[0])
    assert num_open_sites(position) == 23


def test_r7_1_a_site_that_two_players_hold_is_covered_once() -> None:
    position = Position(2, None)
    site = flourishing_sites(position)[0]
    position.wed(0, site)
    position.place(1, only_on(site)[0])
    assert num_open_sites(position) == 23


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_r7_2_after_twelve_rounds_it_is_over(num_players: int) -> None:
    position = Position(num_players, None)
    for number in range(1, 13):
        assert position.state.round[0] == number
        assert position.state.last_round[0] == (number == 12)
        assert position.donate_round().finished[0] == (number == 12)
    assert position.scores("donations") == [36] * num_players


@pytest.mark.parametrize(
    ("first", "number"), [(1, 1), (3, 2), (3, 3), (6, 1), (6, 5), (6, 6), (6, 10), (12, 10)]
)
def test_r7_1_r7_3_the_first_check_is_an_option(first: int, number: int) -> None:
    position = cover_all_but(3, rules=Rules(first_check_round=first))
    position.begin_round(number)
    position.donate_round()
    assert position.state.last_round[0] == (number >= first)
