"""Opponents for tests of the environments with one learner."""

import numpy as np

from gonzaga_env.core import Engine

Given = tuple[np.ndarray, np.ndarray]


def random_legal(masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Returns a random legal action of each row; 0 for rows without one."""
    return (masks * rng.random(masks.shape)).argmax(axis=1)


def canny(observations: np.ndarray, masks: np.ndarray, rng: object) -> np.ndarray:
    """Returns a legal action for each row, which depends on this row only and not on chance."""
    choices = observations.astype(np.int64) @ np.arange(observations.shape[1])
    legal = (np.flatnonzero(mask) for mask in masks)
    return np.array([of[n % len(of)] for of, n in zip(legal, choices, strict=True)])


def canny_action(engine: Engine) -> int:
    """Returns the action of `canny` in the only game of an engine."""
    return int(canny(engine.observe(), engine.legal_action_mask(), None)[0])


class Witness:
    """Plays like `canny` and keeps its inputs."""

    def __init__(self) -> None:
        self.given: list[Given] = []

    def act(self, observations: np.ndarray, masks: np.ndarray, rng: object) -> np.ndarray:
        self.given.append((observations.copy(), masks.copy()))
        return canny(observations, masks, rng)
