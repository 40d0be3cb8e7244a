"""What an answer names: what decides, and what is refused, in a position of each game."""

import json
from functools import cache
from typing import Any

import numpy as np
import pytest

from gonzaga_env.games import game_names, game_spec
from gonzaga_env.kernel.errors import ActionError, IllegalActionError
from gonzaga_env.text import action_text, parse_action
from gonzaga_env.text.actions import _LONGEST_ACTION, _MOST_TOKENS

STEPS = {"gonzaga": 4, "tuscany": 16, "signorie": 0}  # of random play
#: Gonzaga places fief 2; "draw", "take V" and "tile M3" are legal in The Castles of Tuscany, and
#: "take AWL" is not; Signorie has dice: "yellow 1 hire 1", "turquoise 5 assign 2", "pass".


@cache
def position(game: str) -> Any:
    spec = game_spec(game)
    one, rng = spec.game.from_config(spec.config(num_players=4), 0), np.random.default_rng(0)
    for _ in range(STEPS[game]):
        one.play(one.sample_legal(rng))
    return one


#: Game, answer, and the text of the action that is played; None where it is refused.
ANSWERS = [
    # An object with "action" decides, the last one.
    ("tuscany", '{"action": "draw"}', "draw"),
    ("tuscany", 'draw loses at once.\n{"action": "take V"}', "take V"),
    ("tuscany", 'draw loses at once.\n{"action": "take XYZ"}', None),
    ("tuscany", '{"action": "draw"}\nNo.\n{"action": "take V"}', "take V"),
    ("tuscany", '{"action": "draw"}\n{"score": {"now": 3}}', "draw"),
    ("tuscany", '{"action": "take V", "why": {"gain": [1, 2], "note": "draw {later}"}}', "take V"),
    ("tuscany", '{"why": "it }{ scores", "action": "take V"}', "take V"),
    ("tuscany", '{"plan": {"action": "draw"}, "action": "take V"}', "take V"),
    ("tuscany", '{"action": "take V", "others": [{"action": "draw"}]}', "take V"),
    ("tuscany", '{"result": {"action": "take V"}}', None),  # within another
    ("tuscany", '{"rejected": {"action": "draw"}, "final": "take V"}', None),
    ("tuscany", '{"note": "\nAction: draw"}', None),
    ("tuscany", '{"Action": "take V",}', "take V"),
    ("tuscany", "{'action': 'take V'}", "take V"),
    ("tuscany", '{"ACTION"\uff1a "take V"}', "take V"),
    ("tuscany", '```json\n{\n  "action": "take V"\n}\n```', "take V"),
    ("tuscany", r'$\frac{1}{2} x_{1} \text{\_}$ {"action": "take V"}', "take V"),
    ("tuscany", "$\\{V, M\\}$:\n\\boxed{\\text{take V}}", "take V"),
    ("tuscany", '{"action": "\\u0064raw"}', "draw"),
    ("tuscany", '{"action": ""}\ndraw', None),
    ("tuscany", '{"action": null}\nAction: draw', None),
    ("tuscany", '{"action": 17}', None),
    ("tuscany", '{"action": ["draw"]}', None),
    ("tuscany", '{"action": {"action": "draw"}}', None),
    ("tuscany", '{"action": "draw", "action": "take V"}', None),
    ("tuscany", '{"action": "draw or take V"}', None),
    ("tuscany", '{"action": "not draw"}', None),
    ("tuscany", '{"action": "..."}', None),
    ("tuscany", '{"move": "draw"}', None),
    # A broken object refuses the answer.
    ("tuscany", '{"action": "draw"', None),
    ("tuscany", 'An {unclosed brace, then {"action": "take V"}', None),
    ("tuscany", '{"others": [{"action": "draw", "why": "loses"}], "action": "take V', None),
    (
        "tuscany",
        '{"reason": "they said "no"", "rejected": {"action": "draw"}, "action": "take V"}',
        None,
    ),
    ("tuscany", """{"reason": "I reject {'action': 'draw'}" ; "action": "take V"}""", None),
    ("tuscany", '{"action": "take V", "over": {"action": "draw"}, # best\n}', None),
    ("tuscany", '{rejected: {"action": "draw"}, action: "take V"}', None),
    ("tuscany", '{"action": "draw"} loses, so {action: "take V"}', None),
    ("tuscany", '{"action": "draw"} loses, so {\u201caction\u201d: \u201ctake V\u201d}', None),
    ("tuscany", '{"action": "draw"} loses, so\n{// best\n"action": "take V"}', None),
    ("tuscany", r'{"action": "draw"} loses, so \{"action": "take V"\}', None),
    ("tuscany", r'{"action": "draw"} loses, so \n{action: "take V"}', None),
    ("tuscany", '{"action": "draw"} loses, so {"act', None),
    ("signorie", '{"action": "yellow 1 hire 1", "value": 3.5}', "yellow 1 hire 1"),
    ("signorie", '{"action": "yellow 1 hire 9"}\npass', None),
    ("gonzaga", '{"action": "fief r0 @ 7,6"}', "fief 2 r0 @ 7,6"),
    ("gonzaga", '{"action": "fief 2 r0 @ 7, 6"}', "fief 2 r0 @ 7,6"),
    ("gonzaga", '{"action": "fief 3 r0 @ 7,6"}', None),  # another fief
    ("gonzaga", '{"action": "fief 2 r0 @ 0,0"}\ndonate', None),
    # A line that begins with a marker decides, the last one.
    ("tuscany", "I draw or I take V.\nAction: take V", "take V"),
    ("tuscany", "Action: draw\nAction: take V", "take V"),
    ("tuscany", "**Action:** `take V`.", "take V"),
    ("tuscany", "Final action\uff1a TAKE  V!", "take V"),
    ("tuscany", "### Action\n\ntake V\n", "take V"),
    ("tuscany", "### Action: take V", "take V"),
    ("tuscany", "Action:\ntake V", "take V"),
    ("tuscany", "<answer>take V</answer> I hope.", None),
    ("tuscany", "<answer>draw</answer> would lose. I choose take V.", None),
    ("tuscany", "<answer>\ndraw\n</Answer> is wrong.", None),
    ("tuscany", "<answer>draw</answer> is wrong; <answer>take V</answer>", "take V"),
    ("tuscany", "<answer>\n  take V\n</answer>", "take V"),
    ("tuscany", r"$\boxed{\text{take V}}$", "take V"),
    ("tuscany", r"Action: \boxed{take V}", "take V"),
    ("tuscany", r"\boxed{draw} is illegal now, so I take V.", None),
    ("tuscany", r"\boxed{draw", None),
    ("tuscany", "Action: draw\nLast move: player 1, take AWL", "draw"),
    ("tuscany", "Action: resign\ndraw", None),
    ("tuscany", "Action: draw\nAction:", None),
    ("tuscany", "Action: draw? No.", None),
    ("tuscany", "Action: ~~draw~~", None),
    ("tuscany", "Action: d\u0336r\u0336a\u0336w\u0336", None),  # struck
    ("signorie", "Action: turquoise 5 assign 2", "turquoise 5 assign 2"),
    ("signorie", "Action: yellow 1\nturquoise 5 assign 2", None),
    ("gonzaga", "Action: don\u00e1te", "donate"),
    ("gonzaga", "Action: fief 2 r0 @ 7,6; fief 2 r0 @ 7,8", None),
    # Else the answer is nothing but an action.
    ("tuscany", "draw", "draw"),
    ("tuscany", "\n- 'Tile M3'.\n", "tile M3"),
    ("tuscany", "I draw.", None),
    ("tuscany", "Last move: player 1, draw", None),
    ("tuscany", "Legal actions:\ndraw\ntake V", None),
    ("tuscany", "!draw", None),
    ("tuscany", "", None),
    ("signorie", "Pass!", "pass"),
    ("gonzaga", "(fief R0 @ 7 , 6)", "fief 2 r0 @ 7,6"),
    # Thoughts are no answer.
    ("tuscany", '<think>{"action": "draw"}</think>take V', "take V"),
    ("tuscany", 'I like V.</think>\n{"action": "take V"}', "take V"),
    ("tuscany", '{"action": "take V"}<think>Or {"action": "draw"}?', "take V"),
    ("tuscany", "<think>draw</think>", None),
    ("tuscany", '<thinking>{"action": "draw"} loses</thinking>take V', "take V"),
    ("tuscany", '<seed:think budget="9">draw</seed:think>take V', "take V"),
    ("tuscany", '[THINK]{"action": "draw"} loses[/THINK]take V', "take V"),
    ("tuscany", '<|channel|>analysis<|message|>{"action": "draw"} loses<|end|>take V', None),
    # Quoted lines are not read.
    ("tuscany", '> {"action": "draw"}\n\nNo. Action: take V', None),
    ("tuscany", '> {"action": "draw"}\n\nAction: take V', "take V"),
    ("tuscany", "> Action: draw\nI refuse that.", None),
    ("tuscany", "Action:\n> draw", None),
    ("tuscany", "- > Action: draw\nI refuse that.", None),
]


@pytest.mark.parametrize(("game", "answer", "right"), ANSWERS)
def test_an_answer_names_one_action_or_is_refused(
    game: str, answer: str, right: str | None
) -> None:
    one = position(game)
    before = one.state.to_bytes()
    if right is None:
        with pytest.raises(ActionError):
            parse_action(one, answer)
    else:
        assert action_text(one, parse_action(one, answer)) == right
    assert one.state.to_bytes() == before


@pytest.mark.parametrize("form", ["Action: %s", "<answer>%s</answer>", r"\boxed{\text{%s}}"])
@pytest.mark.parametrize("game", game_names())
def test_every_legal_action_is_read_where_it_is_marked(game: str, form: str) -> None:
    spec = game_spec(game)
    one = spec.game.from_config(spec.config(num_players=2), 1)
    for action in np.flatnonzero(one.mask()).tolist():
        assert parse_action(one, form % action_text(one, action)) == action


def test_plans_and_rings_have_other_spellings() -> None:
    spec = game_spec("gonzaga")
    one = spec.game.from_config(spec.config(num_players=2), 0)
    name, other = one.view(0).flourishing[:2]
    for text, right in {
        f"{name} B with King's Privilege": f"{name} B + privilege",
        f"{name.lower()} b privilege": f"{name} B + privilege",
        "inactive region C": "inactive C",
        "inactive region C and privilege": "inactive C + privilege",
    }.items():
        assert parse_action(one, text) == one.actions.parse(right)
    with pytest.raises(ActionError):
        parse_action(one, f"{name} B + {other} B")
    for seed in range(50):
        one.play(one.sample_legal(np.random.default_rng(seed)))
        texts = [action_text(one, action) for action in one.mask().nonzero()[0].tolist()]
        if rings := [text for text in texts if text.startswith("rings")]:
            word, first, second = rings[0].split()
            assert parse_action(one, f"{word} {second} {first}") == one.actions.parse(rings[0])
            return
    raise AssertionError("nobody could place rings")


@pytest.mark.parametrize("game", game_names())
def test_an_illegal_action_is_refused_with_its_rule(game: str) -> None:
    one, said = position(game), 0
    for action in (one.mask() == 0).nonzero()[0][::111].tolist():
        try:
            text = action_text(one, action)
        except ActionError:  # it has none
            continue
        with pytest.raises(IllegalActionError) as caught:
            parse_action(one, json.dumps({"action": text}))
        assert caught.value.action == action
        assert caught.value.rule in str(caught.value)
        said += 1
    assert said


@pytest.mark.parametrize(
    "answer",
    [
        "x" * 20_001,
        '{"a":1},' * _MOST_TOKENS,
        '{"action": "' + "draw " * 100 + '"}',
        "Action: " + "a\u0301" * _LONGEST_ACTION,
        "Action:" * 2000,
        '{"a":[' * 3000,
        '{"a":' * 30 + '"' + "\\n" * 9900 + '" x',
        "\ud800",
        "\x1b[31mdraw",
        None,
    ],
)
def test_what_is_read_is_bounded_and_quoted(answer: Any) -> None:
    with pytest.raises(ActionError) as caught:
        parse_action(position("tuscany"), answer)
    assert len(str(caught.value)) < 300
    assert str(caught.value).isprintable()


def test_a_game_that_is_over_takes_no_action() -> None:
    one = position("tuscany").copy()
    while not one.finished:
        one.play(one.sample_legal(np.random.default_rng(one.round)))
    with pytest.raises(ActionError, match="over"):
        parse_action(one, "draw")
