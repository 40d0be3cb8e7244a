"""Every puzzle that ships has one best answer; questions say what choices are worth."""

import json
from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gonzaga_agents.gonzaga import puzzles as gonzaga
from gonzaga_agents.puzzles.command import read_found
from gonzaga_agents.puzzles.cut import MARGIN_SEARCHED, MARGINS, lead, play_on
from gonzaga_agents.puzzles.puzzle import (
    SEARCHED,
    Puzzle,
    PuzzleError,
    explain,
    final,
    questions,
    shipped,
)
from gonzaga_agents.registry import make_agent

from gonzaga_env.core.single.game import Game
from gonzaga_env.games import game_names, game_spec, record_spec
from tests.conftest import complaint_of
from tests.marks import some_nightly

PUZZLES = list(shipped().values())
IDS = [puzzle.id for puzzle in PUZZLES]
RECHECKED = 512  # playouts
TURNS = [p for p in PUZZLES if p.question == "points" and "game" in p.record]
#: Decisions with which something new begins (T3.1, S5.1).
NEW = {"tuscany": ("main", "marble"), "signorie": ("main", "reward", "pay")}


def of(question: str) -> Puzzle:
    return next(puzzle for puzzle in PUZZLES if puzzle.question == question)


def test_they_are_a_dozen_and_more_of_all_games_the_easy_ones_first() -> None:
    assert len(PUZZLES) >= 12
    assert len(set(IDS)) == len(IDS)
    assert [puzzle.level for puzzle in PUZZLES] == sorted(puzzle.level for puzzle in PUZZLES)
    assert {puzzle.level for puzzle in PUZZLES} == {1, 2, 3}
    assert {puzzle.question for puzzle in PUZZLES} == {*questions("gonzaga"), SEARCHED}


@pytest.mark.parametrize("game", game_names())
def test_each_game_has_a_dozen_of_several_levels(game: str) -> None:
    own = [puzzle for puzzle in PUZZLES if record_spec(puzzle.record).name == game]
    assert len(own) >= 12
    assert len({puzzle.level for puzzle in own}) > 1


@pytest.mark.parametrize("puzzle", PUZZLES, ids=IDS)
def test_the_answer_is_the_only_best_one(puzzle: Puzzle) -> None:
    """By its question over all choices, on the position that its record leads to."""
    game = puzzle.position()
    assert game.seat == puzzle.seat
    actions = {text: game.actions.parse(text) for text in puzzle.values}
    assert all(game.is_legal(action) for action in actions.values())
    assert sum(value == puzzle.values[puzzle.answer] for value in puzzle.values.values()) == 1
    if puzzle.question == SEARCHED:
        assert puzzle.margin - puzzle.evidence["error"] >= MARGIN_SEARCHED
        assert puzzle.margin == pytest.approx(puzzle.evidence["margin"], abs=2e-4)
        return
    found = questions(record_spec(puzzle.record).name)[puzzle.question](game)
    assert found == {actions[text]: value for text, value in puzzle.values.items()}
    assert puzzle.margin >= MARGINS[puzzle.question]
    assert explain(game, puzzle.question, actions[puzzle.answer]) == puzzle.explanation


@pytest.mark.parametrize(
    "puzzle", some_nightly([p for p in PUZZLES if p.question == SEARCHED], lambda _: False)
)
def test_other_playouts_find_the_same_answer(puzzle: Puzzle) -> None:
    game, rng = puzzle.position(), np.random.default_rng(99)
    actions = [game.actions.parse(text) for text in puzzle.values]
    shares = play_on(
        game, actions, make_agent(puzzle.evidence["agent"], game.config), RECHECKED, rng
    )
    _, low = lead(shares)
    assert low > 0
    assert game.actions.to_text(actions[int(shares.mean(axis=1).argmax())]) == puzzle.answer


@pytest.mark.parametrize("puzzle", PUZZLES, ids=IDS)
def test_the_answer_does_not_hang_on_what_the_seat_does_not_know(puzzle: Puzzle) -> None:
    if puzzle.question == SEARCHED:
        return
    game, rng = puzzle.position(), np.random.default_rng(5)
    ask = questions(record_spec(puzzle.record).name)[puzzle.question]
    assert ask(game.resampled(puzzle.seat, rng)) == ask(game)


def test_a_record_that_was_changed_is_found_out() -> None:
    puzzle = of("points")
    moves = [dict(move) for move in puzzle.record["moves"]]
    moves[-1]["legal"] += 1
    with pytest.raises(PuzzleError, match="contradicts"):
        replace(puzzle, record=puzzle.record | {"moves": moves}).position()


def test_points_are_those_that_the_game_gives() -> None:
    game = of("points").position()
    found = gonzaga.points(game)
    assert found is not None
    for action, points in found.items():
        after = game.copy()
        after.play(action)
        assert after.position.points == points


@pytest.mark.parametrize("puzzle", TURNS, ids=[puzzle.id for puzzle in TURNS])
def test_points_of_a_turn_are_the_most_of_all_ways(puzzle: Puzzle) -> None:
    """By the game itself: ways drawn at random score no more, and one in some scores as much."""
    game, rng = puzzle.position(), np.random.default_rng(3)
    for text in [puzzle.answer, *rng.choice(list(puzzle.values), 2)]:
        scored = {points_of_way(game, game.actions.parse(text), rng) for _ in range(300)}
        assert max(scored) == puzzle.values[text]
    gained = puzzle.explanation["gained"]
    assert sum(gained.values()) == puzzle.values[puzzle.answer]


def points_of_way(game: Any, action: int, rng: np.random.Generator) -> int:
    """Returns what an action scores, and what is decided at random before the next one."""
    at, name, scored = game.copy(), game.config.game, 0
    while True:
        at.play(action)
        scored += sum(at.position.points) if name == "tuscany" else at.position.points[game.seat]
        if at.finished or at.seat != game.seat or game_spec(name).kinds[at.kind] in NEW[name]:
            return scored
        action = int(rng.choice(np.flatnonzero(at.mask())))


def plans_of(game: Game, seat: int) -> list[int]:
    """Returns all that a seat may plan, whose turn it is or not."""
    at = game.copy()
    while at.seat != seat:
        at.play(np.flatnonzero(at.mask())[0])
    return np.flatnonzero(at.mask()).tolist()


def test_plans_that_are_certain_to_go_first_do_so_whatever_the_others_plan() -> None:
    """By the game itself, over all plans of all others."""
    puzzle = next(p for p in PUZZLES if p.question == "first" and p.seat == 0)
    game, seat = puzzle.position(), puzzle.seat
    others = [plans_of(game, other) for other in range(game.num_players) if other != seat]
    found = gonzaga.first(game)
    assert found is not None
    for plan in found:
        first = {order_after(game, (plan, *rest))[0] == seat for rest in product(*others)}
        assert explain(game, "first", plan)["sure"] == (first == {True})


def order_after(game: Game, plans: tuple[int, ...]) -> list[int]:
    after = game.copy()
    for plan in plans:
        after.play(plan)
    return list(after.position.order)


def test_the_reply_is_the_best_of_all_that_the_rival_may_do() -> None:
    puzzle = of("reply")
    game = puzzle.position()
    found, rng = gonzaga.reply(game), np.random.default_rng(1)
    assert found is not None
    for action in rng.choice(list(found), 5, replace=False).tolist():
        after = game.copy()
        after.play(action)
        own, replies = after.position.points, gonzaga.points(after)
        assert replies is not None
        assert after.seat == gonzaga.rival_of(game)
        assert found[action] == own - max(replies.values())


def test_questions_are_asked_where_they_make_sense() -> None:
    planning, placing = of("first").position(), of("reply").position()
    assert gonzaga.points(planning) is gonzaga.reply(planning) is final(planning) is None
    assert gonzaga.plan(placing) is gonzaga.first(placing) is final(placing) is None


def test_cutting_goes_on_where_it_was_interrupted(command, tmp_path: Path) -> None:
    found, again = tmp_path / "found.jsonl", tmp_path / "again.jsonl"
    cut = partial(command, "puzzles", "cut", "greedy", "--players", 2, "--questions", "plan")
    assert cut("--games", 2, "--out", found)[0] == 0
    whole = found.read_text()
    again.write_text(whole.split("\n")[0] + '\n{"half a li')
    assert cut("--games", 2, "--out", again)[0] == 0
    assert again.read_text() == whole
    assert all(p.question == "plan" for p in read_found(found))


def test_packing_names_the_chosen_ones(command, tmp_path: Path) -> None:
    two: list[Any] = [json.loads(puzzle.as_json()) for puzzle in PUZZLES[:2]]
    (tmp_path / "found").write_text(json.dumps(two) + "\n")
    choice, out = tmp_path / "choice", tmp_path / "out"
    choice.write_text(f"{IDS[1]} other 3\n{IDS[0]} one 1\n")
    pack = ["puzzles", "pack", tmp_path / "found", "--choice", choice, "--out", out]
    assert command(*pack)[0] == 0
    packed = [Puzzle.from_json(line) for line in out.read_text().splitlines()]
    assert [(p.id, p.level) for p in packed] == [("one", 1), ("other", 3)]
    again = ["puzzles", "pack", out, "--choice", choice, "--out", tmp_path / "again"]
    choice.write_text("one first 2\n")
    assert command(*again)[0] == 0
    assert Puzzle.from_json((tmp_path / "again").read_text()).id == "first"
    choice.write_text("nothing one 1\n")
    assert "is no choice" in complaint_of(command(*pack))


@pytest.mark.parametrize("text", ["mine\n", "mine", '{"format": 1}\n', '[{"mine": 1}]\n', "[1]\n"])
def test_cutting_leaves_a_file_of_something_else_as_it_is(
    text: str, command, tmp_path: Path
) -> None:
    (out := tmp_path / "notes").write_text(text)
    cut = ["puzzles", "cut", "greedy", "--players", 2, "--games", 1, "--out", out]
    assert "notes" in complaint_of(command(*cut))
    assert out.read_text() == text
