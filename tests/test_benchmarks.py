"""The benchmarks' own code at toy sizes; nothing here asserts a time."""

import builtins
import json
import subprocess
import sys
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gonzaga_agents.gonzaga.network.inputs import Inputs
from gonzaga_agents.statistics.leaderboard import published_ratings
from gonzaga_agents.training.collector import RolloutGames
from pettingzoo.test import api_test

from benchmarks import calibration, generated, peers, publish, scale, speed
from benchmarks.common import flow, fresh, measure
from benchmarks.common.measure import Settings, interleave, rate
from benchmarks.common.tables import print_tables, tables
from benchmarks.speeds import releases
from benchmarks.speeds.games import NullEnv, null_env, oracle_games
from benchmarks.speeds.random_games import RANDOM_GAME_STEPS, EngineGames, aec_games
from benchmarks.speeds.rows import OTHER_GAMES, ROWS, Row
from benchmarks.speeds.sections import MARGINS, NUM_STATES, with_margin
from benchmarks.speeds.training import PARTS, NullGames, _new_run
from gonzaga_env import gonzaga_v0
from gonzaga_env.core import Edition, Engine
from gonzaga_env.core.board.geometry import to_axial
from gonzaga_env.core.board.tables import tables_for
from gonzaga_env.core.editions.validate import find_faults
from gonzaga_env.games import DEFAULT_GAME, game_names, game_spec

TOY = Settings(repetitions=1, seconds=0.001, shrink=256)


@pytest.fixture
def run(call):
    """Returns a function that runs a command, see `call`."""
    return lambda *arguments, main=speed.main: call(partial(main, arguments, TOY))


@pytest.fixture(scope="module")
def report(tmp_path_factory) -> dict[str, Any]:
    """The report of everything, measured once, with random rates beside those of releases."""
    monkeypatch = pytest.MonkeyPatch()
    monkeypatch.setattr(releases, "check_out", lambda revision, folder: None)
    monkeypatch.setattr(releases, "play_in", lambda tree, figure, seconds: float(len(figure)))
    out = tmp_path_factory.mktemp("speed") / "results.json"
    code = speed.main(["--out", str(out), "--against", "v1"], TOY)
    monkeypatch.undo()
    found: dict[str, Any] = json.loads(out.read_text())
    assert code == ("missed" in {row["reached"] for row in found["rows"]})
    return found


# ------------------------------------------------------------------ the commands


@pytest.mark.nightly
def test_a_run_has_every_row_and_section(report) -> None:
    assert [row["key"] for row in report["rows"]] == [row.key for row in ROWS]
    for row in report["rows"]:
        assert row["low"] == row["value"] == row["high"] > 0  # one repetition
        assert set(row["figures"]) <= report["figures"].keys()
    for figure in report["figures"].values():
        assert figure.keys() == {"unit", "value", "low", "high"}
    assert {"date", "cpu", "cores", "pinned", "python", "commit"} <= report["machine"].keys()
    assert {"gonzaga-env", "numpy", "pettingzoo"} <= report["machine"]["versions"].keys()


@pytest.mark.nightly
def test_sections_have_their_lines_and_columns(report) -> None:
    found = {
        title.partition(" (")[0]: (headings, lines) for title, headings, lines in tables(report)
    }
    profile = {name: float(value.replace(",", "")) for name, value in found["Profile"][1]}
    parts = ("legality", "mask", "observation", "sampling", "transition", "reset")
    assert sum(profile[part] for part in parts) == pytest.approx(profile["whole"], rel=0.02)
    assert [line[0] for line in found["Agents"][1]] == ["greedy", "planner"]
    assert len(found["Playouts"][1]) == 2
    learning = {line[0]: line[1:] for line in found["Learning"][1]}
    assert learning.keys() == {*PARTS, "ceiling"}
    for column in range(2):
        *parts, whole = (float(learning[part][column].replace(",", "")) for part in PARTS)
        assert sum(parts) == pytest.approx(whole, rel=0.02)
        assert min(parts) >= 0
    assert [line[0] for line in found["Growth in games"][1]] == ["1", "4", "16", "64"]
    assert [line[0] for line in found["Growth in players"][1]] == ["2", "3", "4"]
    hexes = [int(line[0]) for line in found["Growth in hexes"][1]]
    assert hexes == sorted(set(hexes))
    headings, lines = found["Search"]
    sizes = dict.fromkeys(f"N = {TOY.games(n)}" for n in NUM_STATES)
    assert headings == ["search", *sizes]
    assert len(lines) == 11
    assert all(all(line) for line in lines[:-1])


def test_json_is_all_that_stdout_holds(run) -> None:
    code, out, err = run("--only", "lean_1024", "--json")
    found = json.loads(out)
    assert [row["key"] for row in found["rows"]] == ["lean_1024"]
    assert found["figures"].keys() == {"lean_1024", "connect_four"}
    assert code == (found["rows"][0]["reached"] == "missed")
    assert err.splitlines()[-1] == "rows, repetition 1 of 1"


def test_every_other_game_has_its_rows(run, monkeypatch) -> None:
    assert {game.name for game in OTHER_GAMES} <= {*game_names()} - {DEFAULT_GAME}
    programs: list[str] = []
    monkeypatch.setattr(fresh, "run_fresh", lambda code: len(programs.append(code) or code))
    for game in OTHER_GAMES:
        keys = [f"{game.name}_{what}" for what in ("1024", "64", "raw_env", "memory")]
        found = json.loads(run("--only", ",".join(keys), "--json")[1])
        assert [row["key"] for row in found["rows"]] == keys
        assert found["figures"].keys() == {*keys, "connect_four", "memory_numpy"}
        assert found["figures"][keys[-1]]["unit"] == "MB"
        assert any(f'game_spec("{game.name}")' in code for code in programs)


@pytest.mark.parametrize("seconds", [0.1, 1e9])
def test_the_exit_code_says_whether_floors_are_reached(run, monkeypatch, seconds) -> None:
    monkeypatch.setattr(fresh, "run_fresh", lambda _: seconds)
    code, out, _ = run("--only", "import,first_engine")
    assert code == (seconds > 1)
    assert ("missed" in out) == (seconds > 1)


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        (("--only", "warp"), "'warp'"),
        (("--only", ""), "''"),
        (("--repetitions", "0"), "0"),
        (("--repetitions", "many"), "'many'"),
        (("--out", "missing/results.json"), "missing/results.json"),
        (("--out", "."), "--out"),
        (("--fast",), "--fast"),
    ],
)
@pytest.mark.parametrize("main", [speed.main, peers.main], ids=["speed", "peers"])
def test_mistyped_arguments_are_named(run, main, arguments, names) -> None:
    code, out, err = run(*arguments, main=main)
    assert (code, out) == (2, "")
    assert names in err.splitlines()[-1]


def test_a_missing_package_is_named_with_what_brings_it(run, monkeypatch) -> None:
    block_import(monkeypatch, "pettingzoo.classic")
    code, out, err = run("--only", "raw_env")
    assert (code, out) == (2, "")
    assert err.splitlines()[-1].endswith('pip install ".[benchmark]" brings it')


def block_import(monkeypatch: pytest.MonkeyPatch, *packages: str) -> None:
    """Makes imports of some packages fail as if they were not installed."""
    really_import = builtins.__import__

    def guarded(name: str, *args: Any, **kwargs: Any) -> Any:
        if name.startswith(packages):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return really_import(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", guarded)


_FAILED = "speed: a fresh interpreter failed: NameError: x"


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (KeyboardInterrupt(), 130, "speed: interrupted"),
        (OSError("a fresh interpreter failed: NameError: x"), 2, _FAILED),
    ],
)
def test_errors_are_one_line(run, monkeypatch, error, code, message) -> None:
    def fail(_: str) -> float:
        raise error

    monkeypatch.setattr(fresh, "run_fresh", fail)
    found, out, err = run("--only", "import")
    assert (found, out) == (code, "")
    assert err.splitlines()[-1] == message


@pytest.mark.nightly
def test_a_script_pins_itself_and_runs_from_anywhere(tmp_path) -> None:
    command = [sys.executable, speed.__file__, "--only", "import", "--repetitions", "1", "--json"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    found = json.loads(done.stdout)
    assert found["rows"][0]["key"] == "import"
    assert found["machine"]["pinned"] == hasattr(measure.os, "sched_setaffinity")


def test_peers_that_are_not_installed_are_named(run, monkeypatch) -> None:
    block_import(monkeypatch, "catanatron", "pyspiel")
    monkeypatch.setattr(peers, "PEERS", [peer for peer in peers.PEERS if peer[1] != ENGINE_1024])
    code, out, err = run("--only", "gonzaga,OpenSpiel,Catanatron", "--json", main=peers.main)
    assert code == 0
    found = json.loads(out)
    assert [line.partition(" is skipped")[0] for line in found["skipped"]] == [
        "OpenSpiel",
        "Catanatron",
    ]
    for line, package in zip(found["skipped"], ("open-spiel", "catanatron"), strict=True):
        assert line.endswith(f"pip install {package}")
        assert line in err.splitlines()
    assert all(name.startswith("gonzaga") for name in found["figures"])
    assert len(found["figures"]) == 2


ENGINE_1024 = "Engine, N = 1,024"  # takes longest to build


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
def test_verdicts(value, lower_is_better, reached) -> None:
    goal, floor = (15, 30) if lower_is_better else (30, 15)
    assert Row("row", "", "x", goal, floor, ("a", "b"), lower_is_better).verdict(value) == reached


def test_values_are_computed_within_a_repetition() -> None:
    slowed = {"a": [100, 10, 90], "b": [50, 5, 30]}  # one moment was ten times slower, for both
    found = Row("row", "a over b", "x", 2, 1, ("a", "b")).report(slowed)
    assert [found[name] for name in ("value", "low", "high")] == [2, 2, 3]
    assert found["reached"] == "goal"


def test_units_say_what_is_computed() -> None:
    figures = {"a": [5], "b": [4]}
    for unit, value in (("x", 1.25), ("%", 125), ("MB", 1), ("s", 1)):
        assert Row("row", "", unit, 1, 1, ("a", "b")).report(figures)["value"] == value
    assert Row("row", "", "s", 1, 1, ("a",)).report(figures)["value"] == 5


def test_goals_are_beyond_floors() -> None:
    for row in ROWS:
        assert row.verdict(row.goal) == "goal"
        assert row.verdict(row.floor) == "floor"


def test_measurements_are_interleaved() -> None:
    order: list[str] = []

    def once(name: str) -> float:
        order.append(name)
        return len(order)

    measures = {"a": lambda: once("a"), "b": lambda: {"b.x": once("b"), "b.y": 0}}
    found = interleave("test", measures, repetitions=2)
    assert order == ["a", "b", "a", "b"]
    assert found == {"a": [1, 3], "b.x": [2, 4], "b.y": [0, 0]}


def test_rate_counts_what_was_played(monkeypatch) -> None:
    ticks = count()
    monkeypatch.setattr(measure.time, "perf_counter", lambda: next(ticks))
    assert rate(lambda: 10, 3) == 20 / 3  # starts at 0, plays at 1 and 2, stops at 3


# ------------------------------------------------------------------ games


def test_games_of_the_engine_are_spread_over_the_rounds() -> None:
    games = EngineGames(24)
    assert np.sort(games.engine.state.round).tolist() == sorted(list(range(1, 13)) * 2)
    before = games.seen
    assert games.play_round() == 24 * 8
    assert games.seen[0] is before[0]
    assert games.seen[0].any(axis=1).all()


def test_arrays_are_allocated_where_asked() -> None:
    games = EngineGames(1, allocate=True)
    before = games.seen
    games.play_round()
    assert games.seen[0] is not before[0]
    assert games.seen[1] is not before[1]


@pytest.mark.nightly
def test_aec_and_oracle_games_are_played_to_their_end() -> None:
    env = gonzaga_v0.raw_env()
    assert aec_games(env)() == RANDOM_GAME_STEPS
    assert env.game.finished
    assert oracle_games(Engine(2))() == RANDOM_GAME_STEPS


@pytest.mark.filterwarnings("ignore:Observation:UserWarning")  # of Dict observations, and of zeros
def test_the_null_environment_passes_pettingzoos_test() -> None:
    api_test(NullEnv(), num_cycles=RANDOM_GAME_STEPS + 4)


def test_the_null_environment_has_the_same_wrappers() -> None:
    wrapped = null_env()
    inner, original = wrapped, gonzaga_v0.env()
    while inner is not inner.unwrapped:
        assert type(inner) is type(original)
        inner, original = inner.env, original.env
    assert isinstance(inner, NullEnv)
    assert aec_games(wrapped)() == RANDOM_GAME_STEPS


def test_null_games_ask_the_policy_what_games_would() -> None:
    setup = _new_run(2).setup
    games = RolloutGames(replace(setup, options=replace(setup.options, self_play=1.0)), 0, [])
    null, asked, decide = NullGames(games), list[Inputs](), games.policy

    def record(inputs: Inputs) -> Any:
        asked.append(inputs)
        return decide(inputs)

    games.policy = record  # type: ignore[assignment]
    experience = null.collect().experience
    assert len(asked) == 4 * 5 + 1  # four rounds of one plan for all and four placements; one ahead
    seen = Inputs.concatenate(asked[:-1]).arrays()
    for name, array in experience.inputs.arrays().items():
        assert np.array_equal(array, seen[name])
    assert len(experience.chosen) == len(experience.values) == len(seen["numbers"])
    assert experience.returns.any()


@pytest.mark.parametrize("margin", MARGINS)
def test_maps_with_a_margin_are_editions(europe, margin) -> None:
    grown = with_margin(europe, margin)
    assert not find_faults(grown)
    assert (len(grown.grid) > len(europe.grid)) == (margin > 0)
    assert (tables_for(grown) is tables_for(europe)) == (margin == 0)
    assert [grown.mark(site.at) for site in grown.cities] == [
        europe.mark(site.at) for site in europe.cities
    ]
    shifts = np.array(_places(grown)) - _places(europe)
    assert (shifts == shifts[0]).all()


def _places(edition: Edition) -> list[tuple[int, int]]:
    cells = [site.at for site in (*edition.cities, *edition.harbors)]
    cells += [cell for barrier in edition.barriers for edge in barrier.edges for cell in edge]
    return [to_axial(*cell) for cell in cells]


# ------------------------------------------------------------------ what is published


@pytest.mark.nightly
def test_terminal_and_markdown_show_the_same_figures(report, capsys, monkeypatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    print_tables(report)
    printed, published = capsys.readouterr().out, publish.markdown(report)
    for _, headings, lines in tables(report):
        for cell in headings + [cell for line in lines for cell in line[1:]]:
            assert cell in printed
            assert cell in published


def _commit(root: Path, version: str, *, message: str = "Change") -> str:
    """Commits a package of some version; returns the commit."""
    package = root / "gonzaga_env"
    package.mkdir(exist_ok=True)
    (package / "version.py").write_text(f"__version__ = {version!r}\n")
    (package / "code.py").write_text(message)
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b.c", "-C", str(root)]
    for command in (["init", "-q"], ["add", "."], ["commit", "-qm", message]):
        subprocess.run(git + command, check=True)
    head = subprocess.run([*git, "rev-parse", "HEAD"], capture_output=True, text=True, check=True)
    return head.stdout.strip()


def test_the_last_release_is_a_tag_or_a_change_of_the_version(tmp_path) -> None:
    first = _commit(tmp_path, "1.0.0")
    with pytest.raises(OSError, match="knows no release"):
        releases.last_release(tmp_path)
    second = _commit(tmp_path, "1.0.0", message="Go on")
    assert releases.last_release(tmp_path) == first
    _commit(tmp_path, "1.1.0", message="Release")  # a release is compared with the one before
    assert releases.last_release(tmp_path) == first
    subprocess.run(["git", "-C", str(tmp_path), "tag", "v1.0.1", second], check=True)
    assert releases.last_release(tmp_path) == "v1.0.1"


def test_a_release_is_checked_out_without_touching_the_tree(tmp_path) -> None:
    root, folder = tmp_path / "root", tmp_path / "folder"
    root.mkdir()
    folder.mkdir()
    first = _commit(root, "1.0.0", message="before")
    _commit(root, "1.1.0", message="after")
    releases.check_out(first, folder, root)
    assert (folder / "gonzaga_env" / "code.py").read_text() == "before"
    assert (root / "gonzaga_env" / "code.py").read_text() == "after"
    with pytest.raises(OSError, match="knows no 'v9'"):
        releases.check_out("v9", folder, root)


def test_tree_and_release_take_turns(monkeypatch) -> None:
    turns: list[str] = []

    def play_in(tree: str, figure: str, seconds: float) -> float:
        turns.append("tree" if tree == str(releases.ROOT) else "release")
        return float(len(turns))

    monkeypatch.setattr(releases, "check_out", lambda revision, folder: None)
    monkeypatch.setattr(releases, "play_in", play_in)
    found = releases.paired("raw_env", "row", replace(TOY, against="v1"))()
    assert turns == ["tree", "release", "release", "tree"]
    assert found == {"row.tree": 2.5, "row.release": 2.5}


@pytest.mark.parametrize("figure", ["raw_env", "engine_2"])
def test_games_play_in_a_fresh_process_with_the_code_of_a_folder(figure, tmp_path) -> None:
    assert releases.play_in(str(releases.ROOT), figure, 0.01) > 0
    package = tmp_path / "gonzaga_env"
    package.mkdir()
    (package / "__init__.py").write_text("raise SystemExit('the release')")
    with pytest.raises(OSError, match="a fresh interpreter failed: the release"):
        releases.play_in(str(tmp_path), figure, 0.01)


@pytest.mark.nightly
def test_what_lies_beside_the_pages_is_written_where_it_changed(
    report, tmp_path, monkeypatch
) -> None:
    results, ratings = tmp_path / "results.json", tmp_path / "ratings.json"
    results.write_text(json.dumps(report))
    ratings.write_text("old")
    paths = {"RESULTS": results, "RATINGS": ratings, "PICTURE": tmp_path / "speed.png"}
    for name, path in paths.items():
        monkeypatch.setattr(publish, name, path)
    publish.write_beside()
    assert '"greedy": [1000' in ratings.read_text()
    assert (tmp_path / "speed.csv").read_text() == publish.speeds_text(report)
    assert (tmp_path / "speed.png").read_bytes().startswith(b"\x89PNG")
    (tmp_path / "speed.png").unlink()
    publish.write_beside()
    assert not (tmp_path / "speed.png").exists()  # its data are those that it was drawn from
    assert publish.markdown(report) == publish.report_text(results)


def test_the_runs_that_are_kept_are_whole() -> None:
    for path in (publish.RESULTS, publish.PEERS):
        assert json.loads(path.read_text())["settings"]["shrink"] == 1


def test_the_ladder_has_the_ratings_of_the_leaderboard() -> None:
    board = publish.LEADERBOARD.read_text()
    assert publish.RATINGS.read_text() == publish.ratings_text(publish.all_ratings(board))
    assert published_ratings("gonzaga", 2)["planner"] == (1269, 1238, 1305)
    assert published_ratings("gonzaga", 4)["random"] == (-373, None, -373)
    assert [*published_ratings("signorie", 3)][2:] == ["planner", "greedy", "random"]
    assert published_ratings("gonzaga", 7) == {}


def test_ratings_are_shown_as_the_leaderboard_shows_them() -> None:
    rows = "| 1 | `a:b` | at least 1500 | open |\n| 2 | `c` | 1000 | anchor |\n"
    pairs = "| 1 | `a:b` |  | 70.0 |\n| 2 | `c` | at most -20 | open |\n"
    other = f"## Another Game\n\n### 3 players\n\n{rows}"
    board = (
        f"# Board\n\n{other}\n## Gonzaga\n\n### 2 players\n\n{rows}\n### 4 players\n\n{rows}{pairs}"
    )
    shown = publish.ratings(board)
    assert shown.splitlines() == [
        "| players | `c` | `a:b` |",
        "| ---: | ---: | ---: |",
        "| 2 | 1000 | at least 1500 |",
        "| 4 | at most -20 | at least 1500 |",
    ]
    assert publish.ratings(board, "Another Game").splitlines()[2:] == [
        "| 3 | 1000 | at least 1500 |"
    ]


def test_policies_are_measured_on_maps_of_each_style(capsys) -> None:
    assert generated.main(["policies", "--maps", "1", "--deals", "2"]) == 0
    told = capsys.readouterr().out
    assert [told.count(style) > 0 for style in ("europe", "perturb", "grow")] == [True] * 3
    assert told.count("fair 0.500") == 3


def test_the_calibration_of_a_game_goes_into_its_part_of_a_page(tmp_path, monkeypatch) -> None:
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- tuscany -->\nold\n<!-- end tuscany -->\nafter\n")
    monkeypatch.setattr(flow, "AGENTS", ("random",))
    two = replace(game_spec("tuscany"), players=(2,))
    monkeypatch.setattr(calibration, "game_spec", lambda name: two)
    assert calibration.main(["--game", "tuscany", "--games", "3", "--page", str(page)]) == 0
    text = page.read_text()
    assert text.startswith("before\n")
    assert text.endswith("\nafter\n")
    assert "old" not in text
    lengths, points, options, choices = (
        [line.split(" | ") for line in block.splitlines() if line.startswith("| ")][2:]
        for block in text.split("\n**")[1:]
    )
    assert [row[:2] for row in lengths] == [["| 2", "random"]]
    played = flow.play_flow(two, two.config(num_players=2), "random", 3, 0)
    assert lengths[0][2:4] == [
        f"{played.decisions.mean():.0f}",
        f"{played.decisions.min()} to {played.decisions.max()}",
    ]
    assert played.chosen.sum() == played.decisions.sum()
    assert (played.legal.sum() / played.decisions.sum()) == played.num_legal
    assert len(points[0]) == 2 + len(two.sources)
    assert [row[0] for row in options] == [
        *("| draw_base = 3", "| round_end = lap", "| final_turns = lap_then_one"),
        *("| colour_bonus = ranked", "| bonus_gains = tiles", "| storage_points = setup"),
        "| hexagon_same_turn = True",
    ]
    assert "| `draw" in {row[0].rstrip("`") for row in choices}


def test_the_model_of_many_cores_names_what_is_used_most() -> None:
    figures = {"chunk.play_s": 1.0, "chunk.keep_s": 0.01, "chunk.result_bytes": 1000.0}
    figures |= {"local.hand_out_s": 0.5, "ray.hand_out_s": 0.01}
    used = scale.limits(figures, "tournament", 100)
    assert used["process that hands out chunks"] == pytest.approx(2)
    assert used["its network"] == pytest.approx(100 * 1000 / 125e6)
    figures |= {"rollout.play_s": 2.0, "rollout.learn_s": 1.0, "rollout.bytes": 125e6}
    figures |= {"rollout.unpickle_s": 0.1, "weights.bytes": 0.0}
    assert scale.limits(figures, "training", 4)["learner's network"] == pytest.approx(2)
    rows = scale.lines(figures)
    assert "| learner, 4.0 times |" in next(
        row for row in rows if row.startswith("| training | 8 ")
    )
    remedies = {
        name for kind in ("tournament", "training") for name in scale.limits(figures, kind, 8)
    }
    assert remedies == set(scale.REMEDIES)
