"""What seats and viewers see."""
