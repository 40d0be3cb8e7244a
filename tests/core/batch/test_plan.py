"""R3: plans, cards of the previous round, King's Privilege, turn order, donations."""

import pytest

from gonzaga_env.core.board.actions import NO_PLAN
from tests.core.positions import BOARD, Position, cells_where, find, fitting, make_deal

FREE_LAND = cells_where(
    lambda cell: BOARD.region_of[cell] and cell not in BOARD.cities and cell not in BOARD.harbors
)


def test_r3_1_the_top_card_is_turned_over_each_round() -> None:
    position = Position()
    for number in (1, 2, 3):
        position.begin_round(number)
        position.plans("Francia B", "Francia B", "Francia B")
        seat = position.order[0]
        fief = int(position.state.deck[0, seat, number - 1]) + 1
        legal = {text for text in position.legal() if text.startswith("fief")}
        fits = [p for p in fitting() if p.fief == fief and p.card == "B" and "Francia" in p.regions]
        assert legal == {p.text.replace(f"fief {fief}", "fief") for p in fits}


def test_r3_2_a_sealed_plan_tells_the_others_nothing() -> None:
    one, other = Position(), Position()
    one.play("Francia B + privilege")
    other.play("inactive C")
    assert (one.engine.observe(0) != other.engine.observe(0)).any()
    for seat in (1, 2):
        assert (one.engine.observe(seat) == other.engine.observe(seat)).all()


def after_round(*plans: str) -> Position:
    """Returns a game after a round of donations."""
    position = Position()
    position.plans(*plans)
    for _ in plans:
        position.play("donate")
    return position


def test_r3_3_cards_of_the_last_round_are_not_available() -> None:
    position = after_round("Francia B + privilege", "Italia C", "inactive A")
    cards = ("Hispania", "Britannia", "Italia", "inactive")
    assert position.legal() == {f"{region} {action}" for region in cards for action in "AC"}


def test_r3_3_everybody_has_the_own_cards_locked() -> None:
    position = after_round("Francia B + privilege", "Italia C", "inactive A")
    position.play("Italia C")
    assert position.is_legal("Francia B + privilege")
    assert not position.is_legal("Italia B")
    assert not position.is_legal("Francia C")


def test_r3_3_cards_come_back_once_the_next_plans_are_revealed() -> None:
    position = after_round("Francia B + privilege", "Italia C", "inactive A")
    position.plans("Italia A", "Francia B")
    assert (position.state.previous_plan != NO_PLAN).all()
    position.play("Francia B")
    assert (position.state.previous_plan == NO_PLAN).all()
    for _ in range(3):
        position.play("donate")
    assert position.is_legal("Francia B + privilege")
    assert position.refusal("Italia B").rule == "R3.3"
    assert position.refusal("Francia A").rule == "R3.3"


def test_r3_4_kings_privilege_is_paid_at_the_reveal() -> None:
    position = Position()
    position.plans("Francia B + privilege", "Italia C")
    assert position.state.ring_stock[0].tolist() == [6, 6, 6]
    position.play("inactive A + privilege")
    assert position.state.ring_stock[0].tolist() == [5, 6, 5]


def spend_rings(position: Position, seat: int, count: int) -> None:
    for cell in FREE_LAND[:count]:
        position.wed(seat, cell)
    assert position.state.ring_stock[0, seat] == 6 - count


def test_r3_4_without_a_ring_no_privilege() -> None:
    position = Position()
    spend_rings(position, 0, 6)
    position.begin_round(2)
    assert position.refusal("Francia B + privilege").rule == "R3.4"
    assert not any("privilege" in text for text in position.legal())
    position.play("Francia B")
    assert position.is_legal("Francia B + privilege"), "seat 1 has rings"


def test_r3_4_who_pays_the_last_ring_has_none_for_the_wedding() -> None:
    position = Position()
    spend_rings(position, 0, 5)
    position.begin_round(2)
    position.plans("Francia C + privilege", "Italia B", "inactive A")
    assert position.engine.seats[0] == 0
    assert position.state.ring_stock[0, 0] == 0
    assert not any(text.startswith("ring") for text in position.legal())
    free = find(FREE_LAND[6:], lambda cell: BOARD.region_of[cell] == "Francia")
    assert position.refusal(f"ring {free[0]},{free[1]}").rule == "R5.1"


@pytest.mark.parametrize(
    ("plans", "first_fiefs", "order"),
    [
        # The rulebook's example; cards 12 and 83 are fief 1 of seat 1 and fief 8 of seat 2.
        (
            ["Italia C + privilege", "Italia B", "Francia B", "Italia A"],
            [12, 1, 8, 11],
            [0, 3, 1, 2],
        ),
        (["Italia C", "Italia B", "Italia A"], [1, 2, 3], [2, 1, 0]),  # whatever the fiefs
        (["Italia C + privilege", "Italia A", "Italia B + privilege"], [1, 2, 3], [2, 0, 1]),
        (["Italia C + privilege"] * 3, [12, 7, 9], [1, 2, 0]),
        (["Italia A", "inactive A", "Francia A"], [3, 12, 2], [2, 0, 1]),
        # Card 24 of the fourth colour comes before 52 and 53, and 121 of the first last (R1.7).
        (["Italia B"] * 4, [12, 5, 5, 2], [3, 1, 2, 0]),
    ],
)  # fmt: skip
def test_r1_7_r3_5_privilege_then_a_then_b_then_c_then_the_lower_fief_card(
    plans: list[str], first_fiefs: list[int], order: list[int]
) -> None:
    scenario = {3: "Colombo", 4: "Vespucci"}[len(plans)]
    position = Position(len(plans), scenario)
    position.engine.reset(deal=make_deal(scenario, first_fiefs))
    position.plans(*plans)
    assert position.order == order
    assert position.engine.seats[0] == order[0]


def test_r3_6_one_action_each_in_turn_order() -> None:
    position = Position()
    position.plans("Italia C", "Italia B", "Italia A")
    acted = []
    for _ in range(3):
        acted.append(int(position.engine.seats[0]))
        position.play("donate")
    assert acted == [2, 1, 0]
    assert position.state.round[0] == 2


@pytest.mark.parametrize("action", "ABC")
@pytest.mark.parametrize("region", ["Francia", "inactive"])
def test_r3_7_a_donation_is_legal_whatever_the_plan(region: str, action: str) -> None:
    position = Position()
    position.turn(1, f"{region} {action}")
    result = position.play("donate")
    assert (result.seats[0], result.points[0]) == (1, 3)
    assert position.scores("donations") == [0, 3, 0]
    assert not position.state.fiefs.any()


def test_r3_7_rings_are_not_donated() -> None:
    position = Position()
    position.donate(0)
    assert position.state.ring_stock[0].tolist() == [6, 6, 6]
    position.turn(0, "Francia C")
    assert {text for text in position.legal() if not text.startswith(("fief", "ring"))} == {
        "donate"
    }
