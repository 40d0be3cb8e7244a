"""Records of games of any kind: one JSON object per line, one line per game."""

from gonzaga_env.tabletop.records.batches import (
    Decisions,
    pack_masks,
    replay_games,
    unpack_masks,
)
from gonzaga_env.tabletop.records.files import (
    MAX_LINE,
    Entry,
    Record,
    read_entries,
    read_record,
    read_records,
    write_records,
)
from gonzaga_env.tabletop.records.games import GameRecorder, GameRecords
from gonzaga_env.tabletop.records.recorder import Recorder
from gonzaga_env.tabletop.records.replaying import (
    WRONG,
    Fault,
    Replayed,
    brief,
    compare,
    find_fault,
    record_positions,
    replay_moves,
    replay_record,
    same,
    verify_each,
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
    "find_fault",
    "pack_masks",
    "read_entries",
    "read_record",
    "read_records",
    "record_positions",
    "replay_games",
    "replay_moves",
    "replay_record",
    "same",
    "unpack_masks",
    "verify_each",
    "write_records",
]
