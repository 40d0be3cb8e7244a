"""The shipped policies in numpy, where there is no onnxruntime."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from gonzaga_agents.policies.learned import OnnxForward, load_learned, load_plain
from gonzaga_agents.registry import make_agent

from gonzaga_env.core import Engine
from gonzaga_env.tabletop.agent import AgentError


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_a_policy_judges_in_numpy_as_with_onnxruntime(num_players: int) -> None:
    engine, rng = Engine(16, num_players, seed=3), np.random.default_rng(3)
    plain, learned = load_plain(engine.config), load_learned(engine.config)
    assert plain is not None
    assert isinstance(learned.forward, OnnxForward)
    for _ in range(3 * num_players):
        seen = engine.observe(), engine.legal_action_mask()
        found, wanted = plain.evaluate(*seen), learned.evaluate(*seen)
        np.testing.assert_allclose(found.probabilities, wanted.probabilities, atol=1e-4)
        np.testing.assert_allclose(found.values, wanted.values, atol=1e-3)  # points
        engine.step(engine.sample_legal(rng))


@pytest.mark.parametrize("spec", ["learned", "search@4:learned"])
def test_learned_plays_without_onnxruntime(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    engine = Engine(1, 3, seed=1)
    agent = make_agent(spec, engine.config)
    mask = engine.legal_action_mask()
    (action,) = agent.act(engine.observe(), mask, np.random.default_rng(0))
    assert mask[0, action]


def test_a_model_with_other_names_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gonzaga_agents.policies.learned.floats", lambda model: {})
    with pytest.raises(AgentError, match=r"players_2\.onnx: "):
        load_plain(Engine(1, 2).config)
