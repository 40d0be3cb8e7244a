"""The course of one game with its chance: what a state of OpenSpiel holds, without OpenSpiel."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from gonzaga_env.kernel.errors import ActionError, StateError
from gonzaga_env.kernel.single import AnyGame
from gonzaga_env.kernel.spec import Config

CHANCE, TERMINAL = -1, -4  # OpenSpiel's numbers in place of a player


class SavedPlay(NamedTuple):
    """What a pickle holds of a game: neither tables nor edition, which the game's name brings."""

    moves: bytes  # as in `Play`
    extra: tuple[Any, ...]  # of a resampled game, what its moves do not determine


class Play:
    """One game from before its deal to its end. Chance moves, too.

    Chance draws a seed before the deal, and a new one for every action after which something is
    drawn: eight events draw a byte each, the highest first. So nothing that chance has yet to
    decide follows from a state. What a seat knows is a digest of its observations and actions, one
    after the other. A game whose chance is simpler to list overrides what is said of it here.
    """

    MAX_OUTCOMES: ClassVar[int] = 256  # the most of an event of chance, all equally likely
    NUM_EVENTS: ClassVar[int] = 8  # of a seed, a number of 64 bits

    def __init__(self, template: AnyGame) -> None:
        """Starts a game that is not dealt yet."""
        self.template = template  # a game of the configuration, which is never played
        self.game: Any = None  # the game in plain Python; None before its deal
        self.moves: list[int] = []  # outcomes of chance and actions, from the start
        self.num_players = template.num_players
        self.player = CHANCE  # the seat to act, `CHANCE` or `TERMINAL`
        self.returns = [0.0] * self.num_players  # every seat's return so far
        self._seen = [b""] * self.num_players
        self._resampled = False
        self._bytes: tuple[int, ...] = ()  # of the seed that is being drawn
        self._waiting: int | None = None  # the action that it is drawn for

    @classmethod
    def most_events(cls, config: Config, most_decisions: int) -> int:
        """Returns a bound on the events of chance of a game."""
        return cls.NUM_EVENTS * (1 + most_decisions)

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

    def _at_chance(self) -> bool:
        """Returns whether chance moves next, in a game that is not over."""
        return self.game is None or self._waiting is not None

    def outcomes(self) -> list[int]:
        """Returns the outcomes of the next event of chance, in rising order."""
        return list(range(self.MAX_OUTCOMES))

    def outcome_text(self, outcome: int) -> str:
        """Returns an outcome of the next event of chance in words."""
        return f"byte {len(self._bytes)} of the seed is {outcome}"

    def information(self, seat: int) -> str:
        """Returns all that a seat has seen and done so far (perfect recall)."""
        return f"seat {seat} after {len(self.moves)} moves: {self._seen[seat].hex()}"

    def resample(self, seat: int, rng: np.random.Generator) -> Self:
        """Returns a game that a seat cannot tell from this one (see `Engine.resample`).

        Its moves are still those of this game, from which it did not come. What the other seats
        have seen in it is unknown: they know what they see now.

        Raises:
            StateError: the game is not dealt yet.
        """
        if self.game is None:
            raise StateError("the game is not dealt yet; it can be resampled from then on")
        twin = self.copy()
        twin.game, twin._resampled = self.game.resampled(seat, rng), True
        twin._seen = [b""] * self.num_players
        twin._look(None, 0)
        twin._seen[seat] = self._seen[seat]
        return twin

    def _draw(self, outcome: int) -> None:
        """Takes over an outcome of chance that `moves` hold already."""
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
        """Plays an action, which `moves` do not hold yet."""
        game = self.game.copy()
        returns = game.play(action)
        if game.position.event == self.game.position.event:
            self._take(game, returns, action)
        else:
            self._waiting = action

    def _take(self, game: AnyGame, returns: list[float], action: int) -> None:
        """Takes over what a game is after an action of the seat to act."""
        seat = self.game.seat
        self.game, self.returns = game, returns
        self._look(seat, action)

    def _look(self, actor: int | None, action: int) -> None:
        """Adds every seat's observation, and the actor's action, to what it has seen."""
        for seat, before in enumerate(self._seen):
            digest = blake2b(before, digest_size=16)
            digest.update(b"%d;" % action if seat == actor else b";")
            digest.update(self.game.observation(seat))
            self._seen[seat] = digest.digest()

    def copy(self) -> Self:
        """Returns an independent copy."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.moves, twin._seen = self.moves.copy(), self._seen.copy()
        twin.game = self.game and self.game.copy()
        return twin

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        extra: tuple[Any, ...] = ()
        if self._resampled:
            waiting = self._bytes, self._waiting
            extra = self.game.state.to_bytes(), self._seen, self.returns, waiting
        return SavedPlay, (np.array(self.moves, np.uint32).tobytes(), extra)

    @classmethod
    def restore(cls, template: AnyGame, saved: SavedPlay) -> Self:
        """Returns the game that was pickled.

        Raises:
            StateError: the state of a resampled game is not of this configuration.
        """
        play, moves = cls(template), np.frombuffer(saved.moves, np.uint32).tolist()
        if not saved.extra:
            for move in moves:
                play.apply(move)
            return play
        state, seen, returns, (play._bytes, play._waiting) = saved.extra
        play.moves, play.game = moves, template.copy()
        play.game.state = type(template.state).from_bytes(state)
        play._seen, play._resampled, play.returns = [*seen], True, [*returns]
        play.player = play._next_player()
        return play

    def __str__(self) -> str:
        drawn = f" resampled as {self.game.seed}" if self._resampled else ""
        return " ".join(map(str, self.moves)) + drawn
