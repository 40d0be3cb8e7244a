"""Records (N4): the games of the independent program, and what is wrong with forged ones."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gonzaga_env.signorie import Game, GameConfig, positions, record_game, replay, verify
from gonzaga_env.signorie.constants import ROW, SOURCES
from gonzaga_env.signorie.records import move_columns
from gonzaga_env.tabletop.errors import RecordError
from gonzaga_env.tabletop.records import Record, read_entries, read_record
from tests.marks import nightly

REFEREE = Path(__file__).parent / "games" / "referee.jsonl"


@pytest.fixture(scope="module")
def record() -> Record:
    return read_record(REFEREE, 1)


@pytest.mark.parametrize("part", [0, *nightly(1, 2, 3)])
def test_the_referees_games_replay_without_a_difference(part: int) -> None:
    entries = [entry for entry in read_entries(REFEREE) if entry.line % 4 == part]
    assert len(entries) == 15
    assert [fault for _, fault in verify(entries) if fault] == []


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


def _drop_refill(record: Record) -> None:
    record["deal"]["drawn"][0][1].pop()


def _swap_dice(record: Record) -> None:
    record["deal"]["drawn"][1][1][0][0] = 6


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda it: it["moves"][0].update(legal_sum=1), "move 1, legal_sum: the record says 1"),
        (lambda it: it["moves"][3].update(points=[1, 0]), r"move 4, points: the record says \[1"),
        (lambda it: it["moves"][2].update(drawn=[["tile", "a2"]]), "move 3, drawn"),
        (lambda it: it["moves"][7].update(drawn=[]), "move 8: drawn: nothing; the next event is"),
        (lambda it: it["moves"][7].update(drawn=[["offspring", [7]]]), "takes 1 dice"),
        (lambda it: it["moves"][7].update(drawn=[["offspring", 3]]), "holds no events that happen"),
        (lambda it: it["deal"]["turn_order"].reverse(), "move 1, seat: the record says 0"),
        (lambda it: it["deal"].update(boards=["red", "red"]), "boards takes different numbers"),
        (lambda it: it["deal"]["removed"].reverse(), "removed is not in the order of the notation"),
        (lambda it: it["deal"]["cities"].append("Roma"), "is not in the order"),
        (lambda it: it["deal"]["cities"].pop(), "another number of them in play"),
        (_drop_refill, "each city in play has two tiles"),
        (_swap_dice, "the record says"),
        (lambda it: it["deal"]["drawn"].pop(), "missing|wrong type"),
        (lambda it: it["scores"].update(total=[0, 0]), "scores: the record says"),
        (lambda it: it["final"]["deck"].pop(), "final: the record says"),
        (lambda it: it.update(game="tuscany"), "game: the record says 'tuscany'"),
        (lambda it: it["versions"].update(actions=9), "version of the actions: the record says 9"),
    ],
)
def test_forged_records_are_found(
    record: Record, change: Callable[[Any], Any], message: str
) -> None:
    forged = copy.deepcopy(record)
    change(forged)
    with pytest.raises(RecordError, match=message) as caught:
        replay(forged)
    assert "\n" not in str(caught.value)


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
