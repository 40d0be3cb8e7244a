"""A slow, naive oracle of The Castles of Tuscany, from the numbered rules alone (T1 to T12).

It shares no code and no table with the engines: a region is a dict of cells, a pile is a Counter,
and the game is one generator that asks (`yield`) for the text of an action wherever the rules
leave a choice. It is here to be compared with the engines, so it prefers the obvious way to the
fast one. Chance is told: each action comes with the pieces that were turned up after it.
"""

import tomllib
from collections import Counter, deque
from collections.abc import Generator, Iterable, Sequence
from itertools import combinations_with_replacement, permutations, product
from pathlib import Path
from typing import Any

Legal = set[str]
Asking = Generator[Legal, str, None]
Answer = Generator[Legal, str, str]

COLOURS = "VAWMQCIF"  # T1.1
KINDS = (*"VWMQCIF", "AO", "AG", "AW", "AL", "AOG", "AOW", "AOL", "AGW", "AGL", "AWL")
BONUS_TYPES = ("card", "storage", "marble", "worker", "yield")  # T1.3
EDITION: dict[str, Any] = tomllib.loads(
    (Path(__file__).parent.parent / "gonzaga_env/tuscany/editions/reconstruction.toml").read_text()
)
HEXAGON = "hexagon"
MOST_SWEEPS = 10  # of one refill (T5.5)
STARTING_CASTLE = "starting castle"
ZONE_POINTS = {1: 1, 2: 3, 3: 6}  # T7.1
GREEN = ("zones", "colours", "crops", "storage", "yield_green")
RED = ("yield_red", "full_storage")  # won during the game, besides T11
LATE_RED = ("round_1", "round_2", "round_3", "tiles", "hexagons", "marble", "workers", "cards")
DEFAULT_RULES = {
    "draw_base": 2,
    "round_end": "turn",
    "final_turns": "one_each",
    "colour_bonus": "literal",
    "bonus_gains": "every",
    "storage_points": "always",
    "hexagon_same_turn": False,
    "max_laps": 100,
}


class OraclePlayer:
    """What one player has.

    Attributes:
        boards: the three boards, by letter of their set, as printed.
        region: colour by cell; empty until the layout is chosen.
        neighbours: the cells that each cell touches.
        covered: what lies on each covered cell: a kind, a hexagon or the starting castle.
        unturned: the own tiles that nobody has seen.
        new_hexagons: wooden hexagons won in the running turn (B8).
        points: points by source.
    """

    def __init__(self, edition: dict[str, Any], boards: Iterable[str], hand: str) -> None:
        self.boards = {name[0]: edition["boards"][name] for name in boards}
        self.hand = Counter(hand)
        self.region: dict[str, str] = {}
        self.neighbours: dict[str, set[str]] = {}
        self.covered: dict[str, str] = {}
        self.unturned = Counter(edition["player_tiles"])
        self.storage: Counter[str] = Counter()
        self.bonus: Counter[str] = Counter()
        self.marble = self.workers = self.new_hexagons = self.turned = 0
        self.points: Counter[str] = Counter()

    @property
    def green(self) -> int:
        """The green points: all that were won, as green is not reset (T11.1)."""
        return sum(self.points[source] for source in GREEN)

    @property
    def red_now(self) -> int:
        """The red points won at once, without those of T11."""
        return sum(self.points[source] for source in RED)

    @property
    def red(self) -> int:
        """All red points."""
        return self.red_now + sum(self.points[source] for source in LATE_RED)

    @property
    def free_space(self) -> int:
        """The number of free storage spaces (T9.1)."""
        return 1 + self.bonus["storage"] - self.storage.total()

    @property
    def empty(self) -> int:
        """The number of empty region hexes."""
        return len(self.region) - len(self.covered)

    def lay_out(self, text: str) -> None:
        """Joins the boards as the text of a layout says (notation, 2)."""
        *boards, signs = text.split()
        x_y: dict[str, tuple[int, int]] = {}
        top = 0
        for number, (place, board) in enumerate(zip("LMR", boards, strict=True)):
            if number:
                top += 1 if signs[number - 1] == "+" else -1
            letters = self.boards[board[0]]
            if board.endswith("'"):
                letters = letters[::-1]
            for i, colour in enumerate(letters):
                column, row = (0, i) if i < 3 else (1, i - 3) if i < 7 else (2, i - 7)
                cell = f"{place}{i + 1}"
                self.region[cell] = colour
                x_y[cell] = (3 * number + column, top + 2 * row + (column != 1))
        for cell, (x, y) in x_y.items():
            self.neighbours[cell] = {
                other
                for other, (u, v) in x_y.items()
                if (abs(x - u), abs(y - v)) in {(0, 2), (1, 1)}
            }

    def zone(self, cell: str) -> set[str]:
        """Returns the connected group of equal hexes around a cell (T7.1)."""
        found, edge = {cell}, {cell}
        while edge:
            near = set().union(*(self.neighbours[c] for c in edge))
            edge = {c for c in near - found if self.region[c] == self.region[cell]}
            found |= edge
        return found

    def open_cells(self) -> set[str]:
        """Returns the empty cells that touch a covered one (T6.1)."""
        near = set().union(*(self.neighbours[cell] for cell in self.covered))
        return near - self.covered.keys()

    def payments(self, colour: str) -> Legal:
        """Returns the ways to pay for a hex of a colour (T6.2, B6)."""
        units = {"own": self.hand[colour], "worker": self.workers}
        units |= {2 * c: self.hand[c] // 2 for c in COLOURS if c != colour}
        pairs = combinations_with_replacement(units, 2)
        return {
            f"pay {x}+{y}" for x, y in pairs if (units[x] >= 2 if x == y else units[x] and units[y])
        }


class OracleGame:
    """One game by the naive rules, from a deal as in records (notation, 5).

    Attributes:
        seat: the seat that is asked; None when the game is over.
        legal: the texts of its legal actions; empty when the game is over.
        drawn: what was turned up after the last action, in the texts of records.
        round: the running round, from 1.
        turns: the number of turns that are over.
        seen: how often each rare thing has happened, by name.
    """

    def __init__(
        self, edition: dict[str, Any], deal: dict[str, Any], rules: dict[str, Any] | None = None
    ) -> None:
        self.edition = edition
        self.rules = DEFAULT_RULES | (rules or {})
        pairs = zip(deal["boards"], deal["hands"], strict=True)
        self.players = [OraclePlayer(edition, boards, hand) for boards, hand in pairs]
        self.num_players = len(self.players)
        self.start: int = deal["start"]
        self.display: Counter[str] = Counter()
        self._deal = deal  # its display is turned up last, by chance if it names none (T2.4)
        self.piles = {
            "region": _without(edition["region_cards"], "".join(deal["hands"])),
            "yield": Counter(edition["yield_cards"]),
            "neutral": Counter(edition["neutral_tiles"]),
        }
        # Region and yield cards discarded, neutral tiles set aside (T4.2, T8.8, T5.5).
        self.discards: dict[str, Counter[str]] = {name: Counter() for name in self.piles}
        self.bonus_stock = Counter(dict.fromkeys(BONUS_TYPES, 5))  # T1.3
        self.colours_done: Counter[str] = Counter()  # players who covered all of a colour
        self.round, self.turns = 1, 0
        self.last_turn: int | None = None
        self.finished = self.truncated = False
        self.seen: Counter[str] = Counter()
        self.drawn: list[str] = []
        self._told: deque[str] | None = None
        self.seat: int | None = self.start
        self._asking = self._game()
        self.legal = next(self._asking)

    def play(self, action: str, drawn: Sequence[str] | None = None) -> list[int]:
        """Plays the text of a legal action; returns the green and red points it won at once.

        `drawn` is what chance turned up; without it, each pile yields its first piece in the order
        of the notation.
        """
        if action not in self.legal or self.seat is None:
            raise ValueError(f"{action!r} is not legal; legal are {sorted(self.legal)}")
        player = self.players[self.seat]
        before = player.green, player.red_now
        self._told = None if drawn is None else deque(drawn)
        self.drawn = []
        try:
            self.legal = self._asking.send(action)
        except StopIteration:
            self.legal, self.seat = set(), None
        if self._told:
            raise ValueError(f"nothing turns up {list(self._told)} after {action!r}")
        return [player.green - before[0], player.red_now - before[1]]

    # ------------------------------------------------------------- the course of the game

    def _game(self) -> Asking:
        yield from self._setup()
        yield from self.turns_to_come()

    def turns_to_come(self) -> Asking:
        """Plays turns until the game is over."""
        while not self.finished:
            yield from self._turn()
            self._end_turn()

    def _clockwise(self) -> list[int]:
        return [(self.start + i) % self.num_players for i in range(self.num_players)]

    def _setup(self) -> Asking:
        """T2.4, in the order of the notation, 3."""
        for seat in self._clockwise():
            self.seat, player = seat, self.players[seat]
            player.lay_out((yield _layouts()).removeprefix("layout "))
            castles = [cell for cell, colour in player.region.items() if colour == "F"]
            cell = yield {f"tile {castle}" for castle in castles}
            player.covered[cell.removeprefix("tile ")] = STARTING_CASTLE  # T7.3: no points
        for seat in self._clockwise():
            self.seat = seat
            bonus = yield self._bonus_types()
            self._gain_bonus(self.players[seat], bonus, at_setup=True)
        for tile in self._deal["display"] or 8 * [None]:
            self._turn_up_neutral(tile)

    def _turn(self) -> Asking:
        """T3."""
        self.seat = self._clockwise()[self.turns % self.num_players]
        player = self.players[self.seat]
        player.new_hexagons = 0
        marble_before = player.marble
        yield from self._action(player)
        if player.marble and (yield {"marble", "end"}) == "marble":  # T3.2, B9
            self.seen["marble won and spent at once"] += not marble_before
            player.marble -= 1
            yield from self._action(player)

    def _end_turn(self) -> None:
        """T10, and the tests at the end of a turn (notation, 3)."""
        self.turns += 1
        rules, scored = self.rules, False
        lap_over = self.turns % self.num_players == 0
        most = max(player.turned for player in self.players)
        if self.round < 3:
            if most >= 7 * self.round and (lap_over or rules["round_end"] == "turn"):
                self._score_round()
                self.round, scored = self.round + 1, True
        elif most >= 21 and self.last_turn is None:
            whole_laps = -(-self.turns // self.num_players) * self.num_players
            ended = self.turns if rules["final_turns"] == "one_each" else whole_laps
            self.last_turn = ended + self.num_players
        if self.turns == self.last_turn:
            self._score_round()
            self._finish()
        elif self.turns == rules["max_laps"] * self.num_players:
            if not scored:
                self._score_round()
            self.truncated = True
            self._finish()

    def _score_round(self) -> None:
        """T11.1."""
        for player in self.players:
            player.points[f"round_{self.round}"] = player.green

    def _finish(self) -> None:
        """T11.2."""
        self.finished = True
        for player in self.players:
            hexagons = player.storage[HEXAGON]
            player.points["tiles"] = player.storage.total() - hexagons
            player.points["hexagons"] = hexagons
            player.points["marble"] = player.marble
            player.points["workers"] = player.workers
            player.points["cards"] = player.hand.total() // 3

    # ------------------------------------------------------------- the three actions

    def _action(self, player: OraclePlayer) -> Asking:
        """T3.1."""
        verb, _, what = (yield self._main(player)).partition(" ")
        if verb == "draw":
            self._draw_cards(player, self.rules["draw_base"] + player.bonus["card"])  # T4.1
        elif verb == "take":
            yield from self._take(player, what)
        else:
            yield from self._place(player, what, HEXAGON if verb == HEXAGON else "")

    def _main(self, player: OraclePlayer) -> Legal:
        legal = {"draw"} | {f"take {kind}" for kind in +self.display}
        ready = player.storage[HEXAGON]
        if not self.rules["hexagon_same_turn"]:
            ready -= player.new_hexagons  # B8
        stored = {kind[0] for kind in +player.storage if kind != HEXAGON}
        payable = {colour for colour in COLOURS if player.payments(colour)}
        for cell in player.open_cells():
            colour = player.region[cell]
            if colour in payable & stored:
                legal.add(f"tile {cell}")
            if colour in payable and ready > 0:
                legal.add(f"hexagon {cell}")
        return legal

    def _take(self, player: OraclePlayer, kind: str) -> Asking:
        """T5."""
        if player.free_space == 0:  # T5.2
            removed = yield from _choose("remove", +player.storage)
            self.seen["removed"] += 1
            player.storage[removed] -= 1
        self.display[kind] -= 1
        player.storage[kind] += 1
        self._refill(player)

    def _place(self, player: OraclePlayer, cell: str, kind: str) -> Asking:
        """T6: with a wooden hexagon where `kind` says so, else with a stored tile."""
        colour = player.region[cell]
        if not kind:
            kind = yield from self._tile_of(colour, player.storage)
        payment = yield from _choose("pay", [text[4:] for text in player.payments(colour)])
        for unit in payment.split("+"):
            self._pay(player, colour, unit)
        first, second = payment.split("+")
        self.seen["four equal cards"] += first == second and first not in {"own", "worker"}
        player.storage[kind] -= 1
        player.covered[cell] = kind
        yield from self._score_and_act(player, cell)

    def _tile_of(self, colour: str, tiles: Counter[str]) -> Answer:
        kinds = [kind for kind in +tiles if kind != HEXAGON and kind[0] == colour]
        return (yield from _choose("crop", kinds))

    def _pay(self, player: OraclePlayer, colour: str, unit: str) -> None:
        """T6.2: one unit; cards go to the discards."""
        if unit == "worker":
            player.workers -= 1
            return
        for card in colour if unit == "own" else unit:
            player.hand[card] -= 1
            self.discards["region"][card] += 1

    # ------------------------------------------------------------- points and effects

    def _score_and_act(self, player: OraclePlayer, cell: str) -> Asking:
        """T6.4: zone, colour, effect of the cell that was just covered."""
        colour, covered = player.region[cell], player.covered.keys()
        zone = player.zone(cell)
        if zone <= covered:
            player.points["zones"] += ZONE_POINTS[len(zone)]
        if all(player.region[c] != colour for c in player.region.keys() - covered):
            player.points["colours"] += self._colour_points(colour)
        effects = {
            "F": self._castle,
            "C": self._city,
            "I": self._inn,
            "A": self._agriculture,
            "Q": self._quarry,
            "V": self._village,
            "M": self._monastery,
            "W": self._wagon,
        }
        yield from effects[colour](player, cell)

    def _colour_points(self, colour: str) -> int:
        """T7.2, B3."""
        rank = self.colours_done[colour]
        self.colours_done[colour] += 1
        if rank >= 2:
            return 0
        literal = self.rules["colour_bonus"] == "literal"
        return (1, 2)[rank] if literal else self.edition["colour_bonus"][colour][rank]

    def _castle(self, player: OraclePlayer, _: str) -> Asking:
        """T8.1."""
        colours = {kind[0] for kind in +self.display}
        cells = {cell for cell in player.open_cells() if player.region[cell] in colours}
        if not cells:
            return  # B10
        answer = yield {f"tile {cell}" for cell in cells} | {"end"}
        if answer == "end":
            return
        cell = answer.removeprefix("tile ")
        kind = yield from self._tile_of(player.region[cell], self.display)
        self.display[kind] -= 1
        player.covered[cell] = kind
        sweeps = self.seen["sweep"]
        self.seen["castle"] += 1
        self._refill(player)
        self.seen["castle and sweep"] += self.seen["sweep"] > sweeps
        self.seen["castle chain"] += kind == "F"
        self.seen["castle chain with a sweep"] += kind == "F" and self.seen["sweep"] > sweeps
        yield from self._score_and_act(player, cell)

    def _city(self, player: OraclePlayer, _: str) -> Asking:
        """T8.2."""
        types = [kind.removeprefix("bonus ") for kind in self._bonus_types()]
        if types:
            bonus = yield from _choose("bonus", types)
            self._gain_bonus(player, f"bonus {bonus}")

    def _inn(self, player: OraclePlayer, _: str) -> Asking:
        """T8.3."""
        self._gain_hexagon(player)
        yield from ()

    def _agriculture(self, player: OraclePlayer, cell: str) -> Asking:
        """T8.4."""
        others = [player.covered.get(c, "") for c in player.zone(cell) - {cell}]
        known = set().union(*(kind[1:] for kind in others if kind != HEXAGON))
        kind = player.covered[cell]
        player.points["crops"] += 1 if kind == HEXAGON else len(set(kind[1:]) - known)
        yield from ()

    def _quarry(self, player: OraclePlayer, _: str) -> Asking:
        """T8.5."""
        player.marble += 1 + player.bonus["marble"]
        yield from ()

    def _village(self, player: OraclePlayer, _: str) -> Asking:
        """T8.6."""
        player.workers += 1 + player.bonus["worker"]
        yield from ()

    def _monastery(self, player: OraclePlayer, _: str) -> Asking:
        """T8.7."""
        self._draw_cards(player, 3)
        yield from ()

    def _wagon(self, player: OraclePlayer, _: str) -> Asking:
        """T8.8."""
        for _number in range(1 + player.bonus["yield"]):
            card = self._turn_up("yield", "yield")
            if card is not None:
                self._gain_yield(player, card)
                self.discards["yield"][card] += 1
        yield from ()

    def _gain_yield(self, player: OraclePlayer, card: str) -> None:
        """M4; what +1 marble and +1 worker tiles add here is an option (B5)."""
        gain, number = card.split()
        if gain in ("worker", "marble") and self.rules["bonus_gains"] == "every":
            number = str(int(number) + player.bonus[gain])
        if gain == "green":
            player.points["yield_green"] += int(number)
        elif gain == "red":
            player.points["yield_red"] += int(number)
        elif gain == "cards":
            self._draw_cards(player, int(number))
        elif gain == "worker":
            player.workers += int(number)
        elif gain == "marble":
            player.marble += int(number)
        else:
            for _ in range(int(number)):
                self._gain_hexagon(player)

    def _gain_hexagon(self, player: OraclePlayer) -> None:
        """T8.3, B14."""
        if player.free_space > 0:
            player.storage[HEXAGON] += 1
            player.new_hexagons += 1
        else:
            player.points["full_storage"] += 2
            self.seen["refused hexagon"] += 1

    def _bonus_types(self) -> Legal:
        return {f"bonus {kind}" for kind in +self.bonus_stock}

    def _gain_bonus(self, player: OraclePlayer, text: str, at_setup: bool = False) -> None:
        """T9.2, T9.3 (B4)."""
        kind = text.removeprefix("bonus ")
        self.bonus_stock[kind] -= 1
        player.bonus[kind] += 1
        if kind == "storage" and (at_setup or self.rules["storage_points"] == "always"):
            player.points["storage"] += 2

    # ------------------------------------------------------------- piles and display

    def _draw_cards(self, player: OraclePlayer, number: int) -> None:
        """T4.2: still short, draw what there is."""
        for _ in range(number):
            card = self._turn_up("region", "card")
            if card is not None:
                player.hand[card] += 1

    def _refill(self, player: OraclePlayer) -> None:
        """T5.3 to T5.5."""
        if player.unturned.total():
            tile = self._chance("stack", player.unturned)
            player.turned += 1
            self.display[tile] += 1
        else:
            self.seen["refilled from the neutral stack"] += 1
            self._turn_up_neutral()
        for _ in range(MOST_SWEEPS):
            colour = self._to_sweep()
            if colour is None:
                return
            self.seen["sweep"] += 1
            self.drawn.append(f"sweep {colour}")
            self._expect(self.drawn[-1])
            swept = [kind for kind in self.display.elements() if kind[0] == colour]
            self.display.subtract(swept)
            self.discards["neutral"].update(swept)
            for _ in swept:
                self._turn_up_neutral()

    def _turn_up_neutral(self, dealt: str | None = None) -> None:
        """Turns up a neutral tile, that of the deal where one is named."""
        if dealt is not None:
            self.piles["neutral"] = _without(self.piles["neutral"], [dealt])
        tile = dealt or self._turn_up("neutral", "neutral")
        if tile is not None:
            self.display[tile] += 1

    def _to_sweep(self) -> str | None:
        """Returns the colour that is to be swept (T5.5; notation, 3, rulings)."""
        colours = Counter(kind[0] for kind in self.display.elements())
        to_come = {kind[0] for kind in self.piles["neutral"] + self.discards["neutral"]}
        many = [colour for colour, number in colours.items() if number >= 5]
        return next((colour for colour in many if to_come - {colour}), None)

    def _turn_up(self, name: str, word: str) -> str | None:
        """Returns the next piece of a pile, renewed if it is empty; None if there is none."""
        pile, discards = self.piles[name], self.discards[name]
        if not pile.total():
            if not discards.total():
                self.seen[f"nothing left of {name}"] += 1
                return None
            self.seen[f"shuffle {name}"] += 1
            self.drawn.append(f"shuffle {name}")
            self._expect(self.drawn[-1])
            pile.update(discards)
            discards.clear()
        return self._chance(word, pile)

    def _chance(self, word: str, pile: Counter[str]) -> str:
        """Returns the piece that chance takes off a pile."""
        if self._told is None:
            order = (*self.edition["yield_cards"], *COLOURS, *KINDS)
            piece = next(piece for piece in order if pile[piece])
        elif self._told and self._told[0].startswith(f"{word} "):
            piece = self._told.popleft().removeprefix(f"{word} ")
        else:
            raise ValueError(f"a {word} piece is turned up, not {list(self._told)}")
        if pile[piece] < 1:
            raise ValueError(f"no {piece} is left to be turned up ({word})")
        pile[piece] -= 1
        self.drawn.append(f"{word} {piece}")
        return piece

    def _expect(self, text: str) -> None:
        if self._told is not None and (not self._told or self._told.popleft() != text):
            raise ValueError(f"{text!r} is missing in what was drawn")

    # ------------------------------------------------------------- the end

    def scores(self) -> dict[str, list[int]]:
        """Returns the points by source, by seat (notation, 5)."""
        sources = (*GREEN, *LATE_RED[:3], *RED, *LATE_RED[3:])
        found = {source: [p.points[source] for p in self.players] for source in sources}
        totals = {"green": [p.green for p in self.players], "total": [p.red for p in self.players]}
        return found | totals

    def winners(self) -> list[int]:
        """Returns the winning seats (T11.3)."""
        ranks = [(p.red, p.empty, -p.green, -p.hand.total()) for p in self.players]
        return [seat for seat, rank in enumerate(ranks) if rank == max(ranks)]

    def final(self) -> dict[str, Any]:
        """Returns what lies on the table, as a record's `final` has it."""
        stored = (*KINDS, HEXAGON)
        return {
            "hands": ["".join(c * p.hand[c] for c in COLOURS) for p in self.players],
            "storage": [[k for k in stored for _ in range(p.storage[k])] for p in self.players],
            "bonus": [[p.bonus[kind] for kind in BONUS_TYPES] for p in self.players],
            "turned": [p.turned for p in self.players],
            "regions": ["".join(_region_letters(p)) for p in self.players],
            "empty": [p.empty for p in self.players],
            "display": [kind for kind in KINDS for _ in range(self.display[kind])],
        }


def _layouts() -> Legal:
    """Returns the 96 layouts up to a half turn (M1)."""
    turns, signs = ("", "'"), ("++", "+-", "-+", "--")
    return {
        f"layout {a}{left} {b} {c}{right} {joints}"
        for (a, b, c), left, right, joints in product(permutations("ABC"), turns, turns, signs)
    }


def _choose(verb: str, options: Iterable[str]) -> Answer:
    """Asks for one of several options; a single one is not asked for (notation, 3)."""
    texts = {f"{verb} {option}" for option in options}
    answer = texts.pop() if len(texts) == 1 else (yield texts)
    return answer.removeprefix(f"{verb} ")


def _without(pieces: dict[str, int], taken: Iterable[str]) -> Counter[str]:
    pile = Counter(pieces)
    pile.subtract(taken)
    if min(pile.values()) < 0:
        raise ValueError("the deal takes more pieces than there are")
    return pile


def _region_letters(player: OraclePlayer) -> Iterable[str]:
    for cell, colour in player.region.items():
        yield colour.lower() if cell in player.covered else colour
