"""The action space (N3): blocks of actions, and their texts.

Inside a block the leftmost word varies slowest. H helper slots a column and K career slots give
35 H + 18 K + 128 actions.

| block | texts |
|---|---|
| die | `COLOR VALUE hire 1`, `COLOR VALUE assign 1`, `COLOR VALUE signoria` (S5.3) |
| pass | `pass` |
| spend | `spend 1` to `spend 3` (S7.2) |
| track | `enter CAREER`, `advance CAREER 1`, then `initiative`, `stop` (S9) |
| mission | `mission CAREER SLOT CITY` (S8.2) |
| marry | `marry CITY DOWRY` (S8.5) |
| row | `row CAREER`, `row marriage` (S10.3) |
| helper | `use`, `skip` (S6.3) |
| reward | `bonus`, `florins` (S11.4) |
| end | `wed`, `no wed`, `pay`, `keep` (S11.4, S11.5) |
| free helper | `helper COLOR 1` (A8) |
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from gonzaga_env.kernel.spaces import ActionTexts
from gonzaga_env.signorie import constants as c
from gonzaga_env.signorie.edition import Edition

#: Version of the space; checkpoints and records of another version are refused.
ACTIONS_VERSION = 1


class ActionCodec(ActionTexts):
    """The action space of an edition with a text for each action.

    `die`, `spend`, `track`, `mission`, `marry`, `row` and `free_helper` are the blocks. In `track`,
    careers take K places each: entering, then advancing from slots 1 to K - 1. `skip_turn` (which
    is `pass`), `initiative`, `stop`, `use`, `skip`, `bonus`, `florins`, `wed`, `no_wed`, `pay` and
    `keep` are single actions.

    Attributes:
        num_choices: H + 3, what a die of one color and value can do; hiring comes first, then
            the two assignments, then Signoria.
        size: A, the number of actions.
    """

    def __init__(self, edition: Edition) -> None:
        """Lays out the blocks."""
        h, k = edition.num_helper_slots, edition.num_career_slots
        self.num_choices = h + 3
        self.die = slice(0, c.NUM_COLORS * c.NUM_FACES * self.num_choices)
        self.skip_turn = self.die.stop
        self.spend = _after(self.skip_turn + 1, c.MOST_SPENT)
        self.track = _after(self.spend.stop, c.NUM_CAREERS * k)
        self.initiative, self.stop = self.track.stop, self.track.stop + 1
        self.mission = _after(self.stop + 1, c.NUM_CAREERS * k * c.NUM_CITIES)
        self.marry = _after(self.mission.stop, c.NUM_CITIES * c.MAX_DOWRY)
        self.row = _after(self.marry.stop, c.NUM_CAREERS + 1)
        singles = range(self.row.stop, self.row.stop + 8)
        self.use, self.skip, self.bonus, self.florins = singles[:4]
        self.wed, self.no_wed, self.pay, self.keep = singles[4:]
        self.free_helper = _after(singles.stop, c.NUM_COLORS * h)
        texts = tuple(_texts(edition))
        super().__init__(texts, [texts[i] for i in (0, self.skip_turn, self.mission.start)])


def _after(start: int, size: int) -> slice:
    return slice(start, start + size)


def _texts(edition: Edition) -> Iterator[str]:
    slots = range(1, edition.num_career_slots + 1)
    helpers = range(1, edition.num_helper_slots + 1)
    choices = [*(f"hire {slot}" for slot in helpers), "assign 1", "assign 2", "signoria"]
    for color in edition.colors:
        for value in range(1, c.NUM_FACES + 1):
            yield from (f"{color} {value} {choice}" for choice in choices)
    yield "pass"
    yield from (f"spend {count}" for count in range(1, c.MOST_SPENT + 1))
    for career in edition.careers:
        yield f"enter {career}"
        yield from (f"advance {career} {slot}" for slot in slots[:-1])
    yield from ("initiative", "stop")
    for career in edition.careers:
        yield from (f"mission {career} {slot} {city}" for slot in slots for city in edition.cities)
    dowries = range(1, c.MAX_DOWRY + 1)
    yield from (f"marry {city} {dowry}" for city in edition.cities for dowry in dowries)
    yield from (f"row {row}" for row in (*edition.careers, "marriage"))
    yield from ("use", "skip", "bonus", "florins", "wed", "no wed", "pay", "keep")
    yield from (f"helper {color} {slot}" for color in edition.colors for slot in helpers)


#: Returns the action space of an edition, built once.
action_codec = lru_cache(maxsize=16)(ActionCodec)
