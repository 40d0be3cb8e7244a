"""Minari: every seat of every game is an episode."""

import os
import shutil
from pathlib import Path

import numpy as np
import pytest
from gonzaga_agents.dataset import Dataset, DatasetError, load

from gonzaga_env.tabletop.errors import OptionError

minari = pytest.importorskip("minari", reason='needs Minari: pip install "minari[create,hdf5]"')
pytest.importorskip("h5py")
pytestmark = pytest.mark.filterwarnings("ignore:::minari", "ignore:.*env_checker")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path / "minari"))


def test_every_seat_is_an_episode(dataset: Dataset) -> None:
    from gonzaga_agents.dataset.minari import write_minari

    steps = write_minari(dataset, "gonzaga/test-v0")
    found = minari.load_dataset("gonzaga/test-v0")
    assert (found.total_episodes, found.total_steps) == (60, steps)
    batches = load(dataset.path, batch_size=10**6)
    (games,) = list(batches)
    for number in (0, 1, 2, 59):
        game, seat = divmod(number, 2)
        rows = (games["game"] == game) & (games["seat"] == seat)
        episode = found[number]
        assert (episode.actions == games["action"][rows]).all()
        assert (episode.rewards == games["reward"][rows].astype(np.float64)).all()
        assert (episode.observations["observation"][:-1] == games["observation"][rows]).all()
        assert (episode.observations["action_mask"][:-1] == games["action_mask"][rows]).all()
        assert not episode.observations["action_mask"][-1].any()
        assert episode.terminations.tolist() == [False] * (rows.sum() - 1) + [True]
        (about,) = found.storage.get_episode_metadata([number])
        agent = batches.agents[games["agent"][rows][0]]
        assert (about["game"], about["seat"], about["agent"]) == (game, seat, agent)
        assert about["seed"] == games["seed"][rows][0]
    env = found.recover_environment()
    assert env.observation_space == found.spec.observation_space


def test_a_name_that_is_taken_and_damage_leave_minari_as_it_was(
    dataset: Dataset, tmp_path: Path
) -> None:
    from gonzaga_agents.dataset.minari import write_minari

    copy = Path(shutil.copytree(dataset.path, tmp_path / "copy"))
    last = copy / "games/00002.games"
    last.write_bytes(last.read_bytes()[:-1])
    damaged = type(dataset)(copy, dataset.about, dataset.config)
    with pytest.raises(DatasetError, match="is damaged"):
        write_minari(damaged, "gonzaga/test-v0")
    assert "gonzaga/test-v0" not in minari.list_local_datasets()
    assert not [path for path in (tmp_path / "minari").rglob("*") if path.is_file()]
    with pytest.raises(OptionError, match="name is 'test'; it takes one such as gonzaga/planner"):
        write_minari(dataset, "test")
    write_minari(dataset, "gonzaga/test-v0")
    with pytest.raises(DatasetError, match="has a data set gonzaga/test-v0 already"):
        write_minari(dataset, "gonzaga/test-v0")


def test_what_a_killed_process_left_is_no_data_set_and_goes(
    dataset: Dataset, tmp_path: Path
) -> None:
    """Half a data set once stayed under its name, where nothing tells it from a whole one."""
    module = pytest.importorskip("gonzaga_agents.dataset.minari")

    def kill(done: int, total: int) -> None:
        os._exit(9)

    if not (child := os.fork()):
        module.write_minari(dataset, "gonzaga/test-v0", on_progress=kill)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9
    assert [*(tmp_path / "minari" / ".gonzaga_env").iterdir()]
    assert minari.list_local_datasets() == {}
    module.write_minari(dataset, "gonzaga/test-v0")
    assert [*minari.list_local_datasets()] == ["gonzaga/test-v0"]
    assert module.list_local_namespaces() == ["gonzaga"]
    assert not [*(tmp_path / "minari" / ".gonzaga_env").iterdir()]
