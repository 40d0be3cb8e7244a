"""Tests of agents, matches and training."""
