"""Agents that know The Castles of Tuscany."""
