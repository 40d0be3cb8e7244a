"""Positions of Gonzaga whose sequences are counted.

For every scenario there are the deal, a placement in the middle, a wedding, and plans and
placements of the last round.
"""

import copy
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from random import Random

from gonzaga_env.core import Engine, game_from_record, load_edition
from gonzaga_env.core.board.actions import ACTIONS_VERSION
from gonzaga_env.core.edition import EDITIONS, Edition, Scenario
from tests.oracle import OracleEdition, OracleGame
from tests.perft.count import Counted, Position

OPTIONS = [
    {"sea_league": league, "first_check_round": check}
    for league, check in product(("each_player", "first_only"), (6, 1))
]
_ORACLE_EDITION = OracleEdition(EDITIONS / "europe")
_FEW = 5  # legal actions: fewer show little


class OracleNode:
    """A position in the oracle."""

    def __init__(self, oracle: OracleGame) -> None:
        self.oracle, self.legal = oracle, oracle.legal_actions()

    def after(self, action: str) -> "OracleNode":
        """Returns the position after a legal action; edition and deal never change."""
        twin = copy.copy(self.oracle)
        own = {k: v for k, v in vars(twin).items() if k not in ("edition", "decks", "objectives")}
        vars(twin).update(copy.deepcopy(own))
        _play(twin, action)
        return OracleNode(twin)


def _oracle_at(position: Position) -> OracleNode:
    oracle = OracleGame(
        _ORACLE_EDITION,
        scenario=position["scenario"],
        num_players=position["num_players"],
        decks=position["decks"],
        objectives=position["objectives"],
        **position["rules"],
    )
    for move in position["moves"]:
        _play(oracle, move["action"])
    return OracleNode(oracle)


def _play(oracle: OracleGame, action: str) -> None:
    """Plays an action that is known to be legal, which `OracleGame.play` would look up again."""
    seat = oracle.seat
    assert seat is not None
    if oracle.phase == "plan":
        oracle._make_plan(seat, action)
    else:
        oracle._make_move(seat, action)
        oracle._next_in_turn_order(seat)


def _positions() -> Iterator[Position]:
    printed = load_edition("europe")
    for number, scenario in enumerate(printed.scenarios):
        rng, rules = Random(number), OPTIONS[number % len(OPTIONS)]
        yield from _positions_of_a_game(_new_deal(printed, scenario, rules, rng), rng)


def _new_deal(
    edition: Edition, scenario: Scenario, rules: dict[str, str | int], rng: Random
) -> Position:
    """Returns a record without moves."""
    return {
        "format": 1,
        "edition": edition.label,
        "edition_hash": edition.digest,
        "scenario": scenario.name,
        "num_players": scenario.players,
        "rules": rules,
        "seed": 0,
        "agents": ["oracle"] * scenario.players,
        "decks": [rng.sample(range(1, 13), 12) for _ in range(scenario.players)],
        "objectives": [list(pair) for pair in rng.sample(edition.objectives, scenario.players)],
        "versions": {"actions": ACTIONS_VERSION},
        "moves": [],
    }


def _positions_of_a_game(deal: Position, rng: Random) -> Iterator[Position]:
    """Plays a random game and yields its positions, the first of each kind."""
    oracle, found, moves = _oracle_at(deal).oracle, set[str](), []
    while not oracle.finished:
        legal = sorted(oracle.legal_actions())
        for kind in _kinds(oracle, legal) - found:
            found.add(kind)
            name = f"{deal['scenario']}: {kind}"
            yield {"name": name, **deal, "moves": list(moves)}
        busy = [action for action in legal if action != "donate"] or legal
        action = rng.choice(busy)
        moves.append({"seat": oracle.seat, "action": action})
        _play(oracle, action)


def _kinds(oracle: OracleGame, legal: list[str]) -> set[str]:
    """Returns what a position is an example of."""
    kinds = set()
    placing = oracle.phase == "place"
    if oracle.round == 1 and oracle.seat == 0 and not placing:
        kinds.add("the deal")
    if oracle.round == 4 and placing and len(legal) >= _FEW:
        kinds.add("in the middle")
    if any(action.startswith("rings ") for action in legal):
        kinds.add("a wedding")
    if oracle.last_round and len(legal) >= _FEW:
        kinds.add("the last round, placing" if placing else "the last round, planning")
    return kinds


GONZAGA = Counted(
    file=Path(__file__).parent / "gonzaga.jsonl",
    engine=Engine,
    deal=game_from_record,
    oracle_at=_oracle_at,
    positions=_positions,
    most_nodes=2000,
)
