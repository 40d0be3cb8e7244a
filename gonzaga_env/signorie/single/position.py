"""One position, and the observations of its seats."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain
from operator import sub

from gonzaga_env.kernel.bounded import Json
from gonzaga_env.kernel.chance import event_word, stream_starts
from gonzaga_env.kernel.errors import RecordError
from gonzaga_env.kernel.messages import short_repr
from gonzaga_env.kernel.single import BasePosition, one_hot_bytes
from gonzaga_env.signorie import constants as c
from gonzaga_env.signorie.config import GameConfig
from gonzaga_env.signorie.state import NO_EFFECT, NO_TILE, State

Event = list[Json]  # a name and what was drawn, as records hold it (N4)
NEVER = 1 << 20  # more Florins than anybody has; a value that no male has the rank for
_MAY_FAIL = (*c.ASKED, c.INITIATIVE)  # of the parts of an effect (N2)
CITY_SLOTS = ("marriage", "mission")  # of a city, in events


class Tables:
    """Tables that follow from the edition and never change."""

    def __init__(self, config: GameConfig) -> None:
        edition, stride = config.edition, config.actions.num_choices
        # The parts of each effect that may be impossible, [E].
        self.asked = tuple(
            tuple({op for op, _ in effect if op in _MAY_FAIL}) for effect in edition.effects
        )
        # Which actions of a color a set of values stands for, [64]; bit 0 is value 1.
        self.spread = tuple(
            sum(1 << stride * face for face in range(c.NUM_FACES) if values >> face & 1)
            for values in range(1 << c.NUM_FACES)
        )
        # Empty slots of each value by city and by taken slots, [5][...] bytes [4].
        self.empty = tuple(
            tuple(bytes(map(slots[taken:].count, range(1, 5))) for taken in range(len(slots) + 1))
            for slots in edition.city_slots
        )


#: Returns the tables of a configuration, built once.
tables_of = lru_cache(maxsize=64)(Tables)


class Position(BasePosition):
    """One game of P players.

    Axes after the second one are joined to it, so `careers` is [P][3 K] and `helpers` [P][5 H].
    """

    def __init__(self, config: GameConfig, state: State) -> None:
        super().__init__(config, state)
        self.edition, self.codec, self.tables = config.edition, config.actions, tables_of(config)
        for name in ("careers", "helpers", "held"):
            setattr(self, name, [list(chain.from_iterable(own)) for own in getattr(self, name)])
        self.stream = int(stream_starts(state.seed, state.episode)[0])
        # Which values the pool has of each color, [5] sets (bit 0 is value 1).
        self.values = [self._values(counts) for counts in self.pool]
        # Slots taken in each city, and the lowest empty slot's value or NEVER, [5] (S8.2).
        self.taken = [sum(meeples) for meeples in zip(*self.meeples, strict=True)]
        self.open = [NEVER] * c.NUM_CITIES
        for city in range(c.NUM_CITIES):
            self._find_open(city)
        # Shields without a face-up tile, [P][24] (S10.1).
        shields = (chain.from_iterable(self.edition.shields[board]) for board in self.boards)
        self.missing = [list(map(sub, *own)) for own in zip(shields, self.held, strict=True)]
        # Helpers in the supply (S1.3).
        self.discs_left = self.edition.helpers - sum(map(sum, self.helpers))
        self.outcomes: list[Event] | None = None  # events to come in place of chance
        self.clear_cached_bytes()
        self.begin_decision()

    def begin_decision(self) -> None:
        """Starts a new decision: nothing drawn, no points."""
        self.drawn: list[Event] = []
        self.points = [0] * self.num_players  # VP of every seat

    def clear_cached_bytes(self) -> None:
        """Clears the cached observation bytes of players and board; dice are never cached."""
        self.player_bytes: list[tuple[bytes, ...] | None] = [None] * self.num_players
        self.board_bytes: bytes | None = None

    def score(self, seat: int, source: int, points: int) -> None:
        self.scores[seat][source] += points
        self.points[seat] += points
        self.player_bytes[seat] = None

    def enter_city(self, seat: int, city: int) -> None:
        """Puts a meeple on a city's lowest empty slot (S8.2)."""
        self.meeples[seat][city] += 1
        self.taken[city] += 1
        self.board_bytes = None
        self._find_open(city)

    def _find_open(self, city: int) -> None:
        slots, taken = self.edition.city_slots[city], self.taken[city]
        self.open[city] = slots[taken] if self.cities[city] and taken < len(slots) else NEVER

    def take_die(self, color: int, value: int) -> None:
        self.pool[color][value - 1] -= 1
        self.values[color] = self._values(self.pool[color])

    @staticmethod
    def _values(counts: Sequence[int]) -> int:
        return sum([1 << face for face, count in enumerate(counts) if count])

    def set_up_round(self) -> None:
        """Fills cities, rolls the dice and lays out the assignments (S3.1, S4.1 to S4.3)."""
        self._refill()
        num_dice = self.edition.dice_of_color(self.num_players)
        given = self._next_outcome("dice") or [None] * c.NUM_COLORS
        rolls = [sorted(self._roll(num_dice, values)) for values in given]
        self.pool = [[roll.count(value) for value in range(1, c.NUM_FACES + 1)] for roll in rolls]
        self.values = [self._values(counts) for counts in self.pool]
        self.drawn.append(["dice", rolls])
        self._lay_assignments()

    def _refill(self) -> None:
        """Fills the empty slots of cities, as far as the deck lasts (S4.1)."""
        given, laid = self._next_outcome("refill"), list[list[str]]()
        for city, tiles in enumerate(self.city_tiles):
            for slot, name in enumerate(CITY_SLOTS):
                if self.cities[city] and tiles[slot] == NO_TILE and any(self.deck):
                    kind = self._draw_tile(given[len(laid)][2] if given else None)
                    tiles[slot] = kind
                    self.unseen[kind] -= 1
                    laid.append([self.edition.cities[city], name, self.edition.tile_names[kind]])
        self.drawn.append(["refill", laid])

    def _lay_assignments(self) -> None:
        names, given = self.edition.assignments, self._next_outcome("assignments")
        if given is None:
            words = [self._word() for _ in names]
            order = sorted(range(len(words)), key=words.__getitem__)
        else:
            order = [names.index(name) for name in given]
            if sorted(order) != list(range(c.NUM_ASSIGNMENTS)):
                raise RecordError("drawn: assignments take each of the ten once")
            self.event += c.NUM_ASSIGNMENTS
        self.assignments = order
        self.drawn.append(["assignments", [names[tile] for tile in order]])

    def roll_offspring(self, num_dice: int) -> int:
        """Returns how many males the dice of an Offspring bring (S8.3)."""
        values = self._roll(num_dice, self._next_outcome("offspring"))
        self.drawn.append(["offspring", values])
        return sum([value > c.NUM_FACES // 2 for value in values])

    def draw_face_down(self) -> None:
        """Draws a tile that nobody sees (S10.3)."""
        kind = self._draw_tile(self._next_outcome("tile"))
        self.drawn.append(["tile", self.edition.tile_names[kind]])

    def _roll(self, num_dice: int, given: list[int] | None) -> list[int]:
        """Returns the values of dice, one word for all (see `signorie.state`)."""
        if given is None:
            word, values = self._word() % c.NUM_FACES**num_dice, []
            for _ in range(num_dice):
                word, face = divmod(word, c.NUM_FACES)
                values.append(face + 1)
            return values
        if len(given) != num_dice or not all(v in range(1, c.NUM_FACES + 1) for v in given):
            raise RecordError(f"drawn: {short_repr(given)}; it takes {num_dice} dice")
        self.event += 1
        return list(given)

    def _draw_tile(self, given: str | None) -> int:
        """Takes a tile from the deck, which is not empty; returns its kind."""
        deck = self.deck
        if given is None:
            place, kind = self._word() % sum(deck), 0
            while place >= deck[kind]:
                place -= deck[kind]
                kind += 1
        else:
            names = self.edition.tile_names
            if given not in names or not deck[kind := names.index(given)]:
                raise RecordError(f"drawn: {short_repr(given)}, which is not in the deck")
            self.event += 1
        deck[kind] -= 1
        self.board_bytes = None
        return kind

    def _word(self) -> int:
        self.event += 1
        return event_word(self.stream, self.event - 1)

    def _next_outcome(self, name: str) -> Json:
        """Returns what the next of the given events drew; None for chance."""
        if self.outcomes is None:
            return None
        if not self.outcomes or self.outcomes[0][0] != name:
            found = short_repr(self.outcomes[0]) if self.outcomes else "nothing"
            raise RecordError(f"drawn: {found}; the next event is {name!r}")
        return self.outcomes.pop(0)[1]


_KINDS, _COLORS, _BOARDS = map(one_hot_bytes, (len(c.KINDS), c.NUM_COLORS, c.MAX_PLAYERS))
_ASSIGNMENTS, _BONUS, _VP = map(
    one_hot_bytes, (c.NUM_ASSIGNMENTS, c.NUM_BONUS_TILES, c.NUM_VP_TILES)
)
_NO_HOUSE, _NO_VALUE = bytes(c.NUM_HOUSES), bytes(len(c.TILE_VALUES))
#: House and value of each kind of tile; the last stands for none.
_HOUSE = (*(h for h in one_hot_bytes(c.NUM_HOUSES)[:-1] for _ in c.TILE_VALUES), _NO_HOUSE)
_VALUE = (*one_hot_bytes(len(c.TILE_VALUES))[:-1] * c.NUM_HOUSES, _NO_VALUE)
_CLOSED = bytes(len(c.TILE_VALUES))


def observe(position: Position, seat: int) -> bytes:
    """Returns what a seat knows, [D], in the layout of `features`."""
    p, over, effect = position.num_players, position.finished, position.effect
    order = (*range(seat, p), *range(seat))
    players = [position.player_bytes[other] or _player(position, other) for other in order]
    effects = one_hot_bytes(len(position.edition.effects))
    return b"".join(
        [
            *chain.from_iterable(zip(*players, strict=True)),
            one_hot_bytes(p)[p if over else (position.seat - seat) % p],
            _KINDS[position.kind],
            effects[-1] if effect == NO_EFFECT else effects[effect],
            bytes((position.part, position.left, position.repeats)),
            _COLORS[position.color],
            bytes((over, position.round)),
            *map(bytes, position.pool),
            position.board_bytes or _board(position),
        ]
    )


def _player(position: Position, seat: int) -> tuple[bytes, ...]:
    """Returns what is seen of a player, feature by feature, and keeps it until it changes."""
    scores = position.scores[seat]
    position.player_bytes[seat] = seen = (
        _clipped((sum(scores),)),
        _clipped(scores),
        _clipped((position.florins[seat],)),
        bytes(position.supply[seat]),
        bytes(position.stock[seat]),
        bytes(position.threshold[seat]),
        bytes(position.careers[seat]),
        bytes(position.placed[seat]),
        bytes(position.helpers[seat]),
        bytes((position.brides[seat],)),
        bytes(position.meeples[seat]),
        bytes((position.initiative[seat],)),
        bytes((position.height[seat],)),
        bytes((position.order.index(seat),)),
        bytes((position.passed[seat],)),
        _BOARDS[position.boards[seat]],
        bytes(position.missing[seat]),
        bytes(position.row_vp[seat]),
        bytes(position.face_down[seat]),
    )
    return seen


def _board(position: Position) -> bytes:
    """Returns what lies on the board but dice, and keeps it until it changes."""
    empty, cities = position.tables.empty, enumerate(position.cities)
    tiles = [tile for tiles in position.city_tiles for tile in tiles]
    position.board_bytes = b"".join(
        [
            *[_ASSIGNMENTS[tile] for tile in position.assignments],
            *[_BONUS[tile] for tile in position.bonus_tiles],
            *[_VP[tile] for tile in position.vp_tiles],
            bytes(position.cities),
            *[empty[i][position.taken[i]] if in_play else _CLOSED for i, in_play in cities],
            *[_HOUSE[tile] for tile in tiles],
            *[_VALUE[tile] for tile in tiles],
            bytes((sum(position.deck), *position.unseen)),
        ]
    )
    return position.board_bytes


def _clipped(numbers: Iterable[int]) -> bytes:
    return bytes([number if number < 255 else 255 for number in numbers])
