"""Records (N4): the games of the independent program, and what is wrong with forged ones."""

import json
from pathlib import Path

import numpy as np
import pytest

from gonzaga_env.kernel.errors import RecordError
from gonzaga_env.kernel.records import Record, read_record
from gonzaga_env.signorie import Game, GameConfig, positions, record_game, replay
from gonzaga_env.signorie.constants import ROW, SOURCES
from gonzaga_env.signorie.spec import move_columns

REFEREE = Path(__file__).parent / "games" / "referee.jsonl"


@pytest.fixture(scope="module")
def record() -> Record:
    return read_record(REFEREE, 1)


def test_a_record_says_what_happened(record: Record) -> None:
    assert len(list(positions(record))) == len(record["moves"])
    game = replay(record)
    totals = record["scores"]["total"]
    assert game.totals == totals
    assert [
        sum(seat) for seat in zip(*(m["points"] for m in record["moves"]), strict=True)
    ] == totals
    assert record["scores"].keys() == {*SOURCES, "total"}
    columns = move_columns(record)
    assert columns[0] == {"kind": "hire", "slot": "grey hire 3"}
    assert {"kind": "no wed", "slot": ""} in columns


def test_a_game_is_recorded_from_its_seed() -> None:
    config, rng = GameConfig(2), np.random.default_rng(0)
    game = Game.from_config(config, 11)
    actions = []
    while not game.finished:
        actions.append(game.sample_legal(rng))
        game.play(actions[-1])
    recorded = record_game(config, 11, ["random", "random"], actions)
    replayed = replay(json.loads(json.dumps(recorded)))
    assert replayed.totals == game.totals
    assert replayed.state.event == game.state.event  # given dice, tiles and tiles of cities count
    drawn = [event[0] for move in recorded["moves"] for event in move["drawn"]]
    assert {"tile", "refill", "dice", "assignments", "offspring"} <= {*drawn}
    assert recorded["seed"] == 11


def test_events_that_cannot_happen_change_nothing(record: Record) -> None:
    state = next(state for state in positions(record) if state.kind[0] == ROW)
    game = Game.from_config(GameConfig(2))
    game.state = state
    long, wrong = [["tile", "z" * 999]], [["tile", ["a2"]]]
    for drawn in ([["tile", "z9"]], [["dice", []]], [[]], [7], long, wrong):
        with pytest.raises(RecordError, match="drawn") as caught:
            game.play(game.actions.parse("row marriage"), drawn)
        assert len(str(caught.value)) < 160
        assert game.state == state
    kind = int(state.deck[0].argmax())
    game.play(game.actions.parse("row marriage"), [["tile", game.edition.tile_names[kind]]])
    assert game.state.deck[0, kind] == state.deck[0, kind] - 1
