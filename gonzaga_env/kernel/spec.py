"""The declaration of a game: engines, records, infos, and what a game of another package brings.

Environments, agents, training, tournaments and the table take a `GameSpec` and know no game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.kernel.arguments import Indices
from gonzaga_env.kernel.batch import AnyEngine
from gonzaga_env.kernel.bounded import Json
from gonzaga_env.kernel.config import BaseConfig
from gonzaga_env.kernel.editions import EditionSource
from gonzaga_env.kernel.records import GameRecords, Record
from gonzaga_env.kernel.result import win_shares
from gonzaga_env.kernel.single import AnyGame
from gonzaga_env.kernel.spaces import FeatureTable
from gonzaga_env.kernel.state import DealArrays, StateArrays
from gonzaga_env.kernel.view import Frame, Lines, Viewer, distinct_names

Config = BaseConfig  # what is played, of any game
Engine = AnyEngine  # N games on arrays, of any game


Info = dict[str, Any]  # of numpy's types, with a dtype, which TorchRL asks for
Infos = dict[str, NDArray[Any]]


class GameInfos:
    """The infos of a game: score, points by source, share of the victory and round.

    A game that has more to say overrides `of_seat` and `of_rows`, and the others for speed.
    """

    def of_seat(self, game: AnyGame, seat: int) -> Info:
        """Returns the info of one seat of one game."""
        won = win_shares(np.array(game.winners()))[seat] if game.finished else 0.0
        return {
            "score": np.int64(game.totals[seat]),
            "scores": np.array(game.scores[seat], dtype=np.int16),
            "won": np.float64(won),
            "round": np.int64(game.round),
        }

    def of_seats(self, games: Sequence[AnyGame], seats: Sequence[int]) -> Infos:
        """Returns the infos of one seat per single game, arrays [M, ...] by name."""
        infos = [self.of_seat(game, seat) for game, seat in zip(games, seats, strict=True)]
        return {name: np.array([info[name] for info in infos]) for name in infos[0]}

    def of_rows(self, engine: AnyEngine, seats: Indices, rows: Indices | None = None) -> Infos:
        """Returns the infos of one seat [M] per row of an engine, arrays [M, ...] by name."""
        games = slice(None) if rows is None else rows
        every, won = np.arange(len(seats)), np.zeros(len(seats))
        over = engine.state.finished[games]
        if over.any():
            won[over] = win_shares(engine.winners()[games])[every, seats][over]
        return {
            "score": engine.totals[games][every, seats].astype(np.int64),
            "scores": engine.scores[games][every, seats],
            "won": won,
            "round": engine.rounds[games].astype(np.int64),
        }

    def tracker(self) -> Callable[[AnyGame], list[Info]]:
        """Returns a function to call after every step; it returns all seats' infos.

        Unchanged infos may be the same objects; returned ones are never modified.
        """
        if type(self).of_seat is GameInfos.of_seat:
            return _InfoTracker(self)
        return self.of_game  # what the game has more to say may change without the points

    def of_game(self, game: AnyGame) -> list[Info]:
        """Returns the infos of all seats of one game."""
        return [self.of_seat(game, seat) for seat in range(game.num_players)]


class _InfoTracker:
    """Caches the infos of all seats, and recomputes those of seats whose points have changed."""

    def __init__(self, infos: GameInfos) -> None:
        self._make = infos
        self._infos: list[Info] = []
        self._shared: object = None  # what the infos were made of
        self._scores: list[list[int]] = []

    def __call__(self, game: AnyGame) -> list[Info]:
        shared, scores = (game.round, game.finished and game.winners()), game.scores
        if shared != self._shared or scores != self._scores:
            known = self._scores if shared == self._shared else [[]] * len(scores)
            self._infos = [
                self._infos[seat] if own == known[seat] else self._make.of_seat(game, seat)
                for seat, own in enumerate(scores)
            ]
            self._shared, self._scores = shared, [own.copy() for own in scores]
        return self._infos


# Functions with a name: environments are pickled with their spec.


def _no_lines(before: object, after: object) -> tuple[()]:
    return ()


def _no_features(config: Config) -> FeatureTable:
    return FeatureTable(())


@dataclass(frozen=True)
class GameSpec:
    """A game, as everything above the games takes it."""

    title: str  #: as people write it
    #: The engine for N games (an `Engine`), with `from_config(config, num_games, seed, autoreset,
    #: reward)` and `from_state(config, state, ...)`.
    engine: type[Engine]
    game: type[AnyGame]  #: the engine for one game, with the same names in the singular
    records: GameRecords  #: records, replays and verifies games
    #: Returns the lines of a log between the views before and after a move.
    lines: Lines = _no_lines
    #: Takes a record and returns columns for each of its moves, by name. Texts are categories and
    #: are counted, and so are truths; fractions are averaged for each category; integers only
    #: label.
    move_columns: Callable[[Record], list[dict[str, Json]]] | None = None
    #: What the environments' infos say of a seat.
    infos: GameInfos = field(default_factory=GameInfos)
    #: Kinds of decisions that all seats make before anyone knows another's, each once a round.
    sealed: tuple[str, ...] = ()
    #: What no seat observes, of one game, [F] uint8; None for nothing.
    hidden: Callable[[AnyGame], NDArray[np.uint8]] | None = None
    #: `from_observations(config, observations, rng, num_samples=1)` returns states that agree with
    #: observations [M, D] of games that are not over, the inverse of `Engine.observe`, and draws
    #: what is hidden as `Engine.resample` does. Where the rules treat all seats alike, the
    #: observing seat becomes seat 0, and the others follow clockwise. None without an inverse.
    from_observations: Callable[..., StateArrays] | None = None
    #: The layout of `hidden` for a configuration.
    hidden_features: Callable[[Any], FeatureTable] = _no_features
    #: How many times as many games it takes as in the quickest game until random play is faster on
    #: arrays than game by game.
    slow_batch: int = 1
    # A game of another package brings what the rooms above would else find in their own tables.
    # All of it is optional: without pictures it is shown in words, without `table` its actions'
    # texts are played.
    #: What makes each agent from a configuration, by the agent's name, from the weakest to the
    #: strongest; "random" plays every game. "search" also takes a budget and a policy.
    agents: Mapping[str, Callable[..., object]] = field(default_factory=dict)
    pictures: object = None  #: a `gonzaga_env.render.pictures.GamePictures`
    text: object = None  #: its texts for people and programs, a `gonzaga_env.text.GameTexts`
    table: object = None  #: what people read and choose from, a `gonzaga_table.choices.TableSpec`

    @property
    def name(self) -> str:
        """The game's name in "lower_case", as command lines and records have it."""
        return self.config.game

    @property
    def config(self) -> type[Config]:
        """The class of what is played."""
        return self.engine.CONFIG

    @property
    def players(self) -> tuple[int, ...]:
        """The numbers of players."""
        return tuple(self.config.PLAYERS[0])

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of decisions; `Engine.kinds` are indices of them."""
        return self.engine.KINDS

    @property
    def sources(self) -> tuple[str, ...]:
        """The sources of points; the last axis of `Engine.scores`."""
        return self.engine.SOURCES

    @property
    def counted(self) -> slice:
        """The sources of points that add up to `Engine.totals`; others are counted on the way."""
        return self.engine.TOTAL

    @property
    def versions(self) -> Mapping[str, int]:
        """Versions of the actions and the observations; files of another version are refused."""
        return self.engine.VERSIONS

    def check_deal(self, config: Config, deal: DealArrays, num_games: int) -> None:
        """Raises OptionError unless a deal is valid for so many games."""
        self.game.from_config(config).check_deal(deal, num_games)

    def any_config(self, edition: EditionSource | None = None) -> Config:
        """Returns a configuration for what does not depend on the number of players."""
        return self.config(num_players=self.players[0], edition=edition)

    def turns(self, game: AnyGame) -> Iterator[AnyGame]:
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
        edition: EditionSource | None = None,
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
        before = None
        for number, replayed in enumerate(self.records.follow(record, edition)):
            view = replayed.game.view(
                viewer=viewer, names=names or distinct_names(record["agents"])
            )
            yield Frame(number, () if before is None else self.lines(before, view), view)
            before = view
