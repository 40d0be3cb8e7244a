"""Records of games of any kind: one JSON object per line, one line per game."""

from gonzaga_env.kernel.records.files import (
    MAX_LINE,
    Entry,
    Record,
    read_entries,
    read_record,
    read_records,
    write_records,
)
from gonzaga_env.kernel.records.recording import GameRecorder, GameRecords, Recorder
from gonzaga_env.kernel.records.replaying import (
    WRONG,
    Decisions,
    Fault,
    Replayed,
    brief,
    compare,
    pack_masks,
    replay_games,
    replay_moves,
    same,
    unpack_masks,
)

__all__ = [
    "MAX_LINE",
    "WRONG",
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
    "replay_games",
    "replay_moves",
    "same",
    "unpack_masks",
    "write_records",
]
