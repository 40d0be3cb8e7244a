"""Small editions solved: optimal strategies, and how exploitable agents are."""
