"""Analysis of recorded games, and puzzles that were cut from games."""
