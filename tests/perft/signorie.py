"""Positions of Signorie whose sequences are counted.

Each game yields the first position of every kind of decision, and of early and late rounds. Chance
follows the seed; the oracle is told what the game in plain Python drew.
"""

from collections.abc import Iterator
from itertools import count
from pathlib import Path

from gonzaga_env.signorie import Engine, Game, GameConfig
from gonzaga_env.signorie.constants import KINDS
from tests.perft.count import Counted, Position, ToldNode, positions_of_a_game
from tests.signorie.table import dealt
from tests.signorie_oracle import EDITION, OracleGame

_FOUND = {*KINDS, "round 4", "round 7"}
_BUSY = ("advance", "enter", "bonus", "use", "marry", "wed", "helper", "spend 3")


def _oracle_of(game: Game) -> OracleGame:
    return OracleGame(EDITION, dealt(game))


def _deal(position: Position) -> Game:
    return Game.from_config(GameConfig(position["num_players"]), position["seed"])


def _oracle_at(position: Position) -> ToldNode:
    return ToldNode.at(_oracle_of, _deal(position), position["moves"])


def _positions() -> Iterator[Position]:
    """Plays random games until all kinds of positions have been found."""
    for num_players in (2, 3, 4):
        head = {"num_players": num_players, "edition": EDITION["name"], "rules": {}}
        found, seeds = set[str](), count()
        while found != _FOUND:
            deal = {**head, "seed": next(seeds), "moves": []}
            game = _deal(deal)
            yield from positions_of_a_game(game, _oracle_of(game), deal, _kinds, found, _BUSY)


def _kinds(game: Game, oracle: OracleGame) -> set[str]:
    """Returns what a position is an example of."""
    return {KINDS[game.kind], f"round {oracle.round}"} & _FOUND


SIGNORIE = Counted(
    file=Path(__file__).parent / "signorie.jsonl",
    engine=Engine,
    deal=_deal,
    oracle_at=_oracle_at,
    positions=_positions,
    most_nodes=100,
)
