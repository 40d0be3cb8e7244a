"""Games in units, which may be played anywhere: here, in processes, or on a Ray cluster.

A unit is a small description of games, such as a seed and a lineup. Its result depends on it alone,
so it may be played in any order, and what a log holds already is not played again.
"""
