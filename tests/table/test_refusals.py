"""Refusals agree with the naive oracle on what is legal, and name the hexes at fault.

Their reasons in words are tested in core/view/test_illegal.
"""

from typing import Any

import numpy as np
import pytest

from gonzaga_env.core import Game
from gonzaga_env.core.board.actions import NO_PLAN, NUM_PLANS
from gonzaga_env.core.refusals import Refusal, RefusalFinder, fief_hexes, ways_to_cover
from tests.core.positions import BOARD, Placement, Position, find, fitting, placements
from tests.marks import nightly
from tests.oracle import OracleGame
from tests.table.oracles import EDITION, games_beside_oracles


def finder_of(game: Game, seat: int) -> RefusalFinder:
    return RefusalFinder(game.tables, game.state, seat, int(game.state.plan[0, seat]))


def check_fiefs(finder: RefusalFinder, legal: set[str], rng: np.random.Generator) -> None:
    """Compares many placements, on the map and beside it, with what is legal."""
    fief, cells_of = finder.fief_shape, EDITION.placements[finder.fief_shape.number]
    allowed = {placement.cells for placement in cells_of if placement.text in legal}
    for _ in range(150):
        at = int(rng.integers(-2, 22)), int(rng.integers(-2, 24))
        cells = fief_hexes(fief, int(rng.integers(6)), at)
        refusal = finder.refuse_fief([cells, *ways_to_cover(fief, cells)])
        assert (refusal is None) == (frozenset(cells) in allowed), (cells, refusal)
        if refusal is not None:
            assert refusal.hexes
            assert set(refusal.hexes) <= set(cells)


def check_rings(finder: RefusalFinder, oracle: OracleGame, rng: np.random.Generator) -> None:
    """Compares one ring and two with what is legal, in either order, also where rings lie."""
    legal, lie = oracle.legal_actions(), set().union(*oracle.ring_hexes)
    pairs = [BOARD.ring_pairs[i] for i in rng.integers(len(BOARD.ring_pairs), size=60).tolist()]
    pairs += [pair for pair in BOARD.ring_pairs if lie & {*pair}]
    for pair in pairs:
        one, two = (" ".join(f"{row},{col}" for row, col in cells) for cells in (pair[:1], pair))
        for cells, text in ((pair[:1], f"ring {one}"), (pair, f"rings {two}")):
            for asked in (cells, cells[::-1]):
                refusal = finder.refuse_rings(asked)
                assert (refusal is None) == (text in legal)
                check_hexes(refusal, asked)
    hexes = sorted(BOARD.region_of)
    apart = finder.refuse_rings((hexes[0], hexes[-1]))
    assert apart is not None
    check_hexes(apart, (hexes[0], hexes[-1]))


def check_hexes(refusal: Refusal | None, asked: Any) -> None:
    """Checks that a refusal of rings names hexes, unless its reason lies elsewhere."""
    if refusal is not None:
        assert bool(refusal.hexes) != (refusal.kind in ("no_alliance", "few_rings")), refusal
        assert set(refusal.hexes) <= set(asked)


@pytest.mark.parametrize(("num_players", "every"), [(2, 3), *nightly((3, 1), (4, 1))])
def test_what_is_refused_is_illegal_for_the_oracle(num_players, every) -> None:
    rng, stages = np.random.default_rng(num_players), set()
    for game, oracle in games_beside_oracles(num_players, "each_player", seed=num_players):
        if oracle.round % every or oracle.seat is None:
            continue
        stages.add(oracle.phase)
        finder, legal = finder_of(game, oracle.seat), oracle.legal_actions()
        if oracle.phase == "place":
            check_fiefs(finder, legal, rng)
            check_rings(finder, oracle, rng)
            continue
        for plan in range(NUM_PLANS):
            refusal = RefusalFinder(game.tables, game.state, oracle.seat, plan).refuse_plan()
            assert (refusal is None) == (game.actions.to_text(plan) in legal)
    assert stages == {"plan", "place"}


def refused(position: Position, placement: Placement) -> Refusal:
    engine = position.engine
    seat = int(engine.seats[0])
    finder = RefusalFinder(engine.tables, engine.state, seat, int(engine.state.plan[0, seat]))
    refusal = finder.refuse_fief([placement.cells])
    assert refusal is not None
    return refusal


def at(condition: Any, plan: str | None = None) -> tuple[Placement, Refusal]:
    """Returns the first placement of all that meets a condition, and why it is refused."""
    placement, position = find(placements(), condition), Position()
    position.turn(0, plan or position.plan_for(placement), placement.fief)
    return placement, refused(position, placement)


@pytest.mark.parametrize(
    ("condition", "kind", "rule", "at_fault"),
    [
        (lambda p: not p.on_map, "off_map", "R4.3", lambda p: p.hexes - BOARD.region_of.keys()),
        (
            lambda p: p.on_map and not p.castles_on_land,
            "castle",
            "R4.4",
            lambda p: {cell for cell in p.castles if not BOARD.region_of[cell]},
        ),
    ],
)
def test_hexes_off_the_map_and_castles_at_sea_are_named(condition, kind, rule, at_fault) -> None:
    placement, refusal = at(lambda p: p.regions and condition(p))
    assert (refusal.kind, refusal.rule) == (kind, rule)
    assert set(refusal.hexes) == at_fault(placement)
    assert refusal.values.get("sea", "Mare").startswith(("Mare", "Oceanus", "Pontus"))


def test_the_hexes_on_both_sides_of_a_barrier_are_named() -> None:
    placement, refusal = at(lambda p: p.on_map and p.castles_on_land and p.barred)
    assert (refusal.kind, refusal.rule) == ("barrier", "R4.5")
    assert {frozenset(pair) for pair in placement.barred} <= BOARD.barriers
    assert set(refusal.hexes) <= {cell for pair in placement.barred for cell in pair}
    assert len(refusal.hexes) >= 2
    named = next(
        barrier.name
        for barrier in Position().engine.tables.edition.barriers
        if {*map(frozenset, barrier.edges)} & {*map(frozenset, placement.barred)}
    )
    assert refusal.values == {"barrier": named}


def test_an_own_ring_in_the_way_is_named_and_others_are_not() -> None:
    """R4.3, R5.5."""
    placement = find(fitting(), lambda p: p.regions == {"Italia"})
    cell = find(placement.cells, lambda cell: BOARD.region_of[cell])
    for seat in (0, 1):
        position = Position()
        position.wed(seat, cell)
        position.turn_to(0, placement)
        if seat == 0:
            refusal = refused(position, placement)
            assert (refusal.kind, refusal.rule, refusal.hexes) == ("own_ring", "R4.3", (cell,))
        else:
            game = position.engine
            plan = int(game.state.plan[0, 0])
            assert (
                RefusalFinder(game.tables, game.state, 0, plan).refuse_fief([placement.cells])
                is None
            )


@pytest.mark.parametrize(
    ("card", "cities", "harbors", "at_fault"),
    [
        ("A", 0, 0, "all"),
        ("A", 1, 1, "cities"),
        ("B", 0, 1, "harbors"),
        ("C", 1, 0, "all"),
        ("C", 0, 1, "all"),
    ],
)
def test_sites_against_the_card_are_named(card, cities, harbors, at_fault) -> None:
    """R4.2."""
    placement, refusal = at(
        lambda p: p.fits and p.covers == (cities, harbors) and p.regions == {"Italia"},
        f"Italia {card}",
    )
    assert (refusal.kind, refusal.rule, refusal.values["card"]) == ("sites", "R4.2", card)
    named = len(refusal.values["cities"]), len(refusal.values["harbors"])
    assert named == (cities, harbors)
    expected = {"all": placement.hexes, "cities": placement.cities, "harbors": placement.harbors}
    assert set(refusal.hexes) == expected[at_fault]


def test_without_a_plan_only_map_and_pieces_are_judged() -> None:
    game = Game(2, seed=1)
    finder = RefusalFinder(game.tables, game.state, 1, NO_PLAN)
    fief = finder.fief_shape
    fits = find(fitting(), lambda p: p.fief == fief.number)
    assert finder.refuse_fief([fits.cells]) is None
    refusal = finder.refuse_fief([fief_hexes(fief, 0, (-9, -9))])
    assert refusal.kind == "off_map"
    assert finder.refuse_rings(((0, 0), (9, 9))) is not None


def test_the_privilege_of_a_plan_is_paid_before_its_wedding() -> None:
    """R3.4, R5.1: with one ring left, King's Privilege leaves none for a wedding."""
    game = Game(2, seed=1)
    state, text = game.state, f"{game.view(0).flourishing[0]} C"
    state.ring_stock[0, 0] = 1
    cell = next(c for c, r in sorted(BOARD.region_of.items()) if r == game.view(0).flourishing[0])
    for suffix, kind in (("", None), (" + privilege", "few_rings")):
        finder = RefusalFinder(game.tables, state, 0, game.actions.parse(text + suffix))
        refusal = finder.refuse_rings((cell,))
        assert (refusal and refusal.kind) == kind
