"""States of valid parts that no past explains: the rows of F3, then each account by itself."""

import dataclasses
from collections.abc import Callable

import numpy as np
import pytest

from gonzaga_env.core import Engine, Game, Rules, State, StateError, load_edition
from gonzaga_env.core.board.actions import NO_PLAN, plan_action
from gonzaga_env.core.constants import ALLIANCE, CITIES, HARBORS, INACTIVE_CARD
from gonzaga_env.core.state.check import check_state
from gonzaga_env.core.state.scoring import score_end
from gonzaga_env.core.state.state import PLAN
from tests.conftest import played
from tests.core.histories import (
    DONATIONS,
    INACTIVE_B,
    after_donations,
    donate,
    place,
    revealed,
    settle,
    turn_order,
    wed,
)

INACTIVE_C = plan_action(INACTIVE_CARD, ALLIANCE)


@pytest.fixture
def engine() -> Engine:
    return Engine(1, 2, seed=4)


def passes(engine: Engine, state: State) -> None:
    check_state(engine.tables, engine.rules, settle(engine, state))


def passes_if(possible: bool, engine: Engine, state: State, match: str) -> None:
    if possible:
        passes(engine, state)
    else:
        refused(engine, state, match)


def refused(engine: Engine, state: State, match: str) -> None:
    """Both engines refuse the state, and keep theirs."""
    state = settle(engine, state)
    for one in (engine, Game.from_config(engine.config)):
        before = one.state.copy()
        with pytest.raises(StateError, match=f"game 0: {match}"):
            one.state = state
        assert one.state == before


# F3: what 0.6.0 took, and then went wrong with.


def test_f3_the_twelfth_round_is_the_last(engine: Engine) -> None:
    """R7.2: both engines looked for a thirteenth fief."""
    state = after_donations(engine, 12)
    passes(engine, state)
    state.last_round[0] = False
    refused(engine, state, "last_round follows the count of open sites")


def test_f3_a_planned_privilege_has_its_ring(engine: Engine) -> None:
    """R3.4: `Engine` went from 0 rings to 255, `Game` raised."""
    state = after_donations(engine, 12)
    state.num_acted[0], state.plan[0, 0] = 1, plan_action(flourishing(engine)[0], ALLIANCE, 1)
    for cell in lands(engine)[:5]:
        wed(state, 0, cell)
    passes(engine, state)
    state.ring_stock[0, 0] = 0
    refused(engine, state, r"plan takes .* a ring \(R3.4\)")


@pytest.mark.parametrize("points", [3, 36, 32_766, -3])
def test_f3_points_are_those_of_donations_that_were_made(engine: Engine, points: int) -> None:
    """R3.7: one donation more made -32,767 of 32,766 points."""
    state = after_donations(engine, 3)
    state.scores[0, 1, DONATIONS] = points
    refused(engine, state, "round counts one fief|scores takes 3 points a donation")


def test_f3_a_placed_fief_does_not_return(engine: Engine) -> None:
    """R3.1, R4.6: the deck permuted, or the round set back."""
    played(engine, 40)
    assert engine.state.phase[0] == PLAN
    seat = int(((engine.state.piece > 0) & (engine.state.piece <= 12)).any(axis=2)[0].argmax())
    number = engine.state.piece[0, seat][engine.state.piece[0, seat] > 0].min()
    for change in (permute, set_back):
        state = engine.state.copy()
        change(state, seat, int(number) - 1)
        refused(engine, state, "piece takes fiefs that are spent|round counts one")


def permute(state: State, seat: int, fief: int) -> None:
    deck = state.deck[0, seat]
    at = int(np.flatnonzero(deck == fief)[0])
    deck[[at, 11]] = deck[[11, at]]


def set_back(state: State, seat: int, fief: int) -> None:
    state.round[0] = np.flatnonzero(state.deck[0, seat] == fief)[0] + 1
    state.previous_plan[0] = NO_PLAN if state.round[0] == 1 else state.previous_plan[0]


# Where rings and fiefs can lie.


def flourishing(engine: Engine) -> list[int]:
    return np.flatnonzero(engine.tables.flourishing[engine.state.scenario[0]]).tolist()


def lands(engine: Engine) -> list[int]:
    """Returns land hexes no two of which are adjacent."""
    chosen: list[int] = []
    for cell in np.flatnonzero(engine.tables.region[:-1] < 6).tolist():
        if not {*engine.edition.grid.neighbors[cell].tolist()} & {*chosen}:
            chosen.append(cell)
    return chosen


def beside(engine: Engine, *land: bool) -> tuple[int, ...]:
    """Returns hexes in a chain, on land or at sea as asked, without other neighbors among them."""
    grid, region = engine.edition.grid, engine.tables.region

    def longer(chain: tuple[int, ...]) -> tuple[int, ...] | None:
        if len(chain) == len(land):
            return chain
        for cell in grid.neighbors[chain[-1]].tolist() if chain else range(len(grid)):
            near = {*grid.neighbors[cell % len(grid)].tolist(), cell}
            fits = cell < len(grid) and (region[cell] < 6) == land[len(chain)]
            if fits and not near & {*chain[:-1]} and (found := longer((*chain, cell))):
                return found
        return None

    found = longer(())
    assert found
    return found


def placed_with(engine: Engine, card: int, region: int | None = None) -> Callable[[int], object]:
    """Returns what a placement's row takes: an action card, and one region alone if asked."""
    tables = engine.tables
    inactive = {*range(6)} - {*flourishing(engine)}

    def fits(row: int) -> bool:
        city, harbor = tables.num_cities[row] > 0, tables.num_harbors[row] > 0
        kind = ALLIANCE if city and harbor else HARBORS if harbor else CITIES
        touched = {*tables.region[tables.placements.cells[row]].tolist()} - {6}
        if region is None:
            return kind == card and len(touched - inactive) == 1 and bool(touched & inactive)
        return kind == card and touched == {region}

    return fits


# Turns.


def first_acts(state: State, plan: int = INACTIVE_B) -> int:
    """Reveals everybody's plan and lets the first seat donate; returns the seat."""
    revealed(state, plan)
    state.num_acted[0], first = 1, int(state.order[0, 0])
    donate(state, first)
    return first


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("by", [-1, 1])
def test_r3_6_each_turn_left_something(engine: Engine, seat: int, by: int) -> None:
    state = after_donations(engine, 4)
    passes(engine, state)
    donate(state, seat, by)
    refused(engine, state, r"round counts one fief, wedding or donation a turn \(R3.6\)")


def test_r3_6_seats_that_have_acted_took_a_turn_more(engine: Engine) -> None:
    state = after_donations(engine, 4)
    revealed(state)
    passes(engine, state)
    first, second = state.order[0].tolist()
    state.num_acted[0] = 1
    refused(engine, state, "round counts one")
    donate(state, first)
    passes(engine, state)
    donate(state, first, -1)
    donate(state, second)
    refused(engine, state, "round counts one")


def test_r3_6_a_finished_game_has_taken_all_turns(engine: Engine) -> None:
    state = after_donations(engine, 12)
    state.finished[0] = True
    for seat in range(2):
        donate(state, seat)
    score_end(engine.tables, state, np.array([0]))
    passes(engine, state)
    donate(state, 1, -1)
    refused(engine, state, "round counts one")


@pytest.mark.parametrize(("turn", "spent"), [(1, True), (3, True), (4, False), (12, False)])
def test_r3_1_fiefs_on_the_map_are_spent(engine: Engine, turn: int, spent: bool) -> None:
    state = after_donations(engine, 4)
    place(engine, state, 1, turn)
    passes_if(spent, engine, state, r"piece takes fiefs that are spent \(R3.1\)")


@pytest.mark.parametrize("acted", [True, False])
def test_r3_1_this_rounds_fief_is_spent_by_who_has_acted(engine: Engine, acted: bool) -> None:
    state = after_donations(engine, 4)
    revealed(state)
    first, second = state.order[0].tolist()
    state.num_acted[0] = 1
    donate(state, first)
    place(engine, state, first if acted else second, 4, placed_with(engine, CITIES))
    passes_if(acted, engine, state, "piece takes fiefs that are spent")


@pytest.mark.parametrize("plan", [plan_action(INACTIVE_CARD, HARBORS), "other region", INACTIVE_C])
def test_r4_1_r4_2_this_rounds_fief_lies_where_its_plan_allows(
    engine: Engine, plan: int | str
) -> None:
    state = after_donations(engine, 4)
    first = first_acts(state)
    row = place(engine, state, first, 4, placed_with(engine, CITIES))
    passes(engine, state)
    touched = engine.tables.region[engine.tables.placements.cells[row]]
    other = next(region for region in flourishing(engine) if region not in touched)
    state.plan[:] = plan if isinstance(plan, int) else plan_action(other, CITIES)
    assert turn_order(state) == state.order[0].tolist()
    refused(engine, state, r"piece takes this round's fief where its plan allows it \(R4.1, R4.2\)")


# Weddings.


@pytest.mark.parametrize(
    ("land", "weddings", "possible"),
    [
        ((True,), 1, True), ((False,), 1, False), ((True, True), 1, True),
        ((True, False), 1, True), ((False, True), 1, True), ((False, False), 1, False),
        ((True, True), 2, True), ((True, False), 2, False), ((True, True, True), 2, True),
        ((False, True, True), 2, True), ((True, False, True), 2, True),
        ((False, True, False), 2, False), ((True, True, True, True), 2, True),
        ((False, True, True, False), 2, True), ((True, False, False, True), 2, True),
        ((True, True, True, True, True), 3, True), ((False, True, True, True, False), 3, True),
        ((True, False, True, False, True), 3, True),
        ((False, True, False, True, True), 3, True),
        ((True, True, True, True, True, True), 3, True),
        ((True, True, False, False, True, True), 3, False),
    ],
)  # fmt: skip
def test_r5_2_rings_lie_where_weddings_place_them(
    engine: Engine, land: tuple[bool, ...], weddings: int, possible: bool
) -> None:
    """A chain of hexes on land (True) and at sea."""
    state = after_donations(engine, 8)
    wed(state, 0, *beside(engine, *land))
    donate(state, 0, 1 - weddings)
    match = r"ring_cells takes rings where weddings can place them \(R5.2\)"
    passes_if(possible, engine, state, match)


def test_r5_2_two_rings_of_a_wedding_are_adjacent(engine: Engine) -> None:
    state = after_donations(engine, 8)
    wed(state, 0, *lands(engine)[:2])
    refused(engine, state, "ring_cells takes rings where weddings")
    donate(state, 0, -1)
    passes(engine, state)


def test_r5_2_a_ring_is_in_one_wedding(engine: Engine) -> None:
    """Three rings around a fourth: no two weddings of two rings."""
    grid, region = engine.edition.grid, engine.tables.region
    center = next(
        cell for cell in range(len(grid)) if (region[[cell, *grid.neighbors[cell]]] < 6).all()
    )
    state = after_donations(engine, 8)
    wed(state, 1, center, *grid.neighbors[center][::2].tolist())
    donate(state, 1, -1)
    refused(engine, state, "ring_cells takes rings where weddings")
    donate(state, 1, -1)
    passes(engine, state)


@pytest.mark.parametrize("weddings", [1, 4])
def test_r5_1_a_wedding_takes_one_ring_or_two(engine: Engine, weddings: int) -> None:
    state = after_donations(engine, 10)
    wed(state, 0, *beside(engine, True, True, True))
    donate(state, 0, 1 - weddings)
    refused(engine, state, "round counts one")


def test_r5_1_a_turn_without_fief_and_alliance_was_a_donation(engine: Engine) -> None:
    state = after_donations(engine, 1)
    first = first_acts(state)
    passes(engine, state)
    wed(state, first, lands(engine)[0])
    refused(engine, state, r"scores takes a donation .* \(R3.7, R5.1\)")
    state.plan[0] = INACTIVE_C
    passes(engine, state)


# Cards.


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("kinds", [(HARBORS, CITIES), (CITIES, ALLIANCE), (ALLIANCE, HARBORS)])
def test_r3_3_a_region_is_played_every_second_round(
    engine: Engine, seat: int, kinds: tuple[int, int]
) -> None:
    """Two fiefs in one region: in the first and the third round of three."""
    region = flourishing(engine)[1]
    state = after_donations(engine, 4)
    for turn, kind in ((1, kinds[0]), (3, kinds[1])):
        place(engine, state, seat, turn, placed_with(engine, kind, region))
    refused(engine, state, r"piece takes no card in two rounds in a row \(R3.3\)")
    state.previous_plan[0, seat] = plan_action(region, kinds[1])
    passes(engine, state)


@pytest.mark.parametrize("card", [HARBORS, CITIES, ALLIANCE])
def test_r3_3_an_action_is_played_every_second_round(engine: Engine, card: int) -> None:
    first, second, third = flourishing(engine)
    other = plan_action(third, (card + 1) % 3)
    state = after_donations(engine, 4)
    state.previous_plan[0, 0] = other
    for turn, region in ((1, first), (3, second)):
        place(engine, state, 0, turn, placed_with(engine, card, region))
    refused(engine, state, "piece takes no card in two rounds in a row")
    state.previous_plan[0, 0] = plan_action(third, card)
    passes(engine, state)


def test_r3_3_fiefs_in_two_regions_take_either_card(engine: Engine) -> None:
    state = after_donations(engine, 3)
    for turn, card in ((1, CITIES), (2, HARBORS)):
        place(engine, state, 0, turn, placed_with(engine, card))
    passes(engine, state)


def test_r3_3_two_inactive_regions_have_one_card(engine: Engine) -> None:
    state = after_donations(engine, 3)
    inactive = [region for region in range(6) if region not in flourishing(engine)]
    for turn, card, region in ((1, CITIES, inactive[0]), (2, HARBORS, inactive[1])):
        place(engine, state, 0, turn, placed_with(engine, card, region))
    refused(engine, state, "piece takes no card in two rounds in a row")


def test_r3_3_weddings_come_every_second_round(engine: Engine) -> None:
    state = after_donations(engine, 4)
    for cell in lands(engine)[:2]:
        wed(state, 0, cell)
    refused(engine, state, "piece takes no card in two rounds in a row")
    state.previous_plan[0, 0] = INACTIVE_C
    passes(engine, state)


@pytest.mark.parametrize(("round_number", "possible"), [(2, False), (3, True)])
def test_r3_3_a_plan_that_waits_was_not_played_before(
    engine: Engine, round_number: int, possible: bool
) -> None:
    state = after_donations(engine, round_number)
    wed(state, 0, lands(engine)[0])
    revealed(state, INACTIVE_C)
    passes_if(possible, engine, state, "piece takes no card in two rounds in a row")


@pytest.mark.parametrize(
    ("round_number", "privilege", "stocks"),
    [(1, 0, {6}), (2, 0, {6}), (2, 1, {5}), (3, 0, {5, 6}), (3, 1, {5}), (4, 0, {5, 6}),
     (4, 1, {4, 5}), (12, 0, {1, 2, 3, 4, 5, 6}), (12, 1, {0, 1, 2, 3, 4, 5})],
)  # fmt: skip
def test_r3_4_missing_rings_paid_for_privileges(
    engine: Engine, round_number: int, privilege: int, stocks: set[int]
) -> None:
    for stock in range(7):
        state = after_donations(engine, round_number)
        if round_number > 1:
            state.previous_plan[0, 1] = INACTIVE_B + privilege
        state.ring_stock[0, 1] = stock
        passes_if(stock in stocks, engine, state, r"ring_stock lacks .* \(R3")


@pytest.mark.parametrize(("stock", "possible"), [(6, False), (5, True), (4, False)])
def test_r3_4_a_privilege_is_paid_at_the_reveal(engine: Engine, stock: int, possible: bool) -> None:
    state = after_donations(engine, 1)
    revealed(state, INACTIVE_B + 1)
    state.ring_stock[0] = stock
    passes_if(possible, engine, state, r"ring_stock lacks .* \(R3")


# Plans.


def test_r3_3_plans_of_the_round_before_are_there_from_the_second_on(engine: Engine) -> None:
    for round_number, plan in ((1, INACTIVE_B), (2, NO_PLAN)):
        state = after_donations(engine, round_number)
        state.previous_plan[0, 1] = plan
        refused(engine, state, r"previous_plan is 255 in the first round.* \(R3.3\)")


def test_r3_3_cards_of_the_round_before_are_not_planned_again(engine: Engine) -> None:
    region = flourishing(engine)[0]
    state = after_donations(engine, 2)
    state.num_acted[0] = 1
    state.plan[0, 0] = plan_action(region, ALLIANCE, 1)
    passes(engine, state)
    for plan in (plan_action(region, CITIES), INACTIVE_C):
        state.plan[0, 0] = plan
        refused(engine, state, r"plan takes cards not played in the round before \(R3.3\)")


def test_r3_5_the_turn_order_follows_from_plans_and_fief_cards(engine: Engine) -> None:
    state = after_donations(engine, 2)
    revealed(state)
    passes(engine, state)
    state.order[0] = state.order[0, ::-1].copy()
    refused(engine, state, r"order follows from plans and fief cards \(R3.5\)")


# The last round.


@pytest.fixture
def small() -> Engine:
    """Two regions flourish: 16 sites, of which four players can cover 13 with single rings."""
    edition = load_edition("europe")
    scenarios = tuple(
        dataclasses.replace(scenario, flourishing=scenario.flourishing[:2])
        for scenario in edition.scenarios
    )
    edition = dataclasses.replace(edition, scenarios=scenarios)
    return Engine(1, 4, edition=edition, seed=4)


def sites(engine: Engine) -> list[int]:
    """Returns the flourishing sites."""
    return np.flatnonzero(engine.tables.site_value[engine.state.scenario[0]] == 3).tolist()


def covering(engine: Engine, num_sites: int) -> State:
    """Returns a game in its tenth round in which rings cover the first flourishing sites."""
    state = after_donations(engine, 10)
    for i, cell in enumerate(sites(engine)[:num_sites]):
        wed(state, i % 4, cell)
    return state


def takes_last(engine: Engine, state: State, *values: bool) -> None:
    """Checks which values of `last_round` pass."""
    for value in (False, True):
        state.last_round[0] = value
        match = r"last_round follows the count of open sites, or is round 12"
        passes_if(value in values, engine, state, match)


@pytest.mark.parametrize(("num_sites", "last"), [(12, False), (13, True), (14, True)])
def test_r7_1_three_open_sites_make_the_next_round_the_last(
    small: Engine, num_sites: int, last: bool
) -> None:
    takes_last(small, covering(small, num_sites), last)


@pytest.mark.parametrize(("first_check_round", "last"), [(8, True), (9, True), (10, False)])
def test_r7_3_the_first_check(small: Engine, first_check_round: int, last: bool) -> None:
    engine = Engine(1, 4, None, small.edition, Rules(first_check_round=first_check_round), seed=4)
    takes_last(engine, covering(engine, 13), last)


@pytest.mark.parametrize("round_number", [1, 2, 7, 11])
def test_r7_1_no_round_is_the_last_before(engine: Engine, round_number: int) -> None:
    takes_last(engine, after_donations(engine, round_number), False)


@pytest.mark.parametrize(("plan", "values"), [(INACTIVE_B, {True}), (INACTIVE_C, {False, True})])
def test_r7_1_a_ring_of_this_round_was_not_there_at_the_check(
    small: Engine, plan: int, values: set[bool]
) -> None:
    """Only action C lays rings; whether one is of this round, the state does not tell."""
    state = covering(small, 13)
    first_acts(state, plan)
    takes_last(small, state, *values)


def test_r7_1_rings_of_seats_that_wait_were_there_at_the_check(small: Engine) -> None:
    state = covering(small, 13)
    revealed(state, INACTIVE_C)
    takes_last(small, state, True)


def test_r7_1_a_fief_of_this_round_was_not_there_at_the_check(small: Engine) -> None:
    state, tables = covering(small, 12), small.tables
    city = next(cell for cell in sites(small)[12:] if tables.city_mask[cell])
    region = int(tables.region[city])
    first = first_acts(state, plan_action(region, CITIES))
    takes_last(small, state, False)
    fits = placed_with(small, CITIES, region)
    place(small, state, first, 10, lambda row: fits(row) and city in tables.placements.cells[row])
    takes_last(small, state, False)


def test_r7_1_a_finished_game_had_its_last_round(engine: Engine) -> None:
    state = after_donations(engine, 9)
    state.finished[0] = state.last_round[0] = True
    for seat in range(2):
        donate(state, seat)
    score_end(engine.tables, state, np.array([0]))
    refused(engine, state, "last_round follows the count of open sites")
