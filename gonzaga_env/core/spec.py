"""Gonzaga as everything above the games takes it, and its records."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.batch.engine import Engine
from gonzaga_env.core.board.actions import DONATE, NUM_PLANS, PRIVILEGE_SUFFIX
from gonzaga_env.core.config import GameConfig
from gonzaga_env.core.constants import NUM_FIEFS
from gonzaga_env.core.observe import states_from_observations
from gonzaga_env.core.single.game import Game, GonzagaInfos
from gonzaga_env.core.state import KINDS, PLAN, Deal, State
from gonzaga_env.core.view import log_lines
from gonzaga_env.kernel.arguments import is_integer
from gonzaga_env.kernel.bounded import Json
from gonzaga_env.kernel.errors import RecordError
from gonzaga_env.kernel.records import GameRecorder, GameRecords, Record, brief
from gonzaga_env.kernel.records import Recorder as RecorderBase
from gonzaga_env.kernel.records.recording import RECORD_FORMAT
from gonzaga_env.kernel.single import AnyGame
from gonzaga_env.kernel.spaces import FeatureTable
from gonzaga_env.kernel.spec import GameSpec


class GonzagaRecorder(GameRecorder[GameConfig, State]):
    """Plays one game and records it (see `GameRecorder`)."""

    GAME = Game
    PLAYED, NAMED = ("num_players", "scenario", "rules"), False

    game: Game

    @staticmethod
    def begun(state: State) -> NDArray[np.bool_]:
        """Returns which games of a state have begun, [N]."""
        return np.asarray((state.round > 1) | (state.phase > 0) | (state.num_acted > 0))

    def _begin(self, agents: list[str]) -> Record:
        game, position = self.game, self.game.position
        edition = game.edition
        return {
            "format": RECORD_FORMAT,
            "edition": edition.label,
            "edition_hash": edition.digest,
            "scenario": edition.scenarios[position.scenario].name,
            "num_players": game.num_players,
            "rules": game.rules.as_dict(),
            "seed": game.seed,
            "episode": game.episode,
            "agents": agents,
            "decks": [[f + 1 for f in deck[: edition.size.fiefs]] for deck in position.decks],
            "objectives": [list(edition.objectives[i]) for i in position.objectives]
            if edition.size.objectives
            else [],
        }

    @staticmethod
    def read_deal(config: GameConfig, record: Record) -> Deal:
        """Returns the deal that a record holds, of one game.

        Raises:
            RecordError: a number is not an integer, or out of range.
            KeyError, TypeError, ValueError: a field is missing or has another type, or there is no
                such scenario or objective.
        """
        GonzagaRecorder.check_deal(record)
        edition = config.edition
        names = [scenario.name for scenario in edition.scenarios]
        objectives = [edition.objectives.index(tuple(pair)) for pair in record["objectives"]]
        if not edition.size.objectives and not objectives:
            objectives = [*range(config.num_players)]
        left_out = [*range(edition.size.fiefs + 1, NUM_FIEFS + 1)]
        decks = [[*deck, *left_out] for deck in record["decks"]]
        return Deal(
            scenario=np.array([names.index(record["scenario"])], dtype=np.uint8),
            decks=np.array([decks], dtype=np.int64) - 1,
            objectives=np.array([objectives]),
        )

    @staticmethod
    def check_deal(record: Record) -> None:
        """Checks what takes no edition."""
        seed = record["seed"]
        if len(record["decks"]) != record["num_players"]:
            raise RecordError("decks: they take one a player")
        if not is_integer(seed) or not 0 <= seed < 2**64:
            raise RecordError(f"seed: {brief(seed)}; it takes an integer from 0 to 2^64 - 1")
        for deck in record["decks"]:
            for number in deck:
                if not is_integer(number) or not 1 <= number <= NUM_FIEFS:
                    raise RecordError(
                        f"decks: {brief(number)}; they hold the integers 1 to {NUM_FIEFS}"
                    )

    def recorded_outcomes(self, record: Record, move: Record) -> tuple[()]:
        """Returns what a recorded move drew: nothing."""
        return ()

    def _before(self) -> Record:
        position = self.game.position
        return {"fief": position.fief[position.seat], **super()._before()}

    def _move(self, action: int, before: Record) -> Record:
        game, fief = self.game, before["fief"]
        move: Record = {"action": game.actions.to_text(action, fief + 1)}
        if action >= NUM_PLANS:
            tables = game.tables
            cells = tables.placements.cells[tables.placements.row(fief, action - NUM_PLANS)]
            hexes = [i for i in cells.tolist() if i < tables.num_hexes]
            move["covers"] = [list(tables.edition.grid.cells[i]) for i in hexes]
            move["points"] = game.position.points
        return {**move, "legal": before["legal"]}

    def record(self) -> Record:
        """Returns the record of the game; scores and winners are those of now."""
        return super().record() | {"versions": self.versions()}


class Recorder(RecorderBase):
    """Records games of an `Engine`, or a `Game` (see `gonzaga_env.kernel.records.Recorder`)."""

    GAME_RECORDER = GonzagaRecorder


RECORDS = GameRecords(Recorder)
replay, positions, verify = RECORDS.replay, RECORDS.positions, RECORDS.verify
game_from_record, record_game = RECORDS.game, RECORDS.record


def move_columns(record: Record) -> list[dict[str, Json]]:
    """Returns columns for each move: its round, its kind, and for plans what became of them.

    A plan has its cards (`region`, `card`, `plan`, `privilege`), the points that the placement
    which it led to scored at once (`round_points`), and whether the seat donated because nothing
    else was legal at its turn (`blocked`) or by choice (`by_choice`).
    """
    moves, num_players = record["moves"], record["num_players"]
    columns: list[dict[str, Json]] = []
    for index, move in enumerate(moves):
        round_index, step = divmod(index, 2 * num_players)
        common = {"round": round_index + 1}
        if step < num_players:
            rest = moves[index - step + num_players : index - step + 2 * num_players]
            placed = next((other for other in rest if other["seat"] == move["seat"]), None)
            columns.append(common | _plan(move["action"], placed))
        else:
            columns.append(common | {"kind": move["action"].partition(" ")[0]})
    return columns


def _plan(text: str, placed: Record | None) -> dict[str, Json]:
    plan = text.removesuffix(PRIVILEGE_SUFFIX)
    region, _, card = plan.rpartition(" ")
    columns: dict[str, Json] = {"kind": "plan", "region": region, "card": card, "plan": plan}
    columns["privilege"] = plan != text
    if placed is not None:
        donated, forced = placed["action"] == DONATE, placed["legal"] == 1
        columns["round_points"] = float(placed["points"])
        columns |= {"blocked": donated and forced, "by_choice": donated and not forced}
    return columns


def _decks(game: AnyGame) -> NDArray[np.uint8]:
    """Returns the decks of one game, seat by seat, fiefs 1 to 12 in order of drawing, [P * 12]."""
    return np.frombuffer(b"".join(game.position.decks), np.uint8) + np.uint8(1)


def _deck_features(config: GameConfig) -> FeatureTable:
    shape = config.num_players, NUM_FIEFS
    return FeatureTable([("decks", shape, NUM_FIEFS, "fiefs in order of drawing, from 1")])


SPEC = GameSpec(
    title="Gonzaga",
    engine=Engine,
    game=Game,
    records=RECORDS,
    lines=log_lines,
    from_observations=states_from_observations,
    move_columns=move_columns,
    infos=GonzagaInfos(),
    sealed=(KINDS[PLAN],),
    hidden=_decks,
    hidden_features=_deck_features,
)
