"""Learn from games that others played.

You write games of `planner` as a data set, clone its behaviour with a network, without playing a
single move, and measure the clone against random and greedy.
"""

# %%
import time
from itertools import chain, count
from pathlib import Path

import numpy as np
import torch
from gonzaga_agents import evaluate
from gonzaga_agents.data import load, write_games
from torch import nn

from gonzaga_env.core import GameConfig

GAMES = 3_000  # twenty seconds on one core; 12,000 and more give a stronger clone
SECONDS = 45  # of learning, on one core; take ten minutes
DEALS = 25  # of each evaluation, played from all four seats
OUT = Path("runs/offline")  # the folder for the games
WIDTH, MINIBATCH, LEARNING_RATE = 128, 256, 1e-3

# %% [markdown]
# ## The games
#
# On the command line this is
#
#     gonzaga data write planner --players 4 --games 3000 --out runs/offline
#
# A data set is a folder of records, a JSON line a game, which `gonzaga stats`, `show` and `replay`
# read too. The same call continues where it was interrupted.

# %%
config = GameConfig(num_players=4)
write_games(config, ["planner"], OUT, GAMES, seed=2**64 + 1)
size = sum(file.stat().st_size for file in OUT.iterdir())
print(f"{GAMES:,} games of planner, {size / 1e6:.0f} MB")

# %% [markdown]
# ## What a batch holds
#
# `load` plays the games again and gives batches of arrays by column. `seed` mixes the games.

# %%
columns = ["observation", "action_mask", "action"]
for name, values in next(load(OUT, columns=columns, batch_size=MINIBATCH)).items():
    print(f"{name:12} {values.shape} {values.dtype}")

# %% [markdown]
# ## The clone
#
# Two hidden layers and a logit for each action, as in [training](03_training.ipynb). The loss is
# the cross-entropy of the action that planner chose, among the legal ones.

# %%
torch.manual_seed(0)
torch.set_num_threads(1)
scales = torch.from_numpy(config.features.scales)
network = nn.Sequential(
    nn.Linear(config.features.size, WIDTH),
    nn.ReLU(),
    nn.Linear(WIDTH, WIDTH),
    nn.ReLU(),
    nn.Linear(WIDTH, config.actions.size),
)
optimizer = torch.optim.Adam(network.parameters(), lr=LEARNING_RATE)


def find_logits(observations, masks):
    """Returns logits [M, A]; those of illegal actions are so low that they are never played."""
    return network(observations / scales).masked_fill(~masks, -1e8)


def learn(batch):
    """Takes one step of the optimizer; returns the loss, and how often planner is guessed."""
    logits = find_logits(batch["observation"], batch["action_mask"])
    loss = nn.functional.cross_entropy(logits, batch["action"])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item(), (logits.argmax(dim=1) == batch["action"]).float().mean().item()


# %% [markdown]
# Every batch is guessed before it is learned from, so the share of right guesses is a fair measure
# in the first epoch.

# %%
began, seen, figures = time.monotonic(), 0, []
epochs = (load(OUT, columns=columns, batch_size=MINIBATCH, seed=epoch) for epoch in count())
for batch in chain.from_iterable(epochs):
    done = (time.monotonic() - began) / SECONDS
    optimizer.param_groups[0]["lr"] = LEARNING_RATE * max(1 - done, 0.01)
    figures.append(learn({name: torch.from_numpy(values) for name, values in batch.items()}))
    seen += len(batch["action"])
    if len(figures) % 200 == 0:
        loss, guessed = np.mean(figures[-200:], axis=0)
        print(f"{seen:10,} decisions: loss {loss:.2f}, {guessed:.0%} guessed")
    if done >= 1:
        break
print(f"{seen:,} decisions")

# %% [markdown]
# ## How strong is it?
#
# One clone against three of each, every deal from all four seats. A fair share is 25 %.


# %%
class Clone:
    """Plays the action that planner would most probably choose."""

    name = "clone"

    def act(self, observations, masks, rng):
        """Returns an action for each row, [M]."""
        with torch.no_grad():
            logits = find_logits(torch.from_numpy(observations), torch.from_numpy(masks))
        return logits.argmax(dim=1).numpy()


for opponent in ("random", "greedy"):
    summary = evaluate([Clone(), opponent], players=4, deals=DEALS, seed=1)
    own, other = (agent.score for agent in summary.agents)
    share = summary.agents[0].win_share
    print(
        f"against three {opponent}: wins {share.mean:.1%} ({share.low:.1%} to {share.high:.1%}), "
        f"{own.mean:.0f} points to {other.mean:.0f}"
    )

# %% [markdown]
# A minute of learning beats random agents only. After ten minutes with 12,000 games, a clone won
# 20 % of its games against three greedy and 8 % against three planner (version 1.0.0). It can
# hardly get better than planner: it learns what planner does, not what wins. The columns `return`
# and `won` are there for methods that learn the latter, such as to weigh decisions by their
# advantage. For a test set, split by `seed`.
