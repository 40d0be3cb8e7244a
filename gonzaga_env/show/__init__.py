"""Records to watch: step by step in the terminal, as a page, a film or pictures; and verified."""
