"""Makes new maps: the same edition for the same style and seed, everywhere."""
