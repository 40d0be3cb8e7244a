"""The facts of choices in The Castles of Tuscany."""

import numpy as np
from gonzaga_agents.heuristics.facts import Choices, LinearPolicy
from gonzaga_agents.heuristics.tuscany_facts import TuscanyFacts

from gonzaga_env.tuscany.batch.engine import Engine
from gonzaga_env.tuscany.board import ACTIONS, CELL_NAMES
from gonzaga_env.tuscany.constants import (
    BONUS_CARD,
    COLOURS,
    MAIN,
    MARBLE,
    NO_CELL,
    NO_PIECE,
    TILE_KINDS,
)
from tests.agents.mixed import decisions

POLICY = LinearPolicy(np.zeros((len(TuscanyFacts.NAMES), len(TuscanyFacts.BASES)), np.float32))


def read(engine: Engine) -> list[Choices]:
    games = np.arange(engine.num_games)
    return TuscanyFacts(engine.config).read_engine(engine, games, engine.seats, POLICY)


def facts_of(engine: Engine, text: str) -> dict[str, float]:
    """Returns the facts of an action of the first game that are not 0, by name."""
    [choices] = read(engine)
    [place] = np.flatnonzero(choices.actions == ACTIONS.parse(text))
    names, facts = TuscanyFacts.NAMES[choices.columns], choices.facts[place].tolist()
    return {name: round(fact, 3) for name, fact in zip(names, facts, strict=True) if fact}


def position(cells: str, hand: str, stored: str, kind: int = MAIN) -> Engine:
    """Returns a game of two at the start of round 1.

    The starting player's boards are A1 B1 C1, joined "A B C ++":

        V           Q           W
            Q           Q           A
        V     M     A     W     F     M
            V           A           M
        F     W     A     C     I     C
            I           M           Q
              W           F           C
            A           V           V
    """
    engine = Engine(1, 2, seed=4, autoreset=False)
    rng = np.random.default_rng(1)
    while engine.kinds[0] != MAIN:
        engine.step(engine.sample_legal(rng))
    state, seat = engine.state, engine.seats[0]
    other = 1 - seat
    state.boards[0, seat], state.layout[0, seat] = 0, 0
    state.boards[0, other] = 16 + 4 + 1
    state.covered[0, seat] = sum(1 << CELL_NAMES.index(cell) for cell in cells.split())
    state.bonus[0] = 0
    state.hand[0, seat] = [hand.count(colour) for colour in COLOURS]
    state.storage[0, seat] = [*(stored.split().count(piece) for piece in TILE_KINDS), 0]
    state.display[0] = [text in ("V", "Q", "C", "AG") for text in TILE_KINDS]
    state.kind[0], state.piece[0], state.cell[0] = kind, NO_PIECE, NO_CELL
    engine.set_state(state, check=False)
    return engine


def test_facts_do_not_depend_on_what_is_hidden() -> None:
    """T12.2."""
    for num_players in (2, 3, 4):
        engine = decisions("tuscany", num_players)
        assert isinstance(engine, Engine)
        games, rng = np.arange(engine.num_games), np.random.default_rng(2)
        state = engine.resample(engine.seats, rng)
        assert (state.hand != engine.state.hand).any()
        other = Engine.from_state(engine.config, state, autoreset=False)
        assert (other.seats == engine.seats).all()
        parts = zip(read(engine), read(other), strict=True)
        asked = []
        for one, two in parts:
            asked.append(one.decisions)
            assert (one.actions == two.actions).all()
            assert (one.facts == two.facts).all()
            assert (one.bases == two.bases).all()
            assert one.facts.shape == (len(one.actions), one.columns.stop - one.columns.start)
            assert len(one.actions) == engine.num_legal(one.decisions).sum()
        assert (np.sort(np.concatenate(asked)) == games).all()


def test_a_tile_that_begins_a_zone() -> None:
    """T6.1, T7.1, T8.6: one of three village hexes, which reaches the other two."""
    engine = position("L3", "VV", "V")
    assert facts_of(engine, "tile L2") == {
        "place: zone of three begun": 3,  # rounds to come
        "place: workers": 1,
        "place: hexes reached": 2,
        "place: points promised by hexes reached": 4,  # 2 * 6 / 3
        "cover: tile": 1,
        "cover: cards of the colour": 2,
        "cover: storage full": 1,
    }


def test_a_tile_that_ends_a_zone_brings_its_points_in_each_round() -> None:
    """T7.1, T11.1."""
    engine = position("L1 L2 L3", "VMM", "V")
    facts = facts_of(engine, "tile L5")
    assert facts["place: points for the zone"] == 18
    assert (facts["cover: cards of the colour"], facts["cover: other units"]) == (1, 1)
    engine.state.round[0] = 3
    engine.set_state(engine.state, check=False)
    assert facts_of(engine, "tile L5")["place: points for the zone"] == 6


def test_drawing() -> None:
    """T4.1, T11.2: two cards and one more; a fifth and a sixth card make a point."""
    engine = position("L3", "VQMI", "C")
    seat = engine.seats[0]
    engine.state.bonus[0, seat, BONUS_CARD] = 1
    engine.set_state(engine.state, check=False)
    assert facts_of(engine, "draw") == {
        "draw: always": 1,
        "draw: +1 card tiles": 1,
        "draw: per 10 cards in hand": 0.4,
        "draw: points of cards at the end": 1,
        "draw: storage full": 1,
    }


def test_taking_a_tile_that_can_be_placed_at_once() -> None:
    """T5, T3.2: a quarry of one hex in reach of L5, with a marble for the second action."""
    engine = position("L3 L2 L5", "QQ", "")
    seat = engine.seats[0]
    engine.state.marble[0, seat] = 1
    engine.set_state(engine.state, check=False)
    facts = facts_of(engine, "take Q")
    assert facts["store: points for the zone"] == 3
    assert facts["store: marble"] == facts["store: payable"] == 1
    assert facts["take: marble to place it now"] == facts["take: free spaces"] == 1
    assert facts["turn: an own tile"] == facts["turn: last of its colour"] == 1
    assert "turn: ends the round" not in facts
    assert "store: out of reach" in facts_of(engine, "take C")
    # Six own tiles turned: the next one is the seventh (T10.1).
    engine.state.stacks[0, seat] = engine.config.edition.player_tiles
    engine.state.stacks[0, seat, :2] -= 3
    engine.set_state(engine.state, check=False)
    assert facts_of(engine, "take Q")["turn: ends the round"] == 1


def test_payments() -> None:
    """T6.2: a pair of agriculture spares the card of the colour."""
    engine = position("L3", "VAAQ", "V V")
    engine.state.workers[0, engine.seats[0]] = 1
    engine.set_state(engine.state, check=False)
    engine.step(np.array([ACTIONS.parse("tile L2")]))
    assert facts_of(engine, "pay own+worker") == {
        "payment: workers": 1,
        "payment: cards of the colour": 1,
        "payment: cards of stored colours": 1,
        "payment: per 2 single cards left": 0.5,
    }
    assert facts_of(engine, "pay worker+AA") == {
        "payment: workers": 1,
        "payment: pairs": 1,
        "payment: per 2 single cards left": 1,
    }


def test_ending_the_turn_has_no_facts() -> None:
    engine = position("L3", "VV", "V", MARBLE)
    engine.state.marble[0, engine.seats[0]] = 2
    engine.set_state(engine.state, check=False)
    assert facts_of(engine, "end") == {}
    assert facts_of(engine, "marble") == {
        "marble: always": 1,
        "marble: marble left": 1,
        "marble: per 10 cards in hand": 0.2,
        "marble: storage full": 1,
        "marble: an effect": 1,
    }
