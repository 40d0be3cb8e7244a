"""The rules on numpy arrays: legality, transitions, scoring and rewards."""

from gonzaga_env.core.options import Rules

__all__ = ["Rules"]
