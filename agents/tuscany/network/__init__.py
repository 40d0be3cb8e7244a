"""The network of The Castles of Tuscany: what it sees, and what it makes of it."""
