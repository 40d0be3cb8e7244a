"""Benchmarking agents.

You compare agents fairly and learn how far to trust the result: paired deals, 95 % intervals, and
a table of ratings with its notes.
"""

# %%
from datetime import date
from pathlib import Path

import numpy as np
from gonzaga_agents import evaluate
from gonzaga_agents.play.standings import Session
from gonzaga_agents.play.tournament import Tournament
from gonzaga_agents.play.tournament_games import identify_all

from gonzaga_env.core import GameConfig, read_records

DEALS = 100  # of each match; every deal is played once per player
TOURNAMENT_DEALS = 25  # of each pair
OUT = Path("runs/benchmarks")  # the folder for records and tournaments
OUT.mkdir(parents=True, exist_ok=True)

# %% [markdown]
# ## One match
#
# `evaluate` plays every deal in all seat rotations, so every agent plays every hand. Agents are
# given by name; `random`, `greedy`, `planner` and `search` need no training.

# %%
summary = evaluate(["planner", "greedy"], deals=DEALS, seed=1)
for agent in summary.agents:
    share, score = agent.win_share, agent.score
    print(
        f"{agent.name:8} wins {share.mean:.1%} of {agent.games} games "
        f"({share.low:.1%} to {share.high:.1%}), {score.mean:.1f} points"
    )

# %% [markdown]
# The interval contains the win shares that are consistent with these games. If it excludes the fair
# share, here one half, one agent is significantly stronger. If it contains the fair share, the
# match shows nothing, and in particular not that both are equally strong.

# %%
verdict = {1: "planner is stronger", 0: "not decided", -1: "planner is weaker"}
print(verdict[summary.agents[0].win_share.side_of(summary.fair_share)])

# %% [markdown]
# ## Why deals are paired
#
# Rotation makes a match fair: no agent gets better hands or seats than the other. Do the same deals
# also save games? `evaluate` can save all games as records, which contain the scores.


# %%
def play(agent):
    """Plays an agent against greedy and returns both scores, [deals, 2 rotations, 2]."""
    path = OUT / f"{agent}.jsonl"
    evaluate([agent, "greedy"], deals=DEALS, seed=1, records=path)
    scores = {}
    for record in read_records(path):
        seat, total = record["agents"].index(agent), record["scores"]["total"]
        deal = record["seed"], record["episode"]
        scores.setdefault(deal, []).append((total[seat], total[1 - seat]))
    return np.array([scores[deal] for deal in sorted(scores)])


def margin(values):
    """Returns half the width of the 95 % interval of the mean."""
    return 1.96 * values.std(ddof=1) / len(values) ** 0.5


planner, search = play("planner"), play("search@8")
lead = planner[:, :, 0] - planner[:, :, 1]  # [deals, 2]: of planner over greedy
print(f"planner is {lead.mean():.1f} points ahead of greedy")
print(f"± {margin(lead.reshape(-1)):.1f} if every game had a deal of its own")
print(f"± {margin(lead.mean(axis=1)):.1f} with both rotations of each deal")

# %% [markdown]
# In this match rotation hardly saves games, because the deal has little influence on which of the
# two is ahead. But it influences how many points both score. So equal deals help to compare the
# scores of two agents against the same opponent:

# %%
scores = search[:, :, 0].mean(axis=1), planner[:, :, 0].mean(axis=1)  # [deals] each
apart = np.hypot(margin(scores[0]), margin(scores[1]))
together = margin(scores[0] - scores[1])
print(f"score of search@8 less that of planner: {np.mean(scores[0] - scores[1]):+.1f}")
print(f"± {apart:.1f} if each had deals of its own, ± {together:.1f} on the same deals")
print(f"the same deals are worth {(apart / together) ** 2:.1f} times as many games")

# %% [markdown]
# So `search@8` scores fewer points than planner, yet it wins more often, as the tournament below
# shows: it plays to win. Decide which of the two matters to you before you compare.
#
# The games of one deal are not independent, so each deal is one sample: the intervals of `evaluate`
# are over deals, not games.
#
# ## A tournament
#
# `gonzaga tournament random greedy planner search@8` rates any number of agents. The
# same from Python:

# %%
agents = ("random", "greedy", "planner", "search@8")
tournament = Tournament(
    configs=(GameConfig(2),),
    entrants=tuple(identify_all(agents)),
    seed=0,
    out=OUT / "tournament",
    executor=None,  # plays here
    session=Session(date.today().isoformat()),
)
_, (table,) = tournament.rank(TOURNAMENT_DEALS)
for agent in table.agents:
    rating, share = agent.rating, agent.win_share.mean
    print(f"{agent.name:9} {rating.text:>12}  {rating.interval:13} wins {share:.1%}")

# %% [markdown]
# How to read the table:
#
# - `greedy` is the anchor, always at 1000. 400 points more mean ten wins for each loss.
# - Ratings are estimates. Look at the intervals first, then at the order.
# - "At most" and "at least" mean that no game bounds the other side: an agent that never won could
#   be arbitrarily weak.
# - Overlapping intervals do not mean that two agents are equal, because both are rated by the same
#   games. The table compares every pair. These pairs can't be told apart yet:

# %%
print(", ".join(" and ".join(pair) for pair in table.equal) or "none")

# %% [markdown]
# More deals shrink intervals slowly: half the width needs four times as many. Run the cell again
# with more `TOURNAMENT_DEALS`: only new deals are played, because the games are saved in `out`.
#
# Next: [train an agent](03_training.ipynb)
