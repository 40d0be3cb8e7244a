"""Search from a position.

You start from what one seat knows, sample what is hidden from it, play out every candidate in a
batch of games, and compare your search with the agent `search`.
"""

# %%
from pathlib import Path

import numpy as np
from gonzaga_agents import evaluate, make_agent

import gonzaga_env
from gonzaga_env.core import Engine, states_from_observations, winners

SAMPLES = 200  # deals of hidden information
DEALS = 50  # of the match at the end
OUT = Path("runs/search")  # the folder for pictures
OUT.mkdir(parents=True, exist_ok=True)
rng = np.random.default_rng(0)

# %% [markdown]
# ## A position
#
# Three planners have played for five rounds. Seat 0 is the first to plan in round 6.

# %%
engine = Engine(num_games=1, num_players=3, scenario="Colombo", seed=4)
config = engine.config
planner, greedy = make_agent("planner", config), make_agent("greedy", config)
for _ in range(5 * 6):
    engine.step(planner.act(engine.observe(), engine.legal_action_mask(), rng))
gonzaga_env.draw(engine, OUT / "position.svg", viewer=0)

# %% [markdown]
# ## What the seat does not know
#
# An observation has everything that a seat may know. `states_from_observations` is the inverse: it
# returns states that agree with the observation, with the rest drawn at random
# (*determinizations*). The seat's own objective is the same in all of them; other objectives and
# the order of all decks differ.

# %%
observation, mask = engine.observe()[0], engine.legal_action_mask()[0]
states = states_from_observations(config, observation[None], rng, num_samples=SAMPLES)
for sample in range(3):
    cards = [config.edition.objectives[card] for card in states.objective[sample]]
    print("; ".join(f"seat {seat}: {' and '.join(card)}" for seat, card in enumerate(cards)))

# %% [markdown]
# ## Playouts
#
# The candidates are the planner's six best plans. We try each on the same deals, so that the luck
# of the deal cancels. Six candidates on `SAMPLES` deals are one engine. After the candidate, all
# seats play like greedy to the end of the game. We created the states ourselves, so we skip their
# check with `check=False`.

# %%
candidates = planner.consider(observation, mask, rng).actions[:6]
games = np.tile(np.arange(SAMPLES), len(candidates))  # candidate 0 on all deals, then 1, ...
playouts = Engine.from_state(config, states.take(games), copy=False, check=False, autoreset=False)
playouts.step(candidates.repeat(SAMPLES))
while len(going := np.flatnonzero(~playouts.state.finished)):
    observations = playouts.observe(rows=going)
    actions = greedy.act(observations, playouts.legal_action_mask(rows=going), rng)
    playouts.step(actions, going)
won = winners(config.tables, playouts.state)  # [N, P]
shares = (won / won.sum(axis=1, keepdims=True))[:, 0].reshape(len(candidates), SAMPLES)

# %% [markdown]
# This shows each candidate's share of won playouts and the difference from the best one, deal by
# deal, with its 95 % interval. If the interval contains 0, the playouts do not distinguish the two.
# The best one looks a little better than it is, because it was chosen by the same playouts.

# %%
order = np.argsort(-shares.mean(axis=1))
for candidate in order:
    difference = shares[candidate] - shares[order[0]]
    margin = 1.96 * difference.std(ddof=1) / SAMPLES**0.5
    text = engine.actions.to_text(int(candidates[candidate]))
    print(f"{shares[candidate].mean():.3f}  {difference.mean():+.3f} ± {margin:.3f}  {text}")

# %% [markdown]
# ## The agent `search`
#
# It does the same more efficiently: it repeatedly drops the worse half of the candidates, plays to
# the end of the round instead of the whole game, and evaluates the result with a linear critic.
# `consider` returns its candidates, best first.

# %%
for name in ("search@64", "search@1024"):
    found = make_agent(name, config).consider(observation, mask, np.random.default_rng(0))
    print(f"{name}: {found.unit}")
    for action, value, number in zip(found.actions, found.values, found.playouts, strict=True):
        print(f"  {value:6.3f}  {number:4} playouts  {engine.actions.to_text(int(action))}")

# %% [markdown]
# `search` prefers Hispania C, which our playouts find good but not best; Britannia C is not among
# its candidates. Playouts to the end by `greedy`, and one round by `linear` with a learned value,
# are two different estimates. Their intervals measure only the noise of the samples,
# not which estimate is right. Games show that:

# %%
summary = evaluate(["search@16", "planner"], players=3, deals=DEALS, seed=0)
own = summary.agents[0].win_share
print(
    f"search@16 wins {own.mean:.0%} ({own.low:.0%} to {own.high:.0%}) against two planners; "
    f"a fair share is {summary.fair_share:.0%}"
)

# %% [markdown]
# [How search works](../docs/search.md) compares variants. To play with your own search, wrap it as
# [an agent](04_your_own_agent.ipynb).
