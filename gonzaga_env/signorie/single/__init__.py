"""One game in plain Python."""
