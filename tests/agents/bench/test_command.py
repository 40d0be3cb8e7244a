"""The command: run, interrupt and continue, check, table, pin, rate, draw and reveal."""

import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from gonzaga_agents.bench import check, play, run, tasks
from gonzaga_agents.bench.field import pins_of
from gonzaga_agents.bench.pins import pin_of
from gonzaga_agents.bench.row import read_row
from gonzaga_agents.bench.tasks import TEST_MAPS, VERSION, Opponent, Task, find_task, maps_digest

from tests.agents.conftest import output_of
from tests.conftest import complaint_of

Answer = tuple[int, str, str]
Bench = Callable[..., Answer]
EDITION, OPPONENT = ("about", "edition_hash"), ("about", "field", 0, "plays")
MAPS = {"edition": TEST_MAPS, "edition_hash": maps_digest(TEST_MAPS)}
RUN = "run", "gonzaga/2p", "planner", "--track", "prior", "--workers", "1"


@pytest.fixture
def bench(task: Task, command: Callable[..., Answer]) -> Bench:
    """Returns a function that runs the command on the small task, beside an empty folder "rows"."""
    Path("rows").mkdir()
    return partial(command, "bench")


def one_line(answer: Answer, wanted: int) -> str:
    """Returns the line of a command that ends with a code."""
    code, out, err = answer
    assert (code, err.count("\n")) == (wanted, 1)
    assert wanted == 1 or out == ""
    return err


@pytest.fixture
def row(bench: Bench, kept: dict[str, bytes]) -> Path:
    """Returns the file of a finished run, which is played once for all tests."""
    path = Path("row.json")
    if not kept:
        output_of(bench(*RUN, "--out", path))
        kept["row"] = path.read_bytes()
    path.write_bytes(kept["row"])
    return path


@pytest.fixture(scope="module")
def kept() -> dict[str, bytes]:
    return {}


def content(path: Path | str) -> Any:
    return json.loads(Path(path).read_text())


def change(path: Path, *place: Any, to: Any) -> None:
    """Writes a file again with another value at a place, such as "agents", 0, "turns"."""
    found = inner = content(path)
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = to
    path.write_text(json.dumps(found))


def test_a_run_writes_everything_that_repeats_it(row: Path, task: Task) -> None:
    found = content(row)
    assert found["complete"]
    assert not found["partial"]
    assert found["about"] == task.as_dict()
    assert found["deals"] == {"set": "test", "commitment": tasks.commitment(), "number": 20}
    assert [unit["first"] for unit in found["units"]] == [0, 10, 0, 10]
    assert found["agents"][0]["spec"] == "planner"
    assert found["agents"][0]["track"] == "checked"
    assert found["sessions"][0]["machine"]["python"]
    assert found["command"].startswith("python -m gonzaga_agents.bench run gonzaga/2p planner")
    share = found["results"]["win_share"]
    assert share["random"]["mean"] > 0.9
    assert share["greedy"]["low"] < share["greedy"]["mean"] < share["greedy"]["high"]
    assert share["field"]["mean"] == pytest.approx(
        (share["random"]["mean"] + share["greedy"]["mean"]) / 2
    )


def test_the_same_command_gives_the_same_games(row: Path, bench: Bench) -> None:
    bench(*RUN, "--out", "again.json")
    assert content("again.json")["units"] == content(row)["units"]
    development = "--development", "0", "--deals", "5"
    bench(*RUN, "--out", "one.json", *development)
    bench(*RUN, "--out", "other.json", *development, "--seed", "1")
    assert content("one.json")["units"] != content("other.json")["units"]


def test_test_deals_have_the_seed_of_the_task(row: Path, bench: Bench) -> None:
    """Nobody can pick the seed with which an agent was lucky."""
    err = complaint_of(bench(*RUN, "--out", "other.json", "--seed", "1"))
    assert "seed is given with test deals" in err
    assert "add --development N" in err
    assert not Path("other.json").exists()


def test_other_deals_and_choices_agree_within_their_intervals(row: Path, bench: Bench) -> None:
    bench(*RUN, "--out", "other.json", "--seed", "1", "--development", "5")
    one, other = (content(path)["results"]["win_share"]["field"] for path in (row, "other.json"))
    assert one["low"] <= other["high"]
    assert other["low"] <= one["high"]


def test_an_interrupted_run_continues(
    bench: Bench, row: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    played, play_games = [], play.play_games

    def interrupted(*args: Any, **options: Any) -> Any:
        if len(played) == 2:
            raise KeyboardInterrupt
        played.append(1)
        return play_games(*args, **options)

    monkeypatch.setattr(play, "play_games", interrupted)
    code, _, err = bench(*RUN, "--out", "new.json")
    assert code == 130
    assert "finished games are kept, and the same command continues" in err
    found = content("new.json")
    assert (found["complete"], found["results"], len(found["units"])) == (False, None, 2)
    assert bench("check", "new.json")[2].endswith(
        "is not complete; the run's command continues it\n"
    )
    monkeypatch.setattr(play, "play_games", play_games)
    assert bench(*RUN, "--out", "new.json")[0] == 0
    assert content("new.json")["units"] == content(row)["units"]


def test_games_against_a_changed_opponent_are_played_again(
    bench: Bench, row: Path, task: Task
) -> None:
    change(row, *OPPONENT, to="another")
    assert bench(*RUN, "--out", "row.json")[0] == 0
    assert content(row)["about"] == task.as_dict()
    assert len(content(row)["units"]) == 4


def test_a_check_finds_all_equal(row: Path, bench: Bench) -> None:
    out = output_of(bench("check", row, "--workers", "1"))
    assert "2 of 4 units (40 games) were played again: all equal" in out
    assert "declared by whoever played it, and not checked: the row's name, the command" in out
    out = output_of(bench("check", row, "--all", "--fresh", "--workers", "1"))
    assert "4 of 4 units (80 games)" in out
    assert "on deals drawn now (--development " in out


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        (
            ["results", "win_share", "field", "mean"],
            0.99,
            "results.win_share.field.mean is 0.99; the games give",
        ),
        (["agents", 0, "turns"], 10**5, "turns of planner is 100000; here it is None"),
        (
            ["agents", 0, "files"],
            {"mine.py": "0" * 64},
            "mine.py of the agent planner is not the file that was measured",
        ),
        (["agents", 0, "track"], "declared", "planner is marked as declared; here it is checked"),
        (["track"], "zero", "planner knows the rules; the track zero does not allow that"),
        (
            ["results", "iqm", "mean"],
            10**400,
            "results.iqm.mean is an integer of 1,329 bits; the games give",
        ),
    ],
)
def test_a_check_names_what_is_different(
    row: Path, bench: Bench, place: list[Any], value: Any, message: str
) -> None:
    change(row, *place, to=value)
    assert message in one_line(bench("check", row, "--workers", "1"), 1)


def test_a_check_knows_the_ratings_of_the_field(row: Path, bench: Bench) -> None:
    """Raised ones raise the agent's, as `results` follows from them."""
    for number, opponent in enumerate(content(row)["about"]["field"]):
        change(row, "about", "field", number, "rating", to=opponent["rating"] + 200)
    change(row, "results", to=read_row(row)[0].results())
    told = one_line(bench("check", row, "--workers", "1"), 1)
    assert "the rating of greedy is 1200.0; the task fixes 1000.0" in told


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        (["partial"], True, "says partial True with 20 of 20 deals"),
        (["results"], None, "has 4 of 4 units, and says something else"),
        (["complete"], False, "has 4 of 4 units, and says something else"),
        (["units"], [], "has 0 of 4 units, and says something else"),
        (["units", 1, "first"], 0, "not of the run, twice or not all: (0, 'greedy', 0)"),
        (["units", 0, "games", 0], f"{10**30} 0 w0 | 0 99 w1", "OverflowError"),
        (["units", 0, "games", 0], f"{2**40} 0 w0 | 0 99 w1", "a game has more than"),
        (["units", 0, "games", 0], "9_9 0 w0 | 0 99 w1", "is written in another way than runs"),
        (["units", 0, "agent"], 0.0, "agent is 0.0"),
        (["bench"], float(VERSION), f"bench is {VERSION}.0"),
        (["mine"], 1, "has a field 'mine', which no run writes"),
        (["agents", 0, "mine"], 1, "has a field 'mine', which no run writes"),
        (["seed"], 1, "seed is 1; test deals take 0"),
        (["deals", "set"], "others", "set of the deals is 'others'; it takes test or development"),
        (["sessions"], [], "has games and no sessions"),
        (["sessions", 0, "date"], "today", "Invalid isoformat string"),
        (["sessions", 0, "commit"], "\x1b[2J", "commit of a session is '\\x1b[2J'; it takes one"),
        (["sessions", 0, "versions"], {}, "has a session without a version of gonzaga_env"),
        (["sessions", 0, "machine"], {}, "has no cpu"),
        (["field_differs"], ["planner"], "field_differs is ['planner']; it takes opponents"),
        (["agents", 0, "trained"], "\x07", "trained of planner is '\\x07'; it takes one line"),
        (["deals", "number"], 10**15, "has 1000000000000000 deals of 2 players; gonzaga/2p takes"),
        (["deals", "number"], "20", "number is '20'"),
        (["about", "players"], 10**9, "of 1000000000 players"),
        (["about", "field", 0, "rating"], 10**5, "rating is 100000"),
        (["about", "field", 0, "rating"], "high", "rating is 'high'"),
        (["about", "field"], [], "names no agent or no opponent"),
        (["agents"], [], "names no agent or no opponent"),
        (["agents", 0, "turns"], "many", "turns is 'many'"),
        (["agents", 0, "spec"], 7, "spec is 7"),
        (["sessions"], 7, "sessions is 7"),
        (["budget"], "1e5", "budget is '1e5'"),
        (["track"], "<b>", "track is '<b>'; it takes zero"),
        (["task"], "chess", "is of the task 'chess', which is not here"),
        (["name"], "a\n# b", "name is 'a\\n# b'; it takes one line"),
        (["command"], "a\n```", "command is 'a\\n```'; it takes one line"),
    ],
)
@pytest.mark.parametrize("verb", ["check", "table"])
def test_files_that_no_run_writes_are_refused_in_one_line(
    row: Path, bench: Bench, verb: str, place: list[Any], value: Any, message: str
) -> None:
    path = row.rename("rows/row.json")
    change(path, *place, to=value)
    told = bench("check", path) if verb == "check" else bench("table", "--rows", "rows")
    assert message in one_line(told, 2)


def test_tables_take_no_two_rows_of_one_name(row: Path, bench: Bench) -> None:
    for name in ("a", "b"):
        Path(f"rows/{name}.json").write_bytes(row.read_bytes())
    err = complaint_of(bench("table", "--rows", "rows"))
    assert "rows/b.json: another row of gonzaga/2p has the same name, track and budget" in err


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        (EDITION, "0" * 64, "edition_hash of the task is '000"),
        (["about", "options", "rules", "first_check_round"], 7, "options of the task is"),
        (OPPONENT, "another", "was played against another greedy than the field's present one"),
    ],
)
def test_rows_of_another_version_are_called_so(
    row: Path, bench: Bench, place: list[Any], value: Any, message: str
) -> None:
    """They are no forgeries: a check says what is missing here, and tables name their version."""
    change(row, *place, to=value)
    change(row, "sessions", -1, "versions", "gonzaga_env", to="0.10.0")
    told = one_line(bench("check", row), 2)
    assert "can't be checked here, as it is of another version, gonzaga_env 0.10.0: " in told
    assert message in told
    row.rename("rows/row.json")
    Path("page.md").write_text("<!-- bench table --><!-- end bench table -->")
    output_of(bench("table", "--rows", "rows", "--page", "page.md"))
    text = Path("page.md").read_text()
    assert "| `planner` (of version 0.10.0) | prior |" in text
    assert "Of version: rules, map or field have changed since" in text


def test_rows_of_two_versions_do_not_compare(row: Path, bench: Bench) -> None:
    Path("rows/now.json").write_bytes(row.read_bytes())
    change(row, *EDITION, to="0" * 64)
    row.rename("rows/then.json")
    Path("page.md").write_text("<!-- bench table --><!-- end bench table -->")
    assert bench("table", "--rows", "rows", "--page", "page.md")[0] == 0
    text = Path("page.md").read_text()
    assert text.count("| `planner` |") == 3
    assert text.count("| `planner` (of version ") == 3
    assert "Probability of improvement" not in text


def test_a_check_can_play_any_unit_again(row: Path) -> None:
    units = read_row(row)[0].units()
    assert {unit.key for _ in range(100) for unit in check.drawn(units)} == {u.key for u in units}


def test_a_check_plays_a_tenth_and_games_against_each_opponent(row: Path) -> None:
    found, _ = read_row(row)
    for units, count in ((found.units(), 2), (found.units() * 10, 4)):
        units = [replace(unit, first=i) for i, unit in enumerate(units)]
        for _ in range(30):
            drawn = check.drawn(units)
            assert len(drawn) == len({unit.key for unit in drawn}) == count
            assert {unit.opponent for unit in drawn} == {"greedy", "random"}


def test_a_check_says_what_is_declared(row: Path, bench: Bench) -> None:
    change(row, "agents", 0, "trained", to="by reading")
    change(row, "field_differs", to=["greedy"])
    out = output_of(bench("check", row, "--workers", "1"))
    (declared,) = (line for line in out.splitlines() if line.startswith("declared"))
    assert "that greedy chose differently there; how planner was trained, 'by reading'" in declared


def test_a_check_says_who_chooses_differently_here(row: Path, bench: Bench) -> None:
    change(row, "agents", 0, "plays", to="another")
    out = output_of(bench("check", row, "--workers", "1"))
    assert "planner chooses differently here than where it was measured" in out


def test_a_mark_of_other_choices_stays_where_games_stay(row: Path, bench: Bench) -> None:
    change(row, "field_differs", to=["greedy"])
    assert bench(*RUN, "--out", "row.json")[0] == 0
    assert content(row)["field_differs"] == ["greedy"]


def test_a_machine_that_played_nothing_leaves_no_mark(
    row: Path, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "differing_plays", lambda pins, config, **_: ["greedy"])
    assert bench(*RUN, "--out", "row.json")[0] == 0
    assert content(row)["field_differs"] == []
    assert bench(*RUN, "--out", "new.json", "--deals", "1")[0] == 0
    assert content("new.json")["field_differs"] == ["greedy"]


def test_games_of_another_edition_are_not_continued(row: Path, bench: Bench) -> None:
    change(row, *EDITION, to="0" * 64)
    err = complaint_of(bench(*RUN, "--out", "row.json"))
    assert "edition_hash of the task is '000" in err
    assert err.endswith("take another --out\n")


def test_seeds_of_a_row_are_checkpoints_of_their_own(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = "run", "gonzaga/2p", "greedy", "planner", "--track", "prior", "--name", "x"
    assert "greedy is no training seed; give it a row of its own" in bench(*words)[2]
    Path("mine.py").write_text("from gonzaga_agents import GreedyAgent as A, PlannerAgent as B")
    Path("weights").write_text("the same")
    monkeypatch.setattr(run, "find_checkpoint", lambda spec: Path("weights"))
    words = "run", "gonzaga/2p", "mine.py:A", "mine.py:B", "--track", "prior", "--name", "x"
    assert "a checkpoint is named twice; name each training seed once" in bench(*words)[2]


def test_a_check_finds_games_that_were_made_up(row: Path, bench: Bench) -> None:
    found, _ = read_row(row)
    change(row, "units", 0, "games", 0, to="99 0 w0 | 0 99 w1")
    change(row, "results", to=read_row(row)[0].results())
    code, _, err = bench("check", row, "--all", "--workers", "1")
    assert code == 1
    first = found.games[0, "greedy", 0].as_lines()[0]
    assert "against greedy, deal 0: the file says '99 0 w0 | 0 99 w1'" in err
    assert first in err


def test_an_agent_with_a_time_budget_is_compared_within_its_interval(bench: Bench) -> None:
    words = "run", "gonzaga/2p", "search@0.1ms", "--track", "search", "--workers", "1"
    assert bench(*words, "--out", "row.json")[0] == 0
    assert content("row.json")["agents"][0]["plays"] is None
    out = output_of(bench("check", "row.json", "--workers", "1"))
    assert "depends on the machine, so games are not compared" in out


def test_several_agents_are_one_row(bench: Bench) -> None:
    Path("mine.py").write_text(
        "from gonzaga_agents import GreedyAgent\nclass One(GreedyAgent): name = 'one'\n"
        "class Two(One): name = 'two'\n"
    )
    agents = "mine.py:One", "mine.py:Two"
    words = "run", "gonzaga/2p", *agents, "--track", "zero", "--budget", "1e5", "--deals", "5"
    assert "--name is missing" in bench(*words)[2]
    options = "--name", "Mine, twice", "--trained", "python mine.py", "--workers", "1"
    out = output_of(bench(*words, *options))
    path = Path("runs/bench/gonzaga-2p-mine-twice-1e5-5-deals.json")
    assert str(path) in out
    found = content(path)
    assert found["partial"]
    assert [agent["track"] for agent in found["agents"]] == ["declared", "declared"]
    assert [agent["trained"] for agent in found["agents"]] == ["python mine.py"] * 2
    assert [*found["agents"][0]["files"]] == ["mine.py"]
    assert len(found["results"]["agents"]) == 2
    assert bench("check", path, "--workers", "1")[0] == 0
    Path("mine.py").write_text(Path("mine.py").read_text() + "\n")
    code, _, err = bench("check", path)
    assert code == 1
    assert "mine.py of the agent mine.py:One is not the file that was measured" in err


def test_a_file_of_another_run_is_left_alone(row: Path, bench: Bench) -> None:
    before = row.read_bytes()
    err = complaint_of(bench(*RUN, "--out", "row.json", "--deals", "10"))
    assert ", 20, not test, " in err
    assert err.endswith(", 10; take another --out\n")
    row.write_text("{}")
    assert "is not a result of gonzaga-bench" in bench("check", row)[2]
    row.write_bytes(before)
    words = *RUN[:2], "random", *RUN[3:], "--out", "row.json"
    assert "has other agents, or they have changed" in bench(*words)[2]
    assert row.read_bytes() == before


def test_a_table_has_all_rows(row: Path, bench: Bench) -> None:
    row.rename("rows/planner.json")
    Path("page.md").write_text("# Bench\n\n<!-- bench table -->\n<!-- end bench table -->\nEnd\n")
    assert bench("table", "--rows", "rows", "--page", "page.md")[:2] == (
        0,
        "1 results are in page.md\n",
    )
    page = Path("page.md").read_text()
    share = content("rows/planner.json")["results"]["win_share"]["field"]
    cell = f"{100 * share['mean']:.1f} ({100 * share['low']:.1f} to {100 * share['high']:.1f})"
    assert "### gonzaga/2p" in page
    assert f"| `planner` | prior |  | {cell} |" in page
    assert page.endswith("<!-- end bench table -->\nEnd\n")
    assert content("rows/planner.json")["command"] not in page  # the file has it
    Path("page.md").write_text("no marks")
    assert "has no <!-- bench table -->" in bench("table", "--rows", "rows", "--page", "page.md")[2]


def test_tables_take_no_trials(bench: Bench) -> None:
    bench(*RUN, "--out", "rows/one.json", "--deals", "3")
    assert "was not played on all test deals" in complaint_of(bench("table", "--rows", "rows"))


def test_the_field_is_rated_by_its_rows(bench: Bench) -> None:
    for spec, track in (("greedy", "prior"), ("random", "zero")):
        words = "run", "gonzaga/2p", spec, "--track", track, "--out", f"rows/{spec}.json"
        assert bench(*words, "--workers", "1")[0] == 0
    out = output_of(bench("rate", "--rows", "rows"))
    assert "greedy 1000" in out
    first, second = (each.rating for each in find_task("gonzaga/2p").field)
    assert first == 1000
    assert second is not None
    assert second < 700
    Path("rows/random.json").unlink()
    assert "not rated" in bench("rate", "--rows", "rows")[1]


def test_a_version_draws_its_deals_once(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    before = tasks.PATH.read_bytes()
    assert f"gonzaga-bench {tasks.VERSION} has its test deals" in complaint_of(bench("draw"))
    assert tasks.PATH.read_bytes() == before
    monkeypatch.setattr(tasks, "VERSION", tasks.VERSION + 1)
    assert tasks.commitment() is None
    assert bench("draw")[0] == 0


def test_deals_are_drawn_and_revealed(bench: Bench, task: Task) -> None:
    before = tasks.commitment()
    tasks.write_tasks({"commitment": None, "secret": None}, [task])
    out = output_of(bench("draw"))
    secret = out.split("secret ")[1][:32]
    assert tasks.commitment() != before
    assert "not revealed yet" in bench(*RUN)[2]
    assert bench("reveal", secret)[:2] == (0, "the test deals are revealed\n")
    assert tasks.revealed_secret().hex() == secret


def test_games_on_maps_depend_on_their_deal_alone(bench: Bench) -> None:
    """A deal has the same games in a run of another number of deals."""
    task = replace(find_task("gonzaga/2p"), **MAPS)
    field = [pin_of(pin.spec, task.config, is_opponent=True) for pin in pins_of(task)]
    task = replace(task, field=tuple(map(Opponent, field)))
    tasks.write_tasks(tasks.deals_content(), [task])
    for number in (2, 3):
        output_of(bench(*RUN, "--deals", str(number), "--out", f"{number}.json"))
    few, more = (content(f"{number}.json")["units"] for number in (2, 3))
    assert [unit["games"] for unit in few] == [unit["games"][:2] for unit in more]
    assert content("2.json")["about"]["edition"] == "generated:test"
    out = output_of(bench("check", "2.json", "--all", "--workers", "1"))
    assert "2 of 2 units (8 games)" in out


def test_tasks_are_listed(bench: Bench) -> None:
    assert "20 deals, 80 games against greedy, random" in bench("tasks")[1]
