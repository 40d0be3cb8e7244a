"""Tables on the server: who sits there, what they see, who plays, and the file of all."""
