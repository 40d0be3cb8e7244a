"""The name by which verifiers finds the games, which has to be a module of its own."""

from gonzaga_agents.adapters.verifiers import GameEnv, GameHarness, GameTaskset

__all__ = ["GameEnv", "GameHarness", "GameTaskset"]
