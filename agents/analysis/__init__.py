"""Analysis of recorded games: chances of winning by move, and what each decision was worth."""
