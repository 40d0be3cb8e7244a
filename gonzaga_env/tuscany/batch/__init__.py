"""Many games at once on numpy arrays."""
