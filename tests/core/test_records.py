"""What a record of Gonzaga holds; tests of all games' records are in tests/kernel/records."""

import json

import numpy as np
import pytest

from gonzaga_env.core import Engine
from gonzaga_env.core.spec import Recorder
from gonzaga_env.kernel.records import Record


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
