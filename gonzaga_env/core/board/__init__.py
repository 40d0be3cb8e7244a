"""What follows from an edition alone: actions, placements and the tables the rules look up."""
