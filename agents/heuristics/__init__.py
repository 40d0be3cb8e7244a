"""Heuristics of each game: `greedy` and `planner`."""
