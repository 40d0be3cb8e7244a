"""Both engines against the naive oracle, over thousands of games (T2 to T11)."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from gonzaga_env.kernel.records import Record, read_entries
from gonzaga_env.tuscany import GameConfig, Options
from tests.marks import some_nightly
from tests.trio import Trio
from tests.tuscany_oracle import EDITION, OracleGame

RECORDS = [
    entry.record
    for entry in read_entries(Path(__file__).parent / "games/referee.jsonl")
    if isinstance(entry.record, dict)
]

#: What a policy likes, the best first, as beginnings of texts; each is passed over now and then.
POLICIES: dict[str, tuple[str, ...]] = {
    "random": (),
    "builder": ("marble", "tile", "hexagon", "bonus", "draw"),
    "carter": ("bonus yield", "marble", "tile", "hexagon", "draw", "take W", "take I", "take F"),
    "mason": ("bonus storage", "marble", "tile", "draw", "take F", "take A"),
    "hoarder": ("bonus card", "marble", "take", "tile"),
}
FAITHFUL = 0.6  # how often a policy does what it likes
MANY_CARDS = 10  # with more, none likes to draw
OPTIONS = [
    Options(*values)
    for values in product(
        *((2, 3), ("turn", "lap"), ("one_each", "lap_then_one"), ("literal", "ranked")),
        *(("every", "tiles"), ("always", "setup"), (False, True)),
    )
]
BATCH = 7
# 2 to 4 players x 128 settings of the options x 7 games: 2,688 games.
CASES = list(product((2, 3, 4), OPTIONS))
OFTEN = [(2, OPTIONS[0]), (3, Options.of("online")), (3, OPTIONS[127]), (4, OPTIONS[67])]
#: What a night must see; rarer things are forced in test_rare.py.
RARE = (
    *("refused hexagon", "four equal cards", "marble won and spent at once", "removed"),
    *("shuffle region", "shuffle neutral", "sweep", "refilled from the neutral stack"),
    *("castle", "castle chain", "castle and sweep"),
)


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record["seed"])
def test_the_oracle_replays_the_games_of_an_independent_program(record: dict[str, Any]) -> None:
    oracle = OracleGame(EDITION, record["deal"], record["rules"])
    for move in record["moves"]:
        assert (oracle.seat, len(oracle.legal)) == (move["seat"], move["legal"])
        assert oracle.play(move["action"], move["drawn"]) == move["points"]
        assert oracle.drawn == move["drawn"]
    assert (oracle.scores(), oracle.final()) == (record["scores"], record["final"])
    assert (oracle.winners(), oracle.truncated) == (record["winners"], record["truncated"])


class TuscanyTrio(Trio):
    """Games by a policy each."""

    faithful = FAITHFUL

    def __init__(self, config: GameConfig, num_games: int, seed: int) -> None:
        rules = config.rules.as_dict()
        super().__init__(config, num_games, seed, lambda deal: OracleGame(EDITION, deal, rules))

    def likes(self, row: int, legal: list[str]) -> Iterator[list[str]]:
        oracle = self.oracles[row]
        many = oracle.players[oracle.seat].hand.total() > MANY_CARDS
        for wish in list(POLICIES.values())[(self.seed + row) % len(POLICIES)]:
            yield [] if many and wish == "draw" else [t for t in legal if t.startswith(wish)]

    def compare_move(
        self, row: int, text: str, move: Record, points: int, gained: list[int]
    ) -> None:
        oracle = self.oracles[row]
        found = oracle.play(text, move["drawn"])
        assert (found, oracle.drawn) == (move["points"], move["drawn"]), (row, move)
        assert sum(found) == points
        red = [player.red for player in oracle.players]
        assert self.games[row].totals == self.engine.totals[row].tolist() == red

    def compare_ends(self) -> None:
        super().compare_ends()
        truncated = [recorder.record()["truncated"] for recorder in self.recorders]
        assert truncated == [oracle.truncated for oracle in self.oracles]
        assert truncated == self.engine.state.truncated.tolist()


@pytest.fixture(scope="module")
def seen() -> Iterator[Counter[str]]:
    """Counts what happened in all games; checked after the last one."""
    counter: Counter[str] = Counter()
    yield counter
    if counter["games"] > 2000:  # those of the night, in one process
        assert all(counter[rare] for rare in RARE)
        assert counter["truncated"] > 20


@pytest.mark.parametrize(
    ("num_players", "rules"),
    some_nightly(CASES, often=lambda case: case in OFTEN),
    ids=lambda value: "-".join(map(str, value.as_dict().values())) if value in OPTIONS else None,
)
def test_both_engines_play_like_the_oracle(
    seen: Counter[str], num_players: int, rules: Options
) -> None:
    case = CASES.index((num_players, rules))
    rules = replace(rules, max_laps=30 if case % 3 == 2 else 100)  # some games are cut off
    trio = TuscanyTrio(GameConfig(num_players, rules=rules), BATCH, case * BATCH)
    trio.play()
    for oracle in trio.oracles:
        seen.update(oracle.seen)
        seen.update(games=1, truncated=int(oracle.truncated), turns=oracle.turns)
