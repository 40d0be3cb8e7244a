"""Perft: the number of legal sequences of actions of some length, by three engines.

A position is a record cut at a move (docs/records.md), with `perft`: the counts for lengths 1, 2
and so on. Games that end earlier have no longer sequences.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, Protocol, Self

import numpy as np

from gonzaga_env.kernel.single import AnyGame

Position = dict[str, Any]
_CHUNK_GAMES = 4096
_EAGER = 0.7  # how often a player is busy rather than anything


class Node(Protocol):
    """A position in an oracle.

    Attributes:
        legal: the texts of the legal actions.
    """

    legal: set[str]

    def after(self, action: str) -> Self:
        """Returns the position after a legal action."""
        ...


class ToldNode:
    """A position in an oracle that is told what chance does, and plays all again up to there.

    Attributes:
        oracle: the oracle.
        legal: the texts of the legal actions.
    """

    def __init__(
        self, oracle_of: Callable[[Any], Any], game: Any, told: list[tuple[str, list[Any]]]
    ) -> None:
        """Plays the actions of `told`, each with what was drawn, from the deal of a game."""
        self._oracle_of, self._game, self._told = oracle_of, game, told
        self.oracle = oracle_of(game)
        for action, drawn in told:
            self.oracle.play(action, drawn)
        self.legal: set[str] = self.oracle.legal

    def after(self, action: str) -> "ToldNode":
        """Returns the position after a legal action."""
        game = self._game.copy()
        game.play(game.actions.parse(action))
        told = [*self._told, (action, list(game.position.drawn))]
        return ToldNode(self._oracle_of, game, told)

    @classmethod
    def at(cls, oracle_of: Callable[[Any], Any], game: Any, moves: list[dict[str, Any]]) -> Self:
        """Returns the position after some moves from the deal that a game is in."""
        told = []
        for move in moves:
            game.play(game.actions.parse(move["action"]))
            told.append((move["action"], list(game.position.drawn)))
        return cls(oracle_of, game, told)


def positions_of_a_game(
    game: Any,
    oracle: Any,
    deal: Position,
    kinds_of: Callable[[Any, Any], set[str]],
    found: set[str],
    busy: tuple[str, ...],
) -> Iterator[Position]:
    """Plays a random game and yields its positions, the first of each kind that is not found.

    Args:
        game: the game in plain Python, at its deal.
        oracle: the oracle, which is told what chance does.
        deal: what the positions say of it.
        kinds_of: returns what a position is an example of.
        found: the kinds so far, to which those of this game are added.
        busy: beginnings of actions that bring something, which are played more often.
    """
    rng, moves = Random(deal["seed"]), list[dict[str, Any]]()
    while oracle.legal:
        for kind in kinds_of(game, oracle) - found:
            found.add(kind)
            name = f"{deal['num_players']} players, game {deal['seed']}: {kind}"
            yield {"name": name, **deal, "moves": list(moves)}
        legal = sorted(oracle.legal)
        liked = [text for text in legal if text.startswith(busy)]
        action = rng.choice(liked if liked and rng.random() < _EAGER else legal)
        moves.append({"seat": oracle.seat, "action": action})
        game.play(game.actions.parse(action))
        oracle.play(action, list(game.position.drawn))


class Counted(NamedTuple):
    """A game whose sequences are counted.

    Attributes:
        file: where its positions are.
        engine: its engine for batches.
        deal: returns the deal of a position as a game in plain Python.
        oracle_at: returns a position in the oracle.
        positions: plays games and yields positions without counts.
        most_nodes: positions that the oracle expands for the longest sequences of a position.
    """

    file: Path
    engine: Any
    deal: Callable[[Position], AnyGame]
    oracle_at: Callable[[Position], Node]
    positions: Callable[[], Iterator[Position]]
    most_nodes: int


def engine_at(counted: Counted, position: Position) -> Any:
    """Returns an engine of one game with a position."""
    game = counted.deal(position)
    engine = counted.engine.from_state(game.config, game.state, autoreset=False)
    for move in position["moves"]:
        engine.step([engine.actions.parse(move["action"])])
    return engine


def game_at(counted: Counted, position: Position) -> Any:
    """Returns a position as a game in plain Python, played from the deal."""
    game = counted.deal(position)
    for move in position["moves"]:
        game.play(game.actions.parse(move["action"]))
    return game


def oracle_perft(node: Node, depth: int) -> int:
    """Returns the number of legal sequences of `depth` actions by the oracle."""
    if depth == 1:
        return len(node.legal)
    return sum(oracle_perft(node.after(action), depth - 1) for action in sorted(node.legal))


def engine_perft(engine: Any, depth: int) -> int:
    """Returns the number of legal sequences of `depth` actions from all games of an engine."""
    if not engine.num_games:
        return 0
    if depth == 1:
        return int(engine.num_legal().sum())
    return sum(engine_perft(child, depth - 1) for child in _steps(engine))


def _steps(engine: Any) -> Iterator[Any]:
    """Yields engines with the positions after every legal action of every game."""
    games, actions = engine.legal_action_mask().nonzero()
    for start in range(0, len(games), _CHUNK_GAMES):
        chunk = slice(start, start + _CHUNK_GAMES)
        state = engine.state.take(games[chunk])
        child = type(engine).from_state(engine.config, state, check=False, autoreset=False)
        child.step(actions[chunk])
        yield child


def game_perft(game: Any, depth: int) -> int:
    """Returns the number of legal sequences of `depth` actions in plain Python."""
    if depth == 1 or game.finished:
        return int(game.num_legal())
    count = 0
    for action in np.flatnonzero(game.mask()).tolist():
        child = game.copy()
        child.play(action)
        count += game_perft(child, depth - 1)
    return count


def oracle_split(node: Node, depth: int) -> dict[str, int]:
    """Returns the oracle's counts of sequences by first action."""
    if depth == 1:
        return dict.fromkeys(node.legal, 1)
    return {text: oracle_perft(node.after(text), depth - 1) for text in sorted(node.legal)}


def engine_split(engine: Any, depth: int) -> dict[str, int]:
    """Returns the counts of an engine of one game by first action."""
    split = {}
    for action in np.flatnonzero(engine.legal_action_mask()[0]).tolist():
        child = engine.copy()
        child.step([action])
        text = _text(engine, action)
        split[text] = 1 if depth == 1 else engine_perft(child, depth - 1)
    return split


def game_split(game: Any, depth: int) -> dict[str, int]:
    """Returns the counts of a game in plain Python by first action."""
    split = {}
    for action in np.flatnonzero(game.mask()).tolist():
        child = game.copy()
        child.play(action)
        text = _text(game, action)
        split[text] = 1 if depth == 1 else game_perft(child, depth - 1)
    return split


def _text(played: Any, action: int) -> str:
    """Returns an action as the game's oracle writes it; that of Gonzaga writes descriptions."""
    if played.config.game == "gonzaga":
        return re.split("[:;]", played.describe(action))[0]
    return str(played.actions.to_text(action))


def differences(expected: dict[str, int], found: dict[str, int]) -> str:
    """Returns the first actions whose counts differ, one a line."""
    lines = [
        f"{action}: {expected.get(action, 0)} by the oracle, {found.get(action, 0)} here"
        for action in sorted(expected.keys() | found.keys())
        if expected.get(action) != found.get(action)
    ]
    return "\n".join(lines)
