"""The worked examples of the rulebook, in both engines and the oracle (section D of the rules)."""

from itertools import count

import pytest

from tests.signorie.table import Table

RED, BLUE, YELLOW, PURPLE = "red", "blue", "yellow", "purple"


@pytest.fixture
def table() -> Table:
    """Four players, so that all cities are in play, with one die of each color."""
    table = Table(4)
    table.clear_cities()
    table.dice("yellow 1, red 2, violet 3, grey 4, turquoise 1")
    table.player.florins = 5
    return table


def test_the_first_player_lies_on_top_and_has_the_fewest_florins() -> None:
    """S2.2, S2.3: Yellow, Blue, Red, Purple."""
    for seed in count():
        oracle = Table(4, seed=seed).oracle
        boards = [oracle.players[seat].board for seat in oracle.order]
        if boards == [YELLOW, BLUE, RED, PURPLE]:
            break
    table = Table(4, seed=seed)
    state, order = table.game.state, table.oracle.order
    assert state.order[0].tolist() == order
    assert state.florins[0, order].tolist() == [6, 7, 7, 8]
    assert state.initiative[0].tolist() == [0] * 4
    assert state.height[0, order].tolist() == [3, 2, 1, 0]


def test_a_die_of_1_on_a_slot_of_5_costs_4(table: Table) -> None:
    """S5.3: a turquoise die, for a mission."""
    table.player.careers["military"] = [1]
    table.begin()
    table.play("turquoise 1 signoria")
    assert table.player.florins == 1


def test_a_helper_costs_the_price_of_its_slot(table: Table) -> None:
    """S6.1, S6.2: the red die hires in the yellow column; the middle slot costs 3."""
    table.begin()
    table.play("red 2 hire 2")
    assert table.player.helpers == {("yellow", 2)}
    assert table.player.florins == 2


def test_three_males_bring_six_initiative_points(table: Table) -> None:
    """S7.1, S7.2: the violet die, the assignment on the male slot."""
    table.assign("violet", "initiative", "fame")
    table.begin()
    table.play("violet 3 assign 1", "spend 3")
    assert table.oracle.stacks[6] == [table.player.seat]
    assert (table.player.supply["male"], table.player.stock["male"]) == (1, 11)  # S7.3


def test_four_points_are_freely_divided(table: Table) -> None:
    """S8.1, S9.1, S9.4: initiative, two steps of a political male, a new military one."""
    table.player.careers["political"] = [1]
    table.begin()
    points = ("initiative", "advance political 1", "advance political 2", "enter military")
    table.play("grey 4 signoria", *points)
    assert table.player.careers == {"political": [3], "clerical": [], "military": [1]}
    assert table.oracle.stacks[1] == [table.player.seat]


@pytest.mark.parametrize(
    ("house", "taken"), [("e", False), ("f", True), ("b", True), ("a", False), ("c", False)]
)
def test_a_row_takes_what_its_plan_still_wants(house: str, taken: bool) -> None:
    """S10.1, S10.2: of the military row e e f b, both e are there, and one tile face down."""
    table = _first_player_has(YELLOW)
    player, milano = table.player, table.oracle.cities["Milano"]
    player.fronts["military"], player.backs["military"] = ["e2", "e3"], ["a2"]
    player.careers["military"] = [7, 7]
    milano.tiles["mission"] = f"{house}4"
    table.begin()
    table.play("turquoise 6 signoria", "mission military 7 Milano")
    assert (milano.tiles["mission"] is None) is taken
    assert player.fronts["military"] == ["e2", "e3", f"{house}4"][: 2 + taken]


def _first_player_has(board: str) -> Table:
    """Returns a table whose first player has a board."""
    for seed in count():
        table = Table(4, seed=seed)
        if table.player.board == board:
            table.dice("turquoise 6, yellow 1")
            return table
    raise AssertionError


def test_face_down_tiles_join_a_row_without_limit() -> None:
    """S10.3: a row of six."""
    table = _first_player_has(YELLOW)
    table.player.fronts["military"] = ["e2", "e3", "f2", "b2"]
    table.player.backs["military"] = ["a2"]
    table.player.helpers = {("turquoise", 2)}
    table.begin()
    table.play("turquoise 6 hire 1", "use", "row military")
    assert len(table.player.backs["military"]) == 2


def test_a_mission_takes_the_lowest_slot_and_the_tile(table: Table) -> None:
    """S8.2: Milano has 3, 4, 4; a male goes there from the slot of 13 points."""
    table.fill("Milano", 5)
    tile = f"{table.player.shields['military'][0]}4"
    table.oracle.cities["Milano"].tiles["mission"] = tile
    table.player.careers |= {"political": [3, 4], "military": [7]}
    table.dice("turquoise 6")
    table.begin()
    table.play("turquoise 6 signoria")
    missions = {text for text in table.oracle.legal if text.endswith("Milano")}
    # Rank 3 is on slot 4; slot 3 has rank 2.
    assert missions == {"mission political 4 Milano", "mission military 7 Milano"}
    points = table.play("mission military 7 Milano")
    assert points[table.player.seat] == 13
    assert table.player.fronts["military"] == [tile]
    assert table.oracle.cities["Milano"].empty == [4, 4]


def test_a_mission_scores_without_a_tile_too(table: Table) -> None:
    """S8.2, S8.6: Milano has 4, 4, and no tile; a male of rank 4 goes there from 9."""
    table.fill("Milano", 6)
    table.player.careers |= {"political": [4, 5]}
    table.dice("turquoise 6")
    table.begin()
    table.play("turquoise 6 signoria")
    assert "mission political 4 Milano" not in table.oracle.legal
    points = table.play("mission political 5 Milano")
    assert points[table.player.seat] == 9
    assert not table.player.fronts["political"]


def test_a_dowry_may_exceed_the_slot(table: Table) -> None:
    """S8.5, S10.2: Firenze's lowest slot is 1; 4 Florins bring 8 points, the House is held."""
    table.oracle.cities["Firenze"].tiles["marriage"] = "c3"
    table.player.fronts["marriage"] = ["c5"]
    table.begin()
    points = table.play("red 2 signoria", "marry Firenze 4")
    assert points[table.player.seat] == 8
    assert table.player.florins == 1
    assert table.oracle.cities["Firenze"].tiles["marriage"] == "c3"
    assert table.oracle.cities["Firenze"].empty[0] == 1  # the other one


def _last_to_pass(round_number: int) -> tuple[Table, dict[str, int]]:
    """Returns a table where all but one player have passed, and the seats by board."""
    table = Table(4)
    table.clear_cities()
    table.oracle.round = round_number
    table.oracle.to_act = type(table.oracle.to_act)([table.player.seat])
    table.dice("yellow 6")
    return table, {player.board: player.seat for player in table.oracle.players}


def test_initiative_scores_by_slot() -> None:
    """S11.1, S11.2: Red 9, Blue and Purple 4 each, Yellow nothing."""
    table, seats = _last_to_pass(1)
    stacks = {8: [seats[RED]], 6: [seats[BLUE], seats[PURPLE]], 1: [seats[YELLOW]]}
    table.oracle.stacks = [stacks.get(slot, []) for slot in range(9)]
    for player in table.oracle.players:
        player.dice = {"red": 6, "grey": 6, "violet": 6}  # no rewards
    table.begin()
    points = table.play("pass")
    expected = {RED: 9, BLUE: 4, PURPLE: 4, YELLOW: 0}
    assert {board: points[seat] for board, seat in seats.items()} == expected
    # Purple's disc lies upon Blue's.
    assert table.oracle.order == [seats[board] for board in (RED, PURPLE, BLUE, YELLOW)]
    assert table.oracle.stacks[0] == table.oracle.order[::-1]


def test_rewards_go_to_those_below_the_threshold() -> None:
    """S11.3, S11.4: the mission to Blue, 3 Florins to Yellow, weddings without Florins."""
    table, seats = _last_to_pass(1)
    oracle = table.oracle
    mission = next(tile for tile in oracle.edition["bonus_tile"] if tile["name"] == "mission")
    oracle.bonus_tiles = [mission, *(t for t in oracle.bonus_tiles if t != mission)][:5]
    stacks = {3: [seats[BLUE]], 2: [seats[YELLOW]], 1: [seats[RED]], 0: [seats[PURPLE]]}
    oracle.stacks = [stacks.get(slot, []) for slot in range(9)]
    sums = {RED: (6, 5, 3), PURPLE: (6, 6, 6), BLUE: (6, 5, 2), YELLOW: (1,)}
    for board, values in sums.items():
        player = oracle.players[seats[board]]
        player.dice = dict(zip(("red", "grey", "violet"), values, strict=False))
        player.florins = 5
    for board in (BLUE, YELLOW):
        oracle.players[seats[board]].careers["clerical"] = [2]
    table.begin()
    table.play("pass")
    assert oracle.seat == seats[BLUE]
    city = next(iter(oracle.cities))
    points = table.play("bonus", f"mission clerical 2 {city}")
    assert points[seats[BLUE]] == 3
    table.play("wed", "florins", "wed")
    # Red and Purple are not asked.
    assert oracle.round == 2
    florins = {board: oracle.players[seat].florins for board, seat in seats.items()}
    assert florins == {RED: 5, PURPLE: 5, BLUE: 5, YELLOW: 8}
    assert [oracle.players[seats[board]].brides for board in sums] == [0, 0, 1, 1]


def test_the_end_scores_rows_and_careers() -> None:
    """S12.1, S12.2: rows 9, 9, 0, 0 and careers 4, 3 + 1, 6 make 32."""
    table, seats = _last_to_pass(7)
    yellow = table.oracle.players[seats[YELLOW]]
    for player in table.oracle.players:
        player.dice = {"red": 6, "grey": 6, "violet": 6}
    yellow.fronts |= {"political": ["a4", "a2"], "clerical": ["c5", "c3"]}
    yellow.fronts |= {"military": ["e5", "f5"], "marriage": ["a5", "b5"]}
    yellow.backs |= {"political": ["d2", "d2", "d2"], "clerical": ["d2"]}
    yellow.careers |= {"political": [5], "clerical": [4, 2], "military": [7]}
    table.begin()
    points = table.play("pass")
    assert points[seats[YELLOW]] == 32
    assert table.game.finished
    assert table.oracle.scores()["tiles"][seats[YELLOW]] == 18
    assert table.oracle.scores()["careers"][seats[YELLOW]] == 14
    assert table.oracle.winners() == [seats[YELLOW]]
