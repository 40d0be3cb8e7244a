"""The examples of docs/bots.md are what the host says and what it understands."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gonzaga_agents.outside import messages
from gonzaga_agents.outside.spec import Limits

from gonzaga_env.games import game_spec
from gonzaga_env.text import ActionTextError

PAGE = (Path(__file__).parents[3] / "docs/bots.md").read_text("utf-8")
BLOCKS = {
    name: json.loads(block)
    for name, block in re.findall(
        r"<!-- ((?:host|bot) \w+) -->\n\n```json\n(.*?)```", PAGE, re.DOTALL
    )
}
CONFIG = game_spec("tuscany").config(num_players=2)


def alike(example: Any, real: Any) -> bool:
    """Returns whether an example has the form of a message: its keys and the types of values."""
    if isinstance(real, dict):
        return isinstance(example, dict) and all(
            key in real and alike(value, real[key]) for key, value in example.items()
        )
    if isinstance(real, list) and isinstance(example, list):
        return not example or (bool(real) and all(alike(each, real[0]) for each in example))
    return type(example) is type(real)


def test_the_page_shows_what_the_host_says() -> None:
    _, want = messages.read_hello(BLOCKS["bot hello"])
    asked = BLOCKS["host decide"]
    engine = game_spec("tuscany").engine.from_config(CONFIG, 1, seed=1)
    decision = messages.decision(CONFIG, want, 12, 1, engine.legal_action_mask()[0], None)
    assert alike(asked["decisions"], [decision])
    assert asked["decisions"][0].keys() == decision.keys()
    for each in asked["decisions"]:
        assert [CONFIG.actions.to_text(action) for action in each["legal"]] == each["texts"]
    hello = messages.hello(CONFIG, Limits())
    assert BLOCKS["host hello"].keys() == hello.keys()
    assert alike(BLOCKS["host hello"], hello)
    assert BLOCKS["host hello"]["limits"] == hello["limits"]
    assert BLOCKS["host hello"]["wants"] == hello["wants"]
    assert BLOCKS["host ready"] == messages.ready(CONFIG, want)
    assert BLOCKS["host goodbye"] == json.loads(messages.GOODBYE)
    for name in messages.WANTS:
        assert f'| `"{name}"` |' in PAGE
    for limit, value in vars(Limits()).items():
        shown = f"`{value}`" if isinstance(value, str) else f"{value:g}"
        assert f"| `{limit}` | {shown} |" in PAGE


def test_the_page_shows_what_the_host_understands() -> None:
    asked, answer = BLOCKS["host decide"], BLOCKS["bot answer"]
    assert answer["id"] == asked["id"] == BLOCKS["bot again"]["id"] == BLOCKS["host illegal"]["id"]
    found = []
    for each, said in zip(asked["decisions"], messages.answers(answer, 2), strict=True):
        mask = np.zeros(CONFIG.actions.size, np.bool_)
        mask[each["legal"]] = True
        found.append(messages.read_action(CONFIG, said, mask, None, 0))
    assert found == [158, 263]
    number = len(BLOCKS["host illegal"]["errors"])
    assert len(messages.answers(BLOCKS["bot again"], number)) == number


def test_the_page_shows_how_an_answer_is_refused() -> None:
    engine = game_spec("tuscany").engine.from_config(CONFIG, 1, seed=1)
    rng = np.random.default_rng(0)
    mask = engine.legal_action_mask()[0]
    while mask[158] or engine.kinds[0] != 3:  # it waits for an action, and tile R2 is none
        engine.step(engine.sample_legal(rng))
        mask = engine.legal_action_mask()[0]
    with pytest.raises(ActionTextError) as caught:
        messages.read_action(CONFIG, "tile R2", mask, engine, 0)
    told, error = BLOCKS["host illegal"]["errors"][0], caught.value
    assert (told["reason"], told["rule"]) == (str(error), error.rule)
    assert told["read"] == list(error.read)
