"""Self-play training with masked PPO."""
