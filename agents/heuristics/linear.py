"""The agent "linear": weighs facts of choices with weights that self-play has found.

| file | content |
|---|---|
| policies/gonzaga/linear_4.json | the weights of each fact, by its name, and a critic's |

A run's folder has such a file too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TypeGuard

import numpy as np

from gonzaga_env.games import game_entry, game_spec, named_game
from gonzaga_env.kernel.agent import AgentError, Considered
from gonzaga_env.kernel.arguments import is_integer
from gonzaga_env.kernel.bounded import (
    JSON_BYTES,
    Json,
    file_errors,
    parse_json,
    read_file,
)
from gonzaga_env.kernel.messages import short_repr
from gonzaga_env.kernel.spec import Config, Engine
from gonzaga_env.kernel.writing import write_aside

from ..agent import HeuristicAgent
from ..arrays import Floats, Indices, Masks, Observations, best_of_each
from .facts import Critic, FactReader, LinearPolicy
from .gonzaga_facts import GonzagaFacts
from .signorie_facts import SignorieFacts
from .tuscany_facts import TuscanyFacts

NAME = "linear"
FORMAT = 2
READERS: dict[str, type[FactReader]] = {
    "gonzaga": GonzagaFacts,
    "tuscany": TuscanyFacts,
    "signorie": SignorieFacts,
}
"""What reads the facts of each game."""
_FOLDER = Path(__file__).parents[1] / "policies"
_MOST = 1e6  # of a weight, in points
LEAST_TEMPERATURE = 1e-3  # of what is read and written, in points


class LinearAgent(HeuristicAgent):
    """Plays what scores highest; ties are broken at random."""

    name, unit = NAME, "points"

    def __init__(
        self,
        config: Config | None = None,
        policy: LinearPolicy | None = None,
        folder: Path | None = None,
    ) -> None:
        """Takes what is played, by default Gonzaga with four players on "europe".

        Args:
            config: what is played.
            policy: what facts are worth; by default what a file says.
            folder: of the file; by default that of the shipped ones.

        Raises:
            AgentError: the game has no facts, or there is no such file, or it is broken.
        """
        config = config or game_spec().config()
        super().__init__(config)
        self.reader = fact_reader(config)
        self.policy = read_linear(config, folder) if policy is None else policy
        if folder is not None:
            about = describe_linear(linear_path(folder, config.num_players))
            made_for = about.get("edition_digest", config.edition.digest)
            other = "" if made_for == config.edition.digest else " (made for another edition)"
            self.name = f"{NAME}:{folder.resolve().name}{other}"

    @np.errstate(under="ignore")  # of chances
    def act_in(
        self, engine: Engine, games: Indices, seats: Indices, rng: np.random.Generator
    ) -> Indices:
        """Returns a legal action for each decision, [M] (see `EngineAgent.act_in`)."""
        actions = np.empty(len(games), dtype=np.int64)
        for choices in self.reader.read_engine(engine, games, seats, self.policy):
            scores, number = choices.scores(self.policy), len(choices.decisions)
            best = best_of_each(scores, choices.rows, number)
            actions[choices.decisions] = choices.actions[best]
        return actions

    @np.errstate(under="ignore")
    def score(
        self, observations: Observations, masks: Masks, rng: np.random.Generator
    ) -> tuple[Indices, Indices, Floats]:
        """Returns row, action and score of the actions that it considers, [L], sorted by row."""
        found = self.reader.read(observations, masks, self.policy, rng)
        rows = np.concatenate([choices.decisions[choices.rows] for choices in found])
        actions = np.concatenate([choices.actions for choices in found])
        scores = np.concatenate([choices.scores(self.policy) for choices in found])
        order = np.lexsort((actions, rows))
        return rows[order], actions[order], scores[order]

    def _consider(
        self, observation: Observations, mask: Masks, rng: np.random.Generator
    ) -> Considered:
        _, actions, scores = self.score(observation[None], mask[None], rng)
        by_action, considered = np.zeros(len(mask)), np.zeros_like(mask)
        by_action[actions], considered[actions] = scores, True
        return Considered.ranked(considered, by_action, self.unit)


def fact_reader(config: Config) -> FactReader:
    """Returns what reads the facts of a game.

    Raises:
        AgentError: the game has none.
    """
    if config.game not in READERS:
        raise AgentError(
            f"{game_spec(config.game).title} has no agent {NAME!r}: no facts are known"
        )
    return READERS[config.game](config)


def linear_path(folder: Path, num_players: int) -> Path:
    """Returns where the weights for a number of players lie."""
    return folder / f"{NAME}_{num_players}.json"


def linear_players(folder: Path) -> list[int]:
    """Returns the numbers of players that a folder has weights for, ascending."""
    found = (re.fullmatch(rf"{NAME}_(\d)\.json", path.name) for path in folder.glob("*.json"))
    return sorted(int(match[1]) for match in found if match)


def write_linear(
    folder: Path, config: Config, policy: LinearPolicy, critic: Critic, about: Mapping[str, Json]
) -> Path:
    """Writes weights, and how they were found, and returns the path.

    Raises:
        OSError: the folder is not writable.
    """
    reader, path = READERS[config.game], linear_path(folder, config.num_players)
    rows = zip(reader.NAMES, policy.weights.tolist(), strict=True)
    weights = {name: [*map(_short, row)] for name, row in rows}
    content = {
        "format": FORMAT,
        **game_entry(config.game),
        "num_players": config.num_players,
        "edition_digest": config.edition.digest,
        **about,
        "temperature": _short(policy.temperature),
        "bases": [*reader.BASES],
    }
    judge = {
        "sharpness": [*map(_short, critic.sharpness.tolist())],
        "weights": [*map(_short, critic.weights.tolist())],
    }
    lines = ",\n".join(f"  {json.dumps(name)}: {row}" for name, row in weights.items())
    head = json.dumps(content, indent=1)[:-2]
    weights_lines = f' "critic": {json.dumps(judge)},\n "weights": {{\n{lines}\n }}'
    write_aside(path, f"{head},\n{weights_lines}\n}}\n".encode())
    return path


def _short(number: float) -> float:
    return float(f"{number:.5g}")


def read_linear(config: Config, folder: Path | None = None) -> LinearPolicy:
    """Returns the weights of a file, by default of the one that ships.

    Raises:
        AgentError: there is none for this number of players, or it is broken, or of another game.
    """
    path = linear_path(folder or _FOLDER / config.game, config.num_players)
    content = describe_linear(path)
    with file_errors(path, AgentError):
        return _parse(content, config)


def read_critic(config: Config, folder: Path | None = None) -> Critic:
    """Returns what a file says of positions, by default the one that ships.

    Raises:
        AgentError: as `read_linear`.
    """
    path = linear_path(folder or _FOLDER / config.game, config.num_players)
    content = describe_linear(path)
    with file_errors(path, AgentError):
        _parse(content, config)
        return _parse_critic(content, config)


def describe_linear(path: Path) -> dict[str, Json]:
    """Returns what a file says; what it says of weights is not checked.

    Raises:
        AgentError: it cannot be read, or is no such file.
    """
    with file_errors(path, AgentError):
        content = parse_json(read_file(path, JSON_BYTES))
        if not isinstance(content, dict) or content.get("format") != FORMAT:
            raise ValueError(f"is not a file of linear weights of format {FORMAT}")
        number, arguments = content.get("num_players"), content.get("arguments")
        if not is_integer(number) or not isinstance(arguments, dict):
            raise ValueError("takes an integer num_players and arguments, an object")
        return content


def _parse(content: dict[str, Json], config: Config) -> LinearPolicy:
    """Returns the weights that a file holds; ValueError says what is wrong."""
    reader, game = READERS[config.game], named_game(content)
    if (game, content.get("num_players")) != (config.game, config.num_players):
        made_for = f"{short_repr(game)} with {short_repr(content.get('num_players'))} players"
        raise ValueError(f"made for {made_for}, not {config.game!r} with {config.num_players}")
    weights, temperature = content.get("weights"), content.get("temperature")
    if not isinstance(weights, dict) or [*weights] != [*reader.NAMES]:
        raise ValueError("is of another version: of other facts")
    if content.get("bases") != [*reader.BASES]:
        raise ValueError("is of another version: of other bases")
    for name, row in weights.items():
        is_row = isinstance(row, list) and len(row) == len(reader.BASES)
        if not is_row or not all(map(_is_number, row)):
            raise ValueError(f"{name!r} takes {len(reader.BASES)} numbers, not {short_repr(row)}")
    if not _is_number(temperature) or temperature < LEAST_TEMPERATURE:
        given = short_repr(temperature)
        raise ValueError(f"temperature is {given}; it takes {LEAST_TEMPERATURE} or more")
    return LinearPolicy(np.array([*weights.values()], np.float32), float(temperature))


def _parse_critic(content: dict[str, Json], config: Config) -> Critic:
    """Returns the critic that a file holds; ValueError says what is wrong."""
    engine = game_spec(config.game).engine.from_config(config)
    reader = fact_reader(config)
    seen, _ = reader.critic_inputs(engine, np.arange(1), reader.no_worth(1))
    critic = content.get("critic")
    lists = critic if isinstance(critic, dict) else {}
    found = []
    for name, size in {"sharpness": 3, "weights": seen.shape[2]}.items():
        numbers = lists.get(name)
        listed = numbers if isinstance(numbers, list) else []
        if len(listed) != size or not all(map(_is_number, listed)):
            given = short_repr(numbers)
            raise ValueError(f"{name} of the critic is {given}; it takes {size} numbers")
        found.append(listed)
    sharpness, weights = (np.array(numbers, np.float32) for numbers in found)
    return Critic(weights, sharpness)


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= _MOST
