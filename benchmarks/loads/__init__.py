"""What `load.py` runs: the server, honest clients, and attackers."""
