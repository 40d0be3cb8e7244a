"""The ladder: the agents' ratings, and those of people who play rated games against them."""
