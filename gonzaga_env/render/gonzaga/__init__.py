"""A game on its map, with the panels of the players beside it."""
