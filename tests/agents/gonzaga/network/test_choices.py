"""Choices: which actions are listed, and every feature against a naive computation."""

import numpy as np
import pytest
from gonzaga_agents.gonzaga.network.choices import CHOICE_FEATURES, NUM_CHOICES
from gonzaga_agents.gonzaga.network.inputs import Inputs
from gonzaga_agents.gonzaga.network.reader import InputReader
from gonzaga_agents.gonzaga.planner import PLANNED, PlannerAgent

from gonzaga_env.core import Engine, GameConfig, Rules
from gonzaga_env.core.state.state import PLACE, PLAN
from tests.agents.network.naive import (
    RULES,
    Onlooker,
    games_beside_oracles,
    plan_of,
    row_of,
    text_of,
)

AT = {name: index for index, name in enumerate(CHOICE_FEATURES)}


def read(reader: InputReader, engine: Engine) -> Inputs:
    games = np.arange(engine.num_games)
    legal = engine.legal_actions()
    return reader.read(engine.state, engine.observe(), games, engine.seats, *legal)


def general(scores: np.ndarray, place: int) -> dict[str, float]:
    """Returns the features that all kinds of choices have, given scores, best first."""
    score, best = scores[place], scores[0]
    return {"score": score / 10, "behind": (score - best) / 10, "first": float(place == 0)}


def kind_of(text: str) -> str:
    return "donation" if text == "donate" else text.split()[0]


@pytest.mark.parametrize("num_players", [2, 3, 4])
@pytest.mark.parametrize("rules", RULES)
def test_placements_equal_the_naive_ones(num_players: int, rules: Rules) -> None:
    config = GameConfig(num_players, rules=rules)
    reader, used = InputReader(config), set()
    for engine, oracles in games_beside_oracles(config, 4, every=3):
        if engine.state.phase[0] != PLACE:
            continue
        inputs = read(reader, engine)
        for game, oracle in enumerate(oracles):
            assert oracle.seat is not None
            seen = Onlooker(oracle, oracle.seat)
            worth = {text: seen.score(text) for text in oracle.legal_actions()}
            scores = np.sort([*worth.values()])[::-1][:NUM_CHOICES]
            listed = inputs.actions[game][inputs.actions[game] >= 0].tolist()
            assert len(listed) == len({*listed}) == len(scores)
            for place, action in enumerate(listed):
                text = text_of(engine, game, oracle.seat, action)
                assert worth[text] == pytest.approx(scores[place], abs=1e-4)
                wanted = general(scores, place) | seen.placement(text) | {kind_of(text): 1.0}
                np.testing.assert_allclose(
                    inputs.choices[game, place], row_of(wanted, CHOICE_FEATURES), atol=1e-5
                )
                assert inputs.spots[game, place].tolist() == seen.spots(text)
                used.add(kind_of(text))
            assert (inputs.choices[game, len(listed) :] == 0).all()
            assert (inputs.actions[game, len(listed) :] == -1).all()
    assert used == {"fief", "ring", "rings", "donation"}


@pytest.mark.parametrize("num_players", [2, 3, 4])
@pytest.mark.parametrize("rules", RULES)
def test_plans_are_described_by_the_best_that_they_open(num_players: int, rules: Rules) -> None:
    config = GameConfig(num_players, rules=rules)
    reader, nothing = InputReader(config), set()
    for engine, oracles in games_beside_oracles(config, 2, every=4 * num_players):
        inputs = read(reader, engine)
        for game, oracle in enumerate(oracles):
            assert oracle.seat is not None
            seen, cards = Onlooker(oracle, oracle.seat), [*oracle.edition.regions, "inactive"]
            best = inputs.choices[game, 0, AT["score"]] * 10
            for place, action in enumerate(inputs.actions[game].tolist()):
                if action < 0:
                    continue
                features = inputs.choices[game, place]
                text = text_of(engine, game, oracle.seat, action)
                assert text in oracle.legal_actions()
                plan = plan_of(text)
                opened, reached_by = seen.opened(plan)
                rivals = features[AT["rivals"]]
                worth = opened - PLANNED.privilege * plan.privilege
                score = worth - 0.5 * min(rivals, 1.5) * max(worth - 3, 0)
                wanted = {
                    "score": score / 10,
                    "behind": (score - best) / 10,
                    "first": place == 0,
                    "plan": 1,
                    f"action_{plan.action}": 1,
                    "privilege": plan.privilege,
                    "rivals": rivals,
                    "opened": opened / 10,
                    "nothing": reached_by == {"donate"},
                    "flourishing": plan.region in oracle.flourishing,
                    f"region_{cards.index(plan.region)}": 1,
                }
                nothing.add(reached_by == {"donate"})
                described = [
                    (row_of(wanted | seen.placement(other), CHOICE_FEATURES), seen.spots(other))
                    for other in reached_by
                ]
                assert any(
                    np.allclose(features, row, atol=1e-5)
                    and inputs.spots[game, place].tolist() == spots
                    for row, spots in described
                ), (text, reached_by)
    assert nothing == {False, True}


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_the_best_are_listed_in_the_planner_s_order(num_players: int) -> None:
    """In both phases, as the planner itself scores all legal actions."""
    config, phases = GameConfig(num_players), set()
    reader, planner, rng = InputReader(config), PlannerAgent(config), np.random.default_rng(0)
    for engine, _ in games_beside_oracles(config, 4, every=3):
        phases.add(int(engine.state.phase[0]))
        inputs, masks, seen = read(reader, engine), engine.legal_action_mask(), engine.observe()
        for game in range(4):
            considered = planner.consider(seen[game], masks[game], rng)
            worth = dict(zip(considered.actions.tolist(), considered.values, strict=True))
            listed = inputs.actions[game][inputs.actions[game] >= 0].tolist()
            scores = [worth[action] for action in listed]
            np.testing.assert_allclose(scores, considered.values[:NUM_CHOICES], atol=1e-3)
            found = inputs.choices[game, : len(listed), AT["score"]] * 10
            np.testing.assert_allclose(found, scores, atol=1e-3)
            assert (np.diff(found) <= 0).all()
    assert phases == {PLAN, PLACE}
