"""What all games share. The names here are also in the namespace of every game."""

from gonzaga_env.tabletop.errors import (
    ActionError,
    EditionError,
    GameError,
    IllegalActionError,
    MissingPackageError,
    OptionError,
    RecordError,
    StateError,
)
from gonzaga_env.tabletop.features import FeatureTable
from gonzaga_env.tabletop.records import (
    Entry,
    Record,
    read_entries,
    read_record,
    read_records,
    write_records,
)
from gonzaga_env.tabletop.result import StepResult

__all__ = [
    "ActionError",
    "EditionError",
    "Entry",
    "FeatureTable",
    "GameError",
    "IllegalActionError",
    "MissingPackageError",
    "OptionError",
    "Record",
    "RecordError",
    "StateError",
    "StepResult",
    "read_entries",
    "read_record",
    "read_records",
    "write_records",
]
