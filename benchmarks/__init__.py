"""Measures speed and balance; each command is a script, and says how in its first lines."""
