"""States that come from outside: what no game reaches is refused, and what one may reach is not."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from gonzaga_env.tabletop.errors import StateError
from gonzaga_env.tuscany import Engine, Game
from gonzaga_env.tuscany import constants as c
from gonzaga_env.tuscany.board.regions import Region, region, region_numbers
from gonzaga_env.tuscany.config import GameConfig
from gonzaga_env.tuscany.editions.bounds import MOST_ZONE_POINTS, ToCome, most_to_come
from gonzaga_env.tuscany.state.check import check_state, to_come
from gonzaga_env.tuscany.state.state import State
from tests.tuscany.table import played

CONFIG = GameConfig(3)
FULL = (1 << c.NUM_CELLS) - 1
Change = Callable[[State], None]


@pytest.fixture(scope="module")
def states() -> dict[int, State]:
    """A state of each kind of decision, and of a game that is over, from random games."""
    found: dict[int, State] = {}
    rng, seed = np.random.default_rng(1), 0
    while len(found) <= c.OVER:
        game, seed = Game.from_config(CONFIG, seed), seed + 1
        while not game.finished:
            found.setdefault(game.kind, game.state)
            game.play(game.sample_legal(rng))
        found.setdefault(c.OVER, game.state)
    return found


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("seat", 2, "not a seat"),
        ("kind", 12, "kind of decision"),
        ("kind", 4, "differ"),
        ("kind", 6, "differ"),
        ("kind", 0, "too many tiles"),
        ("lap", 0, "lap"),
        ("event", 2**31, "event is not below 2147483648"),
        ("event", 2**32 - 1, "event is not below 2147483648"),
        ("round", 4, "round"),
        ("layout", 97, "layout"),
        ("boards", 64, "board"),
        ("covered", 2**30, "cell"),
        ("covered", 0, "differ"),
        ("hand", 20, "region cards"),
        ("stacks", 9, "stacks"),
        ("bonus", 6, "bonus"),
        ("storage", 2, "tiles"),
        ("marble", 250, "marble could become more than 255"),
        ("scores", 256, "0 to 255"),
        ("scores", 60, "green could become more than 255"),
        ("finished", True, "differ"),
        ("turns_left", 0, "turns_left"),
        ("kind", 2, "too many tiles"),
    ],
)
def test_states_that_contradict_the_rules_are_refused(name: str, value: int, message: str) -> None:
    game = played(2)
    before, broken = game.state, game.state
    getattr(broken, name)[0] = value
    with pytest.raises(StateError, match=message):
        game.state = broken
    assert game.state == before


def _set(name: str, value: Any, *place: int) -> Change:
    def change(state: State) -> None:
        getattr(state, name)[(0, *place)] = value

    return change


def _add(name: str, *place: int) -> Change:
    def change(state: State) -> None:
        getattr(state, name)[(0, *place)] += 1

    return change


def _own(name: str, value: Any, *place: int) -> Change:
    """Sets a field of the seat to act."""
    return lambda state: _set(name, value, int(state.seat[0]), *place)(state)


def _region(state: State) -> Region:
    seat = int(state.seat[0])
    boards, layout = int(state.boards[0, seat]), int(state.layout[0, seat])
    return region(CONFIG.edition.boards, boards, layout)


def _cover(state: State, cells: int) -> None:
    """Covers these cells of the seat to act only, all with plain tiles."""
    seat = state.seat[0]
    state.covered[0, seat], state.wooden[0, seat], state.crops[0, seat] = cells, 0, 0


def _cover_all(state: State) -> None:
    _cover(state, FULL)


def _cover_no_castle(state: State) -> None:
    _cover(state, FULL & ~_region(state).colour_cells[c.CASTLE])


def _cell_far_away(state: State) -> None:
    """The cell that is asked for touches no covered one."""
    chosen = _region(state)
    castle = chosen.colour_cells[c.CASTLE] & -chosen.colour_cells[c.CASTLE]
    _cover(state, castle)
    same = chosen.colour_cells[chosen.colours[int(state.cell[0])]]
    far = same & ~chosen.near(castle) & ~castle
    state.cell[0] = far.bit_length() - 1


def _cell_of_another_colour(state: State) -> None:
    chosen = _region(state)
    state.cell[0] = chosen.colours.index(c.VILLAGE)
    _cover(state, FULL & ~(1 << int(state.cell[0])))


def _uncovered(name: str, *place: int) -> Change:
    """Marks an uncovered cell of a seat as one with a hexagon or a crop."""

    def change(state: State) -> None:
        state.covered[0, 0] = int(state.covered[0, 0]) & ~1 | 2
        state.covered[0, 0] |= _castles_of_seat_0(state) & ~1
        state.wooden[0, 0], state.crops[0, 0] = 0, 0
        getattr(state, name)[(0, 0, *place)] = 1

    return change


def _castles_of_seat_0(state: State) -> int:
    boards, layout = int(state.boards[0, 0]), int(state.layout[0, 0])
    return region(CONFIG.edition.boards, boards, layout).colour_cells[c.CASTLE]


def _store(kind: int) -> Change:
    """Stores one tile of a kind only; the others of the storage are out of the game."""

    def change(state: State) -> None:
        seat = state.seat[0]
        state.storage[0, seat] = 0
        state.storage[0, seat, kind] = 1
        state.stacks[0, seat, kind] = 0

    return change


def _pay_with(own: int, other: int, workers: int) -> Change:
    """Gives the seat to act cards of the cell's colour and of another one, and workers."""

    def change(state: State) -> None:
        seat, colour = state.seat[0], _region(state).colours[int(state.cell[0])]
        state.deck[0] += state.hand[0, seat] + state.discards[0]
        state.discards[0], state.hand[0, seat] = 0, 0
        state.hand[0, seat, [colour, (colour + 1) % c.NUM_COLOURS]] = own, other
        state.deck[0] -= state.hand[0, seat]
        state.workers[0, seat] = workers

    return change


def _no_bonus_left(state: State) -> None:
    state.bonus[0] = 0
    state.bonus[0, 0] = c.BONUS_COPIES


def _six_bonus_tiles_of_a_type(state: State) -> None:
    state.bonus[0] = 0
    state.bonus[0, :, c.BONUS_CARD] = 2


def _more_space(state: State) -> None:
    state.bonus[0, state.seat[0], c.BONUS_STORAGE] += 1


def _hexagons(spaces: int) -> Change:
    """Stores as many wooden hexagons as there are spaces, and some more."""

    def change(state: State) -> None:
        seat = state.seat[0]
        state.storage[0, seat] = 0
        held = state.bonus[0, seat, c.BONUS_STORAGE] + 1 + spaces
        state.storage[0, seat, c.HEXAGON] = held

    return change


def _on_display(number: int) -> Change:
    """Turns up so many tiles of different kinds, all of them out of the stacks."""

    def change(state: State) -> None:
        state.display[0], state.stacks[0], state.aside[0] = 0, 0, 0
        state.display[0, :number] = 1

    return change


def _not_on_display(state: State) -> None:
    state.piece[0] = state.display[0].argmin()


@pytest.mark.parametrize(
    ("kind", "change", "message"),
    [
        (c.MAIN, _set("start", 3), "start is not a seat"),
        (c.MAIN, _set("cell", c.NO_CELL + 1), "no such cell or piece"),
        (c.MAIN, _set("piece", c.NO_PIECE + 1), "no such cell or piece"),
        (c.MAIN, _set("round", 0), "round is not 1 to 3"),
        (c.MAIN, _set("turns_left", 6), r"turns_left is too large \(T10.3\)"),
        (c.MAIN, _set("truncated", True), "cut off, but not finished"),
        (c.MAIN, _set("scores", -1, 0, c.ROUND_1), "0 to 255"),
        (c.MAIN, _set("layout", c.NO_LAYOUT, 1), r"layouts and kind .* \(T2.4\)"),
        (c.MAIN, _cover_no_castle, r"lacks its starting castle \(T2.4\)"),
        (c.MAIN, _uncovered("wooden"), "a hexagon or a crop, but is not covered"),
        (c.MAIN, _uncovered("crops", 2), "a hexagon or a crop, but is not covered"),
        (c.MAIN, _add("yield_deck", 0), r"not all yield cards are there \(T1.4\)"),
        (c.LAYOUT, _add("aside", c.VILLAGE), r"more tiles than the edition has \(T1.2\)"),
        (c.LAYOUT, _add("display", c.VILLAGE), r"more tiles than the edition has \(T1.2\)"),
        (c.MAIN, _six_bonus_tiles_of_a_type, r"more bonus tiles than five .* \(T1.3\)"),
        (c.MAIN, _hexagons(1), r"a storage is too full \(T9.1\)"),
        (c.LAYOUT, _on_display(1), r"too many tiles are on display \(T2.4\)"),
        (c.MAIN, _on_display(9), r"too many tiles are on display \(T2.4\)"),
        (c.PAYMENT, _cover_all, r"covered or touches no covered one \(T6.1\)"),
        (c.PAYMENT, _cell_far_away, r"covered or touches no covered one \(T6.1\)"),
        (c.CROP, _cell_of_another_colour, "not one of agriculture"),
        (c.CROP, _store(c.VILLAGE), "no tile of agriculture to place"),
        (c.PAYMENT, _own("storage", 0), r"not stored or of another colour \(T6.1\)"),
        (c.PAYMENT, _cell_of_another_colour, r"not stored or of another colour \(T6.1\)"),
        (c.PAYMENT, _pay_with(1, 0, 0), r"the piece cannot be paid \(T6.2\)"),
        (c.PAYMENT, _pay_with(0, 3, 0), r"the piece cannot be paid \(T6.2\)"),
        (c.PAYMENT, _pay_with(0, 1, 1), r"the piece cannot be paid \(T6.2\)"),
        (c.CROP, _pay_with(0, 0, 1), r"the piece cannot be paid \(T6.2\)"),
        (c.REMOVE, _more_space, r"nothing to remove a piece for \(T5.2\)"),
        (c.REMOVE, _not_on_display, r"nothing to remove a piece for \(T5.2\)"),
        (c.REMOVE, _set("piece", c.HEXAGON), r"nothing to remove a piece for \(T5.2\)"),
        (c.CITY_BONUS, _no_bonus_left, r"no bonus tile is in stock \(T8.2\)"),
        (c.MARBLE, _own("marble", 0), r"no marble to spend \(T3.2\)"),
        (c.MARBLE, _set("marble_used", True), r"no marble to spend \(T3.2\)"),
    ],
)
def test_what_no_game_reaches_is_refused(
    states: dict[int, State], kind: int, change: Change, message: str
) -> None:
    state = states[kind].copy()
    check_state(CONFIG, state)
    change(state)
    with pytest.raises(StateError, match=f"game 0: .*{message}"):
        Game.from_config(CONFIG).state = state


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        (c.MAIN, _set("lap", CONFIG.rules.max_laps)),
        (c.MAIN, _set("turns_left", 5)),
        (c.OVER, _set("truncated", True)),
        (c.MAIN, _set("scores", 255, 0, c.ROUND_1)),
        (c.MAIN, _no_bonus_left),
        (c.MAIN, _hexagons(0)),
        (c.PAYMENT, _pay_with(0, 0, 2)),
        (c.PAYMENT, _pay_with(0, 2, 1)),
        (c.PAYMENT, _pay_with(0, 4, 0)),
        (c.PAYMENT, _pay_with(1, 0, 1)),
        (c.PAYMENT, _pay_with(2, 0, 0)),
    ],
)
def test_what_a_game_may_reach_is_accepted(
    states: dict[int, State], kind: int, change: Change
) -> None:
    state = states[kind].copy()
    change(state)
    check_state(CONFIG, state)


def test_what_is_to_come_is_counted_cell_by_cell() -> None:
    """Points of zones, and bonus tiles of the setup and of cities, from the first step on."""
    engine, rng = Engine.from_config(CONFIG, 20, seed=3, autoreset=False), np.random.default_rng(0)
    while not engine.state.finished.all():
        state = engine.state
        found = to_come(CONFIG, state, region_numbers(state.boards, state.layout))
        for row in range(20):
            for seat in range(3):
                wanted = _to_come(state.take(np.array([row])), seat)
                assert [counts[row, seat] for counts in found] == [*wanted]
        engine.step(engine.sample_legal(rng))


def _to_come(state: State, seat: int) -> ToCome:
    edition, kind, built = CONFIG.edition, state.kind[0], state.layout[0, seat] != c.NO_LAYOUT
    empty, zones = np.array(edition.region_colours), MOST_ZONE_POINTS
    if built:
        boards, layout = int(state.boards[0, seat]), int(state.layout[0, seat])
        chosen, covered = region(edition.boards, boards, layout), int(state.covered[0, seat])
        left = {zone for zone in chosen.zones if zone & ~covered}
        zones = sum(c.ZONE_POINTS[zone.bit_count()] for zone in left)
        empty = np.array([(cells & ~covered).bit_count() for cells in chosen.colour_cells])
    waits = kind <= c.STARTING_BONUS and not state.bonus[0, seat].any()
    choices = empty[c.CITY] + waits + (kind == c.CITY_BONUS and state.seat[0] == seat)
    bonus = state.bonus[0, seat].astype(int)
    return most_to_come(
        edition.yield_cards, edition.colour_bonus, empty, np.array(zones), bonus, choices
    )
