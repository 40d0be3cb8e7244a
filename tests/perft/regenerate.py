"""Regenerates the positions and their counts: `python -m tests.perft.regenerate` (some minutes).

The oracle plays the games, chooses the positions and counts; the engines have no part in it.
For every scenario there are the deal, a placement in the middle, a wedding, and plans and
placements of the last round.
"""

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from random import Random

from gonzaga_env.core import load_edition, write_records
from gonzaga_env.core.board.actions import ACTIONS_VERSION
from gonzaga_env.core.editions.edition import EDITIONS, Edition, Scenario
from tests.oracle import OracleEdition, OracleGame
from tests.perft.count import Position, oracle_at, oracle_perft, play

FILE = Path(__file__).parent / "positions.jsonl"
OPTIONS = [
    {"sea_league": league, "first_check_round": check}
    for league, check in product(("each_player", "first_only"), (6, 1))
]
MOST_NODES = 2000  # positions that the oracle expands for the longest sequences of a position
_FEW = 5  # legal actions: fewer show little


def main() -> None:
    """Writes the file."""
    printed, oracle_edition = load_edition("europe"), OracleEdition(EDITIONS / "europe")
    positions = []
    for number, scenario in enumerate(printed.scenarios):
        rng, rules = Random(number), OPTIONS[number % len(OPTIONS)]
        for position in _positions(oracle_edition, _deal(printed, scenario, rules, rng), rng):
            position["perft"] = list(_counts(oracle_at(position, oracle_edition)))
            print(position["name"], position["perft"], flush=True)
            positions.append(position)
    write_records(FILE, positions)


def _deal(
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


def _positions(edition: OracleEdition, deal: Position, rng: Random) -> Iterator[Position]:
    """Plays a random game and yields its positions, the first of each kind."""
    oracle, found, moves = oracle_at(deal, edition), set(), []
    while not oracle.finished:
        legal = sorted(oracle.legal_actions())
        for kind in _kinds(oracle, legal) - found:
            found.add(kind)
            name = f"{deal['scenario']}: {kind}"
            yield {"name": name, **deal, "moves": list(moves)}
        busy = [action for action in legal if action != "donate"] or legal
        action = rng.choice(busy)
        moves.append({"seat": oracle.seat, "action": action})
        play(oracle, action)


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


def _counts(oracle: OracleGame) -> Iterator[int]:
    """Yields the counts for lengths 1, 2 and so on, to 3 at most."""
    count = 1
    for depth in (1, 2, 3):
        if count > MOST_NODES:
            return
        count = oracle_perft(oracle, depth)
        yield count


if __name__ == "__main__":
    main()
