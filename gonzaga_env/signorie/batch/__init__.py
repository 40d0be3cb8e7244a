"""N games on arrays."""
