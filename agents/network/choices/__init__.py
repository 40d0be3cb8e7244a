"""A network that scores the best choices of a game's planner: a game adds what they look like."""
