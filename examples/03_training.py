"""Train a small agent and look inside it.

You write PPO as one short loop on `make_vec`, watch it learn, and look at what the network prefers.
Then you train a stronger agent with the included trainer, `train.py`.
"""

# %%
from pathlib import Path

import gymnasium
import numpy as np
import torch
from gonzaga_agents import evaluate, load_agent
from gonzaga_agents.commands.train import TrainOptions, train
from torch import nn
from torch.distributions import Categorical

import gonzaga_env

UPDATES = 30  # of the loop; one to two seconds each on one core
DEALS = 50  # of each evaluation, played from both seats
TIMESTEPS = 20_000  # turns that train.py learns from
OUT = Path("runs/training")  # the folder for train.py
NUM_ENVS = 64  # games in the batch
NUM_STEPS, EPOCHS, MINIBATCH = 24, 4, 256

# %% [markdown]
# ## The environment
#
# Two players, against greedy. With `reward="score"` the learner gets its points when it scores
# them, which is more informative about single actions than the victory at the end.

# %%
envs = gymnasium.make_vec(
    "gonzaga/Gonzaga-v0",
    NUM_ENVS,
    num_players=2,
    opponents="greedy",
    reward="score",
    autoreset_mode="SameStep",
)
num_features = envs.single_observation_space.shape[0]
num_actions = int(envs.single_action_space.n)
features = envs.unwrapped.features  # the layout of observations
scales = torch.from_numpy(features.scales)  # about the largest value of each byte
print(f"{num_features} features, {num_actions} actions")

# %% [markdown]
# ## The network
#
# Two hidden layers, a logit for each action, and a value. Logits of illegal actions are so low that
# their probability is 0.

# %%
torch.manual_seed(0)
torch.set_num_threads(1)


class Network(nn.Module):
    """Policy and value of observations."""

    def __init__(self):
        super().__init__()
        layers = [nn.Linear(num_features, 128), nn.Tanh(), nn.Linear(128, 128), nn.Tanh()]
        self.body = nn.Sequential(*layers)
        self.policy, self.value = nn.Linear(128, num_actions), nn.Linear(128, 1)
        nn.init.orthogonal_(self.policy.weight, 0.01)  # starts close to uniform

    def forward(self, observations, masks):
        """Returns the distribution over actions, and values [N]."""
        hidden = self.body(observations / scales)
        logits = self.policy(hidden).masked_fill(~masks, -1e8)
        return Categorical(logits=logits), self.value(hidden)[:, 0]


network = Network()


# %% [markdown]
# To play it against other agents, we wrap it as an agent: one method from observations and masks to
# actions ([more on this](04_your_own_agent.ipynb)).


# %%
class NetworkAgent:
    """Plays the most probable action."""

    name = "network"

    def act(self, observations, masks, rng):
        """Returns an action for each row, [M]."""
        with torch.no_grad():
            policy, _ = network(torch.from_numpy(observations), torch.from_numpy(masks))
        return policy.probs.argmax(dim=1).numpy()


def show_strength(agent, opponents=("random", "greedy")):
    """Plays an agent against others, with two players."""
    for opponent in opponents:
        own = evaluate([agent, opponent], deals=DEALS, seed=0).agents[0]
        share, score = own.win_share, own.score
        print(
            f"{own.name} wins {share.mean:.0%} ({share.low:.0%} to {share.high:.0%}) "
            f"against {opponent}, with {score.mean:.0f} ± {score.high - score.mean:.0f} points"
        )


show_strength(NetworkAgent())

# %% [markdown]
# ## The loop
#
# PPO as in [CleanRL](https://github.com/vwxyzjn/cleanrl): collect `NUM_STEPS` turns of every game,
# estimate advantages (GAE), and climb the clipped objective in minibatches. Two details:
#
# - The games reset in the same step ("SameStep"): when one ends, `observations` already show the
#   next game, but the reward still belongs to the old one, whose infos are in `final_info`. So
#   `done` cuts the sum of rewards after this step.
# - Games terminate and are never truncated, so bootstrapping from the value of `final_obs` is not
#   needed.


# %%
def collect(observations, infos):
    """Plays NUM_STEPS turns of every game; returns them, and where the next ones start."""
    turns, scores = [], []
    for _ in range(NUM_STEPS):
        inputs = torch.from_numpy(observations), torch.from_numpy(infos["action_mask"]).bool()
        with torch.no_grad():
            policy, values = network(*inputs)
            actions = policy.sample()
        observations, rewards, done, _, infos = envs.step(actions.numpy())
        rewards = torch.from_numpy(rewards).float() / 10  # keeps the value's loss about 1
        log_probs = policy.log_prob(actions)
        turns.append((*inputs, actions, log_probs, values, rewards, torch.from_numpy(done)))
        if "final_info" in infos:
            scores += infos["final_info"]["score"][infos["_final_info"]].tolist()
    return [torch.stack(column) for column in zip(*turns, strict=True)], scores, observations, infos


def find_advantages(values, rewards, done, next_value, discount=1.0, trace=0.95):
    """Returns generalised advantage estimates, [T, N]."""
    advantages, advantage = torch.zeros_like(rewards), 0.0
    for t in reversed(range(len(rewards))):
        goes_on = ~done[t]
        error = rewards[t] + discount * next_value * goes_on - values[t]
        advantage = error + discount * trace * goes_on * advantage
        advantages[t], next_value = advantage, values[t]
    return advantages


def learn(observations, masks, actions, log_probs, advantages, targets):
    """Takes one step of the optimizer on a minibatch."""
    policy, values = network(observations, masks)
    ratio = (policy.log_prob(actions) - log_probs).exp()
    advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
    gain = torch.minimum(ratio * advantages, ratio.clamp(0.8, 1.2) * advantages).mean()
    loss = 0.5 * (values - targets).square().mean() - gain - 0.01 * policy.entropy().mean()
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(network.parameters(), 0.5)
    optimizer.step()


optimizer = torch.optim.Adam(network.parameters(), lr=1e-3, eps=1e-5)
observations, infos = envs.reset(seed=1)
for update in range(1, UPDATES + 1):
    (*batch, values, rewards, done), scores, observations, infos = collect(observations, infos)
    with torch.no_grad():
        masks = torch.from_numpy(infos["action_mask"]).bool()
        _, next_value = network(torch.from_numpy(observations), masks)
    advantages = find_advantages(values, rewards, done, next_value)
    batch = [array.flatten(0, 1) for array in (*batch, advantages, advantages + values)]
    for _ in range(EPOCHS):
        for rows in torch.randperm(NUM_STEPS * NUM_ENVS).split(MINIBATCH):
            learn(*(array[rows] for array in batch))
    if update % 10 == 0 or update == UPDATES:
        turns = update * NUM_STEPS * NUM_ENVS
        print(f"{turns:6,} turns: {np.mean(scores):.1f} points a game")

# %% [markdown]
# ## Did it learn?
#
# The same evaluation as before, on the same deals:

# %%
show_strength(NetworkAgent())

# %% [markdown]
# Check the intervals before you believe a difference. The loop takes the network from level with
# random play to far ahead of it. Against greedy its score has doubled, yet it hardly wins: it has
# learned where points are, but not yet what greedy computes at every move. In The Castles of
# Tuscany such a network [wins against greedy, too](../docs/first.md).
#
# ## Look inside: what it prefers
#
# The policy in one position, in words:

# %%
engine, rng = gonzaga_env.Engine(num_games=1, num_players=2, seed=3), np.random.default_rng(0)


def show_preferences(top=5):
    """Prints the most probable actions of the seat to act, and the value of the position."""
    observation, mask = engine.observe(), engine.legal_action_mask()
    with torch.no_grad():
        policy, value = network(torch.from_numpy(observation), torch.from_numpy(mask))
    probs = policy.probs[0]
    print(f"{mask.sum()} legal actions, {10 * value[0]:.0f} points expected to come")
    for action in probs.argsort(descending=True)[:top]:
        print(f"{probs[action]:6.1%}  {engine.describe(int(action))}")


show_preferences()  # plans
for _ in range(2):
    engine.step(NetworkAgent().act(engine.observe(), engine.legal_action_mask(), rng))
show_preferences()  # placements

# %% [markdown]
# ## Look inside: what it predicts
#
# The value should predict the points still to come. We play games from the start and compare the
# prediction with the actual points. A correlation of 0 means that the value cannot distinguish good
# positions from bad ones; with 64 games its error is about ± 0.25.

# %%
(observed, *_, values, rewards, done), *_ = collect(*envs.reset(seed=2))
to_come = find_advantages(values, rewards, done, torch.zeros(NUM_ENVS), trace=1.0) + values
ended = done.flip(0).cumsum(0).flip(0) > 0  # turns of games that ended within these steps
phases, rounds = (
    torch.from_numpy(features.view(observed.numpy(), name)[..., 0]) for name in ("phase", "round")
)
for number in (1, 4, 7, 10):
    turns = (rounds == number) & (phases == 0) & ended  # the plans of this round
    expected, came = 10 * values[turns], 10 * to_come[turns]
    correlation = np.corrcoef(expected, came)[0, 1]
    print(
        f"round {number:2}, {turns.sum()} games: {expected.mean():3.0f} points expected, "
        f"{came.mean():3.0f} came; correlation {correlation:+.2f}"
    )

# %% [markdown]
# ## The included trainer
#
# `python train.py --players 2 --timesteps 50000 --out runs/mine` trains in self-play. Its network
# knows the sites and which of them an action covers, and considers only the best choices of
# `planner`. In Python it is a function. We train once for a single rollout and once for longer, and
# play both in two ways: with the most probable actions, and with sampled actions, as in training.

# %%
runs = [OUT / f"turns_{timesteps}" for timesteps in (1, TIMESTEPS)]
for out, timesteps in zip(runs, (1, TIMESTEPS), strict=True):  # rounded up to whole rollouts
    if not (out / "checkpoint.zip").exists():
        arguments = TrainOptions(out, players=2, timesteps=timesteps, eval_deals=0)
        train(arguments, num_processes=1)

# %%
config = gonzaga_env.GameConfig(num_players=2)
for out in runs:
    for deterministic in (True, False):
        print("most probable:" if deterministic else "drawn:", end=" ")
        trained = load_agent(out, config, deterministic=deterministic)
        show_strength(trained, opponents=["greedy"])

# %% [markdown]
# With its most probable actions this agent beats greedy from the start, because its untrained
# network orders choices as `planner` does. This short run does not improve on that. Sampled actions
# show what it learned: the policy is more certain, and good choices are more likely. Measure an
# agent before training too, or you will credit training with the prior.
# [Training](../docs/training.md) describes runs of a few minutes to an hour.
#
# The agent's choices in the same position as before:

# %%
found = trained.consider(engine.observe()[0], engine.legal_action_mask()[0], rng)
for action, probability in list(zip(found.actions, found.values, strict=True))[:5]:
    print(f"{probability:6.1%}  {engine.describe(action)}")

# %% [markdown]
# Next: [your own agent](04_your_own_agent.ipynb)
