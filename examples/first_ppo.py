"""A masked PPO of your own, in the shape of CleanRL's: `make_vec`, torch, and no class of ours.

    python examples/first_ppo.py tuscany   # The Castles of Tuscany against random, then greedy
    python examples/first_ppo.py mini-a2   # a small Gonzaga against itself, and how safe that is

docs/first.md explains it, and has the curves to expect.
"""

import copy
import sys
import time

import gymnasium
import numpy as np
import torch
from gonzaga_agents.solve.strategy import asked_strategy, exploitability
from gonzaga_agents.solve.tree import build_tree, draws_of
from torch import nn
from torch.distributions import Categorical

import gonzaga_env  # noqa: F401  registers the environments

NUM_ENVS, NUM_STEPS, EPOCHS, MINIBATCH, WIDTH = 128, 36, 4, 512, 256
UPDATES = {"random": 20, "greedy": 100, "mini-a2": 100}


class Network(nn.Module):
    """Policy and value of raw observations, on two hidden layers."""

    def __init__(self, envs):
        super().__init__()
        self.scales = torch.from_numpy(envs.unwrapped.features.scales)  # about the largest values
        layers = nn.Linear(len(self.scales), WIDTH), nn.Tanh(), nn.Linear(WIDTH, WIDTH), nn.Tanh()
        self.body, self.value = nn.Sequential(*layers), nn.Linear(WIDTH, 1)
        self.policy = nn.Linear(WIDTH, int(envs.single_action_space.n))
        nn.init.orthogonal_(self.policy.weight, 0.01)  # starts close to uniform

    def forward(self, observations, masks):
        """Returns the distribution over legal actions, and values [N]."""
        hidden = self.body(torch.as_tensor(observations) / self.scales)
        logits = self.policy(hidden).masked_fill(torch.as_tensor(masks) == 0, -1e8)
        return Categorical(logits=logits, validate_args=False), self.value(hidden)[:, 0]

    @torch.no_grad()
    def probabilities(self, observations, masks):
        """Returns those of the actions as an array, [N, A]."""
        return self(observations, masks)[0].probs.numpy()


def learn(network, envs, num_updates, entropy, after):
    """Learns by PPO with clipping, generalised advantages and action masks."""
    optimizer = torch.optim.Adam(network.parameters(), lr=1e-3, eps=1e-5)
    observations, infos = envs.reset(seed=1)
    for update in range(num_updates):
        optimizer.param_groups[0]["lr"] = 1e-3 * (1 - update / num_updates)
        played, won = [], []
        for _ in range(NUM_STEPS):
            seen = torch.from_numpy(observations), torch.from_numpy(infos["action_mask"])
            with torch.no_grad():
                policy, values = network(*seen)
                actions = policy.sample()
            observations, rewards, done, _, infos = envs.step(actions.numpy())
            if done.any():  # the infos that the ended games left behind
                won += infos["final_info"]["won"][done].tolist()
            rewards, done = torch.from_numpy(rewards).float() / 10, torch.from_numpy(done)
            played.append((*seen, actions, policy.log_prob(actions), values, rewards, done))
        with torch.no_grad():
            next_value = network(observations, infos["action_mask"])[1]
        *batch, values, rewards, done = map(torch.stack, zip(*played, strict=True))
        advantages, advantage = torch.zeros_like(values), torch.zeros(NUM_ENVS)
        for t in reversed(range(NUM_STEPS)):  # after the end of a game comes another one
            advantage = rewards[t] - values[t] + ~done[t] * (next_value + 0.95 * advantage)
            advantages[t], next_value = advantage, values[t]
        batch = [x.flatten(0, 1) for x in (*batch, advantages, advantages + values)]
        orders = [torch.randperm(len(batch[0])) for _ in range(EPOCHS)]
        for rows in torch.cat(orders).split(MINIBATCH):
            seen, masks, actions, before, gains, targets = (x[rows] for x in batch)
            policy, values = network(seen, masks)
            ratio = (policy.log_prob(actions) - before).exp()
            gains = (gains - gains.mean()) / (gains.std() + 1e-8)
            gain = torch.minimum(ratio * gains, ratio.clamp(0.8, 1.2) * gains).mean()
            error = 0.5 * (values - targets).square().mean()
            optimizer.zero_grad()
            (error - gain - entropy * policy.entropy().mean()).backward()
            nn.utils.clip_grad_norm_(network.parameters(), 0.5)
            optimizer.step()
        after(update + 1, won)


def make(game, **options):
    """Returns games of two players; one that ends is followed by the next in the same step."""
    options |= {"num_players": 2, "reward": "margin", "autoreset_mode": "SameStep"}
    return gymnasium.make_vec(f"gonzaga/{game}-v0", NUM_ENVS, **options)


def tuscany(say):
    """Learns against random, then against greedy; says how many games it wins as it explores."""
    network, recent = None, []
    for opponent in ("random", "greedy"):
        envs = make("CastlesOfTuscany", opponents=opponent)
        network = network or Network(envs)

        def after(update, won, opponent=opponent):
            recent.extend(won)
            if update % 10 == 0:
                say(update, f"wins {np.mean(recent[-500:]):.0%} of games against {opponent}")

        learn(network, envs, UPDATES[opponent], 0.01, after)


def mini_a2(say):
    """Learns against itself; says how many points a best response to its mean weights wins."""

    def itself(observations, masks, rng):  # draws by the probabilities
        upto = network.probabilities(observations, masks).cumsum(axis=1)
        return (upto > rng.random((len(upto), 1)) * upto[:, -1:]).argmax(axis=1)

    def after(update, _):
        for kept, new in zip(mean.parameters(), network.parameters(), strict=True):
            kept.data.lerp_(new.data, 2 / (update + 1))  # later weights count more
        if update % 10 == 0:
            trees = [build_tree(config, draw, mean.probabilities) for draw in draws_of(config)]
            lost = np.mean([exploitability(tree, asked_strategy(tree)) for tree in trees])
            say(update, f"loses {lost:.2f} points to a best response")

    envs = make("Gonzaga", edition="mini-a2", opponents=itself)
    network, config = Network(envs), envs.unwrapped.config
    mean = copy.deepcopy(network)
    learn(network, envs, UPDATES["mini-a2"], 0.3, after)


def main(task, seed=0):
    """Runs one task, and says how it goes after every ten updates."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)

    def say(update, text):
        turns = update * NUM_ENVS * NUM_STEPS
        print(f"{time.process_time():4.0f} s, {turns:9,} turns: {text}", flush=True)

    {"tuscany": tuscany, "mini-a2": mini_a2}[task](say)


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
