"""A table: one game with people and agents at it, played move by move.

It knows neither terminals nor the web. Whatever it shows a seat comes from that seat's view,
observation and mask; `record` alone holds the deal, and only once the game is over.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.games import DEFAULT_GAME, game_spec, record_config
from gonzaga_env.tabletop.agent import Agent, AgentError
from gonzaga_env.tabletop.arguments import as_actions, is_integer
from gonzaga_env.tabletop.engines.base import EditionBase
from gonzaga_env.tabletop.errors import GameError, OptionError
from gonzaga_env.tabletop.records import Record
from gonzaga_env.tabletop.records.log import Frame, LogLine, Viewer

from .choices import Turn, turn_of
from .opening import Opening, play_moves
from .viewer_log import ViewerLog

MAX_NAME = 40  # letters of a player's name
SEED_BITS = 64  # all that a deal takes


class SessionError(GameError, ValueError):
    """The table refuses something; nothing has changed."""


class StaleMoveError(SessionError):
    """The game has moved on since the caller looked at it."""


class WrongSeatError(SessionError):
    """It is another seat's turn, or nobody's."""


class SavedSessionError(SessionError):
    """A saved table cannot be restored: it contradicts the rules or lacks something."""


@dataclass(frozen=True)
class Seat:
    """Who plays a seat.

    Attributes:
        kind: "human" or "agent".
        name: what the others read.
        agent: the agent's spec; None for a person.
    """

    kind: Literal["human", "agent"]
    name: str
    agent: str | None = None


def human(name: str = "") -> Seat:
    """Returns the seat of a person.

    Raises:
        OptionError: the name is too long, or holds letters that cannot be shown.
    """
    return Seat("human", _checked_name(name))


def agent_seat(spec: str, name: str = "") -> Seat:
    """Returns the seat of an agent.

    Args:
        spec: the agent, as `make_agent` takes it.
        name: what the others read; the spec if empty.

    Raises:
        OptionError: the name is too long, or holds letters that cannot be shown.
    """
    return Seat("agent", _checked_name(name) or spec, spec)


def _checked_name(name: str) -> str:
    if not isinstance(name, str) or len(name) > MAX_NAME or not name.isprintable():
        raise OptionError(f"a player's name takes up to {MAX_NAME} printable letters")
    return name.strip()


def choose(
    agent: Agent, observation: NDArray[np.uint8], mask: NDArray[np.bool_], rng: np.random.Generator
) -> int:
    """Returns an agent's action from what its seat may know.

    Args:
        agent: the agent.
        observation: of the seat to act, [D].
        mask: its legal actions, [A].
        rng: the source of the agent's randomness.

    Raises:
        ActionError: the agent does not return one action of the space.
    """
    actions = agent.act(observation[None], mask[None], rng)
    one = np.zeros(1, dtype=np.int64)
    return int(as_actions(actions, one, np.array([False]), len(mask))[0])


def one_line(error: BaseException) -> str:
    """Returns what an agent's error says in one line, with its kind if it is not this project's."""
    text = str(error).partition("\n")[0]
    if isinstance(error, GameError | ModuleNotFoundError):
        return text
    return f"{type(error).__name__}: {text}"


def option_names(game: str) -> list[str]:
    """Returns what a game is configured by beside edition and rules, such as "num_players"."""
    names = (field.name for field in fields(game_spec(game).config))  # type: ignore[arg-type]
    return [name for name in names if name not in ("edition", "rules")]


class GameSession:
    """A game in play.

    Example:
        session = GameSession(GameConfig(2), [human("Ann"), agent_seat("greedy")])
        session.play(0, session.num_moves, session.turn(0).choices[0].action)

    Attributes:
        config: what is played.
        seats: who plays each seat, [P].
        seed: decides the deal; secret while the game lasts.
        opening: the deal and moves of a record that the game began with; None for a drawn deal.
        moves: seat and action of every move so far, those of the opening included.
    """

    def __init__(
        self,
        config: Any,
        seats: Sequence[Seat],
        seed: int | None = None,
        opening: Opening | None = None,
    ) -> None:
        """Deals a game, and plays its opening.

        Args:
            config: what is played.
            seats: who plays each seat.
            seed: decides the deal, and what is turned up later; None draws one that nobody can
                guess.
            opening: the deal and the moves that the game begins with, in place of a drawn deal.

        Raises:
            OptionError: the number of seats is wrong.
            GameError: the opening contradicts the rules.
        """
        if len(seats) != config.num_players:
            raise OptionError(f"{len(seats)} seats for {config.num_players} players")
        self.config, self.seats = config, tuple(seats)
        self.seed = secrets.randbits(SEED_BITS) if seed is None else seed % 2**SEED_BITS
        self.opening = opening
        begun = () if opening is None else opening.moves
        self.moves: list[tuple[int, int]] = [(seat, action) for seat, action, _ in begun]
        self._game = self._deal()
        play_moves(self._game, self.moves, 0, opening)
        self._logs: dict[Viewer, ViewerLog] = {}
        self._turn: tuple[int, Turn | None] = (-1, None)

    @property
    def num_moves(self) -> int:
        """Moves made so far."""
        return len(self.moves)

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self._game.finished

    @property
    def to_act(self) -> int | None:
        """The seat to act; None where the game is over."""
        return None if self._game.finished else self._game.seat

    @property
    def waiting_for(self) -> str | None:
        """The agent to act; None where a person is to act, or the game is over."""
        return None if self.to_act is None else self.seats[self.to_act].agent

    @property
    def state(self) -> Any:
        """The full position, for texts and tests; it holds all that is secret."""
        return self._game.state

    @property
    def scenario(self) -> str | None:
        """The name of the scenario, which is public; None where the game has none."""
        if not hasattr(self.config, "scenario"):
            return None
        name: str = self.config.edition.scenarios[self._game.position.scenario].name
        return name

    @property
    def names(self) -> tuple[str, ...]:
        """What the players are called."""
        return tuple(seat.name for seat in self.seats)

    def view(self, viewer: Viewer) -> Any:
        """Returns the position as a viewer may see it."""
        return self._game.view(viewer, names=self.names)

    def frames(self, viewer: Viewer, since: int | None = None) -> list[Frame]:
        """Returns the positions after each move, with its lines.

        Args:
            viewer: a seat or "public".
            since: the first move wanted, from 0; None for the last only.
        """
        start = self.num_moves if since is None else since
        return self.log_of(viewer).frames(self.moves, start)

    def log(self, viewer: Viewer) -> list[tuple[LogLine, ...]]:
        """Returns the lines of every frame, as a seat or the public may read them."""
        return list(self.log_of(viewer).lines(self.moves))

    def _deal(self) -> Any:
        """Returns the game before its first move."""
        game = game_spec(self.config.game).game.from_config(self.config, self.seed)
        if self.opening is not None:
            game.reset(self.seed, self.opening.deal(self.config))
        return game

    def log_of(self, viewer: Viewer) -> ViewerLog:
        """Returns the log of a viewer; it may lack moves (see `ViewerLog.extend`)."""
        if viewer not in self._logs:
            self._logs[viewer] = ViewerLog(self._deal(), viewer, self.names, self.opening)
        return self._logs[viewer]

    def turn(self, seat: int) -> Turn | None:
        """Returns the legal choices of a seat; None if it is not to act."""
        if self.to_act != seat:
            return None
        if self._turn[0] != self.num_moves:
            self._turn = self.num_moves, turn_of(self._game)
        return self._turn[1]

    def question(self) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
        """Returns observation [D] and mask [A] of the seat to act: all that an agent is given."""
        return self._game.observation(), self._game.mask().view(np.bool_)

    def check(self, seat: int, move: int) -> None:
        """Checks that a seat is to act.

        Args:
            seat: who wants to move or asks for a hint.
            move: moves made so far, as the caller knows.

        Raises:
            StaleMoveError: another number of moves has been made.
            WrongSeatError: the seat is not to act.
        """
        if not is_integer(move) or move != self.num_moves:
            raise StaleMoveError(f"{self.num_moves} moves have been made, not {move!r}; look again")
        if self.to_act is None:
            raise WrongSeatError("the game is over")
        if seat != self.to_act:
            raise WrongSeatError(f"seat {self.to_act} is to act, not seat {seat}")

    def play(self, seat: int, move: int, action: int) -> None:
        """Plays an action.

        Args:
            seat: who plays it.
            move: moves made so far, as the caller knows.
            action: index in the action space.

        Raises:
            SessionError: the game has moved on, or the seat is not to act.
            ActionError: the action is not in the space.
            IllegalActionError: the rules forbid the action.
        """
        self.check(seat, move)
        self._game.play(action)
        self.moves.append((seat, int(action)))

    def step_agent(self, agent: Agent, rng: np.random.Generator) -> None:
        """Lets an agent play for the seat to act.

        Raises:
            AgentError: the agent fails, or plays an invalid action.
        """
        seat, num_moves = self.to_act, self.num_moves
        if seat is None:
            raise WrongSeatError("the game is over")
        name = self.seats[seat].agent
        try:
            self.play(seat, num_moves, choose(agent, *self.question(), rng))
        except Exception as error:  # an agent may be anybody's code
            raise AgentError(f"agent {name}: {one_line(error)}") from error

    def record(self) -> Record:
        """Returns the record of the game, which reveals everything.

        Raises:
            SessionError: the game is not over.
        """
        if not self.over:
            raise SessionError("the game is not over; its record would reveal what is secret")
        names = [seat.name or "human" for seat in self.seats]
        record = game_spec(self.config.game).record
        assert record is not None  # every game of the table is recorded
        actions = [action for _, action in self.moves]
        if self.opening is None:
            return record(self.config, self.seed, names, actions)
        deal, drawn = self.opening.deal(self.config), self.opening.drawn
        return record(self.config, self.seed, names, actions, deal, drawn)

    def as_dict(self) -> dict[str, Any]:
        """Returns the table as JSON takes it, moves included; it holds all that is secret."""
        config = self.config
        return {
            "game": config.game,
            "edition": getattr(config.edition, "label", config.edition.name),
            "digest": config.edition.digest,
            **{name: getattr(config, name) for name in option_names(config.game)},
            "rules": config.rules.as_dict(),
            "seed": self.seed,
            "seats": [asdict(seat) for seat in self.seats],
            **({} if self.opening is None else {"opening": self.opening.as_dict()}),
            "moves": [list(move) for move in self.moves[self.num_opened :]],
        }

    @property
    def num_opened(self) -> int:
        """Moves of the opening."""
        return 0 if self.opening is None else len(self.opening.moves)

    @classmethod
    def from_dict(
        cls, saved: Mapping[str, Any], edition: str | Path | EditionBase | None = None
    ) -> Self:
        """Returns the table of `as_dict`.

        Args:
            saved: what `as_dict` returned; tables of version 0.8 name no game and are of Gonzaga.
            edition: the edition; None for the one that is named.

        Raises:
            SavedSessionError: something is missing, or contradicts the rules.
            EditionError: the edition cannot be found or has faults.
        """
        try:
            game = saved.get("game", DEFAULT_GAME)
            given = saved["edition"] if edition is None else edition
            options = {name: saved[name] for name in option_names(game)}
            config = game_spec(game).config(edition=given, rules=saved["rules"], **options)
            if config.edition.digest != saved["digest"]:
                raise SavedSessionError(f"the edition {given} has changed since")
            begun = saved.get("opening")
            opening = None if begun is None else Opening.from_dict(begun)
            table = cls(config, [Seat(**seat) for seat in saved["seats"]], saved["seed"], opening)
            for seat, action in saved["moves"]:
                table.play(seat, table.num_moves, action)
        except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
            if isinstance(error, SavedSessionError):
                raise
            raise SavedSessionError(f"the saved table is damaged: {error}") from error
        return table

    @classmethod
    def from_record(
        cls,
        record: Record,
        num_moves: int,
        seats: Sequence[Seat],
        edition: str | Path | EditionBase | None = None,
        seed: int | None = None,
    ) -> Self:
        """Returns a table with the deal of a record, at which its first moves have been made.

        What is turned up later differs from the record: it follows from the table's own seed.

        Args:
            record: a record of any game.
            num_moves: moves of the record that have been made.
            seats: who plays each seat from there on.
            edition: the edition; None for that of the record.
            seed: decides what is turned up later; None draws one that nobody can guess.

        Raises:
            RecordError: the record is wrong up to there, or has fewer moves.
            EditionError: the edition cannot be found or has faults.
            OptionError: the number of seats is wrong.
        """
        opening = Opening.of(record, num_moves, edition)
        return cls(record_config(record, edition), seats, seed, opening)
