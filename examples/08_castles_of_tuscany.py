"""The Castles of Tuscany.

The second game of this project runs on the same kernel: the same environments, agents by name,
pictures and records.
"""

# %%
from collections import Counter
from pathlib import Path

import numpy as np
from gonzaga_agents import evaluate, make_agent

import gonzaga_env
from gonzaga_env import castles_of_tuscany_v0
from gonzaga_env.tuscany import Game, GameConfig

DEALS = 40  # of the match at the end
OUT = Path("runs/tuscany")  # the folder for pictures
OUT.mkdir(parents=True, exist_ok=True)
rng = np.random.default_rng(0)

# %% [markdown]
# ## PettingZoo
#
# Three random agents play a game. A turn is several decisions of one agent, so agents do not act
# equally often.

# %%
env = castles_of_tuscany_v0.env(num_players=3)
env.reset(seed=1)
decisions: Counter[str] = Counter()
for agent in env.agent_iter():
    observation, reward, termination, truncation, info = env.last()
    if termination or truncation:
        env.step(None)
        continue
    decisions[agent] += 1
    env.step(int(rng.choice(np.flatnonzero(observation["action_mask"]))))
print(dict(decisions))

# %% [markdown]
# ## A position
#
# Two agents named `planner` play against each other for 85 decisions. The picture shows what seat 0
# knows: the other hand is hidden. The edition is a reconstruction, as its title says.

# %%
config = GameConfig(num_players=2)
game, planner = Game.from_config(config, seed=5), make_agent("planner", config)
for _ in range(85):
    mask = game.mask().astype(bool)
    game.play(int(planner.act(game.observation()[None], mask[None], rng)[0]))
gonzaga_env.draw(game, OUT / "position.svg", viewer=0)

# %% [markdown]
# What seat 0 may do now, in words, and what the planner considers:

# %%
for action in np.flatnonzero(game.mask()):
    print(f"{game.actions.to_text(action):<16} {game.describe(action)}")
considered = planner.consider(game.observation(), game.mask().astype(bool), rng)
for action, value in zip(considered.actions[:3], considered.values[:3], strict=True):
    print(f"{value:6.2f}  {game.describe(action)}")

# %% [markdown]
# ## A match
#
# Each deal is played once from every seat. The same works at the command line:
# `python evaluate.py --game tuscany planner greedy --deals 40`.

# %%
summary = evaluate(["planner", "greedy"], deals=DEALS, seed=0, game="tuscany")
for agent in summary.agents:
    share, score = agent.win_share, agent.score
    interval = f"{share.low:.0%} to {share.high:.0%}"
    print(f"{agent.name:8} wins {share.mean:.0%} ({interval}), {score.mean:.1f} red points")
