"""Games of a batch, the same games alone, and naive oracles that are told what is drawn."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from gonzaga_env.games import game_spec
from gonzaga_env.kernel.records import Record
from gonzaga_env.kernel.spec import Config


class Trio:
    """Plays games by policies, and compares all three after every action."""

    faithful: float  # how often a policy does what it likes

    def __init__(
        self, config: Config, num_games: int, seed: int, oracle_of: Callable[[Record], Any]
    ) -> None:
        """Deals games; `oracle_of` makes an oracle from the deal of a record."""
        spec = game_spec(config.game)
        recorder = spec.records.recorder.GAME_RECORDER
        self.engine = spec.engine.from_config(config, num_games, seed, autoreset=False)
        self.games = [spec.game.from_config(config, seed + i) for i in range(num_games)]
        self.recorders = [recorder(game, ["oracle"] * config.num_players) for game in self.games]
        self.oracles = [oracle_of(each.record()["deal"]) for each in self.recorders]
        self.seed, self.rng = seed, np.random.default_rng(seed)

    def play(self) -> None:
        """Plays all games to the end."""
        while any(oracle.legal for oracle in self.oracles):
            self.compare_positions()
            self._step([self._choose(row) for row in range(len(self.games))])
        self.compare_ends()

    def compare_positions(self) -> None:
        masks, to_text = self.engine.legal_action_mask(), self.engine.actions.to_text
        seats, rounds = self.engine.seats.tolist(), self.engine.rounds.tolist()
        for row, (game, oracle) in enumerate(zip(self.games, self.oracles, strict=True)):
            for mask in (masks[row], game.mask()):
                assert {to_text(action) for action in mask.nonzero()[0].tolist()} == oracle.legal
            if oracle.legal:
                assert seats[row] == game.seat == oracle.seat
                assert rounds[row] == game.round == oracle.round

    def likes(self, row: int, legal: list[str]) -> Iterator[list[str]]:
        """Yields what the policy of a game's seat likes among legal actions, the best first."""
        raise NotImplementedError

    def _choose(self, row: int) -> str | None:
        legal = sorted(self.oracles[row].legal)
        if not legal:
            return None
        likes = (some for some in self.likes(row, legal) if some)
        chosen = next((some for some in likes if self.rng.random() < self.faithful), legal)
        return chosen[self.rng.integers(len(chosen))]

    def _step(self, chosen: Sequence[str | None]) -> None:
        """Plays one action in every game that is not over."""
        actions = [0 if text is None else self.engine.actions.parse(text) for text in chosen]
        before = self.engine.totals.copy()
        points = self.engine.step(actions).points.tolist()
        gained = (self.engine.totals - before).tolist()
        for row, text in enumerate(chosen):
            if text is not None:
                self.recorders[row].play(actions[row])
                move = self.recorders[row].moves[-1]
                self.compare_move(row, text, move, points[row], gained[row])

    def compare_move(
        self, row: int, text: str, move: Record, points: int, gained: list[int]
    ) -> None:
        """Plays a move of a record with the oracle, and compares what it brought."""
        raise NotImplementedError

    def compare_ends(self) -> None:
        won = self.engine.winners()
        for row, (recorder, oracle) in enumerate(zip(self.recorders, self.oracles, strict=True)):
            record = recorder.record()
            assert (record["scores"], record["final"]) == (oracle.scores(), oracle.final())
            assert record["winners"] == oracle.winners() == won[row].nonzero()[0].tolist()
