"""The games as environments of TextArena, all of whose players are scripted."""

import copy
import random
import sys
from pathlib import Path

import pytest

from gonzaga_env.games import game_names, game_spec
from tests.clients.client import QUIET, need

ta = need("textarena")
sys.path.append(str(Path(__file__).parents[2] / "examples/language"))
need("textarena_games")
pytestmark = QUIET


def name_of(game: str) -> str:
    return game_spec(game).title.title().replace(" ", "") + "-v0"


def first(text: str) -> str:
    return text.partition("Legal actions:\n")[2].splitlines()[0]


@pytest.mark.parametrize("game", game_names())
def test_players_play_a_game_and_read_nothing_of_each_other(game: str) -> None:
    number = {"gonzaga": 2, "tuscany": 4, "signorie": 3}[game]
    options = {"edition": "mini-b3"} if game == "gonzaga" else {}
    env, done, asked = ta.make(name_of(game), **options), False, set()
    env.reset(num_players=number, seed=1)
    turns = 0
    while not done:
        player, text = env.get_observation()
        assert env.get_observation() == (player, text)
        assert text.startswith("You play one seat of a board game")
        assert f"You are player {player}." in text
        assert "my secret" not in text
        asked.add(player)
        done, _ = env.step(f"my secret plan of {player}\nAction: {first(text)}")
        turns += 1
    rewards, infos = env.close()
    assert asked == {*range(number)} == {*rewards} == {*infos}
    assert sum(rewards.values()) == 0
    assert turns == sum(info["turn_count"] for info in infos.values())
    for player, info in infos.items():
        assert not info["invalid_move"]
        assert info["result"] == rewards[player]
        assert info["reward"] == rewards[player] + 0.1 * info["legality"]


def test_agents_take_seats_by_name() -> None:
    env, done = ta.make("TheCastlesOfTuscany-v0", agents={0: "planner", 2: "random"}), False
    for _ in range(2):  # the second game tells nothing of the first
        env.reset(num_players=3, seed=7)
        known = env.get_observation()
    assert known[0] == 1
    copied = copy.deepcopy(env)
    assert copied.get_observation() == known
    while not done:
        player, text = env.get_observation()
        assert player == 1
        done, _ = env.step(first(text))
    rewards, infos = env.close()
    assert {*rewards} == {0, 1, 2}
    assert ["result" in infos[seat] for seat in range(3)] == [False, True, False]


def test_illegal_answers_are_told_why_and_end_the_game() -> None:
    env = ta.make("Signorie-v0", tries=2, choices=False)
    env.reset(num_players=3, seed=1)
    player, text = env.get_observation()
    assert "Legal actions" not in text
    assert env.step("fly to the moon") == (False, {})
    again, text = env.get_observation()
    assert again == player
    assert "That is refused: 'fly to the moon' names no action" in text
    assert env.step("fly to the moon") == (True, {})
    rewards, infos = env.close()
    assert rewards == {seat: -1 if seat == player else 0.5 for seat in range(3)}
    assert [infos[seat]["invalid_move"] for seat in range(3)] == [
        seat == player for seat in range(3)
    ]
    assert infos[player]["reason"].startswith("Given up: 'fly to the moon'")
    assert infos[player]["turn_count"] == 0


def test_the_raw_environment_takes_their_wrappers_and_leaves_their_generator() -> None:
    random.seed(5)
    drawn = random.random()
    random.seed(5)
    env = ta.wrappers.LLMObservationWrapper(ta.make("Gonzaga-v0-raw", edition="mini-b3"))
    env.reset(num_players=2, seed=1)
    assert random.random() == drawn
    _, text = env.get_observation()
    assert "[GAME] You play one seat" in text
    raw = ta.make("Gonzaga-v0-raw", edition="mini-b3", judge="search@8", agents={1: "random"})
    raw.reset(num_players=2, seed=1)
    (_, _, prompt), (_, board, shown) = raw.get_observation()[1]
    assert (prompt, shown) == (ta.ObservationType.PROMPT, ta.ObservationType.GAME_BOARD)
    done = False
    while not done:
        done, _ = raw.step(first(board))
        board = raw.get_observation()[1][-1][1] if not done else ""
    assert raw.close()[1][0]["regret"] != 0
