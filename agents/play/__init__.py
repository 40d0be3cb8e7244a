"""Matches, tournaments and tasks: games between agents, and what they say about them."""
