"""Every puzzle that ships leads to its position and has one best answer, which is explained."""

from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest
from gonzaga_agents.analysis.puzzles import SEARCHED, Puzzle, explain, shipped

from gonzaga_env.core.single.game import Game
from gonzaga_env.games import game_names, game_spec, record_spec
from gonzaga_env.kernel.errors import RecordError

PUZZLES = list(shipped().values())
IDS = [puzzle.id for puzzle in PUZZLES]
EXACT = [puzzle for puzzle in PUZZLES if puzzle.question != SEARCHED]
#: Decisions with which something new begins (T3.1, S5.1).
NEW = {"tuscany": ("main", "marble"), "signorie": ("main", "reward", "pay")}


def of(question: str) -> Puzzle:
    return next(puzzle for puzzle in PUZZLES if puzzle.question == question)


@pytest.mark.parametrize("game", game_names())
def test_each_game_has_ten_or_more_the_easy_ones_first(game: str) -> None:
    levels = [puzzle.level for puzzle in PUZZLES if record_spec(puzzle.record).name == game]
    assert len(levels) >= 10
    assert levels == sorted(levels)
    assert {*levels} <= {1, 2, 3}


@pytest.mark.parametrize("puzzle", PUZZLES, ids=IDS)
def test_the_answer_is_the_only_best_one(puzzle: Puzzle) -> None:
    game = puzzle.position()
    assert game.seat == puzzle.seat
    assert all(game.is_legal(game.actions.parse(text)) for text in puzzle.values)
    assert sum(value == puzzle.values[puzzle.answer] for value in puzzle.values.values()) == 1
    best = game.actions.parse(puzzle.answer)
    assert explain(game, puzzle.question, best) == puzzle.explanation


@pytest.mark.parametrize("puzzle", EXACT, ids=[puzzle.id for puzzle in EXACT])
def test_the_explanation_does_not_hang_on_what_the_seat_does_not_know(puzzle: Puzzle) -> None:
    game = puzzle.position()
    other = game.resampled(puzzle.seat, np.random.default_rng(5))
    best = game.actions.parse(puzzle.answer)
    assert explain(other, puzzle.question, best) == puzzle.explanation


def test_a_record_that_was_changed_is_found_out() -> None:
    puzzle = of("points")
    moves = [dict(move) for move in puzzle.record["moves"]]
    moves[-1]["legal"] += 1
    with pytest.raises(RecordError):
        replace(puzzle, record=puzzle.record | {"moves": moves}).position()


def test_points_are_those_that_the_game_gives() -> None:
    puzzle = of("points")
    game = puzzle.position()
    for text, points in puzzle.values.items():
        after = game.copy()
        after.play(game.actions.parse(text))
        assert after.position.points == points


TURNS = [p for p in PUZZLES if p.question == "points" and "game" in p.record]


@pytest.mark.parametrize("puzzle", TURNS, ids=[puzzle.id for puzzle in TURNS])
def test_points_of_a_turn_are_the_most_of_all_ways(puzzle: Puzzle) -> None:
    """By the game itself: ways drawn at random score no more, and one in some scores as much."""
    game, rng = puzzle.position(), np.random.default_rng(3)
    for text in [puzzle.answer, *rng.choice(list(puzzle.values), 2)]:
        action = game.actions.parse(text)
        scored = {points_of_way(game, action, rng) for _ in range(300)}
        assert max(scored) == puzzle.values[text]
        assert sum(explain(game, "points", action)["gained"].values()) == puzzle.values[text]


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
    for plan in map(game.actions.parse, puzzle.values):
        first = {order_after(game, (plan, *rest))[0] == seat for rest in product(*others)}
        assert explain(game, "first", plan)["sure"] == (first == {True})


def order_after(game: Game, plans: tuple[int, ...]) -> list[int]:
    after = game.copy()
    for plan in plans:
        after.play(plan)
    return list(after.position.order)


def test_the_reply_is_the_best_of_all_that_the_rival_may_do() -> None:
    puzzle = of("reply")
    game, rng = puzzle.position(), np.random.default_rng(1)
    for text in rng.choice(list(puzzle.values), 3, replace=False):
        after = game.copy()
        after.play(action := game.actions.parse(text))
        own, best = after.position.points, 0
        for reply in np.flatnonzero(after.mask()):
            then = after.copy()
            then.play(reply)
            best = max(best, then.position.points)
        assert puzzle.values[text] == own - best
        parts = explain(game, "reply", action)
        assert (parts["own"], parts["after"]) == (own, best)
