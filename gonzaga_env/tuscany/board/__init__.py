"""Hexes, layouts, regions and actions."""
