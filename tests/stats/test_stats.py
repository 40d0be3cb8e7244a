"""Statistics of recorded games: rows, intervals, tables, and the command."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.special import stdtrit

from gonzaga_env.__main__ import main
from gonzaga_env.games import game_spec
from gonzaga_env.intervals import Estimate, ratio_interval, t_quantile
from gonzaga_env.kernel.records import Record, write_records
from gonzaga_env.stats import (
    Mean,
    Skipped,
    games_frame,
    moves_frame,
    read_games,
    sum_up,
)

PLAYERS = 2


def record(game: str, seed: int, agents: list[str]) -> Record:
    """Returns a random game."""
    spec = game_spec(game)
    engine = spec.engine.from_config(spec.config(num_players=PLAYERS), 1, seed, autoreset=False)
    recorder, rng = spec.records.recorder(engine, agents), np.random.default_rng(seed)
    while not engine.state.finished.all():
        recorder.step(engine.sample_legal(rng))
    return recorder.pop()[0]


@pytest.fixture(scope="module")
def records() -> dict[str, list[Record]]:
    """Returns five random games of each of two games."""
    names = [["a", "b"], ["b", "a"], ["a", "b"], ["b", "a"], ["a", "b"]]
    return {
        game: [record(game, seed, agents) for seed, agents in enumerate(names)]
        for game in ("gonzaga", "tuscany")
    }


@pytest.fixture
def folder(records: dict[str, list[Record]], tmp_path: Path) -> Path:
    """Returns a folder with a file of records of each game."""
    (tmp_path / "games" / "below").mkdir(parents=True)
    write_records(tmp_path / "games" / "g.jsonl", records["gonzaga"])
    write_records(tmp_path / "games" / "below" / "t.jsonl", records["tuscany"])
    return tmp_path / "games"


def test_seats_and_moves_are_those_of_the_records(
    folder: Path, records: dict[str, list[Record]]
) -> None:
    games = list(read_games(folder))
    assert [game.spec.name for game in games] == ["tuscany"] * 5 + ["gonzaga"] * 5
    for game, recorded in zip(games, [*records["tuscany"], *records["gonzaga"]], strict=True):
        assert [row["points"] for row in game.seats] == recorded["scores"]["total"]
        assert sum(row["won"] for row in game.seats) == 1
        assert [row["legal"] for row in game.moves] == [m["legal"] for m in recorded["moves"]]
        assert {row["num_moves"] for row in game.seats} == {len(recorded["moves"])}


def test_a_plan_says_what_became_of_it(folder: Path, records: dict[str, list[Record]]) -> None:
    for game, recorded in zip(read_games(folder / "g.jsonl"), records["gonzaga"], strict=True):
        plans = [move for move in game.moves if move["kind"] == "plan"]
        placed = [move for move in recorded["moves"] if "points" in move]
        assert len(plans) == len(placed)
        assert sum(plan["round_points"] for plan in plans) == sum(m["points"] for m in placed)
        donated = [move["legal"] for move in placed if move["action"] == "donate"]
        assert sum(plan["blocked"] for plan in plans) == donated.count(1)
        assert sum(plan["by_choice"] for plan in plans) == len(donated) - donated.count(1)
        assert all(plan["plan"] == f"{plan['region']} {plan['card']}" for plan in plans)
        assert [plan["privilege"] for plan in plans] == [
            "privilege" in m["action"] for m in recorded["moves"] if "points" not in m
        ]


def test_means_and_intervals_are_those_of_a_ratio_over_deals() -> None:
    rng = np.random.default_rng(0)
    counts = rng.integers(1, 6, size=40).astype(float)
    totals = counts * 3 + rng.normal(size=40)
    mean = Mean()
    for deal, (total, count) in enumerate(zip(totals, counts, strict=True)):
        mean.add(str(deal), total / 2, count / 2)
        mean.add(str(deal), total / 2, count / 2)
    found, wanted = mean.interval(), ratio_interval(totals, counts)
    assert found is not None
    assert wanted is not None
    assert found.mean == pytest.approx(wanted.mean)
    assert (found.low, found.high) == pytest.approx((wanted.low, wanted.high), rel=1e-8)


def test_the_quantile_is_that_of_student() -> None:
    for freedom in (1, 2, 3, 5, 10, 199, 200, 5000):
        assert t_quantile(freedom) == pytest.approx(stdtrit(freedom, 0.975), rel=1e-8)


def test_games_of_one_deal_are_one_sample() -> None:
    once, often = Mean(), Mean()
    for deal in range(10):
        once.add(str(deal), deal)
        often.add(str(deal), 100 * deal, 100)
    assert often.interval() == once.interval()


def test_a_share_has_a_width_and_stays_between_its_bounds() -> None:
    always = Mean()
    for deal in range(10):
        always.add(str(deal), 1)
    found = always.interval(share=True)
    assert found is not None
    assert found.low is not None
    assert found.mean == found.high == 1
    assert 0.5 < found.low < 0.9
    assert Mean().interval() is None
    assert Mean({"a": 1, "b": 2}, {"a": 1, "b": 1}).interval() == Estimate(1.5)


def test_reports_count_each_seat_once(folder: Path) -> None:
    for report in sum_up(read_games(folder), ["seat", "agent"]):
        assert report.games.total() == len(report.games) == 5
        (section,) = report.sections
        assert sum(group.seats.total() for group in section.groups.values()) == 5 * PLAYERS
        won = [group.means["win share"] for group in section.groups.values()]
        assert sum(sum(mean.totals.values()) for mean in won) == pytest.approx(5)


def test_a_record_counts_once_wherever_it_lies(folder: Path) -> None:
    (folder / "copy.jsonl").write_bytes((folder / "g.jsonl").read_bytes())
    skipped = Skipped()
    assert len(list(read_games(folder, skipped))) == 10
    assert skipped.repeated == 5


def run(*arguments: str | Path) -> int:
    return main(["stats", *map(str, arguments)])


def test_the_command_shows_both_games(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(folder) == 0
    out = capsys.readouterr().out
    for text in (
        "Gonzaga, europe, 2 players: 5 games of 5 deals",
        "The Castles of Tuscany, reconstruction, 2 players: 5 games of 5 deals",
        "by scenario",
        "blocked",
        "region",
        "note: seats aren't shared evenly by a, b",
        "note: Only finished games are in records.",
    ):
        assert text in out


def test_plans_are_counted_where_they_are_asked_for(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(folder / "g.jsonl", "--by", "seat", "plan") == 0
    out = capsys.readouterr().out
    assert "plan, 0" in out
    assert "inactive A" in out
    assert run(folder, "--by", "plan") == 2
    error = capsys.readouterr().err
    assert error.endswith("--by plan: The Castles of Tuscany has seat, agent, kind\n")


def test_json_is_written(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "s.json"
    assert run(folder, "--json", file) == 0
    reports = json.loads(file.read_text())["reports"]
    assert [report["game"] for report in reports] == ["tuscany", "gonzaga"]
    group = reports[1]["sections"][0]["groups"][0]
    assert group["seats"] == 10
    assert {*group["choices"]["card"]} <= {"A", "B", "C"}
    plans = sum(value["times"]["mean"] for value in group["choices"]["card"].values())
    assert 7 <= plans <= 12


def test_a_truncated_last_line_is_left_out_and_told(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = folder / "g.jsonl"
    file.write_bytes(file.read_bytes()[:-100])
    assert run(file) == 0
    out = capsys.readouterr().out
    assert "4 games of 4 deals" in out
    assert f"{file}: its last line is incomplete and left out" in out


def test_other_files_of_a_folder_are_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "log\x1b.jsonl").write_text('{"loss": 1}\n')
    assert run(folder) == 0
    assert "log\ufffd.jsonl holds no records" in capsys.readouterr().out


def without(key: str) -> Callable[[Record], Any]:
    return lambda record: record.pop(key)


@pytest.mark.parametrize(
    "damage",
    [
        *map(without, ("moves", "scores", "winners", "agents", "num_players", "rules", "edition")),
        lambda record: record.update(game="chess"),
        lambda record: record.update(moves=3),
        lambda record: record.update(winners=[7]),
        lambda record: record.update(winners=[]),
        lambda record: record["agents"].clear(),
        lambda record: record.update(num_players=10**9),
        lambda record: record["moves"][0].update(seat=9),
        lambda record: record["moves"][0].update(legal="many"),
        lambda record: record["moves"][5].update(action=None),
        lambda record: record["scores"].update(total=[10**400, 1]),
        lambda record: record["scores"].update(cities=[]),
    ],
)
def test_what_is_no_record_is_refused_in_one_line(
    damage: Callable[[Record], Any],
    records: dict[str, list[Record]],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    damaged = json.loads(json.dumps(records["gonzaga"][0]))
    damage(damaged)
    write_records(tmp_path / "bad.jsonl", [damaged])
    assert run(tmp_path / "bad.jsonl") == 2
    error = capsys.readouterr().err
    assert len(error.splitlines()) == 1
    assert "bad.jsonl, line 1: is no record of a finished game" in error


def test_wrong_files_and_options_end_in_one_line(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty.jsonl").write_bytes(b"")
    lines = (folder / "g.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "middle.jsonl").write_bytes(lines[0] + b"{broken\n" + lines[1])
    cases: list[tuple[list[str | Path], str]] = [
        ([tmp_path / "none.jsonl"], "can't be read"),
        ([tmp_path / "empty"], "holds no games"),
        ([tmp_path / "empty.jsonl"], "holds no games"),
        ([tmp_path / "middle.jsonl"], "middle.jsonl, line 2: is not JSON"),
        ([folder, "--by", "colour"], "--by colour: The Castles of Tuscany has seat, agent, kind"),
        ([folder, "--json", tmp_path / "none" / "s.json"], "No such file or directory"),
    ]
    for arguments, message in cases:
        assert run(*arguments) == 2
        output = capsys.readouterr()
        assert output.out == ""
        assert len(output.err.splitlines()) == 1
        assert message in output.err


def test_frames_have_a_row_a_seat_and_a_row_a_move(folder: Path) -> None:
    pytest.importorskip("pandas", reason="needs the extra data")
    games, moves = games_frame(folder), moves_frame(folder)
    assert len(games) == 10 * PLAYERS
    assert games.groupby("game").won.mean().eq(1 / PLAYERS).all()
    wide = games[games.game == "gonzaga"]
    sources = [f"points_{source}" for source in game_spec("gonzaga").sources]
    assert (wide[sources].sum(axis=1) == wide.points).all()
    assert len(moves) == games[games.seat == 0].num_moves.sum()
    assert {"file", "line", "move", "seat", "agent", "action", "legal", "kind"} <= {*moves.columns}


def test_a_missing_pandas_names_its_extra(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ModuleNotFoundError, match=r'pip install "gonzaga-env\[data\]"'):
        games_frame(folder)
