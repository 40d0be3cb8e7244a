"""Benchmarking agents.

You compare agents fairly and know how far to trust the result: paired deals, 95 % intervals, and a
table of ratings with its notes.
"""

# %%
from pathlib import Path

import numpy as np
from gonzaga_agents import evaluate
from gonzaga_agents.tournament.command import Arguments, tournament_of

from gonzaga_env.core import read_records

DEALS = 100  # of each match; every deal is played once per player
TOURNAMENT_DEALS = 25  # of each pair
OUT = Path("runs/benchmarks")  # the folder for records and tournaments
OUT.mkdir(parents=True, exist_ok=True)

# %% [markdown]
# ## One match
#
# `evaluate` plays every deal in all seat rotations: everybody plays everybody's hand. An agent is
# named by a text; `random`, `greedy`, `planner` and `search` need no training.

# %%
summary = evaluate(["planner", "greedy"], deals=DEALS, seed=1)
for agent in summary.agents:
    share, score = agent.win_share, agent.score
    print(
        f"{agent.name:8} wins {share.mean:.1%} of {agent.games} games "
        f"({share.low:.1%} to {share.high:.1%}), {score.mean:.1f} points"
    )

# %% [markdown]
# The interval says which win shares agree with these games. If it leaves out the fair share, here
# one half, one agent is shown to be stronger. If it holds the fair share, nothing is shown, least
# of all that both are equally strong.

# %%
verdict = {1: "planner is stronger", 0: "not decided", -1: "planner is weaker"}
print(verdict[summary.agents[0].win_share.side_of(summary.fair_share)])

# %% [markdown]
# ## Why deals are paired
#
# Rotation makes a match fair: no agent gets better hands or seats than the other. Do the same deals
# also save games? `evaluate` can keep all games as records, from which we take the scores.


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
    """Returns how far a 95 % interval of the mean goes to each side."""
    return 1.96 * values.std(ddof=1) / len(values) ** 0.5


planner, search = play("planner"), play("search@8")
lead = planner[:, :, 0] - planner[:, :, 1]  # [deals, 2]: of planner over greedy
print(f"planner is {lead.mean():.1f} points ahead of greedy")
print(f"± {margin(lead.reshape(-1)):.1f} if every game had a deal of its own")
print(f"± {margin(lead.mean(axis=1)):.1f} with both rotations of each deal")

# %% [markdown]
# In this match rotation saves next to nothing: deals hardly decide who of the two is ahead. But
# they decide how many points there are. So the same deals help where scores of two agents are
# compared that play the same opponent:

# %%
scores = search[:, :, 0].mean(axis=1), planner[:, :, 0].mean(axis=1)  # [deals] each
apart = np.hypot(margin(scores[0]), margin(scores[1]))
together = margin(scores[0] - scores[1])
print(f"score of search@8 less that of planner: {np.mean(scores[0] - scores[1]):+.1f}")
print(f"± {apart:.1f} if each had deals of its own, ± {together:.1f} on the same deals")
print(f"the same deals are worth {(apart / together) ** 2:.1f} times as many games")

# %% [markdown]
# So `search@8` scores fewer points than planner, and still it wins more often, as the tournament
# below shows: it plays to win. Decide which of the two you want to know before you compare.
#
# The games of a deal depend on each other, so a deal counts as one sample: the intervals of
# `evaluate` are over deals, not games.
#
# ## Where points come from
#
# `details` divides points by cards, by what was placed and by round, and says what an agent lacks
# in the games that it lost. A negative figure means that it is ahead of the winner in this source.

# %%
for agent in summary.agents:
    lost = agent.details.losses
    print(f"{agent.name}: points behind the winner in the {lost.games} games that it lost")
    for source, behind in lost.sources.items():
        print(f"    {source:10} {behind.points.mean:5.1f}")

# %% [markdown]
# ## A tournament
#
# `python evaluate.py --tournament random greedy planner search@8` rates any number of agents. The
# same from Python:

# %%
agents = ("random", "greedy", "planner", "search@8")
tournament = tournament_of(Arguments(agents, out=OUT / "tournament", processes=1))
_, (table,) = tournament.rank(TOURNAMENT_DEALS)
for agent in table.agents:
    rating, share = agent.rating, agent.win_share.mean
    print(f"{agent.name:9} {rating.text:>12}  {rating.interval:13} wins {share:.1%}")

# %% [markdown]
# How to read the table:
#
# - `greedy` is the anchor, always at 1000. 400 points more mean ten wins for each loss.
# - Ratings are estimates. Look at the intervals first, then at the order.
# - "At most" and "at least" stand where no game bounds the other side: an agent that never won
#   could be arbitrarily weak.
# - Overlapping intervals do not mean that two agents are equal, since both are rated by the same
#   games. The table compares every pair. These can't be told apart yet:

# %%
print(", ".join(" and ".join(pair) for pair in table.equal) or "none")

# %% [markdown]
# More deals shrink intervals slowly: for half the width you need four times as many. Run the cell
# again with more `TOURNAMENT_DEALS`: only new deals are played, since the games are kept in `out`.
#
# Next: [train an agent](03_training.ipynb)
