"""Regenerates the golden games: `python tests/golden/regenerate.py`, after a change of the rules.

There are six games, one for every number of players and league option. Their moves stay the same;
counts of legal actions, points and winners are updated. From the first move that the rules no
longer allow, a game continues with random moves.
"""

from itertools import product
from pathlib import Path

import numpy as np

from gonzaga_env.core import (
    ActionError,
    Game,
    Record,
    Recorder,
    game_from_record,
    load_edition,
    read_records,
    write_records,
)

FILE = Path(__file__).parent / "games.jsonl"
GAMES = list(product((2, 3, 4), ("each_player", "first_only")))


def play_again(record: Record) -> Record:
    """Returns the record of the same game under the current rules, on the current edition."""
    here = load_edition(record["edition"])  # its content may have changed since
    game = game_from_record({**record, "edition_hash": here.digest})
    recorder = Recorder(game, record["agents"])
    moves, rng = [move["action"] for move in record["moves"]], np.random.default_rng(0)
    while not game.finished:
        action = _next(game, moves)
        recorder.play(game.sample_legal(rng) if action is None else action)
    return recorder.record() | {key: record[key] for key in ("seed", "episode")}


def _next(game: Game, moves: list[str]) -> int | None:
    """Returns the next move; None from the first illegal move on."""
    try:
        action = game.actions.parse(moves.pop(0)) if moves else None
    except ActionError:
        action = None
    if action is None or not game.is_legal(action):
        moves.clear()
        return None
    return action


if __name__ == "__main__":
    write_records(FILE, [play_again(record) for record in read_records(FILE)])
    print(f"wrote {len(GAMES)} games to {FILE}")
