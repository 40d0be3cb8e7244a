"""The rules on numpy arrays: legality, transitions, scoring, rewards, reasons and resampling."""

from gonzaga_env.core.options import Rules

__all__ = ["Rules"]
