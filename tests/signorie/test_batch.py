"""The engine for batches: the games of an independent program, and its own contract."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gonzaga_env.signorie.batch import draws
from gonzaga_env.signorie.batch.engine import Engine
from gonzaga_env.signorie.batch.games import Games
from gonzaga_env.signorie.config import GameConfig
from gonzaga_env.signorie.constants import NUM_CITIES, NUM_FACES, NUM_TILES
from gonzaga_env.signorie.editions.edition import Edition
from gonzaga_env.signorie.single.game import Game
from gonzaga_env.signorie.state.deals import Deal
from gonzaga_env.tabletop.errors import IllegalActionError
from gonzaga_env.tabletop.records import read_entries
from tests.conftest import played
from tests.signorie.wild import Values, edition_of, wild
from tests.signorie_oracle import EDITION

RECORDS: list[dict[str, Any]] = [
    entry.record
    for entry in read_entries(Path(__file__).parent / "games/referee.jsonl")
    if isinstance(entry.record, dict)
]
CITY_SLOTS = ("marriage", "mission")


def faces(values: Iterable[int]) -> list[int]:
    """Returns how many dice show each value."""
    return np.bincount(list(values), minlength=NUM_FACES + 1)[1:].tolist()


def deal_of(edition: Edition, record: dict[str, Any]) -> Deal:
    """Returns the deal of a record, with the first round's setup."""
    deal, tiles = record["deal"], edition.tile_names
    (_, refill), (_, dice), (_, assignments) = deal["drawn"]
    city_tiles = np.full((1, NUM_CITIES, 2), NUM_TILES, np.uint8)
    for city, slot, tile in refill:
        city_tiles[0, edition.cities.index(city), CITY_SLOTS.index(slot)] = tiles.index(tile)
    return Deal(
        boards=np.array([list(map(edition.boards.index, deal["boards"]))]),
        order=np.array([deal["turn_order"]]),
        cities=np.array([[city in deal["cities"] for city in edition.cities]]),
        removed=np.array([list(map(deal["removed"].count, tiles))]),
        bonus_tiles=np.array([list(map(edition.bonus_tiles.index, deal["bonus_tiles"]))]),
        vp_tiles=np.array([list(map(edition.vp_tiles.index, deal["vp_tiles"]))]),
        city_tiles=city_tiles,
        pool=np.array([list(map(faces, dice))]),
        assignments=np.array([list(map(edition.assignments.index, assignments))]),
    )


class Outcomes:
    """Turns up what records say, in place of the functions of `draws`."""

    def __init__(self, edition: Edition, num_games: int) -> None:
        self.edition = edition
        self.events: list[list[Any]] = [[] for _ in range(num_games)]

    def add(self, row: int, drawn: list[Any]) -> None:
        assert not self.events[row]
        for what, value in drawn:
            if what == "refill":
                self.events[row] += [("tile", tile) for *_, tile in value]
            else:
                self.events[row].append((what, value))

    def next(self, row: int, what: str) -> Any:
        found, value = self.events[row].pop(0)
        assert found == what
        return value

    def tiles(self, games: Games, rows: Any, numbers: Any) -> np.ndarray[Any, Any]:
        kinds = np.full((len(rows), numbers.max(initial=0)), NUM_TILES, np.uint8)
        for i, row in enumerate(rows):
            for j in range(numbers[i]):
                kinds[i, j] = self.edition.tile_names.index(self.next(row, "tile"))
                games.state.deck[row, kinds[i, j]] -= 1
        games.deck_size[rows] -= numbers
        return kinds

    def dice(self, games: Games, rows: Any) -> np.ndarray[Any, Any]:
        return np.array([list(map(faces, self.next(row, "dice"))) for row in rows])

    def assignments(self, games: Games, rows: Any) -> np.ndarray[Any, Any]:
        names = [self.next(row, "assignments") for row in rows]
        return np.array([list(map(self.edition.assignments.index, each)) for each in names])

    def offspring(self, games: Games, rows: Any, numbers: Any) -> np.ndarray[Any, Any]:
        rolls = [self.next(row, "offspring") for row in rows]
        assert numbers.tolist() == list(map(len, rolls))
        return np.array([[sum(v >= sex for v in r) for sex in (4, 1)] for r in rolls]) @ np.array(
            [[1, -1], [0, 1]]
        )


def replay(records: list[dict[str, Any]], patch: Callable[..., None]) -> None:
    """Replays records of one configuration together; each row compares all that moves say."""
    config = GameConfig(records[0]["num_players"])
    deals = [deal_of(config.edition, record) for record in records]
    engine = Engine.from_config(config, len(records), autoreset=False)
    engine.reset(
        0, Deal(*(np.concatenate(arrays) for arrays in zip(*map(_arrays, deals), strict=True)))
    )
    outcomes = Outcomes(config.edition, len(records))
    for name in ("tiles", "dice", "assignments", "offspring"):
        patch(draws, name, getattr(outcomes, name))
    for number in range(max(len(record["moves"]) for record in records)):
        rows = np.array([i for i, r in enumerate(records) if number < len(r["moves"])])
        moves = [records[row]["moves"][number] for row in rows]
        masks = engine.legal_action_mask(rows)
        assert engine.seats[rows].tolist() == [move["seat"] for move in moves]
        assert masks.sum(axis=1).tolist() == [move["legal"] for move in moves]
        sums = masks @ np.arange(config.actions.size)
        assert sums.tolist() == [move["legal_sum"] for move in moves]
        for row, move in zip(rows, moves, strict=True):
            outcomes.add(row, move["drawn"])
        before = engine.totals[rows]
        result = engine.step([config.actions.parse(move["action"]) for move in moves], rows)
        assert (engine.totals[rows] - before).tolist() == [move["points"] for move in moves]
        assert result.points.tolist() == [move["points"][move["seat"]] for move in moves]
    assert engine.state.finished.all()
    assert not any(outcomes.events)
    for row, record in enumerate(records):
        scores = np.array([values for name, values in record["scores"].items() if name != "total"])
        assert engine.scores[row].T.tolist() == scores.tolist()
        assert engine.winners()[row].nonzero()[0].tolist() == record["winners"]
        final, state = record["final"], engine.state
        assert state.florins[row].tolist() == final["florins"]
        assert state.supply[row].T.tolist() == [final["males"], final["females"]]
        names = np.array(config.edition.tile_names)
        assert names.repeat(state.deck[row]).tolist() == final["deck"]


def _arrays(deal: Deal) -> list[Any]:
    return list(vars(deal).values())


def test_the_games_of_an_independent_program_replay(monkeypatch: pytest.MonkeyPatch) -> None:
    groups = defaultdict(list)
    for record in RECORDS:
        groups[record["num_players"]].append(record)
    for records in groups.values():
        replay(records, monkeypatch.setattr)


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
        states = [game.state for game in games]
        for name, array in engine.state.arrays().items():
            assert np.array_equal(array, [getattr(one, name)[0] for one in states]), name
        rows = np.arange(self.steps % 4, len(games), 4)
        for seat in (None, self.steps % engine.num_players):
            seen = engine.observe(seat, rows)
            assert np.array_equal(seen, [games[row].observation(seat) for row in rows])

    def step(self) -> None:
        actions = self.engine.sample_legal(self.rng)
        result = self.engine.step(actions)
        rewards = [game.play(action) for game, action in zip(self.games, actions, strict=True)]
        assert result.rewards.tolist() == rewards
        self.steps += 1


@pytest.mark.parametrize(("num_players", "reward"), [(2, "outcome"), (3, "margin"), (4, "score")])
def test_every_step_equals_that_of_the_game_for_one(num_players: int, reward: Any) -> None:
    pair = Pair(GameConfig(num_players), 4, 1000 * num_players, reward)
    while not pair.engine.state.finished.all():
        pair.compare()
        pair.step()
    pair.compare()
    assert pair.engine.winners().tolist() == [game.winners() for game in pair.games]
    assert pair.engine.totals.tolist() == [game.totals for game in pair.games]


@pytest.mark.parametrize("values", [EDITION, wild(6), wild(11)], ids=lambda it: it["name"])
def test_what_is_kept_follows_from_the_state(values: Values) -> None:
    engine = Engine(16, 3, edition_of(values), seed=5)
    for _ in range(12):
        played(engine, 17)
        kept, fresh = engine._games, Engine.from_state(engine.config, engine.state)._games
        for name, array in vars(fresh).items():
            if isinstance(array, np.ndarray):
                assert np.array_equal(getattr(kept, name), array), name


def test_a_state_that_is_handed_over_unchecked_is_played_on() -> None:
    first, rng = played(Engine(8, 3), 60), np.random.default_rng(0)
    handed = Engine.from_state(first.config, first.state.copy(), copy=False, check=False)
    for _ in range(60):
        actions = first.sample_legal(rng)
        assert np.array_equal(handed.step(actions).rewards, first.step(actions).rewards)
    assert handed.state == first.state


def test_illegal_actions_are_named_and_no_game_moves() -> None:
    games, rng = played(Engine(4, 2), 30), np.random.default_rng(0)
    actions, before = games.sample_legal(rng), games.state.copy()
    actions[2] = wrong = int(np.flatnonzero(~games.legal_action_mask()[2])[0])
    with pytest.raises(IllegalActionError, match=r"game 2.*\(S\d") as caught:
        games.step(actions)
    assert (caught.value.game, caught.value.action) == (2, wrong)
    assert games.state == before


def test_a_game_takes_little_memory() -> None:
    games = Engine(100, 4)
    arrays = [*games.state.arrays().values(), *vars(games._games).values()]
    owned = sum(a.nbytes for a in arrays if isinstance(a, np.ndarray) and a.base is None)
    assert owned / 100 < 4000
