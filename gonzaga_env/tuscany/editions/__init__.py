"""The printed values of boards, cards and tiles."""
