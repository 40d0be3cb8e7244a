"""Nothing that a terminal writes depends on what is hidden from the seat (web: web/test_leaks)."""

from collections.abc import Iterator

import numpy as np
import pytest
from gonzaga_agents.registry import make_agent
from gonzaga_table.session import GameSession, agent_seat, human
from gonzaga_table.terminal.game import TerminalGame

from gonzaga_env.core import GameConfig, Rules
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
        choice = turn.choices[rng.integers(len(turn.choices))]
        table.play(seat, table.num_moves, choice.action)


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
