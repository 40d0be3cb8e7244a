"""The full state of games, and how chance is drawn."""
