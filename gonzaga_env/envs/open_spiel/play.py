"""The course of one game with its chance: what a state of OpenSpiel holds, without OpenSpiel."""

from __future__ import annotations

from abc import ABC, abstractmethod
from hashlib import blake2b
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from gonzaga_env.tabletop.errors import ActionError, StateError

CHANCE, TERMINAL = -1, -4  # OpenSpiel's numbers in place of a player


class SavedPlay(NamedTuple):
    """What a pickle holds of a game: neither tables nor edition, which the game's name brings.

    Attributes:
        moves: as in `Play`.
        extra: what the moves do not determine.
    """

    moves: bytes
    extra: tuple[Any, ...]


class Play(ABC):
    """One game from before its deal to its end. Chance moves, too.

    Attributes:
        MAX_OUTCOMES: the most outcomes of an event of chance.
        template: a game of the configuration, which is never played.
        game: the game in plain Python; None before its deal.
        moves: outcomes of chance and actions, from the start.
        num_players: P.
        player: the seat to act, `CHANCE` or `TERMINAL`.
        returns: every seat's return so far.
    """

    MAX_OUTCOMES: ClassVar[int]

    def __init__(self, template: Any) -> None:
        """Starts a game that is not dealt yet."""
        self.template = template
        self.game: Any = None
        self.moves: list[int] = []
        self.num_players: int = template.num_players
        self.player = CHANCE
        self.returns = [0.0] * self.num_players

    @abstractmethod
    def _at_chance(self) -> bool:
        """Returns whether chance moves next, in a game that is not over."""

    @abstractmethod
    def outcomes(self) -> list[int]:
        """Returns the equally likely outcomes of the next event of chance, in rising order."""

    @abstractmethod
    def outcome_text(self, outcome: int) -> str:
        """Returns an outcome of the next event of chance in words."""

    @abstractmethod
    def information(self, seat: int) -> str:
        """Returns all that a seat has seen and done so far (perfect recall)."""

    @abstractmethod
    def resample(self, seat: int, rng: np.random.Generator) -> Self:
        """Returns a game that a seat cannot tell from this one; what it does not know is drawn.

        Raises:
            StateError: the game is not dealt yet.
        """

    @staticmethod
    @abstractmethod
    def most_decisions(config: Any) -> int:
        """Returns a bound on the decisions of a game."""

    @classmethod
    @abstractmethod
    def most_events(cls, config: Any) -> int:
        """Returns a bound on the events of chance of a game."""

    def apply(self, move: int) -> None:
        """Plays an outcome of chance or an action.

        Raises:
            ActionError: chance has no such outcome, or the action is not in the space.
            IllegalActionError: the rules forbid the action.
            StateError: the game is over. Nothing has changed in any case.
        """
        if self.player == TERMINAL:
            raise StateError("the game is over; nothing can be played")
        if self.player == CHANCE:
            if move not in (outcomes := self.outcomes()):
                raise ActionError(f"outcome is {move!r}; chance has {outcomes}")
            self.moves.append(move)
            self._draw(move)
        else:
            self._act(move)
            self.moves.append(move)
        self.player = self._next_player()

    def _next_player(self) -> int:
        if self.game is not None and self.game.finished:
            return TERMINAL
        return CHANCE if self._at_chance() else int(self.game.seat)

    @abstractmethod
    def _draw(self, outcome: int) -> None:
        """Takes over an outcome of chance that `moves` hold already."""

    @abstractmethod
    def _act(self, action: int) -> None:
        """Plays an action, which `moves` do not hold yet."""

    def copy(self) -> Self:
        """Returns an independent copy."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.moves, twin.game = self.moves.copy(), self.game and self.game.copy()
        return twin

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self.copy()

    def save(self) -> SavedPlay:
        """Returns what `restore` needs."""
        return SavedPlay(np.array(self.moves, np.uint32).tobytes(), ())

    def __reduce__(self) -> tuple[Any, ...]:
        return SavedPlay, tuple(self.save())

    @classmethod
    def restore(cls, template: Any, saved: SavedPlay) -> Self:
        """Returns the game that was saved."""
        play = cls(template)
        for move in np.frombuffer(saved.moves, np.uint32).tolist():
            play.apply(move)
        return play

    def _check_dealt(self) -> None:
        if self.game is None:
            raise StateError("the game is not dealt yet; it can be resampled from then on")

    def __str__(self) -> str:
        return " ".join(map(str, self.moves))


class SeededPlay(Play):
    """Any game of this package: chance draws a seed before the deal, and a new one for every action
    after which something is drawn.

    Eight events draw a byte each, the highest first. So nothing that chance has yet to decide
    follows from a state. What a seat knows is a digest of its observations and actions, one after
    the other.
    """

    MAX_OUTCOMES = 256
    NUM_EVENTS = 8  # a seed is a number of 64 bits

    def __init__(self, template: Any) -> None:
        """Starts a game whose seed is not drawn yet."""
        super().__init__(template)
        self._seen = [b""] * template.num_players
        self._resampled = False
        self._bytes: tuple[int, ...] = ()  # of the seed that is being drawn
        self._waiting: int | None = None  # the action that it is drawn for

    def _at_chance(self) -> bool:
        return self.game is None or self._waiting is not None

    def outcomes(self) -> list[int]:
        """Returns all bytes."""
        return list(range(self.MAX_OUTCOMES))

    def outcome_text(self, outcome: int) -> str:
        """Returns which byte of the seed is drawn."""
        return f"byte {len(self._bytes)} of the seed is {outcome}"

    @classmethod
    def most_events(cls, config: Any) -> int:
        """Returns the number of bytes if every action draws something."""
        return cls.NUM_EVENTS * (1 + cls.most_decisions(config))

    def information(self, seat: int) -> str:
        """Returns the seat, the number of moves, and the digest of all that it has seen."""
        return f"seat {seat} after {len(self.moves)} moves: {self._seen[seat].hex()}"

    def resample(self, seat: int, rng: np.random.Generator) -> Self:
        """Returns a game that a seat cannot tell from this one (see `Engine.resample`).

        Its moves are still those of this game, from which it did not come. What the other seats
        have seen in it is unknown: they know what they see now.
        """
        self._check_dealt()
        twin = self.copy()
        twin.game = self.game.resampled(seat, rng)
        twin._resampled = True
        twin._seen = [b""] * self.num_players
        twin._look(None, 0)
        twin._seen[seat] = self._seen[seat]
        return twin

    def _draw(self, outcome: int) -> None:
        self._bytes += (outcome,)
        if len(self._bytes) < self.NUM_EVENTS:
            return
        seed, self._bytes = int.from_bytes(bytes(self._bytes), "big"), ()
        if self._waiting is None:
            self.game = self.template.copy()
            self.game.reset(seed)
            self._look(None, 0)
        else:
            action, self._waiting = self._waiting, None
            game = self.game.reseeded(seed)
            self._take(game, game.play(action), action)

    def _act(self, action: int) -> None:
        game = self.game.copy()
        returns = game.play(action)
        if game.position.event == self.game.position.event:
            self._take(game, returns, action)
        else:
            self._waiting = action

    def _take(self, game: Any, returns: list[float], action: int) -> None:
        """Takes over what a game is after an action of the seat to act."""
        seat = self.game.seat
        self.game, self.returns = game, returns
        self._look(seat, action)

    def _look(self, actor: int | None, action: int) -> None:
        """Adds every seat's observation, and the actor's action, to what it has seen."""
        seen = []
        for seat, before in enumerate(self._seen):
            digest = blake2b(before, digest_size=16)
            digest.update(b"%d;" % action if seat == actor else b";")
            digest.update(self.game.observation(seat))
            seen.append(digest.digest())
        self._seen = seen

    def save(self) -> SavedPlay:
        """Returns the moves; of a resampled game also its state and what the seats have seen."""
        moves, extra = super().save().moves, tuple[Any, ...]()
        if self._resampled:
            waiting = self._bytes, self._waiting
            extra = self.game.state.to_bytes(), self._seen, self.returns, waiting
        return SavedPlay(moves, extra)

    @classmethod
    def restore(cls, template: Any, saved: SavedPlay) -> Self:
        """Returns the game that was saved.

        Raises:
            StateError: the state of a resampled game is not of this configuration.
        """
        if not saved.extra:
            return super().restore(template, saved)
        play, (state, seen, returns, waiting) = cls(template), saved.extra
        play.moves = np.frombuffer(saved.moves, np.uint32).tolist()
        play.game = template.copy()
        play.game.state = type(template.state).from_bytes(state)
        play._seen, play._resampled, play.returns = [*seen], True, [*returns]
        play._bytes, play._waiting = waiting
        play.player = play._next_player()
        return play

    def __str__(self) -> str:
        drawn = f" resampled as {self.game.seed}" if self._resampled else ""
        return super().__str__() + drawn
