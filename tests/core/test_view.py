"""What viewers know of a game and what its log tells: complete, and free of secrets."""

import copy

import numpy as np
import pytest

from gonzaga_env.core import Engine, Rules
from gonzaga_env.core.board import bits
from gonzaga_env.core.board.actions import NO_PLAN, NUM_PLANS
from gonzaga_env.core.state import PLACE, open_sites, winners
from gonzaga_env.games import record_frames
from gonzaga_env.kernel.records import Record
from gonzaga_env.kernel.view import Frame
from tests.conftest import finished, played
from tests.core.test_records import record_games

POSITIONS = [(p, steps) for p in (2, 3, 4) for steps in (0, 1, p - 1, p, p + 1, 9 * p - 1, 15 * p)]


@pytest.mark.parametrize(("num_players", "steps"), POSITIONS)
def test_views_agree_with_the_state(num_players: int, steps: int) -> None:
    engine = played(Engine(5, num_players, seed=steps), steps)
    state, tables = engine.state, engine.tables
    grid = tables.edition.grid
    for game in range(5):
        view = engine.view(game)
        scenario = tables.edition.scenarios[state.scenario[game]]
        assert (view.scenario, set(view.flourishing)) == (scenario.name, {*scenario.flourishing})
        assert {*view.flourishing, *view.inactive} == set(tables.edition.regions.values())
        assert view.last_round == state.last_round[game]
        assert view.open_sites == open_sites(tables, state)[game]
        assert view.order == (tuple(state.order[game]) if state.phase[game] == PLACE else ())
        for player in view.players:
            seat, shown = player.seat, state.round[game] - 1
            assert player.rings == state.ring_stock[game, seat]
            deck = (state.deck[game, seat] + 1).tolist()
            assert (player.fief, player.deck) == (deck[shown], tuple(sorted(deck[shown + 1 :])))
            assert player.card == 10 * deck[shown] + seat + 1  # R1.7
            for shown_plan, plan in (
                (player.plan, state.plan[game, seat]),
                (player.locked, state.previous_plan[game, seat]),
            ):
                text = None if shown_plan is None else shown_plan.text
                expected = None if plan == NO_PLAN else engine.actions.to_text(int(plan))
                assert text == expected
            assert player.planned == (state.plan[game, seat] != NO_PLAN)
            assert player.objective is not None
            assert (
                player.objective.symbols == tables.edition.objectives[state.objective[game, seat]]
            )
            held = bits.unpack(state.fiefs[game, seat] | state.rings[game, seat], len(grid)) == 1
            cities = [c for c in tables.edition.cities if held[grid.index[c.at]]]
            assert player.objective.held == sum(c.group in player.objective.symbols for c in cities)
            assert player.harbors == tuple(state.sea_harbors[game, seat])
            assert player.largest_group == state.largest_group[game, seat]
            fiefs = {cell for f in view.fiefs if f.seat == seat for cell in f.cells}
            rings = {ring.cell for ring in view.rings if ring.seat == seat}
            for cells, words in ((fiefs, state.fiefs), (rings, state.rings)):
                assert (
                    bits.pack(np.array([cell in cells for cell in grid.cells])).tolist()
                    == words[game, seat].tolist()
                )


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_castles_lie_where_the_placement_put_them(num_players: int) -> None:
    engine, rng = Engine(8, num_players, seed=1), np.random.default_rng(1)
    seen = 0
    for _ in range(14 * num_players):
        actions, seats = engine.sample_legal(rng), engine.seats
        fiefs = [engine.view(game).players[seats[game]].fief for game in range(8)]
        engine.step(actions)
        for game in range(8):
            number, action = fiefs[game], int(actions[game])
            if not NUM_PLANS <= action < engine.actions.ring.start or engine.state.round[game] < 2:
                continue
            assert number is not None
            placements = engine.tables.placements
            cells = placements.cells[placements.row(number - 1, action - NUM_PLANS)]
            grid = engine.edition.grid
            castles = {grid.cells[cells[i]] for i in engine.edition.fiefs[number - 1].castles}
            piece = next(
                f for f in engine.view(game).fiefs if (f.seat, f.number) == (seats[game], number)
            )
            assert set(piece.castles) == castles
            seen += 1
    assert seen > 60


@pytest.mark.parametrize("rules", [Rules(), Rules(sea_league="first_only")])
def test_the_last_move_is_told_with_its_points(rules: Rules) -> None:
    engine, rng = Engine(12, 4, seed=3, rules=rules), np.random.default_rng(3)
    kinds, leagues = set(), 0
    for _ in range(60):
        before = [engine.view(game).last for game in range(12)]
        placing, actions = engine.state.phase == PLACE, engine.sample_legal(rng)
        words = [engine.describe(int(actions[game]), game) for game in range(12)]
        result = engine.step(actions)
        for game in range(12):
            last = engine.view(game, "public").last
            if not placing[game]:
                assert last == before[game]  # plans are secret
                continue
            if result.finished[game]:
                assert last is None  # the next game has been dealt
                continue
            assert last is not None
            assert (last.seat, last.points) == (result.seats[game], result.points[game])
            assert words[game].startswith(last.action)
            assert all(name in words[game] for name in (*last.sites, *last.leagues))
            assert ("sea league" in words[game]) == bool(last.leagues)
            leagues += bool(last.leagues)
            kinds.add(last.action.split()[0])
    assert kinds == {"fief", "ring", "rings", "donate"}
    assert leagues > 0


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_the_end_shows_all_objectives_and_the_winners(num_players: int) -> None:
    engine = finished(num_players)
    view = engine.view(0, 0)
    assert view.order == ()
    assert view.players == engine.view().players
    assert [p.won for p in view.players] == winners(engine.tables, engine.state)[0].tolist()
    assert all(p.objective and p.fief is p.locked is p.plan is None for p in view.players)
    assert view.last is not None


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
