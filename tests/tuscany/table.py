"""A game whose position a test writes, for one, in the batch and in the oracle."""

from collections import Counter
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np

from gonzaga_env.tuscany import Engine, Game, Options
from gonzaga_env.tuscany.board import ACTIONS, CELL_NAMES, LAYOUTS, region
from gonzaga_env.tuscany.constants import (
    COLOURS,
    KINDS,
    MAIN,
    NOT_FINAL,
    PIECE_NAMES,
    SOURCES,
    TILE_KINDS,
)
from gonzaga_env.tuscany.edition import board_names
from tests.beside import put
from tests.tuscany_oracle import BONUS_TYPES, EDITION, OracleGame, OraclePlayer


def played(
    num_players: int = 2,
    steps: int | None = None,
    seed: int = 0,
    rules: str = "",
    **options: Any,
) -> Game:
    """Returns a game after some random steps; None plays the setup only."""
    chosen = replace(Options.of(rules), **options)
    game, rng = Game(num_players, rules=chosen, seed=seed), np.random.default_rng(seed)
    while game.kind != MAIN if steps is None else steps > 0 and not game.finished:
        game.play(game.sample_legal(rng))
        steps = None if steps is None else steps - 1
    return game


def kinds(text: str, names: Any = TILE_KINDS) -> list[int]:
    """Returns counts by kind from names."""
    return [text.split().count(name) for name in names]


def cards(letters: str) -> list[int]:
    return [letters.count(colour) for colour in COLOURS]


class Table:
    """A game in its first main question, whose seat to act is given what a test needs."""

    def __init__(self, num_players: int = 2, **options: Any) -> None:
        self.game = played(num_players, **options)
        self.seat = self.position.seat
        self.position.display = kinds("V V W M Q C I F")
        self.position.bonus = [[0] * 5 for _ in range(num_players)]
        self.position.scores = [[0] * len(SOURCES) for _ in range(num_players)]
        self.give()

    @property
    def position(self) -> Any:
        return self.game.position

    @property
    def kind(self) -> str:
        return KINDS[self.game.kind]

    def own(self, name: str) -> Any:
        """Returns a field of the position for the seat."""
        return getattr(self.position, name)[self.seat]

    def points(self, source: str, seat: int | None = None) -> int:
        return self.position.scores[self.seat if seat is None else seat][SOURCES.index(source)]

    def give(self, hand: str = "", storage: str = "", **tokens: Any) -> None:
        """Sets hand and storage, and other fields of the seat by name."""
        tokens |= {"hand": cards(hand), "storage": kinds(storage, PIECE_NAMES)}
        for name, value in tokens.items():
            getattr(self.position, name)[self.seat] = value
        self.refresh()

    def refresh(self, **fields: Any) -> None:
        """Sets fields of the position, and lets the game see what has been changed."""
        for name, value in fields.items():
            setattr(self.position, name, value)
        state, outcomes = self.game.state, self.position.outcomes
        put(self.game, state)
        self.position.outcomes = outcomes

    def do(self, *texts: str, drawn: list[str] | None = None) -> None:
        for text in texts:
            self.game.play(ACTIONS.parse(text), drawn)

    def do_beside(self, *texts: str) -> list[str]:
        """Plays with the engine for batches and the oracle beside, from a turn's first question.

        Returns:
            What was turned up, in the texts of records.
        """
        game, oracle = self.game, oracle_at(self.game)
        batch = Engine.from_state(game.config, game.state, check=False, autoreset=False)
        drawn = []
        for text in texts:
            legal = set(map(ACTIONS.to_text, np.flatnonzero(game.mask()).tolist()))
            assert legal == oracle.legal
            self.do(text)
            result = batch.step([ACTIONS.parse(text)])
            assert batch.state == game.state
            points = oracle.play(text, self.position.drawn)
            assert points == self.position.points
            assert sum(points) == result.points[0]
            assert oracle.drawn == self.position.drawn
            drawn += oracle.drawn
        assert oracle.seat == (None if game.finished else game.seat)
        by_source = map(list, zip(*self.position.scores, strict=True))
        scores = dict(zip(SOURCES, by_source, strict=True))
        assert {source: oracle.scores()[source] for source in SOURCES} == scores
        return drawn

    def open_only(self, *cells: int) -> None:
        """Covers every other cell of the seat."""
        self.position.covered[self.seat] = (1 << 30) - 1 & ~sum(1 << cell for cell in cells)
        self.refresh()

    def any_cell(self, colour: str, size: int = 1) -> int:
        """Builds a region that has a zone of a colour and size; returns a cell of it."""
        edition, position = self.game.edition, self.position
        for triple, layout in product(range(64), range(len(LAYOUTS))):
            chosen = region(edition.boards, triple, layout)
            for cell in range(30):
                zone = chosen.zones[cell]
                if chosen.colours[cell] == COLOURS.index(colour) and zone.bit_count() == size:
                    position.boards[self.seat], position.layout[self.seat] = triple, layout
                    self.refresh()
                    return cell
        raise LookupError

    def place(self, colour: str, hand: str, *then: str, **tokens: Any) -> None:
        """Places a tile on the only open cell, which has its colour; then answers what is asked."""
        cell = self.any_cell(colour)
        self.give(hand, colour, **tokens)
        self.open_only(cell)
        self.do_beside(f"tile {CELL_NAMES[cell]}", *then)


def oracle_at(game: Game) -> OracleGame:
    """Returns the oracle in a game's position, which is the first question of a turn."""
    position, num_players = game.position, game.num_players
    boards = [board_names(triple) for triple in position.boards]
    deal = {"start": position.start, "boards": boards, "hands": [""] * num_players, "display": []}
    oracle = OracleGame(EDITION, deal, game.rules.as_dict())
    for seat, player in enumerate(oracle.players):
        _fill_player(player, game, seat)
    oracle.piles = {
        "region": _counter(COLOURS, position.deck),
        "yield": _counter(game.edition.yield_names, position.yield_deck),
        "neutral": _counter(TILE_KINDS, position.neutral),
    }
    oracle.discards = {
        "region": _counter(COLOURS, position.discards),
        "yield": _counter(game.edition.yield_names, position.yield_discards),
        "neutral": _counter(TILE_KINDS, position.aside),
    }
    oracle.display = _counter(TILE_KINDS, position.display)
    taken = [sum(bonus) for bonus in zip(*position.bonus, strict=True)]
    oracle.bonus_stock.subtract(dict(zip(BONUS_TYPES, taken, strict=True)))
    open_colours = [{p.region[c] for c in p.region.keys() - p.covered} for p in oracle.players]
    oracle.colours_done = Counter(c for found in open_colours for c in COLOURS if c not in found)
    seats_before = (position.seat - position.start) % num_players
    oracle.round, oracle.turns = position.round, (position.lap - 1) * num_players + seats_before
    if position.turns_left != NOT_FINAL:
        oracle.last_turn = oracle.turns + position.turns_left
    oracle._asking = oracle.turns_to_come()
    oracle.legal = next(oracle._asking)
    return oracle


def _fill_player(player: OraclePlayer, game: Game, seat: int) -> None:
    position = game.position
    player.lay_out(ACTIONS.to_text(position.layout[seat]).removeprefix("layout "))
    for cell, name in enumerate(CELL_NAMES):
        if position.covered[seat] >> cell & 1:
            crops = (
                c
                for c, cells in zip("OGWL", position.crops[seat], strict=True)
                if cells >> cell & 1
            )
            wooden = position.wooden[seat] >> cell & 1
            player.covered[name] = "hexagon" if wooden else player.region[name] + "".join(crops)
    player.hand = _counter(COLOURS, position.hand[seat])
    player.unturned = _counter(TILE_KINDS, position.stacks[seat])
    player.storage = _counter(PIECE_NAMES, position.storage[seat])
    player.bonus = _counter(BONUS_TYPES, position.bonus[seat])
    player.points = _counter(SOURCES, position.scores[seat])
    player.marble, player.workers = position.marble[seat], position.workers[seat]
    player.turned = position.turned(seat)


def _counter(names: Any, counts: Any) -> Counter[str]:
    return Counter(dict(zip(names, counts, strict=True)))
