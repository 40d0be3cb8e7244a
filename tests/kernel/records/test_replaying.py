"""Records of all games: recorded, replayed and verified; whatever is forged is found."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gonzaga_env import gonzaga
from gonzaga_env.commands import replay
from gonzaga_env.core.editions import generating
from gonzaga_env.kernel.errors import EditionError, RecordError
from gonzaga_env.kernel.records import Entry, Record, read_records
from tests.beside import EVERY_GAME, GAMES
from tests.core.test_records import record_games
from tests.marks import nightly

TESTS = Path(__file__).parents[2]
Change = Callable[[Record], object]


@pytest.fixture(scope="module")
def records() -> dict[str, list[Record]]:
    """Returns games of several kinds, in turns; of the newer games, those of a referee."""
    kinds = [
        record_games(gonzaga.Engine(3, 2, seed=1), 3),
        record_games(gonzaga.Engine(3, 4, seed=2), 3),
        record_games(gonzaga.Engine(3, 2, rules=gonzaga.Rules("first_only", 1), seed=3), 3),
    ]
    found = {"gonzaga": [record for games in zip(*kinds, strict=True) for record in games]}
    for name in ("tuscany", "signorie"):
        referee = read_records(TESTS / name / "games/referee.jsonl")
        found[name] = [next(referee) for _ in range(3)]
    return found


def verdicts(game: Any, records: list[Record], edition: str | None = None) -> list[str | None]:
    entries = [Entry(line, 0, record) for line, record in enumerate(records, start=1)]
    told = list(game.verify(entries, edition))
    assert [entry for entry, _ in told] == entries
    return [None if fault is None else str(fault) for _, fault in told]


@pytest.mark.parametrize("part", [0, *nightly(1, 2, 3)])
@pytest.mark.parametrize("name", ["tuscany", "signorie"])
def test_the_referees_games_replay_without_a_difference(name: str, part: int) -> None:
    found = verdicts(GAMES[name], [*read_records(TESTS / name / "games/referee.jsonl")][part::4])
    assert found == [None] * len(found)
    assert len(found) >= 15


def _set(path: str, to: object) -> Change:
    """Returns what sets a value, such as that of "moves.3.points"."""

    def change(record: Record) -> None:
        *keys, last = [int(key) if key.isdecimal() else key for key in path.split(".")]
        at: Any = record
        for key in keys:
            at = at[key]
        at[last] = to

    return change


DEEP = json.loads("[" * 900 + "]" * 900)
#: What is wrong with a record, of any game or of one, and what is said of it.
FORGED: list[tuple[str, Change, str]] = [
    *(
        (game, change, says)
        for game in GAMES
        for change, says in [
            (_set("format", 2), "format: the record says 2"),
            (_set("edition_hash", "0"), "edition_hash: the record says"),
            (_set("versions.actions", 9), "version of the actions: the record says 9"),
            (_set("edition", "nowhere"), "nowhere"),
            (_set("edition", "x" * 9000), "; shipped: "),
            (_set("edition", "a\0b"), "; shipped: "),
            (_set("edition", []), "edition is []"),
            (_set("edition", {}), "edition is {}"),
            (_set("num_players", 2.0), "2.0"),
            (_set("rules", DEEP), "rules"),
            (_set("agents", "ab"), "agents: they take a list of names"),
            (_set("agents", [["a", "b"]]), "agents: they take a list of names"),
            (_set("agents", ["a"]), "agents: 1 names"),
            (_set("moves", None), "field"),
            (_set("moves", 3), "field"),
            (_set("moves", []), "not over after 0 moves"),
            (_set("moves.5", None), "field"),
            (_set("moves.0.seat", 5), "move 1, seat: the record says 5"),
            (_set("moves.0.legal", 1), "move 1, legal: the record says 1"),
            (_set("moves.9.legal", 0), "move 10, legal: the record says 0"),
            (_set("moves.0.note", 1), "move 1, note: the record says 1"),
            (_set("moves.0.\x1b[31m", 1), "move 1, '\\x1b[31m': the record says 1"),
            (_set("moves.0.action", 7), "move 1: 7 is not an action"),
            (_set("moves.3.action", "x" * 9000), "move 4: 'xxx"),
            (_set("moves.3.action", "nonsense"), "move 4: 'nonsense'"),
            (_set("scores.total", [0, 0]), "scores: the record says"),
            (_set("winners", []), "winners: they take"),
            (_set("winners", DEEP), "winners"),
            (lambda it: it["moves"].pop(), "not over"),
            (lambda it: it["moves"].append(it["moves"][0]), "over"),
            *((lambda it, key=key: it.pop(key), "") for key in ("moves", "scores", "winners")),
            *((lambda it, key=key: it.pop(key), "") for key in ("agents", "rules", "edition")),
        ]
    ),
    ("gonzaga", _set("num_players", 3), "players"),
    ("gonzaga", _set("scenario", "Nobody"), "Nobody"),
    ("gonzaga", _set("rules.sea_league", "none"), "sea_league"),
    ("gonzaga", _set("decks.0.0", 13), "deck"),
    ("gonzaga", _set("decks.0.3", 2**70), "decks: 1180591620717411303424; they hold the integers"),
    ("gonzaga", _set("decks.0.3", 3.9), "decks: 3.9"),
    ("gonzaga", _set("decks.0.3", "3"), "decks: '3'"),
    ("gonzaga", _set("decks.0.3", True), "decks: True"),
    ("gonzaga", _set("decks.0", [1, 2]), "field"),
    ("gonzaga", _set("decks", []), "deck"),
    ("gonzaga", lambda it: it.pop("decks"), "decks"),
    ("gonzaga", _set("objectives.0", ["crown", "crown"]), "field"),
    ("gonzaga", _set("seed", 2**64), "seed: 18446744073709551616"),
    ("gonzaga", _set("seed", "7"), "seed: '7'"),
    ("gonzaga", _set("seed", [7]), "seed: [7]"),
    ("gonzaga", _set("moves.0.action", "donate"), "R3.2"),
    ("gonzaga", _set("moves.0.action", "fief 5 r2 @ 12,999"), "move 1"),
    ("gonzaga", _set("moves.3.points", 99), "move 4, points"),
    ("gonzaga", _set("moves.3.covers", [[0, 0]]), "move 4, covers"),
    ("gonzaga", _set("scores.cities", [0, 0]), "scores"),
    ("tuscany", _set("game", "chess"), "game"),
    ("tuscany", _set("num_players", 3), "points of all players"),
    ("tuscany", _set("rules.draw_base", 4), "draw_base is 4"),
    ("tuscany", _set("deal", 3), "missing or has the wrong type"),
    ("tuscany", _set("deal.start", 5), "no such seat"),
    ("tuscany", _set("deal.boards.0", ["A1", "B1"]), "one of A, B and C each"),
    ("tuscany", _set("deal.hands.0", "V"), "5 cards"),
    ("tuscany", _set("deal.display", ["F"] * 8), "move 6: drawn: 'neutral F'"),
    ("tuscany", _set("moves.0.action", "draw"), "'draw' is illegal (layout): a layout is asked"),
    ("tuscany", _set("moves.8.points", [9, 0]), "move 9, points"),
    ("tuscany", _set("moves.6.drawn", []), "move 7: drawn: nothing"),
    ("tuscany", _set("final.turned", [1, 2]), "final: "),
    ("tuscany", _set("truncated", True), "truncated: the record says True"),
    ("tuscany", _set("truncated", 0), "truncated: the record says 0"),
    ("signorie", _set("game", "tuscany"), "game: the record says 'tuscany'"),
    ("signorie", _set("moves.0.legal_sum", 1), "move 1, legal_sum: the record says 1"),
    ("signorie", _set("moves.3.points", [1, 0]), "move 4, points: the record says [1"),
    ("signorie", _set("moves.2.drawn", [["tile", "a2"]]), "move 3, drawn"),
    ("signorie", _set("moves.7.drawn", []), "move 8: drawn: nothing; the next event is"),
    ("signorie", _set("moves.7.drawn", [["offspring", [7]]]), "takes 1 dice"),
    ("signorie", _set("moves.7.drawn", [["offspring", 3]]), "holds no events that happen"),
    ("signorie", lambda it: it["deal"]["turn_order"].reverse(), "move 1, seat: the record says 0"),
    ("signorie", _set("deal.boards", ["red", "red"]), "boards takes different numbers"),
    ("signorie", lambda it: it["deal"]["removed"].reverse(), "removed is not in the order of the"),
    ("signorie", lambda it: it["deal"]["cities"].append("Roma"), "is not in the order"),
    ("signorie", lambda it: it["deal"]["cities"].pop(), "another number of them in play"),
    ("signorie", lambda it: it["deal"]["drawn"][0][1].pop(), "each city in play has two tiles"),
    ("signorie", _set("deal.drawn.1.1.0.0", 6), "the record says"),
    ("signorie", lambda it: it["deal"]["drawn"].pop(), "missing or has the wrong type"),
    ("signorie", lambda it: it["final"]["deck"].pop(), "final: the record says"),
]


@pytest.mark.parametrize(("name", "change", "says"), FORGED)
def test_a_wrong_game_is_found_among_right_ones(
    records: dict[str, list[Record]], name: str, change: Change, says: str
) -> None:
    game, first = GAMES[name], records[name][0]
    wrong = copy.deepcopy(first)
    change(wrong)
    with pytest.raises((RecordError, EditionError)) as caught:
        game.replay(wrong)
    told = str(caught.value)
    assert verdicts(game, [first, wrong, first]) == [None, told, None]
    assert says in told
    assert "\n" not in told
    assert len(told) < 3000


@pytest.mark.parametrize(
    "change",
    [
        *((lambda it, key=key: it.pop(key)) for key in ("format", "moves", "scores", "winners")),
        *((lambda it, key=key: it.pop(key)) for key in ("versions", "agents", "edition_hash")),
        *(_set(key, []) for key in ("moves", "scores.total", "winners", "rules", "agents")),
        *(_set(key, []) for key in ("decks", "seed")),
        _set("decks.0.0", 13),
        _set("moves", [{}]),
        _set("edition_hash", "0"),
        _set("num_players", 7),
    ],
)
def test_no_map_is_generated_for_what_is_no_record(
    records: dict[str, list[Record]], change: Change, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(generating, "generate", None)  # calling it would be no RecordError
    wrong = copy.deepcopy(records["gonzaga"][0]) | {"edition": "generated:grow-1000"}
    with pytest.raises(TypeError, match="NoneType"):
        gonzaga.load_edition(wrong["edition"])
    change(wrong)
    assert "NoneType" not in str(verdicts(gonzaga, [wrong])[0])


@pytest.mark.parametrize(("kept", "refused"), [(16, [3]), (1, [3, 4])])
def test_a_file_has_a_bounded_number_of_tables_made(
    monkeypatch: pytest.MonkeyPatch, kept: int, refused: list[int]
) -> None:
    monkeypatch.setattr("gonzaga_env.kernel.records.replaying._KEPT", kept)
    monkeypatch.setattr("gonzaga_env.kernel.records.replaying.MOST_MADE", 2)
    records: list[Record] = [{"game": "gonzaga", "edition": name} for name in "abcab"]
    records.insert(1, {"game": "tuscany", "edition": "a"})
    entries = [Entry(line, 0, record) for line, record in enumerate(records)]
    for told in (replay.verify(entries, None), gonzaga.verify(entries[:1] + entries[2:])):
        many = [entry.line for entry, fault in told if "more than 2 times; sort" in str(fault)]
        assert many == refused


@pytest.mark.parametrize("name", GAMES)
def test_many_wrong_games_are_found_at_once(records: dict[str, list[Record]], name: str) -> None:
    changes = [(change, says) for game, change, says in FORGED if game == name]
    games = [copy.deepcopy(records[name][0]) for _ in changes]
    for game, (change, _) in zip(games, changes, strict=True):
        change(game)
    found = verdicts(GAMES[name], [*games, *records[name]])
    for fault, (_, says) in zip(found, changes, strict=False):
        assert says in (fault or "")
    assert found[len(games) :] == [None] * len(records[name])


@pytest.mark.parametrize("name", GAMES)
def test_the_edition_may_be_given(
    records: dict[str, list[Record]], name: str, tmp_path: Path
) -> None:
    game, shipped = GAMES[name], records[name][0]["edition"]
    moved = [record | {"edition": str(tmp_path / "gone")} for record in records[name][:2]]
    assert all("gone" in (fault or "") for fault in verdicts(game, moved))
    assert verdicts(game, moved, shipped) == [None, None]
    with pytest.raises(EditionError, match="atlantis"):
        verdicts(game, moved, "atlantis")


@pytest.mark.parametrize("name", GAMES)
def test_positions_verify_as_they_go(records: dict[str, list[Record]], name: str) -> None:
    record = copy.deepcopy(records[name][0])
    record["moves"][5]["legal"] += 1
    states = GAMES[name].positions(record)
    assert [next(states).num_games for _ in range(6)] == [1] * 6
    with pytest.raises(RecordError, match="move 6, legal"):
        next(states)


@EVERY_GAME
def test_a_recorder_follows_some_games_and_those_after_them(game: Any) -> None:
    engine, rng = game.Engine(3, 2, seed=5), np.random.default_rng(5)
    recorder = game.Recorder(engine, [[f"{row}{seat}" for seat in "ab"] for row in range(3)])
    found: list[Record] = []
    while len(found) < 5:
        rows = np.flatnonzero(rng.random(3) < 0.7)
        recorder.step(engine.sample_legal(rng, rows), rows)
        found += recorder.pop()
    assert {record["episode"] for record in found} >= {0, 1}
    for record in found:
        assert record["agents"] == [f"{record['seed'] - 5}{seat}" for seat in "ab"]
        assert game.replay(record).totals == record["scores"]["total"]
    first = next(record for record in found if not record["episode"])
    actions = [engine.actions.parse(move["action"]) for move in first["moves"]]
    assert game.record_game(engine.config, first["seed"], first["agents"], actions) == first
