"""Records of games: one JSON object per line, one line per game (format: `docs/records.md`)."""

from gonzaga_env.core.records.recorder import RECORD_FORMAT, Recorder, record_game
from gonzaga_env.core.records.replaying import engine_from_record, positions, replay
from gonzaga_env.core.records.verifying import verify
from gonzaga_env.tabletop.records import (
    Entry,
    Record,
    read_entries,
    read_record,
    read_records,
    write_records,
)

__all__ = [
    "RECORD_FORMAT",
    "Entry",
    "Record",
    "Recorder",
    "engine_from_record",
    "positions",
    "read_entries",
    "read_record",
    "read_records",
    "record_game",
    "replay",
    "verify",
    "write_records",
]
