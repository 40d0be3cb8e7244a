"""One game: the rulebook's examples (section (d) of the rules), its edges, and the contract."""

from typing import Any

import numpy as np
import pytest

from gonzaga_env.kernel.errors import RecordError
from gonzaga_env.tuscany.batch.engine import Engine
from gonzaga_env.tuscany.board import ACTIONS, CELL_NAMES
from gonzaga_env.tuscany.config import GameConfig
from gonzaga_env.tuscany.constants import COLOURS, KINDS, PIECE_NAMES, SOURCES, STARTING_BONUS
from gonzaga_env.tuscany.single.game import Game
from tests.beside import Beside
from tests.tuscany.table import Table, cards, kinds, played


def test_bonus_cards_add_to_the_draw() -> None:
    """T4.1, example 1."""
    table = Table()
    table.give(bonus=[3, 0, 0, 0, 0])
    table.do_beside("draw")
    assert sum(table.own("hand")) == 5
    table = Table(draw_base=3)
    table.do_beside("draw")
    assert sum(table.own("hand")) == 3


def test_a_marble_buys_the_same_action_again() -> None:
    """T3.2, example 2."""
    table = Table()
    table.give(marble=1)
    table.do_beside("draw", "marble", "draw")
    assert table.game.seat != table.seat
    assert table.own("marble") == 0
    assert sum(table.own("hand")) == 4


def test_a_worker_and_a_pair_place_a_city() -> None:
    """T6.2, example 3."""
    table = Table()
    table.place("C", "AA", "bonus yield", workers=1)
    assert table.own("hand") == cards("")
    assert table.own("workers") == 0
    assert table.position.discards == cards("AA")


def test_the_last_tile_of_a_zone_scores_it() -> None:
    """T7.1, example 4."""
    table = Table()
    cell = table.any_cell("M", 3)
    chosen = table.position.region(table.seat)
    first, second, third = (i for i in range(30) if chosen.zones[cell] >> i & 1)
    table.give("MMMM", "M")
    table.open_only(second, third)
    table.do_beside(f"tile {CELL_NAMES[second]}")
    assert table.own("covered") >> first & 1
    assert table.points("zones") == 0
    table.position.seat = table.seat
    table.give("MM", "M")
    table.do_beside(f"tile {CELL_NAMES[third]}")
    assert table.points("zones") == 6


def test_a_wooden_hexagon_is_a_crop_of_its_own() -> None:
    """T6.3, T8.4, example 5."""
    table = Table()
    cell = table.any_cell("A")
    table.give("CCA", "hexagon", crops=[1 << cell - 1 if cell else 2] * 4)
    table.open_only(cell)
    table.do_beside(f"hexagon {CELL_NAMES[cell]}")
    assert table.points("crops") == 1
    assert table.position.discards == cards("CCA")
    assert table.own("wooden") == 1 << cell


def test_only_new_crops_score() -> None:
    """T8.4, example 6."""
    table = Table()
    cell = table.any_cell("A", 3)
    zone = table.position.region(table.seat).zones[cell]
    table.give("AA", "AOG", crops=[0, zone & ~(1 << cell), 0, 0])
    table.open_only(cell)
    table.do_beside(f"tile {CELL_NAMES[cell]}")
    assert table.points("crops") == 1  # olives, not grapes
    assert table.own("crops")[1] == zone


def test_rounds_add_green_to_red() -> None:
    """T11.1, example 7."""
    table = Table(round_end="turn")
    table.own("scores")[SOURCES.index("zones")] = 17
    table.own("scores")[SOURCES.index("yield_red")] = 4
    table.give(stacks=[4, 4, 4, 2] + [0] * 13)
    table.do_beside("draw")
    assert table.position.round == 2
    assert table.points("round_1") == 17
    assert sum(table.own("scores")[5:]) == 21
    assert table.points("zones") == 17


def test_the_leftmost_stack_refills_whatever_the_round() -> None:
    """T5.3, T5.4, example 8."""
    table = Table()
    table.refresh(round=2)
    table.do("take V", drawn=["stack Q"])
    assert table.position.turned(table.seat) == 1
    table = Table()
    table.give(stacks=[0] * 17)
    table.do("take V", drawn=["neutral Q"])


def test_a_refused_hexagon_is_two_red_points() -> None:
    """T8.3, example 9: a wagon that the castle effect places yields a wooden hexagon."""
    table = Table()
    table.place("I", "II")
    assert table.own("storage") == kinds("hexagon", PIECE_NAMES)
    table.position.seat = table.seat
    table.give("", "V")
    cell = table.any_cell("W")
    table.position.kind = KINDS.index("castle")
    table.open_only(cell)
    table.do(f"tile {CELL_NAMES[cell]}", drawn=["stack V", "yield hexagon 1"])
    assert table.points("full_storage") == 2


def test_a_full_storage_is_asked_what_to_remove() -> None:
    """T5.2."""
    table = Table()
    table.give("", "V hexagon", bonus=[0, 1, 0, 0, 0])
    table.do("take Q")
    assert table.kind == "remove"
    assert table.game.num_legal() == 2
    table.do("remove hexagon")
    assert table.own("storage") == kinds("V Q", PIECE_NAMES)


@pytest.mark.parametrize("same_turn", [False, True])
def test_a_new_hexagon_waits_a_turn(same_turn: bool) -> None:
    """B8."""
    table = Table(hexagon_same_turn=same_turn)
    table.give("VVVVAAAAWWWW", "hexagon")
    table.refresh(new_hexagons=1)
    texts = [ACTIONS.to_text(i) for i in np.flatnonzero(table.game.mask())]
    assert any(text.startswith("hexagon") for text in texts) == same_turn


def test_five_of_a_colour_are_swept() -> None:
    """T5.5."""
    table = Table()
    table.refresh(display=kinds("V V V V W M Q C"), aside=kinds(""))
    fresh = ["neutral I", "neutral I", "neutral F", "neutral F", "neutral Q"]
    table.do("take W", drawn=["stack V", "sweep V", *fresh])
    assert table.position.display == kinds("M Q Q C I I F F")
    assert table.position.aside == kinds("V V V V V")


def test_no_sweep_while_no_other_colour_can_follow() -> None:
    """T5.5."""
    table = Table()
    table.give(stacks=kinds("V V"))
    table.refresh(display=kinds("V V V V V W M Q"), neutral=kinds("V"), aside=kinds("V V"))
    assert table.do_beside("take Q") == ["stack V"]
    assert table.position.display == kinds("V V V V V V W M")


def test_sweeps_that_would_never_end_are_counted() -> None:
    """T5.5: a position that comes again after two sweeps."""
    table = Table()
    table.give(stacks=kinds("V"))
    table.refresh(display=kinds("V V V V V W AO Q"), neutral=kinds("W W W W"), aside=kinds(""))
    drawn = table.do_beside("take Q")
    assert [text for text in drawn if text.startswith("sweep")] == ["sweep V", "sweep W"] * 5


def test_an_empty_deck_is_renewed_with_the_cards_just_paid() -> None:
    """T4.2."""
    table = Table()
    table.refresh(deck=cards(""), discards=cards(""))
    table.place("M", "MM")
    assert table.position.drawn == ["shuffle region", "card M", "card M"]  # no third card


@pytest.mark.parametrize(("rule", "points"), [("ranked", [4, 2, 0]), ("literal", [1, 2, 0])])
def test_the_first_two_score_a_complete_colour(rule: str, points: list[int]) -> None:
    """T7.2, B3."""
    for before, right in enumerate(points):
        table = Table(3, colour_bonus=rule)
        for other in range(before):
            table.position.covered[(table.seat + 1 + other) % 3] = (1 << 30) - 1
        table.place("V", "VV")
        assert table.points("colours") == right


def test_a_castle_chain_places_from_the_display() -> None:
    """T8.1, T5.3."""
    table = Table()
    cell = table.any_cell("F")
    village = table.position.region(table.seat).colours.index(COLOURS.index("V"))
    table.give("FF", "F")
    table.open_only(cell, village)
    table.do(f"tile {CELL_NAMES[cell]}")
    assert table.kind == "castle"
    assert table.game.num_legal() == 2  # the village's cell, or nothing
    before = sum(table.own("hand"))
    table.do(f"tile {CELL_NAMES[village]}", drawn=["stack Q"])
    assert table.own("workers") == 1
    assert sum(table.own("hand")) == before


@pytest.mark.parametrize(
    ("final_turns", "turns"), [("lap_then_one", [5, 4, 3]), ("one_each", [3, 3, 3])]
)
def test_turns_after_the_third_stack(final_turns: str, turns: list[int]) -> None:
    """T10.3."""
    for after, right in enumerate(turns):
        table = Table(3, final_turns=final_turns)
        table.do(*["draw"] * after)
        table.position.round, table.position.stacks[0] = 3, [0] * 17
        table.do("draw")
        for _ in range(right):
            assert not table.game.finished
            table.do_beside("draw")
        assert table.game.finished
        assert not table.game.truncated


def test_a_game_that_stalls_is_cut_off_and_its_round_scored() -> None:
    """T10.4, T11.1, T11.2."""
    table = Table(2, max_laps=3)
    table.position.scores[0][0] = 5
    table.give(marble=0)
    table.do_beside(*["draw"] * 6)
    assert table.game.finished
    assert table.game.truncated
    assert table.points("round_1", 0) == 5
    assert table.points("round_2", 0) == 0
    assert table.position.red[0] == 5 + table.points("cards", 0)


def test_a_round_that_ends_with_the_last_lap_is_scored_once() -> None:
    """T10.4, T10.2; with "turn", the next round would run when the lap ends."""
    table = Table(2, max_laps=1, round_end="lap")
    table.position.scores[0][0] = 5
    table.position.stacks[0] = kinds("V V V")
    table.refresh()
    table.do_beside("draw", "draw")
    assert table.game.truncated
    assert [table.points(f"round_{i}", 0) for i in (1, 2, 3)] == [5, 0, 0]


def test_setup_is_hidden_until_all_have_chosen() -> None:
    """T2.4."""
    game, rng = Game(2, seed=1), np.random.default_rng(0)
    seats = []
    while game.kind < STARTING_BONUS:
        other = 1 - game.seat
        before = game.observation(other), game.view(other).players, game.view("public").players
        seats.append(game.seat)
        game.play(game.sample_legal(rng))
        if game.kind < STARTING_BONUS:
            view = game.view(other).players, game.view("public").players
            changed = game.features.view(before[0] ^ game.observation(other), "colours")
            assert not changed.any()
            assert view == before[1:]
    assert seats == [game.seat, game.seat, 1 - game.seat, 1 - game.seat]
    assert all(player.region for player in game.view("public").players)
    assert [player.hand is None for player in game.view(0).players] == [False, True]


def test_what_cannot_be_turned_up_is_refused() -> None:
    game = played(2)
    before = game.state
    with pytest.raises(RecordError, match="drawn: 'card X'; it could be card V"):
        game.play(ACTIONS.draw, drawn=["card X", "card V"])
    assert game.state == before


@pytest.mark.parametrize(
    ("num_players", "rules"),
    [
        (2, {}),
        (2, {"draw_base": 3, "round_end": "lap", "hexagon_same_turn": True}),
        (3, {"final_turns": "lap_then_one", "colour_bonus": "ranked", "max_laps": 30}),
        (4, {"draw_base": 3, "bonus_gains": "tiles", "storage_points": "setup"}),
    ],
)
def test_both_engines_play_every_setting_alike(num_players: int, rules: dict[str, Any]) -> None:
    """Many games at once, of which some do the same rare thing in one step."""
    config = GameConfig(num_players, rules=rules)
    engine = Engine.from_config(config, 40, 1000 * num_players, autoreset=False, reward="score")
    Beside(engine).play(np.random.default_rng(num_players))
