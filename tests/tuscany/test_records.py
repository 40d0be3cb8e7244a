"""Records: games of an independent program, and our own (notation, part 5)."""

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gonzaga_env.tabletop.errors import EditionError, RecordError
from gonzaga_env.tabletop.records import read_entries, write_records
from gonzaga_env.tuscany.batch.engine import Engine
from gonzaga_env.tuscany.options import Options
from gonzaga_env.tuscany.records import (
    Recorder,
    positions,
    record_game,
    replay,
    verify,
)
from gonzaga_env.tuscany.single.game import Game

#: The referee's games: two to four players and every option.
CORPUS = Path(__file__).parent / "games/referee.jsonl"
#: Eleven of them as versions up to 0.11 recorded them, without two of the options.
EARLIER_CORPUS = Path(__file__).parent / "games/six_options.jsonl"


def _read(path: Path) -> list[dict[str, Any]]:
    return [entry.record for entry in read_entries(path) if isinstance(entry.record, dict)]


RECORDS, EARLIER = _read(CORPUS), _read(EARLIER_CORPUS)


@pytest.mark.parametrize("record", RECORDS + EARLIER, ids=lambda record: record["seed"])
def test_the_games_of_an_independent_program_replay_without_a_difference(
    record: dict[str, Any],
) -> None:
    game = replay(record)
    assert game.finished
    assert [seat for seat, won in enumerate(game.winners()) if won] == record["winners"]


def test_the_corpus_has_every_option_and_number_of_players() -> None:
    assert len(RECORDS) == 72
    assert {record["num_players"] for record in RECORDS} == {2, 3, 4}
    played = [Options.of(record["rules"]) for record in RECORDS]
    assert {Options.of("rulebook"), Options.of("online")} < {*played}
    for name, values in (
        *(("draw_base", {2, 3}), ("round_end", {"lap", "turn"})),
        *(("final_turns", {"lap_then_one", "one_each"}), ("colour_bonus", {"ranked", "literal"})),
        *(("bonus_gains", {"every", "tiles"}), ("storage_points", {"always", "setup"})),
        ("hexagon_same_turn", {False, True}),
    ):
        assert {record["rules"][name] for record in RECORDS} == values
    drawn = {text.split()[0] for r in RECORDS for move in r["moves"] for text in move["drawn"]}
    assert drawn == {"card", "yield", "stack", "neutral", "sweep", "shuffle"}


@pytest.mark.parametrize("record", EARLIER[:2], ids=lambda record: record["seed"])
def test_records_without_the_newer_options_mean_what_was_played_then(
    record: dict[str, Any],
) -> None:
    assert len(record["rules"]) == 6
    rules = replay(record).rules
    assert (rules.bonus_gains, rules.storage_points) == ("tiles", "always")
    half = record | {"rules": record["rules"] | {"bonus_gains": "tiles"}}
    with pytest.raises(RecordError, match="rules: the record says"):
        replay(half)  # no version wrote one of them alone


def _record(num_players: int = 2, seed: int = 3) -> dict[str, Any]:
    game, rng = Game(num_players, seed=seed), np.random.default_rng(seed)
    recorder = Recorder(game, ["random"] * num_players)
    while not game.finished:
        recorder.play(game.sample_legal(rng))
    return recorder.record()


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_our_own_records_are_read_back_and_replayed(num_players: int, tmp_path: Path) -> None:
    records = [_record(num_players, seed) for seed in range(3)]
    write_records(tmp_path / "games.jsonl", records)
    read = [entry.record for entry in read_entries(tmp_path / "games.jsonl")]
    assert read == records
    for record in records:
        assert len(list(positions(record))) == len(record["moves"])
        game = replay(record)
        assert game.round == 3
        assert record["scores"]["total"] == game.totals
        assert record["scores"]["zones"] == [scores[0] for scores in game.scores]


def _edit(key: str, value: Any) -> Callable[[dict[str, Any]], None]:
    def edit(record: dict[str, Any]) -> None:
        *path, last = key.split(".")
        inner: Any = record
        for part in path:
            inner = inner[int(part)] if isinstance(inner, list) else inner[part]
        inner[int(last) if isinstance(inner, list) else last] = value

    return edit


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("format", 2, "format: the record says 2"),
        ("game", "chess", "game"),
        ("edition_hash", "0", "edition_hash: the record says"),
        ("versions.actions", 9, "version of the actions: the record says 9"),
        ("num_players", 3, "one entry a seat"),
        ("rules.draw_base", 4, "draw_base is 4"),
        ("agents", ["a"], "agents: 1 names for 2 players"),
        ("deal.start", 5, "no such seat"),
        ("deal.boards.0", ["A1", "B1"], "one of A, B and C each"),
        ("deal.hands.0", "V", "5 cards"),
        ("deal.display", ["F"] * 8, "move 6: drawn: 'neutral F'"),
        ("moves.0.action", "draw", "'draw' is illegal (layout): a layout is asked for"),
        ("moves.0.action", "pass", "move 1: 'pass' is not an action"),
        ("moves.0.legal", 97, "move 1, legal: the record says 97, the rules say 96"),
        ("moves.0.seat", 5, "move 1, seat: the record says 5, the rules say "),
        ("moves.0.note", 1, "move 1, note: the record says 1"),
        ("moves.8.points", [9, 0], "move 9, points"),
        ("moves.6.drawn", [], "move 7: drawn: nothing"),
        ("scores.total", [1, 2], "scores: "),
        ("final.turned", [1, 2], "final: "),
        ("winners", [0, 1], "winners: "),
        ("truncated", True, "truncated: the record says True"),
        ("truncated", 0, "truncated: the record says 0"),
        ("moves", [], "not over after 0 moves"),
        ("moves", None, "missing or has the wrong type"),
        ("deal", 3, "missing or has the wrong type"),
    ],
)
def test_what_contradicts_the_rules_is_named(key: str, value: Any, message: str) -> None:
    record = copy.deepcopy(RECORDS[0])
    _edit(key, value)(record)
    with pytest.raises(RecordError) as caught:
        replay(record)
    assert message in str(caught.value)
    assert len(str(caught.value)) < 3000
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("key", sorted(RECORDS[0]))
def test_every_key_is_needed(key: str) -> None:
    record = {name: value for name, value in RECORDS[0].items() if name != key}
    if key in ("seed",):
        replay(record)  # what was drawn is in the record
        return
    with pytest.raises(RecordError):
        replay(record)


def test_every_line_of_a_file_is_verified(tmp_path: Path) -> None:
    path, lines = tmp_path / "games.jsonl", CORPUS.read_text().splitlines()
    broken = lines[1].replace('"truncated":false', '"truncated":true')
    path.write_text("\n".join([lines[0], "{", broken, lines[2].replace("reconstruction", "x")]))
    faults = [fault for _, fault in verify(read_entries(path))]
    assert faults[0] is None
    assert [type(fault) for fault in faults[1:]] == [RecordError, RecordError, EditionError]


def test_stacks_are_compared_where_they_are_given() -> None:
    record = copy.deepcopy(RECORDS[0])
    turned: list[list[str]] = [[], []]
    for move in record["moves"]:
        stacks = [text.split()[1] for text in move["drawn"] if text.startswith("stack")]
        turned[move["seat"]] += stacks
    record["deal"]["stacks"] = turned
    replay(record)
    turned[0].reverse()
    with pytest.raises(RecordError, match="stacks of seat 0"):
        replay(record)


def test_a_game_that_has_begun_is_not_recorded() -> None:
    game = Game(2)
    game.play(0)
    game.play(game.sample_legal(np.random.default_rng(0)))
    with pytest.raises(RecordError, match="has begun"):
        Recorder(game, ["a", "b"])


def test_games_of_a_batch_are_recorded_like_games_alone() -> None:
    engine, rng = Engine(3, 2, seed=5), np.random.default_rng(5)
    recorder = Recorder(engine, [[f"{game}{seat}" for seat in "ab"] for game in range(3)])
    found: list[dict[str, Any]] = []
    while len(found) < 4:
        rows = np.flatnonzero(rng.random(3) < 0.8)
        recorder.step(engine.sample_legal(rng, rows), rows)
        found += recorder.pop()
    assert {record["episode"] for record in found} == {0, 1}
    for record in found:
        assert record["agents"] == [f"{record['seed'] - 5}{seat}" for seat in "ab"]
        assert replay(record).totals == record["scores"]["total"]
    first = next(record for record in found if not record["episode"])
    actions = [engine.actions.parse(move["action"]) for move in first["moves"]]
    assert record_game(engine.config, first["seed"], first["agents"], actions) == first
    with pytest.raises(RecordError, match="has begun"):
        Recorder(engine, ["a", "b"])
