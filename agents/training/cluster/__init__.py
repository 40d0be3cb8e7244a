"""Training on a Ray cluster: collectors and learners as actors, which are replaced when lost."""
