"""Replays of a table's moves: from the record that it began with, and for each viewer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple, Self

from gonzaga_env.games import game_spec, record_spec
from gonzaga_env.kernel.bounded import Json
from gonzaga_env.kernel.editions import EditionSource
from gonzaga_env.kernel.errors import EditionError, GameError, RecordError
from gonzaga_env.kernel.records import REPLAY_ERRORS, Record, brief
from gonzaga_env.kernel.single import AnyGame
from gonzaga_env.kernel.spec import Config
from gonzaga_env.kernel.state import DealArrays
from gonzaga_env.kernel.view import Frame, LogLine, View, Viewer

_LATER = ("moves", "scores", "final", "winners")  # the keys of a record in addition to its deal
KEPT = 4  # last positions in memory; earlier ones are made again by a replay
Moves = Sequence[tuple[int, int]]  # seat and action of every move so far


class PrefixMove(NamedTuple):
    """A move of a record: its seat and action, and what it turned up."""

    seat: int
    action: int
    drawn: Sequence[Json]


@dataclass(frozen=True)
class RecordPrefix:
    """The deal of a recorded game and its first moves."""

    record: Record  # the record without its moves and its end
    moves: tuple[PrefixMove, ...]  # the moves

    @classmethod
    def of(cls, record: Record, num_moves: int, edition: EditionSource | None = None) -> Self:
        """Returns the beginning of a record, which is verified as far as it is played."""
        spec = record_spec(record)
        try:
            if not 0 <= num_moves <= len(record["moves"]):
                raise RecordError(f"there are 0 to {len(record['moves'])} moves, not {num_moves}")
            replayed, moves = spec.records.start(record, edition), []
            for move in islice(record["moves"], num_moves):
                drawn, actions = replayed.play(move), replayed.game.actions
                moves.append(PrefixMove(move["seat"], actions.parse(move["action"]), drawn))
            header = {key: value for key, value in record.items() if key not in _LATER}
            return cls(header, tuple(moves))
        except (EditionError, RecordError):
            raise
        except GameError as error:
            raise RecordError(str(error)) from error
        except REPLAY_ERRORS as error:
            raise RecordError(
                f"a field is missing or has the wrong type: {brief(error)}"
            ) from error

    def as_dict(self) -> dict[str, Json]:
        return {"record": self.record, "moves": [list(move) for move in self.moves]}

    @classmethod
    def from_dict(cls, saved: Mapping[str, Json]) -> Self:
        """Returns the prefix of `as_dict`; errors of a damaged one are any of `REPLAY_ERRORS`."""
        return cls(saved["record"], tuple(PrefixMove(*move) for move in saved["moves"]))

    def deal(self, config: Config) -> DealArrays:
        return game_spec(config.game).records.read_deal(config, self.record)

    @property
    def drawn(self) -> list[Sequence[Json]]:
        return [move.drawn for move in self.moves]


def play_moves(
    game: AnyGame, moves: Moves, start: int = 0, prefix: RecordPrefix | None = None
) -> None:
    """Plays the moves of a table from number `start` on; its prefix draws what the record says."""
    drawn = [] if prefix is None else prefix.drawn[start : len(moves)]
    for number, (_, action) in enumerate(moves[start:]):
        game.play(action, drawn[number] if number < len(drawn) else None)


class ViewerLog:
    """A game as one viewer sees it.

    The game is replayed from its deal, so a viewer who comes late gets everything.
    """

    def __init__(
        self,
        dealt: AnyGame,
        viewer: Viewer,
        names: Sequence[str],
        prefix: RecordPrefix | None = None,
        notes: Iterable[tuple[int, LogLine]] = (),
    ) -> None:
        """Takes a game just dealt; each note has the move that it follows."""
        self._dealt, self._viewer, self._names = dealt, viewer, tuple(names)
        self._prefix = prefix
        self._game = dealt.copy()
        self._lines_between = game_spec(dealt.config.game).lines
        self._views = {0: self._view(self._game)}
        self._notes = dict[int, tuple[LogLine, ...]]()
        for move, line in notes:
            self._notes[move] = (*self._notes.get(move, ()), line)
        self._lines: list[tuple[LogLine, ...]] = [self._notes.get(0, ())]
        self._replayed = 0, dealt.copy()  # moves and position of the last replay

    @property
    def num_logged(self) -> int:
        return len(self._lines) - 1

    def extend(self, moves: Moves, most: int | None = None) -> None:
        """Adds the moves that are new, or the first `most` of them (0.5 ms each)."""
        logged = self.num_logged
        end = len(moves) if most is None else min(len(moves), logged + most)
        for number in range(logged + 1, end + 1):
            play_moves(self._game, moves[:number], number - 1, self._prefix)
            self._views[number] = self._view(self._game)
            lines = self._lines_between(self._views[number - 1], self._views[number])
            self._lines.append((*lines, *self._notes.get(number, ())))
            self._views.pop(number - KEPT, None)

    def lines(self, moves: Moves) -> list[tuple[LogLine, ...]]:
        """Returns the lines of every frame: none for the deal, then those of each move."""
        self.extend(moves)
        return self._lines

    def frames(self, moves: Moves, since: int) -> list[Frame]:
        """Returns the frames of all moves from `since` on, 0 for the deal."""
        self.extend(moves)
        return [self.frame(moves, number) for number in range(max(0, since), len(moves) + 1)]

    def frame(self, moves: Moves, number: int) -> Frame:
        """Returns the frame of a move that has been shown, 0 for the deal."""
        view = self._views.get(number)
        return Frame(number, self._lines[number], view or self._view_again(moves, number))

    def _view_again(self, moves: Moves, number: int) -> View:
        done, game = self._replayed
        if done > number:
            done, game = 0, self._dealt.copy()
        play_moves(game, moves[:number], done, self._prefix)
        self._replayed = number, game
        return self._view(game)

    def _view(self, game: AnyGame) -> View:
        return game.view(self._viewer, names=self._names)
