"""Sites and choices: every feature against a naive computation from the oracle's sets of hexes."""

import numpy as np
import pytest
from gonzaga_agents.gonzaga.network.choices import CHOICE_FEATURES, NUM_CHOICES
from gonzaga_agents.gonzaga.network.inputs import Inputs
from gonzaga_agents.gonzaga.network.reader import InputReader
from gonzaga_agents.gonzaga.network.sites import SITE_FEATURES
from gonzaga_agents.gonzaga.planner import PLANNED

from gonzaga_env.core import Engine, GameConfig, Rules
from gonzaga_env.core.state.state import PLACE, PLAN
from tests.agents.network.naive import (
    RULES,
    Onlooker,
    games_beside_oracles,
    plan_of,
    row_of,
    sites,
    text_of,
)

AT = {name: index for index, name in enumerate(CHOICE_FEATURES)}


def read(reader: InputReader, engine: Engine) -> Inputs:
    games = np.arange(engine.num_games)
    legal = engine.legal_actions()
    return reader.read(engine.state, engine.observe(), games, engine.seats, *legal)


@pytest.mark.parametrize("num_players", [2, 3, 4])
@pytest.mark.parametrize("rules", RULES)
def test_sites_equal_the_naive_ones(num_players: int, rules: Rules) -> None:
    reader = InputReader(GameConfig(num_players, rules=rules))
    used, phases = np.zeros(len(SITE_FEATURES), dtype=np.bool_), set()
    for engine, oracles in games_beside_oracles(reader.config, 3, every=5):
        phases.add(int(engine.state.phase[0]))
        found = read(reader, engine).sites
        used |= (found != 0).any(axis=(0, 1))
        if engine.state.phase[0] == PLAN:
            found[..., SITE_FEATURES.index("attention")] = 0  # see the test of rivals
        for own, oracle, seat in zip(found, oracles, engine.seats.tolist(), strict=True):
            seen = Onlooker(oracle, seat)
            wanted = [row_of(seen.site(cell), SITE_FEATURES) for cell in sites()]
            np.testing.assert_allclose(own, wanted, atol=1e-5)
    assert phases == {PLAN, PLACE}
    rare = {"locked_for_others"} if num_players == 2 else set()
    assert {name for name, seen in zip(SITE_FEATURES, used, strict=True) if not seen} <= rare


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
