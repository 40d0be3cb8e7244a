"""Files of earlier versions stay readable; `old` holds what those versions wrote themselves."""

import json
from pathlib import Path

import pytest

from gonzaga_env.core import (
    Engine,
    GameConfig,
    RecordError,
    State,
    StateError,
    game_from_record,
    read_entries,
    read_records,
    record_game,
    replay,
    verify,
)
from gonzaga_env.core.records import RECORDS

OLD = Path(__file__).parent / "old"
FILES = sorted(OLD.glob("*.jsonl"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_records_of_earlier_versions_are_verified(path: Path) -> None:
    assert [fault for _, fault in verify(read_entries(path))] == [None] * len([*read_entries(path)])
    for record in read_records(path):
        assert record["versions"]["gonzaga_env"] == path.stem
        assert replay(record).state.totals[0].tolist() == record["scores"]["total"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_same_games_are_recorded_byte_for_byte(path: Path) -> None:
    for line in path.read_text().splitlines():
        old = json.loads(line)
        config = game_from_record(old).config
        actions = [config.actions.parse(move["action"]) for move in old["moves"]]
        deal = RECORDS.recorder.read_deal(config, old)
        record = record_game(config, old["seed"], old["agents"], actions, deal)
        assert json.dumps(record | {"versions": old["versions"]}, ensure_ascii=False) == line


def test_bytes_of_earlier_versions_are_read_or_refused() -> None:
    state = State.from_bytes((OLD / "0.6.0.state").read_bytes())
    assert state.to_bytes() == (OLD / "0.6.0.state").read_bytes()
    (record, *_) = read_records(OLD / "0.6.0.jsonl")
    edition = game_from_record(record).edition
    engine = Engine.from_state(GameConfig(2, edition=edition), state)
    assert engine.legal_action_mask().any()
    with pytest.raises(StateError, match="should start with b'gonzaga-state-4"):
        State.from_bytes((OLD / "0.4.0.state").read_bytes())


def test_records_on_the_map_of_earlier_versions_keep_it() -> None:
    (record, *_) = read_records(OLD / "0.6.0.jsonl")
    game, now = game_from_record(record), GameConfig(2).edition
    assert game.edition.digest == record["edition_hash"] != now.digest
    assert game.edition.label == now.label == "europe"
    with pytest.raises(RecordError, match="edition_hash: the record says"):
        game_from_record(record | {"edition_hash": "0" * 64})
    with pytest.raises(RecordError, match="edition_hash: the record says"):
        game_from_record(record, "europe")
