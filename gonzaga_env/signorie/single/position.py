"""The full state of one game in plain Python, and what is drawn in it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from operator import sub
from typing import Any

from gonzaga_env.signorie import constants as c
from gonzaga_env.signorie.config import GameConfig
from gonzaga_env.signorie.state.state import NO_TILE, State, state_layout
from gonzaga_env.tabletop.bounded.text import short_repr
from gonzaga_env.tabletop.chance import event_word, stream_starts
from gonzaga_env.tabletop.engines.position import BasePosition
from gonzaga_env.tabletop.errors import RecordError

Event = list[Any]  # a name and what was drawn, as records hold it (N4)
NEVER = 1 << 20  # more Florins than anybody has; a value that no male has the rank for
_MAY_FAIL = (*c.ASKED, c.INITIATIVE)  # of the parts of an effect (N2)
CITY_SLOTS = ("marriage", "mission")  # of a city, in events


class Tables:
    """What follows from the edition and never changes."""

    def __init__(self, config: GameConfig) -> None:
        """Computes the tables."""
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

    STATE, LAYOUT = State, staticmethod(state_layout)

    def __init__(self, config: GameConfig, state: State) -> None:
        """Reads a state of one game."""
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
        self.show_all()
        self.forget()

    def forget(self) -> None:
        """Starts a new decision: nothing drawn, no points."""
        self.drawn: list[Event] = []
        self.points = [0] * self.num_players  # VP of every seat

    def show_all(self) -> None:
        """Forgets what is seen of the players, and of the board but dice (`observations`)."""
        self.seen: list[tuple[bytes, ...] | None] = [None] * self.num_players
        self.seen_table: bytes | None = None

    def score(self, seat: int, source: int, points: int) -> None:
        """Scores VP."""
        self.scores[seat][source] += points
        self.points[seat] += points
        self.seen[seat] = None

    def enter_city(self, seat: int, city: int) -> None:
        """Puts a meeple on a city's lowest empty slot (S8.2)."""
        self.meeples[seat][city] += 1
        self.taken[city] += 1
        self.seen_table = None
        self._find_open(city)

    def _find_open(self, city: int) -> None:
        slots, taken = self.edition.city_slots[city], self.taken[city]
        self.open[city] = slots[taken] if self.cities[city] and taken < len(slots) else NEVER

    def take_die(self, color: int, value: int) -> None:
        """Takes a die from the pool."""
        self.pool[color][value - 1] -= 1
        self.values[color] = self._values(self.pool[color])

    @staticmethod
    def _values(counts: Sequence[int]) -> int:
        return sum([1 << face for face, count in enumerate(counts) if count])

    def set_up_round(self) -> None:
        """Fills cities, rolls the dice and lays out the assignments (S3.1, S4.1 to S4.3)."""
        self._refill()
        num_dice = self.edition.dice_of_color(self.num_players)
        given = self._given("dice") or [None] * c.NUM_COLORS
        rolls = [sorted(self._roll(num_dice, values)) for values in given]
        self.pool = [[roll.count(value) for value in range(1, c.NUM_FACES + 1)] for roll in rolls]
        self.values = [self._values(counts) for counts in self.pool]
        self.drawn.append(["dice", rolls])
        self._lay_assignments()

    def _refill(self) -> None:
        """Fills the empty slots of cities, as far as the deck lasts (S4.1)."""
        given, laid = self._given("refill"), list[list[str]]()
        for city, tiles in enumerate(self.city_tiles):
            for slot, name in enumerate(CITY_SLOTS):
                if self.cities[city] and tiles[slot] == NO_TILE and any(self.deck):
                    kind = self._draw_tile(given[len(laid)][2] if given else None)
                    tiles[slot] = kind
                    self.unseen[kind] -= 1
                    laid.append([self.edition.cities[city], name, self.edition.tile_names[kind]])
        self.drawn.append(["refill", laid])

    def _lay_assignments(self) -> None:
        names, given = self.edition.assignments, self._given("assignments")
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
        values = self._roll(num_dice, self._given("offspring"))
        self.drawn.append(["offspring", values])
        return sum([value > c.NUM_FACES // 2 for value in values])

    def draw_face_down(self) -> None:
        """Draws a tile that nobody sees (S10.3)."""
        kind = self._draw_tile(self._given("tile"))
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
        self.seen_table = None
        return kind

    def _word(self) -> int:
        self.event += 1
        return event_word(self.stream, self.event - 1)

    def _given(self, name: str) -> Any:
        """Returns what the next of the given events drew; None for chance."""
        if self.outcomes is None:
            return None
        if not self.outcomes or self.outcomes[0][0] != name:
            found = short_repr(self.outcomes[0]) if self.outcomes else "nothing"
            raise RecordError(f"drawn: {found}; the next event is {name!r}")
        return self.outcomes.pop(0)[1]
