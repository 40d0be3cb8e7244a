"""Records games while an engine plays them (format: `docs/records.md`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.batch.engine import Engine
from gonzaga_env.core.batch.scoring import winners
from gonzaga_env.core.board.actions import ACTIONS_VERSION, NUM_PLANS
from gonzaga_env.core.config import GameConfig
from gonzaga_env.core.state.deals import Deal
from gonzaga_env.core.state.features import OBSERVATIONS_VERSION
from gonzaga_env.core.state.state import SOURCES, State, current_fiefs
from gonzaga_env.tabletop.arguments import Integers
from gonzaga_env.tabletop.records import EngineRecorder, Record
from gonzaga_env.tabletop.result import StepResult
from gonzaga_env.version import __version__

RECORD_FORMAT = 1


class Recorder(EngineRecorder):
    """Steps an engine and records its games (see `EngineRecorder`)."""

    _engine: Engine

    def record(self, game: int) -> Record:
        """Returns the record of a game as far as it has been played; do not change it."""
        record: Record = self._open[game]
        return record

    def _begun(self) -> NDArray[np.bool_]:
        state = self._engine.state
        return (state.round > 1) | (state.phase > 0) | (state.num_acted > 0)

    def _before(self, games: Integers) -> Any:
        return current_fiefs(self._engine.state)[games], self._engine.num_legal(games)

    def _add_move(self, game: int, i: int, action: int, result: StepResult, before: Any) -> None:
        seat, (fiefs, num_legal) = int(result.seats[i]), before
        move = self._move(action, int(fiefs[i, seat]), int(result.points[i]))
        self._open[game]["moves"].append({"seat": seat, **move, "legal": int(num_legal[i])})

    def _move(self, action: int, fief: int, points: int) -> Record:
        text = self._engine.actions.to_text(action, fief + 1)
        if action < NUM_PLANS:
            return {"action": text}
        tables = self._engine.tables
        row = tables.placements.row(fief, action - NUM_PLANS)
        cells = tables.placements.cells[row]
        hexes = [list(tables.edition.grid.cells[i]) for i in cells if i < tables.num_hexes]
        return {"action": text, "covers": hexes, "points": points}

    def _close_game(self, game: int, final: State) -> Record:
        record = self.record(game)
        record["scores"] = dict(zip(SOURCES, final.scores[0].T.tolist(), strict=True))
        record["scores"]["total"] = final.totals[0].tolist()
        record["winners"] = np.flatnonzero(winners(self._engine.tables, final)[0]).tolist()
        record["versions"] = _versions()
        return record

    def _open_game(self, game: int) -> Record:
        engine, state = self._engine, self._engine.state
        edition = engine.tables.edition
        return {
            "format": RECORD_FORMAT,
            "edition": edition.label,
            "edition_hash": edition.digest,
            "scenario": edition.scenarios[state.scenario[game]].name,
            "num_players": engine.num_players,
            "rules": engine.rules.as_dict(),
            "seed": int(state.seed[game]),
            "episode": int(state.episode[game]),
            "agents": self._agents[game],
            "decks": (state.deck[game] + 1).tolist(),
            "objectives": [list(edition.objectives[i]) for i in state.objective[game]],
            "moves": [],
        }


def record_game(
    config: GameConfig,
    seed: int,
    agents: Sequence[str],
    actions: Sequence[int],
    deal: Deal | None = None,
    drawn: Sequence[Sequence[Any]] = (),
) -> Record:
    """Plays actions from the deal of a seed and returns the record, as far as it goes.

    Args:
        config: what is played.
        seed: decides the deal.
        agents: a name for every seat.
        actions: the actions.
        deal: a deal to play instead of the drawn one.
        drawn: nothing; Gonzaga turns up nothing after the deal.
    """
    engine = Engine.from_config(config, seed=seed, autoreset=False)
    if deal is not None:
        engine.reset([seed], deal)
    recorder = Recorder(engine, agents)
    for action in actions:
        recorder.step([action])
    return recorder.record(0)


def _versions() -> Record:
    return {
        "gonzaga_env": __version__,
        "actions": ACTIONS_VERSION,
        "observations": OBSERVATIONS_VERSION,
    }
