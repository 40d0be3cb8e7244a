"""Games over OpenEnv: a server of this machine, and the package's clients."""

import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from gonzaga_env.games import game_names
from tests.clients.client import QUIET, need

need("openenv")
uvicorn, httpx = need("uvicorn"), need("httpx")
sys.path.append(str(Path(__file__).parents[2] / "examples/language"))
openenv = need("openenv_games")
pytestmark = QUIET


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    config = uvicorn.Config(openenv.make_app(tries=2), port=0, log_level="error")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    thread.join()


def first(text: str) -> str:
    """Returns the answer of a model that takes the first legal action."""
    return f'{{"action": "{text.partition("Legal actions:")[2].split(chr(10))[1]}"}}'


@pytest.mark.parametrize("game", game_names())
def test_a_client_plays_a_game_and_gets_its_reward(address: str, game: str) -> None:
    with openenv.GameClient(base_url=address).sync() as env:
        found = env.reset(game=game, opponents=["random", "random"], seat=1, seed=3)
        assert (found.done, found.observation.seat) == (False, 1)
        assert found.observation.text.startswith("You play one seat of a board game")
        turns = 0
        while not found.done:
            turns += 1
            assert not found.reward
            assert "You are player 1." in found.observation.text
            found = env.step(openenv.GameAction(text=first(found.observation.text)))
        parts = found.observation.parts
        assert parts["legality"] == 1
        assert found.reward == parts["result"] + 0.1
        assert env.state().step_count == turns
        assert {*env.state().model_dump()} == {"episode_id", "step_count"}  # no position
        with pytest.raises(RuntimeError, match="nobody is to act"):
            env.step(openenv.GameAction(text="anything"))


def test_connections_play_games_of_their_own(address: str) -> None:
    clients = [openenv.GameClient(base_url=address).sync() for _ in range(2)]
    texts = []
    for client, seed in zip(clients, (1, 2), strict=True):
        texts.append(client.connect().reset(game="tuscany", seed=seed).observation.text)
    told = clients[0].step(openenv.GameAction(text=first(texts[0]))).observation
    assert not told.refused
    assert clients[1].state().step_count == 0
    for client in clients:
        client.close()
    assert texts[0] != texts[1]


def test_illegal_answers_are_told_why_and_end_the_game(address: str) -> None:
    with openenv.GameClient(base_url=address).sync() as env:
        env.reset(game="tuscany", opponents=["random"])
        found = env.step(openenv.GameAction(text="fly to the moon"))
        assert (found.observation.refused, found.done, found.reward) == (True, False, 0)
        assert found.observation.text.startswith("That is refused: 'fly to the moon' names no")
        found = env.step(openenv.GameAction(text="fly to the moon"))
        assert (found.done, found.reward) == (True, -1)
        assert found.observation.parts == {"result": -1, "legality": 0}


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"opponents": ["cmd:touch pwned"]}, "an opponent is one of random"),
        ({"game": "chess"}, "game is 'chess'; known: gonzaga"),
        ({"seat": 9}, "it takes 0 to 1"),
        ({"edition": "/etc/passwd"}, "edition"),
    ],
)
def test_a_client_cannot_ask_for_more(address: str, asked: dict, said: str) -> None:
    with openenv.GameClient(base_url=address).sync() as env:
        with pytest.raises(RuntimeError, match=said):
            env.reset(**asked)
        with pytest.raises(RuntimeError, match="there is no game"):
            env.step(openenv.GameAction(text="anything"))


def test_a_judge_adds_the_regret() -> None:
    env = openenv.GameEnvironment(judge="search@8", edition="mini-b3")
    found = env.reset(opponents=["random"], seed=1)
    while not found.done:
        found = env.step(openenv.GameAction(text=first(found.text)))
    parts = found.parts
    assert found.reward == pytest.approx(parts["result"] + 0.1 - parts["regret"])
    assert env.rubric.last_score == found.reward
    assert parts["regret"] != 0


def test_the_schema_is_published(address: str) -> None:
    schema = httpx.get(f"{address}/schema").json()
    assert schema["action"]["required"] == ["text"]
    assert {"text", "seat", "refused", "parts"} <= {*schema["observation"]["properties"]}
