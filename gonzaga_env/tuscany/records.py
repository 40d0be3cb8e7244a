"""Records of games: what `write_records` and `read_records` of `core.records` hold a line each.

A record holds what chance turned up, so it is verified without a generator, and every game can be
recorded by anybody who watched it.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.tabletop.bounded import short_repr
from gonzaga_env.tabletop.errors import EditionError, RecordError
from gonzaga_env.tabletop.records import (
    EngineRecorder,
    Entry,
    Record,
    compare,
    record_positions,
    replay_record,
    verify_each,
)
from gonzaga_env.tabletop.result import StepResult
from gonzaga_env.tuscany.batch.engine import Engine
from gonzaga_env.tuscany.board.actions import ACTIONS, ACTIONS_VERSION
from gonzaga_env.tuscany.board.regions import region_text
from gonzaga_env.tuscany.config import GameConfig
from gonzaga_env.tuscany.constants import COLOURS, NUM_CELLS, PIECE_NAMES, SOURCES, TILE_KINDS
from gonzaga_env.tuscany.editions.edition import BOARD_NAMES, Edition, board_names
from gonzaga_env.tuscany.single.game import Game
from gonzaga_env.tuscany.state.deals import Deal
from gonzaga_env.tuscany.state.features import OBSERVATIONS_VERSION
from gonzaga_env.tuscany.state.state import GREEN, RED, STARTING_BONUS, State
from gonzaga_env.version import __version__

RECORD_FORMAT = 1
GAME = "tuscany"


class Recorder:
    """Plays a game and records it.

    Example:
        recorder = Recorder(game, ["random"] * game.num_players)
        while not game.finished:
            recorder.play(game.sample_legal(rng))
        record = recorder.record()
    """

    def __init__(self, game: Game, agents: Sequence[str]) -> None:
        """Starts recording a game that has just been dealt.

        Args:
            game: the game; another `Engine`'s too, by assigning its first state and playing its
                actions, as chance depends on seed and episode only.
            agents: a name for every seat, [P].

        Raises:
            RecordError: the game has begun, or the number of names is wrong.
        """
        names = list(agents) if isinstance(agents, Sequence) else []
        if len(names) != game.num_players or not all(isinstance(name, str) for name in names):
            raise RecordError(f"agents take {game.num_players} names")
        if any(game.position.covered) or game.position.seat != game.position.start:
            raise RecordError("the game has begun; records start with the deal")
        self._game, self._moves = game, list[Record]()
        self._header = _header(game, names)

    def play(self, action: int, drawn: Sequence[str] | None = None) -> list[float]:
        """Plays an action (same arguments, result and errors as `Game.play`) and records it."""
        game = self._game
        if game.finished:
            return game.play(action)
        seat, legal, setup = game.seat, game.num_legal(), game.kind == STARTING_BONUS
        rewards = game.play(action, drawn)
        position = game.position
        if setup and position.drawn:  # the display, which belongs to the deal
            kinds = [text.removeprefix("neutral ") for text in position.drawn]
            self._header["deal"]["display"] = kinds
        self._moves.append(
            {
                "seat": seat,
                "action": ACTIONS.to_text(int(action)),
                "legal": legal,
                "points": list(position.points),
                "drawn": [] if setup else list(position.drawn),
            }
        )
        return rewards

    @property
    def moves(self) -> list[Record]:
        """The moves so far; do not change them."""
        return self._moves

    def record(self) -> Record:
        """Returns the record of the game; scores, holdings and winners are those of now."""
        return self._header | {"moves": self._moves} | _result(self._game)


class BatchRecorder(EngineRecorder):
    """Steps an engine and records its games (see `EngineRecorder`).

    A game that ended is played again from its deal, which shows what chance turned up.
    """

    _engine: Engine

    def _begun(self) -> NDArray[np.bool_]:
        state = self._engine.state
        return state.covered.any(axis=1) | (state.seat != state.start)

    def _open_game(self, game: int) -> tuple[State, list[int]]:
        return self._engine.state.take(slice(game, game + 1)), []

    def _add_move(self, game: int, i: int, action: int, result: StepResult, before: Any) -> None:
        self._open[game][1].append(action)

    def _close_game(self, game: int, final: State) -> Record:
        again = Game.from_config(self._engine.config)
        again.state, actions = self._open[game]
        return _played(Recorder(again, self._agents[game]), actions)


def record_game(
    config: GameConfig, seed: int, agents: Sequence[str], actions: Sequence[int]
) -> Record:
    """Plays actions from the deal of a seed and returns the record, as far as it goes."""
    return _played(Recorder(Game.from_config(config, seed), agents), actions)


def _played(recorder: Recorder, actions: Sequence[int]) -> Record:
    for action in actions:
        recorder.play(action)
    return recorder.record()


def _header(game: Game, agents: list[str]) -> Record:
    position, edition = game.position, game.edition
    return {
        "format": RECORD_FORMAT,
        "game": GAME,
        "edition": edition.name,
        "edition_hash": edition.digest,
        "num_players": game.num_players,
        "rules": game.rules.as_dict(),
        "seed": position.seed,
        "episode": position.episode,
        "agents": agents,
        "versions": {
            "gonzaga_env": __version__,
            "actions": ACTIONS_VERSION,
            "observations": OBSERVATIONS_VERSION,
        },
        "deal": {
            "start": position.start,
            "boards": [board_names(boards) for boards in position.boards],
            "hands": ["".join(_repeat(COLOURS, hand)) for hand in position.hand],
            "display": [],
        },
    }


def _result(game: Game) -> Record:
    position = game.position
    by_source = dict(zip(SOURCES, map(list, zip(*position.scores, strict=True)), strict=True))
    by_source["green"] = [sum(scores[GREEN]) for scores in position.scores]
    by_source["total"] = [sum(scores[RED]) for scores in position.scores]
    regions = [one.colours if one else () for one in position.regions]
    return {
        "scores": by_source,
        "final": {
            "hands": ["".join(_repeat(COLOURS, hand)) for hand in position.hand],
            "storage": [list(_repeat(PIECE_NAMES, stored)) for stored in position.storage],
            "bonus": [list(bonus) for bonus in position.bonus],
            "turned": [position.turned(seat) for seat in range(game.num_players)],
            "regions": list(map(region_text, regions, position.covered)),
            "empty": [NUM_CELLS - cells.bit_count() for cells in position.covered],
            "display": list(_repeat(TILE_KINDS, position.display)),
        },
        "winners": [seat for seat, won in enumerate(game.winners()) if won],
        "truncated": game.truncated,
    }


def _repeat(names: Sequence[str], counts: Sequence[int]) -> Iterator[str]:
    for name, count in zip(names, counts, strict=True):
        yield from [name] * count


def replay(record: Record, edition: str | Path | Edition | None = None) -> Game:
    """Replays a record and compares edition, deal, moves, scores and holdings with the rules.

    Args:
        record: a record, as from `Recorder` or `read_records`.
        edition: the edition; None for that of the record.

    Returns:
        The finished game.

    Raises:
        RecordError: something is missing, unknown or different; the message names the first.
        EditionError: the edition cannot be found or has faults.
    """
    game: Game = replay_record(Replayed, record, edition)
    return game


def positions(
    record: Record, edition: str | Path | Edition | None = None
) -> Generator[State, None, Game]:
    """Yields the state before every move of a record and verifies the record like `replay`.

    Args:
        record: a record, as from `Recorder` or `read_records`.
        edition: the edition; None for that of the record.

    Yields:
        A state of one game for each of `record["moves"]`.

    Returns:
        The finished game.

    Raises:
        RecordError: something is missing, unknown or different; the states before it have been
            yielded.
        EditionError: the edition cannot be found or has faults.
    """
    return record_positions(Replayed, record, edition)


def verify(
    entries: Iterable[Entry], edition: str | Path | Edition | None = None
) -> Iterator[tuple[Entry, RecordError | EditionError | None]]:
    """Yields each line of a file of records with what is wrong with its game.

    Args:
        entries: lines, as from `read_entries`.
        edition: the edition; None for that of each record.

    Yields:
        The line, and None if all that it says agrees with the rules; else the first fault, as
        `replay` raises it.
    """
    return verify_each(lambda record: replay(record, edition), entries)


def game_from_record(record: Record, edition: str | Path | Edition | None = None) -> Game:
    """Returns a game with the deal of a record, before the first move.

    Raises:
        GameError: the record has another version or edition, or an invalid deal.
        KeyError, TypeError: something is missing or has another type.
    """
    for key, right in (("format", RECORD_FORMAT), ("game", GAME)):
        compare(key, record[key], right)
    if (version := record["versions"].get("actions", ACTIONS_VERSION)) != ACTIONS_VERSION:
        raise RecordError(
            f"actions have version {short_repr(version)}; this package has {ACTIONS_VERSION}"
        )
    chosen = record["edition"] if edition is None else edition
    config = GameConfig(record["num_players"], chosen, record["rules"])
    if record["edition_hash"] != config.edition.digest:
        raise RecordError(f"the record is of another edition than {config.edition.name!r}")
    game = Game.from_config(config)
    game.reset(0, _deal(record["deal"], config.num_players))
    return game


def _deal(deal: Mapping[str, Any], num_players: int) -> Deal:
    for key in ("boards", "hands"):
        if len(deal[key]) != num_players:
            raise RecordError(f"deal: {key} takes one entry a seat")
    boards = []
    for names in deal["boards"]:
        numbers = [BOARD_NAMES.index(name) - 4 * i for i, name in enumerate(names)]
        if len(numbers) != 3 or not all(0 <= number < 4 for number in numbers):
            raise RecordError("deal: boards take one of A, B and C each")
        boards.append(16 * numbers[0] + 4 * numbers[1] + numbers[2])
    hands = [[text.count(colour) for colour in COLOURS] for text in deal["hands"]]
    return Deal(np.array([deal["start"]]), np.array([boards]), np.array([hands]))


class Replayed:
    """A game that a record is compared with (see `tabletop.records.Replayed`)."""

    def __init__(self, record: Record, edition: str | Path | Edition | None) -> None:
        self.game = game_from_record(record, edition)
        self._record, self._recorder = record, Recorder(self.game, record["agents"])
        self.moves = self._recorder.moves

    @property
    def state(self) -> State:
        """A snapshot of the state."""
        return self.game.state

    @property
    def finished(self) -> bool:
        """Whether the game is over."""
        return self.game.finished

    def play(self, move: Mapping[str, Any]) -> None:
        """Plays a move of the record."""
        game, drawn = self.game, move["drawn"]
        last = (game.seat + 1) % game.num_players == game.position.start
        if game.kind == STARTING_BONUS and last:
            drawn = [f"neutral {kind}" for kind in self._record["deal"]["display"]]
        self._recorder.play(ACTIONS.parse(move["action"]), drawn)

    def result(self) -> Record:
        """Returns what the record must say about the finished game."""
        _check_stacks(self._record)
        ours = self._recorder.record()
        compared = ("num_players", "rules", "scores", "final", "winners", "truncated")
        return {key: ours[key] for key in compared}


def _check_stacks(record: Record) -> None:
    """Compares the stacks, which may be left out, with the tiles that came from them (T5.3)."""
    if "stacks" not in record["deal"]:
        return
    for seat, kinds in enumerate(record["deal"]["stacks"]):
        turned = [
            text.removeprefix("stack ")
            for move in record["moves"]
            if move["seat"] == seat
            for text in move["drawn"]
            if text.startswith("stack ")
        ]
        compare(f"stacks of seat {seat}", kinds[: len(turned)], turned)
