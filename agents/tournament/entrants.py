"""Deprecated: the earlier place of `gonzaga_agents.units.entrants`."""

from ..common.moved import names_of

__getattr__ = names_of("gonzaga_agents.units.entrants", __name__)
