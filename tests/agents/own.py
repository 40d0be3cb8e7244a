"""Agents of one's own: as objects, and as the text of a file that a spec names."""

from pathlib import Path
from typing import Any

import numpy as np

TEXT = Path(__file__).read_text("utf-8")


class First:
    """Plays the first legal action; it has no name."""

    def __init__(self, config: object = None) -> None: ...

    def act(self, observations: Any, masks: np.ndarray, rng: Any) -> np.ndarray:
        return masks.argmax(axis=1)


class Last(First):
    """Plays the last legal action; when placing in Gonzaga, that is the donation."""

    def act(self, observations: Any, masks: np.ndarray, rng: Any) -> np.ndarray:
        return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)
