"""Agents that need no training."""
