"""Training in self-play and from search."""
