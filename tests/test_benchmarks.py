"""The benchmarks' own code at toy sizes; nothing here asserts a time.

The extra `test` brings what a whole run needs (connect_four draws with pygame), so nothing is left
out.
"""

from __future__ import annotations

import builtins
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test

from benchmarks import plot, processes, publish, rows, speed
from benchmarks.contestants import RANDOM_GAME_STEPS
from benchmarks.door import RESULTS, CommandError, run_command
from benchmarks.growth import MARGINS, with_margin
from benchmarks.learning import Stopwatch
from benchmarks.machine import one_core
from benchmarks.null_env import NullEnv, in_place_of
from benchmarks.players import AecGames, EngineGames, OracleGames, rate
from benchmarks.rows import ROWS, Row, result, verdict
from gonzaga_env import gonzaga_v0
from gonzaga_env.core import Engine
from gonzaga_env.core.board.tables import tables_for
from gonzaga_env.core.edition import Edition
from gonzaga_env.core.editions.validate import find_faults
from gonzaga_env.core.geometry import to_axial

DOOR = Path(speed.__file__)
TOY = ("--repetitions", "1", "--seconds", "0.001", "--shrink", "256")
STATISTICS = {"value", "low", "high"}


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]):
    """Returns a function that runs the command: (exit code, stdout, stderr)."""

    def call(*arguments: str) -> tuple[int, str, str]:
        try:
            code = speed.main(arguments)
        except SystemExit as stop:  # how the command line's parser refuses
            code = int(stop.code or 0)
        return code, *capsys.readouterr()

    return call


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Everything, measured once: what goes to the file."""
    out = tmp_path_factory.mktemp("speed") / "results.json"
    code = speed.main([*TOY, "--out", str(out)])
    found: dict[str, Any] = json.loads(out.read_text())
    assert code == ("missed" in {row["reached"] for row in found["rows"]})
    return found


# ------------------------------------------------------------------ the whole command


def test_a_run_has_every_row_with_every_field(report: dict[str, Any]) -> None:
    assert [row["key"] for row in report["rows"]] == [row.key for row in ROWS]
    for row, printed in zip(ROWS, report["rows"], strict=True):
        assert printed.keys() == STATISTICS | {
            *("key", "what", "unit", "goal", "floor", "lower_is_better", "reached", "measured")
        }
        assert (printed["goal"], printed["floor"]) == (row.goal, row.floor)
        assert printed["low"] == printed["value"] == printed["high"] > 0  # one repetition
        assert tuple(printed["measured"]) == row.figures
        for figure in printed["measured"].values():
            assert figure.keys() == STATISTICS | {"unit"}
            assert figure["value"] > 0
    assert {"cpu", "cores", "python", "versions"} <= report["machine"].keys()
    assert {"numpy", "pettingzoo"} <= report["machine"]["versions"].keys()
    assert report["settings"] == {"repetitions": 1, "seconds": 0.001, "shrink": 256}


def test_a_run_tells_where_time_goes_and_how_it_grows(report: dict[str, Any]) -> None:
    profile, growth = report["profile"], report["growth"]
    parts = sum(part["value"] for part in profile["parts"].values())
    assert parts == pytest.approx(profile["whole"]["value"], rel=0.01)
    engine = Engine()
    assert profile["bytes"] == engine.actions.size + engine.features.size
    assert [point["games"] for point in growth["games"]] == [1, 4, 16, 64]
    assert [point["players"] for point in growth["players"]] == [2, 3, 4]
    hexes = [point["hexes"] for point in growth["hexes"]]
    assert hexes == sorted(set(hexes))
    for point in growth["games"] + growth["players"] + growth["hexes"]:
        assert point["observed"].keys() == point["lean"].keys() == STATISTICS


def test_json_is_all_that_stdout_holds(run) -> None:
    code, out, err = run(*TOY, "--only", "lean_1024", "--json")
    assert code in (0, 1)
    found = json.loads(out)
    assert [row["key"] for row in found["rows"]] == ["lean_1024"]
    assert "growth" not in found
    assert err.splitlines()[-1] == "speed: repetition 1 of 1"


def test_tables_show_what_was_measured(run) -> None:
    _, out, _ = run(*TOY, "--only", "import,profile")
    assert re.search(r"import +0\.\d+ s .* (goal|floor|missed)", out)
    for part in ("legality", "transition", "whole"):
        assert re.search(rf"{part} +-?\d", out)


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        (("--only", "engine_1024,warp"), "'warp'"),
        (("--only", ""), "''"),
        (("--repetitions", "0"), "'0'"),
        (("--repetitions", "2.5"), "'2.5'"),
        (("--repetitions", "many"), "'many'"),
        (("--seconds", "nan"), "'nan'"),
        (("--out", "missing/results.json"), "missing is missing"),
        (("--out", "."), "is a folder"),
        (("--fast",), "--fast"),
    ],
)
def test_a_mistake_is_told_in_one_line(run, arguments: tuple[str, ...], names: str) -> None:
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1
    assert err.startswith("speed: ")
    assert names in err


def test_a_missing_package_is_told_with_what_brings_it(
    run, monkeypatch: pytest.MonkeyPatch
) -> None:
    really_import = builtins.__import__

    def without_pygame(name: str, *args: Any, **kwargs: Any) -> Any:
        if name.startswith("pettingzoo.classic"):
            raise ModuleNotFoundError("No module named 'pygame'", name="pygame")
        return really_import(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without_pygame)
    code, out, err = run(*TOY, "--only", "raw_env", "--json")
    assert (code, out) == (2, "")
    last = err.splitlines()[-1]
    assert last == 'speed: pygame is not installed; pip install ".[benchmark]" brings it'


def test_ctrl_c_ends_in_one_line(run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(_: str) -> float:
        raise KeyboardInterrupt

    monkeypatch.setattr(processes, "_run", interrupt)
    code, out, err = run(*TOY, "--only", "import")
    assert (code, out) == (130, "")
    assert err.splitlines() == ["speed: building import", "speed: interrupted"]


def test_a_script_finds_its_modules_from_anywhere(tmp_path: Path) -> None:
    command = [sys.executable, DOOR, *TOY, "--only", "oracle", "--json"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    assert json.loads(done.stdout)["rows"][0]["key"] == "oracle"


# ------------------------------------------------------------------ rows


@pytest.mark.parametrize(
    ("value", "lower_is_better", "reached"),
    [
        (30, False, "goal"),
        (29.9, False, "floor"),
        (15, False, "floor"),
        (14.9, False, "missed"),
        (15, True, "goal"),
        (15.1, True, "floor"),
        (30, True, "floor"),
        (30.1, True, "missed"),
    ],
)
def test_verdicts(value: float, lower_is_better: bool, reached: str) -> None:
    goal, floor = (15, 30) if lower_is_better else (30, 15)
    assert verdict(value, goal, floor, lower_is_better=lower_is_better) == reached


def test_ratios_are_taken_within_a_repetition() -> None:
    row = Row("row", "of a and b", "x", 2, 1, ("a", "b.part"), rows.ratio)
    assert row.contestants == ("a", "b")
    slowed = [{"a": 100, "b.part": 50}, {"a": 10, "b.part": 5}, {"a": 90, "b.part": 30}]
    found = result(row, slowed)  # one moment was ten times slower, for both
    assert [found[name] for name in ("value", "low", "high")] == [2, 2, 3]
    assert found["measured"]["a"]["value"] == 90
    assert found["reached"] == "goal"


def test_goals_are_beyond_floors() -> None:
    for row in ROWS:
        assert verdict(row.goal, row.goal, row.floor, lower_is_better=row.lower_is_better) == "goal"
        floor = verdict(row.floor, row.goal, row.floor, lower_is_better=row.lower_is_better)
        assert floor == "floor"
    assert rows.percent(1, 4) == 25
    assert rows.difference(5, 3) == 2


# ------------------------------------------------------------------ contestants


def test_games_of_the_engine_are_spread_over_the_rounds() -> None:
    games = EngineGames(24, observed=True)
    rounds = np.sort(games.engine.state.round)
    assert rounds.tolist() == sorted(list(range(1, 13)) * 2)
    assert games.play_round() == 24 * 8
    assert (games.mask.sum(axis=1) > 0).all()
    assert games.observation.any()


def test_rate_counts_what_was_played() -> None:
    played: list[int] = []

    def play() -> int:
        played.append(1)
        return 5

    assert rate(play, 0) > 0
    assert played == [1]


def test_an_aec_game_is_played_to_its_end() -> None:
    games = AecGames(gonzaga_v0.raw_env())
    assert games.play_game() == RANDOM_GAME_STEPS
    assert games.env.engine.state.finished.all()


def test_the_oracle_plays_the_engines_deals() -> None:
    games = OracleGames(Engine(2))
    assert games.play_game() == RANDOM_GAME_STEPS


@pytest.mark.filterwarnings(  # PettingZoo warns of every Dict observation, and of empty ones
    "ignore:Observation:UserWarning"
)
def test_the_null_environment_passes_pettingzoos_test() -> None:
    api_test(NullEnv(gonzaga_v0.raw_env(), num_steps=12), num_cycles=40)


def test_the_null_environment_goes_through_the_same_wrappers() -> None:
    wrapped = in_place_of(gonzaga_v0.env(), num_steps=RANDOM_GAME_STEPS)
    inner, original = wrapped, gonzaga_v0.env()
    while inner is not inner.unwrapped:
        assert type(inner) is type(original)
        inner, original = inner.env, original.env
    assert isinstance(inner, NullEnv)
    assert AecGames(wrapped).play_game() == RANDOM_GAME_STEPS
    wrapped.reset()
    for agent in wrapped.agent_iter():  # to the very end, as api_test does not in wrappers
        observation, reward, terminated, _, info = wrapped.last()
        assert (reward, info) == (0, {})
        assert observation["action_mask"].all()
        wrapped.step(None if terminated else wrapped.action_space(agent).sample())
    assert not wrapped.agents


def test_calls_within_calls_are_timed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = iter(range(100))
    monkeypatch.setattr("benchmarks.learning.time.perf_counter", lambda: next(ticks))
    watch = Stopwatch()
    inner = watch.around(lambda: "found")
    assert watch.around(lambda: inner())() == "found"
    assert watch.seconds == 1


def test_a_failing_interpreter_is_told_by_its_last_line() -> None:
    with pytest.raises(CommandError, match="ZeroDivisionError"):
        processes._run("1 / 0")
    assert run_command("speed", lambda: int(processes._run("1 / 0"))) == 2


def test_one_core_is_given_back() -> None:
    def found() -> tuple[Any, str | None]:
        cores = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else None
        return cores, os.environ.get("OMP_NUM_THREADS")

    before = found()
    with one_core():
        cores, threads = found()
        assert threads == "1"
        assert cores is None or len(cores) == 1
    assert found() == before


@pytest.mark.parametrize("margin", MARGINS)
def test_maps_with_a_margin_are_editions(europe: Edition, margin: int) -> None:
    grown = with_margin(europe, margin)
    assert not find_faults(grown)
    land = [sum(grown.mark(cell) in grown.regions for cell in grown.grid.cells)]
    assert land == [sum(europe.mark(cell) in europe.regions for cell in europe.grid.cells)]
    assert (len(grown.grid) > len(europe.grid)) == (margin > 0)
    assert (tables_for(grown) is tables_for(europe)) == (margin == 0)


def test_a_margin_moves_everything_alike(europe: Edition) -> None:
    def places(edition: Edition) -> np.ndarray:
        cells = [site.at for site in (*edition.cities, *edition.harbors)]
        cells += [cell for barrier in edition.barriers for edge in barrier.edges for cell in edge]
        return np.array([to_axial(*cell) for cell in cells])

    for margin in (1, 2):  # were an odd number of rows put in the north, rows would be sheared
        grown = with_margin(europe, margin)
        moved = places(grown) - places(europe)
        assert (moved == moved[0]).all()
        assert [grown.mark(site.at) for site in grown.cities] == [
            europe.mark(site.at) for site in europe.cities
        ]


# ------------------------------------------------------------------ what is published


def test_the_documents_show_the_run_that_is_kept() -> None:
    kept = json.loads(RESULTS.read_text())
    text = publish.README.read_text()
    assert publish.with_figures(text, kept) == text
    assert [row["key"] for row in kept["rows"]] == [row.key for row in ROWS]
    assert kept["settings"]["shrink"] == 1


def test_links_of_the_readme_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", publish.README.read_text()):
        assert (publish.README.parent / target).exists(), target


def test_figures_replace_those_before(report: dict[str, Any]) -> None:
    once = publish.with_figures(f"before {publish.START} old {publish.END} after", report)
    assert once.startswith("before ")
    assert once.endswith(" after")
    assert "old" not in once
    assert publish.with_figures(once, report) == once
    for row in ROWS:
        assert f"`{row.key}`" in once


def test_the_picture_is_drawn(
    report: dict[str, Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    results, picture = tmp_path / "results.json", tmp_path / "speed.png"
    results.write_text(json.dumps(report))
    monkeypatch.setattr(sys, "argv", ["plot", str(results), str(picture)])
    assert plot.main() == 0
    assert picture.read_bytes().startswith(b"\x89PNG")
    results.write_text(json.dumps({"rows": []}))
    assert plot.main() == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
