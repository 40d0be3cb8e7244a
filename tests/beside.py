"""All games, one after the other; and both engines of a game side by side."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from gonzaga_env import gonzaga, signorie, tuscany
from gonzaga_env.games import game_spec
from gonzaga_env.kernel.errors import IllegalActionError
from gonzaga_env.kernel.result import StepResult

GAMES: dict[str, Any] = {"gonzaga": gonzaga, "tuscany": tuscany, "signorie": signorie}
EVERY_GAME = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


def put(game: Any, state: Any) -> Any:
    """Returns a game in plain Python that goes on from a state, which is not checked."""
    game._begin(game._from_state(state))
    return game


class Beside:
    """An engine, and its games once more in plain Python; whatever is played is compared.

    It answers like the engine, so that a test of the rules runs on both.

    Attributes:
        engine: the engine.
        games: the same games in plain Python.
    """

    def __init__(self, engine: Any) -> None:
        self.engine = engine
        self._follow()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.engine, name)

    def _follow(self) -> None:
        new = game_spec(self.config.game).game.from_config
        self.games = [
            put(new(self.config, reward=self.reward), self.state.take(np.array([row])))
            for row in range(self.num_games)
        ]
        self.compare()

    @property
    def state(self) -> Any:
        return self.engine.state

    @state.setter
    def state(self, state: Any) -> None:
        self.set_state(state)

    def set_state(self, state: Any, *, check: bool = True) -> None:
        self.engine.set_state(state, check=check)
        self._follow()

    def reset(self, *arguments: Any, **options: Any) -> None:
        self.engine.reset(*arguments, **options)
        self._follow()

    def step(self, actions: Any, rows: Any = None) -> StepResult:
        """Plays in both; an illegal action gets the same answer from both."""
        try:
            result = self.engine.step(actions, rows)
        except IllegalActionError as error:
            self._refuse_alone(error)
            raise
        for i, row in enumerate(range(self.num_games) if rows is None else rows):
            assert self.games[row].play(actions[i]) == result.rewards[i].tolist()
            if result.finished[i] and self.autoreset:
                self.games[row].reset()
        self.compare()
        return result

    def _refuse_alone(self, error: IllegalActionError) -> None:
        with pytest.raises(IllegalActionError) as caught:
            self.games[error.game].play(error.action)
        told = str(error).replace(f"game {error.game},", "game 0,", 1)
        assert (str(caught.value), caught.value.rule) == (told, error.rule)

    def compare(self) -> None:
        """Compares all that the two show of their games."""
        engine, games = self.engine, self.games
        states = [game.state for game in games]
        assert type(engine.state).concatenate(states) == engine.state
        assert engine.seats.tolist() == [game.seat for game in games]
        assert engine.kinds.tolist() == [game.kind for game in games]
        assert engine.totals.tolist() == [game.totals for game in games]
        assert engine.winners().tolist() == [game.winners() for game in games]
        masks = engine.legal_action_mask()
        assert np.array_equal(masks, [game.mask() for game in games])
        assert engine.num_legal().tolist() == [game.num_legal() for game in games]
        seat = int(engine.state.round[0]) % engine.num_players
        for asked in (None, seat):
            seen = [game.observation(asked) for game in games]
            assert np.array_equal(engine.observe(asked), seen)

    def play(
        self,
        rng: np.random.Generator,
        num_steps: int = 10**6,
        choose: Callable[[Any, np.random.Generator], Any] | None = None,
    ) -> "Beside":
        """Plays on, by default at random, and at most until all games are over."""
        for _ in range(num_steps):
            if (self.seats < 0).all():
                break
            self.step(choose(self.engine, rng) if choose else self.sample_legal(rng))
        return self
