"""The rules of Gonzaga on numpy arrays: no environment API, no drawing, no global randomness."""

from gonzaga_env.core.engine import Engine, StepResult

__all__ = ["Engine", "StepResult"]
