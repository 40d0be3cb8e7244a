"""The beginning of a recorded game, from which another game continues."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, NamedTuple, Self

from gonzaga_env.games import game_spec, record_spec
from gonzaga_env.kernel.errors import EditionError, GameError, RecordError
from gonzaga_env.kernel.records import WRONG, Record, brief

_LATER = ("moves", "scores", "final", "winners")  # the keys of a record in addition to its deal


class OpeningMove(NamedTuple):
    """A move of a record: its seat and action, and what it turned up."""

    seat: int
    action: int
    drawn: Sequence[Any]


@dataclass(frozen=True)
class Opening:
    """The deal of a recorded game and its first moves.

    Attributes:
        record: the record without its moves and its end.
        moves: the moves.
    """

    record: Record
    moves: tuple[OpeningMove, ...]

    @classmethod
    def of(cls, record: Record, num_moves: int, edition: Any = None) -> Self:
        """Returns the beginning of a record.

        Args:
            record: the record; it is verified as far as it is played.
            num_moves: moves that are played.
            edition: the edition; None for that of the record.

        Raises:
            RecordError: something is missing or contradicts the rules, or there are fewer moves.
            EditionError: the edition cannot be found or has faults.
        """
        spec = record_spec(record)
        assert spec.replayed is not None  # every game of the table is recorded
        try:
            if not 0 <= num_moves <= len(record["moves"]):
                raise RecordError(f"there are 0 to {len(record['moves'])} moves, not {num_moves}")
            replayed, moves = spec.replayed(record, edition), []
            for move in islice(record["moves"], num_moves):
                drawn, actions = replayed.play(move), replayed.game.actions
                moves.append(OpeningMove(move["seat"], actions.parse(move["action"]), drawn))
            header = {key: value for key, value in record.items() if key not in _LATER}
            return cls(header, tuple(moves))
        except (EditionError, RecordError):
            raise
        except GameError as error:
            raise RecordError(str(error)) from error
        except WRONG as error:
            raise RecordError(
                f"a field is missing or has the wrong type: {brief(error)}"
            ) from error

    def as_dict(self) -> dict[str, Any]:
        """Returns the opening as JSON takes it."""
        return {"record": self.record, "moves": [list(move) for move in self.moves]}

    @classmethod
    def from_dict(cls, saved: Mapping[str, Any]) -> Self:
        """Returns the opening of `as_dict`; errors of a damaged one are any of `WRONG`."""
        return cls(saved["record"], tuple(OpeningMove(*move) for move in saved["moves"]))

    def deal(self, config: Any) -> Any:
        """Returns the deal."""
        read_deal = game_spec(config.game).read_deal
        assert read_deal is not None
        return read_deal(config, self.record)

    @property
    def drawn(self) -> list[Sequence[Any]]:
        """What each move turned up."""
        return [move.drawn for move in self.moves]


def play_moves(
    game: Any,
    moves: Sequence[tuple[int, int]],
    start: int = 0,
    opening: Opening | None = None,
) -> None:
    """Plays the moves of a table from number `start` on; its opening draws what the record says.

    Args:
        game: the position before them.
        moves: seat and action of every move so far.
        start: moves made before, from 0.
        opening: how the table began.
    """
    drawn = [] if opening is None else opening.drawn[start : len(moves)]
    for number, (_, action) in enumerate(moves[start:]):
        game.play(action, drawn[number] if number < len(drawn) else None)
