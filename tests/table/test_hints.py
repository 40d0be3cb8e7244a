"""Hints say what a choice is worth and why, from what the seat may know."""

from typing import Any

import numpy as np
import pytest
from gonzaga_agents.registry import make_agent
from gonzaga_table.hints import Reason, as_hint, ask, reasons_for
from gonzaga_table.session import GameSession, human

from gonzaga_env.core import GameConfig, Rules
from gonzaga_env.games import game_spec
from gonzaga_env.kernel.agent import PROBABILITY, WINNING_CHANCE, Considered


def new_table(config: Any, seed: int = 3) -> GameSession:
    return GameSession(config, [human() for _ in range(config.num_players)], seed=seed)


def reasons_of(table: GameSession, actions: list[int]) -> list[dict[str, Reason]]:
    """Returns the reasons for actions of the seat to act, by kind; the last of each kind."""
    seat, (observation, _) = table.to_act, table.question()
    turn = table.turn(seat)
    found = reasons_for(table.config, observation, seat, turn, actions)
    return [{reason["kind"]: reason for reason in reasons} for reasons in found]


@pytest.mark.parametrize("rules", [Rules(), Rules("first_only")])
def test_reasons_come_true(rules) -> None:
    """Whatever is said for the choice that is played is seen in the position after it."""
    table, rng, kinds = new_table(GameConfig(3, rules=rules)), np.random.default_rng(0), set()
    planner, spots = make_agent("planner", table.config), dict[int, int]()
    while not table.over:
        seat, (observation, mask) = table.to_act, table.question()
        actions = planner.consider(observation, mask, rng).actions[:12].tolist()
        found = reasons_of(table, actions)
        kinds |= {kind for reasons in found for kind in reasons}
        reasons, before = found[0], table.view(seat)
        if before.decision == "place" and before.order[0] == seat:  # the map is as it was
            assert spots[seat] == len(np.flatnonzero(mask)) - 1
        table.play(seat, table.num_moves, actions[0])
        after = table.view(seat)
        old, new = before.players[seat], after.players[seat]
        if "spots" in reasons:
            spots[seat] = reasons["spots"]["number"] + reasons["spots"]["weddings"]
            continue
        covered = after.last.sites
        sites = reasons.get("sites", {"cities": [], "harbors": [], "points": 0})
        assert sorted(covered) == sorted(sites["cities"] + sites["harbors"])
        points = sites["points"] + reasons.get("league", {"points": 0})["points"]
        assert after.last.points == points or not after.last.cells
        assert [*after.last.leagues] == [r["league"]["sea"] for r in [reasons] if "league" in r]
        gains = new.objective.held > old.objective.held
        assert gains == ("objective" in reasons)
        assert not gains or reasons["objective"]["held"] == new.objective.held
        assert new.largest_group == reasons.get("group", {"after": new.largest_group})["after"]
        assert new.rings == reasons.get("rings", {"left": new.rings})["left"]
    assert kinds >= {"spots", "privilege", "sites", "league", "harbors", "objective", "group"}
    assert kinds >= {"rings", "takes", "place"}


def test_a_harbor_taken_from_a_league_of_another_is_named() -> None:
    """R6.2: whoever holds two harbors of a sea wants the third."""
    table, found = new_table(GameConfig(4), seed=5), []
    planner, rng = make_agent("planner", table.config), np.random.default_rng(0)
    seas = list(table.config.edition.seas.values())
    while not table.over:
        seat = table.to_act
        turn = table.turn(seat)
        if turn.stage == "placing":
            actions = [choice.action for choice in turn.choices]
            players = table.view(seat).players
            for reasons in reasons_of(table, actions):
                if (denied := reasons.get("denies")) is not None:
                    held = players[denied["seat"]].harbors[seas.index(denied["sea"])]
                    assert (held, denied["seat"] == seat) == (2, False)
                    found.append(denied)
        table.step_agent(planner, rng)
    assert found


@pytest.mark.parametrize("game", ["tuscany", "signorie"])
def test_other_games_give_hints_without_reasons(game) -> None:
    table = new_table(game_spec(game).config(num_players=2))
    seat, question = table.to_act, table.question()
    turn = table.turn(seat)
    considered = ask(make_agent("greedy", table.config), *question, np.random.default_rng(0))

    def why(actions: Any) -> Any:
        return reasons_for(table.config, question[0], seat, turn, actions)

    hint = as_hint("greedy", considered, turn, why)
    assert hint.measure == "points"
    assert all({r["kind"] for r in choice.reasons} <= {"tie"} for choice in hint.choices)


def test_values_say_what_they_are_and_ties_are_named() -> None:
    table = new_table(GameConfig(2))
    turn = table.turn(0)
    actions = np.array([choice.action for choice in turn.choices[:3]])
    tried = np.array([5, 4, 0])
    for unit, measure in [
        (WINNING_CHANCE, "chance"),
        (PROBABILITY, "probability"),
        ("points now", "points"),
    ]:
        hint = as_hint("x", Considered(actions, np.array([0.5, 0.5, 0.0]), unit, tried), turn)
        assert hint.measure == measure
        assert [choice.value for choice in hint.choices] == [0.5, 0.5, None]  # the last: untried
        assert [choice.reasons for choice in hint.choices] == [(), ({"kind": "tie"},), ()]


def test_a_search_gives_chances_in_their_order() -> None:
    table = new_table(GameConfig(3))
    turn = table.turn(0)
    search = make_agent("search@64", table.config)
    found = as_hint("search", ask(search, *table.question(), np.random.default_rng(0)), turn)
    values = [choice.value for choice in found.choices if choice.value is not None]
    assert found.measure == "chance"
    assert values == sorted(values, reverse=True)
    assert 0 < values[0] < 1
