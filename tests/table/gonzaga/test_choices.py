"""What a seat is told of its choices, spots and pieces, beside the engine and the naive oracle."""

from copy import deepcopy

import numpy as np
import pytest
from gonzaga_table.gonzaga.choices import Placing, Planning, planning
from gonzaga_table.gonzaga.page import overview
from gonzaga_table.specs import turn_of

from gonzaga_env.core import Game, Rules
from tests.marks import nightly
from tests.oracle import OracleGame, _connected
from tests.table.oracles import games_beside_oracles, with_plan


def counted(oracle: OracleGame, seat: int, turn: Planning) -> list[tuple[int, int]]:
    """Returns the spots and weddings of every plan as the oracle counts them."""
    kept, found = oracle.rings[seat], []
    for plan in turn.plans:
        with_plan(oracle, seat, plan.region, plan.card, plan.privilege)
        found.append((len(oracle._legal_fiefs(seat)), len(oracle._legal_weddings(seat))))
        oracle.rings[seat], oracle.plans[seat] = kept, None
    return found


def texts(game: Game, seat: int, turn: Planning, plan: int) -> dict[str, int]:
    """Returns the spots of a plan as the texts of actions, with their points."""
    chosen = turn.plans[plan]
    return {
        f"fief {turn.fief.number} r{rotation} @ {row},{column}": points
        for group in turn.spots
        if group.card == chosen.card and chosen.region in group.regions
        for rotation, row, column, points in group.spots
    }


@pytest.mark.parametrize(
    ("num_players", "sea_league", "every"),
    [(2, "first_only", 4), *nightly((2, "first_only", 1), (3, "each_player", 1))],
)
def test_spots_are_those_of_the_oracle(num_players, sea_league, every) -> None:
    """Counts, hexes and points of all plans, for each seat in every so many rounds."""
    rng, blocked = np.random.default_rng(num_players), 0
    for game, oracle in games_beside_oracles(num_players, sea_league, seed=num_players):
        if oracle.phase != "plan" or oracle.seat != 0 or oracle.round % every:
            continue
        for seat in range(num_players):
            turn = planning(game.tables, game.rules, game.state, seat)
            assert {plan.words for plan in turn.plans} == {
                text.replace("inactive", "inactive region").replace("privilege", "King's Privilege")
                for text in oracle._legal_plans(seat)
            }
            expected = counted(oracle, seat, turn)
            assert [(plan.spots, plan.weddings) for plan in turn.plans] == expected
            blocked += sum(spots == 0 for spots, _ in expected)
            number = int(rng.integers(len(turn.plans)))
            found = texts(game, seat, turn, number)
            assert len(found) == turn.plans[number].spots
            assert turn.plans[number].best == max(found.values(), default=None)
            for text in [*found][:3]:
                assert found[text] == points_of(oracle, seat, turn, number, text)
    assert blocked


def points_of(oracle: OracleGame, seat: int, turn: Planning, plan: int, text: str) -> int:
    """Returns what a spot scores immediately according to the oracle."""
    twin, chosen = deepcopy(oracle, {id(oracle.edition): oracle.edition}), turn.plans[plan]
    with_plan(twin, seat, chosen.region, chosen.card, chosen.privilege)
    assert text in twin._legal_fiefs(seat)
    twin._make_move(seat, text)
    return twin.scores()[seat]["total"] - oracle.scores()[seat]["total"]


def test_a_turn_is_that_of_the_seat_to_plan() -> None:
    game = Game(3, seed=1)
    turn = turn_of(game)
    assert turn == planning(game.tables, game.rules, game.state, 0)
    game.play(turn.plans[0].action)
    assert turn_of(game) == planning(game.tables, game.rules, game.state, 1)


def test_cards_that_may_not_be_played_say_why() -> None:
    """R3.3, R3.4; cards of inactive regions are not in the game and are not named (R2.1)."""
    game = Game(2, seed=1, scenario=None)
    while game.position.round == 1:
        turn = turn_of(game)
        assert isinstance(turn, Planning) == (game.kind == 0)
        if isinstance(turn, Planning):
            assert turn.held == ()
            game.play(turn.plans[1].action)  # with King's Privilege
        else:
            game.play(turn.choices[-1].action)
    turn = turn_of(game)
    state = game.state
    locked = game.view(0).players[0].locked
    held = {card.deck: (card.card, card.refusal["rule"]) for card in turn.held}
    assert held == {
        "region": (locked.region, "R3.3"),
        "action": (locked.action, "R3.3"),
        "privilege": ("privilege", "R3.3"),
    }
    state.previous_plan[0, 0], state.ring_stock[0, 0] = 255, 0
    (card,) = planning(game.tables, game.rules, state, 0).held
    assert (card.deck, card.refusal["kind"], card.refusal["rule"]) == (
        "privilege",
        "no_ring",
        "R3.4",
    )


def test_a_turn_can_leave_its_spots_to_be_found() -> None:
    game = Game(2, seed=1)
    turn = planning(game.tables, game.rules, game.state, 0)
    plain = turn.without_spots()
    assert plain.spots is None
    assert {(plan.spots, plan.best, plan.weddings) for plan in plain.plans} == {(None, None, None)}
    assert [plan.action for plan in plain.plans] == [plan.action for plan in turn.plans]


# What pieces add up to


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


# Choices in plain values, beside what the engine then does


@pytest.mark.parametrize("sea_league", ["each_player", "first_only"])
def test_every_choice_says_what_it_does(sea_league) -> None:
    """Sites, leagues, points and words are those of the move when it is played."""
    game, rng, kinds = Game(2, seed=5, rules=Rules(sea_league)), np.random.default_rng(5), set()
    while (turn := turn_of(game)) is not None:
        assert [choice.action for choice in turn.choices] == np.flatnonzero(game.mask()).tolist()
        seat = game.seat
        for number in rng.permutation(len(turn.choices))[:6]:
            twin, choice = game.copy(), turn.choices[number]
            twin.play(choice.action)
            view = twin.view(seat)
            if isinstance(turn, Placing):
                last, placed = view.last, turn.placements[number]
                assert (placed.words, placed.points) == (last.words, last.points)
                assert (placed.cells, placed.sites) == (last.cells, last.sites)
                assert placed.leagues == last.leagues
                kinds.add(placed.kind)
                if placed.kind == "fief":
                    (lies,) = (f for f in view.fiefs if set(f.cells) == set(placed.cells))
                    assert set(placed.castles) == set(lies.castles)
                    assert lies.number == turn.fief.number
            elif view.decision == "plan":
                plan = view.players[seat].plan
                assert plan.words == turn.plans[number].words
        game.play(game.sample_legal(rng))
    assert kinds == {"fief", "wedding", "donation"}
