"""The figures for TensorBoard: what was written is read, and a full disk is told at once."""

import threading
from pathlib import Path

import numpy as np
import pytest
from gonzaga_agents.training.progress import EventWriter
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator


def test_tensorboard_reads_what_was_logged(tmp_path: Path) -> None:
    threads = threading.active_count()
    for first in (0, 20):  # a resumed run has two files
        writer = EventWriter(tmp_path / "log")
        for turns in (first, first + 10):
            writer.write({"games/score": np.float32(turns / 4), "updates": turns}, turns)
        assert threading.active_count() == threads
        writer.close()
    found = EventAccumulator(str(tmp_path / "log"))
    found.Reload()
    assert found.Tags()["scalars"] == ["games/score", "updates"]
    points = [(event.step, event.value) for event in found.Scalars("games/score")]
    assert points == [(0, 0.0), (10, 2.5), (20, 5.0), (30, 7.5)]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="it is a device of Linux")
def test_a_full_disk_is_told_at_once_with_the_name_of_the_file(tmp_path: Path) -> None:
    writer = EventWriter(tmp_path)
    (file,) = tmp_path.iterdir()
    writer._file.close()
    writer._file = Path("/dev/full").open("wb")  # noqa: SIM115
    with pytest.raises(OSError, match=rf"No space left on device: '{file}'"):
        writer.write({"games/score": 1.0}, 1)
    writer.close()
