"""Twins: games that a seat cannot tell apart, each with a history that could have happened."""

from dataclasses import dataclass

import numpy as np

from gonzaga_env.core import Engine, Game, GameConfig
from gonzaga_env.core.state import PLAN, Deal


@dataclass(frozen=True)
class History:
    """A deal and the actions played from it."""

    config: GameConfig
    deal: Deal
    actions: tuple[int, ...]

    def game(self, num_actions: int | None = None) -> Game:
        """Returns the game in plain Python, up to an action."""
        game = Game.from_config(self.config, 0)
        game.reset(0, self.deal)
        for action in self.actions[:num_actions]:
            game.play(action)
        return game

    def engine(self) -> Engine:
        """Returns an engine of this one game."""
        engine = Engine.from_config(self.config, 1, seed=0, autoreset=False)
        engine.reset(deal=self.deal)
        for action in self.actions:
            engine.step([action])
        return engine


def random_history(config: GameConfig, seed: int, num_actions: int) -> History:
    """Plays a game at random; it may end before `num_actions`."""
    game, rng, actions = Game.from_config(config, seed), np.random.default_rng(seed), []
    state = game.state
    while not game.finished and len(actions) < num_actions:
        actions.append(game.sample_legal(rng))
        game.play(actions[-1])
    return History(config, Deal(state.scenario, state.deck, state.objective), tuple(actions))


def twin_of(history: History, seat: int | None, rng: np.random.Generator) -> History:
    """Returns a history with other secrets: all that a seat, or the public (None), may not know.

    These are the order of all decks to come, objectives, and the plans that are sealed. The game
    must not be over.
    """
    state = history.game().state
    decks, objectives = state.deck.copy(), state.objective.copy()
    for deck in decks[0]:
        deck[state.round[0] :] = np.roll(deck[state.round[0] :], 1)
    others = [other for other in range(state.num_players) if other != seat]
    free = np.setdiff1d(np.arange(len(history.config.edition.objectives)), objectives)
    objectives[0, others] = rng.choice(free, len(others), replace=False)
    twin = History(history.config, Deal(state.scenario, decks, objectives), ())
    game, actions = twin.game(), list(history.actions)
    num_sealed = int(state.num_acted[0]) if state.phase[0] == PLAN else 0
    for number, action in enumerate(actions):
        if number >= len(actions) - num_sealed and game.seat != seat:
            legal = np.flatnonzero(game.mask())
            actions[number] = int(rng.choice(legal[legal != action]))
        game.play(actions[number])
    return History(twin.config, twin.deal, tuple(actions))
