"""The description of a game that texts, pictures and web pages are made from.

All values are plain: numbers, texts, tuples and small dataclasses of these. So
`dataclasses.asdict(view)` can be written as JSON, and equal positions give equal views. Nobody has
secrets (S13.1), so all viewers see the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from gonzaga_env.kernel.decisions import ViewReader
from gonzaga_env.kernel.view import View, Viewer, repeated
from gonzaga_env.signorie import constants as c
from gonzaga_env.signorie.config import GameConfig
from gonzaga_env.signorie.edition import Edition
from gonzaga_env.signorie.state import NO_EFFECT, State, winners


class RowView(NamedTuple):
    """A row of shields."""

    shields: tuple[str, ...]  # the Houses that it takes, with a doubled one twice
    held: tuple[str, ...]  # the Houses of its face-up tiles
    vp: int  # the sum of their fronts
    face_down: int  # face-down tiles


class AssignmentView(NamedTuple):
    """An assignment on its slot."""

    name: str
    sex: str  # of the meeples that it takes, "male" or "female"
    meeples: str  # how many, such as "2" or "..3"
    effect: str  # in words


class ColorView(NamedTuple):
    """A color: the same column of all player boards, and its dice."""

    name: str
    cost: int  # of the action slot
    dice: tuple[int, ...]  # values of the dice to take, rising
    hires_in: str  # the color of the column that it hires in
    signoria: str  # its Signoria action in words
    helpers: tuple[tuple[int, str], ...]  # prices and effects in words, top down
    assignments: tuple[AssignmentView, ...]


class CityView(NamedTuple):
    """A city."""

    name: str
    in_play: bool
    empty: tuple[int, ...]  # values of its empty slots, the next one first
    marriage: str  # the tile, such as "a4"; empty for none
    mission: str


@dataclass(frozen=True)
class PlayerView:
    """A player."""

    seat: int
    name: str  # that the caller gave; empty if none
    board: str  # its name
    florins: int
    supply: tuple[int, int]  # males and females available
    stock: tuple[int, int]  # males and females in the General Stock
    threshold: tuple[int, int]  # males and females on the threshold space
    careers: tuple[tuple[int, ...], ...]  # males on the slots of each career, bottom up
    dice: tuple[int, ...]  # value of the own die of each color; 0 for none
    helpers: tuple[tuple[bool, ...], ...]  # which slots of each column have one, top down
    brides: int  # without the printed wife
    meeples: tuple[int, ...]  # in each city
    initiative: int  # the disc's slot, from 1
    height: int  # its place in the stack, from 1 at the bottom
    place: int  # in the turn order, from 1
    passed: bool  # in this round
    rows: tuple[RowView, ...]  # of the three careers, and the marriage row
    scores: tuple[int, ...]  # points by source, in the order of `SOURCES`
    score: int  # VP
    won: bool  # whether the game is over and the player has won


@dataclass(frozen=True)
class GameView(View):
    """What a viewer knows of a game."""

    game: ClassVar[str] = "signorie"
    edition: str  # its name
    digest: str
    viewer: Viewer  # who looks
    round: int  # the running round, from 1
    order: tuple[int, ...]  # the turn order, seats from first to last
    to_act: int | None  # the seat; None when the game is over
    decision: str  # what it decides, one of `KINDS`; "over" when the game is over
    effect: str  # what gives the running effect, such as "helper red 2"; empty for none
    left: int  # points or tiles of its running part still to do
    repeats: int  # how often it is still to be done
    careers: tuple[str, ...]  # their names
    slot_vp: tuple[int, ...]  # what a mission scores from each career slot
    colors: tuple[ColorView, ...]
    bonus_tiles: tuple[tuple[str, str], ...]  # names and effects in words, by round
    vp_tiles: tuple[tuple[str, int, str], ...]  # names, VP and what they count, by round
    cities: tuple[CityView, ...]
    deck: int  # tiles in it
    helpers_left: int  # in the supply
    players: tuple[PlayerView, ...]  # by seat
    last: tuple[int, str] | None  # seat and text of the last action; None where it is not known

    def __repr__(self) -> str:
        return f"<GameView for {self.viewer!r}, round {self.round}>"


@dataclass(frozen=True)
class _Reader(ViewReader[State, GameView]):
    config: GameConfig

    def view(self, last: tuple[int, int] | None) -> GameView:
        config, one, edition = self.config, self.state, self.config.edition
        values = {name: _plain(array[0].tolist()) for name, array in one.arrays().items()}
        over, effect = values["finished"], values["effect"]
        won = winners(one)[0] & over
        return GameView(
            edition=edition.name,
            digest=edition.digest,
            viewer=self.viewer,
            round=values["round"],
            order=values["order"],
            to_act=None if over else values["seat"],
            decision="over" if over else c.KINDS[values["kind"]],
            effect="" if effect == NO_EFFECT else edition.effect_name(effect),
            left=values["left"],
            repeats=values["repeats"],
            careers=edition.careers,
            slot_vp=tuple(map(int, edition.slot_vp)),
            colors=tuple(_color(edition, values, color) for color in range(c.NUM_COLORS)),
            bonus_tiles=tuple(
                (edition.bonus_tiles[tile], edition.effect_words(edition.first_bonus + tile))
                for tile in values["bonus_tiles"][: edition.num_rounds]
            ),
            vp_tiles=tuple(
                (edition.vp_tiles[tile], vp, c.CRITERIA[counted])
                for tile in values["vp_tiles"][: max(edition.num_rounds - c.BONUS_ROUNDS, 0)]
                for vp, counted in [edition.vp_per[tile]]
            ),
            cities=_cities(edition, values),
            deck=sum(values["deck"]),
            helpers_left=edition.helpers - int(one.helpers.sum()),
            players=tuple(
                _player(edition, values, seat, self.name(seat), bool(won[seat]))
                for seat in range(config.num_players)
            ),
            last=None if last is None else (last[0], config.actions.to_text(last[1])),
        )


view_game = _Reader.view_game


def _color(edition: Edition, values: dict[str, Any], color: int) -> ColorView:
    first = c.NUM_COLORS + edition.num_helper_slots * color
    prices = enumerate(edition.helper_prices[color], start=first)
    assignments = values["assignments"][2 * color : 2 * color + 2]
    return ColorView(
        name=edition.colors[color],
        cost=edition.costs[color],
        dice=tuple(repeated(range(1, c.NUM_FACES + 1), values["pool"][color])),
        hires_in=edition.colors[edition.hires_in[color]],
        signoria=edition.effect_words(color),
        helpers=tuple((price, edition.effect_words(effect)) for effect, price in prices),
        assignments=tuple(
            AssignmentView(
                edition.assignments[tile],
                c.SEXES[sex],
                "..3" if edition.meeples[tile] == c.MARKED else str(edition.meeples[tile]),
                edition.effect_words(edition.first_assignment + tile),
            )
            for tile, sex in zip(assignments, edition.assignment_sexes[color], strict=True)
        ),
    )


def _cities(edition: Edition, values: dict[str, Any]) -> tuple[CityView, ...]:
    names = [*edition.tile_names, ""]  # the last is NO_TILE
    taken = np.sum(values["meeples"], axis=0).tolist()
    tiles = [[names[tile] for tile in own] for own in values["city_tiles"]]
    empty = [slots[count:] for slots, count in zip(edition.city_slots, taken, strict=True)]
    cities = zip(edition.cities, values["cities"], empty, tiles, strict=True)
    return tuple(CityView(name, in_play, left, *own) for name, in_play, left, own in cities)


def _player(
    edition: Edition, values: dict[str, Any], seat: int, name: str, won: bool
) -> PlayerView:
    own = {key: values[key][seat] for key in _BY_SEAT}
    shields = edition.shields[own["boards"]]
    rows = zip(shields, own["held"], own["row_vp"], own["face_down"], strict=True)
    return PlayerView(
        seat=seat,
        name=name,
        board=edition.boards[own["boards"]],
        dice=own["placed"],
        initiative=own["initiative"] + 1,
        height=own["height"] + 1,
        place=values["order"].index(seat) + 1,
        rows=tuple(
            RowView(
                tuple(repeated(edition.houses, takes)),
                tuple(repeated(edition.houses, has)),
                vp,
                face_down,
            )
            for takes, has, vp, face_down in rows
        ),
        score=sum(own["scores"]),
        won=won,
        **{key: own[key] for key in _SAME},
    )


#: Fields of `State` that a player's view is made from; some are in it as they are.
_SAME = (
    *("florins", "supply", "stock", "threshold", "careers", "helpers", "brides", "meeples"),
    *("passed", "scores"),
)
_BY_SEAT = (*_SAME, "boards", "placed", "initiative", "height", "held", "row_vp", "face_down")


def _plain(value: Any) -> Any:
    """Returns a number, or nested lists as tuples."""
    return tuple(map(_plain, value)) if isinstance(value, list) else value
