"""What a data set is made of, and the units in which it is played.

A unit is what one worker plays and one shard holds. Its games depend on its fields alone:

| random | depends on |
|---|---|
| the deal | the data set's seed and the number of the deal |
| who sits where, with independent deals | the seed and the number of the game |
| an agent's choices | the seed and the unit's first game |
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.games import game_spec
from gonzaga_env.tabletop.agent import agent_name
from gonzaga_env.tabletop.arguments import is_integer
from gonzaga_env.tabletop.errors import OptionError
from gonzaga_env.tabletop.spec import Engine
from gonzaga_env.version import __version__

from ..evaluation.evaluate import distinct_names
from ..evaluation.game import describe_game
from ..units.entrants import Entrant
from ..units.games import (
    CHOICES,
    SEATS,
    Step,
    cached_agent,
    choices_of,
    deal_seed,
    play_games,
    rotations,
    stream,
)
from ..units.play import Report, nothing
from .games import DatasetError, ShardGames

FORMAT = 1
"""Version of the files' layout, and of what a seed means."""
UNIT_GAMES = 240
"""Games of a unit; 2 to 6 divide it. Not an option, since it affects what a seed means."""
MOST_GAMES = 10**8
Deals = Literal["rotated", "independent"]


@dataclass(frozen=True)
class Recipe:
    """Everything that decides the games of a data set.

    Attributes:
        config: what is played.
        entrants: the agents; the last one fills the remaining seats.
        num_games: games in all.
        deals: "rotated" plays every deal once per player, with every agent on every hand;
            "independent" plays it once, with seats drawn.
        seed: decides deals, seats and choices.
    """

    config: Any
    entrants: tuple[Entrant, ...]
    num_games: int
    deals: Deals
    seed: int

    def __post_init__(self) -> None:
        players = self.config.num_players
        if not 1 <= len(self.entrants) <= players:
            raise OptionError(f"{len(self.entrants)} agents are named for {players} players")
        if self.deals not in get_args(Deals):
            raise OptionError(f"deals is {self.deals!r}; it takes rotated or independent")
        for name, value, least in (("games", self.num_games, 1), ("seed", self.seed, 0)):
            if not is_integer(value) or value < least:
                raise OptionError(f"{name} is {value!r}; it takes an integer of {least} or more")
        if self.num_games > MOST_GAMES:
            raise OptionError(f"games is {self.num_games}; it takes {MOST_GAMES:,} or less")
        if self.config.actions.size > 2**16:
            raise OptionError(f"{self.config.actions.size:,} actions; data sets take 65,536")
        if self.deals == "rotated" and self.num_games % players:
            whole = -(-self.num_games // players) * players
            raise OptionError(
                f"games is {self.num_games}; with rotated deals it takes a multiple of {players}, "
                f"such as {whole}"
            )

    @property
    def lineup(self) -> list[int]:
        """Index of the agent on each seat in rotation 0, [P]."""
        return [min(seat, len(self.entrants) - 1) for seat in range(self.config.num_players)]

    @cached_property
    def digest(self) -> str:
        """16 hexadecimal digits of all that decides its games, which identify the data set."""
        text = json.dumps(self.as_dict(), sort_keys=True, ensure_ascii=False)
        return sha256(text.encode()).hexdigest()[:16]

    def as_dict(self) -> dict[str, Any]:
        """Returns the recipe as plain data."""
        game = {"game": self.config.game, "players": self.config.num_players}
        return {
            "dataset": FORMAT,
            **game,
            **describe_game(self.config),
            "agents": [entrant.key for entrant in self.entrants],
            "deals": self.deals,
            "seed": self.seed,
            "games": self.num_games,
            "versions": {"gonzaga_env": __version__, **game_spec(self.config.game).versions},
        }

    def names(self) -> list[str]:
        """Returns the agents' names, after building each of them.

        Raises:
            AgentError: an agent cannot be built.
            CheckpointError: a checkpoint does not fit the game.
        """
        agents = [cached_agent(entrant, self.config) for entrant in self.entrants]
        specs = [entrant.spec for entrant in self.entrants]
        return distinct_names([agent_name(agent) for agent in agents], specs)

    def units(self) -> list[Unit]:
        """Returns the units, in the order of their games."""
        starts = range(0, self.num_games, UNIT_GAMES)
        return [Unit(self, first, min(UNIT_GAMES, self.num_games - first)) for first in starts]


@dataclass(frozen=True)
class Unit:
    """Consecutive games of a data set (see `units.play.Unit`)."""

    recipe: Recipe  # the data set
    first: int  # the number of the first game
    num_games: int  # how many there are

    @property
    def index(self) -> int:
        """The number of the unit, from 0."""
        return self.first // UNIT_GAMES

    def deals(self) -> list[int]:
        """Returns the number of each game's deal, [G]."""
        rotations_of_each = rotations_per_deal(self.recipe.as_dict())
        return [game // rotations_of_each for game in range(self.first, self.first + len(self))]

    def __len__(self) -> int:
        return self.num_games

    def seating(self) -> NDArray[np.uint8]:
        """Returns the index of the agent on each seat of each game, [G, P]."""
        recipe, lineup = self.recipe, self.recipe.lineup
        games = range(self.first, self.first + len(self))
        if recipe.deals == "rotated":
            turned = rotations(lineup)
            return np.stack([turned[game % len(lineup)] for game in games]).astype(np.uint8)
        drawn = [np.random.default_rng(stream(recipe.seed, SEATS, game)) for game in games]
        return np.stack([rng.permutation(lineup) for rng in drawn]).astype(np.uint8)

    def play(self, on_progress: Report = nothing) -> bytes:
        """Plays the unit and returns the content of its shard.

        Raises:
            AgentError: an agent cannot be built, has changed, or plays an invalid action.
            DatasetError: a game has more decisions or points than a data set holds.
        """
        recipe, seating = self.recipe, self.seating()
        agents = [cached_agent(entrant, recipe.config) for entrant in recipe.entrants]
        seeds = np.array([deal_seed(recipe.seed, deal) for deal in self.deals()], np.uint64)
        played: list[NDArray[np.int64]] = []

        def watch(engine: Engine) -> Step:
            def step(actions: NDArray[np.int64]) -> None:
                over = engine.seats < 0
                engine.step(actions)
                played.append(np.where(over, -1, actions))

            return step

        choices = choices_of(stream(recipe.seed, CHOICES, self.first))
        given, names = (recipe.config, agents, seating, seeds, choices), recipe.names()
        engine = play_games(*given, on_progress, names=names, watch=watch)
        by_game = np.stack(played, axis=1)  # [G, T]
        lengths, totals = (by_game >= 0).sum(axis=1), np.asarray(engine.totals)
        _check_fits("decisions", lengths)
        _check_fits("points", totals)
        return ShardGames(
            dataset=recipe.digest,
            first=self.first,
            seeds=seeds,
            seating=seating,
            totals=totals.astype(np.int16),
            won=engine.winners(),
            lengths=lengths.astype(np.uint16),
            actions=by_game[by_game >= 0].astype(np.uint16),
        ).to_bytes()


def rotations_per_deal(described: Mapping[str, Any]) -> int:
    """Returns how often a data set plays each deal, from `Recipe.as_dict`."""
    return int(described["players"]) if described["deals"] == "rotated" else 1


def _check_fits(what: str, values: NDArray[Any]) -> None:
    """Raises DatasetError for numbers that the columns "step" and "scores" do not hold."""
    most = np.iinfo(np.int16).max
    if (found := int(np.abs(values).max())) > most:
        raise DatasetError(f"a game has {found:,} {what}; data sets take {most:,} or less")


def recipe_of(
    config: Any, entrants: Sequence[Entrant], num_games: int, deals: Deals | None, seed: int
) -> Recipe:
    """Returns a recipe; without `deals`, those of several agents are rotated.

    One agent alone sits everywhere, so that rotations of a deal would only repeat it.

    Raises:
        OptionError: an argument has a value that it does not take.
    """
    usual: Deals = "independent" if len(entrants) == 1 else "rotated"
    return Recipe(config, tuple(entrants), num_games, usual if deals is None else deals, seed)
