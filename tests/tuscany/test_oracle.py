"""Both engines against the naive oracle, over thousands of games (T2 to T11)."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gonzaga_env.kernel.records import read_entries
from gonzaga_env.tuscany import Engine, Game, GameConfig, Options
from gonzaga_env.tuscany.board import ACTIONS
from gonzaga_env.tuscany.spec import TuscanyRecorder
from tests.marks import some_nightly
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


class Trio:
    """Games of the batch, the same games alone, and oracles that are told what is drawn."""

    def __init__(self, config: GameConfig, num_games: int, seed: int) -> None:
        self.engine = Engine.from_config(config, num_games, seed, autoreset=False)
        self.games = [Game.from_config(config, seed + i) for i in range(num_games)]
        self.recorders = [
            TuscanyRecorder(game, ["oracle"] * config.num_players) for game in self.games
        ]
        self.oracles = [
            OracleGame(EDITION, recorder.record()["deal"], config.rules.as_dict())
            for recorder in self.recorders
        ]
        self.seed, self.rng = seed, np.random.default_rng(seed)

    def play(self) -> None:
        """Plays all games to the end and compares them after every action."""
        while any(oracle.legal for oracle in self.oracles):
            self._compare_decisions()
            self._step([self._choose(row) for row in range(len(self.games))])
        self._compare_ends()

    def _compare_decisions(self) -> None:
        engine = self.engine
        masks = engine.legal_action_mask()
        seats, rounds = engine.seats.tolist(), engine.rounds.tolist()
        for row, (game, oracle) in enumerate(zip(self.games, self.oracles, strict=True)):
            texts = {ACTIONS.to_text(action) for action in masks[row].nonzero()[0].tolist()}
            assert texts == oracle.legal, (row, oracle.turns)
            assert game.legal_set == sum(1 << ACTIONS.parse(text) for text in texts)
            if oracle.legal:
                assert seats[row] == game.seat == oracle.seat
                assert rounds[row] == game.round == oracle.round

    def _choose(self, row: int) -> str | None:
        oracle = self.oracles[row]
        legal = sorted(oracle.legal)
        many = oracle.seat is not None and oracle.players[oracle.seat].hand.total() > MANY_CARDS
        for wish in list(POLICIES.values())[(self.seed + row) % len(POLICIES)]:
            liked = [] if many and wish == "draw" else [t for t in legal if t.startswith(wish)]
            if liked and self.rng.random() < FAITHFUL:
                legal = liked
                break
        return legal[self.rng.integers(len(legal))] if legal else None

    def _step(self, texts: Sequence[str | None]) -> None:
        """Plays one action in every game that is not over."""
        actions = [0 if text is None else ACTIONS.parse(text) for text in texts]
        result = self.engine.step(actions)
        totals = self.engine.totals.tolist()
        for row, text in enumerate(texts):
            if text is not None:
                self.recorders[row].play(actions[row])
                move, oracle = self.recorders[row].moves[-1], self.oracles[row]
                points = oracle.play(text, move["drawn"])
                assert points == move["points"], (row, move)
                assert sum(points) == result.points[row]
                assert oracle.drawn == move["drawn"]
                red = [player.red for player in oracle.players]
                assert self.games[row].totals == totals[row] == red

    def _compare_ends(self) -> None:
        won, truncated = self.engine.winners(), self.engine.state.truncated
        for row, (recorder, oracle) in enumerate(zip(self.recorders, self.oracles, strict=True)):
            record = recorder.record()
            assert (record["scores"], record["final"]) == (oracle.scores(), oracle.final())
            assert record["winners"] == oracle.winners() == won[row].nonzero()[0].tolist()
            assert record["truncated"] == oracle.truncated == truncated[row]


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
    trio = Trio(GameConfig(num_players, rules=rules), BATCH, case * BATCH)
    trio.play()
    for oracle in trio.oracles:
        seen.update(oracle.seen)
        seen.update(games=1, truncated=int(oracle.truncated), turns=oracle.turns)
