"""Regions, layouts and actions (M1, M2; notation, parts 2 and 4)."""

import numpy as np

from gonzaga_env.tuscany.board import (
    CELL_NAMES,
    LAYOUTS,
    NEIGHBOURS,
    cells_of,
    region,
    region_tables,
    region_text,
)
from gonzaga_env.tuscany.constants import NUM_CELLS
from gonzaga_env.tuscany.edition import load_edition

EDITION = load_edition("reconstruction")


def _edges(joints: int) -> set[frozenset[str]]:
    return {
        frozenset({CELL_NAMES[i], CELL_NAMES[j]})
        for i, cells in enumerate(NEIGHBOURS[joints])
        for j in cells_of(cells)
    }


def test_joints_touch_as_the_notation_lists_them() -> None:
    lower = {"L8-M1", "L9-M1", "L9-M2", "L10-M2", "L10-M3"}
    higher = {"L8-M1", "L8-M2", "L9-M2", "L9-M3", "L10-M3"}
    for joints, signs in enumerate(("++", "+-", "-+", "--")):
        edges = _edges(joints)
        assert len(edges) == 67
        for sign, (left, right) in zip(signs, ("LM", "MR"), strict=True):
            found = {e for e in edges if {name[0] for name in e} == {left, right}}
            wanted = lower if sign == "+" else higher
            pairs = (edge.split("-") for edge in wanted)
            assert found == {frozenset({left + a[1:], right + b[1:]}) for a, b in pairs}


def test_layouts_turn_the_outer_boards_only() -> None:
    assert len({layout.text for layout in LAYOUTS}) == 96
    assert LAYOUTS[0].text == "A B C ++"
    assert LAYOUTS[16 * 5 + 8 + 4 + 2].text == "C' B A' -+"
    assert not any(layout.turned[1] for layout in LAYOUTS)


def test_a_turned_board_shows_its_letters_backwards() -> None:
    first, turned = region(EDITION.boards, 0, 0), region(EDITION.boards, 0, 8)
    assert region_text(first.colours, 0)[:10] == "VVFQVIAMWW"
    assert region_text(turned.colours, 0b1000000001)[:10] == "wWMAIVQFVv"


def test_zones_are_the_connected_cells_of_a_colour() -> None:
    for triple, layout in ((0, 0), (27, 54), (63, 95)):
        one = region(EDITION.boards, triple, layout)
        for cell in range(NUM_CELLS):
            zone, grown = 0, 1 << cell
            while zone != grown:
                zone = grown
                for member in cells_of(zone):
                    grown |= one.neighbours[member] & one.colour_cells[one.colours[cell]]
            assert one.zones[cell] == zone


def test_zones_have_the_sizes_that_the_rules_report() -> None:
    sizes = np.bitwise_count(region_tables(EDITION.boards).zones)
    means = [round(float((sizes == size).sum() / size / 6144), 1) for size in (1, 2, 3)]
    assert means == [14.9, 3.9, 2.4]  # M2
    assert sizes.max() == 3
