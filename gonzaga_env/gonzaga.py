"""Gonzaga under its own name: `gonzaga_env.core`, with the names that every game has."""

from gonzaga_env import core
from gonzaga_env.core import *  # noqa: F403  the names that `core` lists

__all__ = core.__all__
