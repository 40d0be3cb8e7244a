"""A network that sees a game's places and what choices do there; it knows nothing of good play."""
