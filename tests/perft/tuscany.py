"""Positions of The Castles of Tuscany whose sequences are counted.

Each game has its own options and yields the first position of every kind of question. Chance
follows the seed; the oracle is told what the game in plain Python turned up.
"""

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

from gonzaga_env.tuscany import Engine, Game, GameConfig, Recorder
from gonzaga_env.tuscany.constants import KINDS, MAIN
from tests.perft.count import Counted, Position, ToldNode, positions_of_a_game
from tests.tuscany_oracle import EDITION, OracleGame

OPTIONS: dict[int, list[dict[str, Any] | str]] = {
    2: [{}, {"draw_base": 3, "round_end": "lap", "hexagon_same_turn": True}],
    3: [{}, "online"],
    4: [{}, {"draw_base": 3, "bonus_gains": "tiles", "storage_points": "setup"}],
}
_TURNS = ("round 1", "round 2", "round 3", "the last turns")
_FOUND = {*KINDS, *_TURNS} - {"main"}
_BUSY = ("tile", "hexagon", "marble", "bonus storage")


def _oracle_of(game: Game) -> OracleGame:
    fresh = Game.from_config(game.config, game.seed)
    deal: dict[str, Any] = Recorder(fresh, ["oracle"] * game.num_players).record()["deal"]
    return OracleGame(EDITION, deal, game.rules.as_dict())


def _deal(position: Position) -> Game:
    config = GameConfig(position["num_players"], position["edition"], position["rules"])
    return Game.from_config(config, position["seed"])


def _oracle_at(position: Position) -> ToldNode:
    return ToldNode.at(_oracle_of, _deal(position), position["moves"])


def _positions() -> Iterator[Position]:
    """Plays random games with every setting until all kinds of positions have been found."""
    for num_players, options in OPTIONS.items():
        for rules in options:
            head = {"num_players": num_players, "edition": "reconstruction", "rules": rules}
            found, seeds = set[str](), count()
            while found != _FOUND:
                deal = {**head, "seed": next(seeds), "moves": []}
                game = _deal(deal)
                yield from positions_of_a_game(game, _oracle_of(game), deal, _kinds, found, _BUSY)


def _kinds(game: Game, oracle: OracleGame) -> set[str]:
    """Returns what a position is an example of."""
    if game.kind != MAIN:
        return {KINDS[game.kind]}
    return {"the last turns" if oracle.last_turn is not None else f"round {oracle.round}"}


TUSCANY = Counted(
    file=Path(__file__).parent / "tuscany.jsonl",
    engine=Engine,
    deal=_deal,
    oracle_at=_oracle_at,
    positions=_positions,
    most_nodes=300,
)
