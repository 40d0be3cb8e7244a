"""Learning the weights of facts: the same by seed, better than before, and as a command."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from gonzaga_agents import make_agent
from gonzaga_agents.commands import train
from gonzaga_agents.heuristics.linear import LEAST_TEMPERATURE, READERS, LinearAgent, read_linear
from gonzaga_agents.play.evaluate import play_match
from gonzaga_agents.registry import checkpoint_edition, checkpoint_players
from gonzaga_agents.training.curve import read_curve
from gonzaga_agents.training.linear import Learner, _Games, advantages, draw

import gonzaga_env
from gonzaga_env.core import GameConfig
from gonzaga_env.games import game_spec
from gonzaga_env.kernel.agent import agent_name


@pytest.mark.parametrize("game", sorted(READERS))
def test_a_seed_decides_everything(game: str) -> None:
    config = game_spec(game).config(num_players=2)
    found = []
    for seed in (1, 1, 2):
        learner = Learner(config, timesteps=200, num_games=4, seed=seed)
        while not learner.is_done:
            learner.update()
        found.append(learner.policy)
    assert np.array_equal(found[0].weights, found[1].weights)
    assert found[0].temperature == found[1].temperature
    assert not np.array_equal(found[0].weights, found[2].weights)
    assert np.isfinite(found[0].weights).all()


def test_it_learns() -> None:
    config = GameConfig(2, edition="mini-d2-objectives")
    learner = Learner(config, timesteps=20_000, num_games=64, seed=0)
    untrained = LinearAgent(config, learner.policy)
    while not learner.is_done:
        figures = learner.update()
    assert figures["explained_variance"] > 0.1
    agents = [LinearAgent(config, learner.policy), untrained]
    match = play_match(config, agents, [0, 1], num_deals=200, seed=3)
    assert match.win_shares[:, match.seating == 0].mean() > 0.6


def test_advantages_are_generalised_over_the_periods_of_one_player() -> None:
    players = np.array([0, 1, 0, 0])
    values, margins = np.array([1, 5, 3, 2], np.float32), np.array([10, -10, 10, 10], np.float32)
    found = advantages(players, values, margins, 0.5)
    last, middle = 10 - 2, (2 - 3) + 0.5 * 8
    assert found.tolist() == [(3 - 1) + 0.5 * middle, -15, middle, last]
    assert np.allclose(advantages(players, values, margins, 1.0), margins - values)


def test_choices_are_drawn_by_their_chances() -> None:
    rows = np.repeat(np.arange(30_000), 3)
    chances = np.tile(np.array([0.2, 0.0, 0.8], np.float32), 30_000)
    drawn = draw(rows, chances, np.random.default_rng(0))
    assert (drawn // 3 == np.arange(30_000)).all()
    shares = np.bincount(drawn % 3, minlength=3) / 30_000
    assert np.abs(shares - [0.2, 0, 0.8]).max() < 0.01
    assert shares[1] == 0


def test_the_command_learns_saves_and_evaluates(run, tmp_path: Path) -> None:
    words = "--learner", "linear", "--edition", "mini-a2", "--timesteps", "500", "--num-games", "8"
    code, told, shown = run("--players", "2", *words, "--out", tmp_path / "run")
    assert code == 0
    points = [point.turns for point in read_curve(tmp_path / "run" / "curve.json")]
    assert points[0] == 0
    assert points[1:] == sorted({*points[1:]})
    assert shown.startswith("untrained: wins of 2 games against greedy")
    assert "1 x planner" in told
    assert f"gonzaga evaluate {tmp_path / 'run'} greedy --edition mini-a2" in told
    about = json.loads((tmp_path / "run" / "linear_2.json").read_text())
    assert 500 <= about["timesteps"] < 1000
    run_folder = str(tmp_path / "run")
    assert checkpoint_players(run_folder) == 2
    assert checkpoint_edition(run_folder) == "mini-a2"
    agent = make_agent(run_folder, GameConfig(2))
    assert isinstance(agent, LinearAgent)
    found = read_linear(GameConfig(2), tmp_path / "run")
    assert np.array_equal(agent.policy.weights, found.weights)
    assert agent.name == "linear:run (made for another edition)"
    assert agent_name(make_agent(run_folder, GameConfig(2, edition="mini-a2"))) == "linear:run"


def test_games_that_are_tied_teach_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    play = _Games.play
    tied = lambda games: (found := play(games))._replace(margins=found.margins * 0)  # noqa: E731
    monkeypatch.setattr(_Games, "play", tied)
    learner = Learner(GameConfig(2, edition="mini-a2"), timesteps=10**6, seed=0, num_games=4)
    for _ in range(3):
        figures = learner.update()
        assert np.isfinite([*figures.values()]).all()
    assert learner.policy.temperature == LEAST_TEMPERATURE


def test_a_run_keeps_where_its_edition_lies(
    run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped = Path(gonzaga_env.__file__).parent / "data" / "editions"
    shutil.copytree(shipped / "mini-a2", tmp_path / "map")
    monkeypatch.chdir(tmp_path)
    words = "--timesteps", "1", "--num-games", "4", "--eval-deals", "0", "--players", "2"
    code, *_ = run("--learner", "linear", "--edition", "map", *words, "--out", "run")
    assert code == 0
    assert checkpoint_edition("run") == str(tmp_path / "map")
    (tmp_path / "mini-a2").mkdir()  # which is not the map of this name
    run("--learner", "linear", "--edition", "mini-a2", *words, "--out", "other")
    assert checkpoint_edition("other") == "mini-a2"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--prior", "none"), "prior is given with --learner linear"),
        (("--average",), "average is given with --learner linear"),
        (("--resume",), "resume is given with --learner linear"),
        (("--timesteps", "0"), "timesteps is 0; it takes 1 or more"),
        (("--edition", "generated:train"), "edition is generated:train, a set"),
    ],
)
def test_options_of_networks_are_refused(run, tmp_path: Path, words, told: str) -> None:
    code, _, complaint = run("--learner", "linear", *words, "--out", tmp_path / "run")
    assert code == 2
    assert told in complaint
    (tmp_path / "file").touch()
    code, _, complaint = run("--learner", "linear", "--out", tmp_path)
    assert "is not an empty folder" in complaint


def test_a_training_that_was_killed_is_no_obstacle(run, tmp_path: Path) -> None:
    for name in (".lock", "curve.json"):
        (tmp_path / name).touch()
    words = "--edition", "mini-a2", "--timesteps", "1", "--num-games", "4", "--players", "2"
    assert run("--learner", "linear", *words, "--out", tmp_path)[0] == 0


def test_a_signal_while_weights_are_written_loses_none(
    run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write, signals = train.write_linear, iter([KeyboardInterrupt])

    def interrupted(*given: object) -> Path:
        for signal in signals:
            raise signal
        return write(*given)

    monkeypatch.setattr(train, "write_linear", interrupted)
    words = "--edition", "mini-a2", "--timesteps", "1", "--num-games", "4", "--players", "2"
    assert run("--learner", "linear", *words, "--eval-deals", "0", "--out", tmp_path)[0] == 130
    read_linear(GameConfig(2, edition="mini-a2"), tmp_path)


def test_an_interrupt_keeps_what_was_learned(
    run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    update = Learner.update

    def interrupted(learner: Learner) -> dict[str, float]:
        figures = update(learner)
        if learner.turns > 200:
            raise KeyboardInterrupt
        return figures

    monkeypatch.setattr(Learner, "update", interrupted)
    words = "--learner", "linear", "--players", "2", "--num-games", "4", "--out", tmp_path
    code, _, told = run(*words)
    assert code == 130
    assert "interrupted; " in told
    assert np.abs(read_linear(GameConfig(2), tmp_path).weights).sum() > 1
