"""Rollouts in five minutes.

You play Gonzaga through its three interfaces: PettingZoo, where you choose for every seat;
Gymnasium, where opponents move inside `step`; and the engine, which plays thousands of games in a
batch. Then you look at a position.
"""

# %%
import time
from pathlib import Path

import gymnasium
import numpy as np

import gonzaga_env
from gonzaga_env import gonzaga_v0

NUM_GAMES = 1024  # games in the engine's batch
OUT = Path("runs/rollouts")  # the folder for pictures
OUT.mkdir(parents=True, exist_ok=True)
rng = np.random.default_rng(0)

# %% [markdown]
# ## PettingZoo: every seat is yours
#
# A round has two phases. First every seat plans in secret: a region, an action card (A covers
# harbors, B cities, C both) and optionally King's Privilege, which costs a ring and moves first.
# Then each seat places its fief, in an order that follows from the plans. Both phases share one
# action space, and `action_mask` is 1 for legal actions. This is the first round of a random game:

# %%
env = gonzaga_v0.env(num_players=3, scenario="Colombo")
env.reset(seed=7)
scores = {}
for step, agent in enumerate(env.agent_iter()):
    observation, reward, terminated, truncated, info = env.last()
    if terminated or truncated:
        scores[agent] = info["score"], reward
        env.step(None)
        continue
    legal = np.flatnonzero(observation["action_mask"])
    action = rng.choice(legal)
    if step < 6:
        print(f"{agent}: {env.unwrapped.game.describe(action)} (of {len(legal)} legal actions)")
    env.step(action)
for agent, (score, reward) in scores.items():
    print(f"{agent}: {score} points, reward {reward:+g}")

# %% [markdown]
# `draw` draws environments, engines, games and records. With a path it also writes a file. The game
# is over, so all objectives are shown.

# %%
gonzaga_env.draw(env, OUT / "game.svg")

# %% [markdown]
# ## Gymnasium: one seat is yours
#
# Opponents are given by name and move inside `step`. Here the learner plays at random against
# `greedy`, which maximises immediate points.

# %%
env = gymnasium.make("gonzaga/Gonzaga-v0", num_players=2, opponents="greedy", reward="margin")
observation, info = env.reset(seed=0)
terminated, total = False, 0.0
while not terminated:
    action = rng.choice(np.flatnonzero(info["action_mask"]))
    observation, reward, terminated, truncated, info = env.step(action)
    total += reward
print(f"{info['score']} points, {-total:g} behind greedy")

# %% [markdown]
# `make_vec` plays N such games in one batch. With "SameStep" a finished game is reset in the same
# step, so `infos` already belong to the next game; those of the finished game are in `final_info`.

# %%
envs = gymnasium.make_vec(
    "gonzaga/Gonzaga-v0",
    num_envs=64,
    num_players=2,
    opponents="greedy",
    autoreset_mode="SameStep",
)
observations, infos = envs.reset(seed=0)
ended = []
while len(ended) < 100:
    choices = [rng.choice(np.flatnonzero(mask)) for mask in infos["action_mask"]]
    observations, rewards, terminated, truncated, infos = envs.step(choices)
    if "final_info" in infos:
        ended += infos["final_info"]["score"][infos["_final_info"]].tolist()
print(f"{len(ended)} games, {np.mean(ended):.1f} points on average for random play")

# %% [markdown]
# ## The engine: thousands of games
#
# All games run in lockstep: at every step one seat of each game acts. `sample_legal` samples legal
# actions without building the masks.

# %%
engine = gonzaga_env.Engine(num_games=NUM_GAMES, num_players=4, seed=0, autoreset=False)
started, num_steps = time.perf_counter(), 0
finished = np.zeros(NUM_GAMES, dtype=bool)
while not finished.all():
    num_steps += NUM_GAMES - finished.sum()
    finished |= engine.step(engine.sample_legal(rng)).finished
seconds = time.perf_counter() - started
totals = engine.state.totals  # [N, P]
print(f"{num_steps:,} decisions in {seconds:.2f} s: {num_steps / seconds:,.0f} a second")
print(f"rounds a game: {engine.state.round.min()} to {engine.state.round.max()}")
print("mean score by seat:", totals.mean(axis=0).round(1))

# %% [markdown]
# Games are independent, and each has a mean of four scores, so the 95 % interval is ± 1.96 standard
# errors of these means. It shows how far luck may have shifted the overall mean.

# %%
means = totals.mean(axis=1)
margin = 1.96 * means.std(ddof=1) / NUM_GAMES**0.5
print(f"a random player scores {means.mean():.1f} ± {margin:.1f} points")

# %% [markdown]
# ## Look at a position
#
# `engine.state` is the full state. An observation has what one seat may know, as flat uint8, and
# `engine.features` is its layout.

# %%
engine = gonzaga_env.Engine(num_games=8, num_players=3, seed=1)
for _ in range(39):
    engine.step(engine.sample_legal(rng))
seat = engine.seats[0]
observation = engine.observe()[0]
print(f"{len(observation)} bytes, seen by seat {seat}")
for name in ("round", "score", "ring_stock", "open_sites"):
    print(f"{name}: {engine.features.view(observation, name)}; {engine.features[name].meaning}")

# %% [markdown]
# The same as a picture. Like the observation, it does not show other seats' objectives and sealed
# plans. The dashed circles are cities of the seat's own objective.

# %%
gonzaga_env.draw(engine, OUT / "position.svg", viewer=int(seat))

# %% [markdown]
# Here are some of the seat's legal actions in words:

# %%
legal = np.flatnonzero(engine.legal_action_mask()[0])
for action in rng.choice(legal, size=min(5, len(legal)), replace=False):
    print(engine.describe(action))

# %% [markdown]
# Next: [how strong is an agent?](02_benchmarks.ipynb)
