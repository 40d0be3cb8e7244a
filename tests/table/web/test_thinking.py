"""Agents that think in a process of their own."""

import os
import signal
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from gonzaga_agents.common.processes import WorkerError
from gonzaga_table.web.guard import error_answer
from gonzaga_table.web.rooms.roster import Roster
from gonzaga_table.web.rooms.thinking import ThinkerApart, ThinkerHere

from gonzaga_env.core import Game, GameConfig
from gonzaga_env.tabletop.agent import AgentError

FAILING = """
class Failing:
    def __init__(self, config): pass
    def act(self, observations, masks, rng): raise SystemExit("no\\nmore")
"""


@pytest.fixture
def thinker() -> Iterator[ThinkerApart]:
    with closing(ThinkerApart("greedy")) as thinker:
        yield thinker


def asked(game: Game) -> tuple[np.ndarray, np.ndarray]:
    return game.observation(), game.mask().astype(bool)


def test_an_agent_answers_the_same_in_a_process_of_its_own(thinker: ThinkerApart) -> None:
    here = ThinkerHere("greedy")
    for scenario in ("Colombo", None):
        game = Game(3, scenario, seed=2)
        thinker.ask("prepare", game.config)
        for _ in range(4):
            found = thinker.ask("consider", game.config, *asked(game))
            expected = here.ask("consider", game.config, *asked(game))
            assert (found.actions == expected.actions).all()
            assert (found.values == expected.values).all()
            action = thinker.ask("act", game.config, *asked(game))
            assert game.mask()[action]
            game.play(action)


def test_a_process_that_dies_is_one_line_and_the_next_question_starts_another(
    thinker: ThinkerApart,
) -> None:
    game = Game(2, seed=0)
    thinker.ask("act", game.config, *asked(game))
    assert thinker._worker is not None
    os.kill(thinker._worker.pid, signal.SIGKILL)
    with pytest.raises(WorkerError, match="its process was killed by signal 9"):
        thinker.ask("act", game.config, *asked(game))
    assert game.mask()[thinker.ask("act", game.config, *asked(game))]


def test_a_table_is_told_that_the_process_died_not_that_the_request_was_wrong() -> None:
    game = Game(2, seed=0)
    with closing(Roster(apart=True)) as roster:
        roster.prepare("greedy", game.config).result()
        os.kill(roster._threads["greedy"].thinker._worker.pid, signal.SIGKILL)
        failed = roster.act("greedy", game.config, *asked(game)).exception()
        assert isinstance(failed, WorkerError)
        assert str(failed).startswith("agent greedy: its process was killed by signal 9")
        assert error_answer("192.0.2.7", failed).status_code == 503


def test_an_agent_that_fails_is_told_and_its_process_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "failing.py"
    file.write_text(FAILING)
    with closing(ThinkerApart(f"{file}:Failing")) as thinker:
        for _ in range(2):
            with pytest.raises(AgentError, match=r"^SystemExit: no$"):
                thinker.ask("act", GameConfig(2), *asked(Game(2)))
