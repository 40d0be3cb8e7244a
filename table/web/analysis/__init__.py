"""Finished games: permanent addresses, analysis in the background, and playing on."""
