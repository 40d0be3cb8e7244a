"""Positions of Signorie whose sequences are counted.

Each game yields the first position of every kind of decision, and of early and late rounds. Chance
follows the seed; the oracle is told what the game in plain Python drew.
"""

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

from gonzaga_env.signorie import Engine, Game, GameConfig
from gonzaga_env.signorie.constants import KINDS
from tests.perft.count import Counted, Position, ToldNode
from tests.signorie.table import dealt
from tests.signorie_oracle import EDITION, OracleGame

_FOUND = {*KINDS, "round 4", "round 7"}
_BUSY = ("advance", "enter", "bonus", "use", "marry", "wed", "helper", "spend 3")
_EAGER = 0.7  # how often a player is busy rather than anything


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
            yield from _positions_of_a_game({**head, "seed": next(seeds), "moves": []}, found)


def _positions_of_a_game(deal: Position, found: set[str]) -> Iterator[Position]:
    """Plays a random game and yields its positions, the first of each kind that is not found."""
    game, rng = _deal(deal), Random(deal["seed"])
    oracle, moves = _oracle_of(game), list[dict[str, Any]]()
    while oracle.legal:
        for kind in {KINDS[game.kind], f"round {oracle.round}"} & (_FOUND - found):
            found.add(kind)
            name = f"{deal['num_players']} players, game {deal['seed']}: {kind}"
            yield {"name": name, **deal, "moves": list(moves)}
        legal = sorted(oracle.legal)
        busy = [text for text in legal if text.startswith(_BUSY)]
        action = rng.choice(busy if busy and rng.random() < _EAGER else legal)
        moves.append({"seat": oracle.seat, "action": action})
        game.play(game.actions.parse(action))
        oracle.play(action, game.position.drawn)


SIGNORIE = Counted(
    file=Path(__file__).parent / "signorie.jsonl",
    engine=Engine,
    deal=_deal,
    oracle_at=_oracle_at,
    positions=_positions,
    most_nodes=100,
)
