"""What seldom happens, forced: one game, the batch and the oracle do the same (T2 to T11)."""

from typing import Any

import numpy as np
import pytest

from gonzaga_env.tuscany import Engine
from gonzaga_env.tuscany.board import ACTIONS, CELL_NAMES
from gonzaga_env.tuscany.constants import COLOURS, MAIN, PIECE_NAMES, SOURCES
from gonzaga_env.tuscany.edition import load_edition
from tests.beside import Beside, put
from tests.tuscany.table import Table, cards, kinds, oracle_at, played

YIELDS = load_edition("reconstruction").yield_names


def yields(text: str) -> list[int]:
    """Returns counts of yield cards from their names, which commas separate."""
    return [text.split(", ").count(name) for name in YIELDS]


def wagon(
    yield_deck: str, yield_discards: str = "", rules: str = "", **tokens: Any
) -> tuple[Table, list[str]]:
    """Places a wagon with these yield cards; returns the table and what was turned up."""
    table = Table(rules=rules)
    table.refresh(yield_deck=yields(yield_deck), yield_discards=yields(yield_discards))
    cell = table.any_cell("W")
    table.give("WW", "W", **tokens)
    table.open_only(cell)
    return table, table.do_beside(f"tile {CELL_NAMES[cell]}")


def test_a_second_hexagon_is_refused() -> None:
    """T8.3, T8.8, B14: one space for two wooden hexagons."""
    table, drawn = wagon("hexagon 1, hexagon 1", bonus=[0, 0, 0, 0, 1])
    assert drawn == ["yield hexagon 1"] * 2
    assert table.own("storage") == kinds("hexagon", PIECE_NAMES)
    assert table.points("full_storage") == 2


def test_yield_cards_are_shuffled_between_two_of_them() -> None:
    """T8.8: the first card is among those that are shuffled."""
    table, drawn = wagon("red 3", "", bonus=[0, 0, 0, 0, 2])
    assert drawn == ["yield red 3", "shuffle yield"] * 2 + ["yield red 3"]
    assert table.points("yield_red") == 9
    table, drawn = wagon("", "worker 1, worker 1", workers=0)
    assert drawn == ["shuffle yield", "yield worker 1"]
    assert table.own("workers") == 1


@pytest.mark.parametrize(("rules", "times"), [("", 1), ("bonus_gains=tiles", 0)])
def test_bonus_tiles_count_for_yield_cards_as_an_option(rules: str, times: int) -> None:
    """T8.5, T8.6, B5: each card that brings marble or a worker brings the bonus once more."""
    bonus = [1, 1, 2, 1, 2]
    table, drawn = wagon("worker 1, marble 1, cards 2", rules=rules, bonus=bonus)
    assert sorted(drawn)[-3:] == ["yield cards 2", "yield marble 1", "yield worker 1"]
    assert (table.own("marble"), table.own("workers")) == (1 + 2 * times, 1 + times)
    table, _ = wagon("marble 1, marble 1", rules=rules, bonus=[0, 0, 1, 0, 1])
    assert table.own("marble") == 2 + 2 * times
    assert len(table.own("hand")) == 8


@pytest.mark.parametrize(("points", "right"), [("always", 2), ("setup", 0)])
def test_a_citys_storage_tile_scores_as_an_option(points: str, right: int) -> None:
    """T9.3, B4; the tile of the setup scores always (test_setup_is_the_same_for_all_...)."""
    table = Table(storage_points=points)
    table.place("C", "CC", "bonus storage")
    assert table.points("storage") == right
    assert table.own("bonus")[1] == 1


@pytest.mark.parametrize("same_turn", [False, True])
def test_a_new_hexagon_does_not_block_an_older_one(same_turn: bool) -> None:
    """B8: of two wooden hexagons, the one won in this turn waits, and the other may be placed."""
    table = Table(hexagon_same_turn=same_turn)
    cells = [CELL_NAMES[table.any_cell("I")]]
    colours = table.position.region(table.seat).colours
    cells += [name for name, colour in zip(CELL_NAMES, colours, strict=True) if colour == 0][:2]
    table.give("IIVV", "I hexagon", marble=2, bonus=[0, 2, 0, 0, 0])
    table.open_only(*map(CELL_NAMES.index, cells))
    table.do_beside(f"tile {cells[0]}", "pay own+own", "marble", f"hexagon {cells[1]}")
    assert table.own("storage") == kinds("hexagon", PIECE_NAMES)
    assert table.position.seat != table.seat
    # With the new one alone, only the option lets it be placed.
    table = Table(hexagon_same_turn=same_turn)
    table.any_cell("I")
    table.give("IIVV", "I", marble=2)
    table.open_only(*map(CELL_NAMES.index, cells))
    table.do_beside(f"tile {cells[0]}", "pay own+own", "marble")
    legal = map(ACTIONS.to_text, np.flatnonzero(table.game.mask()).tolist())
    assert any(text.startswith("hexagon") for text in legal) == same_turn


def test_cards_of_a_yield_come_before_the_next_yield() -> None:
    """T8.8: revealed, gained and discarded one after the other."""
    table, drawn = wagon("cards 2", "", bonus=[2, 0, 0, 0, 1])
    first, *cards_drawn = drawn[:3]
    assert (first, drawn[3:5]) == ("yield cards 2", ["shuffle yield", "yield cards 2"])
    assert all(text.startswith("card ") for text in cards_drawn + drawn[5:])
    assert sum(table.own("hand")) == 4  # +1 card tiles do not count (T8.7)


def test_neutral_tiles_set_aside_are_shuffled_for_a_refill() -> None:
    """T5.4, T5.5: own stacks and neutral stack are empty."""
    table = Table()
    table.give(stacks=kinds(""))
    table.refresh(neutral=kinds(""), aside=kinds("I I"))
    assert table.do_beside("take V") == ["shuffle neutral", "neutral I"]
    table = Table()
    table.give(stacks=kinds(""))
    table.refresh(neutral=kinds(""), aside=kinds(""))
    assert table.do_beside("take V") == []
    assert sum(table.position.display) == 7  # it stays short


def test_neutral_tiles_are_shuffled_within_a_sweep() -> None:
    """T5.5: the five that are swept are shuffled with those set aside before."""
    table = Table()
    table.give(stacks=kinds("V V"))
    table.refresh(display=kinds("V V V V M M Q Q"), neutral=kinds("C I"), aside=kinds("F"))
    drawn = table.do_beside("take M")
    assert drawn[:2] == ["stack V", "sweep V"]
    assert sorted(drawn[2:4]) == ["neutral C", "neutral I"]
    assert drawn[4] == "shuffle neutral"
    assert sum(table.position.display) == 8


def test_a_castle_chain_with_a_sweep() -> None:
    """T8.1, T5.5: the display that the second castle sees is the swept one."""
    table = Table()
    first = table.any_cell("F")
    chosen = table.position.region(table.seat)
    second = next(i for i in range(30) if chosen.colours[i] == COLOURS.index("F") and i != first)
    city = chosen.colours.index(COLOURS.index("C"))
    table.give("FF", "F", stacks=kinds("V V V"))
    table.refresh(display=kinds("F V V V V W M Q"), neutral=kinds("C C C I I"), aside=kinds(""))
    table.open_only(first, second, city)
    castles = [f"tile {CELL_NAMES[cell]}" for cell in (first, second)]
    drawn = table.do_beside(*castles, f"tile {CELL_NAMES[city]}", "bonus storage")
    assert drawn[:2] == ["stack V", "sweep V"]
    assert sorted(drawn[2:7]) == ["neutral C"] * 3 + ["neutral I"] * 2
    assert drawn[7:] == ["stack V"]
    assert table.points("storage") == 2  # T9.3
    assert table.own("covered") == (1 << 30) - 1


def test_a_castle_effect_may_be_declined_or_lapse() -> None:
    """T8.1, B10."""
    table = Table()
    cell = table.any_cell("F")
    village = table.position.region(table.seat).colours.index(COLOURS.index("V"))
    for display in ("V V V W M Q C I", "W W W M Q C I I"):
        table.position.seat, table.position.lap = table.seat, 1
        table.give("FF", "F")
        table.refresh(display=kinds(display))
        table.open_only(cell, village)
        table.do_beside(f"tile {CELL_NAMES[cell]}", *["end"] * display.startswith("V"))
        assert table.game.seat != table.seat


def test_a_marble_won_is_spent_at_once() -> None:
    """T8.5, T3.2, B9."""
    table = Table()
    table.place("Q", "QQ", "marble", "draw", bonus=[0, 0, 1, 0, 0])
    assert table.own("marble") == 1  # two won, one spent; a turn has two actions at most
    assert table.game.seat != table.seat
    assert sum(table.own("hand")) == 2


def test_four_equal_cards_pay() -> None:
    """T6.2, B6: two pairs of a colour are two units; three cards are not."""
    table = Table()
    table.place("Q", "VVVVWW", "pay VV+VV", "end")
    assert table.own("hand") == cards("WW")
    table = Table()
    cell = table.any_cell("Q")
    table.give("VVV", "Q")
    table.open_only(cell)
    assert not table.game.is_legal(ACTIONS.parse(f"tile {CELL_NAMES[cell]}"))
    assert f"tile {CELL_NAMES[cell]}" not in oracle_at(table.game).legal


@pytest.mark.parametrize(
    ("colour", "then", "bonus", "token", "right"),
    [
        ("V", [], [0, 0, 0, 2, 0], "workers", 3),  # T8.6
        ("V", [], [3, 0, 3, 0, 3], "workers", 1),
        ("Q", ["end"], [0, 0, 2, 0, 0], "marble", 3),  # T8.5
        ("Q", ["end"], [3, 0, 0, 3, 3], "marble", 1),
    ],
)
def test_bonus_tiles_add_to_their_own_effect(
    colour: str, then: list[str], bonus: list[int], token: str, right: int
) -> None:
    """T8.5, T8.6, T9.2: bonus tiles add up."""
    table = Table()
    table.place(colour, 2 * colour, *then, bonus=bonus)
    assert table.own(token) == right


def test_a_monastery_draws_three_cards_whatever_the_bonus() -> None:
    """T8.7."""
    table = Table()
    table.place("M", "MM", bonus=[3, 0, 0, 0, 0])
    assert sum(table.own("hand")) == 3


def test_a_city_offers_what_is_in_stock() -> None:
    """T8.2, T9.2: limited by stock only; T1.3: five tiles of a type."""
    table = Table()
    table.position.bonus[1 - table.seat] = [5, 5, 5, 3, 0]
    table.place("C", "CC", "bonus worker", bonus=[0, 0, 0, 1, 4])
    assert table.own("bonus") == [0, 0, 0, 2, 4]
    table = Table()
    table.position.bonus[1 - table.seat] = [5, 5, 5, 5, 0]
    table.place("C", "CC", bonus=[0, 0, 0, 0, 4])
    assert table.own("bonus") == [0, 0, 0, 0, 5]  # the only type is not asked for


def test_storage_holds_tiles_and_hexagons_together() -> None:
    """T9.1, T5.1: with free space nothing is removed, and tokens take none."""
    table = Table()
    table.give("VVV", "V hexagon", marble=0, workers=9, bonus=[0, 2, 0, 0, 0])
    table.do_beside("take Q")
    assert table.own("storage") == kinds("V Q hexagon", PIECE_NAMES)


def test_a_tile_goes_next_to_covered_hexes_only() -> None:
    """T6.1, T6.4."""
    table = Table()
    cell = table.any_cell("V")
    chosen = table.position.region(table.seat)
    table.give("VV", "V")
    near = chosen.neighbours[cell] | 1 << cell
    table.open_only(*(i for i in range(30) if near >> i & 1))
    assert not table.game.is_legal(ACTIONS.tile.start + cell)
    table.position.covered[table.seat] |= chosen.neighbours[cell]
    table.refresh()
    table.do_beside(f"tile {CELL_NAMES[cell]}")
    assert table.own("workers") == 1


@pytest.mark.parametrize(("round_end", "scored"), [("lap", 0), ("turn", 9)])
def test_a_round_ends_with_the_lap_or_the_turn(round_end: str, scored: int) -> None:
    """T10.1, T10.2, T11.1: the seventh own tile, turned by the starting player."""
    table = Table(3, round_end=round_end)
    table.own("scores")[SOURCES.index("zones")] = 9
    table.give(stacks=[4, 4, 4, 3] + [0] * 13)
    table.do_beside("take V")
    assert table.points("round_1") == scored
    table.do_beside("draw", "draw")
    assert table.points("round_1") == 9
    assert table.position.round == 2
    # Stack 1 of another player is emptied in round 2: this ends nothing.
    table.position.stacks[table.position.seat] = [4, 4, 4, 3] + [0] * 13
    table.refresh()
    table.do_beside("take W", "draw", "draw")
    assert (table.position.round, table.points("round_2")) == (2, 0)


def test_what_is_left_scores_at_the_end() -> None:
    """T11.2: one point each, and one for three cards."""
    table = Table(2, max_laps=1)
    table.give("VVVVV", "V Q hexagon", marble=0, workers=4, bonus=[0, 3, 0, 0, 0])
    table.position.marble[1 - table.seat] = 2
    table.refresh()
    table.do_beside("draw", "draw", "end")
    assert table.game.finished
    left = ("tiles", "hexagons", "marble", "workers", "cards")
    assert [table.points(source) for source in left] == [2, 1, 0, 4, 2]
    assert table.points("marble", 1 - table.seat) == 2


@pytest.mark.parametrize(
    ("ahead", "right"),
    [({"scores": 1}, 0), ({"empty": 1}, 0), ({"green": 1}, 1), ({"hand": 1}, 1), ({}, None)],
)
def test_ties_are_broken(ahead: dict[str, int], right: int | None) -> None:
    """T11.3: more red; more empty hexes; fewer green; fewer cards; then shared."""
    table = Table()
    position = table.position
    for seat in range(2):
        first = seat == 0
        position.hand[seat] = cards("V" * (3 + ahead.get("hand", 0) * first))
        position.scores[seat][SOURCES.index("zones")] = ahead.get("green", 0) * first
        position.scores[seat][SOURCES.index("yield_red")] = ahead.get("scores", 0) * first
        position.covered[seat] = 0b111 >> ahead.get("empty", 0) * first
    table.refresh()
    won = [seat for seat, wins in enumerate(table.game.winners()) if wins]
    assert won == oracle_at(table.game).winners() == ([0, 1] if right is None else [right])


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_setup_is_the_same_for_all_numbers_of_players(num_players: int) -> None:
    """T2.1 to T2.5, T1.3 to T1.6: all pieces are in; castles score nothing (T7.3), T9.3 does."""
    game = played(num_players)
    position = game.position
    assert sum(position.deck) == 122 - 5 * num_players
    assert sum(position.yield_deck) == 27
    assert sum(position.neutral) == 32 - 8
    assert [sum(stacks) for stacks in position.stacks] == [21] * num_players
    assert [sum(bonus) for bonus in position.bonus] == [1] * num_players
    for letter in range(3):
        boards = [triple // (16, 4, 1)[letter] % 4 for triple in position.boards]
        assert len(set(boards)) == num_players
    storage = SOURCES.index("storage")
    assert not any(points for s in position.scores for i, points in enumerate(s) if i != storage)
    assert [s[storage] for s in position.scores] == [2 * bonus[1] for bonus in position.bonus]
    assert position.seat == position.start  # and the first of every lap is the same
    for turn in range(3 * num_players):
        assert game.seat == (position.start + turn) % num_players
        game.play(ACTIONS.draw)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    "edit", ["one card", "no cards", "no tiles", "crowded", "rich", "last turns"]
)
def test_rare_positions_are_played_on_like_the_oracle(edit: str, seed: int) -> None:
    """T3.1: some dozens of random actions from a position that few games reach."""
    options = {"hexagon_same_turn": bool(seed % 2), "round_end": ("lap", "turn")[seed // 2]}
    game, rng = played(3, seed=seed, **options), np.random.default_rng(seed)
    while game.kind != MAIN or game.position.lap < 6 or game.position.marble_used:
        game.play(game.sample_legal(rng))
    _edit(game.position, edit)
    put(game, game.state)
    engine = Engine.from_state(game.config, game.state, check=False, autoreset=False)
    both, oracle = Beside(engine), oracle_at(game)
    for _ in range(60):
        (game,) = both.games
        legal = set(map(ACTIONS.to_text, np.flatnonzero(game.mask()).tolist()))
        assert legal == oracle.legal
        if not legal:
            break
        action = game.sample_legal(rng)
        both.step([action])
        points = oracle.play(ACTIONS.to_text(action), game.position.drawn)
        assert (points, oracle.drawn) == (game.position.points, game.position.drawn)
    assert game.totals == [player.red for player in oracle.players]


def _edit(position: Any, edit: str) -> None:
    everyone = range(3)
    if edit == "one card":
        position.deck, position.discards = cards("V"), cards("A")
    elif edit == "no cards":
        position.deck, position.discards = cards(""), cards("")
    elif edit == "no tiles":
        position.neutral, position.aside = kinds(""), kinds("")
        position.stacks = [kinds("") for _ in everyone]
    elif edit == "crowded":
        position.display, position.aside = kinds("V V V V AO W W M"), kinds("Q")
        position.neutral, position.stacks = kinds("V V V"), [kinds("V V W") for _ in everyone]
    elif edit == "rich":
        position.workers, position.marble = [9, 9, 9], [5, 5, 5]
        position.storage = [kinds("I hexagon", PIECE_NAMES) for _ in everyone]
        position.bonus = [[1, 1, 1, 1, 1] for _ in everyone]
    else:
        position.round, position.turns_left = 3, 7
