"""One training run: games, learning, snapshots and checkpoints."""

from __future__ import annotations

import copy
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Any

import numpy as np
import torch
from stable_baselines3.common.logger import Logger
from torch import nn

from gonzaga_env.core.editions.generating import digests_of
from gonzaga_env.games import game_spec
from gonzaga_env.kernel.agent import agent_name
from gonzaga_env.kernel.errors import GameError, OptionError

from ..network.agent import NetworkAgent
from ..network.checkpoint import (
    CheckpointError,
    check_fits,
    network_weights,
    read_description,
    read_weights,
    save_checkpoint,
)
from ..network.description import (
    ALSO_PLAYS,
    CHECKPOINT,
    EVENTS,
    POLICY,
    SAMPLES,
    numbered_checkpoint,
    numbered_checkpoints,
    prior_of,
)
from ..network.learned import write_policy
from ..network.parts import TorchForward, network_parts
from ..play.jobs import connect, num_cores, open_executor
from ..play.summary import AgentSummary
from ..processes import keep_freed_memory
from ..registry import make_agent
from .collector import MOST_PAST, Collector, Order, Past, new_collector, new_league, weights_of
from .curve import Curve, Point, interval, strength
from .expert import Expert, Imitation
from .options import Setup
from .policy import SelfPlayPPO
from .progress import EventWriter, Report, diagnose, write_samples
from .resume import checkpoint_to_resume, load_optimizer
from .self_play import Result

_LAST_LEARNING_RATE = 0.1  # of the first
_SNAPSHOTS = 40  # past selves that a run adds to its league
_EXPERT_GAMES, _EXPERT_PLAYOUTS = 64, 64
_DIAGNOSE_EVERY = 20  # updates
_SAMPLE_GAMES = 2  # recorded at each checkpoint
_PPO: dict[str, Any] = {
    "gamma": 1.0,  # games are short, and a point counts the same whenever it is scored
    "vf_coef": 0.5,
}


class Run:
    """Training in one folder.

    Attributes:
        setup: what it is made of.
        out: the folder.
        model: stable-baselines3's model.
        seconds: that training took so far, without evaluations.
    """

    def __init__(self, setup: Setup, out: Path, *, resume: bool) -> None:
        """Builds everything; nothing is written yet.

        Args:
            setup: what it is made of.
            out: the folder.
            resume: whether to continue from the folder's checkpoint.

        Raises:
            GameError: an opponent or an option that does not exist, or a checkpoint that does
                not fit.
        """
        self.setup, self.out, self.seconds = setup, out, 0.0
        config, options, done = setup.config, setup.options, 0
        checkpoint = checkpoint_to_resume(out)[0] if resume else setup.start
        if checkpoint is not None:
            description = check_fits(checkpoint, config, any_edition=bool(setup.maps))
            if (prior := prior_of(description)) != options.prior:
                raise CheckpointError(f"{checkpoint}: made for prior {prior}, not {options.prior}")
            found, wanted = description["network"], {"width": setup.width}
            if found != wanted:
                raise CheckpointError(f"{checkpoint}: made for network {found}, not {wanted}")
        if resume:
            done, self.seconds = int(description["timesteps"]), float(description["seconds"])
            if done >= setup.timesteps:
                raise OptionError(f"{done} turns of {setup.timesteps} are done; raise --timesteps")
        # A resumed run plays other deals than the first part.
        seed = int(np.random.SeedSequence([options.seed, done]).generate_state(1)[0])
        self._reader = network_parts(config, options.prior).reader(config)
        self.model = new_model(setup, seed)
        if checkpoint is not None:
            self._load(checkpoint, resume=resume)
        self.model.num_timesteps = done
        self._against = [make_agent(spec, config) for spec in setup.eval_against]
        past = list(islice(self._past(), MOST_PAST))[::-1]
        new_league(setup)  # raises errors now
        self._new_collector = partial(new_collector, setup, seed, past)
        self._collector: Collector | None = None
        self._remember, self._order_update = False, 0
        self._kinds = game_spec(config.game).kinds
        self._expert = None
        if options.imitate:
            self._expert = Expert(
                config,
                self.learner(),
                playouts=_EXPERT_PLAYOUTS,
                num_games=_EXPERT_GAMES,
                reward=options.reward,
                reward_scale=setup.reward_scale,
                seed=seed,
            )
        self._imitation = Imitation(self.model.policy)
        self._num_updates = 0

    @property
    def network(self) -> nn.Module:
        """The network that learns."""
        return self.model.policy.network

    @property
    def turns(self) -> int:
        """The learner's turns so far."""
        return self.model.num_timesteps

    def learner(self) -> NetworkAgent:
        """Returns the agent that plays the current policy."""
        setup, forward = self.setup, TorchForward(self.network)
        return NetworkAgent(
            self._reader, forward, "learner", True, setup.options.reward, setup.reward_scale
        )

    def learn(self) -> None:
        """Trains to the end.

        Raises:
            KeyboardInterrupt: training was interrupted; the model keeps what it has learned.
            WorkerError: games could not be played on.
            GameError: weights became NaN or infinite.
            OSError: a file cannot be written.
        """
        setup, options, model = self.setup, self.setup.options, self.model
        keep_freed_memory()
        disconnect = None
        if options.executor == "ray":
            disconnect = connect(num_cpus=max(options.collectors + 1, num_cores()))
        model.set_logger(Logger(None, [EventWriter(self.out / EVENTS)]))
        report = Report(setup.timesteps, self.turns)
        curve = Curve(self.out, setup.config.num_players, self.turns)
        snapshot_every = max(setup.timesteps // _SNAPSHOTS, 1)
        try:
            if not self.turns:
                self._sample()
                self._evaluate(curve, report)
                model.logger.dump(0)
            while self.turns < setup.timesteps:
                before, started = self.turns, time.monotonic()
                results = self._update()
                self._check_learned(before)
                report.update(self.turns, results, model.logger)
                if self.turns // snapshot_every > before // snapshot_every:
                    self._remember = True
                self.seconds += time.monotonic() - started
                over = self.turns >= setup.timesteps
                if over or self.turns // setup.checkpoint_every > before // setup.checkpoint_every:
                    self.save()
                    self._sample()
                    self._evaluate(curve, report)
                model.logger.dump(self.turns)
        finally:
            self._stop()
            if disconnect is not None:
                disconnect()
            report.stop()
            model.logger.close()

    def _update(self) -> list[Result]:
        """Learns from some turns; returns the games that finished in them."""
        setup, options, model = self.setup, self.setup.options, self.model
        self._num_updates += 1
        model.policy.set_training_mode(False)
        if self._expert and self.turns < options.imitate:
            labels = self._expert.play()
            rate = _learning_rate(options.learning_rate, 1 - self.turns / options.imitate)
            for name, figure in self._imitation.learn_from(labels, rate).items():
                model.logger.record(name, figure)
            model.num_timesteps += len(labels)
            return []
        if self._collector is None:
            self._collector = self._new_collector()
            self._collect(self._collector)
        experience, results = self._collector.finish()
        model.logger.record("train/staleness", self._num_updates - self._order_update)
        if self.turns + len(experience) < setup.timesteps:
            self._collect(self._collector)
        progress = (self.turns - options.imitate) / (setup.timesteps - options.imitate)
        model.learn_from(experience, progress)
        if self._num_updates % _DIAGNOSE_EVERY == 0:
            for name, figure in diagnose(model.policy, experience, self._kinds).items():
                model.logger.record(name, figure)
        model.num_timesteps += len(experience)
        return results

    def _check_learned(self, before: int) -> None:
        """Raises GameError if an update has spoiled the weights or the optimizer."""
        policy = self.model.policy
        optimizer = policy.optimizer.state_dict()["state"].values()
        tensors = [*policy.state_dict().values(), *chain(*(found.values() for found in optimizer))]
        if not all(torch.isfinite(tensor).all() for tensor in tensors):
            saved = numbered_checkpoints(self.out)
            kept = f"the last good checkpoint is {saved[-1]}" if saved else "nothing was saved"
            raise GameError(
                f"learning failed between {before:,} and {self.turns:,} turns: weights became NaN "
                f"or infinite; {kept}"
            )

    def _collect(self, collector: Collector) -> None:
        """Has the next rollout played with the current policy."""
        policy, turns = self.model.policy, self.turns if self._remember else None
        collector.start(Order(weights_of(policy.network), weights_of(policy.critic), turns))
        self._remember, self._order_update = False, self._num_updates

    def _stop(self) -> None:
        """Stops playing games."""
        if self._collector is not None:
            self._collector.stop()
            self._collector = None

    def save(self) -> Path:
        """Writes a checkpoint, by its turns and as the latest, and the policy as numpy plays it.

        Returns:
            The path of the latest checkpoint.
        """
        setup = self.setup
        about: dict[str, Any] = {
            "prior": setup.options.prior,
            "opponents": list(setup.opponents),
            "network": {"width": setup.width},
            "reward": setup.options.reward,
            "reward_scale": setup.reward_scale,
            "seconds": self.seconds,
            "arguments": setup.arguments,
        }
        if setup.maps:
            about |= {"edition": setup.arguments["edition"], ALSO_PLAYS: digests_of(setup.maps)}
        for path in (numbered_checkpoint(self.out, self.turns), self.out / CHECKPOINT):
            save_checkpoint(path, self.model, setup.config, about)
        latest = self.out / CHECKPOINT
        write_policy(self.out / POLICY, network_weights(latest), read_description(latest))
        return latest

    def _load(self, checkpoint: Path, *, resume: bool) -> None:
        """Takes over the weights of a checkpoint, and on resuming the optimizer's state."""
        policy, weights = self.model.policy, read_weights(checkpoint)
        try:
            policy.load_state_dict(weights)
        except (KeyError, TypeError, ValueError, RuntimeError) as error:
            raise CheckpointError(f"{checkpoint}: the weights do not fit this network") from error
        if resume:
            load_optimizer(checkpoint, policy.optimizer)

    def _sample(self) -> None:
        """Records games of the policy against itself, numbered by turns as checkpoints are."""
        self.model.policy.set_training_mode(False)
        path = self.out / SAMPLES / f"{self.turns:010d}.jsonl"
        write_samples(path, self.setup.config, self.learner(), _SAMPLE_GAMES)

    def _evaluate(self, curve: Curve, report: Report) -> None:
        """Logs and shows the win share against agents, always on the same deals."""
        setup = self.setup
        if not setup.eval_deals:
            return
        self.model.policy.set_training_mode(False)
        results = self._meet_opponents()
        against = {}
        for agent, (own, _) in zip(self._against, results, strict=True):
            name = agent_name(agent)
            against[name] = interval(own.win_share)
            self.model.logger.record(f"eval/{name}_win_share", own.win_share.mean)
            self.model.logger.record(f"eval/{name}_score", own.score.mean)
        curve.add(Point(self.turns, round(self.seconds, 1), against))
        games = setup.eval_deals * setup.config.num_players
        shares = ", ".join(f"{name} {share[0]:.1%}" for name, share in against.items())
        report.print(f"evaluation, not exploring, wins of {games} games each: {shares}")

    def _meet_opponents(self) -> list[tuple[AgentSummary, AgentSummary]]:
        """Plays the policy against each opponent, on a Ray cluster at the same time."""
        setup, deals = self.setup, self.setup.eval_deals
        if setup.options.executor != "ray":
            return strength(setup.config, self.learner(), self._against, deals)
        own = copy.deepcopy(self.network).cpu()  # nodes may have no GPU
        learner = NetworkAgent(self._reader, TorchForward(own), "learner")
        with open_executor("ray") as executor:
            return strength(setup.config, learner, setup.eval_against, deals, executor)

    def _past(self) -> Iterator[Past]:
        """Yields past selves from the numbered checkpoints that are whole, the newest first."""
        for path in reversed(numbered_checkpoints(self.out) if self.turns else []):
            if int(path.stem) <= self.turns:
                with suppress(CheckpointError, ValueError):
                    weights = network_weights(path)
                    self._reader.plain(weights)  # refuses those of another network
                    yield Past(int(path.stem), weights)


def new_model(setup: Setup, seed: int) -> SelfPlayPPO:
    """Returns an untrained model."""
    parts = network_parts(setup.config, setup.options.prior)
    return SelfPlayPPO(
        parts,
        parts.reader(setup.config),
        setup.width,
        learning_rate=partial(_learning_rate, setup.options.learning_rate),
        batch_size=setup.minibatch,
        seed=seed,
        device=setup.torch_device,
        **_PPO,
    )


def _learning_rate(first: float, remaining: float) -> float:
    """Returns the learning rate when this fraction of the training remains, 1 to 0."""
    last = _LAST_LEARNING_RATE * first
    return last + (first - last) * max(remaining, 0.0)
