"""What a game offers the rooms above it: players, engines, kinds of decisions, sources of points.

Environments, agents, training, tournaments and the table take a `GameSpec` and know no game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.tabletop.arguments import Integers
from gonzaga_env.tabletop.errors import OptionError
from gonzaga_env.tabletop.features import FeatureTable
from gonzaga_env.tabletop.options import RuleOptions
from gonzaga_env.tabletop.records import Record
from gonzaga_env.tabletop.records.log import Frame, Lines, LogLine, Viewer, record_frames
from gonzaga_env.tabletop.records.replaying import Start
from gonzaga_env.tabletop.result import GameInfos


class Config(Protocol):
    """Everything that decides which game is played, apart from chance."""

    @property
    def game(self) -> str:
        """The game's name, as `GameSpec.name`."""
        ...

    @property
    def num_players(self) -> int:
        """P."""
        ...

    @property
    def summary(self) -> str:
        """What is played, in a few words."""
        ...

    @property
    def edition(self) -> Any:
        """The edition (an `EditionBase`)."""
        ...

    @property
    def actions(self) -> Any:
        """The codec of actions, with `size` (A), `to_text(action)` and `parse(text)`."""
        ...

    @property
    def features(self) -> Any:
        """The layout of observations (`FeatureTable`); its `size` is D."""
        ...


class Engine(Protocol):
    """N games on arrays. Rows are independent of each other and may wait for different decisions.

    Attributes:
        config: what is played.
        num_games: N.
        num_players: P.
        autoreset: whether a finished game is reset immediately.
        state: the struct of arrays, with `seed`, `episode` and `finished`, each [N].
    """

    config: Any
    num_games: int
    num_players: int
    autoreset: bool
    state: Any

    @property
    def seats(self) -> NDArray[np.int64]:
        """The seat to act in each game, [N]; -1 where the game is over."""
        ...

    @property
    def kinds(self) -> NDArray[np.int64]:
        """Which of `GameSpec.kinds` each game decides, [N]; -1 where it is over."""
        ...

    @property
    def scores(self) -> NDArray[np.int16]:
        """Points by source (`GameSpec.sources`), [N, P, S]."""
        ...

    @property
    def totals(self) -> NDArray[np.int16]:
        """What decides the game, [N, P]."""
        ...

    @property
    def rounds(self) -> NDArray[np.int64]:
        """The running round of each game, from 1, [N]; the last one where it is over."""
        ...

    def winners(self) -> NDArray[np.bool_]:
        """Returns who would win if the games ended now, [N, P]."""
        ...

    def reset(self, seed: Any = None, deal: Any = None, rows: Integers | None = None) -> None:
        """Deals games: the first of a seed, or the next episode of each game for None."""
        ...

    def num_legal(self, rows: Integers | None = None) -> NDArray[np.int64]:
        """Returns the number of legal actions, [M]."""
        ...

    def legal_action_mask(
        self, rows: Integers | None = None, out: NDArray[np.bool_] | None = None
    ) -> NDArray[np.bool_]:
        """Returns which actions are legal for the seats to act, [M, A]."""
        ...

    def legal_actions(
        self, rows: Integers | None = None
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Returns positions among the M rows and actions, two arrays [L], sorted by row."""
        ...

    def observe(
        self,
        seat: int | Integers | None = None,
        rows: Integers | None = None,
        out: NDArray[np.uint8] | None = None,
    ) -> NDArray[np.uint8]:
        """Returns what one seat of each game knows, [M, D]; None for the seats to act."""
        ...

    def sample_legal(
        self, rng: np.random.Generator, rows: Integers | None = None
    ) -> NDArray[np.int64]:
        """Returns a uniformly random legal action of each game, [M]; 0 where the game is over."""
        ...

    def is_legal(
        self, actions: Integers | Sequence[int], rows: Integers | None = None
    ) -> NDArray[np.bool_]:
        """Returns whether one action in each game is legal, [M]."""
        ...

    def step(self, actions: Integers | Sequence[int], rows: Integers | None = None) -> Any:
        """Plays one action in each game and returns a `StepResult`."""
        ...

    def resample(self, seat: int | Integers, rng: np.random.Generator, num_samples: int = 1) -> Any:
        """Returns states that equal the games in all that a seat knows, [N * K]; the rest is drawn.

        Drawn, uniformly among what agrees with the seat's observation, is what is hidden (hands,
        secret choices, orders of piles) and what chance has yet to decide: the seed is drawn too,
        so that no later event follows from the true one. The seat's observation and mask, what is
        public and whose turn it is stay the same; every state can be played. Finished games stay
        as they are. States from observations, where a game has them, are drawn in the same way.
        Those of game i are rows i * K to i * K + K - 1.
        """
        ...

    def view(self, game: int = 0, viewer: Any = "spectator", *, names: Sequence[str] = ()) -> Any:
        """Returns what a viewer knows of one game, in plain values."""
        ...

    def describe(self, action: int, game: int = 0) -> str:
        """Returns an action of the seat to act in words."""
        ...

    def copy(self) -> Self:
        """Returns an independent copy of the engine."""
        ...


def _no_features(config: Config) -> FeatureTable:
    return FeatureTable(())


def _no_lines(before: Any, after: Any) -> tuple[LogLine, ...]:
    return ()


@dataclass(frozen=True)
class GameParts:
    """The parts of a game outside its rules, each by its place: "module:name", or "module".

    A part is imported when it is used, so the rules need no agents and no drawing code. Every part
    is optional: a game without pictures is shown in words, and one without a `table` is played by
    its actions' texts.

    Attributes:
        agents: what makes each agent from a configuration, by the agent's name, from the weakest
            to the strongest; "random" plays every game. "search" also takes a budget and a policy
            (`gonzaga_agents.search`).
        network: the class that reads the inputs of its networks (`gonzaga_agents.network.agent`).
        details: the module of what reports show of its decisions
            (`gonzaga_agents.evaluation.by_round`).
        puzzles: the module of its questions for puzzles (`gonzaga_agents.puzzles.puzzle`).
        pictures: its pictures, a `gonzaga_env.render.games.GamePictures`.
        table: what people read and choose from, a `gonzaga_table.parts.TableParts`.
    """

    agents: Mapping[str, str] = field(default_factory=dict)
    network: str | None = None
    details: str | None = None
    puzzles: str | None = None
    pictures: str | None = None
    table: str | None = None


def load_part(place: str | None) -> Any:
    """Returns what is at a place, "module:name" or "module"; None for None.

    Raises:
        OptionError: there is nothing at this place.
    """
    if place is None:
        return None
    module, _, name = place.partition(":")
    try:
        found = import_module(module)
    except ModuleNotFoundError as error:
        if f"{module}.".startswith(f"{error.name}."):
            raise OptionError(f"a game's part is {place!r}; there is no such module") from error
        raise  # the module needs a package, such as one of an extra
    if name and not hasattr(found, name):
        raise OptionError(f"a game's part is {place!r}; the module has no {name!r}")
    return getattr(found, name) if name else found


@dataclass(frozen=True)
class GameSpec:
    """A game, as everything above the games takes it.

    Attributes:
        name: "lower_case", as command lines and records have it.
        title: as people write it.
        players: the numbers of players.
        kinds: the kinds of decisions; `Engine.kinds` are indices of them.
        sources: the sources of points; the last axis of `Engine.scores`.
        counted: those of them that add up to `Engine.totals`; others are counted on the way.
        config: makes what is played from `num_players=`, `edition=`, `rules=` and the game's own
            options (a `Config`); its `OPTIONS` are the class of the rules' options, if any.
        engine: the engine for N games (an `Engine`), with `from_config(config, num_games, seed,
            autoreset, reward)` and `from_state(config, state, ...)`.
        game: the engine for one game, with the same names in the singular.
        check_deal: takes a configuration, a deal and a number of games, and raises OptionError
            unless it is a deal of as many games; deals are dataclasses of arrays with
            `take(rows)`.
        versions: of the actions and the observations; files of another version are refused.
        recorder: takes an engine or a game and the agents' names, plays and records it (see
            `tabletop.records.Recorder`); None where games cannot be recorded.
        record: plays actions from the deal of a seed and returns the record of the game, a JSON
            object: `record(config, seed, agents, actions, deal, drawn)`. The deal is that of the
            seed for None; `drawn` holds what the first actions turned up, where chance does not
            decide it.
        read_deal: returns the deal that a record holds: `read_deal(config, record)`.
        replay: `replay(record, edition)` verifies a record and returns the finished game.
        positions: verifies it too, and yields the state before every move.
        replayed: takes a record and an edition, or None for the record's, and returns a game with
            the deal of the record, which records itself again.
        lines: returns the lines of a log between the views before and after a move.
        verify: `verify(entries, edition)` yields each line of a file with what is wrong with it.
        move_columns: takes a record and returns columns for each of its moves, by name. Texts
            are categories and are counted, and so are truths; fractions are averaged for each
            category; integers only label.
        infos: what the environments' infos say of a seat.
        sealed: kinds of decisions that all seats make before anyone knows another's, each once a
            round.
        hidden: what no seat observes, of one game, [F] uint8; None for nothing.
        hidden_features: the layout of `hidden` for a configuration.
        parts: where its agents, pictures and texts are.
        slow_batch: how many times as many games it takes as in the quickest game until random play
            is faster on arrays than game by game.
    """

    name: str
    title: str
    players: tuple[int, ...]
    kinds: tuple[str, ...]
    sources: tuple[str, ...]
    config: Callable[..., Any]
    engine: Any
    game: Any
    check_deal: Callable[[Any, Any, int], None]
    versions: Mapping[str, int] = field(default_factory=dict)
    recorder: Callable[..., Any] | None = None
    record: Callable[..., dict[str, Any]] | None = None
    read_deal: Callable[..., Any] | None = None
    replay: Callable[..., Any] | None = None
    positions: Callable[..., Any] | None = None
    replayed: Start | None = None
    lines: Lines = _no_lines
    verify: Callable[..., Any] | None = None
    move_columns: Callable[[dict[str, Any]], list[dict[str, Any]]] | None = None
    infos: GameInfos = field(default_factory=GameInfos)
    counted: slice = field(default_factory=lambda: slice(None))
    sealed: tuple[str, ...] = ()
    hidden: Callable[[Any], NDArray[np.uint8]] | None = None
    hidden_features: Callable[[Any], FeatureTable] = _no_features
    parts: GameParts = field(default_factory=GameParts)
    slow_batch: int = 1

    def part(self, name: str) -> Any:
        """Returns a part of the game, imported where it is needed; None if the game has none.

        Args:
            name: an attribute of `GameParts` apart from `agents`.

        Raises:
            OptionError: there is nothing at the part's place.
        """
        return load_part(getattr(self.parts, name))

    def any_config(self, **arguments: Any) -> Any:
        """Returns a configuration for what does not depend on the number of players.

        Args:
            arguments: the others of `config`.

        Raises: what `config` raises.
        """
        return self.config(num_players=self.players[0], **arguments)

    def written_config(self, rules: Mapping[str, Any], **arguments: Any) -> Any:
        """Returns the configuration that a file holds, which an earlier version may have written.

        Args:
            rules: the options by name, all that its version had.
            arguments: the others of `config`.

        Raises: what `config` raises.
        """
        options: type[RuleOptions] | None = getattr(self.config, "OPTIONS", None)
        rules = rules if options is None else options.completed(rules)
        return self.config(rules=rules, **arguments)

    def turns(self, game: Any) -> Iterator[Any]:
        """Yields a game at the turn of each seat that may decide now, in the order of the moves.

        That is the game itself, and where its decision is sealed, copies for the seats after. A
        sealed decision changes nothing that they see or may do, so any legal one stands for it.

        Args:
            game: one game that is not over; it stays as it is.
        """
        yield game
        seats, now = {game.seat}, (game.kind, game.round)
        while self.kinds[game.kind] in self.sealed:
            game = game.copy()
            game.play(int(game.mask().argmax()))
            if (game.kind, game.round) != now or game.seat in seats:
                return
            seats.add(game.seat)
            yield game

    def frames(
        self,
        record: Record,
        edition: Any = None,
        viewer: Viewer = "spectator",
        names: Sequence[str] = (),
    ) -> Iterator[Frame]:
        """Yields the positions of a recorded game, the deal first, and verifies the record.

        Args:
            record: a record of the game.
            edition: the edition; None for that of the record.
            viewer: a seat, "public" or "spectator".
            names: the players' names; by default those of the record's agents.

        Yields:
            M + 1 frames for M moves.

        Raises:
            RecordError: something is missing, unknown or different; the frames before it have been
                yielded.
            EditionError: the edition cannot be found or has faults.
            OptionError: there is no such viewer, or the number of names is wrong.
        """
        assert self.replayed is not None
        return record_frames(self.replayed, self.lines, record, edition, viewer, names)
