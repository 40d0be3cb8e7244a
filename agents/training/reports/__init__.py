"""What is said of a training run: progress, strength by turns and hours, the final evaluation."""
