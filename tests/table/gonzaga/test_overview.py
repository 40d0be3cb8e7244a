"""What pieces add up to agrees with the naive oracle."""

import pytest
from gonzaga_table.gonzaga.overview import overview

from gonzaga_env.core import Game
from tests.marks import nightly
from tests.oracle import OracleGame, _connected
from tests.table.oracles import games_beside_oracles


def check(game: Game, oracle: OracleGame, seat: int) -> set[str]:
    """Compares what a seat is told; returns the states of its objective's cities."""
    told = overview(game.tables.edition, game.view(seat))
    for other in range(oracle.num_players):
        groups = [group for group in told.groups if group.seat == other]
        assert {group.pieces for group in groups} <= {oracle.largest_group(other)}
        for group in groups:
            cells = set(group.cells)
            rest = oracle.held(other) - cells
            assert cells <= oracle.held(other)
            assert not _connected(cells, rest)  # nothing more touches it
    cities, fiefs = oracle.edition.cities, [c for f in oracle.fiefs for own in f for c in own]
    assert {g.cell for g in told.objective} == {
        cell for cell in cities if cities[cell] in oracle.objectives[seat]
    }
    rings = set().union(*oracle.ring_hexes)
    for goal in told.objective:
        held = goal.cell in oracle.held(seat)
        assert (goal.status == "held") == held
        if not held:
            assert (goal.status == "open") == (goal.cell not in fiefs)
            assert (goal.status == "blocked") == (
                goal.cell in fiefs and (goal.cell in rings or not oracle.rings[seat])
            )
    for sea in told.seas:
        assert {h.cell for h in sea.harbors} == {
            cell for cell, name in oracle.edition.harbors.items() if name == sea.name
        }
        for harbor in sea.harbors:
            holders = [s for s in range(oracle.num_players) if harbor.cell in oracle.held(s)]
            assert list(harbor.seats) == holders
        assert list(sea.leagues) == [
            s for s in range(oracle.num_players) if sea.name in oracle.leagues[s]
        ]
    return {goal.status for goal in told.objective}


@pytest.mark.parametrize("num_players", [4, *nightly(2, 3)])
def test_groups_objective_and_harbors_are_those_of_the_oracle(num_players) -> None:
    found: set[str] = set()
    for game, oracle in games_beside_oracles(num_players, "first_only", seed=3):
        if oracle.phase == "place" and oracle.round % 2:
            found |= check(game, oracle, oracle.seat)
    assert found >= {"held", "open"}


def test_objectives_of_others_are_not_told() -> None:
    game = Game(2, seed=3)
    assert overview(game.tables.edition, game.view("public")).objective == ()
    mine = [overview(game.tables.edition, game.view(seat)).objective for seat in (0, 1)]
    assert mine[0] != mine[1]
