"""Agents that fail, wait or count; each test has its own copy of the file, and so of the module."""

import threading

import numpy as np

from gonzaga_env.kernel.agent import Considered

began, goes_on = threading.Event(), threading.Event()
calls = []


class First:
    def __init__(self, config):
        pass

    def act(self, observations, masks, rng):
        return masks.argmax(axis=1)


class Failing(First):
    def act(self, observations, masks, rng):
        raise ValueError("I am lost\nand more")


class Illegal(First):
    def act(self, observations, masks, rng):
        return (~masks).argmax(axis=1)


class Shapeless(First):
    def act(self, observations, masks, rng):
        return np.zeros((2, 2))


class Exiting(First):
    def act(self, observations, masks, rng):
        raise SystemExit("no\nmore")


class Once(First):
    def act(self, observations, masks, rng):
        calls.append("move")
        if len(calls) == 1:
            raise OSError("I was not ready")
        return masks.argmax(axis=1)


class Picky(First):
    def __init__(self, config):
        raise ValueError("not for me")


class Leaving(First):
    def __init__(self, config):
        raise SystemExit("I leave")


class Hog(First):
    def __init__(self, config):
        self.held = bytes(3 << 30)


class Cheat(First):
    def consider(self, observation, mask, rng):
        return None


class Gated(First):
    """Moves when `goes_on` says so."""

    def act(self, observations, masks, rng):
        began.set()
        goes_on.wait(60)
        return masks.argmax(axis=1)


class Counting(First):
    """Counts what it is asked, and gives hints when `goes_on` says so."""

    def act(self, observations, masks, rng):
        calls.append("move")
        return masks.argmax(axis=1)

    def consider(self, observation, mask, rng):
        calls.append("hint")
        began.set()
        goes_on.wait(60)
        return Considered(np.array([mask.argmax()]), np.zeros(1), "points", None)
