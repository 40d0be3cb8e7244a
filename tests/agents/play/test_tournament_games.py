"""Chunks: pure functions of their fields, on deals that all lineups share."""

import pickle
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from gonzaga_agents.play import tournament_games as games_module
from gonzaga_agents.play.games import Entrant, cached_agent, deal_seed, identify, play_games
from gonzaga_agents.play.tournament_games import Chunk, GameResult, seating

from gonzaga_env.core import Engine, GameConfig
from gonzaga_env.core.state import winners
from gonzaga_env.kernel.agent import AgentError
from tests.agents.own import TEXT
from tests.secrets_of import Spy, derived, numbers_within

RANDOM, GREEDY = Entrant("random"), Entrant("greedy")


def chunk(players: int = 2, entrants: str = "gr", first: int = 0, deals: int = 3) -> Chunk:
    names = {"g": GREEDY, "r": RANDOM}
    return Chunk(GameConfig(players), tuple(names[c] for c in entrants), first, deals, seed=4)


def test_the_same_chunk_gives_the_same_games_wherever_it_is_played() -> None:
    played = chunk().play()
    cached_agent.cache_clear()
    assert pickle.loads(pickle.dumps(chunk())).play() == played
    assert [game.id for game in played] == chunk().ids()


def test_other_seeds_deals_and_lineups_give_other_games() -> None:
    played = chunk().play()
    for other in (replace(chunk(), seed=5), chunk(first=3), chunk(entrants="rr")):
        assert [game.scores for game in other.play()] != [game.scores for game in played]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_agents_change_seats_in_each_rotation(players: int) -> None:
    games = chunk(players, "grrr"[:players], deals=2).play()
    for deal in (0, 1):
        seats = [game.agents for game in games if game.deal == deal]
        assert seats[0] == seating(chunk(players, "grrr"[:players]), deal)
        assert [row.index("greedy") for row in seats] == [
            (seats[0].index("greedy") + k) % players for k in range(players)
        ]


def test_seats_of_rotation_0_are_drawn_for_each_deal() -> None:
    drawn = {seating(chunk(4, "ggrr"), deal) for deal in range(100)}
    assert len(drawn) == 6, "all orders of two and two"


def test_all_lineups_play_the_same_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    engines = dealt(monkeypatch)
    for entrants in ("gr", "rr"):
        chunk(entrants=entrants).play()
    one, other = (engine.state.deck.tolist() for engine in engines)
    assert one == other


def dealt(monkeypatch: pytest.MonkeyPatch) -> list[Engine]:
    """Returns a list of the engines that chunks are played on from now on."""
    engines: list[Engine] = []

    def watched(*given: Any) -> Engine:
        engines.append(play_games(*given))
        return engines[-1]

    monkeypatch.setattr(games_module, "play_games", watched)
    return engines


def test_scores_and_winners_are_the_engines(monkeypatch: pytest.MonkeyPatch) -> None:
    engines = dealt(monkeypatch)
    games = chunk(3, "ggg").play()
    state = engines[0].state
    assert [game.scores for game in games] == [tuple(row) for row in state.totals.tolist()]
    won = winners(engines[0].tables, state)
    assert [game.winners for game in games] == [tuple(np.flatnonzero(row)) for row in won]
    assert [game.rounds for game in games] == state.round.tolist()


def game(scores: tuple[int, ...], winners: tuple[int, ...]) -> GameResult:
    return GameResult(0, 0, ("random",) * len(scores), scores, winners, 9)


def test_places_follow_winners_and_scores() -> None:
    assert game((30, 50, 40), (1,)).places == (2, 0, 1)
    assert game((50, 50), (0,)).places == (0, 1), "sites decide between equal scores"
    assert game((50, 50), (0, 1)).places == (0, 0)
    assert game((20, 50, 20, 50), (1,)).places == (2, 0, 2, 1)


def test_an_agent_whose_file_changes_is_refused(tmp_path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(TEXT)
    mine = identify(f"{path}:First")
    lineup = tuple(sorted((mine, RANDOM), key=lambda entrant: entrant.key))
    game = Chunk(GameConfig(2), lineup, 0, 1, 0)
    assert len(game.play()) == 2
    path.write_text(path.read_text() + "# edited\n")
    cached_agent.cache_clear()
    with pytest.raises(AgentError, match="has changed"):
        game.play()


def test_an_agent_s_generator_shows_neither_seed_nor_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    spies = {GREEDY: Spy(), RANDOM: Spy()}
    monkeypatch.setattr(games_module, "cached_agent", lambda entrant, config: spies[entrant])
    played = replace(chunk(), seed=2**70 + 12_345)
    played.play()
    secrets = {played.seed, *(int(deal_seed(played.seed, deal)) for deal in range(3))}
    for spy in spies.values():
        numbers = numbers_within(spy.rng)
        assert spy.rng.bit_generator.seed_seq.entropy in numbers
        assert not (numbers | derived(numbers)) & secrets
