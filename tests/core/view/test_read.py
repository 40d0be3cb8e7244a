"""What viewers know of a game: complete, the same from all engines, and free of secrets."""

import numpy as np
import pytest

from gonzaga_env.core import Engine, Rules
from gonzaga_env.core.board import bits
from gonzaga_env.core.board.actions import NO_PLAN, NUM_PLANS
from gonzaga_env.core.state import KINDS, PLACE, open_sites, winners
from tests.conftest import finished, played

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
        assert view.decision == KINDS[state.phase[game]]
        assert (view.round, view.last_round) == (state.round[game], state.last_round[game])
        assert view.to_act == engine.seats[game]
        assert view.open_sites == open_sites(tables, state)[game]
        assert view.order == (tuple(state.order[game]) if state.phase[game] == PLACE else ())
        for player in view.players:
            seat, shown = player.seat, state.round[game] - 1
            assert player.scores == tuple(state.scores[game, seat])
            assert player.score == state.totals[game, seat]
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
    assert view.decision == "over"
    assert view.to_act is None
    assert view.order == ()
    assert view.players == engine.view().players
    assert [p.won for p in view.players] == winners(engine.tables, engine.state)[0].tolist()
    assert all(p.objective and p.fief is p.locked is p.plan is None for p in view.players)
    assert view.last is not None
