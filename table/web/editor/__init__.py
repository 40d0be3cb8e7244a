"""The editor of editions: what its page in the browser asks for.

The server keeps nothing. The page holds the edition as a JSON model (`model`) and sends all of it
with every request; it gets back the validator's faults, the project's own picture of the map, or
the folder's files.
"""
