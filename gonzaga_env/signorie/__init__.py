"""Signorie: rules, state and views, and the same for many games and for one."""
