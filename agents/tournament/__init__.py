"""Tournaments: schedules, results that survive interruptions, ratings and sequential tests."""
