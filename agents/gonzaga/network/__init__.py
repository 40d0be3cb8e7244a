"""The network of Gonzaga: what it reads of a position, and its layers."""

from .reader import InputReader

__all__ = ["InputReader"]
