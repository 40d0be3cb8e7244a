"""Agents that know Gonzaga: its heuristics, its planner, what networks and values read of it."""
