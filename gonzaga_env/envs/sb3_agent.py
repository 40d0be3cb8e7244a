"""A model of Stable-Baselines3 as an agent."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from gonzaga_env.envs.environment import KEYS, Layout, MaskDtype
from gonzaga_env.kernel.errors import OptionError
from gonzaga_env.kernel.spec import Config


class SB3Agent:
    """Plays what a model such as sb3-contrib's MaskablePPO has learned.

    Illegal actions are never drawn, so models without masks play too. The model may go on learning:
    the agent always plays its current policy.

    It takes a model, not a file: a model's zip holds pickles, and `MaskablePPO.load` runs whatever
    code is in them. Load only files that you trust.

    Attributes:
        name: the model's class.
    """

    def __init__(self, model: Any, config: Config, deterministic: bool = False) -> None:
        """Takes a model that learned in one of this package's environments.

        Args:
            model: of a class with a distribution over actions: PPO, A2C, MaskablePPO.
            config: what is played.
            deterministic: plays the most probable action instead of drawing one.

        Raises:
            OptionError: a model of another class, or one that learned another game.
        """
        self.name = type(model).__name__
        if not callable(getattr(model.policy, "get_distribution", None)):
            raise OptionError(
                f"model is {self.name}, which has no distribution over actions; "
                "it takes PPO, A2C or MaskablePPO"
            )
        self._model, self._deterministic = model, deterministic
        self._layout = _layout_of(model, config)

    def act(
        self,
        observations: NDArray[np.uint8],
        masks: NDArray[np.bool_],
        rng: np.random.Generator,
    ) -> NDArray[np.int64]:
        """Returns a legal action for each row, [M] (see `Agent.act`)."""
        chosen = self._logits(self._layout.observation(observations, masks))[masks]
        if not self._deterministic:  # the highest of logits with Gumbel noise is a draw by softmax
            chosen += rng.gumbel(size=len(chosen)).astype(np.float32)
        scores = np.full(masks.shape, -np.inf, dtype=np.float32)
        scores[masks] = chosen
        return scores.argmax(axis=1)

    def _logits(self, observations: Any) -> NDArray[np.float32]:
        """Returns the policy's logits of all actions, [M, A]."""
        import torch  # which the model has imported

        policy, normalise = self._model.policy, self._model.get_vec_normalize_env()
        if normalise is not None:
            observations = normalise.normalize_obs(observations)
        policy.set_training_mode(False)
        with torch.no_grad():
            inputs, _ = policy.obs_to_tensor(observations)
            logits = policy.get_distribution(inputs).distribution.logits
        return np.asarray(logits.cpu(), dtype=np.float32)

    def __repr__(self) -> str:
        return f"<SB3Agent {self.name!r}>"


def _layout_of(model: Any, config: Config) -> Layout:
    """Returns how the environments that a model learned in hand observations out.

    Raises:
        OptionError: they are not environments of this game.
    """
    space, size = model.observation_space, config.actions.size
    if isinstance(space, spaces.Dict) and len(space) == 2:
        keys = sorted(space, key=lambda key: bool(space[key].shape == (size,)))
        observed, mask = (space[key] for key in keys)
        dtype: MaskDtype = "bool" if mask.dtype == np.bool_ else "int8"
        normalised = observed.dtype == np.float32
        found = Layout(config.features, size, "observation", keys, normalised, dtype)
    else:
        found = Layout(config.features, size, "info", KEYS, space.dtype == np.float32)
    num_actions = getattr(model.action_space, "n", None)
    if found.space != space or num_actions != size:
        raise OptionError(
            f"model takes {space} and {num_actions} actions; {config.summary} takes "
            f"{found.space} and {size} actions"
        )
    return found
