"""The version, in one place."""

__version__ = "0.20.0"
