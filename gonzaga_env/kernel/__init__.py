"""The kernel that all games share. Its names here are also in the namespace of every game."""

from gonzaga_env.kernel.errors import (
    ActionError,
    EditionError,
    GameError,
    IllegalActionError,
    MissingPackageError,
    OptionError,
    RecordError,
    StateError,
)
from gonzaga_env.kernel.records import (
    Entry,
    Record,
    read_entries,
    read_record,
    read_records,
    write_records,
)
from gonzaga_env.kernel.result import StepResult
from gonzaga_env.kernel.spaces import FeatureTable

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
