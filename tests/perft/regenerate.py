"""Regenerates the positions and their counts: `python -m tests.perft.regenerate` (some minutes).

The oracles count, and choose the positions. Names of games as arguments renew only those.
"""

import sys
from collections.abc import Iterator

from gonzaga_env.core import write_records
from tests.perft.count import Counted, Node, oracle_perft
from tests.perft.gonzaga import GONZAGA
from tests.perft.signorie import SIGNORIE
from tests.perft.tuscany import TUSCANY

GAMES = {"gonzaga": GONZAGA, "tuscany": TUSCANY, "signorie": SIGNORIE}


def main(names: list[str]) -> None:
    """Writes the files."""
    for name in names or GAMES:
        positions, counted = [], GAMES[name]
        for position in counted.positions():
            position["perft"] = list(_counts(counted, counted.oracle_at(position)))
            print(position["name"], position["perft"], flush=True)
            positions.append(position)
        write_records(counted.file, positions)


def _counts(counted: Counted, node: Node) -> Iterator[int]:
    """Yields the counts for lengths 1, 2 and so on, to 3 at most."""
    count = 1
    for depth in (1, 2, 3):
        if count > counted.most_nodes:
            return
        count = oracle_perft(node, depth)
        yield count


if __name__ == "__main__":
    main(sys.argv[1:])
