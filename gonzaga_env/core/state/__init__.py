"""The full state of N games, and deals (R2)."""
