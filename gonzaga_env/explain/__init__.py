"""Pictures and words for understanding agents: what they consider, what positions are worth."""
