"""Tables that somebody cannot tell apart."""

import numpy as np
from gonzaga_table.session import GameSession

from gonzaga_env.core.single.game import Game
from gonzaga_env.core.state import Deal

Viewer = int | str


class Twin(GameSession):
    """A table like another one, with another deal."""

    def __init__(self, table: GameSession, deal: Deal) -> None:
        self.deal = deal
        super().__init__(table.config, table.seats, table.seed)

    def _deal(self) -> Game:
        game = Game.from_config(self.config, self.seed)
        game.reset(self.seed, self.deal)
        return game


def twin_of(table: GameSession, viewer: Viewer, rng: np.random.Generator) -> Twin:
    """Returns a table that a viewer cannot tell from this one.

    Other are: the order of all decks to come, objectives that the viewer does not know, and the
    plans that are sealed or pending.
    """
    state = table.state
    decks, objectives = state.deck.copy(), state.objective.copy()
    for deck in decks[0]:
        deck[state.round[0] :] = rng.permutation(deck[state.round[0] :])
    if not table.over:
        unknown = [seat for seat in range(state.num_players) if seat != viewer]
        free = np.setdiff1d(np.arange(len(table.config.edition.objectives)), objectives)
        objectives[0, unknown] = rng.choice(free, len(unknown), replace=False)
    twin = Twin(table, Deal(state.scenario.copy(), decks, objectives))
    for number, (seat, action) in enumerate(table.moves):
        secret = number >= table.stage and seat != viewer
        twin.play(seat, number, other_than(action, twin, seat, rng) if secret else action)
    for seat, action in table.pending.items():
        secret = seat != viewer
        twin.play(seat, twin.num_moves, other_than(action, twin, seat, rng) if secret else action)
    assert twin.pending.keys() == table.pending.keys()
    return twin


def other_than(action: int, table: GameSession, seat: int, rng: np.random.Generator) -> int:
    """Returns another legal action of a seat."""
    turn = table.turn(seat)
    return int(rng.choice([choice.action for choice in turn.choices if choice.action != action]))
