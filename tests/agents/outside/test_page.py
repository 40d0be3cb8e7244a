"""The examples of docs/bots.md are what the host says and what it understands."""

import json
import re
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gonzaga_agents.outside import messages
from gonzaga_agents.outside.spec import Limits

from gonzaga_env.core.board.placements import PlacementFault, build_placements
from gonzaga_env.core.edition import offset_neighbors
from gonzaga_env.games import game_names, game_spec
from gonzaga_env.kernel.errors import IllegalActionError
from gonzaga_env.text import printed_json

PAGE = (Path(__file__).parents[3] / "docs/bots.md").read_text("utf-8")
BLOCKS = {
    name: json.loads(block)
    for name, block in re.findall(
        r"<!-- ((?:host|bot) \w+|view) -->\n\n```json\n(.*?)```", PAGE, re.DOTALL
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


def test_the_page_tells_the_geometry() -> None:
    """Each fief covers the hexes of the engine's tables, and actions are numbered as told."""
    config = game_spec("gonzaga").config(num_players=2)
    printed = messages.ready(config, frozenset({"printed"}))["printed"]
    printed = json.loads(json.dumps(printed))
    own: dict[str, Any] = {}
    exec(re.search(r"<!-- geometry -->\n\n```python\n(.*?)```", PAGE, re.DOTALL)[1], own)
    rows = enumerate(printed["marks"])
    hexes = [[row, col] for row, marks in rows for col, mark in enumerate(marks) if mark != "."]
    tables, number = build_placements(config.edition), len(hexes)
    index = 0
    for fief, turns, at in product(printed["fiefs"], range(6), hexes):
        found = own["covered"](printed, fief["number"], turns, *at)
        known = [hexes.index(one) for one in found] if all(x in hexes for x in found) else []
        is_off = tables.fault[index] == PlacementFault.OFF_MAP
        assert is_off == (not known)
        assert is_off or tables.cells[index].tolist()[: len(known)] == known
        index += 1
    assert index == 72 * number
    for at in hexes:
        assert own["neighbors"](*at) == [list(one) for one in offset_neighbors(*at)]
    to_text = config.actions.to_text
    assert to_text(42 + 2 * number + 5) == f"fief r2 @ {hexes[5][0]},{hexes[5][1]}"
    assert to_text(42 + 6 * number + 5) == f"ring {hexes[5][0]},{hexes[5][1]}"
    (row, col), (other, there) = hexes[5], own["neighbors"](*hexes[5])[1]
    assert to_text(42 + 8 * number + 5) == f"rings {row},{col} {other},{there}"
    assert to_text(42 + 10 * number) == "donate"
    assert to_text(6 * 2 + 2 * 1 + 1) == f"{[*printed['regions'].values()][2]} B + privilege"


@pytest.mark.parametrize("game", game_names())
def test_what_is_printed_is_told(game: str) -> None:
    config = game_spec(game).any_config()
    told = json.loads(json.dumps(printed_json(config)))
    assert told["name"] == config.edition.name
    assert "source" not in told
    assert str(Path.home()) not in json.dumps(told)


def test_the_page_shows_how_an_answer_is_refused() -> None:
    engine = game_spec("tuscany").engine.from_config(CONFIG, 1, seed=1)
    rng = np.random.default_rng(0)
    mask = engine.legal_action_mask()[0]
    while mask[158] or engine.kinds[0] != 3:  # it waits for an action, and tile R2 is none
        engine.step(engine.sample_legal(rng))
        mask = engine.legal_action_mask()[0]
    with pytest.raises(IllegalActionError) as caught:
        messages.read_action(CONFIG, "tile R2", mask, engine, 0)
    told, error = BLOCKS["host illegal"]["errors"][0], caught.value
    assert (told["reason"], told["rule"]) == (str(error), error.rule)
