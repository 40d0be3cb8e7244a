"""The work that may be slow or hostile, in a process of its own: strangers' maps and records."""
