"""The full truth of N games, and deals (R2)."""
