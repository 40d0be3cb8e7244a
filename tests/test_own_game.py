"""Every command takes the game of another package, which is found by its entry point."""

import json
import re
import shlex
import sys
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import copytree, ignore_patterns
from typing import Any

import jsonschema
import numpy as np
import pytest
from gonzaga_agents import cli
from gonzaga_agents.dataset import command as dataset
from gonzaga_agents.dataset import load
from gonzaga_table.mcp import Games

from gonzaga_env import games, text
from gonzaga_env.command_line import run_command
from gonzaga_env.tabletop.errors import IllegalActionError
from tests.table.web.served import DEADLINE, Served, serving

EXAMPLE = Path(__file__).parents[1] / "examples/your_game"
RANDOM_BOT = Path(__file__).parents[1] / "examples/bots/random_bot.py"
GAME = "liars_dice"
Call = Callable[..., tuple[int, str, str]]

AGENTS = """
class Caller:
    name = "caller"
    def __init__(self, config): ...
    def act(self, observations, masks, rng):
        return masks.argmax(axis=1)
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Installs the example of the tutorial in a folder of its own; returns the current folder."""
    installed, here = tmp_path / "installed", tmp_path / "here"
    about = installed / f"{GAME}-1.0.dist-info"
    about.mkdir(parents=True)
    here.mkdir()
    copytree(EXAMPLE, installed / "your_package", ignore=ignore_patterns("__pycache__"))
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {GAME}\nVersion: 1.0\n")
    entry = f"{GAME} = your_package.{GAME}:SPEC"
    (about / "entry_points.txt").write_text(f"[gonzaga_env.games]\n{entry}\n")
    (here / "mine.py").write_text(AGENTS)
    monkeypatch.setattr(games, "_ADDED", {})
    for name in [name for name in sys.modules if name.partition(".")[0] == "your_package"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.syspath_prepend(installed)
    monkeypatch.chdir(here)
    return here


@pytest.fixture
def records(package: Path, call: Call) -> str:
    """Returns a file of records of the game."""
    game = ("--game", GAME, "--seed", 1, "--deals", 2)
    code, out, _ = call(cli.evaluate, "mine.py:Caller", "random", *game, "--records", "all.jsonl")
    assert code == 0
    assert "2 deals in 2 seat rotations: 4 games" in out
    return "all.jsonl"


def test_records_are_replayed_shown_and_summed_up(
    records: str, gonzaga: Call, package: Path
) -> None:
    assert gonzaga("replay", records) == (0, f"{records}: 4 games verified, 0 wrong\n", "")
    code, out, err = gonzaga("show", records, "--game", 2, typed="n\nq\n")
    assert (code, err) == (0, "")
    assert re.search(r"Liar's dice\nNow: round 1, \w+( \d)?: ", out)
    assert "Last: " in out
    assert "caller: 5 points (dice 5)" in out
    for name in ("a.html", "a.svg", "a.txt"):
        assert gonzaga("show", records, "--out", name, "--move", 1)[:2] == (0, f"wrote {name}\n")
    assert "dice 5" in Path("a.html").read_text()
    assert "S DICE" in Path("a.svg").read_text()
    assert "Liar's dice, edition" in Path("a.txt").read_text()
    assert "Liar's dice" in gonzaga("stats", records)[1]


def test_records_are_analysed(records: str, gonzaga: Call) -> None:
    code, out, err = gonzaga("analyse", records, "--game", 1, "--out", "found.jsonl")
    assert (code, err) == (0, "")
    assert out.startswith("all.jsonl, game 1: ")
    chances = np.array(json.loads(Path("found.jsonl").read_text())["chances"])
    assert np.allclose(chances.sum(axis=1), 1)
    assert 0.1 < chances[0, 0] < 0.9


def test_bots_and_texts_take_it(records: str, gonzaga: Call, call: Call, package: Path) -> None:
    bot = f"cmd:{shlex.quote(sys.executable)} {shlex.quote(str(RANDOM_BOT))}"
    code, out, err = gonzaga("bot", "check", bot, "--game", GAME)
    assert (code, err) == (0, "")
    assert out.endswith("4 whole games on all seats: finished\nno faults\n")
    spec = games.game_spec(GAME)
    game = spec.game.from_config(spec.config(num_players=3))
    assert "Actions look like: 1 x 1;" in text.rules_text(GAME)
    assert text.parse_action(game, "Action: 2 X 3!") == game.actions.parse("2 x 3")
    with pytest.raises(IllegalActionError, match="L3"):
        text.parse_action(game, "liar")
    tables = Games()
    played, seat = tables.at(tables.start(GAME, ["random"], 0, None))
    assert (seat, played.session.names[1]) == (0, "random")
    content = json.loads(json.dumps(text.view_json(game.view(0))))
    jsonschema.validate(content, text.view_schema(GAME))


def test_it_is_played_at_the_terminal(package: Path, gonzaga: Call) -> None:
    typed = "help\n1 x 1\n\nhint\nquit\n"
    code, out, _ = gonzaga("play", "terminal", "--game", GAME, "--seed", 4, typed=typed)
    assert code == 0
    assert "You are Player 1." in out
    assert "1 x 6" in out
    assert "The game was left after" in out
    code, _, err = gonzaga("play", "terminal", "--game", "chess")
    assert (code, err.count("\n")) == (2, 1)
    assert "gonzaga, tuscany, signorie, liars_dice" in err


@pytest.fixture
def served(package: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    """Runs `gonzaga play` where the package is installed."""
    pytest.importorskip("uvicorn", reason='needs uvicorn: pip install ".[web]"')
    monkeypatch.setenv("PYTHONPATH", str(package.parent / "installed"))
    with serving(package) as running:
        yield running


def test_a_whole_game_is_played_over_the_api(served: Served) -> None:
    """A person follows greedy's hints against greedy, to a record that is replayed."""

    def ask(path: str, body: Any = None, **headers: str) -> Any:
        data = None if body is None else json.dumps(body).encode()
        asked = urllib.request.Request(f"{served.address}/api/{path}", data, headers)
        with urllib.request.urlopen(asked, timeout=DEADLINE) as answer:
            return json.load(answer)

    (game,) = (one for one in ask("options")["games"] if one["name"] == GAME)
    assert game["agents"] == ["random", "greedy"]
    assert game["summary"].startswith("All roll five dice in secret.")
    seats = {"edition": f"{GAME}/standard", "num_players": 2, "seats": ["human", "greedy"]}
    opened = ask("tables", seats, **{"Content-Type": "application/json"})
    own = {"Authorization": f"Bearer {opened['seats'][0]['token']}"}
    table, looked = f"tables/{opened['table']}", ask(f"tables/{opened['table']}", **own)
    said: set[str] = set()
    while not looked["over"]:
        if looked["turn"] is not None:
            best = ask(f"{table}/hint?agent=greedy", **own)["choices"][0]
            said |= {reason["text"] for reason in best["reasons"] if reason["kind"] == "said"}
            move = {"move": looked["moves"], "action": best["action"]}
            ask(f"{table}/moves", move, **own, **{"Content-Type": "application/json"})
        looked = ask(f"{table}?since={looked['moves'] + (looked['turn'] is None)}&wait=5", **own)
    assert any(text.endswith("of them expected") for text in said)
    blocks = ask(table, **own)["frames"][-1]["blocks"]
    dice = [block for block in blocks if block["name"] == "dice"]
    assert [bool(block["svg"]) for block in dice] in ([True, False], [False, True])  # the winner's
    record = ask(f"{table}/record", **own)
    assert record["game"] == GAME
    spec = games.game_spec(GAME)
    assert spec.replay is not None
    assert spec.replay(record).finished


@pytest.mark.smoke
def test_a_turn_is_taken_in_the_browser(served: Served, chromium: Any) -> None:
    context = chromium.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(DEADLINE * 1000)
    errors: list[str] = []
    page = context.new_page()
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda said: said.type == "error" and errors.append(said.text))
    page.goto(served.address)
    page.check(f"#games input[value={GAME}]", force=True)
    assert page.is_hidden("#rated-box")
    page.select_option("#players", "3")
    page.click("#start")
    page.wait_for_url("**/table/*")
    page.wait_for_selector("#turn.yours #confirm")
    page.click("#hint")
    page.locator(".hint-choice").first.click()
    page.click("#confirm")
    page.wait_for_selector("#turn.yours[data-move='3'] #confirm")
    own, other = (page.locator(f"[data-seat='{i}'] .block").first.inner_html() for i in (0, 1))
    arcs = " 0 0 1 "  # two make a circle of a path
    assert own.count(arcs) >= 2 * 5  # pips of the own dice
    assert arcs not in other
    assert "circle" not in other
    assert page.locator(".spot").count() == 1  # the bid, to call a liar
    assert "plays" in page.inner_text("#log")
    page.goto(f"{served.address}/rules/{GAME}")
    assert "ones count as every face" in page.inner_text("main")
    context.close()
    assert not errors


def test_data_sets_are_written_continued_and_loaded(package: Path, call: Call) -> None:
    write = ("write", "random", "--players", 2, "--game", GAME, "--games", 4, "--seed", 1)
    for _ in range(2):
        code, out, _ = call(dataset.main, *write, "--out", "data")
        assert code == 0
        assert out.startswith("4 games are in data")
    (batch,) = load("data")
    assert set(batch["game"]) == set(range(4))
    assert f"--game {GAME}" in Path("data/README.md").read_text()
    pytest.importorskip("pyarrow")
    code, out, _ = call(dataset.main, "parquet", "data", "--out", "tables")
    assert code == 0
    (same,) = load("tables")
    assert np.array_equal(same["observation"], batch["observation"])


def test_an_unknown_game_leaves_nothing_behind(package: Path, call: Call) -> None:
    wrong = ("write", "random", "--players", 2, "--game", "chess", "--games", 4, "--out", "data")
    code, out, err = call(lambda: run_command("dataset", dataset.main), *wrong)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert not Path("data").exists()


def test_tournaments_take_it(package: Path, call: Call) -> None:
    game = ("--game", GAME, "--players", 2, "--seed", 1)
    rated = ("--tournament", "random", "mine.py:Caller", "--deals", 2, "--processes", 1)
    assert call(cli.evaluate, *rated, *game, "--out", "rated")[0] == 0
    assert "Liar's dice" in Path("rated/standings.md").read_text()


def test_a_policy_is_trained_compared_and_measured(package: Path, call: Call) -> None:
    pytest.importorskip("torch")
    from gonzaga_agents.training import export
    from gonzaga_agents.training.reports import comparison

    sizes: dict[str, Any] = {"num-games": 4, "minibatch": 32, "width": 8, "timesteps": 64}
    sizes |= {"imitate": 0, "self-play": 1.0, "eval-deals": 1, "sample-games": 0}
    sizes |= {"final-deals": 0, "device": "cpu", "processes": 1, "players": 2, "prior": "none"}
    toy = [word for name, value in sizes.items() for word in (f"--{name}", value)]
    code, _, _ = call(cli.train, "--game", GAME, *toy, "--out", "run")
    assert (code, "greedy" in Path("run/curve.json").read_text()) == (0, True)
    game = ("--game", GAME, "--players", 2, "--deals", 2, "--seed", 1)
    code, out, _ = call(cli.evaluate, "run", "random", *game)
    assert code == 0
    assert "4 games" in out
    code, out, _ = call(comparison.main, "run")
    assert (code, out) == (0, "wrote curves.png\n")
    code, _, err = call(lambda: run_command("export", export.main), "run")
    assert (code, err.count("\n")) == (2, 1)
    assert "trained with prior none, whose network is not exported" in err


def test_it_has_one_edition_and_no_files_of_others(
    package: Path, call: Call, gonzaga: Call
) -> None:
    Path("other.toml").write_text(f'game = "{GAME}"\nname = "other"\n')
    for words in (("check", "other.toml"), ("draw", "other.toml", "--out", "other.png")):
        code, _, err = gonzaga("edition", *words)
        assert (code, err.count("\n"), "there is 'standard' only" in err) == (2, 1, True)
    code, _, err = gonzaga("solve", GAME)
    assert (code, err.count("\n"), "nor a folder" in err) == (2, 1, True)
