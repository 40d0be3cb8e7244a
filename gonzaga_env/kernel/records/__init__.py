"""Records of games of any kind: one JSON object per line, one line per game."""

from gonzaga_env.kernel.records.decisions import Decisions, pack_masks, replay_games, unpack_masks
from gonzaga_env.kernel.records.files import (
    MAX_LINE,
    Entry,
    Record,
    read_entries,
    read_record,
    read_records,
    record_files,
    write_records,
)
from gonzaga_env.kernel.records.recording import GameRecorder, Recorder, brief, compare
from gonzaga_env.kernel.records.replaying import (
    REPLAY_ERRORS,
    Fault,
    GameRecords,
    Replayed,
    with_few_editions,
)

__all__ = [
    "MAX_LINE",
    "REPLAY_ERRORS",
    "Decisions",
    "Entry",
    "Fault",
    "GameRecorder",
    "GameRecords",
    "Record",
    "Recorder",
    "Replayed",
    "brief",
    "compare",
    "pack_masks",
    "read_entries",
    "read_record",
    "read_records",
    "record_files",
    "replay_games",
    "unpack_masks",
    "with_few_editions",
    "write_records",
]
