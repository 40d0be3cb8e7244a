"""States that come from outside (S1, S2.6, S5 to S11), and what start and end of games hold."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gonzaga_env.signorie import Deal, Engine, Game, GameConfig, State
from gonzaga_env.signorie.constants import (
    CAREER_VP,
    HELPER,
    MAIN,
    MARRIAGE,
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
from tests.conftest import played
from tests.signorie.wild import edition_of, wild

CONFIG = GameConfig(3)


@pytest.fixture(scope="module")
def states() -> dict[int, State]:
    """A state of each kind of decision, from random games."""
    found: dict[int, State] = {}
    rng = np.random.default_rng(1)
    for seed in range(4):
        game = Game.from_config(CONFIG, seed)
        while not game.finished:
            found.setdefault(game.kind, game.state)
            game.play(game.sample_legal(rng))
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


@pytest.mark.parametrize(
    ("kind", "change", "message"),
    [
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
    engine = Engine.from_state(config, start, autoreset=False)
    games = [Game.from_config(config) for _ in range(6)]
    for row, game in enumerate(games):
        game.state = start.take(np.array([row]))
    rng, most = np.random.default_rng(0), np.full((6, config.num_players, 2), MOST_HELD)
    while not engine.state.finished.all():
        actions = engine.sample_legal(rng)
        engine.step(actions)
        for game, action in zip(games, actions, strict=True):
            game.play(action)
        state = engine.state
        check_state(config, state)
        held = np.stack([state.scores.sum(axis=2, dtype=int), state.florins.astype(int)], axis=2)
        reachable = held + most_gains(config, state)
        assert (reachable <= most).all()
        most = reachable
    assert State.concatenate([game.state for game in games]) == engine.state
    for name in ("florins", "scores"):
        more = start.copy()
        getattr(more, name)[3, 1] += 1
        if name == "scores":
            more.scores[3, 1, 7:] = 0
        with pytest.raises(StateError, match=f"game 3: {name} may come to more than 30000"):
            check_state(config, more)
