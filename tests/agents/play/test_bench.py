"""gonzaga-bench: tasks run, results are checked by playing again, and no file names code."""

import json
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gonzaga_agents.commands.bench import main
from gonzaga_agents.play.bench import (
    DECLARED,
    PRIOR,
    SEARCH,
    SETS,
    TASKS,
    ZERO,
    Row,
    find_task,
    jobs_of,
    replay,
    track_of,
)

from gonzaga_env.games import game_spec
from gonzaga_env.kernel.errors import RecordError
from tests.agents.conftest import output_of
from tests.conftest import complaint_of
from tests.marks import some_nightly

Bench = Callable[..., tuple[int, str, str]]
DEALS = 2


@pytest.fixture
def bench(gonzaga: Bench, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Bench:
    """Returns a function that runs the command in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return partial(gonzaga, "bench")


@pytest.fixture(autouse=True, scope="module")
def one_core() -> Iterator[None]:
    """Has games played in this process: they are too few for others."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("gonzaga_agents.executors.num_cores", lambda: 1)
        yield


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """What a run writes, which is played once for all tests."""
    path = tmp_path_factory.mktemp("bench") / "row.json"
    words = ["run", "gonzaga/easy-2p", "greedy", "--deals", str(DEALS)]
    assert main([*words, "--out", str(path)]) == 0
    return path.read_bytes()


@pytest.fixture
def row(bench: Bench, played: bytes) -> Path:
    """The file of a run: 2 deals on both seats against two opponents."""
    Path("row.json").write_bytes(played)
    return Path("row.json")


def change(path: Path, *place: Any, to: Any) -> None:
    """Writes a file again with another value at a place, such as "games", "greedy", 0."""
    found = inner = json.loads(path.read_text())
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = to
    path.write_text(json.dumps(found))


def test_a_run_is_checked_by_playing_again(bench: Bench, row: Path) -> None:
    assert "8 games were played again with greedy: all equal" in output_of(
        bench("check", row, "greedy")
    )
    code, out, _ = bench("check", row, "random")
    assert code == 1
    assert "8 of 8 games differ" in out


def test_what_a_file_names_never_runs(bench: Bench, row: Path) -> None:
    """Only the agent of the command line is made, whatever the file says."""
    marker = Path("marker")
    Path("evil.py").write_text(f"open({str(marker)!r}, 'w')\nclass Agent: pass\n")
    for name in (f"cmd:touch {marker}", "evil.py:Agent", "evil:Agent", "no such agent"):
        change(row, "agent", to=name)
        assert "all equal" in output_of(bench("check", row, "greedy"))
        assert name in output_of(bench("table", row))
        assert not marker.exists()
    for place, value in ((("task",), f"cmd:touch {marker}"), (("games",), {"evil.py:Agent": []})):
        change(row, *place, to=value)
        complaint_of(bench("check", row, "greedy"))
    assert not marker.exists()


def test_the_class_of_a_file_runs_if_the_caller_names_it(bench: Bench) -> None:
    Path("mine.py").write_text(
        "import pathlib\n"
        "pathlib.Path('marker').touch()\n"
        "class First:\n"
        "    def __init__(self, config): pass\n"
        "    def act(self, observations, masks, rng): return masks.argmax(axis=1)\n"
    )
    run = "run", "tuscany/easy-2p", "mine.py:First", "--deals", 1
    out = output_of(bench(*run, "--set", "develop", "--out", "mine.json"))
    assert DECLARED in out
    assert Path("marker").exists()
    assert "all equal" in output_of(bench("check", "mine.json", "mine.py:First"))


@pytest.mark.parametrize("where", ["agent", "version", "track"])
def test_names_of_files_reach_no_terminal_as_they_are(bench: Bench, row: Path, where: str) -> None:
    change(row, where, to="\x1b[31mred\x9b\u202e" * 100)
    for words in (("table", row), ("check", row, "greedy")):
        out = output_of(bench(*words))
        assert not {"\x1b", "\x9b", "\u202e"} & {*out}
        assert out.count("red") < 25


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("bench",), 2),
        (("task",), "gonzaga/9p"),
        (("task",), ["gonzaga/2p"]),
        (("set",), "secret"),
        (("deals",), 3),
        (("deals",), True),
        (("agent",), 5),
        (("games",), []),
        (("games", "greedy"), []),
        (("games", "greedy", 0), "moves"),
        (("games", "greedy", 0, 0), -1),
        (("games", "greedy", 0, 0), 10**30),
        (("games", "greedy", 0, 0), 1.0),
        (("games", "greedy", 0, 0), 3000),
        (("games", "greedy", 0), []),
        (("failed", "greedy"), [[]]),
        (("failed", "greedy"), [True]),
        (("failed", "greedy"), [8]),
        (("failed", "greedy"), "x"),
    ],
)
def test_a_row_that_no_run_wrote_is_one_line(
    bench: Bench, row: Path, place: tuple[Any, ...], value: Any
) -> None:
    change(row, *place, to=value)
    assert str(row) in complaint_of(bench("table", row))


@pytest.mark.parametrize(
    "words",
    [
        "",
        "foo",
        "run gonzaga/9p greedy --out x",
        "run gonzaga/2p gredy --out x",
        "run gonzaga/2p greedy",
        "run gonzaga/2p greedy --out x --deals 101",
        "check no.json greedy",
    ],
)
def test_mistakes_are_one_line(bench: Bench, words: str) -> None:
    complaint_of(bench(*words.split()))


def test_games_end_with_their_last_action(row: Path) -> None:
    read = Row.read(row)
    games = [one.actions for one in read.games["greedy"]]
    for wrong in (games[0][:-1], [*games[0], 0]):
        with pytest.raises(RecordError, match="game 1 "):
            replay(read.task, read.deal_set, [wrong, *games[1:]])


@pytest.mark.parametrize("content", [b"", b"[]", b"{}", b"\xff", b'{"bench": 3}', b"[" * 9999])
def test_other_files_are_one_line(bench: Bench, content: bytes) -> None:
    Path("row.json").write_bytes(content)
    complaint_of(bench("table", "row.json"))
    complaint_of(bench("table", "no.json"))
    for path in ("row.json", ".", "no/row.json"):  # at once, and nothing is replaced
        complaint_of(bench("run", "gonzaga/2p", "greedy", "--out", path))
    assert Path("row.json").read_bytes() == content


def test_results_follow_from_the_games(row: Path) -> None:
    """By playing each game alone in the plain engine, on its public deal."""
    read = Row.read(row)
    found, spec = read.results(), game_spec("gonzaga")
    for i, opponent in enumerate(found.opponents):
        shares, points = np.zeros((DEALS, 2)), np.zeros((DEALS, 2))
        for number, one in enumerate(read.games[opponent]):
            deal, seat = divmod(number, 2)
            config = spec.config(num_players=2)
            game = spec.game.from_config(config, read.task.seed("report", deal))
            for action in one.actions:
                game.play(action)
            players = game.view(0).players
            won = [player.score == max(p.score for p in players) for player in players]
            assert game.finished
            shares[deal, seat] = won[seat] / sum(won)
            points[deal, seat] = players[seat].score
        assert found.shares[i] == pytest.approx(shares.mean(axis=1))
        assert found.points[i] == pytest.approx(points.mean(axis=1))
    assert found.share().mean == pytest.approx(found.shares.mean())


def test_a_failed_bot_loses_its_games(row: Path) -> None:
    change(row, "failed", "random", to=[0, 1, 2, 3])
    assert Row.read(row).results().share("random").mean == 0


@pytest.mark.parametrize("name", some_nightly(TASKS, lambda name: name.endswith("/2p")))
def test_every_task_can_be_played(name: str) -> None:
    task = find_task(name)
    job = jobs_of(task, "develop", "random", 1)[0]
    games = job.play(lambda done: None)
    ends = replay(task, "develop", [one.actions for one in games])
    assert ends.shape == (1, task.players, task.players, 2)
    assert ends[..., 0].sum(axis=2) == pytest.approx(1)


def test_deals_are_public_and_all_different() -> None:
    seeds = {
        task.seed(deal_set, deal)
        for task in TASKS.values()
        for deal_set in SETS
        for deal in range(task.deals)
    }
    assert len(seeds) == sum(2 * task.deals for task in TASKS.values())
    assert find_task("gonzaga/2p").seed("report", 0) == 6479924422408970


@pytest.mark.parametrize(
    ("spec", "track"),
    [
        ("random", ZERO),
        ("greedy", PRIOR),
        ("learned", PRIOR),
        ("any-edition:learned", PRIOR),
        ("search@64:learned", SEARCH),
        ("search@10ms", SEARCH),
        ("cmd:./bot", DECLARED),
        ("mine.py:Agent", DECLARED),
    ],
)
def test_tracks_follow_from_what_an_agent_is(spec: str, track: str) -> None:
    assert track_of(spec, "gonzaga") == track
