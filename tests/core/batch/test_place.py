"""R4: where a fief may be placed."""

from itertools import product

import numpy as np
import pytest

from tests.core.positions import (
    BOARD,
    COLOMBO,
    SITES,
    Placement,
    Position,
    find,
    fitting,
    placements,
)

INACTIVE = {"Germania", "Europa Orientalis"}  # of the scenario "Colombo"


def touching(placement: Placement, region: str) -> list[tuple[int, int]]:
    return [cell for cell in placement.cells if BOARD.region_of[cell] == region]


@pytest.mark.parametrize("action", "ABC")
def test_r4_1_one_hex_in_the_planned_region_is_enough(action: str) -> None:
    def just_reaches(candidate: tuple[Placement, str]) -> bool:
        placement, region = candidate
        inside = touching(placement, region)
        return placement.card == action and len(inside) == 1 and not SITES & set(inside)

    placement, region = find(product(fitting(), COLOMBO), just_reaches)
    position = Position()
    position.turn(0, f"{region} {action}", placement.fief)
    position.play(placement.text)
    assert position.state.fiefs[0, 0].any()


def test_r4_1_a_city_or_a_harbor_will_do_as_well() -> None:
    for sites in (BOARD.cities, BOARD.harbors):
        placement = find(
            fitting(), lambda p, sites=sites: sites.keys() >= set(touching(p, "Italia")) > set()
        )
        position = Position()
        position.turn(0, f"Italia {placement.card}", placement.fief)
        assert position.is_legal(placement.text)


@pytest.mark.parametrize("region", sorted(INACTIVE))
def test_r4_1_the_inactive_card_stands_for_every_inactive_region(region: str) -> None:
    placement = find(fitting(), lambda p: p.regions == {region} and p.card == "B")
    position = Position()
    position.turn(0, "inactive B", placement.fief)
    assert position.is_legal(placement.text)


def test_r4_1_a_fief_may_reach_from_a_flourishing_region_into_an_inactive_one() -> None:
    placement = find(fitting(), lambda p: p.regions & INACTIVE and p.regions - INACTIVE)
    position = Position()
    for region in placement.regions:
        position.turn(0, f"{position.region_card(region)} {placement.card}", placement.fief)
        assert position.is_legal(placement.text)


KINDS = {
    "A": [(0, 1), (0, 2)],
    "B": [(0, 0), (1, 0), (2, 0), (3, 0)],
    "C": [(1, 1), (2, 1), (1, 2)],
}
CASES = [(covers, action) for action, kinds in KINDS.items() for covers in kinds]


@pytest.mark.parametrize(("covers", "action"), CASES)
def test_r4_2_one_action_card_allows_what_a_fief_covers(
    covers: tuple[int, int], action: str
) -> None:
    placement = find(fitting(), lambda p: p.covers == covers)
    position = Position()
    region = position.region_card(min(placement.regions))
    for card in "ABC":
        position.turn(0, f"{region} {card}", placement.fief)
        assert position.is_legal(placement.text) == (card == action)
        if card != action:
            assert position.refusal(placement.text).rule == "R4.2"


def test_r4_7_nothing_else_can_be_covered() -> None:
    assert {p.covers for p in fitting()} <= {covers for covers, _ in CASES}


@pytest.mark.parametrize("owner", [0, 1])
def test_r4_3_no_hex_holds_a_fief_own_or_other(owner: int) -> None:
    first = fitting()[0]
    second = find(fitting(), lambda p: p.fief != first.fief and p.hexes & first.hexes)
    position = Position()
    position.turn_to(0, second)
    assert position.is_legal(second.text)
    position.place(owner, first)
    position.turn_to(0, second)
    error = position.refusal(second.text)
    assert (error.rule, error.seat) == ("R4.3", 0)
    assert "holds a fief" in str(error)


def test_r4_3_own_ring_blocks_others_do_not() -> None:
    placement = find(fitting(), lambda p: p.card == "B")
    land = find(placement.cells, lambda cell: BOARD.region_of[cell])
    position = Position()
    position.wed(1, land)
    position.turn_to(1, placement)
    error = position.refusal(placement.text)
    assert (error.rule, error.seat) == ("R4.3", 1)
    assert "own ring" in str(error)
    position.turn_to(0, placement)
    assert position.is_legal(placement.text)


def test_r4_3_r4_4_r4_5_every_placement_that_fits_is_legal_and_no_other() -> None:
    position = Position()
    for fief in range(1, 13):
        seen = set()
        for region in (*COLOMBO, "inactive"):
            for action in "ABC":
                position.turn(0, f"{region} {action}", fief)
                seen |= {text for text in position.legal() if text.startswith("fief")}
        expected = {p.text for p in fitting() if p.fief == fief}
        assert seen == {text.replace(f"fief {fief}", "fief") for text in expected}


def test_r4_6_a_placed_fief_stays() -> None:
    position = Position()
    first = find(fitting(), lambda p: p.fief == 1)
    position.place(0, first)
    alone = position.state.fiefs[0, 0].copy()
    second = find(fitting(), lambda p: p.fief == 2 and not p.hexes & first.hexes)
    position.place(0, second)
    position.wed(1, find(first.cells, lambda cell: BOARD.region_of[cell]))
    position.finish()
    held = position.state.fiefs[0, 0]
    assert (held & alone == alone).all()
    assert np.bitwise_count(held).sum() == len(first.cells) + len(second.cells)


def test_r4_one_action_for_each_way_to_lie() -> None:
    kept = set(fitting())
    twice = find(placements(), lambda p: p.fits and p not in kept)
    position = Position()
    position.turn_to(0, twice)
    assert "same hexes" in str(position.refusal(twice.text))
    lower = find(fitting(), lambda p: p.fief == twice.fief and p.hexes == twice.hexes)
    assert lower.rotation < twice.rotation
    assert position.is_legal(lower.text)
