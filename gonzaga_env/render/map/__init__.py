"""The printed map of an edition, and its legend."""
