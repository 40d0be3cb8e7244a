"""Train a small agent and look inside it.

You write PPO in one short loop on `make_vec`, see it learn, and look at what the network prefers.
Then you train a stronger agent with the trainer that ships, `train.py`.
"""

# %%
from pathlib import Path

import gymnasium
import numpy as np
import torch
from gonzaga_agents import evaluate
from torch import nn
from torch.distributions import Categorical

UPDATES = 60
DEALS = 50  # of each evaluation, played from both seats
TIMESTEPS = 50_000  # turns that train.py learns from
OUT = Path("runs/training")  # the folder for train.py
NUM_ENVS, NUM_STEPS, EPOCHS, MINIBATCH = 64, 24, 4, 256

# %% [markdown]
# ## The environment
#
# Two players, against greedy. With `reward="score"` the learner gets its points as it scores them,
# which says more about single actions than the victory at the end does.

# %%
envs = gymnasium.make_vec(
    "gonzaga/Gonzaga-v0", NUM_ENVS, num_players=2, opponents="greedy", reward="score"
)
num_features = envs.single_observation_space.shape[0]
num_actions = int(envs.single_action_space.n)
scales = torch.from_numpy(envs.unwrapped.features.scales)  # about the largest value of each byte
print(f"{num_features} features, {num_actions} actions")

# %% [markdown]
# ## The network
#
# Two hidden layers, a logit for each action and a value. Logits of illegal actions are set so low
# that their probability is 0.

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
        nn.init.orthogonal_(self.policy.weight, 0.01)  # begins close to uniform

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
        with torch.no_grad():
            policy, _ = network(torch.from_numpy(observations), torch.from_numpy(masks))
        return policy.probs.argmax(dim=1).numpy()


def show_strength(agent):
    """Plays an agent against random and greedy."""
    for opponent in ("random", "greedy"):
        own = evaluate([agent, opponent], deals=DEALS).agents[0]
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
# estimate advantages (GAE), and climb the clipped objective in minibatches. Two details of
# `make_vec`:
#
# - It resets in the same step (`SAME_STEP`): when a game ends, `observations` are already the next
#   game's, and the reward is still the old one's. So `done` cuts the sum of rewards after this step.
# - Games always terminate and are never truncated. So no value has to be taken from `final_obs`, as
#   it would after a truncation; the end is worth 0.


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
