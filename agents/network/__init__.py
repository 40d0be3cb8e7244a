"""The policy network, the agent that plays it, and checkpoints."""
