"""Pictures of The Castles of Tuscany."""
