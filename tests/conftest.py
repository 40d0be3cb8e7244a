"""Shared fixtures: the shipped edition, and positions after random play."""

from __future__ import annotations

import signal

import numpy as np
import pytest

from gonzaga_env.core import Engine
from gonzaga_env.core.editions.edition import Edition
from gonzaga_env.core.editions.loading import load_edition

# A shell's background jobs ignore Ctrl-C, and so would the commands that tests interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def europe() -> Edition:
    return load_edition("europe")


def played(engine: Engine, num_steps: int, seed: int = 0) -> Engine:
    """Plays random legal actions and returns the same engine."""
    rng = np.random.default_rng(seed)
    for _ in range(num_steps):
        engine.step(engine.sample_legal(rng))
    return engine
