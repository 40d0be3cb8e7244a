"""Learning the game: puzzles, and a first game with a lesson a round."""
