"""Editions: the printed values (N1), as one TOML file each; effects are data.

Every fault of a file is found and named at once: first keys and types, then what must fit together,
then gains that a state cannot hold.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.kernel.editions import (
    Check,
    Content,
    FileEdition,
    Found,
    digest_of,
    edition_loader,
    entries,
    integer_in,
    list_of,
    one_of,
    string,
    table,
)
from gonzaga_env.kernel.messages import short_repr
from gonzaga_env.kernel.sentences import joined, say
from gonzaga_env.signorie import constants as c

#: Of a seat's points, whose sum is an int16, and of its Florins.
MOST_HELD = 30_000
_DOWRY_VP = c.MAX_DOWRY * c.VP_PER_FLORIN
Amounts = NDArray[np.int64]  # VP and Florins


def most_gained(edition: Edition) -> tuple[int, int]:
    """Returns the most VP and Florins that a game brings a seat; what it pays counts nothing."""
    h = edition.num_helper_slots
    unit = np.zeros((len(c.OPS), 2), np.int64)
    unit[c.VP], unit[c.FLORINS] = (1, 0), (0, 1)
    unit[c.TRACKS] = 0, max(edition.slot_florins)
    unit[c.MISSION_OP], unit[c.MARRIAGE_OP] = (max(edition.slot_vp), 0), _vp(_DOWRY_VP)
    unit[c.HALF_DIE_VP] = (c.NUM_FACES + 1) // 2, 0
    whole = np.zeros((len(edition.effects), 2), np.int64)
    for effect, parts in enumerate(edition.effects):
        whole[effect] = sum(number * unit[op] for op, number in parts)
    helpers = whole[c.NUM_COLORS : edition.first_assignment].reshape(c.NUM_COLORS, h, 2)
    times = np.where(np.array(edition.meeples) == c.MARKED, c.MOST_SPENT, 1)[:, None]
    chosen = times * whole[edition.first_assignment : edition.first_bonus]
    actions = np.concatenate([whole[: c.NUM_COLORS], chosen]).max(axis=0)
    males, meeples = edition.supply[0] + edition.stock[0], sum(edition.supply + edition.stock)
    tiles = c.NUM_HOUSES * c.TILES_PER_HOUSE
    most = (c.NUM_COLORS * h, len(edition.bride_vp), meeples, tiles, males)  # `CRITERIA`
    die = actions + helpers.sum(axis=1).max(axis=0)  # with its helpers
    bonus = np.maximum(whole[edition.first_bonus :].max(axis=0), (0, edition.reward_florins))
    wedding = np.array([max(edition.bride_vp), max(edition.wedding_florins)])
    vp_tile = _vp(max(vp * most[criterion] for vp, criterion in edition.vp_per))  # S11.5
    each = edition.num_dice * die + _vp(max(edition.initiative_vp))  # S11.1
    early = min(c.BONUS_ROUNDS, edition.num_rounds)
    late = edition.num_rounds - early
    end = _vp(males * (max(edition.slot_vp) // 2) + tiles * max(c.TILE_VALUES))  # S12
    found = early * (each + bonus + wedding) + late * (each + vp_tile + _vp(edition.pay_vp)) + end
    points, florins = found.tolist()
    return points, florins


def _vp(number: int) -> Amounts:
    return np.array([number, 0], np.int64)


EDITIONS = Path(__file__).parent / "editions"
MOST = 99  # of a number, where nothing else is said
MOST_PARTS = 16  # of an effect
MOST_CITY_SLOTS = 20

Part = tuple[int, int]  # index in `OPS`, and its number; 1 where it takes none
Effect = tuple[Part, ...]

#: Words of actions (N3). No color may have such a name, or texts would be ambiguous.
_WORDS = {
    *("pass", "spend", "enter", "advance", "initiative", "stop", "mission", "marry", "marriage"),
    *("row", "use", "skip", "bonus", "florins", "wed", "no", "pay", "keep", "helper"),
    *("hire", "assign", "signoria"),
}

#: Parts of effects in words, in the order of `OPS`.
_PART_WORDS = (
    *("{n} Florins", "{n} VP", "{n} track points", "{n} initiative points", "{n} males"),
    *("{n} females", "{n} face-down tiles", "+{n} threshold", "a mission", "a marriage"),
    "offspring",
    *("a free helper", "half the die in VP"),
)


class Edition(FileEdition):
    """The values that the rulebook's text leaves out; tuples are in the orders of the file.

    H helper slots a column, K career slots, E = 5 + 5 H + 10 + 9 effects.

    Attributes:
        careers, colors, cities, houses, assignments, bonus_tiles, vp_tiles, boards: names.
        initiative_vp: VP of the initiative slots, bottom up.
        florins, extra_florins: at the start, and by place in the first turn order, [4] (S2.1).
        supply, stock: males and females at the start, [2].
        helpers: helpers in the shared supply (S1.3).
        threshold, reward_florins, wedding_florins, bride_vp, pay, pay_vp: of rewards (S11.3 to
            S11.5); `wedding_florins` by round, [5]; `bride_vp` by bride slot, [4].
        threshold_step: by how much a meeple on the threshold space raises the threshold.
        ranks, slot_vp, slot_florins, slot_initiative: of career slots, bottom up, and what arriving
            on them brings, [K] (S9.2, S9.3).
        costs, hires_in: of the action slots, and in which column they hire, [5] (S5.3, S6.2).
        assignment_sexes: sex of both assignment slots of a color, [5][2] (S7.1).
        helper_prices: [5][H] (S6.1).
        city_slots: values of each city's slots, rising, [5][...] (S8.2).
        tiles, tile_names: alliance tiles of each kind, House by House, and "a4", [24] (S1.4).
        meeples: that an assignment takes, [10]; MARKED for "..3" (S7.2).
        vp_per: VP of a VP tile, and what it counts, an index in `CRITERIA`, [5][2].
        shields: shields of each House in each row of a board, [4][4][6]; the marriage row is last.
        effects: all effects, [E]: Signoria of each color, helpers of each column from top to
            bottom, assignments (from `first_assignment` on), bonus tiles (from `first_bonus` on).
        num_rounds, num_dice: of a game (S3.1), and of a seat in a round (S5.2); what is printed,
            unless the edition is a small one.
        source: the file.
    """

    game: ClassVar[str] = "signorie"

    def __init__(self, data: Content, source: Path) -> None:
        """Takes the checked content of a file."""
        self.digest, self.source = digest_of(data), source
        self.name = data["name"]
        kinds = ("color", "city", "house", "assignment", "bonus_tile", "vp_tile", "board")
        named = [_column(data[kind], "name") for kind in kinds]
        self.colors, self.cities, self.houses, self.assignments = named[:4]
        self.bonus_tiles, self.vp_tiles, self.boards = named[4:]
        self.careers: tuple[str, ...] = tuple(data["careers"])
        self.initiative_vp: tuple[int, ...] = tuple(data["initiative_vp"])

        size = data.get("size", {})
        self.num_rounds: int = size.get("rounds", c.NUM_ROUNDS)
        self.num_dice: int = size.get("dice", c.MAX_DICE)
        self._dice_of_color: int | None = size.get("dice_of_color")
        setup, rewards, slots = data["setup"], data["rewards"], data["career_slot"]
        self.florins: int = setup["florins"]
        self.extra_florins: tuple[int, ...] = tuple(setup["extra_florins"])
        self.supply: tuple[int, int] = (setup["males"], setup["females"])
        self.stock: tuple[int, int] = (setup["stock_males"], setup["stock_females"])
        self.helpers: int = setup["helpers"]
        self.threshold: int = rewards["threshold"]
        self.reward_florins: int = rewards["florins"]
        self.wedding_florins: tuple[int, ...] = tuple(rewards["wedding_florins"])
        self.bride_vp: tuple[int, ...] = tuple(rewards["bride_vp"])
        self.pay: int = rewards["pay"]
        self.pay_vp: int = rewards["pay_vp"]
        self.ranks, self.slot_vp = _column(slots, "rank"), _column(slots, "vp")
        bonuses = [dict(_parse(slot.get("bonus", ""))) for slot in slots]
        self.slot_florins = tuple(bonus.get(c.FLORINS, 0) for bonus in bonuses)
        self.slot_initiative = tuple(bonus.get(c.INITIATIVE, 0) for bonus in bonuses)

        colors, assignments = data["color"], data["assignment"]
        self.costs = _column(colors, "cost")
        self.hires_in = tuple(map(self.colors.index, _column(colors, "hires_in")))
        sexes = _column(colors, "assignment_slots")
        self.assignment_sexes = tuple(tuple(map(c.SEXES.index, both)) for both in sexes)
        self.helper_prices = tuple(_column(color["helpers"], "price") for color in colors)
        self.city_slots = tuple(map(tuple, _column(data["city"], "slots")))
        tiles = [(house, value) for house in data["house"] for value in c.TILE_VALUES]
        self.tiles = tuple(house["values"].count(value) for house, value in tiles)
        self.tile_names = tuple(f"{house['name']}{value}" for house, value in tiles)
        taken = _column(assignments, "meeples")
        self.meeples = tuple(c.MARKED if number == "..3" else number for number in taken)
        self.vp_per = tuple((row["vp"], c.CRITERIA.index(row["per"])) for row in data["vp_tile"])
        shields = (
            [tuple(map(board[career].count, self.houses)) for career in self.careers]
            for board in data["board"]
        )
        # The marriage row takes each House once (S10.1).
        self.shields = tuple((*rows, (1,) * c.NUM_HOUSES) for rows in shields)

        helpers = [helper for color in colors for helper in color["helpers"]]
        texts = [color["signoria"] for color in colors]
        for rows in (helpers, assignments, data["bonus_tile"]):
            texts += _column(rows, "effect")
        self.effects = tuple(map(_parse, texts))
        self.num_helper_slots, self.num_career_slots = len(helpers) // c.NUM_COLORS, len(slots)
        self.first_assignment = c.NUM_COLORS + len(helpers)
        self.first_bonus = self.first_assignment + c.NUM_ASSIGNMENTS
        parts = dict(part for effect in self.effects for part in effect)
        self.threshold_step: int = parts.get(c.THRESHOLD, 0)

    def dice_of_color(self, num_players: int) -> int:
        """Returns how many dice each color has (S2.6)."""
        return self._dice_of_color or c.DICE_PER_COLOR[num_players]

    def effect_name(self, effect: int) -> str:
        """Returns what gives an effect, such as "helper red 2" or "assignment fame"."""
        if effect < c.NUM_COLORS:
            return say("signoria {color}", color=say(self.colors[effect]))
        if effect < self.first_assignment:
            color, slot = divmod(effect - c.NUM_COLORS, self.num_helper_slots)
            return say("helper {color} {n}", color=say(self.colors[color]), n=slot + 1)
        if effect < self.first_bonus:
            return say("assignment {x}", x=say(self.assignments[effect - self.first_assignment]))
        return say("bonus tile {x}", x=say(self.bonus_tiles[effect - self.first_bonus]))

    def effect_words(self, effect: int) -> str:
        """Returns what an effect does, such as "4 track points, 1 Florin"."""
        parts = self.effects[effect]
        words = (
            say(_PART_WORDS[op].removesuffix("s" * (n == 1 and op < c.BARE)), n=n)
            for op, n in parts
        )
        return joined(", ", words)


def _find_faults(edition: Edition) -> Iterator[Found]:
    """Yields what a game may bring that a state cannot hold."""
    points, florins = most_gained(edition)
    florins += edition.florins + max(edition.extra_florins)
    for number, what in ((points, "points"), (florins, "Florins")):
        if number > MOST_HELD:
            found = f"a game may bring a seat {number:,} {what}; {MOST_HELD:,} can be held"
            yield "effects, rewards", found


def _column(rows: Sequence[Content], key: str) -> tuple[Any, ...]:
    return tuple(row[key] for row in rows)


def _parse(text: str) -> Effect:
    """Returns the effect that a text describes (N1); raises ValueError for an invalid text."""
    return tuple(map(_parse_part, text.split(", "))) if text else ()


def _parse_part(text: str) -> Part:
    word, space, number = text.partition(" ")
    op = c.OPS.index(word)
    if op >= c.BARE and not space:
        return op, 1
    if op >= c.BARE or number not in map(str, range(1, MOST + 1)):
        raise ValueError(text)
    return op, int(number)


def _name(value: object) -> Iterator[Found]:
    if not isinstance(value, str) or not value.isalpha() or len(value) > MOST:
        yield "", f"is {short_repr(value)}; it takes one word of letters"


def _meeples(value: object) -> Iterator[Found]:
    if value != "..3" and list(integer_in(1, 9)(value)):
        yield "", f"is {short_repr(value)}; it takes an integer from 1 to 9 or '..3'"


def _effect(value: object) -> Iterator[Found]:
    yield from string(value)
    try:
        right = not isinstance(value, str) or 1 <= len(_parse(value)) <= MOST_PARTS
    except ValueError:
        right = False
    if not right:
        numbered, bare = ", ".join(f"{op} N" for op in c.OPS[: c.BARE]), ", ".join(c.OPS[c.BARE :])
        yield "", f"is {short_repr(value)}; it takes parts joined by ', ': {numbered}, {bare}"


def _check(data: Content) -> Iterator[Found]:
    """Yields what is wrong with a file's content: keys and types, else what does not fit."""
    careers = list(list_of(_name, c.NUM_CAREERS)(data.get("careers")))
    if careers:
        yield from ((f"careers {place}".strip(), what) for place, what in careers)
        return
    faults = list(_schema(data["careers"])(data))
    yield from faults or _content_faults(data)


def _schema(careers: Sequence[str]) -> Check:
    """Returns the check of keys and types; boards have a key for each career."""
    number = integer_in(0, MOST)
    helper = table({"price": number, "effect": _effect})
    color = {
        "name": _name,
        "cost": integer_in(1, 12),
        "signoria": _effect,
        "hires_in": _name,
        "assignment_slots": list_of(one_of(*c.SEXES), 2),
        "helpers": list_of(helper),
    }
    setup = dict.fromkeys(
        ("florins", "males", "females", "stock_males", "stock_females", "helpers"), number
    ) | {"extra_florins": list_of(number, c.MAX_PLAYERS)}
    rewards = dict.fromkeys(("threshold", "florins", "pay", "pay_vp"), number)
    rewards |= {"wedding_florins": list_of(number, c.BONUS_ROUNDS), "bride_vp": list_of(number, 4)}
    size = {"rounds": integer_in(1, c.NUM_ROUNDS)}
    size |= dict.fromkeys(("dice", "dice_of_color"), integer_in(1, c.MAX_DICE))
    slot = {"rank": integer_in(1, 4), "vp": number, "bonus": _effect}
    city = {"name": _name, "slots": list_of(integer_in(1, 4))}
    house = {"name": _name, "values": list_of(integer_in(2, 5), c.TILES_PER_HOUSE)}
    bonus_tile = {"name": _name, "effect": _effect}
    assignment = bonus_tile | {"meeples": _meeples}
    vp_tile = {"name": _name, "vp": number, "per": one_of(*c.CRITERIA)}
    board = {"name": _name, **dict.fromkeys(careers, list_of(_name, 4))}
    return table(
        {
            "format": one_of(1),
            "game": one_of("signorie"),
            "name": string,
            "careers": list_of(_name, c.NUM_CAREERS),
            "initiative_vp": list_of(number),
            "size": table(size, optional=tuple(size)),
            "setup": table(setup),
            "rewards": table(rewards),
            "career_slot": entries("career_slot", slot, optional=("bonus",)),
            "color": entries("color", color, c.NUM_COLORS),
            "city": entries("city", city, c.NUM_CITIES),
            "house": entries("house", house, c.NUM_HOUSES),
            "assignment": entries("assignment", assignment, c.NUM_ASSIGNMENTS),
            "bonus_tile": entries("bonus_tile", bonus_tile, c.NUM_BONUS_TILES),
            "vp_tile": entries("vp_tile", vp_tile, c.NUM_VP_TILES),
            "board": entries("board", board, c.MAX_PLAYERS),
        },
        optional=("size",),
    )


def _content_faults(data: Content) -> Iterator[Found]:
    """Yields what does not fit together; keys and types are right."""
    yield from _name_faults(data)
    yield from _track_faults(data)
    yield from _color_faults(data["color"])
    yield from _effect_faults(data)
    for city in data["city"]:
        if not 1 <= len(city["slots"]) <= MOST_CITY_SLOTS:
            yield f"city {city['name']}", f"takes 1 to {MOST_CITY_SLOTS} slots"
        if sorted(city["slots"]) != city["slots"]:
            yield f"city {city['name']}", "its slots take rising values"
    houses = set(_column(data["house"], "name"))
    for board in data["board"]:
        for career in data["careers"]:
            if len(set(board[career])) != 3 or not set(board[career]) <= houses:
                yield f"board {board['name']}: {career}", "takes 4 shields of 3 Houses (S10.1)"


def _name_faults(data: Content) -> Iterator[Found]:
    kinds = ("color", "city", "house", "assignment", "bonus_tile", "vp_tile", "board")
    tables = {"careers": data["careers"], **{kind: _column(data[kind], "name") for kind in kinds}}
    for kind, names in tables.items():
        yield from ((kind, f"{n} occurs twice") for n, times in Counter(names).items() if times > 1)
    yield from (("color", f"{n} is a word of actions") for n in tables["color"] if n in _WORDS)
    for name in {"marriage", "name"} & set(data["careers"]):
        yield "careers", f"{name} is not a name of a career"


def _track_faults(data: Content) -> Iterator[Found]:
    """Yields what is wrong with the tracks' slots (S9)."""
    slots, initiative = data["career_slot"], data["initiative_vp"]
    if not 6 <= len(slots) <= 12:
        yield "career_slot", f"has {len(slots)} entries; it takes 6 to 12"
    ranks, vps = list(_column(slots, "rank")), list(_column(slots, "vp"))
    if ranks != sorted(ranks) or set(ranks) != {1, 2, 3, 4}:
        yield "career_slot", f"ranks are {ranks}; they never fall, and all of 1 to 4 occur"
    if vps != sorted(vps) or (vps[:1], vps[-1:]) != ([1], [13]):
        yield "career_slot", f"vp are {vps}; they never fall, the first is 1 and the last 13"
    for i, slot in enumerate(slots, start=1):
        ops = [op for op, _ in _parse(slot.get("bonus", ""))]
        if not set(ops) <= {c.FLORINS, c.INITIATIVE} or len(set(ops)) < len(ops):
            yield f"career_slot {i}: bonus", "takes florins and initiative, each once"
    if not 2 <= len(initiative) <= 20 or initiative != sorted(initiative):
        yield "initiative_vp", "takes 2 to 20 numbers that never fall"


def _color_faults(colors: Sequence[Content]) -> Iterator[Found]:
    """Yields what is wrong with the columns (S5.3, S6, S8)."""
    if sorted(_column(colors, "hires_in")) != sorted(_column(colors, "name")):
        yield "color", "hires_in takes each color once"
    heights = {len(color["helpers"]) for color in colors}
    if len(heights) > 1 or not heights <= set(range(1, 7)):
        yield "color", "each takes equally many helpers, 1 to 6"
    if sorted(op for color in colors for op, _ in _parse(color["signoria"])) != c.SIGNORIA_OPS:
        yield "color", "signoria takes tracks N, mission, offspring, florins N and marriage (S8)"


def _effect_faults(data: Content) -> Iterator[Found]:
    """Yields parts of effects that stand where they may not (N1)."""
    helpers = [
        {"name": f"{color['name']}: helpers", **helper}
        for color in data["color"]
        for helper in color["helpers"]
    ]
    raising = []
    for kind, rows in {**data, "color": helpers}.items():
        for row in rows if kind in ("assignment", "bonus_tile", "color") else ():
            place, ops = f"{kind} {row['name']}", [op for op, _ in _parse(row["effect"])]
            raising += [row] * (c.THRESHOLD in ops)
            if c.THRESHOLD in ops and (len(ops) > 1 or row.get("meeples") != "..3"):
                yield place, "threshold stands alone, on an assignment marked '..3'"
            if c.HALF_DIE_VP in ops and kind == "bonus_tile":
                yield place, "half_die_vp needs a die"
    if len(raising) > 1:
        yield "assignment", "threshold stands on one assignment at most"


shipped_editions, load_edition, read_edition = edition_loader(
    EDITIONS, _check, Edition, _find_faults
)
