"""Charts of a game: scores and values by move."""
