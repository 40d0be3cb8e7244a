"""Nothing that a table offers or a terminal writes depends on what is hidden from the seat."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import pytest
from gonzaga_agents.registry import make_agent
from gonzaga_table.hints import as_hint, ask, reasons_for
from gonzaga_table.session import GameSession, agent_seat, human
from gonzaga_table.terminal.game import TerminalGame

from gonzaga_env.core import GameConfig, Rules
from tests.marks import nightly
from tests.table.twins import twin_of

TYPED = ["", "hint", "show", "list", "fief", "rules", "dance", "fief 1 r0 @ 0,0", "Italia A"]


def tables(num_players: int, rng: np.random.Generator) -> Iterator[GameSession]:
    """Yields a table of people and one agent before moves of early and late rounds."""
    config = GameConfig(
        num_players, rules=Rules("first_only" if num_players == 3 else "each_player")
    )
    seats = [*[human(f"Ann {seat}") for seat in range(num_players - 1)], agent_seat("greedy")]
    table = GameSession(config, seats, seed=num_players)
    while not table.over:
        if table.num_moves // (2 * num_players) in (0, 4, 7):
            yield table
        seat = int(rng.choice(table.deciding))  # people plan in any order
        turn = table.turn(seat)
        assert turn is not None
        choice = turn.choices[rng.integers(len(turn.choices))]
        table.play(seat, table.num_moves, choice.action)


def offered(table: GameSession, seat: int) -> dict[str, Any]:
    """Returns all that a table offers to a seat."""
    found: dict[str, Any] = {
        "view": table.view(seat),
        "frames": table.frames(seat, 0),
        "log": table.log(seat),
        "turn": table.turn(seat),
        "facts": (table.num_moves, table.to_act, table.scenario, table.names),
        "stage": (table.stage, table.deciding, table.sealed, table.pending_choice(seat)),
    }
    if seat in table.deciding:
        observation, mask = table.question(seat)
        turn, agent = table.turn(seat), make_agent("greedy", table.config)
        assert turn is not None
        considered = ask(agent, observation, mask, np.random.default_rng(0))
        found |= {"question": (observation.tolist(), mask.tolist())}
        why = partial(reasons_for, table.config, observation, seat, turn)
        found |= {"hint": as_hint("greedy", considered, turn, why)}
    return found


def written(table: GameSession) -> list[str]:
    """Returns what the person to act reads and is asked, until the input ends."""
    lines, texts = iter(TYPED), []
    rng = np.random.default_rng(0)

    def read(prompt: str) -> str:
        texts.append(prompt)
        try:
            return next(lines)
        except StopIteration:
            raise EOFError from None

    agents = {len(table.seats) - 1: make_agent("greedy", table.config)}
    adviser = ("greedy", make_agent("greedy", table.config))
    game = TerminalGame(table, agents, adviser, rng, read, texts.append)
    with pytest.raises(EOFError):
        game.run()
    return texts


@pytest.mark.parametrize("num_players", [2, *nightly(3, 4)])
def test_what_is_hidden_changes_nothing_that_a_table_offers(num_players) -> None:
    rng, kinds = np.random.default_rng(num_players), set()
    for table in tables(num_players, rng):
        for seat in range(num_players):
            mine, other = offered(table, seat), offered(twin_of(table, seat, rng), seat)
            assert mine == other, (table.num_moves, seat)
            kinds |= mine.keys()
    assert kinds >= {"turn", "question", "hint"}


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_what_is_hidden_changes_nothing_on_the_screen(num_players) -> None:
    rng, screens = np.random.default_rng(num_players), 0
    for table in tables(num_players, rng):
        seat = table.to_act
        if seat == num_players - 1 or table.pending:  # the agent's; terminals ask in turn
            continue
        twin = twin_of(table, seat, rng)
        assert twin.state != table.state
        texts = written(table)
        assert texts == written(twin), (table.num_moves, seat)
        assert any("considers" in text for text in texts)
        screens += 1
    assert screens >= 6
