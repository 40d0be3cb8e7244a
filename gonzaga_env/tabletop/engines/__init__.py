"""What the engines of all games share: for batches and for one game."""
