"""The pages of rules: a text for each game, with pictures of positions that were played."""
