"""The Castles of Tuscany as everything above the games takes it, and its records.

Records of games: what `write_records` and `read_records` of `core.spec` hold a line each.

A record holds what chance drew, so it is verified without a generator, and every game can be
recorded by anybody who watched it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.kernel.bounded import Json
from gonzaga_env.kernel.errors import RecordError
from gonzaga_env.kernel.records import GameRecorder, GameRecords, Record, compare
from gonzaga_env.kernel.records import Recorder as RecorderBase
from gonzaga_env.kernel.spec import GameSpec
from gonzaga_env.kernel.view import repeated
from gonzaga_env.tuscany import constants as c
from gonzaga_env.tuscany.batch.engine import Engine
from gonzaga_env.tuscany.board import region_text
from gonzaga_env.tuscany.config import GameConfig
from gonzaga_env.tuscany.edition import BOARD_NAMES, board_names
from gonzaga_env.tuscany.single.game import Game
from gonzaga_env.tuscany.state import Deal, State, states_from_observations
from gonzaga_env.tuscany.view import log_lines


class TuscanyRecorder(GameRecorder[GameConfig, State]):
    """Plays one game and records it (see `GameRecorder`)."""

    GAME = Game

    game: Game

    @staticmethod
    def begun(state: State) -> NDArray[np.bool_]:
        """Returns which games of a state have begun, [N]."""
        return state.covered.any(axis=1) | (state.seat != state.start)

    @staticmethod
    def read_deal(config: GameConfig, record: Record) -> Deal:
        deal = record["deal"]
        for key in ("boards", "hands"):
            if len(deal[key]) != config.num_players:
                raise RecordError(f"deal: {key} takes one entry a seat")
        boards = []
        for names in deal["boards"]:
            numbers = [BOARD_NAMES.index(name) - 4 * i for i, name in enumerate(names)]
            if len(numbers) != 3 or not all(0 <= number < 4 for number in numbers):
                raise RecordError("deal: boards take one of A, B and C each")
            boards.append(16 * numbers[0] + 4 * numbers[1] + numbers[2])
        hands = [[text.count(colour) for colour in c.COLOURS] for text in deal["hands"]]
        return Deal(np.array([deal["start"]]), np.array([boards]), np.array([hands]))

    def _deal(self) -> Record:
        position = self.game.position
        return {
            "start": position.start,
            "boards": [board_names(boards) for boards in position.boards],
            "hands": ["".join(repeated(c.COLOURS, hand)) for hand in position.hand],
            "display": [],
        }

    def play(self, action: int, drawn: Sequence[str] | None = None) -> list[float]:
        """Plays an action (same arguments, result and errors as `Game.play`) and records it."""
        setup = not self.game.finished and self.game.kind == c.STARTING_BONUS
        rewards = super().play(action, drawn)
        if setup and (turned := self.moves[-1]["drawn"]):  # the display belongs to the deal
            self._header["deal"]["display"] = [text.removeprefix("neutral ") for text in turned]
            self.moves[-1]["drawn"] = []
        return rewards

    def recorded_outcomes(self, record: Record, move: Record) -> Sequence[str]:
        """Returns what a recorded move drew, as `Game.play` takes it."""
        game = self.game
        last = (game.seat + 1) % game.num_players == game.position.start
        if game.kind == c.STARTING_BONUS and last:
            return [f"neutral {kind}" for kind in record["deal"]["display"]]
        return super().recorded_outcomes(record, move)

    def check(self, record: Record) -> None:
        """Compares the stacks, which may be left out, with the tiles that came from them (T5.3)."""
        if "stacks" not in record["deal"]:
            return
        for seat, kinds in enumerate(record["deal"]["stacks"]):
            turned = [
                text.removeprefix("stack ")
                for move in record["moves"]
                if move["seat"] == seat
                for text in move["drawn"]
                if text.startswith("stack ")
            ]
            compare(f"stacks of seat {seat}", kinds[: len(turned)], turned)

    def result(self) -> Record:
        game, position = self.game, self.game.position
        green = [sum(scores[c.GREEN]) for scores in position.scores]
        found = super().result()
        total = found["scores"].pop("total")
        regions = [one.colours if one else () for one in position.regions]
        return {
            "scores": {**found["scores"], "green": green, "total": total},
            "final": {
                "hands": ["".join(repeated(c.COLOURS, hand)) for hand in position.hand],
                "storage": [list(repeated(c.PIECE_NAMES, stored)) for stored in position.storage],
                "bonus": [list(bonus) for bonus in position.bonus],
                "turned": [position.turned(seat) for seat in range(game.num_players)],
                "regions": list(map(region_text, regions, position.covered)),
                "empty": [c.NUM_CELLS - cells.bit_count() for cells in position.covered],
                "display": list(repeated(c.TILE_KINDS, position.display)),
            },
            "winners": found["winners"],
            "truncated": game.truncated,
        }


class Recorder(RecorderBase):
    """Records games of an `Engine`, or a `Game` (see `gonzaga_env.kernel.records.Recorder`)."""

    GAME_RECORDER = TuscanyRecorder


RECORDS = GameRecords(Recorder)
replay, positions, verify = RECORDS.replay, RECORDS.positions, RECORDS.verify
game_from_record, record_game = RECORDS.game, RECORDS.record


def move_columns(record: Record) -> list[dict[str, Json]]:
    """Returns columns for each move: its kind, and the green points that it scored."""
    return [
        {"kind": move["action"].partition(" ")[0], "green_points": float(move["points"][0])}
        for move in record["moves"]
    ]


SPEC = GameSpec(
    title="The Castles of Tuscany",
    engine=Engine,
    game=Game,
    records=RECORDS,
    lines=log_lines,
    from_observations=states_from_observations,
    move_columns=move_columns,
)
