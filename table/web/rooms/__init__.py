"""Tables on the server: their players and views, agents' moves, and the file that stores them."""
