"""Agents, training and evaluation, built on the engine; installed as `gonzaga_agents`."""
