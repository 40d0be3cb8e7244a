"""Puzzles: positions of real games in which one choice is the best, and how they are found."""
