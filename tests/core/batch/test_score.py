"""R6: points during the game."""

from collections.abc import Collection, Iterable
from itertools import product

import pytest

from gonzaga_env.core.config import Rules
from gonzaga_env.core.edition import Scenario
from tests.core.positions import (
    BOARD,
    COLOMBO,
    EDITION,
    SITES,
    Placement,
    Position,
    find,
    fitting,
)
from tests.oracle_editions import Hex

FIRST_ONLY = Rules(sea_league="first_only")


def harbors_of(sea: str) -> list[Hex]:
    return [cell for cell, name in BOARD.harbors.items() if name == sea]


def value(hexes: Iterable[Hex], flourishing: Collection[str] = COLOMBO) -> int:
    """Returns the points for the cities and harbors among hexes (R6.1)."""
    return sum(3 if BOARD.region_of[cell] in flourishing else 1 for cell in {*hexes} & SITES)


@pytest.mark.parametrize("covers", [(0, 0), (1, 0), (2, 0), (0, 1), (0, 2), (1, 1), (2, 1), (1, 2)])
@pytest.mark.parametrize("flourishing", [True, False])
def test_r6_1_three_points_in_a_flourishing_region_and_one_in_an_inactive(
    covers: tuple[int, int], flourishing: bool
) -> None:
    def fits(candidate: tuple[Scenario, Placement]) -> bool:
        scenario, placement = candidate
        sites = placement.hexes & SITES
        flourish = {BOARD.region_of[cell] in scenario.flourishing for cell in sites}
        return placement.covers == covers and flourish <= {flourishing}

    scenario, placement = find(product(EDITION.scenarios, fitting()), fits)
    position = Position(scenario.players, scenario.name)
    each = 3 if flourishing else 1
    assert position.place(0, placement) == each * sum(covers)
    assert position.scores("cities")[0] == each * covers[0]
    assert position.scores("harbors")[0] == each * covers[1]


def test_r6_1_each_site_counts_by_its_own_region() -> None:
    def mixed(candidate: tuple[Scenario, Placement]) -> bool:
        scenario, placement = candidate
        sites = placement.hexes & SITES
        return len({BOARD.region_of[cell] in scenario.flourishing for cell in sites}) == 2

    scenario, placement = find(product(EDITION.scenarios, fitting()), mixed)
    points = Position(scenario.players, scenario.name).place(0, placement)
    assert points == value(placement.hexes, scenario.flourishing)


@pytest.mark.parametrize("sea", EDITION.seas.values())
def test_r6_2_league_at_the_third_harbor_and_none_at_the_fourth(sea: str) -> None:
    position = Position()
    points = [position.wed(0, harbor) - value([harbor]) for harbor in harbors_of(sea)]
    assert points == [0, 0, 10, 0]
    assert position.scores("leagues") == [10, 0, 0]


@pytest.mark.parametrize(
    ("rules", "numbers", "leagues"),
    [
        (Rules(), [(2, 0), (2, 0), (2, 0)], [0, 0, 0]),
        (Rules(), [(3, 0), (3, 0), (0, 0)], [20, 0, 0]),
        (Rules(), [(2, 1), (0, 0), (0, 0)], [0, 0, 0]),
        (FIRST_ONLY, [(3, 0), (0, 3), (0, 0)], [10, 10, 0]),
    ],
    ids=["of different seas", "in each sea", "of other players", "first only, other seas"],
)
def test_r6_2_r6_3_a_league_takes_three_harbors_of_one_seat_in_one_sea(
    rules: Rules, numbers: list[tuple[int, int]], leagues: list[int]
) -> None:
    """Numbers of harbors, by sea and seat."""
    position = Position(rules=rules)
    for sea, (first, second) in zip(EDITION.seas.values(), numbers, strict=False):
        for i, harbor in enumerate(harbors_of(sea)[: first + second]):
            position.wed(int(i >= first), harbor)
    assert position.scores("leagues") == leagues


def two_of_a_sea(placement: Placement) -> bool:
    return len(placement.harbors) == 2 and len({BOARD.harbors[h] for h in placement.harbors}) == 1


def test_r6_2_at_once_four() -> None:
    position = Position()
    placement = find(fitting(), two_of_a_sea)
    sea = BOARD.harbors[min(placement.harbors)]
    for harbor in harbors_of(sea):
        if harbor not in placement.hexes:
            position.wed(0, harbor)
    assert position.place(0, placement) == value(placement.hexes) + 10
    assert position.scores("leagues") == [10, 0, 0]


def test_r6_2_fiefs_and_rings_count_together() -> None:
    position = Position()
    placement = find(fitting(), two_of_a_sea)
    sea = BOARD.harbors[min(placement.harbors)]
    position.place(0, placement)
    third = find(harbors_of(sea), lambda cell: cell not in placement.hexes)
    assert position.wed(0, third) == value([third]) + 10


def found_twice(rules: Rules) -> list[int]:
    """Returns the league points after seat 1 placed rings on harbors under fiefs of seat 0."""
    position = Position(rules=rules)
    placement = find(fitting(), two_of_a_sea)
    sea = BOARD.harbors[min(placement.harbors)]
    third, fourth = (cell for cell in harbors_of(sea) if cell not in placement.hexes)
    position.place(0, placement)
    position.wed(0, third)
    for harbor in (*placement.harbors, fourth):
        position.wed(1, harbor)
    position.settle()
    return position.scores("leagues")


def test_r6_3_each_player_may_found_a_league_in_a_sea() -> None:
    assert found_twice(Rules()) == [10, 10, 0]


def test_r6_3_first_only_allows_one_a_sea() -> None:
    assert found_twice(FIRST_ONLY) == [10, 0, 0]
