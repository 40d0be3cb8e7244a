"""Determinized search on the engine."""
