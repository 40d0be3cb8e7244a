"""How long a run is, and how large."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

PresetName = Literal["quick", "standard", "long", "gpu"]


@dataclass(frozen=True)
class Preset:
    """Defaults of a run.

    Attributes:
        timesteps: the learner's turns in all.
        imitate: the first of them, in which it imitates search.
        num_games: games at once.
        minibatch: turns that one step of the optimizer learns from.
        width: of the network.
        checkpoint_every: turns between checkpoints.
        eval_deals: deals against each opponent at a checkpoint.
    """

    timesteps: int
    imitate: int
    num_games: int
    minibatch: int
    width: int
    checkpoint_every: int
    eval_deals: int


PRESETS: dict[PresetName, Preset] = {
    "quick": Preset(400_000, 0, 128, 1024, 64, 100_000, 25),
    "standard": Preset(6_000_000, 100_000, 256, 2048, 64, 500_000, 50),
    "long": Preset(60_000_000, 300_000, 256, 2048, 64, 2_000_000, 100),
    "gpu": Preset(60_000_000, 100_000, 2048, 16_384, 128, 2_000_000, 100),
}
