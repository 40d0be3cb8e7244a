"""Drawings of boards and games."""
