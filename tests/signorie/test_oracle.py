"""Both engines against the naive oracle, over thousands of games (S2 to S12)."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import count, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gonzaga_env.kernel.records import read_entries
from gonzaga_env.signorie import Engine, Game, GameConfig
from gonzaga_env.signorie.spec import SignorieRecorder
from tests.marks import some_nightly
from tests.signorie.table import differences, texts
from tests.signorie.wild import Values, edition_of, wild
from tests.signorie_oracle import EDITION, OracleGame

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


class Trio:
    """Games of the batch, the same games alone, and oracles that are told what is drawn."""

    def __init__(
        self, num_players: int, num_games: int, seed: int, values: Values = EDITION
    ) -> None:
        config = GameConfig(num_players, edition_of(values))
        self.engine = Engine.from_config(config, num_games, seed, autoreset=False)
        self.games = [Game.from_config(config, seed + i) for i in range(num_games)]
        self.recorders = [
            SignorieRecorder(game, ["oracle"] * config.num_players) for game in self.games
        ]
        self.oracles = [OracleGame(values, r.record()["deal"]) for r in self.recorders]
        self.pieces = [oracle.pieces() for oracle in self.oracles]
        self.rng = np.random.default_rng(seed)
        # Each seat follows a policy; in every other batch all follow the same one, to get far.
        chosen = self.rng.integers(len(POLICIES), size=(num_games, num_players))
        if seed // num_games % 2 == 0:
            chosen[:] = np.arange(num_games)[:, None] % len(POLICIES)
        self.policies = np.array(list(POLICIES))[chosen]

    def play(self) -> None:
        """Plays all games to the end and compares them after every action."""
        for step in count():
            if not any(oracle.legal for oracle in self.oracles):
                break
            self._compare_decisions()
            self._compare_tables(range(step % 4, len(self.games), 4))
            self._step([self._choose(row) for row in range(len(self.games))])
        self._compare_ends()

    def _compare_decisions(self) -> None:
        masks = self.engine.legal_action_mask()
        to_text = self.engine.actions.to_text
        for row, (game, oracle) in enumerate(zip(self.games, self.oracles, strict=True)):
            legal = {to_text(action) for action in masks[row].nonzero()[0].tolist()}
            assert legal == texts(game) == oracle.legal, (row, oracle.round)
            if oracle.legal:
                assert self.engine.seats[row] == game.seat == oracle.seat
                assert self.engine.rounds[row] == game.round == oracle.round

    def _compare_tables(self, rows: Iterable[int]) -> None:
        for row in rows:
            assert differences(self.oracles[row], self.engine.state, row) == []
            assert self.oracles[row].pieces() == self.pieces[row]

    def _choose(self, row: int) -> str | None:
        oracle = self.oracles[row]
        legal = sorted(oracle.legal)
        for wish in POLICIES[self.policies[row][oracle.seat]] if legal else ():
            liked = [text for text in legal if re.match(wish, _described(oracle, text))]
            if liked and self.rng.random() < FAITHFUL:
                legal = liked
                break
        return legal[self.rng.integers(len(legal))] if legal else None

    def _step(self, chosen: Sequence[str | None]) -> None:
        """Plays one action in every game that is not over."""
        actions = [0 if text is None else self.engine.actions.parse(text) for text in chosen]
        before = self.engine.totals.copy()
        self.engine.step(actions)
        won = (self.engine.totals - before).tolist()
        for row, text in enumerate(chosen):
            if text is not None:
                self.recorders[row].play(actions[row])
                move, oracle = self.recorders[row].moves[-1], self.oracles[row]
                asked = (oracle.seat, len(oracle.legal), oracle.legal_sum())
                assert asked == (move["seat"], move["legal"], move["legal_sum"])
                assert oracle.play(text, move["drawn"]) == move["points"] == won[row], (row, move)

    def _compare_ends(self) -> None:
        won = self.engine.winners()
        self._compare_tables(range(len(self.games)))
        for row, (recorder, oracle) in enumerate(zip(self.recorders, self.oracles, strict=True)):
            record = recorder.record()
            assert (record["scores"], record["final"]) == (oracle.scores(), oracle.final())
            assert record["winners"] == oracle.winners() == won[row].nonzero()[0].tolist()


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
    trio = Trio(num_players, BATCH, CASES.index((num_players, batch)) * BATCH)
    trio.play()
    for oracle in trio.oracles:
        seen.update(oracle.seen)
        seen.update(games=1)


@pytest.mark.parametrize("seed", some_nightly(range(200), often=lambda seed: seed < 3))
def test_both_engines_play_every_edition_like_the_oracle(seed: int) -> None:
    """N1: prices, effects, tracks, cities and supplies of chance."""
    Trio(2 + seed % 3, 2, seed, wild(seed)).play()
