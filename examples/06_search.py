"""Search from a position.

You take what one seat knows, draw what is hidden from it, play every candidate on in many games at
once, and compare your search with the agent `search`.
"""

# %%
from pathlib import Path

import numpy as np
from gonzaga_agents import evaluate, make_agent

import gonzaga_env
from gonzaga_env.core import Engine, states_from_observations, winners

SAMPLES = 200  # deals of what is hidden
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
# An observation holds all that a seat may know. `states_from_observations` is the inverse: states
# that agree with it, with the rest drawn at random (a *determinization*). The own objective is the
# same in all of them; others' objectives and the order of all decks differ.

# %%
observation, mask = engine.observe()[0], engine.legal_action_mask()[0]
states = states_from_observations(config, observation[None], rng, num_samples=SAMPLES)
for sample in range(3):
    cards = [config.edition.objectives[card] for card in states.objective[sample]]
    print("; ".join(f"seat {seat}: {' and '.join(card)}" for seat, card in enumerate(cards)))

# %% [markdown]
# ## Playouts
#
# Candidates are the six plans that the planner likes best. We try each on the same deals, so that
# luck of the deal cancels between them. Six candidates on `SAMPLES` deals are one engine. After the
# candidate everybody plays as greedy does, to the end of the game. The states were made here, so
# `check=False` trusts them; states from elsewhere are checked.

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
# Each candidate won a share of its playouts. Beside it stands the difference from the best one,
# deal by deal, with its 95 % interval: where it holds 0, the playouts do not tell the two apart.
# The best one looks a little better than it is, because these very playouts picked it.

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
# It does the same with less waste: it drops the worse half of the candidates again and again, plays
# two rounds instead of the whole game, and lets a small network say who is ahead there. `consider`
# returns its candidates, best first.

# %%
for name in ("search@64", "search@1024"):
    found = make_agent(name, config).consider(observation, mask, np.random.default_rng(0))
    print(f"{name}: {found.unit}")
    for action, value, number in zip(found.actions, found.values, found.simulations, strict=True):
        print(f"  {value:6.3f}  {number:4} playouts  {engine.actions.to_text(int(action))}")

# %% [markdown]
# Both prefer Hispania C, and neither is sure about King's Privilege. They disagree about Francia C.
# Playouts to the end by `greedy` and two rounds by `planner` with a learned value are two opinions.
# No interval tells which one is right: it only says how far the draws may have moved an opinion.
# Games do tell:

# %%
summary = evaluate(["search@16", "planner"], players=3, deals=DEALS, seed=0)
own = summary.agents[0].win_share
print(
    f"search@16 wins {own.mean:.0%} ({own.low:.0%} to {own.high:.0%}) against two planners; "
    f"a fair share is {summary.fair_share:.0%}"
)

# %% [markdown]
# [How search works](../docs/search.md) says what was tried and what it brought. To play with your
# own search, wrap it as [an agent](04_your_own_agent.ipynb).
