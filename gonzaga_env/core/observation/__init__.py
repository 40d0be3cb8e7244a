"""What seats may know: layout, reading, cache, and states from observations."""
