"""A plain network that scores all actions: for any game, and with no knowledge of one."""
