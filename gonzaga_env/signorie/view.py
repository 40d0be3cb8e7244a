"""A game as a viewer may see it: positions, the lines of the log, and actions in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from gonzaga_env.kernel.bounded import Json
from gonzaga_env.kernel.sentences import Sentence, joined, say, third_person
from gonzaga_env.kernel.view import (
    LogLine,
    Move,
    Player,
    View,
    ViewReader,
    final_lines,
    gains_words,
    repeated,
)
from gonzaga_env.signorie import constants as c
from gonzaga_env.signorie.config import GameConfig
from gonzaga_env.signorie.constants import CAREER_VP, INITIATIVE_VP, SEXES, SOURCES
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
class PlayerView(Player):
    """A player."""

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


@dataclass(frozen=True, repr=False)
class GameView(View):
    """A position; nobody has secrets (S13.1), so all viewers see the same."""

    players: tuple[PlayerView, ...]  # by seat
    order: tuple[int, ...]  # the turn order, seats from first to last
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


@dataclass(frozen=True)
class _Reader(ViewReader[GameConfig, State, GameView]):
    def view(self, last: tuple[int, int] | None) -> GameView:
        config, one, edition = self.config, self.state, self.config.edition
        values = {name: _plain(array[0].tolist()) for name, array in one.arrays().items()}
        over, effect = values["finished"], values["effect"]
        won = winners(one)[0] & over
        return GameView(
            game=config.game,
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
            last=None if last is None else Move(last[0], config.actions.to_text(last[1])),
        )


view_game = _Reader.view_game


Values = Mapping[str, Json]  # the fields of a state of one game, in plain values


def _color(edition: Edition, values: Values, color: int) -> ColorView:
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


def _cities(edition: Edition, values: Values) -> tuple[CityView, ...]:
    names = [*edition.tile_names, ""]  # the last is NO_TILE
    taken = np.sum(values["meeples"], axis=0).tolist()
    tiles = [[names[tile] for tile in own] for own in values["city_tiles"]]
    empty = [slots[count:] for slots, count in zip(edition.city_slots, taken, strict=True)]
    cities = zip(edition.cities, values["cities"], empty, tiles, strict=True)
    return tuple(CityView(name, in_play, left, *own) for name, in_play, left, own in cities)


def _player(edition: Edition, values: Values, seat: int, name: str, won: bool) -> PlayerView:
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


def _plain(value: Json) -> Json:
    """Returns a number, or nested lists as tuples."""
    return tuple(map(_plain, value)) if isinstance(value, list) else value


#: Texts of actions by their first word; the words after it fill the places.
_ACTIONS = {
    "enter": "enter the {x} career",
    "advance": "advance in the {x} career from slot {n}",
    "initiative": "take one initiative point",
    "stop": "take no more track points",
    "row": "put a face-down tile into the {x} row",
    "florins": "take Florins instead of the bonus tile",
    "pay": "pay Florins for VP",
    "keep": "keep the Florins",
    "helper": "place a free helper on {x} {n}",
    "wed": "wed a bride",
    "no": "wed no bride",
    "pass": "pass",
}


def action_words(text: str, view: GameView) -> str:
    """Returns an action in words, such as "take grey 3 to hire violet 2 for 4 Florins (2 VP)".

    The price is the whole one, with what the die lacks (S5.3).
    """
    first, *words = text.split()
    if color := {color.name: color for color in view.colors}.get(first):
        return _choice_words(color, int(words[0]), words[1:], view)
    if first == "spend":
        return say("spend {n} meeple" if words == ["1"] else "spend {n} meeples", n=words[0])
    if first in ("use", "skip"):
        helper = view.effect or say("the helper")
        if first == "skip" or not (effect := _helper_effect(view.effect, view)):
            return say("use {helper}" if first == "use" else "skip {helper}", helper=helper)
        return say("use {helper} ({effect})", helper=helper, effect=effect)
    if first == "marry":
        template = "marry into {city} with a dowry of {n} ({vp} VP)"
        return say(template, city=words[0], n=words[1], vp=2 * int(words[1]))
    if first == "mission":
        career, slot, city = words
        template, vp = "send the male on {x} slot {n} to {city} ({vp} VP)", int(slot) - 1
        return say(template, x=say(career), n=slot, city=city, vp=view.slot_vp[vp])
    if first == "bonus":
        name, effect = view.bonus_tiles[view.round - 1]
        return say("take the bonus tile {x}: {effect}", x=say(name), effect=effect)
    if first not in _ACTIONS:
        return text
    if not words or first == "no":
        return say(_ACTIONS[first])
    name, number = (*words, "")[:2]
    return say(_ACTIONS[first], x=say(name), n=number)


def choice_words(text: str, view: GameView, edition: Edition) -> str:
    """Returns an action in words with what it costs and brings, by the view before it."""
    if view.to_act is None or view.decision not in ("reward", "wed", "pay"):
        return action_words(text, view)
    match text:
        case "florins":
            florins = _florins(edition.reward_florins)
            return say("take {florins} instead of the bonus tile", florins=florins)
        case "pay":
            florins = _florins(edition.pay)
            return say("pay {florins} for {n} VP", florins=florins, n=edition.pay_vp)
        case "wed":
            gains = [say("{n} VP", n=edition.bride_vp[view.players[view.to_act].brides])]
            if number := edition.wedding_florins[view.round - 1]:
                gains.append(_florins(number))
            return say("wed a bride ({gains})", gains=joined(", ", gains))
    return action_words(text, view)


def _helper_effect(helper: str, view: GameView) -> str:
    """Returns what a helper such as "helper red 3" does, such as "3 VP"; "" for no helper."""
    for color in view.colors:
        for slot, (_, effect) in enumerate(color.helpers, start=1):
            if helper == f"helper {color.name} {slot}":
                return effect
    return ""


def _choice_words(color: ColorView, value: int, words: list[str], view: GameView) -> Sentence:
    """Returns what a die does: its action, the whole price and the effect in words."""
    lacking = max(0, color.cost - value)
    die = {"color": say(color.name), "value": value}
    match words:
        case ["hire", number]:
            column = next(other for other in view.colors if other.name == color.hires_in)
            price, effect = column.helpers[int(number) - 1]
            template = "take {color} {value} to hire {column} {n} {price} ({effect})"
            paid, hired = _price(lacking + price), say(column.name)
            return say(template, **die, column=hired, n=number, price=paid, effect=effect)
        case ["assign", number]:
            one = color.assignments[int(number) - 1]
            template = "take {color} {value} to use assignment {x} {price} ({effect})"
            paid, name = _price(lacking), say(one.name)
            return say(template, **die, x=name, price=paid, effect=one.effect)
    template = "take {color} {value} to do its Signoria action {price} ({effect})"
    return say(template, **die, price=_price(lacking), effect=color.signoria)


def _price(florins: int) -> Sentence:
    return say("for {florins}", florins=_florins(florins)) if florins else say("at no cost")


def _florins(number: int) -> Sentence:
    return say("{n} Florins" if number != 1 else "{n} Florin", n=number)


_DECISIONS = {
    "main": "a die or pass",
    "spend": "meeples to spend on {x}",
    "track": "a track point ({x})",
    "mission": "a mission ({x})",
    "marriage": "a marriage ({x})",
    "row": "the row of a face-down tile ({x})",
    "helper": "use {x} or not",
    "reward": "bonus or Florins",
    "free helper": "a free helper ({x})",
    "wed": "wed or not",
    "pay": "pay for VP or not",
}


def stage_words(view: GameView) -> str:
    """Returns round and decision, such as "Round 2: a track point (assignment training)"."""
    if view.decision == "over":
        return say("The game is over")
    return say("Round {n}: {question}", n=view.round, question=question_words(view))


def question_words(view: GameView) -> str:
    """Returns what is decided, such as "a mission (helper grey 3)"."""
    return say(_DECISIONS[view.decision], x=view.effect)


def log_lines(before: GameView, after: GameView) -> tuple[LogLine, ...]:
    """Returns the lines of the one move between two views of the same viewer."""
    seat = before.to_act
    if seat is None or after.last is None:
        return ()
    old, new = before.players[seat], after.players[seat]
    done = third_person(action_words(after.last.action, before))
    words = joined("; ", (done, *_outcome(old, new)))
    lines = [LogLine(seat, words, {"kind": "decision", "decision": before.decision})]
    if after.order != before.order or after.round > before.round or after.to_act is None:
        lines += _round(before, after)
    if after.to_act is None:
        lines.append(LogLine(None, say("The game is over"), {"kind": "over"}))
        lines += final_lines(after.players, SOURCES, CAREER_VP)  # S12
    return tuple(lines)


def _outcome(old: PlayerView, new: PlayerView) -> Iterator[str]:
    """Yields what a move brought its player: points, Florins, meeples and tiles."""
    for source, (name, was, now) in enumerate(zip(SOURCES, old.scores, new.scores, strict=True)):
        if now > was and source != INITIATIVE_VP and source < CAREER_VP:
            yield say("{n} VP ({source})", n=f"{now - was:+}", source=say(name))
    gains = [("Florin", new.florins - old.florins)]
    pairs = zip(SEXES, old.supply, new.supply, strict=True)
    gains += [(name, now - was) for name, was, now in pairs]
    for name, gain in gains:
        if gain:
            yield say("{n} " + name + "s" * (abs(gain) != 1), n=f"{gain:+}")
    for before, after in zip(old.rows, new.rows, strict=True):
        if after.vp > before.vp:
            yield say("a tile of {n} VP", n=after.vp - before.vp)


def _round(before: GameView, after: GameView) -> Iterator[LogLine]:
    """Yields what initiative scored (S11.1), and the round that begins."""
    pairs = zip(before.players, after.players, strict=True)
    gains = [new.scores[INITIATIVE_VP] - old.scores[INITIATIVE_VP] for old, new in pairs]
    if any(gains):
        scored = {"kind": "initiative", "points": gains}
        words = say("Initiative is scored: {gains}", gains=gains_words(after.players, gains))
        yield LogLine(None, words, scored)
    if after.round > before.round:
        last = after.round == len(after.bonus_tiles) + len(after.vp_tiles)
        begun = {"kind": "round", "round": after.round, "last": last}
        yield LogLine(None, say("Round {n} begins", n=after.round), begun)
