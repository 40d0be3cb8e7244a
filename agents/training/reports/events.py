"""TensorBoard's file of figures, written at once: its own writer's errors are lost in a thread."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from stable_baselines3.common.logger import KVWriter
from tensorboard.compat.proto.event_pb2 import Event
from tensorboard.compat.proto.summary_pb2 import Summary
from tensorboard.summary.writer.record_writer import RecordWriter


class EventWriter(KVWriter):
    """Writes numbers for TensorBoard, as an output of stable-baselines3's `Logger`."""

    def __init__(self, folder: Path) -> None:
        """Begins a file.

        Args:
            folder: where TensorBoard will look; it is made.

        Raises:
            OSError: it cannot be written; the error names the file.
        """
        folder.mkdir(parents=True, exist_ok=True)
        name = f"events.out.tfevents.{time.time_ns()}.{socket.gethostname()}.{os.getpid()}"
        self._path = folder / name
        self._file = self._path.open("xb")
        self._add(file_version="brain.Event:2")

    def write(
        self, key_values: dict[str, Any], key_excluded: Mapping[str, Any], step: int = 0
    ) -> None:
        """Writes numbers by name.

        Args:
            key_values: the numbers.
            key_excluded: not looked at.
            step: what they are drawn over.

        Raises:
            OSError: they cannot be written; the error names the file.
        """
        values = [
            Summary.Value(tag=name, simple_value=float(value))
            for name, value in sorted(key_values.items())
        ]
        self._add(step=step, summary=Summary(value=values))

    def _add(self, **fields: Any) -> None:
        event = Event(wall_time=time.time(), **fields)
        try:
            RecordWriter(self._file).write(event.SerializeToString())
            self._file.flush()
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(self._path)) from None

    def close(self) -> None:
        """Ends the file; what could not be written is lost."""
        with suppress(OSError):  # the one that a write has raised
            self._file.close()
