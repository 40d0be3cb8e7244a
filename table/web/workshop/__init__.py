"""Slow or hostile work in a process of its own: reading strangers' maps and records."""
