"""`gonzaga play terminal`, as somebody at a terminal uses it: by typing lines."""

import io
import subprocess
import sys

import numpy as np
import pytest
from gonzaga_agents.registry import make_agent
from gonzaga_table.choices import ActionChoice, Deciding
from gonzaga_table.gonzaga.choices import PlacementChoice, PlanChoice
from gonzaga_table.session import GameSession, SessionError, agent_seat, human
from gonzaga_table.specs import turn_of
from gonzaga_table.terminal import deciding

from gonzaga_env.__main__ import main
from gonzaga_env.core import GameConfig
from gonzaga_env.core.spec import replay
from gonzaga_env.kernel.chance import agent_generators
from gonzaga_env.kernel.records import read_records
from gonzaga_env.tuscany import Game as TuscanyGame
from gonzaga_env.tuscany import GameConfig as TuscanyConfig
from gonzaga_env.tuscany import replay as replay_tuscany
from gonzaga_env.tuscany.constants import KINDS
from tests.conftest import complaint_of


@pytest.fixture
def play(gonzaga):
    """Returns a function that plays with typed lines."""
    return lambda lines, *options: gonzaga(
        "play", "terminal", *options, typed="".join(f"{x}\n" for x in lines)
    )


@pytest.fixture
def tuscany(play):
    return lambda lines, *options: play(lines, "--game", "tuscany", *options)


def typed(choice: PlanChoice | PlacementChoice | ActionChoice) -> str:
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
        choice = turn.choices[choices.integers(len(turn.choices))]
        if len(humans) > 1 and looking != seat:
            lines.append("")
        looking = seat
        lines += [typed(choice), ""]
        table.play(seat, table.num_moves, choice.action)
    return lines


def test_a_whole_game_is_typed_and_recorded(play, tmp_path) -> None:
    table = GameSession(GameConfig(3), [human(), *[agent_seat("greedy")] * 2], seed=5)
    lines = whole_game(table)
    file = tmp_path / "game.jsonl"
    options = ("--seats", "human", "greedy", "greedy", "--seed", 5, "--record", file)
    for games in (1, 2):  # it adds to the file, whose last line may lack its end
        code, out, err = play(lines, *options, "--agent", "greedy")
        assert (code, err) == (0, "")
        assert "The game is over after" in out
        assert out.endswith(f"wrote {file}\n")
        record, *others = read_records(file)
        replay(record)
        assert [record, *others] == [table.record()] * games
        file.write_bytes(file.read_bytes().rstrip())


def test_a_file_that_takes_no_game_is_refused_before_it(play, tmp_path) -> None:
    (other := tmp_path / "notes.txt").write_text("mine\n")
    for file in (other, tmp_path, tmp_path / "no" / "game.jsonl"):
        assert str(file) in complaint_of(play(["quit"], "--record", file))
    assert other.read_text() == "mine\n"


def test_two_people_share_a_keyboard_and_plans_stay_sealed(play) -> None:
    table = GameSession(GameConfig(2), [human(), human()], seed=3)
    lines = whole_game(table)
    code, out, err = play(lines, "--seats", "human", "human", "--seed", 3)
    assert (code, err) == (0, "")
    assert out.count("Press Enter when nobody else looks") == lines.count("") - table.num_moves
    first, second, *_ = out.split("Press Enter when nobody else looks: ")[1:]
    begun = GameSession(table.config, table.seats, seed=3).turn(0)
    plan = next(one.words for one in begun.choices if one.action == table.moves[0][1])
    assert plan in first
    assert plan not in second.split("Plans are open")[0]


def test_a_choice_is_taken_back_before_it_is_confirmed(play) -> None:
    table = GameSession(GameConfig(2), [human(), human()], seed=1)
    turn = table.turn(0)
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
    assert main(["play", "terminal", "--seed", "1"]) == 130
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
    command = [sys.executable, "-m", "gonzaga_env", "play", "terminal"]
    command += ["--seed", "1", "--agent", "greedy"]
    done = subprocess.run(command, input="hint\nquit\n", capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert "\x1b" not in done.stdout  # colours are for terminals
    assert "greedy considers" in done.stdout


# The Castles of Tuscany


def test_tuscany_is_typed_recorded_and_scored_by_source(tuscany, tmp_path) -> None:
    table = GameSession(TuscanyConfig(2), [human(), agent_seat("random")], seed=5)
    lines, file = whole_game(table), tmp_path / "game.jsonl"
    code, out, err = tuscany(lines, "--seats", "human", "random", "--seed", 5, "--record", file)
    assert (code, err) == (0, "")
    (record,) = read_records(file)
    assert replay_tuscany(record).finished
    assert record == table.record()
    end = out[out.index("Over after") :]
    for source in ("zones", "round 3", "cards"):
        assert f"\n{source}" in end
    assert f"points\nwrote {file}" in end.replace("\n\n", "\n")
    assert "Since your last move:" in out


def test_no_hand_but_the_own_one_is_shown(tuscany) -> None:
    _, out, _ = tuscany(["1", "", "1", "", "1", "", "draw", "", "quit"], "--seed", 3)
    shown = [line.partition("hand")[2].split() for line in out.splitlines() if " hand " in line]
    assert {len(words) == 1 and words[0].isdigit() for words in shown[1::2]} == {True}
    assert "You are Player 1" in out
    assert "player 0" not in out


def test_commands_answer_and_wrong_lines_are_explained(tuscany) -> None:
    asked = ["help", "rules", "hint", "list", "900", "foo", "layout a", "quit"]
    code, out, _ = tuscany(asked, "--seed", 3)
    assert code == 0
    for text in (
        "first letters are enough",
        "gonzaga_env/data/rules/tuscany.md",
        "planner considers",
        " 96  ",
    ):
        assert text in out
    assert "the list has numbers 1 to 96" in out
    assert "'foo' is not among them" in out
    assert "'layout a' may be 32 actions: " in out
    wrong = tuscany([], "--scenario", "Colombo")
    assert "--scenario is Colombo; The Castles of Tuscany has no scenarios" in complaint_of(wrong)


@pytest.mark.parametrize("kind", range(len(KINDS)))
def test_all_choices_can_be_typed(kind) -> None:
    game, rng = TuscanyGame(2, seed=kind), np.random.default_rng(kind)
    while game.kind != kind:
        if game.finished:
            game.reset()
        game.play(game.sample_legal(rng))
    turn = turn_of(game)
    assert turn.kind == KINDS[kind]
    asked = "your move" if turn.kind == "main" else turn.kind
    assert deciding.question(turn) == asked
    numbered = deciding.listed(turn)
    assert [choice.action for choice in numbered] == np.flatnonzero(game.mask()).tolist()
    for number, choice in enumerate(numbered, start=1):
        for text in (choice.text, choice.text.upper(), str(number), f" {choice.text} "):
            assert deciding.read(text, turn, numbered) is choice
    with pytest.raises(SessionError, match="numbers 1 to"):
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
