"""Games told move by move: every move has its lines, and nothing hidden is in them."""

import copy

import pytest

from gonzaga_env.core import Engine
from gonzaga_env.games import record_frames
from gonzaga_env.kernel.records import Record
from gonzaga_env.kernel.view import Frame
from tests.core.test_records import record_games


@pytest.fixture(scope="module")
def record() -> Record:
    return record_games(Engine(1, 3, seed=7), 1)[0]


def texts(told: list[Frame]) -> list[str]:
    return [line.text for frame in told for line in frame.lines]


def test_lines_tell_moves_rounds_and_the_end(record: Record) -> None:
    told = list(record_frames(record))
    lines, rounds = texts(told), told[-1].view.round
    for frame, move in zip(told[1:], record["moves"], strict=True):
        if "points" in move:
            assert frame.lines[0].text.startswith(move["action"])
            assert frame.lines[0].text.endswith(f"+{move['points']}")
    assert [line for line in lines if line.endswith("begins")] == [
        *(f"Round {number} begins" for number in range(2, rounds)),
        f"Round {rounds}, the last, begins",
    ]
    assert lines.count("Plans are open") == rounds
    assert f"The game is over after {rounds} rounds" in lines
    for player, line in zip(told[-1].view.players, lines[-4:-1], strict=True):
        pieces = "piece" if player.largest_group == 1 else "pieces"
        assert line.startswith(f"has {player.largest_group} connected {pieces} +")
        assert player.objective is not None
        cities = "city" if player.objective.held == 1 else "cities"
        assert f", {player.objective.held} {cities} of the objective +" in line
        assert line.endswith(f": {player.score} points")
    best = max(record["scores"]["total"])
    assert lines[-1].endswith(f"with {best} points")


@pytest.mark.parametrize("viewer", [0, 2, "public"])
def test_sealed_plans_are_told_to_their_seat_alone(record: Record, viewer: int | str) -> None:
    told = [line for frame in record_frames(record, viewer=viewer) for line in frame.lines]
    plans = [move["seat"] for move in record["moves"] if "points" not in move]
    seats = [line.seat for line in told if line.text.startswith("plans ")]
    assert seats == [seat for seat in plans if seat == viewer]
    known = [line.seat for line in told if line.event["kind"] == "plan" and len(line.event) > 1]
    assert known == seats
    silent = [line.seat for line in told if line.text == "has planned"]
    assert silent == [seat for seat in plans if seat != viewer]


@pytest.mark.parametrize("viewer", [1, "public"])
def test_lines_do_not_depend_on_what_is_hidden(record: Record, viewer: int | str) -> None:
    told = next(f for f in record_frames(with_another_plan(record), viewer=viewer) if f.move == 1)
    assert told == next(f for f in record_frames(record, viewer=viewer) if f.move == 1)


def with_another_plan(record: Record) -> Record:
    """Returns a record whose seat 0 plays another action card; its later moves may be illegal."""
    other = copy.deepcopy(record)
    region, card = record["moves"][0]["action"].split(" + ")[0].rsplit(" ", 1)
    other["moves"][0]["action"] = f"{region} {'B' if card == 'A' else 'A'}"
    return other
