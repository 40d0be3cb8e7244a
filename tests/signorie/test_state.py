"""States that come from outside (S1, S2.6, S5 to S11), and what start and end of games hold."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gonzaga_env.signorie import Deal, Engine, Game, GameConfig, State
from gonzaga_env.signorie.constants import (
    CAREER_VP,
    FREE_HELPER,
    HELPER,
    MAIN,
    MARKED,
    MARRIAGE,
    MISSION,
    OVER,
    REWARD,
    ROW,
    SPEND,
    TILE_VP,
    TRACK,
    WED,
)
from gonzaga_env.signorie.editions.gains import MOST_HELD
from gonzaga_env.signorie.state.check import check_deal, check_state, most_gains
from gonzaga_env.signorie.state.deals import dice_counts, draw_deals
from gonzaga_env.signorie.state.state import NO_COLOR, NO_EFFECT, winners
from gonzaga_env.tabletop.chance import MOST_EVENTS
from gonzaga_env.tabletop.errors import OptionError, StateError
from tests.beside import Beside
from tests.conftest import played
from tests.signorie.wild import edition_of, wild

CONFIG = GameConfig(3)
BONUS = -1  # a state in which a bonus tile runs


@pytest.fixture(scope="module")
def states() -> dict[int, State]:
    """A state of each kind of decision, from random games, all of whose states are accepted."""
    found: dict[int, State] = {}
    rng = np.random.default_rng(1)
    for seed in range(4):
        game = Game.from_config(CONFIG, seed)
        while not game.finished:
            check_state(CONFIG, game.state)
            found.setdefault(game.kind, game.state)
            if CONFIG.edition.first_bonus <= game.state.effect[0] < NO_EFFECT:
                found.setdefault(BONUS, game.state)
            game.play(game.sample_legal(rng))
        found.setdefault(OVER, game.state)
    return found


def _add(name: str, *place: int, by: int = 1) -> Callable[[State], None]:
    def change(state: State) -> None:
        getattr(state, name)[(0, *place)] += by

    return change


def _set(name: str, value: Any) -> Callable[[State], None]:
    def change(state: State) -> None:
        getattr(state, name)[0] = value

    return change


def _two_sources(number: int) -> Callable[[State], None]:
    def change(state: State) -> None:
        state.scores[0, 1, :2] = number

    return change


def _stack(*heights: int) -> Callable[[State], None]:
    def change(state: State) -> None:
        state.initiative[0], state.height[0] = 3, heights

    return change


def _own(name: str, value: Any, *place: int) -> Callable[[State], None]:
    """Sets a field of the seat to act."""

    def change(state: State) -> None:
        getattr(state, name)[(0, int(state.seat[0]), *place)] = value

    return change


def _closed_city(state: State) -> int:
    return int(state.cities[0].argmin())


def _five_dice(state: State) -> None:
    seat = state.seat[0]
    for color in np.flatnonzero(state.placed[0, seat] == 0):
        state.pool[0, color, state.pool[0, color].argmax()] -= 1
        state.placed[0, seat, color] = 1


def _meeple_in_a_closed_city(state: State) -> None:
    state.supply[0, 0, 0] -= 1
    state.meeples[0, 0, _closed_city(state)] += 1


def _male_for_a_female(state: State) -> None:
    state.supply[0, 1] += np.array([1, -1]).astype(state.supply.dtype)


def _tile_in_a_closed_city(state: State) -> None:
    state.city_tiles[0, _closed_city(state), 0] = 0


def _unseen_tile_in_a_city(state: State) -> None:
    seen = state.unseen[0] < CONFIG.edition.tiles
    state.city_tiles[0, state.cities[0].argmax(), 0] = seen.argmin()


def _lowest_slot(state: State) -> int:
    taken = state.meeples[0].sum(axis=0)
    cities = np.flatnonzero(state.cities[0]).tolist()
    return min(CONFIG.edition.city_slots[city][taken[city]] for city in cities)


def _florins_for_the_lowest_slot(state: State) -> None:
    state.florins[0, state.seat[0]] = _lowest_slot(state)


def _removed_tile_in_the_deck(state: State) -> None:
    state.deck[0, (state.unseen[0] > state.deck[0]).argmax()] += 1


def _tile_in_another_row(vp_too: bool) -> Callable[[State], None]:
    """Moves the only tile of a row, or only its VP, to a row that does not take its House."""

    def change(state: State) -> None:
        shields = np.array(CONFIG.edition.shields)[state.boards[0]]
        for seat, row in np.argwhere(state.held[0].sum(axis=2) == 1):
            house = state.held[0, seat, row].argmax()
            other = shields[seat, :, house].argmin()
            if shields[seat, other, house] or state.held[0, seat, other].any():
                continue
            if vp_too:
                state.held[0, seat, [row, other], house] = 0, 1
            state.row_vp[0, seat, [row, other]] = 0, state.row_vp[0, seat, row]
            return
        raise LookupError

    return change


def _die_back(state: State) -> None:
    seat, color = state.seat[0], state.color[0]
    state.pool[0, color, state.placed[0, seat, color] - 1] += 1
    state.placed[0, seat, color] = 0


def _signoria_runs(other: int) -> Callable[[State], None]:
    """Lets the Signoria of the die's color run, or the next one."""

    def change(state: State) -> None:
        state.effect[0] = (state.color[0] + other) % 5

    return change


def _assignment_runs(marked: bool, own: bool) -> Callable[[State], None]:
    """Lets an assignment run, of this color or of another one."""

    def change(state: State) -> None:
        color, edition = int(state.color[0]), CONFIG.edition
        slots = state.assignments[0, 2 * color : 2 * color + 2].tolist()
        tiles = [t for t in range(10) if (edition.meeples[t] == MARKED) == marked]
        tile = next(t for t in tiles if (t in slots) == own)
        state.effect[0] = edition.first_assignment + tile

    return change


def _another_bonus_tile(state: State) -> None:
    state.bonus_tiles[0] = np.roll(state.bonus_tiles[0], 1)


def _dice_of(total: int) -> Callable[[State], None]:
    """Gives the seat to act, which has raised nothing, four dice of a total."""

    def change(state: State) -> None:
        seat = state.seat[0]
        state.supply[0, seat] += state.threshold[0, seat]
        state.threshold[0, seat] = 0
        for color in range(4):
            if not state.placed[0, seat, color]:
                state.pool[0, color, state.pool[0, color].argmax()] -= 1
        if state.placed[0, seat, 4]:
            state.pool[0, 4, 0] += 1
        state.placed[0, seat] = 6, total - 8, 1, 1, 0

    return change


def _spent_sex(state: State) -> int:
    tile = int(state.effect[0]) - CONFIG.edition.first_assignment
    place = state.assignments[0].tolist().index(tile) % 2
    return int(CONFIG.edition.assignment_sexes[int(state.color[0])][place])


def _no_meeples(asked: bool) -> Callable[[State], None]:
    """Empties the supply of the sex that is to be spent, or of the other one."""

    def change(state: State) -> None:
        seat, sex = state.seat[0], _spent_sex(state)
        sex = sex if asked else 1 - sex
        state.stock[0, seat, sex] += state.supply[0, seat, sex]
        state.supply[0, seat, sex] = 0
        state.supply[0, seat, 1 - sex] += state.stock[0, seat, 1 - sex]
        state.stock[0, seat, 1 - sex] = 0

    return change


def _no_track_point(males: int = 0, rank: int = 6, slot: int = 8) -> Callable[[State], None]:
    """Leaves the seat to act as many males, one career, and a slot of the initiative alone."""

    def change(state: State) -> None:
        seat = int(state.seat[0])
        state.stock[0, seat, 0] += state.supply[0, seat, 0]
        state.stock[0, seat, 0] += state.careers[0, seat].sum(dtype=np.uint8)
        state.careers[0, seat], state.supply[0, seat, 0] = 0, males
        state.careers[0, seat, 0, rank] = 1
        state.stock[0, seat, 0] -= males + 1
        state.initiative[0], state.height[0] = np.arange(3), 0
        state.initiative[0, seat] = slot

    return change


def _no_career(state: State) -> None:
    seat = state.seat[0]
    state.stock[0, seat, 0] += state.careers[0, seat].sum(dtype=np.uint8)
    state.careers[0, seat] = 0


def _empty_deck(state: State) -> None:
    state.face_down[0, 0, 0] += state.deck[0].sum(dtype=np.uint8)
    state.deck[0] = 0


@pytest.mark.parametrize(
    ("kind", "change", "message"),
    [
        (OVER, _set("round", 6), "over before round 7"),
        (MAIN, _set("city_tiles", 25), "there is no such tile"),
        (MAIN, _set("brides", 5), "there is no such bride"),
        (MAIN, _own("scores", -1, 0), "scores holds a number below 0"),
        (MAIN, _five_dice, r"more than 4 dice \(S5.2\)"),
        (MAIN, _meeple_in_a_closed_city, "more meeples than slots"),
        (MAIN, _male_for_a_female, r"not all meeples of a seat are there \(S1.2\)"),
        (MAIN, _tile_in_a_closed_city, "a city that is not in play has a tile"),
        (MAIN, _removed_tile_in_the_deck, r"too few tiles are removed \(S2.6\)"),
        (OVER, _tile_in_another_row(vp_too=True), r"a House that it does not take \(S10.2\)"),
        (OVER, _tile_in_another_row(vp_too=False), "a row has too few or too many VP"),
        (TRACK, _set("effect", 39), "there is no such effect"),
        (TRACK, _set("part", 1), "there is no such part"),
        (TRACK, _set("left", 0), "left is out of range"),
        (TRACK, _set("repeats", 2), "repeats is out of range"),
        (MAIN, _set("round", 0), "round is not 1 to 7"),
        (MAIN, _set("bonus_tiles", 0), "bonus_tiles does not hold different numbers"),
        (MAIN, _set("assignments", 0), "assignments does not hold different numbers"),
        (MAIN, _own("placed", 7, 0), "there is no such die"),
        (MAIN, _set("unseen", 9), "more tiles are unseen than there are"),
        (MAIN, _unseen_tile_in_a_city, "a tile of a city counts as unseen"),
        (SPEND, _assignment_runs(marked=False, own=False), "only what is marked"),
        (TRACK, _set("color", 6), "there is no such color"),
        (TRACK, _die_back, "the die is not placed"),
        (SPEND, _die_back, "the die is not placed"),
        (HELPER, _signoria_runs(1), "another color's Signoria runs"),
        (HELPER, _signoria_runs(0), "a helper is asked for another kind"),
        (SPEND, _assignment_runs(marked=True, own=False), r"has another color \(S7.1\)"),
        (BONUS, _another_bonus_tile, r"another bonus tile is due \(S11.4\)"),
        (MAIN, _own("passed", True), "the seat has passed"),
        (REWARD, _dice_of(14), r"the dice exceed the threshold \(S11.3\)"),
        (SPEND, _no_meeples(asked=True), r"no meeples to spend \(S7.1\)"),
        (TRACK, _no_track_point(), r"no track point is possible \(S9\)"),
        (MISSION, _no_career, r"no mission is possible \(S8.2\)"),
        (ROW, _empty_deck, r"the deck is empty \(S10.3\)"),
        (FREE_HELPER, _own("helpers", True), "no helper slot or helper"),
        (MAIN, _set("seat", 3), "seat is not a seat"),
        (MAIN, _set("kind", 12), "kind is not a kind"),
        (MAIN, _set("finished", True), "finished and kind differ"),
        (MAIN, _set("round", 8), "round is not 1 to 7"),
        (MAIN, _set("order", [0, 0, 1]), "order does not hold different numbers"),
        (MAIN, _set("vp_tiles", [5, 0]), "vp_tiles does not hold different numbers"),
        (MAIN, _set("florins", 30_000), "florins may come to more than 30000"),
        (MAIN, _set("scores", 3300), "scores .*careers or tiles before the end"),
        (MAIN, _add("scores", 1, CAREER_VP), "scores .*careers or tiles before the end"),
        (WED, _add("scores", 1, TILE_VP), "scores .*careers or tiles before the end"),
        (MAIN, _two_sources(20_000), "scores may come to more than 30000"),
        (MAIN, _add("scores", 0, 0, by=-200), "scores holds a number below 0"),
        (MAIN, _set("event", 2**31), "event is not below 2147483648"),
        (MAIN, _set("event", 2**32 - 1), "event is not below 2147483648"),
        (MAIN, _stack(2, 2, 2), "initiative and height: discs do not stack"),
        (MAIN, _stack(1, 1, 0), "initiative and height: discs do not stack"),
        (MAIN, _stack(0, 0, 2), "initiative and height: discs do not stack"),
        (MAIN, _add("pool", 0, 0), "not all dice are there"),
        (MAIN, _set("cities", True), "another number of cities"),
        (MAIN, _add("supply", 0, 0), "not all meeples of a seat"),
        (MAIN, _set("height", 0), "discs do not stack"),
        (MAIN, _set("initiative", 9), "no such initiative slot"),
        (MAIN, _add("deck", 0, by=10), "more tiles are in the deck than unseen"),
        (MAIN, _add("face_down", 0, 0), "face-down tiles are too many"),
        (MAIN, _add("held", 0, 3, 0), "rows hold other tiles"),
        (MAIN, _add("row_vp", 0, 0), "VP are not those of their tiles"),
        (MAIN, _set("effect", 3), "effect and kind of decision differ"),
        (MAIN, _set("part", 1), "an effect that does not run"),
        (MAIN, _set("passed", True), "passes and phase differ"),
        (MAIN, _set("color", 1), "color and effect differ"),
        (SPEND, _set("effect", 0), "only what is marked"),
        (SPEND, _set("color", 5), "color and effect differ"),
        (TRACK, _set("left", 9), "left is out of range"),
        (TRACK, _set("repeats", 0), "repeats is out of range"),
        (TRACK, _set("part", 5), "there is no such part"),
        (TRACK, _set("kind", MARRIAGE), "part and kind of decision differ"),
        (ROW, _set("kind", TRACK), "part and kind of decision differ"),
        (HELPER, _set("helpers", False), "there is no such helper in the column"),
        (REWARD, _set("round", 6), "rewards of another round"),
        (REWARD, _set("passed", False), "passes and phase differ"),
        (WED, _set("brides", 4), "there is no empty bride slot"),
    ],
)
def test_a_state_that_contradicts_the_rules_is_refused(
    states: dict[int, State], kind: int, change: Callable[[State], None], message: str
) -> None:
    state = states[kind].copy()
    check_state(CONFIG, state)
    change(state)
    with pytest.raises(StateError, match=f"game 0: .*{message}"):
        Game.from_config(CONFIG).state = state


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        (OVER, _set("finished", True)),
        (BONUS, _set("finished", False)),
        (REWARD, _dice_of(13)),
        (MARRIAGE, _florins_for_the_lowest_slot),
        (SPEND, _no_meeples(asked=False)),
        (TRACK, _no_track_point(males=1)),
        (TRACK, _no_track_point(rank=5)),
        (TRACK, _no_track_point(slot=7)),
    ],
)
def test_what_a_game_may_reach_is_accepted(
    states: dict[int, State], kind: int, change: Callable[[State], None]
) -> None:
    state = states[kind].copy()
    change(state)
    check_state(CONFIG, state)


def test_there_are_as_many_helpers_as_the_edition_has() -> None:
    config = GameConfig(4)
    state = Game.from_config(config).state
    state.helpers[0].reshape(-1)[: config.edition.helpers] = True
    check_state(config, state)
    state.helpers[0].reshape(-1)[config.edition.helpers] = True
    with pytest.raises(StateError, match="there are too many helpers"):
        check_state(config, state)


def test_a_marriage_needs_florins_and_a_female(states: dict[int, State]) -> None:
    for name in ("florins", "supply"):
        state = states[MARRIAGE].copy()
        seat = int(state.seat[0])
        if name == "florins":
            state.florins[0, seat] = 0
        else:
            state.stock[0, seat, 1] += state.supply[0, seat, 1]
            state.supply[0, seat, 1] = 0
        with pytest.raises(StateError, match="no marriage is possible"):
            check_state(CONFIG, state)


def test_games_start_as_the_setup_says() -> None:
    state = Game(4, seed=2).state
    first, *_ = order = state.order[0].tolist()
    assert state.seat[0] == first
    assert state.florins[0, order].tolist() == [6, 7, 7, 8]  # S2.2
    assert state.height[0, order].tolist() == [3, 2, 1, 0]  # S2.3: the first on top
    assert state.supply[0].tolist() == [[4, 3]] * 4
    assert state.stock[0].tolist() == [[8, 8]] * 4
    assert (state.kind[0], state.effect[0], state.color[0]) == (MAIN, NO_EFFECT, NO_COLOR)
    assert state.deck.sum() == 54 - 10
    assert Game(2, seed=2).state.deck.sum() == 54 - 12 - 6  # S2.6
    assert Game(3, seed=2).state.pool.sum(axis=2).tolist() == [[3] * 5]


def test_a_tie_goes_to_the_earlier_in_the_turn_order() -> None:
    state = Game(3, seed=2).state
    state.order[0], state.scores[0, :, 0] = [2, 0, 1], [5, 7, 7]
    assert winners(state).tolist() == [[False, False, True]]
    state.order[0] = [1, 2, 0]
    assert winners(state).tolist() == [[False, True, False]]
    state.scores[0, 2, 3] = 1
    assert winners(state).tolist() == [[False, False, True]]  # S12.3


def test_dice_are_digits() -> None:
    assert dice_counts(3).shape == (216, 6)
    assert dice_counts(3)[1].tolist() == [2, 1, 0, 0, 0, 0]
    assert (dice_counts(4).sum(axis=1) == 4).all()
    assert (dice_counts(2).sum(axis=0) == 12).all()  # each value equally often


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("boards", [[0, 1, 1]], "boards takes different numbers"),
        ("order", [[0, 1, 3]], "order takes different numbers from 0 to 2"),
        ("cities", [[True] * 5], "another number of them in play"),
        ("removed", [[0] * 24], "another number of tiles of a House"),
        ("pool", [[[1] * 6] * 5], "another number of dice"),
        ("city_tiles", [[[24, 24]] * 5], "each city in play has two tiles"),
        ("bonus_tiles", [[0.5] * 5], "bonus_tiles must be an array of integers"),
        ("vp_tiles", [[0, 1, 2]], "vp_tiles must have the shape"),
    ],
)
def test_deals_are_checked(name: str, value: Any, message: str) -> None:
    drawn = draw_deals(CONFIG, np.arange(1, dtype=np.uint64), np.zeros(1, np.uint32))
    check_deal(CONFIG, drawn, 1)
    fields = {field: getattr(drawn, field) for field in Deal.__match_args__}
    with pytest.raises(OptionError, match=message):
        check_deal(CONFIG, Deal(**fields | {name: np.array(value)}), 1)


def test_deals_draw_every_piece_equally_often() -> None:
    seeds = np.arange(6000, dtype=np.uint64)
    deal = draw_deals(CONFIG, seeds, np.zeros(6000, np.uint32))
    tiles = deal.city_tiles[deal.cities].ravel()
    found = np.bincount(tiles, minlength=24) / len(tiles)
    assert np.abs(found - np.array(CONFIG.edition.tiles) / 54).max() < 0.006
    for name, size in (("order", 3), ("boards", 4), ("bonus_tiles", 9), ("assignments", 10)):
        first = np.bincount(getattr(deal, name)[:, 0], minlength=size) / 6000
        assert np.abs(first - 1 / size).max() < 0.03, name
    assert np.abs(deal.pool.mean(axis=(0, 1)) - 0.5).max() < 0.02


def test_another_edition_s_state_is_refused(tmp_path: Path) -> None:
    text = (Path(CONFIG.edition.source)).read_text()
    (tmp_path / "other.toml").write_text(text.replace("pay_vp = 5", "pay_vp = 6"))
    other = Game(3, tmp_path / "other.toml")
    with pytest.raises(StateError, match="the state is of another edition"):
        other.state = Game(3).state


@pytest.mark.parametrize(
    "config", [GameConfig(3), GameConfig(2, edition_of(wild(4)))], ids=lambda it: it.summary
)
def test_what_leaves_room_now_leaves_room_to_the_end(config: GameConfig) -> None:
    """From points and Florins that are as many as are accepted, both engines play to the end."""
    start = played(Engine.from_config(config, 6, seed=2), 9).state
    room = MOST_HELD - most_gains(config, start)
    start.scores[..., 3:6] = 0
    start.scores[..., 1] = 7
    start.scores[..., 0] = room[..., 0] - start.scores[..., 1:].sum(axis=2)
    start.florins[:] = room[..., 1]
    start.event[:] = MOST_EVENTS - 10_000
    both = Beside(Engine.from_state(config, start, autoreset=False))
    rng, most = np.random.default_rng(0), np.full((6, config.num_players, 2), MOST_HELD)
    while not both.state.finished.all():
        both.step(both.sample_legal(rng))
        state = both.state
        check_state(config, state)
        held = np.stack([state.scores.sum(axis=2, dtype=int), state.florins.astype(int)], axis=2)
        reachable = held + most_gains(config, state)
        assert (reachable <= most).all()
        most = reachable
    for name in ("florins", "scores"):
        more = start.copy()
        getattr(more, name)[3, 1] += 1
        if name == "scores":
            more.scores[3, 1, 7:] = 0
        with pytest.raises(StateError, match=f"game 3: {name} may come to more than 30000"):
            check_state(config, more)
