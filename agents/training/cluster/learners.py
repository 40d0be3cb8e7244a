"""Several learners: this process and Ray actors, which share every minibatch.

Each one has the whole experience, from the object store, and takes its part of every minibatch;
torch's DistributedDataParallel averages the gradients. So all take the steps that one learner would
take. The actors get weights, optimizer and random state with each update: they keep no state of
their own, and after a loss the update is done again from its beginning.

Ray Train is not used: it would own the loop, which evaluates, saves and orders rollouts too.
"""

from __future__ import annotations

import copy
import warnings
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import ray
import torch
from ray.exceptions import RayTaskError
from stable_baselines3.common.logger import Logger
from torch import Tensor, distributed, nn
from torch.distributed import TCPStore  # type: ignore[attr-defined]
from torch.nn.parallel import DistributedDataParallel

from ...common.memory import keep_freed_memory
from ..policy import ChoicePolicy, SelfPlayPPO
from ..self_play import Experience
from .actors import LOSSES, Remote

_SECONDS = 120  # for another learner to be as far as this one


class Learners:
    """The learner of this process, and others that are started with the first update."""

    def __init__(
        self, model: SelfPlayPPO, make: Callable[[], SelfPlayPPO], num_learners: int
    ) -> None:
        """Starts the other processes.

        Args:
            model: this process's learner, which counts.
            make: makes a learner of the same policy; it must pickle.
            num_learners: in all.
        """
        self._model, self._number, self._is_joined = model, num_learners, False
        self._others = [
            Remote(partial(OtherLearner, make), f"the actor of learner {rank}")
            for rank in range(1, num_learners)
        ]

    def learn_from(self, experience: Experience, progress: float) -> None:
        """Updates the policy (see `SelfPlayPPO.learn_from`).

        Raises:
            ClusterError: a node has another version of this package.
            WorkerDiedError: processes were lost again and again.
        """
        before, stored = _state_of(self._model), ray.put(experience)
        state = ray.put(before)
        while True:
            try:
                self._join()
                answers = [o.call("learn_from", state, stored, progress) for o in self._others]
                self._model.learn_from(experience, progress)
                ray.get(answers)
            except (RuntimeError, LOSSES) as error:  # gloo's errors are RuntimeErrors
                _set_state(self._model, before)
                self._replace_lost(error)
            else:
                for other in self._others:
                    other.succeed()
                return

    def _join(self) -> None:
        """Connects the learners with each other."""
        if self._is_joined:
            return
        for other in self._others:
            other.check()
        util: Any = ray.util
        host = util.get_node_ip_address()
        store = _store(host, 0, self._number, is_first=True)
        place = host, store.port, self._number
        answers = [o.call("join", *place, rank) for rank, o in enumerate(self._others, start=1)]
        _join(self._model, store, 0, self._number)
        ray.get(answers)
        self._is_joined = True

    def _replace_lost(self, error: Exception) -> None:
        """Replaces all others: a learner can't see which of them failed.

        Raises:
            Exception: no process was lost.
        """
        self._leave()
        cause = error.cause if isinstance(error, RayTaskError) else error
        if not isinstance(cause, (RuntimeError, LOSSES)):
            raise cause
        for other in self._others:
            other.replace(cause)

    def _leave(self) -> None:
        self._is_joined = False
        self._model.share, self._model.evaluate = (0, 1), self._model.policy.evaluate_choices
        if distributed.is_initialized():
            distributed.destroy_process_group()

    def stop(self) -> None:
        """Ends the others."""
        self._leave()
        for other in self._others:
            other.stop()


class OtherLearner:
    """A learner on an actor."""

    def __init__(self, make: Callable[[], SelfPlayPPO]) -> None:
        # Experience in the object store is read-only, and is only read.
        warnings.filterwarnings("ignore", "The given NumPy array is not writable")
        keep_freed_memory()
        self._model = make()
        self._model.set_logger(Logger(None, []))

    def join(self, host: str, port: int, number: int, rank: int) -> None:
        """Connects to the others."""
        _join(self._model, _store(host, port, number, is_first=False), rank, number)

    def learn_from(self, state: dict[str, Any], experience: Experience, progress: float) -> None:
        """Takes its part in an update that starts from a state."""
        _set_state(self._model, state)
        self._model.learn_from(experience, progress)


class _Evaluation(nn.Module):
    """What DistributedDataParallel calls."""

    def __init__(self, policy: ChoicePolicy) -> None:
        super().__init__()
        self.policy = policy

    def forward(self, batch: Any, chosen: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Returns what `evaluate_choices` does."""
        return self.policy.evaluate_choices(batch, chosen)


def _store(host: str, port: int, number: int, *, is_first: bool) -> TCPStore:
    """Returns the table by which learners find each other; port 0 takes any that is free."""
    seconds = timedelta(seconds=_SECONDS)
    return TCPStore(host, port, number, is_first, seconds, wait_for_workers=False)


def _join(model: SelfPlayPPO, store: TCPStore, rank: int, number: int) -> None:
    """Lets a model learn as one of several."""
    distributed.init_process_group(
        "gloo", store=store, rank=rank, world_size=number, timeout=timedelta(seconds=_SECONDS)
    )
    model.share = rank, number
    model.evaluate = DistributedDataParallel(_Evaluation(model.policy))


def _state_of(model: SelfPlayPPO) -> dict[str, Any]:
    """Returns a copy of all that an update changes or depends on."""
    policy = model.policy
    found = policy.state_dict(), policy.optimizer.state_dict()
    weights, optimizer = copy.deepcopy(found)
    random = torch.get_rng_state()
    return {"weights": weights, "optimizer": optimizer, "random": random, "n": model._n_updates}


def _set_state(model: SelfPlayPPO, state: dict[str, Any]) -> None:
    model.policy.load_state_dict(state["weights"])
    model.policy.optimizer.load_state_dict(copy.deepcopy(state["optimizer"]))
    torch.set_rng_state(state["random"].clone())
    model._n_updates = state["n"]
