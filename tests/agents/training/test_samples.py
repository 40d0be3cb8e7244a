"""Sample games at checkpoints: records of the policy, which training does not notice."""

from dataclasses import replace
from pathlib import Path

import pytest
from gonzaga_agents.commands.train import train
from gonzaga_agents.network.checkpoint import load_agent
from gonzaga_agents.training.progress import write_samples

from gonzaga_env.__main__ import main
from gonzaga_env.core import GameConfig
from gonzaga_env.core.spec import replay
from gonzaga_env.kernel.records import read_records
from tests.agents.training import toys

TOY = replace(toys.TOY, timesteps=128)


def run(out: Path, **changes: object) -> Path:
    assert train(replace(TOY, out=out, **changes)) == 0  # type: ignore[arg-type]
    return out


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return run(tmp_path_factory.mktemp("runs") / "run")


def test_games_are_recorded_at_each_checkpoint(
    trained: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = sorted((trained / "games").iterdir())
    assert [path.name for path in files] == [f"{n:010d}.jsonl" for n in (0, 64, 128)]
    for path in files:
        records = list(read_records(path))
        assert [record["seed"] for record in records] == [0, 1]
        for record in records:
            assert record["agents"] == ["learner", "learner"]
            replay(record)
    assert main(["show", str(files[-1]), "--game", "2", "--out", str(trained / "a.html")]) == 0
    assert main(["replay", str(files[-1])]) == 0
    assert "2 games verified, 0 wrong" in capsys.readouterr().out


def test_they_are_the_games_of_the_checkpoint(trained: Path, tmp_path: Path) -> None:
    config = GameConfig(2)
    for turns in (64, 128):
        name = f"{turns:010d}"
        agent = load_agent(trained / "checkpoints" / f"{name}.zip", config)
        write_samples(tmp_path / "games" / name, config, agent, 2)
        again = read_records(tmp_path / "games" / name)
        for one, other in zip(
            read_records(trained / "games" / f"{name}.jsonl"), again, strict=True
        ):
            assert one["moves"] == other["moves"]
