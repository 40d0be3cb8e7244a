"""Bots in other processes (docs/bots.md specifies their protocol), and games for models.

`cmd:./bot --flag` names a bot wherever an agent is named.
"""
