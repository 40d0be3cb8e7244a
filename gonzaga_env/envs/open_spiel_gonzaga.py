"""Gonzaga with explicit chance: cards are drawn when somebody sees them (R2.1, R2.2, R3.1).

Moves are, in this order, with P players:

| chance or decision | moves |
|---|---|
| scenario, where there is more than one | 1 |
| objectives, seat by seat | P |
| each round: fiefs turned up, seat by seat | P |
| each round: plans, sealed until all have planned | P |
| each round: placements in the turn order | P |

No player knows the order of a deck, so drawing a fief when it is turned up is the same game
as shuffling before the start. The engine turns up a round's fiefs as soon as the round before ends;
so a round's last action waits until chance has drawn the fiefs that come after it.
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from gonzaga_env.core.constants import NUM_FIEFS
from gonzaga_env.core.editions.validate import NUM_OBJECTIVES
from gonzaga_env.core.state import Deal
from gonzaga_env.envs.open_spiel_play import TERMINAL, Play
from gonzaga_env.kernel.single import AnyGame


class GonzagaPlay(Play):
    """A game of Gonzaga (see `Play` and the module's docstring)."""

    MAX_OUTCOMES = NUM_OBJECTIVES  # as many as scenarios, and more than fiefs

    def __init__(self, template: AnyGame) -> None:
        """Starts a game that is not dealt yet."""
        super().__init__(template)
        self._scenarios = template.config.scenarios().tolist()
        # Numbers of moves: before the objectives, before the first round, and in a round.
        self._first_objective = int(len(self._scenarios) > 1)
        self._start = self._first_objective + self.num_players
        self._per_round = 3 * self.num_players

    @property
    def _place(self) -> int:
        """The number of the next move in its round; negative before the first round."""
        passed = len(self.moves) - self._start
        return passed % self._per_round if passed >= 0 else passed

    def _at_chance(self) -> bool:
        return self._place < self.num_players

    def outcomes(self) -> list[int]:
        """Returns the scenarios, the objectives left, or the fiefs left in a seat's deck."""
        moves, place = self.moves, self._place
        if len(moves) < self._first_objective:
            return self._scenarios
        edition = self.template.config.edition
        if place < 0 and not edition.objectives:  # of a small edition: nothing to draw
            return [len(moves) - self._first_objective]
        if place < 0:
            drawn, every = moves[self._first_objective :], len(edition.objectives)
        else:
            drawn, every = moves[self._start + place :: self._per_round], edition.size.fiefs
        return sorted({*range(every)}.difference(drawn))

    def outcome_text(self, outcome: int) -> str:
        """Returns what is drawn, and the seat that draws."""
        edition, place = self.template.config.edition, self._place
        if len(self.moves) < self._first_objective:
            return f"scenario {edition.scenarios[outcome].name}"
        if place < 0:
            symbols = " ".join(edition.objectives[outcome]) if edition.objectives else "none"
            return f"objective {symbols} for seat {len(self.moves) - self._first_objective}"
        return f"fief {outcome + 1} for seat {place}"

    @classmethod
    def most_events(cls, config: Any, most_decisions: int) -> int:
        """Returns the cards of all rounds."""
        return 1 + (1 + config.edition.size.rounds) * int(config.num_players)

    @property
    def _num_sealed(self) -> int:
        """How many plans are sealed: the last moves, of seats 0 on (R3.2)."""
        sealed = self._place - self.num_players
        return sealed if 0 < sealed < self.num_players else 0

    def information(self, seat: int) -> str:
        """Returns all moves, with "?" for those that the seat has not seen; at the end the scores.

        These are the other seats' objectives, and their plans while they are sealed.
        """
        sealed = len(self.moves) - self._num_sealed
        starts = (self._first_objective, self._start), (sealed, len(self.moves))
        known: list[Any] = self.moves.copy()
        for start, stop in starts:
            for i in range(start, min(stop, len(known))):
                known[i] = known[i] if i - start == seat else "?"
        if self.player == TERMINAL:
            known += ["scores", *self.game.position.totals]
        return f"seat {seat}: {' '.join(map(str, known))}"

    def resample(self, seat: int, rng: np.random.Generator) -> Self:
        """Returns what `Play.resample` does, with the moves from which it comes.

        They have other objectives and sealed plans.
        """
        twin = super().resample(seat, rng)
        twin._resampled = False  # the moves determine it
        position, sealed = twin.game.position, self._num_sealed
        twin.moves[self._first_objective : self._start] = position.objectives
        twin.moves[len(twin.moves) - sealed :] = position.plan[:sealed]
        return twin

    def _draw(self, outcome: int) -> None:
        place = self._place
        if place != self.num_players:
            return
        fiefs = self.moves[-place:]
        if self.game is None:
            self._deal(fiefs)
        else:
            self.game.turn_up_next(fiefs)
            self.returns = self.game.play(self.moves[-place - 1])

    def _deal(self, fiefs: list[int]) -> None:
        """Deals the game; the fiefs to come lie in rising order, until they are drawn."""
        scenario = self.moves[0] if self._first_objective else self._scenarios[0]
        decks = [[fief, *sorted({*range(NUM_FIEFS)} - {fief})] for fief in fiefs]
        objectives = self.moves[self._first_objective : self._start]
        self.game = self.template.copy()
        self.game.reset(0, Deal(*(np.array([drawn]) for drawn in (scenario, decks, objectives))))

    def _act(self, action: int) -> None:
        game = self.game
        ends_round = self._place == self._per_round - 1 and not game.position.last_round
        if not ends_round or not game.is_legal(action):  # `play` says why it is not
            self.returns = game.play(action)
