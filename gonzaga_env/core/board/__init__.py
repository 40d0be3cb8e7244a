"""Tables that follow from an edition alone: actions, placements and their values."""
