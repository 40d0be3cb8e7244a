"""Names in the folder of a training run."""

from __future__ import annotations

from pathlib import Path

CHECKPOINT = "checkpoint.zip"
"""The latest checkpoint."""
POLICY = "policy"
"""The folder of the policy as numpy plays it."""
NUMBERED = "checkpoints"
"""The folder of the numbered checkpoints, within that of the run."""
EVENTS = "tensorboard"
"""The folder of TensorBoard's logs."""
SAMPLES = "games"
"""The folder of the sample games."""


def numbered_checkpoint(folder: Path, turns: int) -> Path:
    """Returns where the checkpoint after some turns of the learner lies."""
    return folder / NUMBERED / f"{turns:010d}.zip"


def numbered_checkpoints(folder: Path) -> list[Path]:
    """Returns the numbered checkpoints of a run, the oldest first."""
    found = [path for path in (folder / NUMBERED).glob("*.zip") if path.stem.isdecimal()]
    return sorted(found, key=lambda path: int(path.stem))
