"""A game with its chance, move by move: what a state of OpenSpiel holds, without OpenSpiel."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from gonzaga_env.core.constants import NUM_FIEFS
from gonzaga_env.core.editions.validate import NUM_OBJECTIVES
from gonzaga_env.core.state import Deal
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
        """Plays an outcome of chance or an action; nothing has changed after an error."""
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
        return self.game is None or self._waiting is not None

    def outcomes(self) -> list[int]:
        """Returns the outcomes of the next event of chance, in rising order."""
        return list(range(self.MAX_OUTCOMES))

    def outcome_text(self, outcome: int) -> str:
        return f"byte {len(self._bytes)} of the seed is {outcome}"

    def information(self, seat: int) -> str:
        """Returns all that a seat has seen and done so far (perfect recall)."""
        return f"seat {seat} after {len(self.moves)} moves: {self._seen[seat].hex()}"

    def resample(self, seat: int, rng: np.random.Generator) -> Self:
        """Returns a game that a seat cannot tell from this one (see `Engine.resample`).

        Its moves are still those of this game, from which it did not come. What the other seats
        have seen in it is unknown: they know what they see now.
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
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.moves, twin._seen = self.moves.copy(), self._seen.copy()
        twin.game = self.game and self.game.copy()
        return twin

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        return self.copy()

    def __reduce__(self) -> tuple[type[SavedPlay], tuple[bytes, tuple[object, ...]]]:
        extra: tuple[object, ...] = ()
        if self._resampled:
            waiting = self._bytes, self._waiting
            extra = self.game.state.to_bytes(), self._seen, self.returns, waiting
        return SavedPlay, (np.array(self.moves, np.uint32).tobytes(), extra)

    @classmethod
    def restore(cls, template: AnyGame, saved: SavedPlay) -> Self:
        """Returns the game that was pickled."""
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


class GonzagaPlay(Play):
    """Gonzaga, whose cards are drawn when somebody sees them (R2.1, R2.2, R3.1).

    Moves are, in this order, with P players:

    | chance or decision | moves |
    |---|---|
    | scenario, where there is more than one | 1 |
    | objectives, seat by seat | P |
    | each round: fiefs turned up, seat by seat | P |
    | each round: plans, sealed until all have planned | P |
    | each round: placements in the turn order | P |

    No player knows the order of a deck, so drawing a fief when it is turned up is the same game as
    shuffling before the start. The engine turns up a round's fiefs as soon as the round before
    ends; so a round's last action waits until chance has drawn the fiefs that come after it.
    """

    MAX_OUTCOMES = NUM_OBJECTIVES  # as many as scenarios, and more than fiefs

    def __init__(self, template: AnyGame) -> None:
        super().__init__(template)
        self._scenarios = template.config.scenarios().tolist()
        # Numbers of moves: before the objectives, before the first round, and in a round.
        self._first_objective = int(len(self._scenarios) > 1)
        self._start = self._first_objective + self.num_players
        self._per_round = 3 * self.num_players

    @property
    def _place(self) -> int:
        """The number of the next move in its round; negative before the first round."""
        passed = len(self.moves) - self._start
        return passed % self._per_round if passed >= 0 else passed

    def _at_chance(self) -> bool:
        return self._place < self.num_players

    def outcomes(self) -> list[int]:
        """Returns the scenarios, the objectives left, or the fiefs left in a seat's deck."""
        moves, place = self.moves, self._place
        if len(moves) < self._first_objective:
            return self._scenarios
        edition = self.template.config.edition
        if place < 0 and not edition.objectives:  # of a small edition: nothing to draw
            return [len(moves) - self._first_objective]
        if place < 0:
            drawn, every = moves[self._first_objective :], len(edition.objectives)
        else:
            drawn, every = moves[self._start + place :: self._per_round], edition.size.fiefs
        return sorted({*range(every)}.difference(drawn))

    def outcome_text(self, outcome: int) -> str:
        edition, place = self.template.config.edition, self._place
        if len(self.moves) < self._first_objective:
            return f"scenario {edition.scenarios[outcome].name}"
        if place < 0:
            symbols = " ".join(edition.objectives[outcome]) if edition.objectives else "none"
            return f"objective {symbols} for seat {len(self.moves) - self._first_objective}"
        return f"fief {outcome + 1} for seat {place}"

    @classmethod
    def most_events(cls, config: Any, most_decisions: int) -> int:
        """Returns the cards of all rounds."""
        return 1 + (1 + config.edition.size.rounds) * int(config.num_players)

    @property
    def _num_sealed(self) -> int:
        """How many plans are sealed: the last moves, of seats 0 on (R3.2)."""
        sealed = self._place - self.num_players
        return sealed if 0 < sealed < self.num_players else 0

    def information(self, seat: int) -> str:
        """Returns all moves, with "?" for those that the seat has not seen; at the end the scores.

        These are the other seats' objectives, and their plans while they are sealed.
        """
        sealed = len(self.moves) - self._num_sealed
        starts = (self._first_objective, self._start), (sealed, len(self.moves))
        known: list[object] = [*self.moves]
        for start, stop in starts:
            for i in range(start, min(stop, len(known))):
                known[i] = known[i] if i - start == seat else "?"
        if self.player == TERMINAL:
            known += ["scores", *self.game.position.totals]
        return f"seat {seat}: {' '.join(map(str, known))}"

    def resample(self, seat: int, rng: np.random.Generator) -> Self:
        """Returns what `Play.resample` does, with moves of other objectives and sealed plans."""
        twin = super().resample(seat, rng)
        twin._resampled = False  # the moves determine it
        position, sealed = twin.game.position, self._num_sealed
        twin.moves[self._first_objective : self._start] = position.objectives
        twin.moves[len(twin.moves) - sealed :] = position.plan[:sealed]
        return twin

    def _draw(self, outcome: int) -> None:
        place = self._place
        if place != self.num_players:
            return
        fiefs = self.moves[-place:]
        if self.game is None:
            self._deal(fiefs)
        else:
            self.game.turn_up_next(fiefs)
            self.returns = self.game.play(self.moves[-place - 1])

    def _deal(self, fiefs: list[int]) -> None:
        """Deals the game; the fiefs to come lie in rising order, until they are drawn."""
        scenario = self.moves[0] if self._first_objective else self._scenarios[0]
        decks = [[fief, *sorted({*range(NUM_FIEFS)} - {fief})] for fief in fiefs]
        objectives = self.moves[self._first_objective : self._start]
        self.game = self.template.copy()
        self.game.reset(0, Deal(*(np.array([drawn]) for drawn in (scenario, decks, objectives))))

    def _act(self, action: int) -> None:
        game = self.game
        ends_round = self._place == self._per_round - 1 and not game.position.last_round
        if not ends_round or not game.is_legal(action):  # `play` says why it is not
            self.returns = game.play(action)
