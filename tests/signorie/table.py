"""A game whose position a test writes in the oracle's words, for both engines and the oracle."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from gonzaga_env.kernel.records import Record
from gonzaga_env.signorie import Engine, Game, GameConfig, Recorder
from tests.beside import put
from tests.signorie.wild import edition_of
from tests.signorie_oracle import EDITION, PURPOSES, SOURCES, OracleGame

SEXES = ("male", "female")


def dealt(game: Game) -> Record:
    """Returns the deal of a game as records hold it."""
    fresh = Game.from_config(game.config, game.seed)
    deal: Record = Recorder(fresh, ["oracle"] * game.num_players).record()["deal"]
    return deal


def texts(game: Game) -> set[str]:
    """Returns the legal actions of a game."""
    return {game.actions.to_text(action) for action in np.flatnonzero(game.mask()).tolist()}


def arrays_of(oracle: OracleGame) -> dict[str, Any]:
    """Returns all that lies on the oracle's table, as fields of a state without a game axis."""
    edition, seats = oracle.edition, oracle.players
    cities, tiles = _names(edition["city"]), _tile_kinds(edition)
    table = [oracle.cities[name].tiles if name in oracle.cities else {} for name in cities]
    shown = [tile for city in oracle.cities.values() for tile in city.tiles.values() if tile]
    shown += [tile for p in seats for fronts in p.fronts.values() for tile in fronts]
    printed = [f"{h['name']}{value}" for h in edition["house"] for value in h["values"]]
    stacks = {
        seat: (slot, height)
        for slot, stack in enumerate(oracle.stacks)
        for height, seat in enumerate(stack)
    }
    assignments = _names(edition["assignment"])
    return {
        "round": oracle.round,
        "order": oracle.order,
        "pool": [_counts(range(1, 7), oracle.pool[color]) for color in oracle.colors],
        "assignments": [assignments.index(name) for name in oracle.assigned],
        "bonus_tiles": [edition["bonus_tile"].index(tile) for tile in oracle.bonus_tiles],
        "vp_tiles": [edition["vp_tile"].index(tile) for tile in oracle.vp_tiles],
        "cities": [name in oracle.cities for name in cities],
        "city_tiles": [
            [tiles.index(lying[p]) if lying.get(p) else len(tiles) for p in PURPOSES]
            for lying in table
        ],
        "boards": [_names(edition["board"]).index(p.board) for p in seats],
        "passed": [p.seat not in oracle.to_act for p in seats],
        "florins": [p.florins for p in seats],
        "supply": [[p.supply[sex] for sex in SEXES] for p in seats],
        "stock": [[p.stock[sex] for sex in SEXES] for p in seats],
        "threshold": [_counts(SEXES, p.threshold) for p in seats],
        "careers": [
            [_counts(range(1, len(edition["career_slot"]) + 1), c) for c in p.careers.values()]
            for p in seats
        ],
        "placed": [[p.dice.get(color, 0) for color in oracle.colors] for p in seats],
        "helpers": [
            [
                [(name, slot) in p.helpers for slot in range(1, len(color["helpers"]) + 1)]
                for name, color in oracle.colors.items()
            ]
            for p in seats
        ],
        "brides": [p.brides for p in seats],
        "meeples": [
            [c in oracle.cities and oracle.cities[c].meeples.count(p.seat) for c in cities]
            for p in seats
        ],
        "initiative": [stacks[p.seat][0] for p in seats],
        "height": [stacks[p.seat][1] for p in seats],
        "held": [
            [_counts(_names(edition["house"]), [t[0] for t in row]) for row in p.fronts.values()]
            for p in seats
        ],
        "row_vp": [[sum(int(t[1]) for t in row) for row in p.fronts.values()] for p in seats],
        "face_down": [[len(backs) for backs in p.backs.values()] for p in seats],
        "deck": [oracle.deck[tile] for tile in tiles],
        "unseen": [printed.count(tile) - shown.count(tile) for tile in tiles],
        "scores": [[p.points[source] for source in SOURCES] for p in seats],
    }


def differences(oracle: OracleGame, state: Any, row: int = 0) -> list[str]:
    """Returns the fields in which a game of a state differs from the oracle's table."""
    return [
        f"{name}: {np.asarray(expected).tolist()} by the oracle, {found.tolist()} here"
        for name, expected in arrays_of(oracle).items()
        if not np.array_equal(found := getattr(state, name)[row], expected)
    ]


def _names(things: Sequence[dict[str, Any]]) -> list[str]:
    return [thing["name"] for thing in things]


def _tile_kinds(edition: dict[str, Any]) -> list[str]:
    return [f"{house}{value}" for house in _names(edition["house"]) for value in (2, 3, 4, 5)]


def _counts(kinds: Sequence[Any], pieces: Sequence[Any]) -> list[int]:
    return [pieces.count(kind) for kind in kinds]


class Table:
    """A game in its first decision, which a test changes before it begins.

    Attributes:
        oracle: where the test writes; its lists and counters are the table.
        player: the player to act.
        drawn: the events of the last action.
    """

    def __init__(
        self, num_players: int = 2, *, seed: int = 0, values: dict[str, Any] = EDITION
    ) -> None:
        self.game = Game.from_config(GameConfig(num_players, edition_of(values)), seed)
        self.oracle = OracleGame(values, dealt(self.game))
        self.player = self.oracle.players[self.oracle.order[0]]
        self.drawn: list[Any] = []

    def dice(self, text: str) -> None:
        """Sets the dice pool, as "red 1, red 4, violet 6"."""
        pool = [die.split() for die in text.split(", ")]
        self.oracle.pool = {
            color: sorted(int(value) for name, value in pool if name == color)
            for color in self.oracle.colors
        }

    def assign(self, color: str, first: str, second: str) -> None:
        """Swaps two assignment tiles to the slots of a color."""
        assigned = self.oracle.assigned
        start = 2 * list(self.oracle.colors).index(color)
        for slot, name in ((start, first), (start + 1, second)):
            other = assigned.index(name)
            assigned[slot], assigned[other] = name, assigned[slot]

    def clear_cities(self) -> None:
        """Puts the tiles of all cities out of sight."""
        for city in self.oracle.cities.values():
            city.tiles = dict.fromkeys(PURPOSES)

    def fill(self, name: str, number: int) -> None:
        """Takes the lowest slots of a city for the last player."""
        city = self.oracle.cities[name]
        city.empty = city.empty[number:]
        city.meeples += number * [self.oracle.order[-1]]

    def begin(self) -> None:
        """Puts the position on both engines' tables; the player to act has a choice."""
        self.oracle.resume()
        state = self.game.state
        for name, value in arrays_of(self.oracle).items():
            getattr(state, name)[0] = value
        state.seat[0] = self.oracle.seat
        put(self.game, state)
        config = self.game.config
        self.batch = Engine.from_state(config, self.game.state, check=False, autoreset=False)
        self._compare()

    def play(self, *actions: str) -> list[int]:
        """Plays actions in both engines and the oracle; returns the points of the last one."""
        points: list[int] = []
        for text in actions:
            self.game.play(self.game.actions.parse(text))
            self.batch.step([self.game.actions.parse(text)])
            self.drawn = self.game.position.drawn
            points = self.oracle.play(text, self.drawn)
            assert points == self.game.position.points
            self._compare()
        return points

    def _compare(self) -> None:
        assert texts(self.game) == self.oracle.legal
        assert self.batch.state == self.game.state
        assert differences(self.oracle, self.game.state) == []
        assert self.game.seat == (-1 if self.oracle.seat is None else self.oracle.seat)
