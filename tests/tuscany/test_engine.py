"""The engine for batches: equal to the game for one at every step, and its own contract."""

from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gonzaga_env.tabletop.errors import ActionError, IllegalActionError, OptionError, StateError
from gonzaga_env.tabletop.records import read_entries
from gonzaga_env.tuscany.batch import draws
from gonzaga_env.tuscany.batch.engine import Engine
from gonzaga_env.tuscany.batch.games import Games
from gonzaga_env.tuscany.board.actions import ACTIONS
from gonzaga_env.tuscany.config import GameConfig
from gonzaga_env.tuscany.constants import (
    COLOURS,
    MAIN,
    NO_CELL,
    NO_PIECE,
    STARTING_BONUS,
    TILE_KINDS,
)
from gonzaga_env.tuscany.records import game_from_record
from gonzaga_env.tuscany.single.game import Game
from gonzaga_env.tuscany.state.deals import draw_deals
from gonzaga_env.tuscany.state.state import State
from tests.conftest import played

RECORDS: list[dict[str, Any]] = [
    entry.record
    for entry in read_entries(Path(__file__).parent / "games/referee.jsonl")
    if isinstance(entry.record, dict)
]


def engine(num_games: int = 8, num_players: int = 3, steps: int = 0, **options: Any) -> Engine:
    """Returns games after some random steps."""
    return played(Engine(num_games, num_players, **options), steps)


class Pair:
    """An engine and single games with the same seeds."""

    def __init__(self, config: GameConfig, num_games: int, seed: int, reward: Any) -> None:
        self.engine = Engine.from_config(config, num_games, seed, autoreset=False, reward=reward)
        self.games = [Game.from_config(config, seed + i, reward) for i in range(num_games)]
        self.rng, self.steps = np.random.default_rng(seed), 0

    def compare(self) -> None:
        engine, games = self.engine, self.games
        assert engine.seats.tolist() == [game.seat for game in games]
        assert engine.kinds.tolist() == [game.kind for game in games]
        masks = engine.legal_action_mask()
        assert np.array_equal(masks, [game.mask() for game in games])
        assert np.array_equal(engine.num_legal(), masks.sum(axis=1))
        for name, array in engine.state.arrays().items():
            assert array.tolist() == [getattr(game.position, name) for game in games], name
        rows = np.arange(self.steps % 4, len(games), 4)
        for seat in (None, self.steps % engine.num_players):
            seen = engine.observe(seat, rows)
            assert np.array_equal(seen, [games[row].observation(seat) for row in rows])

    def step(self) -> None:
        before = [game.finished for game in self.games]
        actions = self.engine.sample_legal(self.rng)
        result = self.engine.step(actions)
        rewards = [game.play(action) for game, action in zip(self.games, actions, strict=True)]
        assert result.rewards.tolist() == rewards
        playing = zip(self.games, before, strict=True)
        assert result.points.tolist() == [
            0 if over else sum(game.position.points) for game, over in playing
        ]
        self.steps += 1


@pytest.mark.parametrize(
    ("num_players", "reward", "options"),
    [
        (2, "outcome", {}),
        (2, "score", {"draw_base": 3, "round_end": "lap", "hexagon_same_turn": True}),
        (3, "margin", {"final_turns": "lap_then_one", "colour_bonus": "ranked", "max_laps": 30}),
        (3, "score", "online"),
        (4, "outcome", {"draw_base": 3, "bonus_gains": "tiles", "storage_points": "setup"}),
        (4, "score", {"colour_bonus": "ranked", "hexagon_same_turn": True, "max_laps": 12}),
    ],
)
def test_every_step_equals_that_of_the_game_for_one(
    num_players: int, reward: Any, options: dict[str, Any] | str
) -> None:
    pair = Pair(GameConfig(num_players, rules=options), 52, 1000 * num_players, reward)
    while not pair.engine.state.finished.all():
        pair.compare()
        pair.step()
    pair.compare()
    assert pair.engine.winners().tolist() == [game.winners() for game in pair.games]
    assert pair.engine.totals.tolist() == [game.totals for game in pair.games]


class Outcomes:
    """Turns up what records say, in place of `draws.pick` and `pick_one`."""

    def __init__(self, num_games: int) -> None:
        self.texts: list[list[str]] = [[] for _ in range(num_games)]

    def pick(
        self, games: Games, rows: Any, pile: Any, pile_rows: Any, numbers: Any
    ) -> np.ndarray[Any, Any]:
        names = {
            id(games.state.deck): ("card", COLOURS),
            id(games.state.yield_deck): ("yield", games.config.edition.yield_names),
            id(games.stacks): ("stack", TILE_KINDS),
            id(games.state.neutral): ("neutral", TILE_KINDS),
        }
        kind, values = names[id(pile)]
        drawn = np.zeros((len(rows), pile.shape[1]), np.uint8)
        for i, row in enumerate(rows):
            for _ in range(numbers[i]):
                what, _, value = self.texts[row].pop(0).partition(" ")
                assert what == kind
                drawn[i, values.index(value)] += 1
        pile[pile_rows] -= drawn
        return drawn

    def pick_one(self, games: Games, rows: Any, pile: Any, pile_rows: Any) -> Any:
        return self.pick(games, rows, pile, pile_rows, np.ones(len(rows), int)).argmax(axis=1)


def replay(records: list[dict[str, Any]], patch: Callable[..., None]) -> None:
    """Replays records of one configuration together; each row compares seats, counts and points."""
    games = [game_from_record(record) for record in records]
    found = Engine.from_config(games[0].config, len(records), autoreset=False)
    deals = games[0].state.concatenate([game.state for game in games])
    found.set_state(deals)
    outcomes = Outcomes(len(records))
    patch(draws, "pick", outcomes.pick)
    patch(draws, "pick_one", outcomes.pick_one)
    for number in range(max(len(record["moves"]) for record in records)):
        rows = [i for i, record in enumerate(records) if number < len(record["moves"])]
        moves = [records[row]["moves"][number] for row in rows]
        assert found.seats[rows].tolist() == [move["seat"] for move in moves]
        assert found.num_legal(np.array(rows)).tolist() == [move["legal"] for move in moves]
        for row, move in zip(rows, moves, strict=True):
            display = [f"neutral {kind}" for kind in records[row]["deal"]["display"]]
            left = [text for text in move["drawn"] if text.split()[0] not in ("shuffle", "sweep")]
            setup = not move["drawn"] and found.kinds[row] == STARTING_BONUS
            outcomes.texts[row] = display if setup else left
        actions = [ACTIONS.parse(move["action"]) for move in moves]
        result = found.step(actions, np.array(rows))
        assert result.points.tolist() == [sum(move["points"]) for move in moves]
    assert found.state.finished.all()
    for row, record in enumerate(records):
        won = found.winners()[row].nonzero()[0].tolist()
        assert (won, found.totals[row].tolist()) == (record["winners"], record["scores"]["total"])
        assert bool(found.state.truncated[row]) == record["truncated"]


def test_the_games_of_an_independent_program_replay(monkeypatch: pytest.MonkeyPatch) -> None:
    groups = defaultdict(list)
    for record in RECORDS:
        groups[record["num_players"], str(record["rules"])].append(record)
    for records in groups.values():
        replay(records, monkeypatch.setattr)


def test_a_state_that_is_handed_over_unchecked_is_played_on() -> None:
    first, rng = engine(8, 3, 60), np.random.default_rng(0)
    handed = Engine.from_state(first.config, first.state.copy(), copy=False, check=False)
    for _ in range(60):
        actions = first.sample_legal(rng)
        assert np.array_equal(handed.step(actions).rewards, first.step(actions).rewards)
    assert handed.state == first.state


def test_every_episode_has_its_own_deal_whichever_games_end_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    games, rng, draws_of = Engine(6, 2, seed=3), np.random.default_rng(0), []
    draw_one = Engine._draw_deals

    def counted(self: Engine, seeds: Any, episodes: Any) -> Any:
        draws_of.append(len(seeds))
        return draw_one(self, seeds, episodes)

    monkeypatch.setattr(Engine, "_draw_deals", counted)
    for step in range(400):
        finished = games.step(games.sample_legal(rng)).finished
        if step == 200:
            games.reset(np.array([50, 51]), rows=np.array([1, 4]))
            finished[[1, 4]] = True
        for row in finished.nonzero()[0]:
            state = games.state.take(slice(row, row + 1))
            deal = draw_deals(games.config, state.seed, state.episode)
            assert np.array_equal(state.boards, deal.boards)
            assert np.array_equal(state.hand, deal.hands)
    assert games.state.episode.min() >= 2
    assert len(draws_of) < games.state.episode.sum()  # games are dealt ahead, some at a time


def test_resets_take_seeds_deals_and_rows() -> None:
    games, rows = engine(4, 2, 40, seed=[7, 1, 9, 3]), np.array([2, 0])
    fresh = Engine(4, 2, seed=[7, 1, 9, 3])
    before = games.state.copy()
    games.reset([9, 7], rows=rows)
    assert games.state.take(rows) == fresh.state.take(rows)
    assert games.state.take(np.array([1, 3])) == before.take(np.array([1, 3]))
    games.reset()
    assert (games.state.episode == np.array([1, 1, 1, 1])).all()
    seeds, episodes = fresh.state.seed, fresh.state.episode
    games.reset(seeds, draw_deals(games.config, seeds, episodes))
    assert games.state == fresh.state
    assert np.array_equal(games.legal_action_mask(), fresh.legal_action_mask())


@pytest.mark.parametrize("steps", [3, 40, 200])
def test_masks_lists_and_samples_agree(steps: int) -> None:
    games, rows = engine(8, 3, steps), np.array([6, 1, 3])
    mask, seen = np.ones((3, 264), np.bool_), np.ones((3, games.features.size), np.uint8)
    assert games.legal_action_mask(rows, mask) is mask
    assert games.observe(None, rows, seen) is seen
    assert np.array_equal(mask, games.legal_action_mask()[rows])
    assert np.array_equal(seen, games.observe()[rows])
    places, actions = games.legal_actions(rows)
    assert np.array_equal(np.stack([places, actions]), mask.nonzero())
    rng = np.random.default_rng(1)
    sampled = np.stack([games.sample_legal(rng, rows) for _ in range(2000)])
    for column, row in zip(sampled.T, mask, strict=True):
        assert set(column.tolist()) <= set(row.nonzero()[0].tolist())
        expected = 2000 / row.sum()
        counts = np.bincount(column, minlength=264)[row]
        assert (abs(counts - expected) < 6 * expected**0.5 + 1).all()
    assert games.is_legal(sampled[0], rows).all()


def test_views_name_the_last_answer_and_equal_those_of_the_game() -> None:
    games, game = engine(2, 3, seed=4, autoreset=False), Game(3, seed=5)
    rng = np.random.default_rng(0)
    for _ in range(120):
        action = games.sample_legal(rng)
        games.step(action)
        game.play(action[1])
        for viewer in (0, "public", "spectator"):
            assert games.view(1, viewer) == game.view(viewer)
    assert games.describe(ACTIONS.draw, 1) == "draw cards"
    assert games.rounds[1] == game.round
    assert games.scores[1].tolist() == game.scores
    assert repr(games) == "<Engine, 2 games, 3 players, edition reconstruction>"


def _one_card(state: State) -> None:
    state.discards += state.deck
    state.deck[:] = 0
    kinds = state.discards.argmax(axis=1)
    state.deck[np.arange(len(kinds)), kinds] = 1
    state.discards[np.arange(len(kinds)), kinds] -= 1


def _no_cards(state: State) -> None:
    state.hand[:, 1] += state.deck + state.discards
    state.deck[:], state.discards[:] = 0, 0


def _no_neutral_tiles(state: State) -> None:
    state.neutral[:], state.aside[:], state.stacks[:, 0] = 0, 0, 0


def _crowded(state: State) -> None:
    """One more village is swept, but for games whose piles hold nothing else."""
    state.display[:], state.neutral[:], state.aside[:] = 0, 0, 0
    state.display[:, 0], state.display[:, 1] = 4, 4
    state.neutral[:, 0], state.aside[::2, 5], state.stacks[:] = 3, 2, 0
    state.stacks[..., 0] = 1


def _last_turns(state: State) -> None:
    state.round[:], state.turns_left[:] = 3, np.arange(8) % 3 + 1


def _many_pieces(state: State) -> None:
    state.storage[:], state.bonus[:] = 0, 1
    state.storage[..., 17], state.workers[:], state.marble[:] = 2, 4, 3


@pytest.mark.parametrize(
    "edit", [_one_card, _no_cards, _no_neutral_tiles, _crowded, _last_turns, _many_pieces]
)
def test_rare_positions_are_played_as_by_the_game_for_one(edit: Callable[[State], None]) -> None:
    games = engine(8, 3, 60, autoreset=False)
    state = games.state.copy()
    state.piece[:], state.cell[:], state.kind[:] = NO_PIECE, NO_CELL, MAIN
    edit(state)
    pair = Pair(games.config, 8, 0, "score")
    pair.engine = Engine.from_state(games.config, state, autoreset=False, reward="score")
    for row, game in enumerate(pair.games):
        game.state = state.take([row])
    for _ in range(40):
        pair.compare()
        pair.step()


def test_illegal_actions_are_named_and_no_game_moves() -> None:
    games, rng = engine(4, 2, 30), np.random.default_rng(0)
    actions, before = games.sample_legal(rng), games.state.copy()
    wrong = int(np.flatnonzero(~games.legal_action_mask()[2])[0])
    actions[2] = wrong
    with pytest.raises(IllegalActionError, match=r"game 2.*\(T\d") as caught:
        games.step(actions)
    assert (caught.value.game, caught.value.action) == (2, wrong)
    with pytest.raises(IllegalActionError, match="game 2"):
        games.step(actions[2:3], np.array([2]))
    with pytest.raises(ActionError, match="game 1: action 264"):
        games.step([0, 264, 0, 0])
    with pytest.raises(ActionError, match="one per game"):
        games.step([0])
    assert games.state == before


def test_wrong_arguments_are_refused() -> None:
    games = engine(4, 2, 30)
    before = games.state.copy()
    for call in (
        lambda: games.num_legal(np.array([4])),
        lambda: games.num_legal(np.array([1, 1])),
        lambda: games.describe(3, 9),
    ):
        with pytest.raises(OptionError):
            call()
    for state in (None, Engine(1, 3).state, Engine(1, 2, rules={"draw_base": 3}).state):
        for check in (True, False):
            with pytest.raises(StateError):
                games.set_state(state, check=check)  # type: ignore[arg-type]
    broken = games.state.copy()
    broken.marble[1] = 250
    with pytest.raises(StateError, match="game 1"):
        games.state = broken
    assert games.state == before


def test_a_game_takes_little_memory() -> None:
    games = engine(100, 4)
    arrays = [*games.state.arrays().values(), *vars(games._games).values()]
    owned = sum(a.nbytes for a in arrays if isinstance(a, np.ndarray) and a.base is None)
    assert owned / 100 < 2000
