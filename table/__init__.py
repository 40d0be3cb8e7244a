"""Games that people play: the table, in a terminal and in a browser."""
