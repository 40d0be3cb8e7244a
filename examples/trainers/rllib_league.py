"""Self-play against past selves with RLlib's PPO and action masks (new API stack).

    pip install -c constraints-rllib.txt torch "ray[rllib]" ".[evaluate]"
    python examples/trainers/rllib_league.py --iterations 20

In half of the games the learner has all seats, in the others one seat among copies of a past self.
After every iteration the learner joins the league.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import ray
import torch
import tyro
from gonzaga_agents import evaluate
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.tune.registry import register_env

from gonzaga_env import GameConfig, gonzaga_v0

LEARNER = "learner"


@dataclass(frozen=True)
class Arguments:
    """Trains, then plays against random and greedy."""

    iterations: int = 20
    turns: int = 2048  # of all seats, in each iteration
    players: int = 2
    most_past: int = 8  # past selves that play; the newest
    deals: int = 50  # of the evaluation, each played from every seat; 0 for none


class ModuleAgent:
    """Plays a module's most probable actions, as an agent of this package."""

    name = "rllib"

    def __init__(self, module: Any, config: GameConfig) -> None:
        self._module, self._features = module, config.features

    def act(self, observations: Any, masks: Any, rng: Any) -> Any:
        """Returns an action for each row, [M]."""
        seen = torch.from_numpy(self._features.normalise(observations))
        batch = {"obs": {"observations": seen, "action_mask": torch.from_numpy(masks).float()}}
        with torch.no_grad():
            return self._module.forward_inference(batch)["action_dist_inputs"].argmax(1).numpy()


def lineups(past: list[str], players: int) -> Any:
    """Returns the function that tells RLlib which module has a seat in an episode."""

    def module_of(agent: str, episode: Any, **kwargs: Any) -> str:
        drawn = hash(episode.id_)  # the same for all seats of an episode
        if not past or drawn % 2 or int(agent[-1]) == drawn // 2 % players:
            return LEARNER
        return past[drawn // 16 % len(past)]

    return module_of


def build(arguments: Arguments) -> Any:
    """Returns PPO whose only module is the learner."""
    options = {"num_players": arguments.players, "keys": ("observations", "action_mask")}
    register_env("gonzaga", lambda _: PettingZooEnv(gonzaga_v0.raw_env(normalised=True, **options)))
    module = RLModuleSpec(
        module_class=ActionMaskingTorchRLModule,
        model_config={"fcnet_hiddens": [128], "head_fcnet_hiddens": [128]},
    )
    config = (
        PPOConfig()
        .environment("gonzaga", disable_env_checking=True)  # the check plays illegal actions
        .env_runners(num_env_runners=0)
        .multi_agent(
            policies={LEARNER},
            policy_mapping_fn=lineups([], arguments.players),
            policies_to_train=[LEARNER],
        )
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={LEARNER: module}))
        .training(
            train_batch_size_per_learner=arguments.turns,
            minibatch_size=min(512, arguments.turns),
            num_epochs=2,
            gamma=1.0,
            entropy_coeff=0.01,
        )
    )
    return config.build_algo()


def remember(algorithm: Any, name: str, past: list[str], players: int) -> None:
    """Adds a copy of the learner to the league; `past` are all who play from now on."""
    learner = algorithm.get_module(LEARNER)
    algorithm.add_module(
        module_id=name,
        module_spec=RLModuleSpec.from_module(learner),
        new_agent_to_module_mapping_fn=lineups(past, players),
        new_should_module_be_updated=[LEARNER],
    )
    # A new module starts with weights of its own, and only those that train are sent to samplers.
    weights = {"rl_module": {name: learner.get_state()}}
    algorithm.set_state({"learner_group": {"learner": weights}})
    algorithm.env_runner_group.foreach_env_runner(lambda runner: runner.set_state(weights))


def main(arguments: Arguments) -> tuple[Any, list[str]]:
    """Trains and evaluates; returns the algorithm and the names of the past selves."""
    if not ray.is_initialized():
        ray.init(address="local", include_dashboard=False)  # joins no cluster of others
    algorithm, past = build(arguments), list[str]()
    for iteration in range(1, arguments.iterations + 1):
        found = algorithm.train()["env_runners"]
        past.append(f"past_{iteration}")
        remember(algorithm, past[-1], past[-arguments.most_past :], arguments.players)
        turns = found["num_env_steps_sampled_lifetime"]
        print(f"{turns:7,.0f} turns, games of {found['episode_len_mean']:.0f}", flush=True)
    if arguments.deals:
        config = GameConfig(arguments.players)
        agent = ModuleAgent(algorithm.get_module(LEARNER), config)
        for opponent in ("random", "greedy"):
            own = evaluate([agent, opponent], deals=arguments.deals, seed=0).agents[0]
            share, points = own.win_share, own.score.mean
            print(
                f"{opponent}: wins {share.mean:.1%} ({share.low:.1%} to {share.high:.1%}) "
                f"with {points:.0f} points a game"
            )
    return algorithm, past


if __name__ == "__main__":
    main(tyro.cli(Arguments))[0].stop()
