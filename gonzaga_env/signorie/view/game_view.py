"""The description of a game that texts, pictures and web pages are made from.

All values are plain: numbers, texts, tuples and small dataclasses of these. So
`dataclasses.asdict(view)` can be written as JSON, and equal positions give equal views. Nobody has
secrets (S13.1), so all viewers see the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gonzaga_env.signorie import constants as c
from gonzaga_env.signorie.config import GameConfig
from gonzaga_env.signorie.editions.edition import Edition
from gonzaga_env.signorie.state.state import NO_EFFECT, State, winners
from gonzaga_env.tabletop.engines.views import looked_at
from gonzaga_env.tabletop.records.log import View, Viewer


@dataclass(frozen=True)
class RowView:
    """A row of shields.

    Attributes:
        shields: the Houses that it takes, with a doubled one twice.
        held: the Houses of its face-up tiles.
        vp: the sum of their fronts.
        face_down: face-down tiles.
    """

    shields: tuple[str, ...]
    held: tuple[str, ...]
    vp: int
    face_down: int


@dataclass(frozen=True)
class PlayerView:
    """A player.

    Attributes:
        seat: the seat, from 0.
        name: the name that the caller gave; empty if none.
        board: the name of the board.
        florins: Florins.
        supply, stock, threshold: males and females available, in the General Stock and on the
            threshold space.
        careers: males on the slots of each career, bottom up.
        dice: value of the own die of each color; 0 for none.
        helpers: which slots of each column have a helper, top down.
        brides: without the printed wife.
        meeples: own meeples in each city.
        initiative: the disc's slot, from 1.
        height: its place in the stack, from 1 at the bottom.
        place: place in the turn order, from 1.
        passed: whether the player has passed in this round.
        rows: the three careers' rows and the marriage row.
        scores: points by source, in the order of `SOURCES`.
        score: VP.
        won: whether the game is over and the player has won.
    """

    seat: int
    name: str
    board: str
    florins: int
    supply: tuple[int, int]
    stock: tuple[int, int]
    threshold: tuple[int, int]
    careers: tuple[tuple[int, ...], ...]
    dice: tuple[int, ...]
    helpers: tuple[tuple[bool, ...], ...]
    brides: int
    meeples: tuple[int, ...]
    initiative: int
    height: int
    place: int
    passed: bool
    rows: tuple[RowView, ...]
    scores: tuple[int, ...]
    score: int
    won: bool


@dataclass(frozen=True)
class CityView:
    """A city.

    Attributes:
        name: its name.
        in_play: whether it is in play.
        empty: values of its empty slots, the next one first.
        marriage, mission: the tile, such as "a4"; empty for none.
    """

    name: str
    in_play: bool
    empty: tuple[int, ...]
    marriage: str
    mission: str


@dataclass(frozen=True)
class ColorView:
    """A color: the same column of all player boards, and its dice.

    Attributes:
        name: its name.
        cost: of the action slot.
        dice: values of the dice to take, rising.
        hires_in: the color of the column that it hires in.
        signoria: its Signoria action in words.
        helpers: prices and effects in words of its helper slots, top down.
        assignments: its two assignments.
    """

    name: str
    cost: int
    dice: tuple[int, ...]
    hires_in: str
    signoria: str
    helpers: tuple[tuple[int, str], ...]
    assignments: tuple[AssignmentView, ...]


@dataclass(frozen=True)
class AssignmentView:
    """An assignment on its slot.

    Attributes:
        name: its name.
        sex: of the meeples that it takes, "male" or "female".
        meeples: how many, such as "2" or "..3".
        effect: in words.
    """

    name: str
    sex: str
    meeples: str
    effect: str


@dataclass(frozen=True)
class GameView(View):
    """What a viewer knows of a game.

    Attributes:
        edition: its name.
        digest: its digest.
        viewer: who looks.
        round: the running round, from 1.
        order: the turn order, seats from first to last.
        to_act: the seat to act; None when the game is over.
        decision: what it decides, one of `KINDS`; "over" when the game is over.
        effect: what gives the running effect, such as "helper red 2"; empty for none.
        left: points or tiles of its running part still to do.
        repeats: how often it is still to be done.
        colors: the columns with their dice and assignments.
        bonus_tiles: names and effects in words, by round.
        vp_tiles: names, VP and what they count, by round.
        cities: all cities.
        deck: tiles in the deck.
        helpers_left: helpers in the supply.
        players: by seat.
        last: seat and text of the last action; None before the first and where it is not known.
    """

    edition: str
    digest: str
    viewer: Viewer
    round: int
    order: tuple[int, ...]
    to_act: int | None
    decision: str
    effect: str
    left: int
    repeats: int
    colors: tuple[ColorView, ...]
    bonus_tiles: tuple[tuple[str, str], ...]
    vp_tiles: tuple[tuple[str, int, str], ...]
    cities: tuple[CityView, ...]
    deck: int
    helpers_left: int
    players: tuple[PlayerView, ...]
    last: tuple[int, str] | None

    def __repr__(self) -> str:
        return f"<GameView for {self.viewer!r}, round {self.round}>"


def view_game(
    config: GameConfig,
    state: State,
    game: int = 0,
    viewer: Viewer = "spectator",
    *,
    last: tuple[int, int] | None = None,
    names: Sequence[str] = (),
) -> GameView:
    """Returns one game of a state as a viewer may see it.

    Args:
        config: what is played.
        state: N games.
        game: the row to look at.
        viewer: a seat, "public" or "spectator".
        last: seat and action of the last move, which a state does not hold; None if there was
            none or it is not known.
        names: the players' names; none by default.

    Raises:
        OptionError: there is no such game or viewer, or the number of names is wrong.
    """
    edition = config.edition
    one, viewer, names = looked_at(state, config.num_players, game, viewer, names)
    values = {name: array[0].tolist() for name, array in one.arrays().items()}
    over, effect = values["finished"], values["effect"]
    won = winners(one)[0] & over
    named = names or [""] * config.num_players
    return GameView(
        edition=edition.name,
        digest=edition.digest,
        viewer=viewer,
        round=values["round"],
        order=tuple(values["order"]),
        to_act=None if over else values["seat"],
        decision="over" if over else c.KINDS[values["kind"]],
        effect="" if effect == NO_EFFECT else edition.effect_name(effect),
        left=values["left"],
        repeats=values["repeats"],
        colors=tuple(_color(edition, values, color) for color in range(c.NUM_COLORS)),
        bonus_tiles=tuple(
            (edition.bonus_tiles[tile], edition.effect_words(edition.first_bonus + tile))
            for tile in values["bonus_tiles"]
        ),
        vp_tiles=tuple(
            (edition.vp_tiles[tile], vp, c.CRITERIA[per])
            for tile in values["vp_tiles"]
            for vp, per in [edition.vp_per[tile]]
        ),
        cities=_cities(edition, values),
        deck=sum(values["deck"]),
        helpers_left=edition.helpers - int(one.helpers.sum()),
        players=tuple(
            _player(edition, values, seat, named[seat], bool(won[seat]))
            for seat in range(config.num_players)
        ),
        last=None if last is None else (last[0], config.actions.to_text(last[1])),
    )


def _color(edition: Edition, values: dict[str, Any], color: int) -> ColorView:
    h = edition.num_helper_slots
    first, prices = c.NUM_COLORS + h * color, edition.helper_prices[color]
    return ColorView(
        name=edition.colors[color],
        cost=edition.costs[color],
        dice=tuple(_repeat(range(1, c.NUM_FACES + 1), values["pool"][color])),
        hires_in=edition.colors[edition.hires_in[color]],
        signoria=edition.effect_words(color),
        helpers=tuple((prices[slot], edition.effect_words(first + slot)) for slot in range(h)),
        assignments=tuple(
            AssignmentView(
                name=edition.assignments[tile],
                sex=c.SEXES[edition.assignment_sexes[color][slot]],
                meeples="..3" if edition.meeples[tile] == c.MARKED else str(edition.meeples[tile]),
                effect=edition.effect_words(edition.first_assignment + tile),
            )
            for slot, tile in enumerate(values["assignments"][2 * color : 2 * color + 2])
        ),
    )


def _cities(edition: Edition, values: dict[str, Any]) -> tuple[CityView, ...]:
    tiles = [*edition.tile_names, ""]  # the last is NO_TILE
    taken = np.sum(values["meeples"], axis=0).tolist()
    return tuple(
        CityView(name, in_play, slots[count:], *(tiles[tile] for tile in own))
        for name, in_play, slots, count, own in zip(
            edition.cities,
            values["cities"],
            edition.city_slots,
            taken,
            values["city_tiles"],
            strict=True,
        )
    )


def _player(
    edition: Edition, values: dict[str, Any], seat: int, name: str, won: bool
) -> PlayerView:
    own = {key: value[seat] for key, value in values.items() if key in _BY_SEAT}
    shields = edition.shields[own["boards"]]
    return PlayerView(
        seat=seat,
        name=name,
        board=edition.boards[own["boards"]],
        florins=own["florins"],
        supply=tuple(own["supply"]),
        stock=tuple(own["stock"]),
        threshold=tuple(own["threshold"]),
        careers=tuple(map(tuple, own["careers"])),
        dice=tuple(own["placed"]),
        helpers=tuple(map(tuple, own["helpers"])),
        brides=own["brides"],
        meeples=tuple(own["meeples"]),
        initiative=own["initiative"] + 1,
        height=own["height"] + 1,
        place=values["order"].index(seat) + 1,
        passed=own["passed"],
        rows=tuple(
            RowView(
                shields=tuple(_repeat(edition.houses, shields[row])),
                held=tuple(_repeat(edition.houses, own["held"][row])),
                vp=own["row_vp"][row],
                face_down=own["face_down"][row],
            )
            for row in range(c.NUM_ROWS)
        ),
        scores=tuple(own["scores"]),
        score=sum(own["scores"]),
        won=won,
    )


#: Fields of `State` with a player's axis that a player's view is made from.
_BY_SEAT = (
    *("boards", "florins", "supply", "stock", "threshold", "careers", "placed", "helpers"),
    *("brides", "meeples", "initiative", "height", "passed", "held", "row_vp", "face_down"),
    "scores",
)


def _repeat(names: Sequence[Any], counts: Sequence[int]) -> list[Any]:
    return [name for name, count in zip(names, counts, strict=True) for _ in range(count)]
