"""The rules of Gonzaga on numpy arrays: no environment API, no drawing, no global randomness."""

from gonzaga_env.core.engine import Engine, StepResult
from gonzaga_env.core.single_engine import SingleEngine

__all__ = ["Engine", "SingleEngine", "StepResult"]
