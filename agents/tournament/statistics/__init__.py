"""What follows from places and win shares: strengths, ratings, pairs and sequential tests."""
