"""Games in which a learner plays one seat and opponents the others: one game, few, or many."""

from gonzaga_env.envs.learner.games import ResetNeededError

__all__ = ["ResetNeededError"]
