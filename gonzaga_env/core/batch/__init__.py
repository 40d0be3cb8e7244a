"""The engine for N games on numpy arrays."""
