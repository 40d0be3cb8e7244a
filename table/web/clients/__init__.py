"""Clients: what each may use, how they connect, and what is said of those refused."""
