"""People who play together: who waits for whom."""
