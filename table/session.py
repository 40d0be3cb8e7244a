"""A table: one game with people and agents at it, played move by move.

It knows neither terminals nor the web. Whatever it shows a seat comes from that seat's view,
observation and mask; `record` alone holds the deal, and only once the game is over.
"""

from __future__ import annotations

import secrets
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.games import game_spec, record_config
from gonzaga_env.kernel.agent import Agent, AgentError
from gonzaga_env.kernel.arguments import as_actions, is_integer
from gonzaga_env.kernel.bounded import Json
from gonzaga_env.kernel.editions import EditionSource
from gonzaga_env.kernel.errors import GameError, OptionError
from gonzaga_env.kernel.records import REPLAY_ERRORS, Record, brief
from gonzaga_env.kernel.sentences import Sentence, say
from gonzaga_env.kernel.single import AnyGame
from gonzaga_env.kernel.spec import Config
from gonzaga_env.kernel.view import Frame, LogLine, View, Viewer, distinct_names

from .choices import Choice, Turn
from .replay import RecordPrefix, ViewerLog, play_moves
from .specs import table_spec, turn_of

MAX_NAME = 40  # characters of a player's name
#: Characters that Python calls printable and fonts show as nothing: fillers of Hangul and Khmer,
#: the empty pattern of Braille, and the like.
_INVISIBLE = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0\U0001d159"
)
MAX_NOTES = 100  # take-backs and changes of agents at a table
_OTHER_DEALS = 4  # played to see whether something hidden has been shown
SEED_BITS = 64  # all that a deal takes


class SessionError(GameError, ValueError):
    """The table refuses something; nothing has changed."""


class StaleMoveError(SessionError):
    """The game has moved on since the caller looked at it."""


@dataclass(frozen=True)
class SeatPlayer:
    """Who plays a seat."""

    kind: Literal["human", "agent"]
    name: str  # what the others read
    agent: str | None = None  # the agent's spec; None for a person


def human(name: str = "") -> SeatPlayer:
    return SeatPlayer("human", _checked_name(name))


def agent_seat(spec: str, name: str = "") -> SeatPlayer:
    return SeatPlayer("agent", _checked_name(name) or spec, spec)


def _saved_seat(kind: str, name: str, agent: str | None) -> SeatPlayer:
    """Returns the seat of `asdict`, checked."""
    if kind == "human" and agent is None:
        return human(name)
    if kind == "agent" and isinstance(agent, str):
        return agent_seat(agent, "" if name == agent else name)  # a spec may be longer
    raise SessionError("the saved table is damaged: a seat is neither a person's nor an agent's")


def _saved_line(seat: int | None, text: str, event: Mapping[str, Json]) -> LogLine:
    """Returns the line of `asdict`, checked."""
    if not (seat is None or is_integer(seat)) or not isinstance(text, str):
        raise SessionError("the saved table is damaged: a note has no text or a wrong seat")
    return LogLine(seat, text, dict(event))


def _seat(number: int | None) -> Sentence:
    return say("seat {n}", n=number, place=None if number is None else number + 1)


def _checked_name(name: str) -> str:
    if not isinstance(name, str) or len(name) > MAX_NAME or not name.isprintable():
        raise OptionError(say("a player's name takes up to {n} printable characters", n=MAX_NAME))
    name = name.strip()
    if _INVISIBLE.intersection(name) or unicodedata.category(name[:1] or "a").startswith("M"):
        raise OptionError(
            "a player's name takes visible characters and must not begin with a combining mark"
        )
    return name


def choose(
    agent: Agent, observation: NDArray[np.uint8], mask: NDArray[np.bool_], rng: np.random.Generator
) -> int:
    """Returns an agent's action, by its seat's observation [D] and legal actions [A]."""
    actions = agent.act(observation[None], mask[None], rng)
    one = np.zeros(1, dtype=np.int64)
    return int(as_actions(actions, one, np.array([False]), len(mask))[0])


def one_line(error: BaseException) -> str:
    """Returns an agent's error in one line, with its class if it is not this project's."""
    text = str(error).partition("\n")[0]
    if isinstance(error, GameError | ModuleNotFoundError):
        return text
    return f"{type(error).__name__}: {text}"


def option_names(game: str) -> list[str]:
    """Returns the configuration apart from edition and rules, such as "num_players"."""
    names = (field.name for field in fields(game_spec(game).config))
    return [name for name in names if name not in ("edition", "rules")]


class GameSession:
    """A game in play.

    Example:
        session = GameSession(GameConfig(2), [human("Ann"), agent_seat("greedy")])
        session.play(0, session.num_moves, session.turn(0).choices[0].action)

    Decisions that a game seals (`GameSpec.sealed`, such as plans, R3.2) are made by all seats at
    once. The engine takes them seat by seat, so a decision that comes early is pending until the
    engine asks for it. Then it becomes a move, and so the moves stay in the engine's order.

    Attributes:
        config: what is played.
        seats: who plays each seat, [P].
        seed: decides the deal; secret while the game lasts.
        prefix: the deal and moves of a record that the game began with; None for a drawn deal.
        moves: seat and action of every move so far, those of the prefix included.
        pending: the action of each seat that the engine has not asked for yet.
        stage: moves made before the decisions of now began, all that are sealed together included.
        revision: changes whenever names or the history change.
    """

    def __init__(
        self,
        config: Config,
        seats: Sequence[SeatPlayer],
        seed: int | None = None,
        prefix: RecordPrefix | None = None,
    ) -> None:
        if len(seats) != config.num_players:
            raise OptionError(
                say("{n} seats for {players} players", n=len(seats), players=config.num_players)
            )
        self.config, self.seats = config, tuple(seats)
        self.seed = secrets.randbits(SEED_BITS) if seed is None else seed % 2**SEED_BITS
        self.prefix = prefix
        self.moves: list[tuple[int, int]] = []
        self.pending: dict[int, int] = {}
        self.stage = self.revision = 0
        self._spec = game_spec(config.game)
        self._continues = table_spec(config.game).continues
        self._notes: list[tuple[int, LogLine]] = []  # after which move each stands in the log
        self._begin()

    def _begin(self) -> None:
        self._game = self._deal()
        self.moves, self.pending, self.stage = [], {}, 0
        self._stages: list[tuple[int, bool]] = []  # of each move, and whether it is sealed
        self._continued: list[bool] = []  # of each move, whether it goes back with the next one
        self._logs: dict[Viewer, ViewerLog] = {}
        self._games: dict[
            int, AnyGame
        ] = {}  # at the turn of each seat that the engine will ask now
        self._turns: dict[int, Turn | None] = {}
        for move in () if self.prefix is None else self.prefix.moves:
            self._apply(move.action)

    @property
    def num_moves(self) -> int:
        return len(self.moves)

    @property
    def over(self) -> bool:
        return self._game.finished

    @property
    def to_act(self) -> int | None:
        """The seat that the engine asks next; None where the game is over."""
        return None if self._game.finished else self._game.seat

    @property
    def deciding(self) -> tuple[int, ...]:
        """The seats that may act now: several where decisions are sealed, none where it is over."""
        return tuple(seat for seat in self._games_now() if seat not in self.pending)

    @property
    def sealed(self) -> tuple[int, ...]:
        """The seats whose decision is sealed, while others still make theirs."""
        return tuple(sorted({*(seat for seat, _ in self.moves[self.stage :]), *self.pending}))

    @property
    def state(self) -> Any:
        """The full position, for texts and tests; it holds all that is secret."""
        return self._game.state

    @property
    def scenario(self) -> str | None:
        """The name of the scenario, which is public; None where the game has none."""
        if not hasattr(self.config, "scenario"):
            return None
        edition: Any = self.config.edition
        return str(edition.scenarios[self._game.position.scenario].name)

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names as they are shown everywhere.

        Equal names are numbered, such as "greedy 2"; a person without a name is "Player 1" in the
        first seat.
        """
        named = enumerate(self.seats, start=1)
        return distinct_names([seat.name or say("Player {n}", n=i) for i, seat in named])

    def view(self, viewer: Viewer) -> View:
        return self._game.view(viewer, names=self.names)

    def frames(self, viewer: Viewer, since: int | None = None) -> list[Frame]:
        """Returns the positions after each move, with its lines."""
        start = self.num_moves if since is None else since
        return self.log_of(viewer).frames(self.moves, start)

    def log(self, viewer: Viewer) -> list[tuple[LogLine, ...]]:
        """Returns the lines of every frame, as a seat or the public may read them."""
        return list(self.log_of(viewer).lines(self.moves))

    def _deal(self) -> AnyGame:
        game = self._spec.game.from_config(self.config, self.seed)
        if self.prefix is not None:
            game.reset(self.seed, self.prefix.deal(self.config))
        return game

    def log_of(self, viewer: Viewer) -> ViewerLog:
        """Returns the log of a viewer; it may lack moves (see `ViewerLog.extend`)."""
        if viewer not in self._logs:
            self._logs[viewer] = ViewerLog(
                self._deal(), viewer, self.names, self.prefix, self._notes
            )
        return self._logs[viewer]

    def _games_now(self) -> dict[int, AnyGame]:
        """Returns the game at the turn of each seat that may act now or has acted too early."""
        if not self._games and not self.over:
            self._games = {game.seat: game for game in self._spec.turns(self._game)}
        return self._games

    def turn(self, seat: int) -> Turn | None:
        """Returns the legal choices of a seat; None if it may not act now."""
        return self._turn_of(seat) if seat in self.deciding else None

    def pending_choice(self, seat: int) -> Choice | None:
        """Returns the choice of a seat that is pending, as its turn had it; None if none is."""
        turn = self._turn_of(seat) if seat in self.pending else None
        if turn is None:
            return None
        return next(one for one in turn.choices if one.action == self.pending[seat])

    def _turn_of(self, seat: int) -> Turn | None:
        if seat not in self._turns:
            self._turns[seat] = turn_of(self._games_now()[seat])
        return self._turns[seat]

    def question(self, seat: int | None = None) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
        """Returns observation [D] and mask [A] of a seat: all that an agent is given."""
        game = self._game if seat is None else self._games_now()[seat]
        return game.observation(), game.mask().view(np.bool_)

    def check(self, seat: int, move: int) -> None:
        """Checks that a seat may act, and that nothing has happened since `move` moves.

        Decisions of others that are sealed together with this one do not count.
        """
        if not is_integer(move) or not self.stage <= move <= self.num_moves:
            raise StaleMoveError(
                say("{n} moves have been made, not {x}; look again", n=self.num_moves, x=repr(move))
            )
        if self.over:
            raise SessionError("the game is over")
        if seat in self.sealed:
            raise SessionError(
                say("{seat} has sealed its decision; the others still decide", seat=_seat(seat))
            )
        if seat not in self.deciding:
            raise SessionError(
                say("{acting} is to act, not {other}", acting=_seat(self.to_act), other=_seat(seat))
            )

    def play(self, seat: int, move: int, action: int) -> None:
        """Plays an action, or seals it until the engine asks for it."""
        self.check(seat, move)
        if seat == self.to_act:
            self._apply(action)
        else:
            self._games_now()[seat].copy().play(action)  # raises if it is illegal
            self.pending[seat] = int(action)
        self._apply_pending()

    def _apply_pending(self) -> None:
        while self.to_act in self.pending:
            self._apply(self.pending.pop(self.to_act))

    def _apply(self, action: int) -> None:
        seat, now = self._game.seat, (self._game.kind, self._game.round)
        sealed = self._spec.kinds[self._game.kind] in self._spec.sealed
        play_moves(self._game, [*self.moves, (seat, int(action))], self.num_moves, self.prefix)
        self._continued.append(self.has_begun_turn(seat) and not self._game.position.drawn)
        self.moves.append((seat, int(action)))
        self._stages.append((self.stage, sealed))
        if (self._game.kind, self._game.round) != now or not sealed:
            self.stage = self.num_moves
        self._games, self._turns = {}, {}

    def back_to(self, seat: int) -> int:
        """Returns how many moves would be left if a seat took its last decision back.

        With it go the decisions of the same turn before it, as far as they turned nothing up.
        """
        own = [number for number, move in enumerate(self.moves) if move[0] == seat]
        if len(self._notes) >= MAX_NOTES:
            raise SessionError("too much has been taken back at this table")
        if seat in self.pending:
            return max(self.stage, self.num_recorded)
        if not own or own[-1] < self.num_recorded:
            raise SessionError(say("{seat} has made no decision yet", seat=_seat(seat)))
        start = max(self._stages[own[-1]][0], self.num_recorded)
        while start > self.num_recorded and self._continued[start - 1]:
            start -= 1
        return start

    def has_begun_turn(self, seat: int) -> bool:
        """Returns whether a seat is to act and has decided something in this turn already."""
        return self._continues is not None and seat == self.to_act and self._continues(self._game)

    def reveals(self, seat: int) -> bool:
        """Returns whether anybody has seen hidden things since a seat's last decision.

        That is so if sealed decisions were revealed, if the same moves would show the seat
        something else where what it did not know then differs, or if they would show anybody
        something else where chance falls otherwise. Hidden cards that others have drawn count:
        after the decision is taken back, they draw the same ones again.
        """
        start = self.back_to(seat)
        if any(sealed and stage < self.stage for stage, sealed in self._stages[start:]):
            return True
        before, rng = self._deal(), np.random.default_rng(0)
        seen = {viewer: self._game.view(viewer) for viewer in range(len(self.seats))}
        play_moves(before, self.moves[:start], 0, self.prefix)
        return any(
            self._differs(before.resampled(seat, rng), start, {seat: seen[seat]})
            or self._differs(before.reseeded((self.seed + number) % 2**SEED_BITS), start, seen)
            for number in range(1, 1 + _OTHER_DEALS)
        )

    def _differs(self, twin: AnyGame, start: int, seen: Mapping[int, View]) -> bool:
        """Returns whether the moves since `start` show something else from another position on."""
        try:
            play_moves(twin, self.moves, start, self.prefix)
        except GameError:  # what players have done shows what they had
            return True
        return any(twin.view(viewer) != view for viewer, view in seen.items())

    def take_back(self, seat: int) -> None:
        """Takes back a seat's last decision and all moves since; others' sealed ones stay.

        The log reports it, unless the decision is still sealed and so nobody has seen it.
        """
        start, sealed = self.back_to(seat), seat in self.sealed
        moves, opened = self.moves[:start], self.num_recorded
        kept = dict([*self.moves[start:], *self.pending.items()]) if sealed else {}
        kept.pop(seat, None)
        self._begin()
        for _, action in moves[opened:]:
            self._apply(action)
        self.pending = kept
        self._apply_pending()
        self._notes = [(min(move, start), line) for move, line in self._notes]
        if not sealed:
            event = {"kind": "take_back"}
            note = start, LogLine(seat, "takes the last decision back", event)
            if note not in self._notes[-1:]:  # once is enough for the same one
                self._notes.append(note)
        self._change()

    def rename(self, seat: int, name: str) -> None:
        """Gives a player another name; every log is then made again."""
        renamed = replace(self.seats[seat], name=_checked_name(name))
        if self.over:
            raise SessionError("the game is over")
        if renamed != self.seats[seat]:
            self._reseat(seat, renamed)

    def replace_agent(self, seat: int, spec: str) -> None:
        """Lets another agent play a seat; the log reports it."""
        old = self.seats[seat]
        if old.agent is None:
            raise SessionError(say("{seat} is a person's", seat=_seat(seat)))
        if old.agent == spec:
            return
        name = spec if old.name == old.agent else old.name
        event = {"kind": "agent", "agent": spec}
        self._notes.append((self.num_moves, LogLine(seat, f"is played by {spec} now", event)))
        self._reseat(seat, SeatPlayer("agent", name, spec))

    def _reseat(self, seat: int, player: SeatPlayer) -> None:
        self.seats = tuple(player if i == seat else old for i, old in enumerate(self.seats))
        self._change()

    def _change(self) -> None:
        self.revision += 1
        self._logs = {}

    def step_agent(self, agent: Agent, rng: np.random.Generator) -> None:
        """Lets an agent play for the seat to act; AgentError if it fails or plays illegally."""
        seat, num_moves = self.to_act, self.num_moves
        if seat is None:
            raise SessionError("the game is over")
        name = self.seats[seat].agent
        try:
            self.play(seat, num_moves, choose(agent, *self.question(), rng))
        except (Exception, SystemExit) as error:  # an agent may be anybody's code
            raise AgentError(say("agent {x}: {why}", x=name, why=one_line(error))) from error

    def record(self) -> Record:
        """Returns the record of a game that is over, which reveals everything."""
        if not self.over:
            raise SessionError("the game is not over; its record would reveal what is secret")
        names = [seat.name or "human" for seat in self.seats]
        record = self._spec.records.record
        actions = [action for _, action in self.moves]
        if self.prefix is None:
            return record(self.config, self.seed, names, actions)
        deal, drawn = self.prefix.deal(self.config), self.prefix.drawn
        return record(self.config, self.seed, names, actions, deal, drawn)

    def as_dict(self) -> dict[str, object]:
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
            **({} if self.prefix is None else {"prefix": self.prefix.as_dict()}),
            "revision": self.revision,
            "notes": [[move, asdict(line)] for move, line in self._notes],
            "moves": [list(move) for move in self.moves[self.num_recorded :]],
            "pending": [list(move) for move in self.pending.items()],
        }

    @property
    def num_recorded(self) -> int:
        return 0 if self.prefix is None else len(self.prefix.moves)

    @classmethod
    def from_dict(cls, saved: Mapping[str, Json], edition: EditionSource | None = None) -> Self:
        """Returns the table of `as_dict`; SessionError if it is damaged."""
        try:
            game = saved["game"]
            spec, given = game_spec(game), edition
            if given is None:
                given = saved["edition"]
            options = {name: saved[name] for name in option_names(game)}
            config = spec.config(rules=saved["rules"], edition=given, **options)
            if config.edition.digest != saved["digest"]:
                raise SessionError(f"the saved table's edition {saved['edition']} has changed")
            begun = saved.get("prefix")
            prefix = None if begun is None else RecordPrefix.from_dict(begun)
            for name in ("seed", "revision"):
                if not is_integer(saved[name]):
                    raise SessionError(f"the saved table is damaged: {name} is not an integer")
            seats = [_saved_seat(**seat) for seat in saved["seats"]]
            table = cls(config, seats, saved["seed"], prefix)
            table.revision = saved["revision"]
            table._notes = [(move, _saved_line(**line)) for move, line in saved["notes"]]
            if not all(is_integer(move) for move, _ in table._notes):
                raise SessionError("the saved table is damaged: a note stands after no move")
            decided = [*saved["moves"], *saved["pending"]]
            if not all(is_integer(seat) and is_integer(action) for seat, action in decided):
                raise SessionError("the saved table is damaged: a move is not two integers")
            for seat, action in saved["moves"]:
                if seat != table.to_act:
                    raise SessionError(f"the saved table is damaged: seat {seat} is not to act")
                table.play(seat, table.num_moves, action)
            for seat, action in saved["pending"]:
                table.play(seat, table.num_moves, action)
        except REPLAY_ERRORS as error:
            if isinstance(error, SessionError):
                raise
            raise SessionError(f"the saved table is damaged: {brief(error)}") from error
        return table

    @classmethod
    def from_record(
        cls,
        record: Record,
        num_moves: int,
        seats: Sequence[SeatPlayer],
        edition: EditionSource | None = None,
        seed: int | None = None,
    ) -> Self:
        """Returns a table with the deal of a record, at which its first moves have been made.

        What is turned up later differs from the record: it follows from the table's own seed.
        """
        prefix = RecordPrefix.of(record, num_moves, edition)
        return cls(record_config(record, edition), seats, seed, prefix)
