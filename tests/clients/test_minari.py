"""Minari: a dataset is collected, and the environment recovered from it."""

from pathlib import Path

import gymnasium
import numpy as np
import pytest

from gonzaga_env.core import Rules
from tests.clients.client import ID, QUIET, need, run_examples

minari = need("minari")
pytestmark = QUIET


def test_a_dataset_recovers_its_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    options = {"rules": {"sea_league": "first_only"}, "opponents": ["random", None]}
    env = minari.DataCollector(gymnasium.make(ID, num_players=2, **options), record_infos=True)
    first, num_turns = [], 0
    for seed in range(2):
        observation, info = env.reset(seed=seed)
        first.append(observation)
        over = False
        while not over:
            _, _, over, _, info = env.step(int(info["action_mask"].argmax()))
            num_turns += 1
    env.create_dataset("gonzaga/test-v0", algorithm_name="first legal", description="two games")
    dataset = minari.load_dataset("gonzaga/test-v0")
    assert (dataset.total_episodes, dataset.total_steps) == (2, num_turns)
    for seed, episode in enumerate(dataset):
        assert (episode.observations[0] == first[seed]).all()
        assert episode.infos["scores"].shape == (len(episode.actions) + 1, 6)
    recovered = dataset.recover_environment()
    assert recovered.unwrapped.game.rules == Rules(sea_league="first_only")
    assert np.array_equal(recovered.reset(seed=1)[0], first[1])


def test_the_example_of_the_documents_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    run_examples("Minari")
