"""Records of games: one JSON object per line, one line per game (format: `docs/records.md`)."""

from gonzaga_env.core.records.files import (
    Entry,
    read_entries,
    read_record,
    read_records,
    write_records,
)
from gonzaga_env.core.records.recorder import RECORD_FORMAT, Record, Recorder
from gonzaga_env.core.records.replaying import engine_from_record, positions, replay
from gonzaga_env.core.records.verifying import verify

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
    "replay",
    "verify",
    "write_records",
]
