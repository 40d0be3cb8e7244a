"""Policies that ship with this package, as weights that numpy plays."""
