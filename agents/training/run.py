"""A training run: rollouts, updates, evaluations and checkpoints."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path

import numpy as np
import torch
from torch import nn

from gonzaga_env.games import game_spec
from gonzaga_env.kernel.agent import agent_name
from gonzaga_env.kernel.errors import GameError, OptionError

from ..executors import connect, num_cores, open_executor
from ..network.agent import NetworkAgent
from ..network.checkpoint import (
    CheckpointError,
    check_fits,
    learning_member,
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
from ..network.networks import TorchForward, trainable_network
from ..processes import keep_freed_memory
from ..registry import make_agent
from .collector import Collector
from .curve import Curve, Point, interval, play_opponents
from .league import MOST_PAST, new_league
from .ppo import PPO
from .progress import EventWriter, ProgressReport, diagnose, write_samples
from .resume import checkpoint_to_resume, load_optimizer
from .sb3 import checkpoint_zip
from .self_play import Result, RolloutRequest, Snapshot, new_policy, weights_of
from .setup import Setup

_SNAPSHOTS = 40  # past selves that a run adds to its league
_DIAGNOSE_EVERY = 20  # updates
_SAMPLE_GAMES = 2  # recorded at each checkpoint


class Run:
    """Training in one folder.

    Attributes:
        setup: what it is made of.
        out: the folder.
        ppo: the policy and its optimizer.
        turns: the learner's turns so far.
        seconds: that training took so far, without evaluations.
    """

    def __init__(self, setup: Setup, out: Path, *, resume: bool) -> None:
        """Builds everything, or what the folder's checkpoint holds; nothing is written yet.

        Raises:
            GameError: an opponent or an option that does not exist, or a checkpoint that does
                not fit.
        """
        self.out, self.turns, self.seconds = out, 0, 0.0
        config = setup.config
        checkpoint = checkpoint_to_resume(out)[0] if resume else setup.start
        if checkpoint is not None:
            description = check_fits(checkpoint, config, any_edition=bool(setup.maps))
            if (prior := prior_of(description)) != setup.prior:
                raise CheckpointError(f"{checkpoint}: made for prior {prior}, not {setup.prior}")
            setup = replace(setup, width=description["network"]["width"])
        self.setup = setup
        if resume:
            self.turns, self.seconds = int(description["timesteps"]), float(description["seconds"])
            if self.turns >= setup.timesteps:
                given = f"{self.turns} turns of {setup.timesteps}"
                raise OptionError(f"{given} are done; raise --timesteps")
        # A resumed run plays other deals than the first part.
        seeds = np.random.SeedSequence([setup.seed, self.turns])
        self._seed = int(seeds.generate_state(1)[0])
        torch.manual_seed(self._seed)
        self._reader = trainable_network(config, setup.prior).reader(config)
        self.ppo = PPO(
            new_policy(setup, self._reader),
            self._reader.training,
            learning_rate=setup.learning_rate,
            minibatch=setup.minibatch,
            entropy=setup.entropy,
            average=setup.average,
        )
        if checkpoint is not None:
            self._load(checkpoint, resume=resume)
        self._opponents = [make_agent(spec, config) for spec in setup.eval_against]
        self._past = list(islice(self._read_past(), MOST_PAST))[::-1]
        new_league(setup)  # raises errors now
        self._collector: Collector | None = None
        self._remember, self._requested_at = False, 0
        self._num_updates = 0

    @property
    def network(self) -> nn.Module:
        """The network that plays: the one that learns, or the mean of its weights."""
        return self.ppo.mean.network

    def learner(self) -> NetworkAgent:
        """Returns the agent that plays the current policy."""
        setup, forward = self.setup, TorchForward(self.network)
        return NetworkAgent(
            self._reader, forward, "learner", True, setup.reward, setup.reward_scale
        )

    def learn(self) -> None:
        """Trains to the end.

        Raises:
            KeyboardInterrupt: training was interrupted; the policy keeps what it has learned.
            WorkerError: games could not be played on.
            GameError: weights became NaN or infinite.
            OSError: a file cannot be written.
        """
        setup, disconnect = self.setup, None
        keep_freed_memory()
        if setup.executor == "ray":
            disconnect = connect(num_cpus=max(setup.collectors + 1, num_cores()))
        events = EventWriter(self.out / EVENTS)
        report = ProgressReport(setup.timesteps, self.turns)
        curve = Curve(self.out, setup.config.num_players, self.turns)
        snapshot_every = max(setup.timesteps // _SNAPSHOTS, 1)
        try:
            if not self.turns:
                self._sample()
                events.write(self._evaluate(curve, report), 0)
            while self.turns < setup.timesteps:
                before, started = self.turns, time.monotonic()
                results, figures = self._update()
                self._check_learned(before)
                self.ppo.average(self.turns / (self.turns - before))
                figures |= report.update(self.turns, results)
                if self.turns // snapshot_every > before // snapshot_every:
                    self._remember = True
                self.seconds += time.monotonic() - started
                over = self.turns >= setup.timesteps
                if over or self.turns // setup.checkpoint_every > before // setup.checkpoint_every:
                    self.save()
                    self._sample()
                    figures |= self._evaluate(curve, report)
                events.write(figures, self.turns)
        finally:
            if self._collector is not None:
                self._collector.stop()
                self._collector = None
            if disconnect is not None:
                disconnect()
            report.stop()
            events.close()

    def _update(self) -> tuple[list[Result], dict[str, float]]:
        """Learns from some turns; returns the games that finished in them, and figures."""
        setup, policy = self.setup, self.ppo.policy
        self._num_updates += 1
        policy.eval()
        if self._collector is None:
            self._collector = Collector(setup, self._seed, self._past)
            self._request_rollout(self._collector)
        experience, results = self._collector.finish()
        staleness = self._num_updates - self._requested_at
        if self.turns + len(experience) < setup.timesteps:
            self._request_rollout(self._collector)  # played while this one is learned from
        figures = self.ppo.learn(experience, self.turns / setup.timesteps)
        figures["train/staleness"] = staleness
        if self._num_updates % _DIAGNOSE_EVERY == 0:
            figures |= diagnose(policy, experience, game_spec(setup.config.game).kinds)
        self.turns += len(experience)
        return results, figures

    def _request_rollout(self, collector: Collector) -> None:
        """Has the next rollout played with the current policy."""
        turns = self.turns if self._remember else None
        collector.start(RolloutRequest(weights_of(self.ppo.policy), turns))
        self._remember, self._requested_at = False, self._num_updates

    def _check_learned(self, before: int) -> None:
        """Raises GameError if an update has spoiled the weights or the optimizer."""
        moments = self.ppo.optimizer.state_dict()["state"].values()
        weights = self.ppo.policy.state_dict().values()
        tensors = chain(weights, *(found.values() for found in moments))
        if not all(torch.isfinite(tensor).all() for tensor in tensors):
            saved = numbered_checkpoints(self.out)
            kept = f"the last good checkpoint is {saved[-1]}" if saved else "nothing was saved"
            raise GameError(
                f"learning failed between {before:,} and {self.turns:,} turns: weights became NaN "
                f"or infinite; {kept}"
            )

    def save(self) -> Path:
        """Writes a checkpoint, by its turns and as the latest, and the policy as numpy plays it.

        Returns:
            The path of the latest checkpoint.
        """
        setup, latest = self.setup, self.out / CHECKPOINT
        about = {
            "prior": setup.prior,
            "opponents": list(setup.opponents),
            "network": {"width": setup.width},
            "reward": setup.reward,
            "reward_scale": setup.reward_scale,
            "timesteps": self.turns,
            "seconds": self.seconds,
            "arguments": setup.arguments,
        }
        if setup.maps:
            name = setup.arguments["edition"]
            about |= {"edition": name, ALSO_PLAYS: setup.config.edition_set(name)}
        model = checkpoint_zip(self.ppo, setup.config, setup.prior, setup.width)
        for path in (numbered_checkpoint(self.out, self.turns), latest):
            save_checkpoint(path, model, setup.config, about)
        write_policy(self.out / POLICY, network_weights(latest), read_description(latest))
        return latest

    def _load(self, checkpoint: Path, *, resume: bool) -> None:
        """Takes over the weights of a checkpoint, and on resuming the optimizer's state."""
        weights = read_weights(checkpoint)
        learning = read_weights(checkpoint, learning_member(checkpoint)) if resume else weights
        try:
            self.ppo.mean.load_state_dict(weights)
            self.ppo.policy.load_state_dict(learning)
        except (KeyError, TypeError, ValueError, RuntimeError) as error:
            raise CheckpointError(f"{checkpoint}: the weights do not fit this network") from error
        if resume:
            load_optimizer(checkpoint, self.ppo.optimizer)

    def _sample(self) -> None:
        """Records games of the policy against itself, numbered by turns as checkpoints are."""
        self.ppo.policy.eval()
        path = self.out / SAMPLES / f"{self.turns:010d}.jsonl"
        write_samples(path, self.setup.config, self.learner(), _SAMPLE_GAMES)

    def _evaluate(self, curve: Curve, report: ProgressReport) -> dict[str, float]:
        """Shows the win share against agents, always on the same deals; returns figures."""
        setup, deals = self.setup, self.setup.eval_deals
        if not deals:
            return {}
        self.ppo.policy.eval()
        if setup.executor == "ray":  # opponents at the same time
            learner = NetworkAgent(self._reader, TorchForward(self.network), "learner")
            with open_executor("ray") as executor:
                found = play_opponents(setup.config, learner, setup.eval_against, deals, executor)
        else:
            found = play_opponents(setup.config, self.learner(), self._opponents, deals)
        against, figures = {}, {}
        for agent, (own_summary, _) in zip(self._opponents, found, strict=True):
            name = agent_name(agent)
            against[name] = interval(own_summary.win_share)
            figures[f"eval/{name}_win_share"] = own_summary.win_share.mean
            figures[f"eval/{name}_score"] = own_summary.score.mean
        curve.add(Point(self.turns, round(self.seconds, 1), against))
        games = deals * setup.config.num_players
        shares = ", ".join(f"{name} {share[0]:.1%}" for name, share in against.items())
        report.print(f"evaluation, not exploring, wins of {games} games each: {shares}")
        return figures

    def _read_past(self) -> Iterator[Snapshot]:
        """Yields past selves from the numbered checkpoints that are whole, the newest first."""
        for path in reversed(numbered_checkpoints(self.out) if self.turns else []):
            if int(path.stem) <= self.turns:
                with suppress(CheckpointError, ValueError):
                    weights = network_weights(path)
                    self._reader.numpy_forward(weights)  # refuses those of another network
                    yield Snapshot(int(path.stem), weights)
