"""Many games on numpy arrays."""
