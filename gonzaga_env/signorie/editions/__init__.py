"""Editions: printed values as data."""
