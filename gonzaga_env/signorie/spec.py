"""Signorie as everything above the games takes it, and its records."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.kernel.bounded import Json
from gonzaga_env.kernel.errors import RecordError
from gonzaga_env.kernel.records import GameRecorder, GameRecords, Record
from gonzaga_env.kernel.records import Recorder as RecorderBase
from gonzaga_env.kernel.spec import GameSpec
from gonzaga_env.signorie import constants as c
from gonzaga_env.signorie.batch.engine import Engine
from gonzaga_env.signorie.config import GameConfig
from gonzaga_env.signorie.single.game import Game
from gonzaga_env.signorie.single.position import CITY_SLOTS, Event
from gonzaga_env.signorie.state import NO_TILE, Deal, State, states_from_observations
from gonzaga_env.signorie.view import log_lines

_FACES = range(1, c.NUM_FACES + 1)


class SignorieRecorder(GameRecorder[GameConfig, State]):
    """Plays one game and records it (see `GameRecorder`)."""

    GAME = Game

    game: Game

    @staticmethod
    def begun(state: State) -> NDArray[np.bool_]:
        """Returns which games of a state have begun, [N]: the first move takes a die or passes."""
        moved = state.placed.any(axis=(1, 2)) | state.passed.any(axis=1)
        return np.asarray(moved | (state.round > 1))

    def _deal(self) -> Record:
        position, edition = self.game.position, self.game.edition
        seen = np.bincount(np.ravel(position.city_tiles), minlength=c.NUM_TILES + 1)[: c.NUM_TILES]
        removed = np.array(edition.tiles) - position.deck - seen
        laid = [
            [name, slot, edition.tile_names[tile]]
            for name, tiles in zip(edition.cities, position.city_tiles, strict=True)
            for slot, tile in zip(CITY_SLOTS, tiles, strict=True)
            if tile != NO_TILE
        ]
        rolls = [np.repeat(_FACES, counts).tolist() for counts in position.pool]
        return {
            "boards": [edition.boards[board] for board in position.boards],
            "turn_order": list(position.order),
            "cities": np.compress(position.cities, edition.cities).tolist(),
            "removed": sorted(np.repeat(edition.tile_names, removed).tolist()),
            "bonus_tiles": [edition.bonus_tiles[tile] for tile in position.bonus_tiles],
            "vp_tiles": [edition.vp_tiles[tile] for tile in position.vp_tiles],
            "drawn": [
                ["refill", laid],
                ["dice", rolls],
                ["assignments", [edition.assignments[tile] for tile in position.assignments]],
            ],
        }

    @staticmethod
    def read_deal(config: GameConfig, record: Record) -> Deal:
        deal, edition = record["deal"], config.edition
        refill, dice, assignments = map(_content, ("refill", "dice", "assignments"), deal["drawn"])
        city_tiles = np.full((1, c.NUM_CITIES, 2), NO_TILE)
        for city, slot, tile in refill:
            place = edition.cities.index(city), CITY_SLOTS.index(slot)
            city_tiles[0, *place] = edition.tile_names.index(tile)
        if len(dice) != c.NUM_COLORS or not set(deal["cities"]) <= set(edition.cities):
            raise RecordError("deal: takes dice of five colors, and cities of the edition")
        removed = list(map(edition.tile_names.index, deal["removed"]))
        pool = [[list(roll).count(face) for face in _FACES] for roll in dice]
        return Deal(
            boards=_places(edition.boards, deal["boards"]),
            order=np.array([deal["turn_order"]]),
            cities=np.isin(edition.cities, deal["cities"])[None],
            removed=np.bincount(removed, minlength=c.NUM_TILES)[None],
            bonus_tiles=_places(edition.bonus_tiles, deal["bonus_tiles"]),
            vp_tiles=_places(edition.vp_tiles, deal["vp_tiles"]),
            city_tiles=city_tiles,
            pool=np.array([pool]),
            assignments=_places(edition.assignments, assignments),
        )

    def check(self, record: Record) -> None:
        """Compares the deal with how it is written here: sorted, each thing once (N4)."""
        deal = self._header["deal"]
        if record["deal"] | deal != record["deal"]:
            wrong = next(key for key in deal if record["deal"][key] != deal[key])
            raise RecordError(f"deal: {wrong} is not in the order of the notation (N4)")

    def _before(self) -> Record:
        legal = self.game.mask().nonzero()[0]
        return {"legal": len(legal), "legal_sum": int(legal.sum())}

    def result(self) -> Record:
        game, position = self.game, self.game.position
        found = super().result()
        return {
            "scores": found["scores"],
            "final": {
                "florins": list(position.florins),
                "males": [supply[c.MALE] for supply in position.supply],
                "females": [supply[c.FEMALE] for supply in position.supply],
                "deck": sorted(np.repeat(game.edition.tile_names, position.deck).tolist()),
            },
            "winners": found["winners"],
        }


class Recorder(RecorderBase):
    """Records games of an `Engine`, or a `Game` (see `gonzaga_env.kernel.records.Recorder`)."""

    GAME_RECORDER = SignorieRecorder


RECORDS = GameRecords(Recorder)
replay, positions, verify = RECORDS.replay, RECORDS.positions, RECORDS.verify
game_from_record, record_game = RECORDS.game, RECORDS.record


def _content(name: str, event: Event) -> Json:
    if event[0] != name:
        raise RecordError(f"deal: drawn holds {event[0]!r}"[:80] + f"; {name!r} comes there")
    return event[1]


def _places(names: tuple[str, ...], chosen: Iterable[str]) -> NDArray[np.int64]:
    """Returns the places of names among all, [1, ...]."""
    return np.array([list(map(names.index, chosen))])


_CHOICES = ("hire", "assign", "signoria")  # of a die (S5.3)


def move_columns(record: Record) -> list[dict[str, Json]]:
    """Returns columns for each move: its kind, and the action slot where a die is placed."""
    return [_columns(move["action"].split()) for move in record["moves"]]


def _columns(words: list[str]) -> dict[str, Json]:
    if len(words) > 2 and words[2] in _CHOICES:
        return {"kind": words[2], "slot": " ".join([words[0], *words[2:]])}
    return {"kind": " ".join(words) if words[0] == "no" else words[0], "slot": ""}


SPEC = GameSpec(
    title="Signorie",
    engine=Engine,
    game=Game,
    records=RECORDS,
    lines=log_lines,
    from_observations=states_from_observations,
    move_columns=move_columns,
    slow_batch=2,
)
