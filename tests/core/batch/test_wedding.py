"""R5: weddings."""

import dataclasses

import pytest

from gonzaga_env.kernel.errors import ActionError
from tests.core.positions import (
    BOARD,
    COLOMBO,
    EDITION,
    SITES,
    Position,
    cells_where,
    find,
    fitting,
    ring_text,
)
from tests.oracle_editions import Hex, share_side

EMPTY = cells_where(lambda cell: BOARD.region_of[cell] and cell not in SITES)
ITALIAN = [cell for cell in EMPTY if BOARD.region_of[cell] == "Italia"]
PAIRS = BOARD.ring_pairs


def regions_of(pair: tuple[Hex, Hex]) -> list[str | None]:
    return [BOARD.region_of[cell] for cell in pair]


def kind_of(region: str | None) -> str:
    if region is None:
        return "sea"
    return "flourishing" if region in COLOMBO else "inactive"


def planned(plan: str) -> Position:
    position = Position()
    position.turn(0, plan)
    return position


def test_r5_1_two_rings_need_two_in_stock() -> None:
    position = Position()
    for cell in ITALIAN[:5]:
        position.wed(0, cell)
    pair = find(PAIRS, lambda p: set(regions_of(p)) == {"Italia"} and not {*p} & {*ITALIAN[:5]})
    position.turn(0, "Italia C")
    error = position.refusal(ring_text(*pair))
    assert error.rule == "R5.1"
    assert position.is_legal(ring_text(pair[0]))
    position.play(ring_text(pair[0]))
    assert position.state.ring_stock[0, 0] == 0
    position.turn(0, "Italia C")
    assert position.refusal(ring_text(pair[1])).rule == "R5.1"


def test_r5_1_one_ring_or_two_leave_the_stock_and_no_fief_is_placed() -> None:
    position = Position()
    pair = find(PAIRS, lambda p: set(regions_of(p)) == {"Italia"})
    position.wed(0, *pair)
    assert position.state.ring_stock[0].tolist() == [4, 6, 6]
    assert not position.state.fiefs.any()
    far = find(ITALIAN, lambda cell: cell not in pair)
    position.wed(0, far)
    assert position.state.ring_stock[0].tolist() == [3, 6, 6]


def test_r5_2_first_ring_in_an_inactive_region_with_the_inactive_card() -> None:
    position = planned("inactive C")
    cell = find(EMPTY, lambda cell: BOARD.region_of[cell] == "Germania")
    assert position.is_legal(ring_text(cell))
    assert position.refusal(ring_text(ITALIAN[0])).rule == "R5.2"


@pytest.mark.parametrize("second", ["sea", "flourishing", "inactive"])
@pytest.mark.parametrize("place", [0, 1])
def test_r5_2_second_ring_on_sea_or_in_any_region(second: str, place: int) -> None:
    # `place` 1: the ring in the planned region is the eastern or southern one of the pair.
    def fits(pair: tuple[Hex, Hex]) -> bool:
        first_region, second_region = regions_of(pair)[:: 1 - 2 * place]
        differ = first_region in COLOMBO and second_region != first_region
        return differ and kind_of(second_region) == second

    pair = find(PAIRS, fits)
    position = planned(f"{regions_of(pair)[place]} C")
    position.play(ring_text(*pair))
    assert position.state.ring_stock[0, 0] == 4


def test_r5_2_second_ring_across_a_barrier() -> None:
    pair = find(PAIRS, lambda p: frozenset(p) in BOARD.barriers and "Italia" in regions_of(p))
    position = planned("Italia C")
    assert position.is_legal(ring_text(*pair))


def test_r5_2_second_ring_not_adjacent() -> None:
    position = planned("Italia C")
    far = find(ITALIAN, lambda cell: cell != ITALIAN[0] and not share_side(cell, ITALIAN[0]))
    for text in (ring_text(ITALIAN[0], far), ring_text(ITALIAN[0], ITALIAN[0])):
        with pytest.raises(ActionError, match=r"R5\.2"):
            position.engine.actions.parse(text)


def test_r5_2_every_pair_of_adjacent_hexes_is_one_action() -> None:
    pairs = {ring_text(*pair) for pair in PAIRS if "Italia" in regions_of(pair)}
    assert {text for text in planned("Italia C").legal() if text.startswith("rings")} == pairs


def test_r5_3_a_ring_scores_as_a_fief_does() -> None:
    position = Position()
    city = find(BOARD.cities, lambda cell: BOARD.region_of[cell] == "Italia")
    harbor = find(BOARD.harbors, lambda cell: BOARD.region_of[cell] == "Germania")
    assert position.wed(0, city) == 3
    assert position.wed(0, harbor) == 1
    assert position.wed(0, ITALIAN[0]) == 0
    assert (position.scores("cities")[0], position.scores("harbors")[0]) == (3, 1)


def test_r5_4_not_on_an_own_fief_but_on_anothers() -> None:
    position = Position()
    placement = find(fitting(), lambda p: p.covers == (1, 0) and p.regions == {"Italia"})
    (city,) = placement.cities
    assert position.place(1, placement) == 3
    position.turn(1, "Italia C")
    assert position.refusal(ring_text(city)).rule == "R5.4"
    assert position.wed(0, city) == 3, "the city belongs to both"


def test_r5_4_a_second_ring_not_on_an_own_fief() -> None:
    position = Position()
    placement = find(fitting(), lambda p: p.regions == {"Italia"})
    position.place(0, placement)
    position.turn(0, "Italia C")
    pair = find(
        PAIRS, lambda p: len(placement.hexes & {*p}) == 1 and set(regions_of(p)) == {"Italia"}
    )
    (free,) = {*pair} - placement.hexes
    assert position.is_legal(ring_text(free))
    assert position.refusal(ring_text(*pair)).rule == "R5.4"


@pytest.mark.parametrize("owner", [0, 1])
def test_r5_4_not_on_any_ring(owner: int) -> None:
    position = Position()
    position.wed(owner, ITALIAN[0])
    position.turn(0, "Italia C")
    assert position.refusal(ring_text(ITALIAN[0])).rule == "R5.4"
    pair = find(PAIRS, lambda p: ITALIAN[0] in p and set(regions_of(p)) == {"Italia"})
    assert position.refusal(ring_text(*pair)).rule == "R5.4"


def test_r5_5_a_fief_goes_under_anothers_ring_and_both_hold_the_hex() -> None:
    position = Position()
    placement = find(fitting(), lambda p: p.covers == (1, 0) and p.regions == {"Italia"})
    (city,) = placement.cities
    assert position.wed(0, city) == 3
    assert position.place(1, placement) == 3
    assert position.scores("cities") == [3, 3, 0]
    assert position.state.rings[0, 0].any()


def test_r5_6_rings_never_come_back_and_unspent_ones_are_worth_nothing() -> None:
    position = Position()
    position.wed(0, ITALIAN[0])
    position.begin_round(2)
    position.donate_round()
    position.finish()
    assert position.state.ring_stock[0].tolist() == [5, 6, 6]
    # Two donations each, and the ring is the largest group.
    assert position.state.totals[0].tolist() == [15 + 6, 6, 6]


@pytest.mark.parametrize("at", [slice(0, 1), slice(0, 2), slice(-1, None), slice(-2, None)])
def test_r5_1_weddings_on_the_first_and_last_hexes_of_a_map(at: slice) -> None:
    """They are at sea on the shipped map, so this one has land there."""
    places, num_hexes = EDITION.grid.cells[at], len(EDITION.grid)
    italian = next(mark for mark, name in EDITION.regions.items() if name == "Italia")
    marks = [list(line) for line in EDITION.marks]
    for row, col in places:
        marks[row][col] = italian
    position = Position(edition=dataclasses.replace(EDITION, marks=tuple(map(tuple, marks))))
    position.turn(0, "Italia C")
    position.play(ring_text(*places))
    cells = [*range(num_hexes)][at]
    assert position.state.ring_stock[0].tolist() == [6 - len(cells), 6, 6]
    assert position.state.ring_cells[0, 0, : len(cells)].tolist() == cells
    assert position.state.piece[0, 0, cells].tolist() == [13, 14][: len(cells)]
    position.settle()
