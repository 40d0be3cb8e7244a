"""Games told move by move: every move has its lines, and nothing hidden is in them."""

import copy
import json
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from gonzaga_env.core import Engine, Game, OptionError, RecordError
from gonzaga_env.core.editions.loading import load_edition
from gonzaga_env.core.records import Record
from gonzaga_env.core.view.game_log import log_lines
from gonzaga_env.games import record_frames
from gonzaga_env.tabletop.records.log import Frame
from tests.core.test_records import record_games


@pytest.fixture(scope="module")
def record() -> Record:
    return record_games(Engine(1, 3, seed=7), 1)[0]


def texts(told: list[Frame]) -> list[str]:
    return [line.text for frame in told for line in frame.lines]


def test_there_is_a_frame_for_the_deal_and_for_every_move(record: Record) -> None:
    told = list(record_frames(record))
    assert [frame.move for frame in told] == list(range(len(record["moves"]) + 1))
    assert told[0].lines == ()
    for frame, move in zip(told[1:], record["moves"], strict=True):
        assert frame.lines[0].seat == move["seat"]
    assert [p.score for p in told[-1].view.players] == record["scores"]["total"]
    assert [p.name for p in told[0].view.players] == record["agents"]


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


def test_every_line_has_an_event_of_plain_values(record: Record) -> None:
    told = list(record_frames(record))
    for frame, move in zip(told[1:], record["moves"], strict=True):
        event = frame.lines[0].event
        assert json.loads(json.dumps(event)).keys() == event.keys()
        if "points" not in move:
            assert event["kind"] == "plan"
            continue
        word = {"fief": "fief", "wedding": "ring", "donation": "donate"}[event["kind"]]
        assert move["action"].startswith(word)
        assert event["points"] == move["points"]
        assert sorted(map(list, event.get("cells", ()))) == sorted(move.get("covers", []))
    kinds = {line.event["kind"] for frame in told for line in frame.lines}
    assert kinds >= {"plan", "reveal", "order", "fief", "round", "over", "final", "victory"}
    assert told[-1].lines[-1].event["points"] == max(record["scores"]["total"])
    final = told[-1].lines[-4:-1]
    assert [line.event["score"] for line in final] == record["scores"]["total"]


@pytest.mark.parametrize("viewer", ["spectator", "public"])
def test_lines_and_views_say_what_decides_the_turn_order(record: Record, viewer: str) -> None:
    """R3.5: King's Privilege, then the action card, then the fief card."""
    found = set()
    for frame in record_frames(record, viewer=viewer):
        events = [line.event for line in frame.lines if line.event["kind"] == "order"]
        if frame.view.stage == "placing":
            assert len(frame.view.precedence) == len(frame.view.order) - 1
        for first, second in pairwise(events):
            ranks = [(not e["privilege"], e["action"], e["card"]) for e in (first, second)]
            number = [a == b for a, b in zip(*ranks, strict=True)].index(False)
            assert ranks[0] < ranks[1]
            assert first["by"] == ("privilege", "action", "card")[number]
            found.add(first["by"])
        if events:
            assert [e["by"] for e in events] == [*frame.view.precedence, None]
            assert [e["place"] for e in events] == [1, 2, 3]
    assert found == {"privilege", "action", "card"}


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


def test_a_false_record_is_told_up_to_its_fault(record: Record) -> None:
    false = copy.deepcopy(record)
    false["moves"][3]["points"] += 1
    told = record_frames(false)
    assert [next(told) for _ in range(4)] == list(record_frames(record))[:4]
    with pytest.raises(RecordError, match="move 4, points"):
        next(told)


def test_unknown_viewers_are_refused(record: Record) -> None:
    with pytest.raises(OptionError, match="viewer is 3"):
        next(record_frames(record, viewer=3))


def test_an_event_tells_a_placement_whatever_its_city_is_called() -> None:
    """A page that looked for "plan" in the text lost the hexes of a city named Esplanade."""
    edition = load_edition("europe")
    called = tuple(replace(city, name=f"Esplanade {i}") for i, city in enumerate(edition.cities))
    game, found = Game(3, edition=replace(edition, cities=called), seed=7), 0
    rng = np.random.default_rng(0)
    while not game.finished:
        before = game.view("public")
        game.play(int(rng.choice(np.flatnonzero(game.mask()))))
        line = log_lines(before, after := game.view("public"))[0]
        if before.stage == "placing" and any("plan" in site for site in after.last.sites):
            assert (line.event["kind"], line.event["cells"]) == (
                after.last.event["kind"],
                after.last.cells,
            )
            assert line.event["sites"] == after.last.sites
            found += 1
    assert found
