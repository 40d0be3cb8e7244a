"""The table and the editor of editions in a browser."""
