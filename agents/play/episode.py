"""One game for models that play by text: messages to seats, and rewards.

It imports no library of models; `gonzaga mcp` and the scripts of examples/language adapt it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.games import game_spec
from gonzaga_env.kernel.arguments import as_actions
from gonzaga_env.kernel.errors import ActionError, OptionError
from gonzaga_env.kernel.records import Record
from gonzaga_env.kernel.result import outcome
from gonzaga_env.text import action_text, parse_action, rules_text, view_text
from gonzaga_env.text.views import TASK

from ..registry import make_agent
from ..search.agent import SearchAgent, compare_played

WEIGHTS = {"result": 1.0, "legality": 0.1, "regret": -1.0}
"""The weight of each reward in their total (see `Episode.rewards`)."""


class Episode:
    """One game, some of whose seats are played by text and the others by agents, who act at once.

    A seat reads what it may know as text, and answers with a text that names an action. An answer
    that names no legal action is refused with the reason; after `tries` refused answers to one
    decision the seat has given up, which ends the game.

    Example:
        episode = Episode("tuscany", [None, "planner"])
        while not episode.over:
            refused = episode.act(model(episode.prompt, episode.message(episode.seat)))
        episode.rewards(0)

    Attributes:
        config: what is played.
    """

    def __init__(
        self,
        game: str,
        players: Sequence[str | None],
        *,
        edition: str | None = None,
        seed: int = 0,
        choices: bool = True,
        tries: int | None = 3,
        judge: str | None = None,
    ) -> None:
        """Deals a game, and lets agents play until a seat that is played by text is to act.

        Args:
            game: its name.
            players: who plays each seat, [P]: an agent as `make_agent` takes it; None for text.
            edition: the edition; None for the game's usual one.
            seed: decides the deal, what is turned up later, and what agents draw.
            choices: whether legal actions are listed; else the rules have to be known.
            tries: answers to one decision, 1 or more; None for any number.
            judge: the search that says what each decision lost, such as "search@64"; None for
                none, since it takes time.

        Raises:
            GameError: an argument has a value that it does not take.
        """
        spec = game_spec(game)
        if (
            len(players) not in spec.players
            or None not in players
            or (tries is not None and tries < 1)
        ):
            some = f"{min(spec.players)} to {max(spec.players)}"
            raise OptionError(f"{spec.title} takes {some} players, one by text, and tries above 0")
        named = {} if edition is None else {"edition": edition}
        self.config = spec.config(num_players=len(players), **named)
        made = {seat: make_agent(who, self.config) for seat, who in enumerate(players) if who}
        self._agents, self._choices, self._most = made, choices, tries
        self._judge = None if judge is None else make_agent(judge, self.config)
        if not isinstance(self._judge, SearchAgent | None):
            raise OptionError(f"judge is {judge!r}; it takes a search, such as search@64")
        self._game = spec.game.from_config(self.config, seed)
        self._seed, self._names = seed, [who or f"player {i}" for i, who in enumerate(players)]
        self._actions: list[int] = []  # of all seats
        self._rng, self._judging = np.random.default_rng([seed, 0]), [seed, 1]
        self._refused, self._tried = "", 0  # answers to the decision that is asked for now
        self._answers, self._legal = Counter[int](), Counter[int]()  # by seat
        self._decided: list[tuple[int, NDArray[np.uint8], NDArray[np.bool_], int]] = []
        self._let_agents_play()

    @property
    def prompt(self) -> str:
        """The task and the rules, which are the same for all seats and positions."""
        return f"{TASK}\n\n{rules_text(self.config)}"

    @property
    def seat(self) -> int:
        """The seat to act, or that has given up; -1 where the game has ended."""
        return self._game.seat

    @property
    def over(self) -> bool:
        """Whether the episode has ended: the game is finished, or a seat has given up."""
        return self._game.finished or (self._most is not None and self._tried >= self._most)

    @property
    def move(self) -> int:
        """The number of the move that is to be played, from 1, agents' moves included."""
        return len(self._actions) + 1

    def message(self, seat: int) -> str:
        """Returns the text for a seat: why its answer was refused, if it was, and the position."""
        is_refused = self._refused and seat == self.seat
        return f"That is refused: {self._refused}\n" * bool(is_refused) + self.position(seat)

    def position(self, seat: int) -> str:
        """Returns the position as a seat may know it by the rules, and its choices."""
        view = view_text(self._game.view(seat), self.config.edition)
        lines = [f"You are player {seat}.", view]
        if self.over:
            lines.append("The game is over.")
        elif seat == self.seat and self._choices:
            actions = np.flatnonzero(self._game.mask())
            lines += ["Legal actions:", *(action_text(self._game, one) for one in actions.tolist())]
        return "\n".join(lines)

    def act(self, text: str) -> str | None:
        """Plays the action that a text names for the seat to act, and lets the agents answer.

        Returns:
            Why the text is refused; None if it is not.

        Raises:
            OptionError: nobody is to act.
        """
        if self.over:
            raise OptionError("the game is over; nobody is to act")
        game, seat = self._game, self.seat
        self._answers[seat] += 1
        try:
            action = parse_action(game, text)
        except ActionError as error:
            self._refused, self._tried = str(error), self._tried + 1
            return self._refused
        self._legal[seat] += 1
        if self._judge is not None and game.num_legal() > 1:
            mask = game.mask().view(np.bool_)
            self._decided.append((seat, game.observation(), mask, action))
        self._play(action)
        self._refused, self._tried = "", 0
        self._let_agents_play()
        return None

    def _let_agents_play(self) -> None:
        """Lets agents play until a seat that is played by text is to act."""
        game, one = self._game, np.zeros(1, np.int64)
        while (agent := self._agents.get(game.seat)) is not None:
            mask = game.mask().view(np.bool_)
            found = agent.act(game.observation()[None], mask[None], self._rng)
            self._play(int(as_actions(found, one, one > 0, len(mask))[0]))

    def _play(self, action: int) -> None:
        self._game.play(action)
        self._actions.append(action)

    def record(self) -> Record:
        """Returns the record of the game.

        Raises:
            OptionError: it is not over.
        """
        spec = game_spec(self.config.game)
        if not self._game.finished:
            raise OptionError("the game is not over; its record would tell what is hidden")
        return spec.records.record(self.config, self._seed, self._names, self._actions)

    def results(self) -> list[float]:
        """Returns each seat's result, [P]; they add up to 0.

        The only winner has 1, and the others of P players -1 / (P - 1); winners of a tie share
        equally what one of them would have. Where the game has not ended, the seat to act has left
        it: its result is -1, below that of a loss with three or four players, and that of the
        others 1 / (P - 1).
        """
        game = self._game
        if game.finished:
            return outcome(np.array([game.winners()]))[0].tolist()
        others = 1 / (game.num_players - 1)
        return [-1.0 if seat == game.seat else others for seat in range(game.num_players)]

    def rewards(self, seat: int) -> dict[str, float]:
        """Returns a seat's rewards, whose weights in their `total` are `WEIGHTS`.

        "result" is that of `results`; "legality" the share of its answers that named a legal
        action; and "regret", where there is a judge, the mean share of the victory that it lost by
        a decision with several legal actions, as the search finds from what the seat knew. Noise
        may bring a regret slightly below 0.
        """
        asked = self._answers[seat]
        found = {"result": self.results()[seat], "legality": self._legal[seat] / max(asked, 1)}
        if isinstance(self._judge, SearchAgent):
            own, losses = [one[1:] for one in self._decided if one[0] == seat], [0.0]
            if own:
                seen, masks, played = (np.array(each) for each in zip(*own, strict=True))
                rng = np.random.default_rng(self._judging)
                judged = compare_played(self._judge, seen, masks, played[:, None], rng)
                losses = [one.loss for (one,) in judged]
            found["regret"] = float(np.mean(losses))
        return found


def total(rewards: dict[str, float]) -> float:
    return sum(WEIGHTS[name] * value for name, value in rewards.items())
