"""Your own agent.

You write an agent with one method, measure it against others, play it by name, and inspect what it
considers before a move.
"""

# %%
from pathlib import Path

import gymnasium
import numpy as np
from gonzaga_agents import AgentError, Considered, evaluate

from gonzaga_env import draw_choices
from gonzaga_env.core import Engine, read_records

DEALS = 100  # of each match; every deal is played from all seats
OUT = Path("runs/own_agent")  # the folder for records
OUT.mkdir(parents=True, exist_ok=True)

# %% [markdown]
# ## Write it
#
# An agent is an object with one method:
#
#     act(observations [M, D] uint8, masks [M, A] bool, rng) -> actions [M]
#
# It gets the observations and legal actions of M seats, and returns an action for each. The rows
# may come from different games and seats, in any phase. `rng` is the only source of randomness, so
# that a seed repeats a match. A class is called with the `GameConfig` of the game.
#
# This agent plans at random and then covers the most valuable sites. The optional method `consider`
# returns its choices with their values, best first.


# %%
class Collector:
    """Covers the most valuable sites; plans are random."""

    name = "collector"

    def __init__(self, config):
        """Stores what never changes during a game."""
        self.tables = config.tables
        self.features = config.features

    def points(self, observation, mask):
        """Returns the points of the sites that each action covers, [A]; 0 if it covers none."""
        points = np.zeros(len(mask))
        num_plans = self.tables.actions.fief.start
        legal = np.flatnonzero(mask)
        if legal[0] >= num_plans:  # the placing phase: no legal action is a plan
            fief = self.features.view(observation, "fief")[0].argmax()
            rows = self.tables.placements.row(fief, legal - num_plans)
            hexes = self.tables.placements.cells[rows]  # [L, 4]; H means "no hex"
            value = np.append(self.features.view(observation, "value"), 0)  # [H + 1]
            points[legal] = value[hexes].sum(axis=1)
        return points

    def act(self, observations, masks, rng):
        """Returns a legal action for each row, [M]."""
        actions = np.empty(len(masks), dtype=np.int64)
        for i, (observation, mask) in enumerate(zip(observations, masks, strict=True)):
            scores = self.points(observation, mask) + rng.random(len(mask))  # breaks ties
            actions[i] = np.where(mask, scores, -1).argmax()
        return actions

    def consider(self, observation, mask, rng):
        """Returns the legal actions, best first."""
        return Considered.ranked(mask, self.points(observation, mask), "points of the sites")


# %% [markdown]
# Try it on one position first, here in the fourth round, after the plans:

# %%
engine, rng = Engine(num_games=1, num_players=2, seed=5), np.random.default_rng(0)
agent = Collector(engine.config)
for _ in range(14):
    engine.step(agent.act(engine.observe(), engine.legal_action_mask(), rng))
found = agent.consider(engine.observe()[0], engine.legal_action_mask()[0], rng)
for action, value in list(zip(found.actions, found.values, strict=True))[:5]:
    print(f"{value:g}  {engine.describe(action)}")

# %% [markdown]
# ## Measure it
#
# `evaluate` takes the class. Every deal is played from both seats.


# %%
def show(summary):
    """Prints win shares and scores with their 95 % intervals."""
    for agent in summary.agents:
        share, score = agent.win_share, agent.score
        print(
            f"{agent.name:10} wins {share.mean:4.0%} ({share.low:.0%} to {share.high:.0%}), "
            f"{score.mean:5.1f} points (± {score.high - score.mean:.1f})"
        )


show(evaluate([Collector, "random"], deals=DEALS, seed=0))
summary = evaluate([Collector, "greedy"], deals=DEALS, seed=0, records=OUT / "games.jsonl")
show(summary)

# %% [markdown]
# It is far ahead of random play and far behind `greedy`, which chooses plans by their placements
# and also counts leagues and its objective.

# %% [markdown]
# ## Play it by name
#
# Wherever a name such as `greedy` is allowed, you can write `module:Class` for your own agent. This
# notebook is the module `__main__`. In a file `mine.py` the name is `mine.py:Collector`, and every
# command accepts it:
#
#     python evaluate.py mine.py:Collector greedy --players 3
#     python train.py --opponents past,mine.py:Collector

# %%
COLLECTOR = "__main__:Collector"
env = gymnasium.make("gonzaga/Gonzaga-v0", num_players=2, opponents=COLLECTOR)
observation, info = env.reset(seed=0)
terminated = False
while not terminated:
    action = rng.choice(np.flatnonzero(info["action_mask"]))
    observation, reward, terminated, truncated, info = env.step(action)
print(f"random play scores {info['score']} against {COLLECTOR} and gets {reward:+g}")

# %% [markdown]
# ## Ask it about a move
#
# The match above was recorded. `draw_choices` draws what an agent considers before a move of a
# record, and `gonzaga analyse FILE --game 1 --move 7 --agent greedy` prints it:

# %%
record = next(read_records(OUT / "games.jsonl"))
draw_choices(record, "greedy", move=7)

# %% [markdown]
# ## Mistakes
#
# An agent that breaks the contract ends the match with an error that explains the mistake:


# %%
class Donor(Collector):
    """Donates, even in the planning phase."""

    name = "donor"

    def act(self, observations, masks, rng):
        """Returns the donation for every row, [M]."""
        return np.full(len(masks), masks.shape[1] - 1)


try:
    evaluate([Donor, "random"], deals=1)
except AgentError as error:
    print(error)

# %% [markdown]
# Ideas: count cities of the own objective (the feature `objective`), or plan for the region in
# which the fief would score most. Next: [your own edition](05_your_own_edition.ipynb)
