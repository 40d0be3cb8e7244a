"""Records of games of any kind: one JSON object per line, one line per game."""

from gonzaga_env.tabletop.records.files import (
    MAX_LINE,
    Entry,
    Record,
    read_entries,
    read_record,
    read_records,
    write_records,
)

__all__ = [
    "MAX_LINE",
    "Entry",
    "Record",
    "read_entries",
    "read_record",
    "read_records",
    "write_records",
]
