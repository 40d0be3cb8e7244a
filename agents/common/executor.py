"""Deprecated: the executors' earlier place; they are in `gonzaga_agents.units`."""

from .moved import names_of

__getattr__ = names_of("gonzaga_agents.units", __name__)
