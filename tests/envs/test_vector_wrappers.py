"""All of Gymnasium's vector wrappers around `make_vec` as it comes."""

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers import vector as wrappers

WRAPPERS: dict[str, Callable[[Any], Any]] = {
    "VectorizeTransformObservation": lambda envs: wrappers.VectorizeTransformObservation(
        envs,
        gymnasium.wrappers.TransformObservation,
        func=lambda seen: seen,
        observation_space=None,
    ),
    "VectorizeTransformAction": lambda envs: wrappers.VectorizeTransformAction(
        envs, gymnasium.wrappers.TransformAction, func=lambda action: action, action_space=None
    ),
    "VectorizeTransformReward": lambda envs: wrappers.VectorizeTransformReward(
        envs, gymnasium.wrappers.TransformReward, func=lambda reward: reward
    ),
    "DictInfoToList": wrappers.DictInfoToList,
    "TransformObservation": lambda envs: wrappers.TransformObservation(envs, lambda seen: seen),
    "FlattenObservation": wrappers.FlattenObservation,
    "ReshapeObservation": lambda envs: wrappers.ReshapeObservation(
        envs, (*envs.single_observation_space.shape, 1)
    ),
    "RescaleObservation": lambda envs: wrappers.RescaleObservation(envs, 0.0, 1.0),
    "DtypeObservation": lambda envs: wrappers.DtypeObservation(envs, np.float32),
    "NormalizeObservation": wrappers.NormalizeObservation,
    "TransformAction": lambda envs: wrappers.TransformAction(envs, lambda actions: actions),
    "TransformReward": lambda envs: wrappers.TransformReward(envs, lambda rewards: rewards),
    "ClipReward": lambda envs: wrappers.ClipReward(envs, -1.0, 1.0),
    "NormalizeReward": wrappers.NormalizeReward,
    "RecordEpisodeStatistics": wrappers.RecordEpisodeStatistics,
}


@pytest.mark.parametrize("wrap", WRAPPERS.values(), ids=WRAPPERS)
def test_a_wrapper_plays_two_games(wrap: Callable[[Any], Any]) -> None:
    envs: Any = gymnasium.make_vec("gonzaga/Gonzaga-v0", 2, num_players=2)
    assert envs.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    wrapped = wrap(envs)
    wrapped.reset(seed=0)
    ended = np.zeros(2)
    for _ in range(60):
        masks = envs.unwrapped.action_masks()
        observations, _, terminated, _, _ = wrapped.step(masks.argmax(axis=1))
        ended += terminated
        assert len(observations) == 2
    assert (ended >= 2).all()
