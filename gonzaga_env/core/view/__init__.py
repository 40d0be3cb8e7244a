"""What is on the table, as one seat or a spectator may see it, in plain values."""
