"""Enters the environments in the registries of those libraries that have one."""

from __future__ import annotations

import pettingzoo

AEC_ID = "gonzaga/gonzaga-v0"


def register_all() -> None:
    """Makes `pettingzoo.make("aec", "gonzaga/gonzaga-v0")` work, from PettingZoo 1.27 on."""
    if AEC_ID not in getattr(pettingzoo, "aec_registry", {AEC_ID}):
        pettingzoo.register("aec", AEC_ID, entry_point="gonzaga_env.envs.gonzaga_v0:env")
