"""The Castles of Tuscany at a terminal."""

from collections.abc import Callable

import numpy as np
import pytest
from gonzaga_table.choices import ActionChoice, Deciding, turn_of
from gonzaga_table.session import GameSession, agent_seat, human
from gonzaga_table.terminal import deciding
from gonzaga_table.terminal.deciding import InputError

from gonzaga_env.tabletop.chance import agent_generators
from gonzaga_env.tabletop.records import read_records
from gonzaga_env.tuscany import Game, GameConfig, replay
from gonzaga_env.tuscany.constants import KINDS
from tests.conftest import Answer, complaint_of
from tests.table.terminal.test_command import make_agent

Play = Callable[..., Answer]


@pytest.fixture
def play(gonzaga) -> Play:
    """Returns a function that plays with typed lines."""
    return lambda lines, *options: gonzaga(
        "play", "--game", "tuscany", *options, typed="".join(f"{x}\n" for x in lines)
    )


def whole_game(table: GameSession) -> list[str]:
    """Plays a table at random and returns the lines that its one person types."""
    (rng,) = agent_generators(table.seed.to_bytes(8, "little"), 1)  # as the command does
    choices, lines = np.random.default_rng(1), []
    agent = make_agent(table.seats[1].name, table.config)
    while (seat := table.to_act) is not None:
        if seat:
            table.step_agent(agent, rng)
            continue
        turn = table.turn(0)
        assert isinstance(turn, Deciding)
        choice = turn.choices[choices.integers(len(turn.choices))]
        lines += [choice.text, ""]
        table.play(0, table.num_moves, choice.action)
    return lines


def test_a_whole_game_is_typed_recorded_and_scored_by_source(play, tmp_path) -> None:
    table = GameSession(GameConfig(2), [human("player 0"), agent_seat("random")], seed=5)
    lines, file = whole_game(table), tmp_path / "game.jsonl"
    code, out, err = play(lines, "--seats", "human", "random", "--seed", 5, "--record", file)
    assert (code, err) == (0, "")
    (record,) = read_records(file)
    assert replay(record).finished
    assert record == table.record()
    end = out[out.index("Over after") :]
    for source in ("zones", "round 3", "cards"):
        assert f"\n{source}" in end
    assert f"points\nwrote {file}" in end.replace("\n\n", "\n")
    assert "Since your last move:" in out


def test_no_hand_but_the_own_one_is_shown(play) -> None:
    _, out, _ = play(["1", "", "1", "", "1", "", "draw", "", "quit"], "--seed", 3)
    shown = [line.partition("hand")[2].split() for line in out.splitlines() if " hand " in line]
    assert {len(words) == 1 and words[0].isdigit() for words in shown[1::2]} == {True}
    assert "You are player 0" in out


def test_commands_answer_and_wrong_lines_are_explained(play) -> None:
    typed = ["help", "rules", "hint", "list", "900", "foo", "layout a", "quit"]
    code, out, _ = play(typed, "--seed", 3)
    assert code == 0
    for text in ("first letters are enough", "docs/rules-tuscany.md", "planner considers", " 96  "):
        assert text in out
    assert "the list has numbers 1 to 96" in out
    assert "'foo' is not among them" in out
    assert "'layout a' may be 32 actions: " in out
    wrong = play([], "--scenario", "Colombo")
    assert "--scenario is Colombo; The Castles of Tuscany has no scenarios" in complaint_of(wrong)


@pytest.mark.parametrize("kind", range(len(KINDS)))
def test_all_choices_can_be_typed(kind) -> None:
    game, rng = Game(2, seed=kind), np.random.default_rng(kind)
    while game.kind != kind:
        if game.finished:
            game.reset()
        game.play(game.sample_legal(rng))
    turn = turn_of(game)
    assert isinstance(turn, Deciding)
    assert turn.kind == KINDS[kind]
    asked = "your move" if turn.kind == "main" else turn.kind
    assert deciding.question(turn) == asked
    numbered = deciding.listed(turn)
    assert [choice.action for choice in numbered] == np.flatnonzero(game.mask()).tolist()
    for number, choice in enumerate(numbered, start=1):
        for text in (choice.text, choice.text.upper(), str(number), f" {choice.text} "):
            assert deciding.read(text, turn, numbered) is choice
    with pytest.raises(InputError, match="numbers 1 to"):
        deciding.read("0", turn, numbered)


def test_a_text_that_begins_another_is_found() -> None:
    choices = [ActionChoice(i, text, "") for i, text in enumerate(("tile L1", "tile L10"))]
    turn = Deciding("main", tuple(choices))
    assert deciding.read("l1", turn, choices) is choices[0]
    assert deciding.read("tile l10", turn, choices) is choices[1]


@pytest.mark.parametrize(("game", "rule"), [("tuscany", "T7.1"), ("signorie", "S5.3")])
def test_help_says_what_matters_in_the_decision(play, game, rule) -> None:
    _, out, _ = play(["", "help", "quit"], "--game", game, "--seed", 1, "--seats", "human", "human")
    assert rule in out
