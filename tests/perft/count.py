"""Perft: the number of legal sequences of actions of some length, by three engines.

A position is a record cut at a move (docs/records.md), with `perft`: the counts for lengths 1, 2
and so on. Games that end earlier have no longer sequences.
"""

import copy
from collections.abc import Iterator
from typing import Any

import numpy as np

from gonzaga_env.core import Engine, Game
from gonzaga_env.core.records import engine_from_record
from gonzaga_env.core.state.state import current_fiefs
from tests.oracle import OracleEdition, OracleGame

Position = dict[str, Any]
_CHUNK_GAMES = 4096


def engine_at(position: Position) -> Engine:
    """Returns an engine of one game with a position."""
    engine = engine_from_record(position)
    for move in position["moves"]:
        engine.step([engine.actions.parse(move["action"])])
    return engine


def game_at(position: Position) -> Game:
    """Returns a position as a game in plain Python, played from the deal."""
    engine = engine_from_record(position)
    game = Game.from_config(engine.config)
    game.state = engine.state
    for move in position["moves"]:
        game.play(engine.actions.parse(move["action"]))
    return game


def oracle_at(position: Position, edition: OracleEdition) -> OracleGame:
    """Returns a position in the oracle."""
    oracle = OracleGame(
        edition,
        scenario=position["scenario"],
        num_players=position["num_players"],
        decks=position["decks"],
        objectives=position["objectives"],
        **position["rules"],
    )
    for move in position["moves"]:
        play(oracle, move["action"])
    return oracle


def play(oracle: OracleGame, action: str) -> None:
    """Plays an action that is known to be legal, which `OracleGame.play` would look up again."""
    seat = oracle.seat
    assert seat is not None
    if oracle.phase == "plan":
        oracle._make_plan(seat, action)
    else:
        oracle._make_move(seat, action)
        oracle._next_in_turn_order(seat)


def oracle_perft(oracle: OracleGame, depth: int) -> int:
    """Returns the number of legal sequences of `depth` actions by the oracle."""
    legal = oracle.legal_actions()
    if depth == 1:
        return len(legal)
    return sum(oracle_perft(child, depth - 1) for child in _children(oracle, legal))


def _children(oracle: OracleGame, legal: set[str]) -> Iterator[OracleGame]:
    for action in sorted(legal):
        child = _clone(oracle)
        play(child, action)
        yield child


def _clone(oracle: OracleGame) -> OracleGame:
    """Returns a copy; the edition and the deal, which never change, are shared."""
    twin = copy.copy(oracle)
    shared = {name: vars(oracle)[name] for name in ("edition", "decks", "objectives")}
    own = {name: value for name, value in vars(oracle).items() if name not in shared}
    vars(twin).update(copy.deepcopy(own))
    return twin


def engine_perft(engine: Engine, depth: int) -> int:
    """Returns the number of legal sequences of `depth` actions from all games of an engine."""
    if not engine.num_games:
        return 0
    if depth == 1:
        return int(engine.num_legal().sum())
    return sum(engine_perft(child, depth - 1) for child, _, _ in _steps(engine))


def _steps(engine: Engine) -> Iterator[tuple[Engine, np.ndarray, np.ndarray]]:
    """Yields engines with the position after each legal action, and the game and action of each."""
    games, actions = _legal(engine)
    for start in range(0, len(games), _CHUNK_GAMES):
        chunk = slice(start, start + _CHUNK_GAMES)
        state = engine.state.take(games[chunk])
        child = Engine.from_state(engine.config, state, check=False, autoreset=False)
        child.step(actions[chunk])
        yield child, games[chunk], actions[chunk]


def _legal(engine: Engine) -> tuple[np.ndarray, np.ndarray]:
    games, actions = engine.legal_action_mask().nonzero()
    return games, actions


def game_perft(game: Game, depth: int) -> int:
    """Returns the number of legal sequences of `depth` actions in plain Python."""
    if depth == 1 or game.finished:
        return game.num_legal()
    count = 0
    for action in np.flatnonzero(game.mask()).tolist():
        child = game.copy()
        child.play(action)
        count += game_perft(child, depth - 1)
    return count


def oracle_split(oracle: OracleGame, depth: int) -> dict[str, int]:
    """Returns the oracle's counts of sequences by first action."""
    legal = sorted(oracle.legal_actions())
    if depth == 1:
        return dict.fromkeys(legal, 1)
    children = _children(oracle, set(legal))
    return {
        text: oracle_perft(child, depth - 1) for text, child in zip(legal, children, strict=True)
    }


def engine_split(engine: Engine, depth: int) -> dict[str, int]:
    """Returns the counts of an engine of one game by first action."""
    fief = int(current_fiefs(engine.state)[0, engine.seats[0]]) + 1
    split = {}
    for action in _legal(engine)[1].tolist():
        child = engine.copy()
        child.step([action])
        text = engine.actions.to_text(action, fief)
        split[text] = 1 if depth == 1 else engine_perft(child, depth - 1)
    return split


def game_split(game: Game, depth: int) -> dict[str, int]:
    """Returns the counts of a game in plain Python by first action."""
    split, fief = {}, int(game.position.fief[game.seat]) + 1
    for action in np.flatnonzero(game.mask()).tolist():
        child = game.copy()
        child.play(action)
        text = game.actions.to_text(action, fief)
        split[text] = 1 if depth == 1 else game_perft(child, depth - 1)
    return split


def differences(expected: dict[str, int], found: dict[str, int]) -> str:
    """Returns the first actions whose counts differ, one a line."""
    lines = [
        f"{action}: {expected.get(action, 0)} by the oracle, {found.get(action, 0)} here"
        for action in sorted(expected.keys() | found.keys())
        if expected.get(action) != found.get(action)
    ]
    return "\n".join(lines)
