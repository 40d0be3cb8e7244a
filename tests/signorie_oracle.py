"""A slow, naive oracle of Signorie, from the numbered rules alone (S1 to S13).

It shares no code and no table with the engines: a career is a list of slots, a deck a Counter, the
initiative track a list of stacks, and the game is one generator that asks (`yield`) for the text
of an action wherever the rules leave a choice. It is here to be compared with the engines, so it
prefers the obvious way to the fast one. Chance is told: each action comes with the events (N4)
that followed it, and the oracle checks that they can happen.
"""

import tomllib
from collections import Counter, deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from copy import copy
from pathlib import Path
from typing import Any

Legal = set[str]
Event = list[Any]
Asking = Generator[Legal, str, None]
Answer = Generator[Legal, str, str]

EDITION: dict[str, Any] = tomllib.loads(
    (Path(__file__).parent.parent / "gonzaga_env/signorie/editions/reconstruction.toml").read_text()
)
# Of the printed game; a small edition has less of either (S3.1, S5.2).
PRINTED_SIZE = {"rounds": 7, "dice": 4}
MOST_DOWRY = 4  # S8.5
FEWEST_TILES = 3  # S12.2
DICE = {2: 2, 3: 3, 4: 4}  # of each color, by number of players (S2.6)
REMOVED = {2: 2, 3: 1, 4: 0}
CITIES = {2: 3, 3: 4, 4: 5}
PURPOSES = ("marriage", "mission")
SOURCES = (
    *("missions", "marriages", "initiative", "helpers", "assignments", "rewards", "weddings"),
    *("careers", "tiles"),
)


class OraclePlayer:
    """What one player has.

    Attributes:
        seat: the number of the player.
        board: the name of the player's board.
        shields: the Houses that each row wants, by name of the row (S10.1).
        supply: available meeples by sex; `stock` those in the General Stock.
        threshold: the sexes of the meeples on the threshold space.
        careers: slots (1 is the bottom) of the own males, by career.
        dice: values of the dice placed this round, by color.
        helpers: (color of the column, slot) of the own helpers.
        brides: without the printed wife.
        fronts: face-up tiles by row; `backs` the face-down ones, by row too.
        points: points by source.
    """

    def __init__(self, edition: dict[str, Any], seat: int, board: str, position: int) -> None:
        setup = edition["setup"]
        self.seat, self.board = seat, board
        printed = _named(edition["board"], board)
        self.shields = {career: list(printed[career]) for career in edition["careers"]}
        self.shields["marriage"] = [house["name"] for house in edition["house"]]
        self.florins: int = setup["florins"] + setup["extra_florins"][position]  # S2.2
        self.supply = Counter(male=setup["males"], female=setup["females"])
        self.stock = Counter(male=setup["stock_males"], female=setup["stock_females"])
        self.threshold: list[str] = []
        self.careers: dict[str, list[int]] = {career: [] for career in edition["careers"]}
        self.dice: dict[str, int] = {}
        self.helpers: set[tuple[str, int]] = set()
        self.brides = 0
        self.fronts: dict[str, list[str]] = {row: [] for row in self.shields}
        self.backs: dict[str, list[str]] = {row: [] for row in self.shields}
        self.points: Counter[str] = Counter()

    def with_less(self, florins: int, sex: str = "male", meeples: int = 0) -> "OraclePlayer":
        """Returns this player with fewer florins and meeples, to ask what is possible then."""
        other = copy(self)
        other.florins -= florins
        other.supply = self.supply - Counter({sex: meeples})
        return other

    def wants(self, row: str, tile: str) -> bool:
        """Returns whether a face-up tile may join a row (S10.2)."""
        held = [front[0] for front in self.fronts[row]]
        return held.count(tile[0]) < self.shields[row].count(tile[0])

    def receive(self, sex: str) -> bool:
        """Moves a meeple from the General Stock to the supply, if there is one."""
        there = self.stock[sex] > 0
        self.stock[sex] -= there
        self.supply[sex] += there
        return there


class OracleCity:
    """A city in play.

    Attributes:
        empty: the values of the empty slots, rising.
        meeples: the seats that have a meeple here, once a meeple.
        tiles: the tile of each purpose; None where there is none.
    """

    def __init__(self, slots: Sequence[int]) -> None:
        self.empty = list(slots)
        self.meeples: list[int] = []
        self.tiles: dict[str, str | None] = dict.fromkeys(PURPOSES)


class OracleGame:
    """One game by the naive rules, from a deal as in records (N4).

    Attributes:
        seat: the seat that is asked; None when the game is over.
        legal: the texts of its legal actions; empty when the game is over.
        round: the running round, from 1.
        order: the seats in turn order.
        stacks: the seats on each slot of the initiative track, bottom disc first.
        to_act: the seats that have not passed, the next one first.
        seen: how often each rare thing has happened, by name.
    """

    def __init__(self, edition: dict[str, Any], deal: dict[str, Any]) -> None:
        self.edition = edition
        self.size = {**PRINTED_SIZE, **edition.get("size", {})}
        self.colors = {color["name"]: color for color in edition["color"]}
        self.assignments = {tile["name"]: tile for tile in edition["assignment"]}
        effects = (tile["effect"] for tile in edition["assignment"])
        parts = (part for effect in effects for part in _parts(effect))
        self.threshold_step = sum(number for op, number in parts if op == "threshold")  # one tile
        self.action_numbers = {text: i for i, text in enumerate(action_texts(edition))}
        self.order: list[int] = list(deal["turn_order"])
        self.num_players = len(self.order)
        self.players = [
            OraclePlayer(edition, seat, board, self.order.index(seat))
            for seat, board in enumerate(deal["boards"])
        ]
        self.cities = {
            city["name"]: OracleCity(city["slots"])
            for city in edition["city"]
            if city["name"] in deal["cities"]
        }
        self.deck = Counter(f"{h['name']}{v}" for h in edition["house"] for v in h["values"])
        self.deck.subtract(deal["removed"])
        self.bonus_tiles = [_named(edition["bonus_tile"], name) for name in deal["bonus_tiles"]]
        self.vp_tiles = [_named(edition["vp_tile"], name) for name in deal["vp_tiles"]]
        self.check_deal(deal)
        self.helpers_left: int = edition["setup"]["helpers"]
        self.pool: dict[str, list[int]] = {}
        self.assigned: list[str] = []
        self.stacks: list[list[int]] = [[] for _ in edition["initiative_vp"]]
        self._restack()  # S2.3
        self.to_act: deque[int] = deque()
        self.round = 1
        self.seen: Counter[str] = Counter()
        self.seat: int | None = None
        self.legal: Legal = set()
        self._told: deque[Event] = deque(deal["drawn"])
        self._set_up_round()
        self.resume(self._told)

    def play(self, action: str, drawn: Iterable[Event]) -> list[int]:
        """Plays a legal action, told what chance did next; returns what every seat won."""
        if action not in self.legal:
            raise ValueError(f"{action!r} is not legal; legal are {sorted(self.legal)}")
        before = self.totals()
        self._go_on(action, drawn)
        return [now - then for now, then in zip(self.totals(), before, strict=True)]

    def totals(self) -> list[int]:
        """Returns the points of every seat."""
        return [player.points.total() for player in self.players]

    def legal_sum(self) -> int:
        """Returns the sum of the indices of the legal actions (N3)."""
        return sum(self.action_numbers[text] for text in self.legal)

    def resume(self, drawn: Iterable[Event] = ()) -> None:
        """Goes on in phase 2 of the running round, after something was put on the table by hand."""
        self._asking = self._rounds()
        self._go_on(None, drawn)

    def _go_on(self, action: str | None, drawn: Iterable[Event]) -> None:
        self._told = deque(drawn)
        try:
            self.legal = next(self._asking) if action is None else self._asking.send(action)
        except StopIteration:
            self.legal, self.seat = set(), None
        if self._told:
            raise ValueError(f"nothing is drawn that gives {list(self._told)} after {action!r}")

    def check_deal(self, deal: dict[str, Any]) -> None:
        """S2.2, S2.4, S2.6."""
        removed = Counter(tile[0] for tile in deal["removed"])
        assert sorted(self.order) == list(range(self.num_players))
        assert list(self.cities) == deal["cities"]
        assert len(self.cities) == CITIES[self.num_players]
        assert deal["removed"] == sorted(deal["removed"])
        assert {removed[h["name"]] for h in self.edition["house"]} == {REMOVED[self.num_players]}
        assert min(self.deck.values()) >= 0
        for names, number in (("boards", self.num_players), ("bonus_tiles", 5), ("vp_tiles", 2)):
            assert len({*deal[names]}) == len(deal[names]) == number

    # ------------------------------------------------------------- the course of the game

    def _rounds(self) -> Asking:
        """S3.1, from the actions of the running round."""
        yield from self._actions()
        yield from self._rewards()
        if self.round < self.size["rounds"]:
            self.round += 1
            self._set_up_round()
            yield from self._rounds()
        else:
            self._score_end()

    def _ask(self, seat: int, options: Iterable[str]) -> Answer:
        """Asks a seat to choose; what leaves no choice is not asked, what is empty lapses (N2)."""
        legal = set(options)
        if not legal:
            return ""
        if len(legal) == 1:
            self.seen[f"forced {min(legal).split()[0]}"] += 1
            return legal.pop()
        self.seat = seat
        return (yield legal)

    def _set_up_round(self) -> None:
        """S4."""
        empty = [(c, p) for c in self.cities for p in PURPOSES if not self.cities[c].tiles[p]]
        refill = self._chance("refill")
        filled = empty[: self.deck.total()]  # an exhausted deck leaves the last ones empty (S4.1)
        self.seen["slots left empty"] += len(empty) - len(filled)
        for (city, purpose), (told_city, told_purpose, tile) in zip(filled, refill, strict=True):
            assert (city, purpose) == (told_city, told_purpose)
            self._take_from_deck(tile)
            self.cities[city].tiles[purpose] = tile
        dice = self._chance("dice")
        assert all(values == sorted(values) for values in dice)
        number = self.size.get("dice_of_color", DICE[self.num_players])
        assert all(len(values) == number for values in dice)
        assert all(1 <= value <= 6 for values in dice for value in values)
        self.pool = {color: list(v) for color, v in zip(self.colors, dice, strict=True)}  # S4.2
        for player in self.players:
            player.dice = {}
        self.assigned = self._chance("assignments")  # S4.3
        assert sorted(self.assigned) == sorted(self.assignments)
        self.to_act = deque(self.order)

    def _actions(self) -> Asking:
        """S5.1: round and round the turn order, without those who have passed."""
        while self.to_act:
            seat = self.to_act[0]
            action = yield from self._ask(seat, self._main(self.players[seat]))
            if action != "pass":
                yield from self._act(seat, *action.split())
                self.to_act.append(seat)
            self.to_act.popleft()

    def _main(self, player: OraclePlayer) -> Iterator[str]:
        """S5.1 to S5.4."""
        yield "pass"
        for color, values in self.pool.items():
            if color in player.dice or len(player.dice) == self.size["dice"]:
                continue
            for value in sorted(set(values)):
                cost = self._cost(color, value)
                uses = self._uses(player, color, cost) if cost <= player.florins else ()
                yield from (f"{color} {value} {use}" for use in uses)

    def _cost(self, color: str, value: int) -> int:
        """S5.3."""
        return max(0, self.colors[color]["cost"] - value)

    def _uses(self, player: OraclePlayer, color: str, cost: int) -> Iterator[str]:
        """The actions of an action slot that are completely possible (S5.4, B7)."""
        paid = player.with_less(cost)
        column = self.colors[color]["hires_in"]
        for slot, helper in enumerate(self.colors[column]["helpers"], start=1):
            empty = (column, slot) not in player.helpers
            if empty and helper["price"] <= paid.florins and self.helpers_left:
                yield f"hire {slot}"
        for slot in (1, 2):
            tile, sex = self._assignment(color, slot)
            least = 1 if tile["meeples"] == "..3" else tile["meeples"]
            spent = player.with_less(cost, sex, least)
            if least <= player.supply[sex] and self._possible(spent, tile["effect"]):
                yield f"assign {slot}"
        if self._possible(paid, self.colors[color]["signoria"]):
            yield "signoria"

    def _assignment(self, color: str, slot: int) -> tuple[dict[str, Any], str]:
        """Returns the tile on an assignment slot and the sex that it takes."""
        first = 2 * list(self.colors).index(color)
        tile = self.assignments[self.assigned[first + slot - 1]]
        return tile, self.colors[color]["assignment_slots"][slot - 1]

    def _act(self, seat: int, color: str, value: str, use: str, slot: str = "0") -> Asking:
        """S5.3, S5.5."""
        player = self.players[seat]
        self.pool[color].remove(int(value))
        player.florins -= self._cost(color, int(value))
        player.dice[color] = int(value)
        if use == "hire":
            self._hire(player, self.colors[color]["hires_in"], int(slot), free=False)
        elif use == "assign":
            yield from self._assign(seat, color, int(slot))
        else:
            yield from self._do(seat, self.colors[color]["signoria"], "", color)
        yield from self._activate_helpers(seat, color)

    def _hire(self, player: OraclePlayer, column: str, slot: int, free: bool) -> None:
        """S6.1."""
        player.florins -= 0 if free else self.colors[column]["helpers"][slot - 1]["price"]
        player.helpers.add((column, slot))
        self.helpers_left -= 1

    def _assign(self, seat: int, color: str, slot: int) -> Asking:
        """S7."""
        player = self.players[seat]
        tile, sex = self._assignment(color, slot)
        times, count = 1, tile["meeples"]
        if count == "..3":
            most = min(3, player.supply[sex])
            answer = yield from self._ask(seat, (f"spend {n}" for n in range(1, most + 1)))
            times = count = int(answer.split()[1])
        player.supply[sex] -= count
        if tile["effect"].startswith("threshold"):
            player.threshold += [sex] * count  # S7.3
        else:
            player.stock[sex] += count
        for _ in range(times):
            self.seen["repetition lapsed"] += not self._possible(player, tile["effect"])
            yield from self._do(seat, tile["effect"], "assignments", color)

    def _activate_helpers(self, seat: int, color: str) -> Asking:
        """S6.3: each tested when its turn comes."""
        player = self.players[seat]
        before = set(player.helpers)
        for slot, helper in enumerate(self.colors[color]["helpers"], start=1):
            if (color, slot) in player.helpers and self._possible(player, helper["effect"]):
                self.seen["helper placed meanwhile"] += (color, slot) not in before
                if (yield from self._ask(seat, ("use", "skip"))) == "use":
                    yield from self._do(seat, helper["effect"], "helpers", color)

    # ------------------------------------------------------------- effects

    def _possible(self, player: OraclePlayer, effect: str) -> bool:
        """Returns whether each part is possible, each tested alone (N2, B6)."""
        return all(self._part_possible(player, op) for op, _ in _parts(effect))

    def _part_possible(self, player: OraclePlayer, op: str) -> bool:
        if op == "initiative":
            return self._below_top(player)
        if op == "tile":
            return self.deck.total() > 0
        options = {
            "tracks": self._track_points,
            "mission": self._missions,
            "marriage": self._marriages,
            "free_helper": self._free_slots,
        }
        return op not in options or any(options[op](player))

    def _do(self, seat: int, effect: str, source: str, color: str = "") -> Asking:
        """Does an effect part by part; what has become impossible lapses (N2)."""
        player = self.players[seat]
        for op, number in _parts(effect):
            if op == "florins":
                player.florins += number
            elif op == "vp":
                player.points[source] += number
            elif op == "half_die_vp":
                player.points[source] += -(-player.dice[color] // 2)
            elif op in ("male", "female"):
                for _ in range(number):
                    self.seen[f"no {op} left"] += not player.receive(op)
            elif op == "initiative":
                self._advance_initiative(seat, number)
            elif op != "threshold":  # whose meeples stand on the board
                yield from getattr(self, f"_do_{op}")(seat, number)

    def _do_tracks(self, seat: int, number: int) -> Asking:
        """S8.1, S9."""
        player = self.players[seat]
        for point in range(number):
            stop = {"stop"} if point else set()
            answer = yield from self._ask(seat, {*self._track_points(player)} | stop)
            if answer in ("", "stop"):
                return
            self._spend_point(seat, *answer.split())

    def _track_points(self, player: OraclePlayer) -> Iterator[str]:
        """S9.1, S9.4."""
        top = len(self.edition["career_slot"])
        for career, slots in player.careers.items():
            if player.supply["male"]:
                yield f"enter {career}"
            yield from (f"advance {career} {slot}" for slot in set(slots) if slot < top)
        if self._below_top(player):
            yield "initiative"

    def _spend_point(self, seat: int, verb: str, career: str = "", slot: str = "0") -> None:
        player = self.players[seat]
        if verb == "initiative":
            self._advance_initiative(seat, 1)
            return
        if verb == "enter":
            player.supply["male"] -= 1
        else:
            player.careers[career].remove(int(slot))
        player.careers[career].append(int(slot) + 1)
        bonus = self.edition["career_slot"][int(slot)].get("bonus", "")  # S9.2
        for op, number in _parts(bonus):
            if op == "florins":
                player.florins += number
            else:
                self.seen["career bonus at the top of initiative"] += not self._below_top(player)
                self._advance_initiative(seat, number)

    def _below_top(self, player: OraclePlayer) -> bool:
        return player.seat not in self.stacks[-1]

    def _advance_initiative(self, seat: int, steps: int) -> None:
        """S9.4: on top of any stack; not beyond the top slot (B11)."""
        for _ in range(steps):
            slot = next(i for i, stack in enumerate(self.stacks) if seat in stack)
            if slot == len(self.stacks) - 1:
                self.seen["initiative top"] += 1
                return
            self.stacks[slot].remove(seat)
            self.stacks[slot + 1].append(seat)

    def _missions(self, player: OraclePlayer) -> Iterator[str]:
        """S8.2."""
        for career, slots in player.careers.items():
            for slot in set(slots):
                rank = self.edition["career_slot"][slot - 1]["rank"]
                for name, city in self.cities.items():
                    if city.empty and rank >= min(city.empty):
                        yield f"mission {career} {slot} {name}"

    def _do_mission(self, seat: int, _: int) -> Asking:
        answer = yield from self._ask(seat, self._missions(self.players[seat]))
        if answer:
            _, career, slot, city = answer.split()
            player = self.players[seat]
            player.careers[career].remove(int(slot))
            player.points["missions"] += self.edition["career_slot"][int(slot) - 1]["vp"]
            self._settle(seat, city, "mission", career)

    def _marriages(self, player: OraclePlayer) -> Iterator[str]:
        """S8.5."""
        for name, city in self.cities.items():
            if city.empty and player.supply["female"]:
                dowries = range(min(city.empty), min(MOST_DOWRY, player.florins) + 1)
                yield from (f"marry {name} {dowry}" for dowry in dowries)

    def _do_marriage(self, seat: int, _: int) -> Asking:
        answer = yield from self._ask(seat, self._marriages(self.players[seat]))
        if answer:
            _, city, dowry = answer.split()
            player = self.players[seat]
            player.supply["female"] -= 1
            player.florins -= int(dowry)
            player.points["marriages"] += 2 * int(dowry)
            self._settle(seat, city, "marriage", "marriage")

    def _settle(self, seat: int, name: str, purpose: str, row: str) -> None:
        """Puts a meeple on the lowest empty slot and takes the tile if it is wanted (S10.2)."""
        city, player = self.cities[name], self.players[seat]
        city.empty.remove(min(city.empty))
        city.meeples.append(seat)
        self.seen["full city"] += not city.empty
        tile = city.tiles[purpose]
        if tile and player.wants(row, tile):
            player.fronts[row].append(tile)
            city.tiles[purpose] = None
            self.seen["full row"] += len(player.fronts[row]) == len(player.shields[row])
        else:
            self.seen["tile refused" if tile else "no tile there"] += 1

    def _do_offspring(self, seat: int, _: int) -> Asking:
        """S8.3."""
        player = self.players[seat]
        values = self._chance("offspring")
        assert len(values) == 1 + player.brides
        for value in values:
            sex = "female" if value <= 3 else "male"
            self.seen[f"no {sex} left"] += not player.receive(sex)
        yield from ()

    def _do_tile(self, seat: int, number: int) -> Asking:
        """S10.3."""
        for _ in range(number):
            if not self.deck.total():
                self.seen["no tile left"] += 1
                return
            rows = self.players[seat].shields
            answer = yield from self._ask(seat, (f"row {row}" for row in rows))
            tile = self._chance("tile")
            self._take_from_deck(tile)
            self.players[seat].backs[answer.removeprefix("row ")].append(tile)

    def _free_slots(self, player: OraclePlayer) -> Iterator[str]:
        """A8."""
        for column, color in self.colors.items():
            for slot in range(1, len(color["helpers"]) + 1):
                if self.helpers_left and (column, slot) not in player.helpers:
                    yield f"helper {column} {slot}"

    def _do_free_helper(self, seat: int, _: int) -> Asking:
        answer = yield from self._ask(seat, self._free_slots(self.players[seat]))
        if answer:
            _, column, slot = answer.split()
            self._hire(self.players[seat], column, int(slot), free=True)

    # ------------------------------------------------------------- rewards and the end

    def _rewards(self) -> Asking:
        """S11."""
        vp = self.edition["initiative_vp"]
        for slot, stack in enumerate(self.stacks):
            for seat in stack:
                self.players[seat].points["initiative"] += vp[slot]  # S11.1
        self.order = [seat for stack in reversed(self.stacks) for seat in reversed(stack)]  # S11.2
        self._restack()
        for seat in self.order:
            player = self.players[seat]
            most = self.edition["rewards"]["threshold"] + self.threshold_step * len(
                player.threshold
            )
            if sum(player.dice.values()) <= most:  # S11.3, B10
                self.seen[f"threshold {most}"] += 1
                yield from self._reward(seat)
            else:
                self.seen["above the threshold"] += 1
        for player in self.players:  # S11.6
            player.stock.update(player.threshold)
            player.threshold = []

    def _restack(self) -> None:
        """S2.3, S11.2: the first player on top."""
        for stack in self.stacks:
            stack.clear()
        self.stacks[0] = self.order[::-1]

    def _reward(self, seat: int) -> Asking:
        player, rewards = self.players[seat], self.edition["rewards"]
        if self.round <= len(self.bonus_tiles):
            yield from self._bonus_or_florins(seat)
            empty_slot = {"wed"} if player.brides < len(rewards["bride_vp"]) else set()
            if (yield from self._ask(seat, {"no wed"} | empty_slot)) == "wed":  # S11.4, B3, B4
                player.points["weddings"] += rewards["bride_vp"][player.brides]
                player.florins += rewards["wedding_florins"][self.round - 1]
                player.brides += 1
        else:
            tile = self.vp_tiles[self.round - len(self.bonus_tiles) - 1]  # S11.5
            player.points["rewards"] += tile["vp"] * self._count(seat, tile["per"])
            affordable = {"pay"} if player.florins >= rewards["pay"] else set()
            if (yield from self._ask(seat, {"keep"} | affordable)) == "pay":
                player.florins -= rewards["pay"]
                player.points["rewards"] += rewards["pay_vp"]

    def _bonus_or_florins(self, seat: int) -> Asking:
        """S11.4."""
        effect = self.bonus_tiles[self.round - 1]["effect"]
        possible = {"bonus"} if self._possible(self.players[seat], effect) else set()
        if (yield from self._ask(seat, {"florins"} | possible)) == "bonus":
            yield from self._do(seat, effect, "rewards")
        else:
            self.players[seat].florins += self.edition["rewards"]["florins"]

    def _count(self, seat: int, per: str) -> int:
        """A9."""
        player = self.players[seat]
        counts = {
            "helpers": len(player.helpers),
            "brides": player.brides,
            "cities": sum(city.meeples.count(seat) for city in self.cities.values()),
            "tiles": sum(map(len, [*player.fronts.values(), *player.backs.values()])),
            "careers": sum(map(len, player.careers.values())),
        }
        return counts[per]

    def _score_end(self) -> None:
        """S12.1, S12.2."""
        vp = [slot["vp"] for slot in self.edition["career_slot"]]
        for player in self.players:
            males = [slot for slots in player.careers.values() for slot in slots]
            player.points["careers"] += sum(vp[slot - 1] // 2 for slot in males)
            for row, fronts in player.fronts.items():
                if len(fronts) + len(player.backs[row]) >= FEWEST_TILES:
                    player.points["tiles"] += sum(int(tile[1]) for tile in fronts)
                    player.points["tiles"] += len(player.backs[row])

    def scores(self) -> dict[str, list[int]]:
        """Returns the points by source, by seat (N4)."""
        found = {source: [p.points[source] for p in self.players] for source in SOURCES}
        return found | {"total": self.totals()}

    def final(self) -> dict[str, Any]:
        """Returns what is left, as a record's `final` has it."""
        return {
            "florins": [player.florins for player in self.players],
            "males": [player.supply["male"] for player in self.players],
            "females": [player.supply["female"] for player in self.players],
            "deck": sorted(self.deck.elements()),
        }

    def winners(self) -> list[int]:
        """S12.3: the tied player who is earlier in the turn order."""
        totals = self.totals()
        return [next(seat for seat in self.order if totals[seat] == max(totals))]

    # ------------------------------------------------------------- chance

    def _chance(self, name: str) -> Any:
        """Returns the content of the next event that was told."""
        if not self._told or self._told[0][0] != name:
            raise ValueError(f"{name} is drawn now, not {list(self._told)}")
        return self._told.popleft()[1]

    def _take_from_deck(self, tile: str) -> None:
        if self.deck[tile] < 1:
            raise ValueError(f"no {tile} is left in the deck")
        self.deck[tile] -= 1

    def pieces(self) -> tuple[list[int], int]:
        """Returns the meeples of every seat and all tiles, wherever they are (S1.2, S2.6)."""
        tiles = self.deck.total() + sum(self._count(seat, "tiles") for seat in self.order)
        tiles += sum(tile is not None for c in self.cities.values() for tile in c.tiles.values())
        kept = [p.supply.total() + p.stock.total() + len(p.threshold) for p in self.players]
        for seat in self.order:
            kept[seat] += self._count(seat, "careers") + self._count(seat, "cities")
        return kept, tiles


def action_texts(edition: dict[str, Any]) -> Iterator[str]:
    """Yields the texts of all actions in the order of their indices (N3)."""
    colors = [color["name"] for color in edition["color"]]
    slots = range(1, len(edition["color"][0]["helpers"]) + 1)
    top = len(edition["career_slot"])
    cities = [city["name"] for city in edition["city"]]
    uses = [*(f"hire {slot}" for slot in slots), "assign 1", "assign 2", "signoria"]
    yield from (f"{c} {value} {use}" for c in colors for value in range(1, 7) for use in uses)
    yield from ("pass", "spend 1", "spend 2", "spend 3")
    for career in edition["careers"]:
        yield f"enter {career}"
        yield from (f"advance {career} {slot}" for slot in range(1, top))
    yield from ("initiative", "stop")
    for career in edition["careers"]:
        yield from (f"mission {career} {s} {c}" for s in range(1, top + 1) for c in cities)
    yield from (f"marry {city} {dowry}" for city in cities for dowry in range(1, MOST_DOWRY + 1))
    yield from (f"row {row}" for row in (*edition["careers"], "marriage"))
    yield from ("use", "skip", "bonus", "florins", "wed", "no wed", "pay", "keep")
    yield from (f"helper {color} {slot}" for color in colors for slot in slots)


def _parts(effect: str) -> Iterator[tuple[str, int]]:
    """Yields operation and number of every part of an effect (N1)."""
    for part in filter(None, effect.split(", ")):
        op, _, number = part.partition(" ")
        yield op, int(number or 1)


def _named(things: Iterable[dict[str, Any]], name: str) -> dict[str, Any]:
    return next(thing for thing in things if thing["name"] == name)
