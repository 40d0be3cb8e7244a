"""`python -m gonzaga_env play`, as somebody at a terminal uses it: by typing lines."""

import io
import subprocess
import sys
from collections.abc import Callable

import numpy as np
import pytest
from gonzaga_agents.registry import make_agent
from gonzaga_table.gonzaga.choices import PlacementChoice, PlanChoice
from gonzaga_table.session import GameSession, agent_seat, human

from gonzaga_env.__main__ import main
from gonzaga_env.core import GameConfig
from gonzaga_env.core.records import read_records, replay
from gonzaga_env.tabletop.chance import agent_generators
from tests.conftest import Answer, complaint_of

Play = Callable[..., Answer]


@pytest.fixture
def play(gonzaga) -> Play:
    """Returns a function that plays with typed lines."""
    return lambda lines, *options: gonzaga("play", *options, typed="".join(f"{x}\n" for x in lines))


def typed(choice: PlanChoice | PlacementChoice) -> str:
    """Returns what a player types for a choice."""
    if isinstance(choice, PlanChoice):
        return f"{choice.region.lower()} {choice.card}{' +' if choice.privilege else ''}"
    return choice.text


def whole_game(table: GameSession) -> list[str]:
    """Plays a table at random and returns the lines that its people type."""
    (rng,) = agent_generators(table.seed.to_bytes(8, "little"), 1)  # as the command does
    choices, lines, looking = np.random.default_rng(1), [], None
    humans = [seat for seat, who in enumerate(table.seats) if who.kind == "human"]
    while (seat := table.to_act) is not None:
        if seat not in humans:
            agent = make_agent(table.seats[seat].name, table.config)
            table.step_agent(agent, rng)
            continue
        turn = table.turn(seat)
        assert turn is not None
        choice = turn.choices[choices.integers(len(turn.choices))]
        if len(humans) > 1 and looking != seat:
            lines.append("")
        looking = seat
        lines += [typed(choice), ""]
        table.play(seat, table.num_moves, choice.action)
    return lines


def test_a_whole_game_is_typed_and_recorded(play, tmp_path) -> None:
    table = GameSession(GameConfig(3), [human("player 0"), *[agent_seat("greedy")] * 2], seed=5)
    lines = whole_game(table)
    file = tmp_path / "game.jsonl"
    options = ("--seats", "human", "greedy", "greedy", "--seed", 5, "--record", file)
    code, out, err = play(lines, *options, "--agent", "greedy")
    assert (code, err) == (0, "")
    assert "The game is over after" in out
    assert out.endswith(f"wrote {file}\n")
    (record,) = read_records(file)
    replay(record)
    assert record == table.record()


def test_two_people_share_a_keyboard_and_plans_stay_sealed(play) -> None:
    table = GameSession(GameConfig(2), [human("player 0"), human("player 1")], seed=3)
    lines = whole_game(table)
    code, out, err = play(lines, "--seats", "human", "human", "--seed", 3)
    assert (code, err) == (0, "")
    assert out.count("Press Enter when nobody else looks") == lines.count("") - table.num_moves
    first, second, *_ = out.split("Press Enter when nobody else looks: ")[1:]
    begun = GameSession(table.config, table.seats, seed=3).turn(0)
    assert begun is not None
    plan = next(one.words for one in begun.choices if one.action == table.moves[0][1])
    assert plan in first
    assert plan not in second.split("Plans are open")[0]


def test_a_choice_is_taken_back_before_it_is_confirmed(play) -> None:
    table = GameSession(GameConfig(2), [human(), human()], seed=1)
    turn = table.turn(0)
    assert turn is not None
    one, other = turn.choices[0], turn.choices[-1]
    lines = [typed(one), "undo", typed(other), "", "quit"]
    _, out, _ = play(lines, "--players", 2, "--seed", 1, "--seats", "human", "greedy")
    assert "Taken back." in out
    assert f"Your plan: {one.words}" not in out
    assert f"with {other.words}" in out


def test_help_rules_hints_and_mistakes_change_nothing(play) -> None:
    lines = ["help", "rules", "hint", "narnia b", "fra", "r2 1,1", "undo", "show", "list", "quit"]
    code, out, err = play(lines, "--seed", 1, "--agent", "greedy")
    assert (code, err) == (0, "")
    assert "points now, objective included" in out
    assert "Points: 3 for each city" in out
    assert "'narnia' is not in your hand" in out
    assert "a plan is a region and A, B or C" in out
    assert out.endswith("The game was left after 0 moves; nothing was recorded.\n")


def test_the_end_of_input_ends_the_game(play) -> None:
    code, out, err = play([], "--seed", 1)
    assert (code, err) == (0, "")
    assert "left after 0 moves" in out


def test_ctrl_c_ends_with_130(monkeypatch, capsys) -> None:
    class Interrupted(io.StringIO):
        def readline(self, size: int | None = -1, /) -> str:
            raise KeyboardInterrupt

    monkeypatch.setattr(sys, "stdin", Interrupted())
    assert main(["play", "--seed", "1"]) == 130
    err = capsys.readouterr().err
    assert err == "\nplay: interrupted after 0 moves\n"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--players", 5], "num_players is 5"),
        (["--players", 3, "--seats", "human", "greedy"], "--players is 3, but --seats names 2"),
        (["--seats", "greedy", "greedy"], "--seats takes one human at least"),
        (["--seats", "human", "nobody"], "there is no agent 'nobody'"),
        (["--agent", "nobody"], "there is no agent 'nobody'"),
        (["--scenario", "Nero"], "no scenario 'Nero' for 2 players"),
        (["--edition", "atlantis"], "'atlantis' is neither"),
        (["--seed", -1], "seed is -1"),
    ],
)
def test_bad_options_end_in_one_line(play, options, message) -> None:
    assert message in complaint_of(play([], *options))


def test_it_runs_as_a_command() -> None:
    command = [sys.executable, "-m", "gonzaga_env", "play", "--seed", "1", "--agent", "greedy"]
    done = subprocess.run(command, input="hint\nquit\n", capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert "\x1b" not in done.stdout  # colours are for terminals
    assert "greedy considers" in done.stdout
