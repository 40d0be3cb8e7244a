"""Signorie.

The third game: dice, careers, marriages and missions. Nothing is hidden but the order of the
tiles; dice are rolled while the game is played.
"""

# %%
from collections import Counter
from pathlib import Path

import numpy as np
from gonzaga_agents import evaluate, make_agent

import gonzaga_env
from gonzaga_env import signorie_v0
from gonzaga_env.signorie import Engine, Game, GameConfig

DEALS = 40  # of the match at the end
GAMES = 256  # in which choices are counted
OUT = Path("runs/signorie")  # the folder for pictures
OUT.mkdir(parents=True, exist_ok=True)
rng = np.random.default_rng(0)

# %% [markdown]
# ## PettingZoo
#
# Three random agents play a game. Placing a die leads to further decisions of the same agent: how
# many to spend, which career to climb, which city to visit. Each is one step.

# %%
env = signorie_v0.env(num_players=3)
env.reset(seed=1)
for agent in env.agent_iter():
    observation, reward, termination, truncation, info = env.last()
    if termination or truncation:
        print(agent, "scored", info["score"])
        env.step(None)
        continue
    env.step(int(rng.choice(np.flatnonzero(observation["action_mask"]))))

# %% [markdown]
# ## A position
#
# Two agents named `planner` play against each other for 62 decisions. The edition is a
# reconstruction, as its title says.

# %%
config = GameConfig(num_players=2)
game, planner = Game.from_config(config, seed=5), make_agent("planner", config)
for _ in range(62):
    mask = game.mask().astype(bool)
    game.play(int(planner.act(game.observation()[None], mask[None], rng)[0]))
gonzaga_env.draw(game, OUT / "position.svg", viewer=0)

# %% [markdown]
# What the planner thinks best here, in words and in points:

# %%
considered = planner.consider(game.observation(), game.mask().astype(bool), rng)
for action, value in zip(considered.actions[:5], considered.values[:5], strict=True):
    print(f"{value:6.2f}  {game.describe(action)}")

# %% [markdown]
# ## Many games at once
#
# The engine plays them as arrays. What do four planners place dice of each color for?

# %%
engine = Engine(GAMES, num_players=4, seed=0, autoreset=False)
edition, players = engine.config.edition, make_agent("planner", engine.config)
placed: Counter[tuple[str, str]] = Counter()
while not engine.state.finished.all():
    rows = np.flatnonzero(engine.seats >= 0)  # games that are not over
    actions = players.act(engine.observe(rows=rows), engine.legal_action_mask(rows), rng)
    for action in actions:
        words = engine.actions.to_text(action).split()
        if words[0] in edition.colors:
            placed[words[0], words[2]] += 1
    engine.step(actions, rows)
print(" " * 9, *(f"{what:>9}" for what in ("hire", "assign", "signoria")), " a game")
for color in edition.colors:
    counts = (placed[color, what] / GAMES for what in ("hire", "assign", "signoria"))
    print(f"{color:9}", *(f"{count:9.1f}" for count in counts))

# %% [markdown]
# ## A match
#
# Each deal is played once from every seat. The same works at the command line:
# `python evaluate.py --game signorie planner greedy --deals 40`.

# %%
summary = evaluate(["planner", "greedy"], deals=DEALS, seed=0, game="signorie")
for agent in summary.agents:
    share, score = agent.win_share, agent.score
    interval = f"{share.low:.0%} to {share.high:.0%}"
    print(f"{agent.name:8} wins {share.mean:.0%} ({interval}), {score.mean:.1f} points")
