"""The variants of search that `search.py` plays."""
