"""A table without terminal or web: moves, frames, records, and what is saved."""

import copy
import json
import re
from typing import Any

import numpy as np
import pytest
from gonzaga_table import session
from gonzaga_table.replay import KEPT
from gonzaga_table.session import (
    GameSession,
    SessionError,
    StaleMoveError,
    agent_seat,
    human,
)

from gonzaga_env.core import ActionError, GameConfig, IllegalActionError, OptionError, Rules
from gonzaga_env.core.spec import replay
from gonzaga_env.games import game_spec, record_frames
from gonzaga_env.kernel.agent import AgentError
from gonzaga_env.kernel.errors import RecordError
from gonzaga_env.kernel.sentences import Sentence, say
from gonzaga_env.render.draw import draw_text
from gonzaga_env.tuscany.view import piece_words
from tests.marks import nightly


def played(table: GameSession, num_moves: int | None = None, seed: int = 0) -> GameSession:
    """Plays random legal actions, all of them if no number is given."""
    rng = np.random.default_rng(seed)
    while table.to_act is not None and table.num_moves != num_moves:
        turn = table.turn(table.to_act)
        action = turn.choices[rng.integers(len(turn.choices))].action
        table.play(table.to_act, table.num_moves, action)
    return table


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(5)


def people(number: int, **more: Any) -> GameSession:
    return GameSession(GameConfig(number, **more), [human(f"P{i}") for i in range(number)], seed=7)


@pytest.mark.parametrize("viewer", [0, 1, "public"])
def test_frames_are_those_of_the_record(viewer) -> None:
    """A table tells a game as `story.frames` tells its record, from any move on."""
    table = played(people(2))
    told = list(record_frames(table.record(), viewer=viewer))
    assert table.frames(viewer, 0) == told
    assert table.frames(viewer) == told[-1:]
    assert table.frames(viewer, 5) == told[5:]  # made again: only the last are kept
    assert len(told) > KEPT + 5
    assert table.frames(viewer, len(told)) == []
    assert table.log(viewer) == [frame.lines for frame in told]
    fresh = people(2)
    for seat, action in table.moves:
        fresh.play(seat, fresh.num_moves, action)
        assert fresh.frames(viewer) == [told[fresh.num_moves]]


def test_moves_that_fail_change_nothing() -> None:
    table = played(people(3), 10)
    seat, before = table.to_act, table.as_dict()
    legal = [choice.action for choice in getattr(table.turn(seat), "choices", ())]
    illegal = next(action for action in range(9_000) if action not in legal)
    for error, arguments in (
        (StaleMoveError, (seat, 9, legal[0])),
        (StaleMoveError, (seat, None, legal[0])),
        (SessionError, ((seat + 1) % 3, 10, legal[0])),
        (IllegalActionError, (seat, 10, illegal)),
        (ActionError, (seat, 10, 10**9)),
        (ActionError, (seat, 10, "1")),
    ):
        with pytest.raises(error):
            table.play(*arguments)  # type: ignore[arg-type]
        assert table.as_dict() == before
    with pytest.raises(SessionError, match="not over"):
        table.record()
    with pytest.raises(SessionError, match="the game is over"):
        played(table).play(seat, table.num_moves, 0)


def test_a_table_is_saved_and_restored_as_json() -> None:
    table = played(people(3, scenario="Colombo", rules=Rules("first_only", 4)), 20)
    saved = json.loads(json.dumps(table.as_dict()))
    again = GameSession.from_dict(saved)
    assert again.as_dict() == table.as_dict()
    assert played(again).record() == played(table).record()


def finished(game: str, seed: int) -> GameSession:
    config = game_spec(game).config(num_players=2)
    return played(GameSession(config, [human("Ann"), human("Bo")], seed=seed))


@pytest.mark.parametrize("game", ["gonzaga", "tuscany", *nightly("signorie")])
def test_a_table_goes_on_from_any_move_of_a_record(game) -> None:
    """Of deals with another seed too, where chance alone would turn up something else."""
    record = finished(game, 3).record() | {"seed": 99}
    told = list(record_frames(record, viewer=0))
    number = len(told) // 2
    table = GameSession.from_record(record, number, [human("Ann"), human("Bo")], seed=5)
    assert table.frames(0, 0) == told[: number + 1]
    saved = json.loads(json.dumps(table.as_dict()))
    again, other = played(GameSession.from_dict(saved), seed=8), played(table, seed=8)
    assert again.record() == other.record()
    game_spec(game).records.replay(other.record())
    assert other.record()["moves"][:number] == record["moves"][:number]


def test_moves_that_a_record_lacks_are_refused() -> None:
    record, seats = finished("gonzaga", 3).record(), [human("Ann"), human("Bo")]
    wrong = {**record, "moves": [{"seat": 0, "action": "donate"}]}
    for bad, number in ((record, 999), (record, -1), (wrong, 1), ({**record, "moves": 3}, 1)):
        with pytest.raises(RecordError):
            GameSession.from_record(bad, number, seats)


def test_damaged_tables_are_refused() -> None:
    saved = played(people(2), 6).as_dict()
    faults: list[dict[str, Any]] = [
        {"moves": [[0, 0], [0, 0]]},
        {"moves": 3},
        {"seats": []},
        {"seed": "x"},
        {"rules": {"dragons": 1}},
        {"digest": "0"},
        {"num_players": 7},
    ]
    for fault in faults:
        with pytest.raises(SessionError):
            GameSession.from_dict({**copy.deepcopy(saved), **fault})
    for key in saved:
        with pytest.raises(SessionError):
            GameSession.from_dict({k: v for k, v in saved.items() if k != key})


def test_deals_cannot_be_guessed() -> None:
    config, seats = GameConfig(2), [human(), human()]
    seeds = [GameSession(config, seats).seed for _ in range(20)]
    assert len(set(seeds)) == 20
    assert max(seeds) > 2**56


def test_names_and_seats_are_checked() -> None:
    invisible = ["\u3164", "\u2800", "Ann\u3164", "A\u115fnn", "\ufe0f", "\u0301nn"]
    for name in ("x" * 41, "a\nb", 7, *invisible):
        with pytest.raises(OptionError, match=r"printable characters|visible characters"):
            human(name)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="1 seats for 2 players"):
        GameSession(GameConfig(2), [human()])


class Failing:
    def act(self, *_: Any) -> Any:
        raise ZeroDivisionError("no way")


class Illegal:
    def act(self, observations: Any, masks: Any, rng: Any) -> Any:
        return (~masks).argmax(axis=1)


@pytest.mark.parametrize(
    ("agent", "why"), [(Failing(), "ZeroDivisionError: no way"), (Illegal(), "R")]
)
def test_agents_that_fail_are_named(agent, why) -> None:
    table = GameSession(GameConfig(2), [agent_seat("mine"), human()], seed=1)
    with pytest.raises(AgentError, match=f"^agent mine: .*{why}"):
        table.step_agent(agent, np.random.default_rng(0))
    assert table.num_moves == 0


def test_all_seats_plan_at_once(rng) -> None:
    """R3.2: an early plan is pending, and becomes a move when the engine asks for it."""
    table, in_turn = people(3), people(3)
    plans = [int(rng.choice(np.flatnonzero(table.question(seat)[1]))) for seat in range(3)]
    for seat, plan in enumerate(plans):
        in_turn.play(seat, seat, plan)
    assert table.deciding == (0, 1, 2)
    table.play(2, 0, plans[2])
    assert (table.deciding, table.sealed, table.num_moves) == ((0, 1), (2,), 0)
    assert table.pending_choice(2).action == plans[2]
    assert table.turn(2) is None
    again = GameSession.from_dict(json.loads(json.dumps(table.as_dict())))
    assert again.as_dict() == table.as_dict()
    table.play(0, 0, plans[0])
    assert (table.deciding, table.sealed, table.num_moves) == ((1,), (0, 2), 1)
    table.play(1, 0, plans[1])  # its sender has not seen the move before: no matter
    assert table.as_dict() == in_turn.as_dict()
    assert (table.deciding, table.sealed, table.stage) == ((table.to_act,), (), 3)


def test_a_plan_is_sealed_once_and_in_its_own_stage() -> None:
    table = people(3)
    plan, *_ = np.flatnonzero(table.question(1)[1]).tolist()
    table.play(1, 0, plan)
    for error, arguments in (
        (SessionError, (1, 0, plan)),  # it has planned
        (StaleMoveError, (2, 1, plan)),  # of a later stage
        (IllegalActionError, (2, 0, 42)),
        (ActionError, (2, 0, 10**9)),
    ):
        with pytest.raises(error):
            table.play(*arguments)
        assert table.pending == {1: plan}
    table = played(people(3), 6)  # of the second round
    with pytest.raises(StaleMoveError):
        table.play(1, 5, 0)


@pytest.mark.parametrize("number", [2, 3, 4])
def test_a_seat_may_plan_what_it_may_at_its_turn(number, rng) -> None:
    """Observation, mask and choices are the same before the others have planned, and after."""
    table = played(people(number), 2 * number)
    early = [(*table.question(seat), table.turn(seat)) for seat in range(number)]
    for seat in range(number):
        observation, mask, turn = early[seat]
        assert table.to_act == seat
        assert (table.question()[0] == observation).all()
        assert (table.question()[1] == mask).all()
        assert table.turn(seat) == turn
        table.play(seat, 2 * number, int(rng.choice(np.flatnonzero(mask))))


def test_a_sealed_plan_is_taken_back_alone() -> None:
    table = people(3)
    plans = {seat: int(np.flatnonzero(table.question(seat)[1])[seat]) for seat in range(3)}
    table.play(0, 0, plans[0])
    table.play(2, 0, plans[2])
    assert not table.reveals(0)
    table.take_back(0)
    assert (table.moves, table.pending, table.deciding) == ([], {2: plans[2]}, (0, 1))
    assert table.log("public") == [()]  # nobody has seen it
    table.take_back(2)
    assert not table.pending
    for seat in (2, 1, 0):
        table.play(seat, 0, plans[seat])
    assert table.moves == list(plans.items())
    assert table.reveals(0)
    table.take_back(0)  # all have seen all plans: all plan anew
    assert (table.num_moves, table.deciding) == (0, (0, 1, 2))
    (line,) = table.log("public")[0]
    assert (line.seat, line.event) == (0, {"kind": "take_back"})


def test_a_placement_is_taken_back_with_all_that_followed() -> None:
    table = played(people(2), 3)
    seat, position = table.moves[-1][0], table.state
    assert not table.reveals(seat)  # nothing has been turned up since
    before = table.num_moves
    played(table, 5)  # the round is over: new fiefs lie open
    assert table.reveals(seat)
    revision = table.revision
    table.take_back(seat)
    assert (table.num_moves, table.to_act, table.revision) == (before - 1, seat, revision + 1)
    again = played(people(2), 2)
    assert table.state == again.state != position
    assert table.frames(0, 0)[:2] == again.frames(0, 0)[:2]
    assert [line.text for line in table.log(1)[2]][-1] == "takes the last decision back"
    saved = GameSession.from_dict(json.loads(json.dumps(table.as_dict())))
    assert saved.as_dict() == table.as_dict()
    assert saved.log(1) == table.log(1)
    record = played(table).record()
    replay(record)


def test_a_take_back_says_that_others_have_drawn_hidden_cards(rng) -> None:
    """In The Castles of Tuscany, after the seat has done what turns nothing up."""
    found = 0
    for seed in range(40):
        table = GameSession(game_spec("tuscany").config(num_players=2), [human()] * 2, seed)
        while not found and not table.over:
            seat, turn = table.to_act, table.turn(int(table.to_act or 0))
            draw = [choice.action for choice in turn.choices if choice.text == "draw"]
            others = [move for move in table.moves[-1:] if move[0] != seat]
            if draw and others and not table.reveals(1 - seat):
                table.play(seat, table.num_moves, draw[0])
                assert table.reveals(1 - seat)
                found += 1
            else:
                action = int(rng.choice([choice.action for choice in turn.choices]))
                table.play(seat, table.num_moves, action)
    assert found


@pytest.mark.parametrize("game", ["tuscany", "signorie"])
def test_a_turn_is_taken_back_as_far_as_it_turned_nothing_up(game, rng) -> None:
    """T3 and S5: a turn of several decisions goes back to its first one, or to what was drawn."""
    table, spec = (
        GameSession(game_spec(game).config(num_players=2), [human()] * 2, 7),
        game_spec(game),
    )
    whole, starts = 0, ("main", "reward", "pay")
    while not table.over and whole < 5:
        seat, turn = table.to_act, table.turn(int(table.to_act or 0))
        assert table.has_begun_turn(1 - seat) is False
        if table.has_begun_turn(seat) and len(table.moves) > 8:
            start = table.back_to(seat)
            assert {mover for mover, _ in table.moves[start:]} == {seat}
            again = spec.game.from_config(table.config, table.seed)
            for _, action in table.moves[:start]:
                again.play(action)
            begins = spec.kinds[again.kind] in starts
            assert begins or (table.moves[start - 1][0] == seat and again.position.drawn)
            whole += begins
        table.play(seat, table.num_moves, int(rng.choice([one.action for one in turn.choices])))
    assert whole


def test_what_was_never_decided_cannot_be_taken_back(monkeypatch) -> None:
    table = people(2)
    with pytest.raises(SessionError, match="seat 1 has made no decision"):
        table.take_back(1)
    played(table, 3)
    monkeypatch.setattr(session, "MAX_NOTES", 0)
    with pytest.raises(SessionError, match="too much"):
        table.take_back(0)


@pytest.mark.parametrize("game", ["gonzaga", *nightly("tuscany", "signorie")])
def test_all_texts_call_a_player_the_same(rng, game) -> None:
    seats = [human(), agent_seat("random"), agent_seat("random"), human()]
    table = GameSession(game_spec(game).config(num_players=4), seats, seed=1)
    assert table.names == ("Player 1", "random 1", "random 2", "Player 4")
    told = set()
    while not table.over:
        seat = table.deciding[0]
        turn = table.turn(seat)
        told |= {choice.words for choice in turn.choices}
        table.play(seat, table.num_moves, int(rng.choice([c.action for c in turn.choices])))
    frames = table.frames("public", 0)
    told |= {line.text for frame in frames for line in frame.lines}
    told |= {draw_text(table.config.edition, frame.view) for frame in frames[::20] + frames[-1:]}
    assert not {text for text in told if re.search(r"[Pp]layer 0|player \d", text)}
    assert any("Player 1" in text for text in told)


def test_seats_without_a_name_are_called_in_each_language() -> None:
    names = GameSession(GameConfig(2), [human(), human("Bo")]).names
    assert isinstance(names[0], Sentence)
    assert names == ("Player 1", "Bo")


def test_a_name_is_no_template() -> None:
    assert say("my {draft}") == say("{edition}", edition=say("my {draft}")) == "my {draft}"


def test_names_and_agents_change_in_the_middle_of_a_game() -> None:
    table = GameSession(GameConfig(2), [human(), agent_seat("mine")], seed=1)
    played(table, 4)
    assert table.view(0).players[0].name == "Player 1"
    table.rename(0, " Bo ")
    table.replace_agent(1, "greedy")
    assert table.names == ("Bo", "greedy")
    assert table.frames(0)[0].view.players[0].name == "Bo"
    assert table.log(0)[4][-1].event == {"kind": "agent", "agent": "greedy"}
    assert table.revision == 2
    with pytest.raises(SessionError, match="a person's"):
        table.replace_agent(0, "greedy")
    with pytest.raises(OptionError):
        table.rename(0, "a\nb")
    played(table)
    with pytest.raises(SessionError, match="the game is over"):
        table.rename(0, "Ann")
    assert GameSession.from_dict(table.as_dict()).as_dict() == table.as_dict()


def test_a_tile_that_a_full_storage_loses_is_named_before_and_after(rng) -> None:
    """T5.2: with one kind of piece in storage, nobody is asked which one leaves the game."""
    table = GameSession(game_spec("tuscany").config(num_players=2), [human()] * 2, 3)
    while True:
        seat = table.to_act
        turn, player = table.turn(seat), table.view(seat).players[seat]
        takes = [one for one in turn.choices if one.text.startswith("take")]
        full = len(player.storage) >= player.space
        if takes and full:
            break
        assert not any(one.warning for one in turn.choices)
        actions = [one.action for one in takes or turn.choices]
        table.play(seat, table.num_moves, int(rng.choice(actions)))
    (stored,) = map(piece_words, player.storage)
    loss = f"the stored {stored} leaves the game"
    assert {one.warning for one in takes} == {loss}
    assert takes[0].words.endswith(f"; {loss}")
    table.play(seat, table.num_moves, takes[0].action)
    assert loss in table.log(1 - seat)[-1][0].text
