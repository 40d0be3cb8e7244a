"""Runs a tournament: plays what is missing, keeps every game, and sums up.

The games are kept in JSON lines that are only ever added to:

| line | content |
|---|---|
| the first | what is played: edition, scenario, rules, seed, versions |
| a session | when the following games were played |
| a game | deal, rotation, agents, scores, winners, rounds |

A line that a crash cut short is dropped, and its game is played again. Any other fault is reported
with its line, and the file is left as it is. The agents' names are for display and comparison only:
those who play are named by the caller.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, field, fields
from itertools import chain
from pathlib import Path

from gonzaga_env.games import game_spec, named_game
from gonzaga_env.kernel.agent import agent_name
from gonzaga_env.kernel.arguments import is_integer
from gonzaga_env.kernel.bounded import GAME_POINTS, GAME_ROUNDS, RESULTS_LINE, Json, parse_json
from gonzaga_env.kernel.errors import OptionError
from gonzaga_env.kernel.messages import short_repr
from gonzaga_env.kernel.spec import Config
from gonzaga_env.kernel.writing import remove_leftovers
from gonzaga_env.progress import OnProgress
from gonzaga_env.version import __version__

from ..locks import Log, read_log
from ..statistics import SequentialTest, sequential_test
from .evaluate import distinct_names
from .jobs import ignore, play_jobs
from .runner import MOST_DEALS
from .standings import Comparison, Provenance, Session, Standings, standings_of, win_shares
from .summary import describe_game
from .tournament_games import (
    Entrant,
    GameResult,
    Lineup,
    Table,
    TournamentJob,
    cached_agent,
    jobs_of,
    tables_of,
)

GAMES = "games.jsonl"
FORMAT = 2
"""Version of the file's layout, and of what a seed means."""
_FOREIGN = "not the results of a tournament; take another --out"


@dataclass(frozen=True)
class Tournament:
    """A tournament, apart from its length."""

    configs: tuple[Config, ...]  # the games, one for each number of players
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
        """Plays all tables of agents, or so many of them, and returns the standings for each game.

        Other games that the file holds do not count. Those of a job that was begun with fewer deals
        stay as they were played, so agents that draw may have drawn otherwise than in one go.
        """
        schedules = []
        for config in self.configs:
            tables = tables_of(self.entrants, config.num_players, num_tables)
            schedules.append(jobs_of(config, tables, _number_for(config, num_deals), self.seed))
        names, found = self._build_agents(), list[Standings]()
        with open_results(self.out / GAMES, header_of(self.configs[0], self.seed)) as results:
            for _ in self._play_missing([*chain(*schedules)], results):
                pass
        for jobs in schedules:
            wanted = {identity for job in jobs for identity in job.ids()}
            games = [game for game in results.games if game.id in wanted]
            found.append(standings_of(self.entrants, games, names, self.anchor))
        return self._provenance(results), found

    def compare(self, limit: int | Mapping[int, int]) -> tuple[Provenance, list[Comparison]]:
        """Plays the first agent against the others until its win share differs from a fair one.

        The last agent fills the seats that are left. At most `limit` deals are played.
        """
        fewest, agents = min(config.num_players for config in self.configs), self.entrants
        if len(agents) > fewest:
            raise OptionError(
                f"{len(agents)} agents are named for {fewest} players; "
                "--until-decided plays one table"
            )
        names, found = self._build_agents(), list[Comparison]()
        with open_results(self.out / GAMES, header_of(self.configs[0], self.seed)) as results:
            for config in self.configs:
                seats = (*agents, *[agents[-1]] * (config.num_players - len(agents)))
                comparison = self._compare_in(
                    config, seats, _number_for(config, limit), results, names
                )
                found.append(comparison)
        return self._provenance(results), found

    def _compare_in(
        self, config: Config, seats: Table, limit: int, results: Results, names: Sequence[str]
    ) -> Comparison:
        """Plays one lineup until its test is decided, or the limit."""
        table, key = tuple(sorted(seats, key=lambda entrant: entrant.key)), seats[0].key
        jobs = jobs_of(config, [table], limit, self.seed)
        with closing(self._play_missing(jobs, results)) as playing:
            while not (found := _decide(results.games, jobs[0].lineup, key, limit)).decided:
                if next(playing, None) is None:
                    break
        seated = zip(self.entrants, names, strict=True)
        return Comparison(
            config.num_players,
            tuple((name, seats.count(entrant)) for entrant, name in seated),
            found.deals * config.num_players,
            limit,
            found,
        )

    def _build_agents(self) -> list[str]:
        """Builds every agent for every game, so that mistakes show early; returns their names."""
        cached_agent.cache_clear()
        made = [[cached_agent(entrant, c) for entrant in self.entrants] for c in self.configs]
        specs = [entrant.spec for entrant in self.entrants]
        return distinct_names([agent_name(agent) for agent in made[0]], specs)

    def _play_missing(
        self, jobs: Sequence[TournamentJob], results: Results
    ) -> Generator[TournamentJob]:
        """Plays the jobs that the file lacks games of, adds those, and yields each job."""
        known = {game.id for game in results.games}
        missing = [job for job in jobs if not known.issuperset(job.ids())]
        done = sum(job.num_games for job in jobs) - sum(job.num_games for job in missing)
        if missing:
            results.start_session(self.session)
        with closing(play_jobs(missing, self.executor, self.on_progress, done=done)) as playing:
            for index, games in playing:
                results.add([game for game in games if game.id not in known])
                yield missing[index]

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


def _decide(games: Sequence[GameResult], lineup: Lineup, key: str, limit: int) -> SequentialTest:
    """Tests the deals before the first missing one, in whatever order jobs end."""
    num_players = len(lineup)
    own = sorted((game for game in games if game.lineup == lineup), key=lambda game: game.id)
    whole = 0
    while [game.deal for game in own[whole * num_players :][:num_players]] == [whole] * num_players:
        whole += 1
    shares = win_shares(own[: min(whole, limit) * num_players], key)
    return sequential_test(shares, 1 / num_players)


@dataclass
class Results:
    """The content of a results file; only one process at a time may open it to add games."""

    path: Path  # the file
    header: dict[str, Json]  # what is played
    sessions: list[Session] = field(default_factory=list)  # one for each time that games were added
    games: list[GameResult] = field(default_factory=list)  # all games, in the order of the file
    size: int = 0  # bytes of complete lines when it was read; what followed was cut short
    _log: Log | None = None  # None if it was only read

    def start_session(self, session: Session) -> None:
        self._write([{"session": asdict(session)}])
        self.sessions.append(session)

    def add(self, games: Sequence[GameResult]) -> None:
        self._write([asdict(game) for game in games])
        self.games.extend(games)

    def _write(self, lines: Sequence[dict[str, Json]]) -> None:
        assert self._log is not None
        self._log.write(*(json.dumps(line, ensure_ascii=False) for line in lines))


def header_of(config: Config, seed: int) -> dict[str, Json]:
    return {
        "tournament": FORMAT,
        **describe_game(config),
        "seed": seed,
        "versions": {"gonzaga_env": __version__, **game_spec(config.game).versions},
    }


def read_results(path: Path, header: dict[str, Json]) -> Results:
    """Returns what a results file holds; nothing if it does not exist or has no complete line.

    Raises OptionError if it is broken, or of another tournament than the header says.
    """
    lines, cut_short = read_log(path, OptionError)
    if not lines and not json.dumps(header, ensure_ascii=False).encode().startswith(cut_short):
        raise OptionError(f"{path}, line 1: {_FOREIGN}")
    players = game_spec(named_game(header)).players
    results = Results(path, header, size=sum(len(line) + 1 for line in lines))
    seen: dict[object, int] = {}
    for number, line in enumerate(lines, start=1):
        try:
            parsed = _parse(line)
            if number == 1:
                _check_header(parsed, header)
            elif "session" in parsed:
                results.sessions.append(_session(parsed["session"]))
            else:
                game = _game(parsed, players)
                if seen.setdefault(game.id, number) != number:
                    raise ValueError(f"the same game as in line {seen[game.id]}")
                results.games.append(game)
        except ValueError as error:
            raise OptionError(f"{path}, line {number}: {error}") from error
    return results


def read_seed(path: Path) -> int | None:
    """Returns the seed of a results file; None if it has none, which `read_results` explains."""
    if not path.is_file():  # a pipe would wait for a writer
        return None
    try:
        with path.open("rb") as file:
            seed = _parse(file.readline(RESULTS_LINE)).get("seed")
    except (OSError, ValueError):
        return None
    return int(seed) if is_integer(seed) and seed >= 0 else None


def _parse(line: bytes) -> dict[str, Json]:
    if len(line) > RESULTS_LINE:
        raise ValueError(f"longer than {RESULTS_LINE:,} bytes")
    parsed = parse_json(line)
    if not isinstance(parsed, dict):
        raise ValueError("not a JSON object")
    return parsed


def _check_header(found: dict[str, Json], wanted: dict[str, Json]) -> None:
    """Raises ValueError, which names the first difference."""
    if "tournament" not in found:
        raise ValueError(_FOREIGN)
    for name, want in wanted.items():
        have = found.get(name)
        parts = [(name, have, want)]
        if isinstance(want, dict) and isinstance(have, dict):
            parts = [(key, have.get(key), value) for key, value in want.items()]
        for part, was, wished in parts:
            if was != wished:
                raise ValueError(
                    f"was made for {part.replace('_', ' ')} {short_repr(was)}, not "
                    f"{short_repr(wished)}; take another --out"
                )


def _fields(parsed: Json, kind: type) -> dict[str, Json]:
    """Returns a line's fields; ValueError names those that are missing or unknown."""
    names = [f.name for f in fields(kind)]
    if not isinstance(parsed, dict) or set(parsed) != set(names):
        what = "session" if kind is Session else "game"
        raise ValueError(f"a {what} has the fields {', '.join(names)}")
    return parsed


def _session(parsed: Json) -> Session:
    session = Session(**_fields(parsed, Session))
    if not isinstance(session.date, str) or not session.date.isprintable():
        raise ValueError(f"date is {short_repr(session.date)}; it takes a text of one line")
    return session


def _game(parsed: dict[str, Json], possible: Sequence[int]) -> GameResult:
    values = _fields(parsed, GameResult)
    agents, scores, winners = values["agents"], values["scores"], values["winners"]
    players = len(agents) if isinstance(agents, list) else 0
    if players not in possible or not all(isinstance(agent, str) for agent in agents):
        raise ValueError(f"agents takes {min(possible)} to {max(possible)} names")
    if not _integers(scores) or len(scores) != players or max(map(abs, scores)) > GAME_POINTS:
        raise ValueError(f"scores takes an integer up to {GAME_POINTS:,} for each agent")
    best = [seat for seat in range(players) if scores[seat] == max(scores)]
    if not _integers(winners) or not winners or not set(winners) <= set(best):
        raise ValueError(f"winners takes seats of {best}, which have the highest score")
    if len({*winners}) < len(winners):
        raise ValueError(f"winners names a seat twice: {short_repr(winners)}")
    for name, limit in (("deal", MOST_DEALS), ("rotation", players), ("rounds", GAME_ROUNDS)):
        value = values[name]
        if not is_integer(value) or not 0 <= value < limit:
            raise ValueError(f"{name} is {short_repr(value)}")
    lists = {"agents": tuple(agents), "scores": tuple(scores), "winners": tuple(winners)}
    return GameResult(**(values | lists))


def _integers(values: Json) -> bool:
    return isinstance(values, list) and all(is_integer(value) for value in values)


@contextmanager
def open_results(path: Path, header: dict[str, Json]) -> Iterator[Results]:
    """Opens a results file to add games, and makes it if there is none; drops a line cut short.

    Raises OptionError if it is broken (and leaves it as it is), of another tournament, cannot be
    written, or if another tournament writes to it.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OptionError(f"{path}: can't be written: {error.strerror}") from error
    with Log(path, "tournament") as log:
        results = read_results(path, header)
        remove_leftovers(path.parent, "standings.*")
        log.keep(results.size)
        results._log = log
        if not results.size:
            results._write([header])
        yield results
