"""What an agent considers before a move, in words and pictures."""
