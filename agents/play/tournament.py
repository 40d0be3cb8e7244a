"""Runs a tournament: plays what is missing, keeps every game, and sums up."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from gonzaga_env.kernel.agent import agent_name
from gonzaga_env.kernel.errors import OptionError
from gonzaga_env.kernel.spec import Config

from .confidence import Decision, decide
from .evaluate import distinct_names
from .games import Entrant, cached_agent
from .jobs import OnProgress, ignore, play_units
from .standings import Standings, standings_of, win_shares
from .tournament_games import Chunk, GameResult, Lineup, Mix, chunks_of, mixes
from .tournament_results import Results, Session, header_of, open_results

GAMES = "games.jsonl"


@dataclass(frozen=True)
class Provenance:
    """Where the games of a table come from."""

    header: dict[str, Any]  # what was played (see `header_of`)
    sessions: tuple[Session, ...]  # when, and with which code; each once
    # games of agents whose files have changed since, by spec; they do not count
    outdated: dict[str, int]


@dataclass(frozen=True)
class Comparison:
    """A sequential test of one lineup."""

    num_players: int  # P
    # the agents and their number of seats; the first one is tested
    seats: tuple[tuple[str, int], ...]
    games: int  # games looked at
    limit: int  # the most deals
    decision: Decision  # what the test found


@dataclass(frozen=True)
class Tournament:
    """What a tournament plays, apart from its length."""

    configs: tuple[Any, ...]  # the games, one for each number of players
    entrants: tuple[Entrant, ...]  # the agents
    seed: int  # decides deals, seats and choices
    out: Path  # the folder of the results
    executor: Executor | None  # where games are played; None plays in this process
    session: Session  # what to note about games that are added
    on_progress: OnProgress = ignore  # is called with the progress
    anchor: int | None = None  # the entrant that is rated 1000 (see `standings_of`)

    def rank(
        self, num_deals: int | Mapping[int, int], num_tables: int | None = None
    ) -> tuple[Provenance, list[Standings]]:
        """Plays every mix of agents, or a sample, and returns the table for each game.

        The table depends on the arguments alone: other games that the file holds do not count.

        Args:
            num_deals: deals of each lineup, or those for each number of players.
            num_tables: the most lineups for each number of players; None plays every mix.

        Raises:
            OptionError: the results file is broken, or of another tournament.
            AgentError: an agent cannot be built, or plays an invalid action.
            CheckpointError: a checkpoint does not fit the game.
        """
        schedules = self._schedules(num_deals, num_tables)
        names = self._build_agents()
        results = self._play([*chain(*schedules)])
        return self._provenance(results), self._standings(schedules, results, names)

    def _schedules(
        self, num_deals: int | Mapping[int, int], num_tables: int | None
    ) -> list[list[Chunk]]:
        """Returns the chunks of each game."""
        return [
            chunks_of(
                config,
                mixes(self.entrants, config.num_players, num_tables),
                _number_for(config, num_deals),
                self.seed,
            )
            for config in self.configs
        ]

    def _standings(
        self, schedules: Sequence[Sequence[Chunk]], results: Results, names: Sequence[str]
    ) -> list[Standings]:
        return [
            standings_of(self.entrants, _games_of(chunks, results), names, self.anchor)
            for chunks in schedules
        ]

    def compare(self, limit: int | Mapping[int, int]) -> tuple[Provenance, list[Comparison]]:
        """Plays the first agent against the others until its win share differs from a fair one.

        The last agent fills the seats that are left.

        Args:
            limit: the most deals, or those for each number of players.

        Raises:
            OptionError: more agents than players, or the results file is broken or of another
                tournament.
            AgentError: an agent cannot be built, or plays an invalid action.
            CheckpointError: a checkpoint does not fit the game.
        """
        seatings = [self._fill(config.num_players) for config in self.configs]
        names = self._build_agents()
        with self._open() as results:
            found = [
                self._compare_in(config, seats, _number_for(config, limit), results, names)
                for config, seats in zip(self.configs, seatings, strict=True)
            ]
        return self._provenance(results), found

    def _compare_in(
        self, config: Config, seats: Mix, limit: int, results: Results, names: Sequence[str]
    ) -> Comparison:
        """Plays one lineup until its test is decided, or the limit."""
        mix = tuple(sorted(seats, key=lambda entrant: entrant.key))
        lineup, key = tuple(entrant.key for entrant in mix), seats[0].key
        chunks = chunks_of(config, [mix], limit, self.seed)
        with closing(self._play_missing(chunks, results)) as playing:
            while not (decision := _decide(results.games, lineup, key, limit)).decided:
                if next(playing, None) is None:
                    break
        seated = zip(self.entrants, names, strict=True)
        return Comparison(
            config.num_players,
            tuple((name, seats.count(entrant)) for entrant, name in seated),
            decision.deals * config.num_players,
            limit,
            decision,
        )

    def _fill(self, num_players: int) -> Mix:
        """Returns the entrants with the last one repeated to P seats."""
        if len(self.entrants) > num_players:
            raise OptionError(
                f"{len(self.entrants)} agents are named for {num_players} players; "
                "--until-decided plays one table"
            )
        return (*self.entrants, *[self.entrants[-1]] * (num_players - len(self.entrants)))

    def _build_agents(self) -> list[str]:
        """Builds every agent for every game, so that mistakes show before anything is played.

        Returns:
            The names of the agents.
        """
        cached_agent.cache_clear()
        made = [[cached_agent(entrant, c) for entrant in self.entrants] for c in self.configs]
        specs = [entrant.spec for entrant in self.entrants]
        return distinct_names([agent_name(agent) for agent in made[0]], specs)

    def _open(self) -> AbstractContextManager[Results]:
        return open_results(self.out / GAMES, header_of(self.configs[0], self.seed))

    def _play(self, chunks: Sequence[Chunk]) -> Results:
        """Plays what is missing of some chunks, and returns all results."""
        with self._open() as results:
            for _ in self._play_missing(chunks, results):
                pass
        return results

    def _play_missing(self, chunks: Sequence[Chunk], results: Results) -> Generator[Chunk]:
        """Plays the chunks that the file lacks games of, adds those, and yields each chunk."""
        known = {game.id for game in results.games}
        missing = [chunk for chunk in chunks if not known.issuperset(chunk.ids())]
        done = sum(c.num_games for c in chunks) - sum(c.num_games for c in missing)
        if missing:
            results.start_session(self.session)
        with closing(play_units(missing, self.executor, self.on_progress, done=done)) as playing:
            for chunk, games in playing:
                results.add([game for game in games if game.id not in known])
                yield chunk

    def _provenance(self, results: Results) -> Provenance:
        specs = {entrant.spec: entrant.key for entrant in self.entrants}
        outdated = dict.fromkeys(specs, 0)
        for game in results.games:
            for spec in {key.rpartition("#")[0] for key in game.agents} & set(specs):
                outdated[spec] += specs[spec] not in game.agents
        return Provenance(
            results.header,
            tuple(dict.fromkeys(results.sessions)),
            {spec: number for spec, number in outdated.items() if number},
        )


def _number_for(config: Config, number: int | Mapping[int, int]) -> int:
    return number if isinstance(number, int) else number[config.num_players]


def _games_of(chunks: Sequence[Chunk], results: Results) -> list[GameResult]:
    """Returns the games of some chunks."""
    wanted = {identity for chunk in chunks for identity in chunk.ids()}
    return [game for game in results.games if game.id in wanted]


def _decide(games: Sequence[GameResult], lineup: Lineup, key: str, limit: int) -> Decision:
    """Returns the result of the deals before the first missing one.

    So the decision does not depend on the order in which chunks end.
    """
    num_players = len(lineup)
    own = sorted((game for game in games if game.lineup == lineup), key=lambda game: game.id)
    whole = 0
    while [game.deal for game in own[whole * num_players :][:num_players]] == [whole] * num_players:
        whole += 1
    shares = win_shares(own[: min(whole, limit) * num_players], key)
    return decide(shares, 1 / num_players)
