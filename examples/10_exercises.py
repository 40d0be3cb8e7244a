"""Exercises.

Six short ones. Each ends with a cell that says "right" or "not yet"; what you write goes where
`...` stands. Ways to solve them are in [the test of this notebook](../tests/test_exercises.py).
"""

# %%
import time
from pathlib import Path

import numpy as np
from gonzaga_agents import evaluate, make_agent
from gonzaga_agents.data import load, write_games
from gonzaga_agents.solve.solution import ask_of
from gonzaga_agents.solve.strategy import asked_strategy, exploitability
from gonzaga_agents.solve.tree import build_tree, draws_of

from gonzaga_env import gonzaga_v0
from gonzaga_env.core import Game, GameConfig

OUT = Path("runs/exercises")  # the folder for games
rng = np.random.default_rng(0)


def say(number, is_right):
    """Says whether an exercise is solved."""
    print(f"{number}: {'right' if is_right else 'not yet'}")


# %% [markdown]
# ## 1. Find the illegal plan
#
# A card that a seat has planned with is locked for one round, and King's Privilege costs a ring
# ([R3.3 and R3.4](../gonzaga_env/data/rules/gonzaga.md)). Seat 0 has planned once and is to plan
# again. Which of these is illegal?

# %%
game = Game(num_players=3, seed=4)
while game.round < 2:
    game.play(int(rng.choice(np.flatnonzero(game.mask()))))
print("in round 1 seat 0 planned", game.actions.to_text(int(game.state.previous_plan[0, 0])))
legal, illegal = np.flatnonzero(game.mask()), np.flatnonzero(game.mask()[:42] == 0)
plans = rng.permutation([*rng.choice(legal, 3, replace=False), rng.choice(illegal)])
for number, plan in enumerate(plans, start=1):
    print(number, game.actions.to_text(int(plan)))

# %%
the_illegal_plan = ...  # 1, 2, 3 or 4

# %%
say(1, the_illegal_plan is not ... and not game.mask()[plans[the_illegal_plan - 1]])

# %% [markdown]
# ## 2. Twenty times as fast
#
# This plays one game at random. Write `play_many`, which plays many and returns the seats' scores,
# [N, 4]. At 1,024 games, one of yours takes a twentieth of the time at most.


# %%
def play_one(seed):
    """Returns the scores of the four seats."""
    env = gonzaga_v0.env(num_players=4)
    env.reset(seed=seed)
    for _ in env.agent_iter():
        observation, _, terminated, truncated, _ = env.last()
        legal = observation["action_mask"].nonzero()[0]
        env.step(None if terminated or truncated else rng.choice(legal))
    return env.unwrapped.game.totals


def play_many(num_games):
    """Returns the scores of N games that are played at random, [N, 4]."""
    ...


# %%
started = time.process_time()
for seed in range(5):
    play_one(seed)
one = (time.process_time() - started) / 5
started = time.process_time()
scores = play_many(1024)
is_fast = time.process_time() - started < 1024 * one / 20
say(2, scores is not None and np.shape(scores) == (1024, 4) and is_fast and np.min(scores) >= 0)

# %% [markdown]
# ## 3. Write greedy yourself
#
# Return a legal action that gains its seat the most points at once. `game.copy()`, `play(action)`
# and `totals` are all that it takes.


# %%
def best_placement(game):
    """Returns one of the legal actions that gain the seat to act the most points."""
    ...


def gained(game, action):
    """Returns what an action gains the seat that plays it."""
    seat, after = game.seat, game.copy()
    after.play(int(action))
    return after.totals[seat] - game.totals[seat]


# %%
game, is_right = Game(num_players=2, seed=1), True
for _ in range(12):
    legal = np.flatnonzero(game.mask())
    if legal[0] >= 42 and is_right:  # a placement, not a plan
        found = best_placement(game)
        best = max(gained(game, action) for action in legal)
        is_right = found in legal and gained(game, found) == best
    game.play(int(rng.choice(legal)))
say(3, is_right)

# %% [markdown]
# ## 4. Estimate a value from records
#
# Who is going to win? From what a seat sees, predict its share of the victory. Two players, so that
# always saying a half is off by a quarter in the mean square. Be a tenth better than that on deals
# that you haven't seen.

# %%
config = GameConfig(num_players=2)
write_games(config, ["greedy"], OUT / "learn", 240, seed=2**64 + 1)
write_games(config, ["greedy"], OUT / "test", 240, seed=2**64 + 2)
columns = ["observation", "won"]
parts = [next(load(OUT / name, columns=columns, batch_size=10**5)) for name in ("learn", "test")]
(seen, won), (unseen, truth) = ((part["observation"], part["won"]) for part in parts)
seen, unseen = config.features.normalise(seen), config.features.normalise(unseen)


# %%
def predict(seen, won, unseen):
    """Returns the expected share of each row of `unseen`, [M], learned from the other rows."""
    ...


# %%
predicted = predict(seen, won, unseen)
say(4, predicted is not None and np.mean((predicted - truth) ** 2) < 0.9 * 0.25)

# %% [markdown]
# ## 5. Beat greedy from nothing
#
# Train an agent without anybody's help, and beat three `greedy` in 50 deals: the lower bound of its
# win share has to be above a quarter. A minute is enough ([how](../docs/training.md)).

# %%
my_agent = ...  # the folder of a run, or an object with `act`

# %%
if my_agent is ...:
    say(5, False)
else:
    summary = evaluate([my_agent, "greedy"], players=4, deals=50)
    say(5, summary.agents[0].win_share.low > summary.fair_share)

# %% [markdown]
# ## 6. How exploitable are you?
#
# On the small map `mini-a2` a best response can be computed. `random` loses 13.1 points to one.
# Lose less than 9: with an agent of your own that mixes its actions (`probabilities`), or with
# [two options of the trainer](../docs/solve.md).

# %%
mini = GameConfig(num_players=2, edition="mini-a2")
my_policy = make_agent("random", mini)  # put yours here

# %%
trees = [build_tree(mini, draw, ask_of(my_policy)) for draw in draws_of(mini)]
lost = float(np.mean([exploitability(tree, asked_strategy(tree)) for tree in trees]))
print(f"a best response wins by {lost:.1f} points")
say(6, lost < 9)
