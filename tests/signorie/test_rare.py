"""What seldom happens, forced: one game, the batch and the oracle do the same (S4 to S12)."""

from copy import deepcopy
from typing import Any

import pytest

from tests.signorie.table import Table
from tests.signorie.wild import Values, changed
from tests.signorie_oracle import EDITION


def table_with(values: Values = EDITION, *, florins: int = 5, num_players: int = 2) -> Table:
    """Returns a table with one die of each color that costs nothing, on which no tiles lie."""
    table = Table(num_players, values=values)
    table.dice("yellow 6, red 6, violet 6, grey 6, turquoise 6")
    table.clear_cities()
    table.player.florins = florins
    return table


def last_to_pass(bonus: str = "offspring", **setting: Any) -> Table:
    """Returns a table where the others have passed, and where all get the reward."""
    table = table_with(**setting)
    tiles = table.oracle.edition["bonus_tile"]
    first = next(tile for tile in tiles if tile["name"] == bonus)
    table.oracle.bonus_tiles = [first, *(tile for tile in tiles if tile is not first)][:5]
    while len(table.oracle.to_act) > 1:
        table.oracle.to_act.pop()
    return table


def deck(table: Table, text: str) -> None:
    """Leaves these tiles in the deck."""
    table.oracle.deck.clear()
    table.oracle.deck.update(text.split())


# ------------------------------------------------------------- the deck


def test_an_exhausted_deck_leaves_the_last_spaces_empty() -> None:
    """S4.1: by city, marriage first; spaces that have a tile are passed over."""
    table = last_to_pass("money")
    names, (first, second, third) = list(table.oracle.cities), table.oracle.cities.values()
    first.tiles = {"marriage": "a2", "mission": None}
    second.tiles = {"marriage": None, "mission": "a3"}
    deck(table, "b2 b2")
    table.begin()
    table.play("pass", "florins", "no wed", "florins", "no wed")
    refill = table.drawn[0][1]
    assert [tile[:2] for tile in refill] == [
        [names[0], "mission"],
        [names[1], "marriage"],
    ]
    assert third.tiles == {"marriage": None, "mission": None}
    assert not table.oracle.deck.total()


def test_an_empty_deck_gives_no_tile() -> None:
    """B6, S5.4, S10.3: neither assignment nor helper is possible."""
    table = table_with()
    table.assign("yellow", "alliance", "fame")
    table.player.helpers = {("yellow", 2), ("yellow", 1)}
    table.player.supply["male"] = 4
    deck(table, "")
    table.begin()
    assert "yellow 6 assign 1" not in table.oracle.legal
    table.play("yellow 6 signoria", "skip")
    assert table.oracle.seat != table.player.seat


def test_the_last_tile_is_gone_for_the_next_helper_and_seat() -> None:
    """S6.3: each helper is tested when its turn comes; S11.4 likewise."""
    table = table_with()
    table.assign("yellow", "alliance", "fame")
    table.player.helpers = {("yellow", 2), ("yellow", 3)}
    table.player.supply["male"] = 4
    deck(table, "c4")
    table.begin()
    table.play("yellow 6 assign 1", "row clerical")
    assert table.drawn == [["tile", "c4"]]
    assert table.oracle.legal == {"use", "skip"}  # the third helper, not the second
    table.play("use")
    assert "enter clerical" in table.oracle.legal
    table = last_to_pass("alliance")
    deck(table, "c4")
    table.begin()
    table.play("pass", "bonus", "row marriage", "wed")
    assert table.oracle.legal == {"wed", "no wed"}  # the other one takes the Florins unasked


def test_tiles_of_one_effect_end_with_the_deck() -> None:
    """N2: it is done as far as it goes; the other parts are done."""
    table = last_to_pass("fame", values=changed(fame="tile 3, vp 4"))
    deck(table, "c4 d5")
    table.begin()
    table.play("pass", "bonus", "row marriage")
    points = table.play("row clerical")
    assert points[table.oracle.seat] == 4
    assert table.oracle.legal == {"wed", "no wed"}


# ------------------------------------------------------------- meeples


def test_missing_meeples_are_forfeited() -> None:
    """S8.3, B6: Offspring and helpers are possible with an empty General Stock."""
    table = table_with()
    player = table.player
    player.stock.update(male=-8, female=-7)
    player.supply.update(male=8, female=7)
    player.brides = 4
    table.begin()
    table.play("violet 6 signoria")
    females = sum(value <= 3 for value in table.drawn[0][1])
    assert (player.supply["male"], player.supply["female"]) == (12, 10 + min(females, 1))
    assert len(table.drawn[0][1]) == 5
    table = table_with()
    table.player.stock.clear()
    table.player.helpers = {("red", 2)}
    table.begin()
    table.play("red 6 hire 1", "use")
    assert table.player.supply == {"male": 4, "female": 3}


def test_meeples_on_the_threshold_space_are_out_of_reach_until_the_round_ends() -> None:
    """S7.3, S11.6: Offspring as a bonus comes before they return."""
    table = last_to_pass("offspring")
    table.assign("violet", "threshold", "fame")
    player = table.player
    player.stock.update(male=-8, female=-8)
    player.supply.update(male=8, female=8)
    table.begin()
    table.play("violet 6 assign 1", "spend 3", "pass")
    while table.oracle.round == 1:
        table.play("bonus" if "bonus" in table.oracle.legal else "no wed")
        if table.oracle.round == 1:
            assert (player.supply["male"], player.stock["male"]) == (9, 0)
    assert player.stock["male"] == 3


@pytest.mark.parametrize(("dice", "rewarded"), [((6, 6, 4, 6), True), ((6, 6, 5, 6), False)])
def test_the_highest_threshold_is_22(dice: tuple[int, ...], rewarded: bool) -> None:
    """S11.3: 13 and 3 for each of three meeples."""
    table = last_to_pass("money")
    table.assign("yellow", "threshold", "fame")
    colors = ("red", "violet", "grey")
    table.player.dice = dict(zip(colors, dice, strict=False))
    table.begin()
    table.play("yellow 6 assign 1", "spend 3")
    asked = table.oracle.seat == table.player.seat
    assert asked is rewarded
    assert sum(table.player.dice.values()) == sum(dice)


def test_nobody_above_the_threshold_weds_or_pays() -> None:
    """S11.3 to S11.5."""
    for number in (1, 6):
        table = last_to_pass("money")
        table.oracle.round = number
        for player in table.oracle.players:
            player.dice, player.florins = {"red": 6, "violet": 6, "grey": 2}, 9
        table.begin()
        table.play("pass")
        assert table.oracle.round == number + 1


# ------------------------------------------------------------- helpers


def test_a_helper_may_become_possible_through_an_earlier_one() -> None:
    """S5.5, S6.3: a Florin for the dowry of the third."""
    table = table_with(florins=0)
    table.player.helpers = {("grey", 1), ("grey", 3)}
    table.begin()
    table.play("grey 6 signoria", "initiative", "stop", "use", "use")
    assert "marry" in min(table.oracle.legal)
    table = table_with(florins=0)
    table.player.helpers = {("grey", 1), ("grey", 3)}
    table.begin()
    table.play("grey 6 signoria", "initiative", "stop", "skip")
    assert table.oracle.seat != table.player.seat


@pytest.mark.parametrize(("slot", "acts"), [(1, False), (3, True)])
def test_a_helper_placed_meanwhile_acts_if_its_turn_is_to_come(slot: int, acts: bool) -> None:
    """S6.3, N2: the second helper places the first or the third."""
    table = table_with(changed(red_1="vp 2", red_2="free_helper", red_3="vp 3"))
    table.player.helpers = {("red", 2)}
    table.begin()
    table.play("red 6 hire 1", "use", f"helper red {slot}")
    assert (table.oracle.legal == {"use", "skip"}) is acts
    if acts:
        assert table.play("use")[table.player.seat] == 3


def test_a_helper_of_the_own_column_acts_at_once() -> None:
    """N2 before S6.1: it is placed before the helpers' turns."""
    values = deepcopy(EDITION)
    for color in values["color"]:
        color["hires_in"] = color["name"]
    table = table_with(values)
    table.begin()
    table.play("red 6 hire 3")
    assert table.play("use")[table.player.seat] == 3


def test_without_a_disc_or_an_empty_slot_there_is_no_helper() -> None:
    """S6.1, B6: the supply of discs is shared; a free helper needs one, too."""
    table = last_to_pass("helper")
    slots = {(color, slot) for color in table.oracle.colors for slot in (1, 2, 3)}
    table.player.helpers = slots - {("yellow", 1)}
    table.begin()
    assert {text for text in table.oracle.legal if "hire" in text} == {"red 6 hire 1"}
    values = deepcopy(EDITION)
    values["setup"]["helpers"] = 1
    table = table_with(values)
    table.begin()
    table.play("red 6 hire 1", "pass")
    assert not any("hire" in text for text in table.oracle.legal)
    table = last_to_pass("helper", values=values)
    table.begin()
    table.play("red 6 hire 1", "pass")
    assert table.oracle.legal == {"wed", "no wed"}


def test_the_second_of_two_free_helpers_needs_a_disc() -> None:
    """A8, N2: the first is possible and takes the last disc; the second lapses."""
    values = changed(red_1="free_helper, free_helper", red_3="vp 3")
    values["setup"]["helpers"] = 3
    table = table_with(values)
    table.player.helpers, table.oracle.helpers_left = {("red", 1)}, 2
    table.begin()
    table.play("red 6 hire 1", "use")
    assert all(text.startswith("helper ") for text in table.oracle.legal)
    assert table.play("helper red 3")[table.player.seat] == 0
    assert table.oracle.legal == {"use", "skip"}  # no second helper is asked for
    assert table.play("use")[table.player.seat] == 3
    assert table.oracle.seat != table.player.seat
    assert not any("hire" in text for text in table.oracle.legal)


# ------------------------------------------------------------- tracks


def test_a_disc_on_the_top_slot_stays_where_it_is_in_its_stack() -> None:
    """S9.2, S9.4, B11: a career's bonus does not lift it above the other disc."""
    table = table_with()
    seat, other = table.oracle.order
    table.oracle.stacks = [*([] for _ in range(8)), [seat, other]]
    table.player.careers["military"] = [5]
    table.player.helpers = {("turquoise", 1)}
    table.begin()
    table.play("grey 6 signoria", "advance military 5")
    assert "initiative" not in table.oracle.legal
    assert table.oracle.stacks[8] == [seat, other]
    table.play("stop", "pass", "turquoise 6 hire 1")  # the own helper is not asked about
    assert table.oracle.seat == seat
    assert table.oracle.to_act[0] == seat


def test_discs_on_the_top_slot_lie_as_they_came() -> None:
    """S9.4, S11.2: the last to arrive goes first."""
    table = table_with()
    seat, other = table.oracle.order
    table.oracle.stacks = [[], [], [], [], [], [], [], [seat], [other]]
    table.begin()
    table.play("grey 6 signoria", "initiative", "stop")
    assert table.oracle.stacks[8] == [other, seat]


def test_later_repetitions_lapse() -> None:
    """S7.2, B6: initiative ends at the top, tracks without a point are not asked for."""
    table = table_with()
    seat, other = table.oracle.order
    table.oracle.stacks = [[other], [], [], [], [], [], [], [seat], []]
    table.assign("violet", "initiative", "fame")
    table.begin()
    table.play("violet 6 assign 1", "spend 3")
    assert table.oracle.stacks[8] == [seat]
    assert table.oracle.seat == other
    table = table_with()
    table.oracle.stacks = [[other], [], [], [], [], [], [], [], [seat]]
    table.assign("violet", "training", "fame")
    table.player.supply["male"] = 3
    table.player.careers["clerical"] = [6]
    table.begin()
    table.play("violet 6 assign 1")
    assert table.oracle.legal == {"spend 1", "spend 2", "spend 3"}
    table.play("spend 3")  # one point is possible, then nothing
    assert table.player.careers["clerical"] == [7]
    assert table.oracle.seat == other


def test_only_the_impossible_parts_of_a_repetition_lapse() -> None:
    """N2: part by part."""
    table = table_with(changed(fame="initiative 1, vp 2"))
    seat, other = table.oracle.order
    table.oracle.stacks = [[other], [], [], [], [], [], [], [seat], []]
    table.assign("violet", "fame", "threshold")
    table.begin()
    table.play("violet 6 assign 1")
    assert table.play("spend 3")[seat] == 6


def test_an_effect_needs_each_part_and_gains_do_not_count() -> None:
    """S5.4, B6: the Florins of an earlier part do not pay a dowry, to be possible."""
    table = table_with(changed(fame="florins 3, marriage"), florins=0)
    table.assign("violet", "fame", "threshold")
    table.begin()
    assert "violet 6 assign 1" not in table.oracle.legal
    table = table_with(changed(fame="florins 3, marriage"), florins=1)
    table.assign("violet", "fame", "threshold")
    table.begin()
    table.play("violet 6 assign 1", "spend 1")
    assert f"marry {next(iter(table.oracle.cities))} 4" in table.oracle.legal


def test_the_meeples_of_an_assignment_come_on_top() -> None:
    """B8, S7.1: one female is not enough for a marriage by assignment."""
    for females, possible in ((1, False), (2, True)):
        table = table_with()
        table.assign("violet", "fame", "marriage")
        table.player.supply["female"] = females
        table.begin()
        assert ("violet 6 assign 2" in table.oracle.legal) is possible


def test_what_a_die_costs_is_missing_for_the_dowry() -> None:
    """B7, B9, S8.5."""
    table = table_with(florins=2)
    table.dice("red 1, red 2, yellow 6")
    for name in table.oracle.cities:
        table.fill(name, 2)
    table.begin()
    assert "red 1 signoria" not in table.oracle.legal
    assert "red 2 signoria" in table.oracle.legal


# ------------------------------------------------------------- cities and rows


def test_full_cities_end_missions_and_marriages() -> None:
    """S8.2, S8.5, S8.6."""
    table = table_with(florins=9)
    table.player.careers["military"] = [7]
    for name in table.oracle.cities:
        table.fill(name, 8)
    table.begin()
    assert "red 6 signoria" not in table.oracle.legal
    assert "turquoise 6 signoria" not in table.oracle.legal
    table = table_with(florins=9)
    first, *others = table.oracle.cities
    for name in others:
        table.fill(name, 8)
    table.fill(first, 7)
    table.player.careers["military"] = [5]
    table.begin()
    points = table.play("turquoise 6 signoria")  # only one way
    assert points[table.player.seat] == 9
    assert not table.oracle.cities[first].empty


def test_a_marriage_row_takes_each_house_once() -> None:
    """S10.1, S10.2: the sixth tile fills it."""
    table = table_with(florins=9)
    name, city = next(iter(table.oracle.cities.items()))
    table.player.fronts["marriage"] = ["a2", "b2", "c2", "d2", "e2"]
    table.player.helpers = {("turquoise", 2)}
    city.tiles["marriage"] = "f5"
    table.begin()
    table.play("red 6 signoria", f"marry {name} 1", "pass")
    assert table.player.fronts["marriage"][-1] == "f5"
    table.play("turquoise 6 hire 1", "use", "row marriage")  # face down without limit (S10.3)
    assert len(table.player.backs["marriage"]) == 1


def test_a_mission_takes_no_tile_for_another_career() -> None:
    """S8.2, S10.2: the row is that of the male's career."""
    for career in EDITION["careers"]:
        table = table_with()
        name, city = next(iter(table.oracle.cities.items()))
        house = table.player.shields["political"][0]
        city.tiles["mission"] = f"{house}3"
        table.player.careers |= {c: [7] for c in table.player.careers}
        table.begin()
        table.play("turquoise 6 signoria", f"mission {career} 7 {name}")
        wanted = house in table.player.shields[career]
        assert (city.tiles["mission"] is None) is wanted
        assert table.oracle.cities[name].meeples == [table.player.seat]


# ------------------------------------------------------------- forced decisions


def test_forced_decisions_run_through_all_rounds() -> None:
    """S5.1, S11: what leaves no choice belongs to the move before, here to the end of the game."""
    values = changed()
    for color in values["color"]:
        color["cost"] = 12
    values["rewards"]["florins"] = 0
    table = last_to_pass("mission", values=values)
    table.oracle.bonus_tiles = 5 * table.oracle.bonus_tiles[:1]
    for player in table.oracle.players:
        player.brides, player.florins = 4, 0
    table.player.florins = 6
    table.begin()
    table.play("grey 6 signoria", "initiative", "stop")
    assert table.game.finished
    events = [name for name, _ in table.drawn]
    assert events == 6 * ["refill", "dice", "assignments"]


def test_four_dice_force_a_pass() -> None:
    """S5.2, S8.4: the fifth color may not be used."""
    table = table_with()
    table.player.dice = {"red": 1, "violet": 1, "grey": 1}
    seat, other = table.oracle.order
    table.begin()
    table.play("yellow 6 signoria")
    assert table.player.florins == 5 + 3
    table.play("red 6 hire 1")  # the first player has passed unasked
    assert table.oracle.seat == other
    assert seat not in table.oracle.to_act


def test_a_seat_that_can_only_take_florins_and_keep_is_not_asked() -> None:
    """S11.4, S11.5: without a possible bonus, a bride slot, or 5 Florins."""
    table = last_to_pass("mission")
    for player in table.oracle.players:
        player.brides = 4
    table.begin()
    before = [player.florins for player in table.oracle.players]
    table.play("pass")
    assert [player.florins for player in table.oracle.players] == [f + 3 for f in before]
    table = last_to_pass("mission")
    table.oracle.round = 6
    for player in table.oracle.players:
        player.florins = 4
    table.begin()
    table.play("pass")
    assert table.oracle.round == 7
    assert [player.florins for player in table.oracle.players] == [4, 4]


# ------------------------------------------------------------- the end


@pytest.mark.parametrize("florins", [0, 40])
def test_the_earlier_of_equals_wins(florins: int) -> None:
    """S12.3: Florins count nothing; the order is that of the last S11.2."""
    table = last_to_pass("money", num_players=3)
    table.oracle.round = 7
    first, second, third = table.oracle.order
    table.oracle.stacks = [[third, second, first], *([] for _ in range(8))]
    table.oracle.stacks = [[first], [third, second], *([] for _ in range(7))]
    for player in table.oracle.players:
        player.dice = {"red": 6, "grey": 6, "violet": 6}
        player.points["missions"] = 20
    table.oracle.players[third].florins = florins
    table.begin()
    table.play("pass")
    assert table.oracle.order == [second, third, first]
    assert table.oracle.winners() == [second]
    assert table.game.winners() == [seat == second for seat in range(3)]
    assert table.batch.winners()[0].tolist() == table.game.winners()


def test_a_row_of_two_scores_nothing() -> None:
    """S12.2, S12.1: face-down tiles count as tiles; halves are rounded down for each male."""
    table = last_to_pass("money")
    table.oracle.round = 7
    for player in table.oracle.players:
        player.dice = {"red": 6, "grey": 6, "violet": 6}
    table.player.fronts["political"], table.player.backs["clerical"] = ["a5", "b5"], ["b2"] * 3
    table.player.careers["military"] = [1, 1, 2, 2]
    table.begin()
    assert table.play("pass")[table.player.seat] == 3 + 2


@pytest.mark.parametrize("name", [tile["name"] for tile in EDITION["vp_tile"]])
def test_every_vp_tile_counts_what_it_says(name: str) -> None:
    """S11.5, A9."""
    table = last_to_pass("money")
    table.oracle.round, player = 7, table.player
    table.oracle.vp_tiles[1] = next(t for t in EDITION["vp_tile"] if t["name"] == name)
    table.oracle.players[table.oracle.order[1]].dice = {"red": 6, "grey": 6, "violet": 6}
    player.florins, player.brides = 5, 2
    player.helpers = {("red", 1), ("grey", 2)}
    player.fronts["political"], player.backs["clerical"] = ["a5"], ["b2", "b2", "b2", "b2"]
    player.careers |= {"military": [1, 4], "clerical": [2]}
    table.oracle.cities[next(iter(table.oracle.cities))].meeples.append(player.seat)
    table.oracle.cities[next(iter(table.oracle.cities))].empty.pop(0)
    table.begin()
    table.play("pass", "pay")
    worth = {"helpers": 4, "brides": 6, "cities": 2, "tiles": 10, "careers": 9}
    assert player.points["rewards"] == worth[name] + 5
    assert player.florins == 0
