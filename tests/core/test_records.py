"""Records: writing, reading and replaying; replay finds any change."""

import json
from pathlib import Path

import numpy as np
import pytest

from gonzaga_env.core import Engine
from gonzaga_env.core.options import Rules
from gonzaga_env.core.records import (
    Record,
    Recorder,
    positions,
    read_records,
    replay,
    write_records,
)
from gonzaga_env.tabletop.errors import RecordError
from tests.conftest import played


def record_games(engine: Engine, count: int, seed: int = 0) -> list[Record]:
    rng = np.random.default_rng(seed)
    recorder = Recorder(engine, [f"agent\u2028{seat}" for seat in range(engine.num_players)])
    records: list[Record] = []
    while len(records) < count:
        recorder.step(engine.sample_legal(rng))
        records += recorder.pop()
    return records


@pytest.fixture(scope="module")
def record() -> Record:
    return record_games(Engine(1, 3, scenario="Colombo", seed=7, autoreset=False), 1)[0]


def test_a_record_has_all_fields(record: Record) -> None:
    assert record["format"] == 1
    assert record["edition"] == "europe"
    assert (record["scenario"], record["num_players"], record["seed"]) == ("Colombo", 3, 7)
    assert record["rules"] == {"sea_league": "each_player", "first_check_round": 6}
    assert record["agents"] == ["agent\u20280", "agent\u20281", "agent\u20282"]
    assert all(sorted(deck) == list(range(1, 13)) for deck in record["decks"])
    assert set(record["moves"][0]) == {"seat", "action", "legal"}
    assert set(record["moves"][3]) == {"seat", "action", "covers", "points", "legal"}
    assert set(record["versions"]) == {"gonzaga_env", "actions", "observations"}
    totals = [sum(score) for score in zip(*list(record["scores"].values())[:-1], strict=True)]
    assert record["scores"]["total"] == totals
    assert record["winners"] == [s for s, total in enumerate(totals) if total == max(totals)]
    assert len(json.dumps(record)) < 12_000


@pytest.mark.parametrize("num_players", [2, 3, 4])
@pytest.mark.parametrize("rules", [Rules(), Rules("first_only", 1)])
def test_records_are_written_read_and_replayed(
    tmp_path: Path, num_players: int, rules: Rules
) -> None:
    records = record_games(Engine(3, num_players, rules=rules, seed=5), 6)
    assert {record["episode"] for record in records} == {0, 1}
    write_records(tmp_path / "games.jsonl", records)
    assert list(read_records(tmp_path / "games.jsonl")) == records
    assert [path.name for path in tmp_path.iterdir()] == ["games.jsonl"]
    for record in records:
        engine = replay(record)
        assert engine.state.totals[0].tolist() == record["scores"]["total"]


def set_(*path: object, to: object) -> object:
    def change(record: Record) -> None:
        at = record
        for key in path[:-1]:
            at = at[key]
        at[path[-1]] = to

    return change


def test_a_recorder_starts_with_the_deal() -> None:
    with pytest.raises(RecordError, match="begun"):
        Recorder(played(Engine(1, 2), 1), ["a", "b"])
    with pytest.raises(RecordError, match="names"):
        Recorder(Engine(1, 2), ["a", "b", "c"])


def test_a_recorder_follows_subsets_of_games() -> None:
    engine, rng = Engine(4, 2, seed=3, autoreset=False), np.random.default_rng(5)
    recorder = Recorder(engine, ["a", "b"])
    while not engine.state.finished.all():
        rows = np.flatnonzero(~engine.state.finished & (rng.random(4) < 0.7))
        recorder.step(engine.sample_legal(rng, rows), rows)
    records = recorder.pop()
    assert sorted(record["seed"] for record in records) == [3, 4, 5, 6]
    for record in records:
        replay(record)


def test_positions_verify_as_they_go() -> None:
    (record,) = record_games(Engine(1, 2, seed=7, autoreset=False), 1)
    record["moves"][5]["legal"] += 1
    states = positions(record)
    assert [next(states).num_games for _ in range(6)] == [1] * 6
    with pytest.raises(RecordError, match="move 6, legal"):
        next(states)
