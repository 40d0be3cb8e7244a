"""An agent for Gonzaga in one file; docs/tutorials/agent.md walks through it."""

import numpy as np
from gonzaga_agents import Considered


class Collector:
    """Covers the most valuable sites; plans are random."""

    name = "collector"

    def __init__(self, config):
        """Stores what never changes during a game."""
        self.tables, self.features = config.tables, config.features

    def act(self, observations, masks, rng):
        """Returns a legal action for each row, [M]."""
        actions = np.empty(len(masks), dtype=np.int64)
        for i, (observation, mask) in enumerate(zip(observations, masks, strict=True)):
            scores = self.points(observation, mask) + rng.random(len(mask))  # breaks ties
            actions[i] = np.where(mask, scores, -1).argmax()
        return actions

    def points(self, observation, mask):
        """Returns the points of the sites that each action covers, [A]; 0 if it covers none."""
        points, first = np.zeros(len(mask)), self.tables.actions.fief.start
        legal = np.flatnonzero(mask)
        if legal[0] >= first:  # a place is asked for: no legal action is a plan
            fief = self.features.view(observation, "fief")[0].argmax()
            rows = self.tables.placements.row(fief, legal - first)
            hexes = self.tables.placements.cells[rows]  # [L, 4]; H stands for "no hex"
            value = np.append(self.features.view(observation, "value"), 0)  # [H + 1]
            points[legal] = value[hexes].sum(axis=1)
        return points

    def consider(self, observation, mask, rng):
        """Returns the legal actions, best first (for `analyse` and hints)."""
        return Considered.ranked(mask, self.points(observation, mask), "points of the sites")
