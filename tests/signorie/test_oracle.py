"""Both engines against the naive oracle, over thousands of games (S2 to S12)."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import count, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gonzaga_env.kernel.records import Record, read_entries
from gonzaga_env.signorie import GameConfig
from tests.marks import some_nightly
from tests.signorie.table import differences
from tests.signorie.wild import Values, edition_of, wild
from tests.signorie_oracle import EDITION, OracleGame
from tests.trio import Trio

RECORDS = [
    entry.record
    for entry in read_entries(Path(__file__).parent / "games/referee.jsonl")
    if isinstance(entry.record, dict)
]

#: What a policy likes, the best first, as patterns of texts; an assignment's name follows it.
POLICIES: dict[str, tuple[str, ...]] = {
    "random": (),
    "envoy": (
        *("advance", "enter", "mission .* [567] ", "spend 3", "turq.*signoria", ".*training"),
        *("grey . signoria", "grey . hire 3", "turq.*hire", "use", "bonus"),
    ),
    "matchmaker": (
        *("marry .* 1", "marry", "wed", "red . signoria", ".*marriage", "violet . signoria"),
        *(".*offspring", "turq.*hire 3", "use", "bonus", "yellow . signoria"),
    ),
    "collector": (
        *("row marriage", ".*alliance", "yellow . hire 2", "use", "(red|grey) . hire 2"),
        *("(yellow|violet|turquoise)", "bonus"),
    ),
    "climber": (
        *("initiative", ".*initiative", "spend 3", "(grey|yellow) . hire 1", "use", "turquoise"),
        *("grey . signoria", "bonus", ".*threshold"),
    ),
    "father": (
        *("wed", "violet . signoria", ".*offspring", "use", "yellow . signoria", "red . hire"),
        *("bonus", "spend 1", "enter", "stop"),
    ),
    "modest": (".*threshold", "spend 3", "pass", ".* 1 ", "helper", "bonus", "wed"),
}
FAITHFUL = 0.8  # how often a policy does what it likes
BATCH = 7
# 2 to 4 players x 96 batches of 7 games: 2,016 games.
CASES = list(product((2, 3, 4), range(96)))
#: What a night must see; rarer things are forced in test_rare.py.
RARE = (
    *("slots left empty", "tile refused", "no tile there", "full city", "full row"),
    *("no male left", "no female left", "repetition lapsed", "initiative top"),
    *("threshold 16", "threshold 19", "threshold 22", "above the threshold"),
    *("forced pass", "forced spend", "forced mission", "forced marry", "forced initiative"),
    *("forced stop", "forced florins", "forced keep", "forced no"),
)


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record["seed"])
def test_the_oracle_replays_the_games_of_an_independent_program(record: dict[str, Any]) -> None:
    oracle = OracleGame(EDITION, record["deal"])
    for move in record["moves"]:
        asked = (oracle.seat, len(oracle.legal), oracle.legal_sum())
        assert asked == (move["seat"], move["legal"], move["legal_sum"])
        assert oracle.play(move["action"], move["drawn"]) == move["points"]
    assert (oracle.scores(), oracle.final()) == (record["scores"], record["final"])
    assert (oracle.winners(), oracle.seat) == (record["winners"], None)


class SignorieTrio(Trio):
    """Games by a policy for each seat; in every other batch all follow the same one, to get far."""

    faithful = FAITHFUL

    def __init__(
        self, num_players: int, num_games: int, seed: int, values: Values = EDITION
    ) -> None:
        config = GameConfig(num_players, edition_of(values))
        super().__init__(config, num_games, seed, lambda deal: OracleGame(values, deal))
        self.pieces = [oracle.pieces() for oracle in self.oracles]
        chosen = self.rng.integers(len(POLICIES), size=(num_games, num_players))
        if seed // num_games % 2 == 0:
            chosen[:] = np.arange(num_games)[:, None] % len(POLICIES)
        self.policies, self.steps = np.array(list(POLICIES))[chosen], count()

    def compare_positions(self) -> None:
        super().compare_positions()
        self._compare_tables(range(next(self.steps) % 4, len(self.games), 4))

    def _compare_tables(self, rows: Iterable[int]) -> None:
        for row in rows:
            assert differences(self.oracles[row], self.engine.state, row) == []
            assert self.oracles[row].pieces() == self.pieces[row]

    def likes(self, row: int, legal: list[str]) -> Iterator[list[str]]:
        oracle = self.oracles[row]
        for wish in POLICIES[self.policies[row][oracle.seat]]:
            yield [text for text in legal if re.match(wish, _described(oracle, text))]

    def compare_move(
        self, row: int, text: str, move: Record, points: int, gained: list[int]
    ) -> None:
        oracle = self.oracles[row]
        asked = (oracle.seat, len(oracle.legal), oracle.legal_sum())
        assert asked == (move["seat"], move["legal"], move["legal_sum"])
        assert oracle.play(text, move["drawn"]) == move["points"] == gained, (row, move)

    def compare_ends(self) -> None:
        super().compare_ends()
        self._compare_tables(range(len(self.games)))


def _described(oracle: OracleGame, text: str) -> str:
    color, _, use, slot = (*text.split(), "", "", "", "")[:4]
    return f"{text} {oracle._assignment(color, int(slot))[0]['name']}" if use == "assign" else text


@pytest.fixture(scope="module")
def seen() -> Iterator[Counter[str]]:
    """Counts what happened in all games; checked after the last one."""
    counter: Counter[str] = Counter()
    yield counter
    if counter["games"] > 2000:  # those of the night, in one process
        assert [rare for rare in RARE if not counter[rare]] == []


@pytest.mark.parametrize(
    ("num_players", "batch"), some_nightly(CASES, often=lambda case: case[1] < 1)
)
def test_both_engines_play_like_the_oracle(
    seen: Counter[str], num_players: int, batch: int
) -> None:
    trio = SignorieTrio(num_players, BATCH, CASES.index((num_players, batch)) * BATCH)
    trio.play()
    for oracle in trio.oracles:
        seen.update(oracle.seen)
        seen.update(games=1)


@pytest.mark.parametrize("seed", some_nightly(range(200), often=lambda seed: seed < 3))
def test_both_engines_play_every_edition_like_the_oracle(seed: int) -> None:
    """N1: prices, effects, tracks, cities and supplies of chance."""
    SignorieTrio(2 + seed % 3, 2, seed, wild(seed)).play()
