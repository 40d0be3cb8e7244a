"""The players of a training run: the learner, its past selves, and other agents."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.kernel.agent import Agent, AgentError, agent_name

from ..registry import make_agent
from .setup import PAST, Setup

LEARNER = -1  # in lineups
MOST_PAST = 8  # past selves kept
_RECENT_GAMES = 400


class Member:
    """An opponent and how the learner fares against it.

    Attributes:
        agent: who plays.
        name: how it is called in logs; all past selves share one.
        born: turns of the learner when it joined.
        shares: the learner's shares of the victory in the most recent games.
    """

    def __init__(self, agent: Agent, name: str, born: int = 0) -> None:
        self.agent, self.name, self.born = agent, name, born
        self.shares: deque[float] = deque(maxlen=_RECENT_GAMES)

    def win_share(self, prior: float) -> float:
        """Returns the learner's mean share of the victory; the prior counts like ten games."""
        return (sum(self.shares) + 10 * prior) / (len(self.shares) + 10)


class League:
    """Draws lineups: games of the learner alone, and games of one learner among others of one kind.

    Past selves are drawn the more often the less the learner wins against them, which keeps
    strength from going in circles (prioritised fictitious self-play, Vinyals et al., 2019).

    Attributes:
        members: the opponents, by the numbers that lineups give them. A past self may take the
            number of another one; games in progress then continue with it.
        num_fixed: the first of them, which are no past selves.
    """

    def __init__(
        self, agents: Sequence[Agent], *, num_players: int, self_play: float, most_past: int
    ) -> None:
        """Takes agents that play in all of the run, and how many past selves are kept.

        They share the games with opponents equally, past selves counting as one.
        """
        self.members = [Member(agent, agent_name(agent)) for agent in agents]
        self.num_fixed, self._most_past = len(agents), most_past
        self._num_players, self._self_play = num_players, self_play

    @property
    def past(self) -> list[Member]:
        """The past selves."""
        return self.members[self.num_fixed :]

    def remember(self, agent: Agent, turns: int) -> None:
        """Adds a past self; the one that the learner beats most often makes room."""
        if not self._most_past:
            return
        member, past = Member(agent, PAST, turns), self.past
        if len(past) < self._most_past:
            self.members.append(member)
            return
        easiest = np.argmax([old.win_share(1 / self._num_players) for old in past])
        self.members[self.num_fixed + int(easiest)] = member

    def draw(self, num_games: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """Returns the player of each seat, [n, P]: numbers of members, or `LEARNER`."""
        shape = num_games, self._num_players
        lineups = np.full(shape, LEARNER)
        if not self.members:
            return lineups
        chances = self._chances()
        drawn = rng.choice(len(chances), size=(num_games, 1), p=chances).repeat(shape[1], axis=1)
        drawn[np.arange(num_games), rng.integers(self._num_players, size=num_games)] = LEARNER
        among = rng.random(num_games) >= self._self_play
        lineups[among] = drawn[among]
        return lineups

    def _chances(self) -> NDArray[np.float64]:
        """Returns how likely each member is as the opponent of a game."""
        past = self.past
        groups = self.num_fixed + (len(past) > 0)
        fixed = np.full(self.num_fixed, 1 / max(groups, 1))
        if not past:
            return fixed
        hard = np.array([(1 - member.win_share(1 / self._num_players)) ** 2 for member in past])
        return np.concatenate([fixed, hard / hard.sum() / groups])


def new_league(setup: Setup) -> League:
    """Returns the opponents of a run at its start.

    Raises:
        GameError: one does not exist, or does not fit the game.
    """
    config, specs = setup.config, setup.opponents
    try:
        agents = [make_agent(spec, config) for spec in specs if spec != PAST]
    except AgentError as error:
        raise AgentError(f"{error} (--opponents also takes {PAST})") from error
    return League(
        agents,
        num_players=config.num_players,
        self_play=setup.self_play,
        most_past=MOST_PAST if PAST in specs else 0,
    )
