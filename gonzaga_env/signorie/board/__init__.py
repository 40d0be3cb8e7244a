"""The action space."""
