"""Agents that think in a process of their own."""

import os
import signal
from collections.abc import Iterator
from contextlib import closing

import numpy as np
import pytest
from gonzaga_agents.common.processes import WorkerError
from gonzaga_table.web.editor.model import to_edition, to_model
from gonzaga_table.web.guard import error_answer
from gonzaga_table.web.rooms import thinking as module
from gonzaga_table.web.rooms.editions import memory_of
from gonzaga_table.web.rooms.roster import Roster
from gonzaga_table.web.rooms.thinking import ThinkerApart, ThinkerHere

from gonzaga_env.core import Game, GameConfig
from gonzaga_env.core.editions.loading import load_edition
from gonzaga_env.tabletop.agent import AgentError


@pytest.fixture
def thinker() -> Iterator[ThinkerApart]:
    with closing(ThinkerApart("greedy")) as thinker:
        yield thinker


def asked(game: Game) -> tuple[np.ndarray, np.ndarray]:
    return game.observation(), game.mask().astype(bool)


def test_an_agent_answers_the_same_in_a_process_of_its_own(thinker) -> None:
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


def named(number: int) -> Game:
    """Returns a game on a map of its own."""
    edition = to_edition({**to_model(load_edition("europe")), "name": f"map {number}"})
    return Game.from_config(GameConfig(2, None, edition))


def test_agents_are_kept_while_there_is_memory_for_their_maps(monkeypatch) -> None:
    """In 0.11 twelve agents were kept, on the largest maps with 40 MB each, the oldest went."""
    games = [named(number) for number in range(3)]
    monkeypatch.setattr(module, "MAP_BYTES", 2 * memory_of(games[0].edition))
    here = ThinkerHere("random")
    agents = [here.agent(games[number].config) for number in (0, 1, 0, 2)]
    assert here.agent(games[0].config) is agents[0]
    assert here.agent(games[2].config) is agents[3]
    assert here.agent(games[1].config) is not agents[1]  # unused for longest when the third came
    monkeypatch.setattr(module, "MAP_BYTES", 1)
    assert here.agent(games[0].config) is here.agent(games[0].config)


def test_a_process_is_sent_few_configurations(monkeypatch) -> None:
    monkeypatch.setattr(module, "MAX_CACHED", 2)
    games = [Game(players, seed=1) for players in (2, 3, 4)]
    with closing(ThinkerApart("random")) as apart:
        for game in (*games, games[0], games[2], games[1]):
            assert game.mask()[apart.ask("act", game.config, *asked(game))]
            assert set(apart._sent.values()) <= {0, 1}


def test_a_process_that_dies_is_one_line_and_the_next_question_starts_another(thinker) -> None:
    game = Game(2, seed=0)
    thinker.ask("act", game.config, *asked(game))
    assert thinker.process.worker is not None
    os.kill(thinker.process.worker.pid, signal.SIGKILL)
    with pytest.raises(WorkerError, match="its process was killed by signal 9"):
        thinker.ask("act", game.config, *asked(game))
    assert game.mask()[thinker.ask("act", game.config, *asked(game))]


def test_a_table_is_told_that_the_process_died_not_that_the_request_was_wrong() -> None:
    game = Game(2, seed=0)
    with closing(Roster(apart=True)) as roster:
        roster.ask("greedy", "prepare", game.config).result()
        os.kill(roster._threads["greedy"].thinker.process.worker.pid, signal.SIGKILL)
        failed = roster.ask("greedy", "act", game.config, *asked(game)).exception()
        assert isinstance(failed, WorkerError)
        assert str(failed).startswith("agent greedy: its process was killed by signal 9")
        assert error_answer("192.0.2.7", failed).status_code == 503


def test_an_agent_that_fails_is_told_and_its_process_goes_on(mine) -> None:
    with closing(ThinkerApart(mine("Exiting"))) as thinker:
        for _ in range(2):
            with pytest.raises(AgentError, match=r"^SystemExit: no$"):
                thinker.ask("act", GameConfig(2), *asked(Game(2)))
