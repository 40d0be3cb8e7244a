"""Regenerates the golden games: `python tests/golden/regenerate.py`, after a change of the rules.

There are six games, one for every number of players and league option. Their moves stay the same;
counts of legal actions, points and winners are updated. From the first move that the rules no
longer allow, a game continues with random moves.
"""

from itertools import product
from pathlib import Path

import numpy as np

from gonzaga_env.core import ActionError, Engine, Recorder, read_records, write_records
from gonzaga_env.core.editions.loading import load_edition
from gonzaga_env.core.records import Record, engine_from_record

FILE = Path(__file__).parent / "games.jsonl"
GAMES = list(product((2, 3, 4), ("each_player", "first_only")))


def play_again(record: Record) -> Record:
    """Returns the record of the same game under the current rules, on the current edition."""
    here = load_edition(record["edition"])  # its content may have changed since
    engine = engine_from_record({**record, "edition_hash": here.digest})
    recorder = Recorder(engine, record["agents"])
    moves, rng = [move["action"] for move in record["moves"]], np.random.default_rng(0)
    while not (done := recorder.pop()):
        action = _next(engine, moves)
        recorder.step(engine.sample_legal(rng) if action is None else [action])
    return done[0] | {"episode": record["episode"]}


def _next(engine: Engine, moves: list[str]) -> int | None:
    """Returns the next move; None from the first illegal move on."""
    try:
        action = engine.actions.parse(moves.pop(0)) if moves else None
    except ActionError:
        action = None
    if action is None or not engine.is_legal([action])[0]:
        moves.clear()
        return None
    return action


if __name__ == "__main__":
    write_records(FILE, [play_again(record) for record in read_records(FILE)])
    print(f"wrote {len(GAMES)} games to {FILE}")
