"""Agents that know Signorie."""
